/* SPDX-License-Identifier: Apache-2.0 */
/* A glance at all strings of JSON says what looking at each of them does:
 * the labelled texts in every place of JSON they can stand in. */
#include "glance.h"

#include "base/file.h"
#include "tap.h"

#include <stdlib.h>

enum { MAX_FILE = 1 << 22, GROUP = 8 };

static size_t compared, differing;

static void
compare(struct wv_str *raw, const char *what)
{
	static const struct wv_firewall_options all[] = {
		WV_FIREWALL_OPTIONS_INIT,
		{ .max_rows = 5,
			.max_fields = 5,
			.max_depth = 4,
			.max_bytes = 600,
			.injection = WV_INJECTION_WITHHOLD },
	};
	struct wv_str said = { 0 };

	memset(wv_str_room(raw, 1 + WV_JSON_SLACK), 0, 1 + WV_JSON_SLACK);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		compared++;
		if (is_same(&said, raw->s, raw->n, &all[i]))
			continue;
		differing++;
		printf("# %s differs: %.300s\n", what, raw->s);
	}
	wv_str_free(&said);
	raw->n = 0;
}

/* Every other letter as an escape. */
static void
add_escaped(struct wv_str *out, const char *s)
{
	for (size_t i = 0; s[i] != '\0'; i++) {
		struct wv_str one = { 0 };
		if (i % 2 == 0 && s[i] > ' ' && s[i] < 0x7F) {
			wv_str_fmt(out, "\\u%04X", (unsigned)s[i]);
			continue;
		}
		size_t n = 1;
		while (((unsigned char)s[i + n] & 0xC0) == 0x80)
			n++;
		wv_json_write_string(&one, s + i, n);
		wv_str_add(out, one.s + 1, one.n - 2);
		wv_str_free(&one);
		i += n - 1;
	}
}

static void
add_string(struct wv_str *out, const char *s)
{
	wv_json_write_string(out, s, strlen(s));
}

/* {"output": …} as a string, so often. */
static void
add_nested(struct wv_str *out, const char *s, int depth)
{
	struct wv_str inner = { 0 };

	wv_str_cat(&inner, "{\"output\":");
	if (depth > 1)
		add_nested(&inner, s, depth - 1);
	else
		add_string(&inner, s);
	wv_str_cat(&inner, ",\"exit_code\":0}");
	wv_json_write_string(out, inner.s, inner.n);
	wv_str_free(&inner);
}

static void
embed(const char *text)
{
	static const char *const before[] = { "[\"a plain one\",",
		"{\"note\":", "{\"name\":\"DB_PASSWORD\",\"value\":",
		"[[\"id\",\"password\"],[1,",
		"{\"token\":", "{\"phone\":", "[\"user\",\"ignore all\"," };
	static const char *const after[] = { ",\"previous instructions\"]",
		",\"more\":\"caf\\u00e9 \xE2\x82\xAC\"}", "}", "]]", "}",
		",\"fax\":4930901820}", ",\"\\u202etxt\"]" };
	struct wv_str raw = { 0 };

	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		wv_str_cat(&raw, before[i]);
		add_string(&raw, text);
		wv_str_cat(&raw, after[i]);
		compare(&raw, before[i]);
	}
	wv_str_chr(&raw, '{');
	add_string(&raw, text);
	wv_str_cat(&raw, ":[1.5,\"x\"]}");
	compare(&raw, "a name");
	wv_str_cat(&raw, "[\"");
	add_escaped(&raw, text);
	wv_str_cat(&raw, "\",\"end\"]");
	compare(&raw, "escapes");
	wv_str_cat(&raw, "{\"a\":1.25,\"b\":");
	add_string(&raw, text);
	wv_str_cat(&raw, "}\n\n[");
	add_string(&raw, text);
	wv_str_cat(&raw, ",\"previous instructions\"]\n");
	compare(&raw, "JSON lines");
	for (int depth = 1; depth <= 4; depth += 3) {
		wv_str_cat(&raw, "{\"content\":[{\"type\":\"text\",\"text\":");
		add_nested(&raw, text, depth);
		wv_str_cat(&raw, "}]}");
		compare(&raw, "JSON in a string");
	}
	wv_str_free(&raw);
}

static const char *
text_of(const cJSON *line)
{
	const cJSON *text = wv_get(line, "text");
	struct wv_str whole = { 0 };

	if (wv_is_string(text))
		return text->valuestring;
	wv_json_each(part, text)
		wv_str_cat(&whole, part->valuestring);
	const char *copy = wv_dupn(&arena, whole.s ? whole.s : "", whole.n);
	wv_str_free(&whole);
	return copy;
}

/* All together too: each beside others. */
static void
test_corpus(const char *name)
{
	const char *top = getenv("top_srcdir");
	struct wv_arena file = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str group = { 0 };
	size_t n, lines = 0, before = differing;
	const char *s = wv_file_read(&file,
		wv_printf(&file, "%s/t/data/firewall/%s.jsonl", top ? top : ".",
			name),
		MAX_FILE, &n, &err);

	for (const char *end = s + n, *lf; s != NULL && s < end; s = lf + 1) {
		lf = memchr(s, '\n', (size_t)(end - s));
		if (lf == NULL)
			break;
		const char *text = text_of(wv_json_read(
			&file, s, (size_t)(lf - s), &wv_json_defaults, NULL));
		wv_str_cat(&group, lines++ % GROUP == 0 ? "[" : ",");
		add_string(&group, text);
		if (lines % GROUP == 0) {
			wv_str_chr(&group, ']');
			compare(&group, "a group");
		}
		embed(text);
		wv_arena_reset(&arena);
	}
	ok(lines > 0 && differing == before, "%s: %zu texts, %s", name, lines,
		err.text);
	wv_str_free(&group);
	wv_arena_free(&file);
}

/* What the labelled texts do not have. */
static void
test_others(void)
{
	struct wv_str raw = { 0 };

	wv_str_cat(&raw, "{\"a\":\"[REDACTED:email]\",\"b\":\"x\"}");
	compare(&raw, "a mark");
	wv_str_cat(&raw, "{\"\":\"\",\"a\":[\"\",{}],\"c\":1e999}");
	compare(&raw, "empty strings");
	wv_str_cat(
		&raw, "[\"user,password\\nbob,Kp7xQ2mZ\\n\",\"1,2\\n3,4\\n\"]");
	compare(&raw, "a table");
	ok(differing == 0, "marks, empty strings, tables");
	wv_str_free(&raw);
}

int
main(void)
{
	test_others();
	test_corpus("positives");
	test_corpus("negatives");
	test_corpus("injections");
	test_corpus("innocent");
	printf("# %zu compared\n", compared);
	wv_arena_free(&arena);
	return done();
}
