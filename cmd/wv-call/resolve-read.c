/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading what is stored: text in blocks of whole lines, in constant memory;
 * JSON, which is redacted by the names in it, whole.  All of it is read
 * whatever is selected: what does not have its digest is not shown.
 */
#include "resolve.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SNIFF = 64 << 10, /* bytes that tell how it can be read */
	AT_ONCE_MS = 200, /* between two looks at anything else */
};

struct reading {
	int fd;
	uint64_t size, done;
	const char *digest; /* as it was recorded */
	struct wv_sha256 sha256;
	const struct selector *selector;
	struct selection selection;
	struct wv_arena arena; /* of a tree */
	bool is_whole;
	bool in_long_line;
	struct wv_str raw; /* what is not redacted yet */
	struct wv_str out; /* and what is, but not selected from */
	struct wv_redactor redactor;
};

/* Of what is read whole. */
static bool
needs_tree(const struct selector *selector)
{
	return selector->what == SELECT_ROWS ||
		selector->what == SELECT_POINTER;
}

/* By its beginning. */
static int
choose(struct reading *r, const char *media_type, struct wv_err *err)
{
	char *start = wv_alloc_zero(&r->arena, SNIFF + WV_JSON_SLACK);
	ssize_t n = pread(r->fd, start, SNIFF, 0);

	if (n < 0)
		return wv_err_sys(err, "the stored output");
	enum wv_readable way = wv_firewall_readable(start, (size_t)n);
	if (way == WV_READ_NONE)
		return wv_err_set(err,
			"the stored output is %s: nothing of it can be "
			"selected",
			media_type ? media_type : "binary data");
	r->is_whole = r->size <= RESOLVE_BLOCK || way == WV_READ_WHOLE ||
		r->selector->what == SELECT_POINTER;
	if (r->is_whole && r->size > RESOLVE_WHOLE)
		return wv_err_set(err,
			way == WV_READ_WHOLE
				? "the stored output is JSON of more than %d "
				  "bytes, which cannot be redacted in parts"
				: "the stored output is longer than %d bytes: "
				  "it has no pointers",
			RESOLVE_WHOLE);
	return 0;
}

struct reading *
reading_begin(struct wv_state *state, const struct wv_artifact *artifact,
	const struct selector *selector, struct wv_arena *arena,
	struct wv_err *err)
{
	struct reading *r = wv_xcalloc(1, sizeof *r);

	*r = (struct reading){ .fd = wv_artifact_read(state, artifact, err),
		.size = artifact->size,
		.digest = artifact->digest,
		.selector = selector,
		.selection = {
			.arena = arena, .items = wv_json_array(arena) } };
	wv_sha256_start(&r->sha256);
	if (r->fd >= 0 && choose(r, artifact->media_type, err) == 0) {
		wv_arena_reset(&r->arena);
		return r;
	}
	reading_end(r);
	return NULL;
}

/* Bytes that were read, 0 at the end, or -1. */
static ssize_t
read_some(struct reading *r, struct wv_err *err)
{
	size_t room = r->is_whole ? RESOLVE_BLOCK : RESOLVE_BLOCK - r->raw.n;
	char *to = wv_str_room(&r->raw, room + WV_JSON_SLACK);
	ssize_t n;

	do
		n = read(r->fd, to, room);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return wv_err_sys(err, "the stored output");
	wv_sha256_add(&r->sha256, to, (size_t)n);
	r->raw.n += (size_t)n;
	r->done += (size_t)n;
	return n;
}

/* From whole lines, or all that there is. */
static int
select_from(struct reading *r, bool is_last, struct wv_err *err)
{
	struct wv_str *out = &r->out;
	const char *lf = out->n > 0 ? memrchr(out->s, '\n', out->n) : NULL;
	size_t n = is_last ? out->n : lf ? (size_t)(lf + 1 - out->s) : 0;

	if (n == 0)
		return 0;
	wv_str_room(out, WV_JSON_SLACK);
	if (select_lines(&r->selection, r->selector, out->s, n, err) < 0)
		return -1;
	out->n -= n;
	memmove(out->s, out->s + n, out->n);
	return 0;
}

static int
redact(struct reading *r, const char *s, size_t n, bool is_last,
	struct wv_err *err)
{
	wv_redactor_add(&r->redactor, &r->out, s, n, is_last);
	return select_from(r, is_last, err);
}

static void
forget(struct reading *r, size_t n)
{
	r->raw.n -= n;
	memmove(r->raw.s, r->raw.s + n, r->raw.n);
}

/* True: it goes on. */
static bool
skip_long_line(struct reading *r)
{
	const char *lf = memchr(r->raw.s, '\n', r->raw.n);

	forget(r, lf != NULL ? (size_t)(lf + 1 - r->raw.s) : r->raw.n);
	r->in_long_line = lf == NULL;
	return r->in_long_line;
}

/* Where the last line ends, or what else ends up as an end of one; 0: there is
 * none. */
static size_t
whole_lines(const struct reading *r)
{
	const char *end = memrchr(r->raw.s, '\n', r->raw.n);

	if (end == NULL && r->raw.n == RESOLVE_BLOCK)
		end = memrchr(r->raw.s, '\0', r->raw.n);
	return end != NULL ? (size_t)(end + 1 - r->raw.s) : 0;
}

static int
take_block(struct reading *r, struct wv_err *err)
{
	static const char mark[] = "[WITHHELD:long-line]\n";

	if (r->in_long_line && skip_long_line(r))
		return 0;
	size_t n = whole_lines(r);
	if (n > 0) {
		if (redact(r, r->raw.s, n, false, err) < 0)
			return -1;
		forget(r, n);
	} else if (r->raw.n == RESOLVE_BLOCK) {
		r->in_long_line = true;
		r->raw.n = 0;
		r->redactor.is_marked = true;
		int status = redact(r, mark, sizeof mark - 1, false, err);
		r->redactor.is_marked = false;
		return status;
	}
	return 0;
}

static int
check_digest(struct reading *r, struct wv_err *err)
{
	unsigned char digest[WV_SHA256];
	char hex[WV_SHA256_HEX];

	wv_sha256_end(&r->sha256, digest);
	wv_hex(hex, digest, sizeof digest);
	if (r->done == r->size &&
		wv_equal_const_time(hex, r->digest, WV_SHA256_HEX))
		return 0;
	return wv_err_set(err, "the stored output was changed");
}

static int
select_from_whole(struct reading *r, struct wv_err *err)
{
	struct wv_findings findings = { 0 };
	cJSON *tree = NULL;

	memset(wv_str_room(&r->raw, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	if (needs_tree(r->selector) || r->selector->is_limited)
		tree = wv_firewall_tree(&r->arena, r->raw.s, r->raw.n);
	if (needs_tree(r->selector))
		return select_tree(&r->selection, r->selector, tree, err);
	if (wv_is_array(tree) || wv_is_object(tree))
		return refuse_json(err);
	wv_firewall_text(
		&r->out, &r->arena, r->raw.s, r->raw.n, NULL, &findings);
	if (r->selector->what != SELECT_TEXT)
		return select_from(r, true, err);
	r->selection.value = wv_json_stringn(
		r->selection.arena, r->out.n > 0 ? r->out.s : "", r->out.n);
	return 0;
}

static int
finish(struct reading *r, struct wv_err *err)
{
	int selected = 0;

	if (check_digest(r, err) < 0)
		return -1;
	if (r->is_whole)
		selected = select_from_whole(r, err);
	else if (!r->selection.is_complete)
		selected = redact(r, r->raw.s, r->raw.n, true, err);
	return selected < 0 ? -1 : 1;
}

int
reading_go_on(struct reading *r, struct wv_err *err)
{
	int64_t until = wv_ticks() + AT_ONCE_MS;

	do {
		ssize_t n = read_some(r, err);
		if (n <= 0)
			return n < 0 ? -1 : finish(r, err);
		if (r->done > r->size)
			return wv_err_set(err, "the stored output was changed");
		if (r->is_whole)
			continue;
		if (r->selection.is_complete)
			r->raw.n = 0;
		else if (take_block(r, err) < 0)
			return -1;
	} while (wv_ticks() < until);
	return 0;
}

struct selection *
reading_selection(struct reading *r)
{
	return &r->selection;
}

void
reading_end(struct reading *r)
{
	if (r->fd >= 0)
		close(r->fd);
	wv_redactor_free(&r->redactor);
	wv_arena_free(&r->arena);
	wv_str_free(&r->raw);
	wv_str_free(&r->out);
	free(r);
}
