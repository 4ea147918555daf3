/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/key.h"

#include "base/file.h"
#include "kernel/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_KID = 64, MAX_PEM = 8192 };

/* KID.pem within keys. */
struct place {
	int keys;
	char name[MAX_KID + sizeof ".pem"];
};

static int
find_place(struct place *place, const struct wv_state *state, const char *kid,
	struct wv_err *err)
{
	if (!wv_kid_is_valid(kid))
		return wv_err_set(err, "not the name of a key: %s", kid);
	snprintf(place->name, sizeof place->name, "%s.pem", kid);
	place->keys =
		wv_folder_at(state->dir, "keys", O_RDONLY | O_DIRECTORY, err);
	return place->keys < 0 ? -1 : 0;
}

/* The length, or -1: it cannot be read, or is too long to be a key. */
static ssize_t
read_whole(int fd, char text[MAX_PEM])
{
	size_t n = 0;
	ssize_t got;

	do {
		got = read(fd, text + n, MAX_PEM - n);
		if (got > 0)
			n += (size_t)got;
	} while (n < MAX_PEM && (got > 0 || (got < 0 && errno == EINTR)));
	if (n == MAX_PEM)
		errno = EFBIG;
	return got < 0 || n == MAX_PEM ? -1 : (ssize_t)n;
}

static struct wv_signer *
read_signer(int fd, struct wv_err *err)
{
	struct wv_signer *signer = NULL;
	char text[MAX_PEM];
	ssize_t n = read_whole(fd, text);

	if (n >= 0)
		signer = wv_signer_read(text, (size_t)n, err);
	else
		wv_err_sys(err, "read error");
	explicit_bzero(text, sizeof text);
	return signer;
}

struct wv_signer *
wv_key_open(struct wv_state *state, const char *kid, struct wv_err *err)
{
	struct wv_signer *signer = NULL;
	struct wv_err why = WV_ERR_INIT;
	struct place place;
	int fd;

	if (find_place(&place, state, kid, err) < 0)
		return NULL;
	fd = wv_folder_at(place.keys, place.name, O_RDONLY, &why);
	if (fd < 0) {
		wv_err_set(err, "%s/keys/%s", state->path, why.text);
	} else {
		signer = read_signer(fd, &why);
		close(fd);
		if (signer == NULL)
			wv_err_set(err, "%s/keys/%s: %s", state->path,
				place.name, why.text);
	}
	close(place.keys);
	return signer;
}

static int
write_signer(int fd, const struct wv_signer *signer, struct wv_err *err)
{
	struct wv_str pem = { 0 };
	int result = wv_signer_pem(signer, &pem, err);

	if (result == 0) {
		if (wv_write_all(fd, pem.s, pem.n) < 0 || fsync(fd) < 0)
			result = wv_err_sys(err, "write error");
		explicit_bzero(pem.s, pem.cap);
	}
	wv_str_free(&pem);
	return result;
}

/* Takes the descriptor; a file that did not get whole goes away. */
static int
fill(const struct place *place, int fd, const struct wv_signer *signer,
	struct wv_err *err)
{
	int result = write_signer(fd, signer, err);

	close(fd);
	if (result == 0 && fsync(place->keys) < 0)
		result = wv_err_sys(err, "write error");
	if (result != 0)
		unlinkat(place->keys, place->name, 0);
	return result;
}

int
wv_key_save(struct wv_state *state, const char *kid,
	const struct wv_signer *signer, struct wv_err *err)
{
	struct wv_err why = WV_ERR_INIT;
	struct place place;
	int fd, result = 0;

	if (find_place(&place, state, kid, err) < 0)
		return -1;
	fd = wv_folder_at(
		place.keys, place.name, O_RDWR | O_CREAT | O_EXCL, &why);
	if (fd < 0 && errno == EEXIST)
		result = 1;
	else if (fd < 0)
		result = wv_err_set(err, "%s/keys/%s", state->path, why.text);
	else if (fill(&place, fd, signer, &why) != 0)
		result = wv_err_set(err, "%s/keys/%s: %s", state->path,
			place.name, why.text);
	close(place.keys);
	return result;
}

void
wv_key_remove(struct wv_state *state, const char *kid)
{
	struct wv_err none = WV_ERR_INIT;
	struct place place;

	if (find_place(&place, state, kid, &none) < 0)
		return;
	unlinkat(place.keys, place.name, 0);
	close(place.keys);
}
