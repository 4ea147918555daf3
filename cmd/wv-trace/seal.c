/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint.h"
#include "trace.h"
#include "walk.h"

#include "base/file.h"
#include "base/msg.h"
#include "contract/record.h"
#include "kernel/folder.h"
#include "kernel/key.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define FILE_NAME "checkpoints.jsonl"

enum { OPT_SIGN = 256 };

static const char *const synopsis[] = { "seal --sign KID [option...]", NULL };

static const struct wv_opt table[] = {
	{ OPT_SIGN, "sign", "KID", "a key of the state (wv-token keygen)" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Signs what the log has come to, and prints that checkpoint, "
		 "to be kept elsewhere.  A log that is not whole, or does not "
		 "extend the last checkpoint, is not signed.",
	.opts = table,
	.examples =
		"  wv-token keygen --kid seal-1 --keyring keyring.json\n"
		"  wv-trace seal --sign seal-1 >>/mnt/elsewhere/kept.jsonl\n",
};

struct seal {
	const char *path, *kid;
	struct wv_state *state;
	struct wv_signer *signer;
	struct checkpoints checkpoints; /* that there are */
	struct verdict verdict;
	struct wv_str line;
};

/* Who seals at the same time would chain to the same one. */
static void
open_checkpoints(struct seal *s)
{
	struct wv_err err = WV_ERR_INIT;
	struct checkpoints *c = &s->checkpoints;

	c->in.fd = wv_folder_at(
		s->state->dir, FILE_NAME, O_RDWR | O_CREAT | O_APPEND, &err);
	if (c->in.fd < 0)
		wv_die("%s: %s", s->state->path, err.text);
	if (flock(c->in.fd, LOCK_EX | LOCK_NB) < 0)
		wv_die("%s/" FILE_NAME ": %s", s->state->path,
			errno == EWOULDBLOCK ? "another process is sealing"
					     : strerror(errno));
	c->name = FILE_NAME;
	c->forgives = true;
	checkpoints_start(c);
}

static int
walk_log(struct seal *s)
{
	struct sources *sources =
		sources_open(NULL, s->path, WV_STATE_VERIFY, WALK_LINE_MAX);
	struct walk *walk = walk_new(&s->checkpoints.watch);
	struct source *source;
	int status = WV_YES;

	s->checkpoints.walk = walk;
	while ((source = sources_next(sources)) != NULL)
		if (walk_file(walk, source) < 0)
			status = WV_TROUBLE;
	walk_end(walk, &s->verdict);
	/* Forgives: it has no fault to tell to the walk. */
	checkpoints_end(&s->checkpoints, &s->verdict.summit);
	return wv_worse(status, sources_close(sources));
}

static int
refuse(const struct seal *s, int status, const char *why)
{
	wv_warn("%s: not sealed: %s", s->state->path, why);
	return status;
}

static int
judge(struct seal *s)
{
	const struct checkpoints *c = &s->checkpoints;
	int status = walk_log(s);

	if (s->verdict.faults > 0)
		return refuse(s, WV_NO, "the log was tampered with");
	if (status != WV_YES)
		return refuse(s, status, "the log cannot be read");
	if (c->status != WV_YES)
		return refuse(
			s, c->status, FILE_NAME " is not as it was written");
	if (c->unmet > 0) {
		wv_warn("%s: not sealed: the log does not extend the "
			"checkpoint of line %" PRIu64,
			s->state->path, c->unmet);
		return WV_NO;
	}
	/* Its number is the last that a checkpoint may have had. */
	if (s->verdict.summit.lost.seq > 0)
		return refuse(s, WV_NO,
			"no line tells yet of the loss that was recovered "
			"from: seal again after the next event");
	if (s->verdict.summit.head.seq == 0)
		return refuse(s, WV_TROUBLE, "the log is empty");
	return WV_YES;
}

static void
make_line(struct seal *s)
{
	const struct wv_head *head = &s->verdict.summit.head;
	const struct checkpoints *c = &s->checkpoints;
	const char *log = s->verdict.log[0] != '\0' ? s->verdict.log : c->log;
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	cJSON *node = wv_json_object(&arena);

	wv_put(&arena, node, "v", wv_json_int(&arena, 1));
	if (log[0] != '\0')
		wv_put_string(&arena, node, "log", log);
	wv_put(&arena, node, "seq", wv_json_int(&arena, (int64_t)head->seq));
	wv_put_string(&arena, node, "head", head->hash);
	wv_put(&arena, node, "lines",
		wv_json_int(&arena, (int64_t)s->verdict.head_lines));
	wv_put(&arena, node, "time", wv_json_time(&arena, s->state->now));
	wv_put_string(&arena, node, "prev", c->hash);
	if (wv_signature_make(&arena, node, "signature", s->signer, s->kid,
		    s->state->now, &err) < 0)
		wv_die_err(&err);
	wv_json_write(&s->line, node);
	wv_str_chr(&s->line, '\n');
	wv_arena_free(&arena);
}

/* What a dead sealer left of a line was told to nobody. */
static void
append(struct seal *s)
{
	const struct checkpoints *c = &s->checkpoints;
	int fd = c->in.fd;

	if ((c->is_torn && ftruncate(fd, (off_t)c->whole) < 0) ||
		(!c->is_torn && c->count > 0 && !c->ends_line &&
			wv_write_all(fd, "\n", 1) < 0) ||
		wv_write_all(fd, s->line.s, s->line.n) < 0 || fsync(fd) < 0 ||
		fsync(s->state->dir) < 0)
		wv_die("%s/" FILE_NAME ": %s", s->state->path, strerror(errno));
}

static void
print(struct seal *s)
{
	struct wv_out out;

	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_out_line(&out, s->line.s, s->line.n - 1);
	wv_out_end(&out);
}

static void
read_options(struct seal *s, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0)
		if (id == OPT_SIGN)
			s->kid = opts->value;
		else
			wv_state_option(&s->path, id, opts);
	if (s->kid == NULL)
		wv_usage(opts, "seal: with which key? give --sign KID");
	if (opts->operand_count > 0)
		wv_usage(opts, "seal: takes no FILE");
}

int
seal_main(int argc, char **argv)
{
	struct wv_err err = WV_ERR_INIT;
	struct seal s = { 0 };
	struct wv_opts opts;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&s, &opts);
	s.state = wv_state_need(s.path, WV_STATE_RECOVER, false);
	s.signer = wv_key_open(s.state, s.kid, &err);
	if (s.signer == NULL)
		wv_die_err(&err);
	open_checkpoints(&s);
	int status = judge(&s);
	if (status == WV_YES) {
		make_line(&s);
		append(&s);
		print(&s);
	}
	wv_signer_free(s.signer);
	wv_str_free(&s.line);
	close(s.checkpoints.in.fd);
	checkpoints_free(&s.checkpoints);
	wv_state_close(s.state);
	wv_opt_end(&opts);
	return status;
}
