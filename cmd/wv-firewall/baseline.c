/* SPDX-License-Identifier: Apache-2.0 */
#include "baseline.h"

#include "base/file.h"
#include "json/json.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 64 << 20 };

struct baseline {
	char (*known)[FINGERPRINT]; /* sorted */
	size_t count;
	bool is_new; /* what is asked for is written down */
	struct wv_str lines;
};

static int
compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

struct baseline *
baseline_new(void)
{
	struct baseline *b = wv_xcalloc(1, sizeof *b);

	b->is_new = true;
	return b;
}

static int
add_line(struct baseline *b, struct wv_arena *arena, const char *s, size_t n,
	struct wv_err *err)
{
	const cJSON *line = wv_json_read(arena, s, n, &wv_json_defaults, err);
	const char *mark = wv_get_string(line, "fingerprint");

	if (line == NULL)
		return -1;
	if (mark == NULL || strlen(mark) != FINGERPRINT - 1 ||
		wv_get_string(line, "kind") == NULL)
		return wv_err_set(err, "is no line of a baseline");
	b->known = wv_list_room(b->known, b->count, sizeof *b->known);
	memcpy(b->known[b->count++], mark, FINGERPRINT);
	return 0;
}

struct baseline *
baseline_read(const char *path, struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT, work = WV_ARENA_INIT;
	struct baseline *b = wv_xcalloc(1, sizeof *b);
	size_t len, number = 1;
	const char *s = wv_file_read(&arena, path, MAX_FILE, &len, err);
	const char *end = s != NULL ? s + len : NULL;
	int status = s != NULL ? 0 : -1;

	for (; status == 0 && s < end; number++) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((lf != NULL ? lf : end) - s);
		if (n > 0)
			status = add_line(b, &work, s, n, err);
		wv_arena_reset(&work);
		s += n + (lf != NULL);
	}
	if (status < 0 && err->source == NULL) {
		err->source = path;
		err->line = number - 1;
	}
	wv_arena_free(&arena);
	wv_arena_free(&work);
	if (status < 0) {
		baseline_free(b);
		return NULL;
	}
	qsort(b->known, b->count, sizeof *b->known, compare);
	return b;
}

bool
baseline_knows(struct baseline *b, const char *source, const struct finding *f)
{
	struct wv_str *line = &b->lines;

	if (!b->is_new)
		return b->count > 0 &&
			bsearch(f->fingerprint, b->known, b->count,
				sizeof *b->known, compare) != NULL;
	wv_str_cat(line, "{\"kind\":");
	wv_json_write_string(line, f->kind, strlen(f->kind));
	wv_str_cat(line, ",\"source\":");
	wv_json_write_string(line, source, strlen(source));
	wv_str_fmt(line, ",\"fingerprint\":\"%s\"}\n", f->fingerprint);
	return true;
}

int
baseline_write(const struct baseline *b, const char *path, struct wv_err *err)
{
	return wv_file_replace(
		path, b->lines.s ? b->lines.s : "", b->lines.n, err);
}

void
baseline_free(struct baseline *b)
{
	if (b == NULL)
		return;
	wv_str_free(&b->lines);
	free(b->known);
	free(b);
}
