/* SPDX-License-Identifier: Apache-2.0 */
#include "json/doc.h"

#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;

static int
parse(struct wv_doc *doc, const char *source, const char *text,
	struct wv_err *err)
{
	wv_err_clear(err);
	return wv_doc_parse(doc, &arena, source, text, strlen(text), err);
}

static void
is_kind(const char *source, const char *text, bool yaml)
{
	struct wv_err err;
	struct wv_doc doc;

	ok(parse(&doc, source, text, &err) == 0 && doc.yaml == yaml,
		"%s with %.3s… is %s", source, text, yaml ? "YAML" : "JSON");
}

static void
fails(const char *source, const char *text, size_t line, size_t column,
	const char *words)
{
	struct wv_err err;
	struct wv_doc doc;

	ok(parse(&doc, source, text, &err) < 0 && err.line == line &&
			err.column == column &&
			strstr(err.text, words) != NULL && err.source == source,
		"%s:%zu:%zu: %s", source, line, column, words);
	printf("# %s:%zu:%zu: %s\n", err.source, err.line, err.column,
		err.text);
}

static void
stands_at(const struct wv_doc *doc, const char *pointer, size_t line,
	size_t column)
{
	size_t l, c;

	wv_doc_position(doc, pointer, &l, &c);
	ok(l == line && c == column, "%s: '%s' is at %zu:%zu", doc->source,
		pointer, line, column);
}

static void
test_kinds(void)
{
	is_kind("a.json", "{}", false);
	is_kind("a.yaml", "{}", true);
	is_kind("a.yml", "[a]", true);
	is_kind("a", " \n{\"a\":1}", false);
	is_kind("a", "\t[1]", false);
	is_kind("a", "a: 1", true);
	is_kind("json", "a: 1", true);
	is_kind("a", "\xef\xbb\xbf{}", false);
	is_kind("a.yaml",
		"\xef\xbb\xbf"
		"a: 1",
		true);
	fails("a.json", "a: 1", 1, 1, "");
	fails("a.json", "{\n \"a\":", 2, 6, "incomplete");
	fails("a.yaml", "a: 1\nb: no\n", 2, 4, "ambiguous");
	fails("a", "", 1, 1, "empty");
}

static void
test_positions(void)
{
	struct wv_err err;
	struct wv_doc doc;

	parse(&doc, "p.yaml",
		"\xef\xbb\xbf"
		"rules:\n  - name: x\n    effect: 1\n",
		&err);
	stands_at(&doc, "", 1, 1);
	stands_at(&doc, "/rules/0/effect", 3, 13);
	stands_at(&doc, "/rules/0/match/capability", 2, 5);
	stands_at(&doc, "/rules/7", 2, 3);
	stands_at(&doc, "/x", 1, 1);
	stands_at(&doc, "x", 1, 1);
	parse(&doc, "p.json",
		"\n {\"rules\": [\n{\"name\": \"x\",\n \"a/b\": 1}]}", &err);
	stands_at(&doc, "", 2, 2);
	stands_at(&doc, "/rules/0/a~1b", 4, 9);
	stands_at(&doc, "/rules/0/match/capability", 3, 1);
	stands_at(&doc, "/rules/1", 2, 12);

	ok(wv_doc_err(&doc, &err, "/rules/0/name", "not %d", 7) == -1,
		"wv_doc_err() returns -1");
	is(err.text, "not 7", "its text");
	is(err.source, "p.json", "its source");
	ok(err.line == 3 && err.column == 10, "its place");
	ok(wv_doc_err(&doc, NULL, "", "x") == -1, "no error asked for");
}

static void
test_load(void)
{
	const char *folder = getenv("TMPDIR");
	char path[256];
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc doc;

	snprintf(path, sizeof path, "%s/wv-doc-XXXXXX.yaml",
		folder ? folder : "/tmp");
	int fd = mkstemps(path, 5);
	ok(fd >= 0 && write(fd, "a: [1, 2]\n", 10) == 10, "write a file");
	close(fd);
	ok(wv_doc_load(&doc, &arena, path, &err) == 0 && doc.yaml, "load it");
	is(doc.source, path, "its name");
	stands_at(&doc, "/a/1", 1, 8);
	unlink(path);
	ok(wv_doc_load(&doc, &arena, path, &err) < 0 && err.source == path &&
			strstr(err.text, "No such file") != NULL,
		"one that is missing: %s", err.text);
	wv_err_clear(&err);
	ok(wv_doc_load(&doc, &arena, "/", &err) < 0 &&
			strstr(err.text, "directory") != NULL,
		"a directory: %s", err.text);
}

int
main(void)
{
	test_kinds();
	test_positions();
	test_load();
	wv_arena_free(&arena);
	return done();
}
