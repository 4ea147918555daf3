/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/file.h"
#include "base/msg.h"
#include "kernel/key.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_KID = 256, OPT_ALG, OPT_KEYRING };

static const char *const synopsis[] = { "keygen --kid K [option...]", NULL };

static const struct wv_opt table[] = {
	{ OPT_KID, "kid", "K", "the name of the key" },
	{ OPT_ALG, "alg", "ALG", "ed25519 (default) or es256" },
	{ OPT_KEYRING, "keyring", "FILE",
		"add the public half to this keyring, made if there is none" },
	WV_STATE_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Makes a key to sign tokens with.  The private half stays in "
		 "the state folder; the public half goes into a keyring, or "
		 "as one to standard output.",
	.opts = table,
	.examples = "  wv-token keygen --kid kernel-1 --keyring keyring.json\n",
};

struct wish {
	const char *kid, *alg, *keyring, *state;
};

/* The keyring as it is and as it is to be. */
struct ring {
	struct wv_keyring *old; /* NULL: there is none yet */
	const char *name;       /* as given; NULL: standard output */
	char *path;             /* without links */
	struct wv_str text;
};

static int
open_ring(struct ring *ring, const char *name, struct wv_err *err)
{
	struct stat st;

	if (name == NULL)
		return 0;
	ring->name = name;
	/* A link stays one: what it points to is replaced. */
	ring->path = realpath(name, NULL);
	if (ring->path == NULL && errno == ENOENT) {
		ring->path = wv_xstrdup(name);
		return 0;
	}
	if (ring->path == NULL || stat(ring->path, &st) != 0)
		return wv_err_sys(err, "%s", name);
	if (!S_ISREG(st.st_mode))
		return wv_err_set(err, "%s: not a regular file", name);
	ring->old = wv_keyring_load(name, err);
	return ring->old == NULL ? -1 : 0;
}

static int
write_ring(const struct ring *ring, struct wv_err *err)
{
	struct wv_err why = WV_ERR_INIT;
	struct wv_out out;

	if (ring->name != NULL)
		return wv_file_replace(ring->path, ring->text.s, ring->text.n,
			       &why) == 0
			? 0
			: wv_err_at(err, ring->name, 0, 0, "%s", why.text);
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_out_add(&out, ring->text.s, ring->text.n);
	wv_out_mark(&out);
	return wv_out_close(&out, err);
}

static void
close_ring(struct ring *ring)
{
	wv_keyring_free(ring->old);
	wv_str_free(&ring->text);
	free(ring->path);
}

/* Why the file is there, as far as that can be said. */
static int
refuse_taken(
	struct wv_state *state, const struct wish *wish, struct wv_err *err)
{
	struct wv_err why = WV_ERR_INIT;
	struct wv_signer *signer = wv_key_open(state, wish->kid, &why);

	if (signer == NULL)
		return wv_err_set(err,
			"there is a private key \"%s\" already, but it is of "
			"no use, as an interrupted keygen leaves it: remove "
			"it (%s)",
			wish->kid, why.text);
	wv_signer_free(signer);
	if (wish->keyring == NULL)
		return wv_err_set(err,
			"there is a private key \"%s\" already: %s/keys/%s.pem",
			wish->kid, state->path, wish->kid);
	return wv_err_set(err,
		"there is a private key \"%s\" already: %s/keys/%s.pem; if "
		"keygen was interrupted before %s had its public half, remove "
		"it",
		wish->kid, state->path, wish->kid, wish->keyring);
}

/* The private key is on the disk before anyone hears of the public one. */
static int
make_key(struct wv_state *state, const struct wish *wish,
	const struct wv_signer *signer, struct wv_err *err)
{
	struct ring ring = { 0 };
	int result = open_ring(&ring, wish->keyring, err);

	if (result == 0)
		result = wv_keyring_add(
			ring.old, wish->kid, signer, &ring.text, err);
	if (result == 0)
		result = wv_key_save(state, wish->kid, signer, err);
	if (result > 0)
		result = refuse_taken(state, wish, err);
	else if (result == 0 && (result = write_ring(&ring, err)) != 0)
		wv_key_remove(state, wish->kid);
	close_ring(&ring);
	return result;
}

static void
read_options(struct wish *wish, struct wv_opts *opts)
{
	static const char *const algs[] = { "ed25519", "es256", NULL };
	int id;

	while ((id = wv_opt_next(opts)) != 0) {
		if (id == OPT_KID)
			wish->kid = opts->value;
		else if (id == OPT_ALG)
			wish->alg = algs[wv_opt_choice(
				opts, "alg", opts->value, algs)];
		else if (id == OPT_KEYRING)
			wish->keyring = opts->value;
		else
			wv_state_option(&wish->state, id, opts);
	}
	if (opts->operand_count > 0)
		wv_usage(opts, "keygen takes no operands");
	if (wish->kid == NULL)
		wv_usage(opts, "--kid is missing: the name of the key");
	if (!wv_kid_is_valid(wish->kid))
		wv_usage(opts,
			"--kid: 1 to 64 letters, digits, \".\", \"_\" or "
			"\"-\", and no dot first");
}

int
keygen_main(int argc, char **argv)
{
	struct wish wish = { .alg = "ed25519" };
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer;
	struct wv_opts opts;
	int result = -1;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&wish, &opts);
	struct wv_state *state = open_state(wish.state, WV_STATE_WRITE, false);
	/* Two at once must not lose a key of the keyring. */
	if (wv_state_lock(state, &err) < 0)
		wv_die_err(&err);
	signer = wv_signer_new(wish.alg, &err);
	if (signer != NULL)
		result = make_key(state, &wish, signer, &err);
	wv_signer_free(signer);
	wv_state_unlock(state);
	wv_state_close(state);
	if (result != 0)
		wv_die_err(&err);
	wv_opt_end(&opts);
	return WV_YES;
}
