/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/rules-internal.h"

#include "firewall/firewall.h"

#include <stdio.h>
#include <string.h>

struct lint {
	struct wv_rules *rules;
	struct wv_rules_file *file;
	void (*tell)(const struct wv_err *fault);
	size_t told;
	struct wv_str pointer, text;
};

/* Of what tools say.  What is found in it is found everywhere. */
static const char ordinary[] =
	"The first thing that the manual asks of a reader is to check which "
	"version is there, and where its configuration, keys and tokens are "
	"kept; other pages explain users, groups, names, dates and times.\n"
	"# Heading\n\n- item one: see `docs/readme.md` (https://example.org/a?"
	"id=12&page=3)\n* **note** --- see also <b>that</b> == this\n"
	"| name | value | state |\n| --- | --- | --- |\n| alpha | 1.50 | ok |\n"
	"{\"id\": 1234567890, \"name\": \"alpha\", "
	"\"type\":\"user\",\"count\":0,"
	"\"tags\":[\"a\",\"b\"],\"active\":true,\"parent\":null,\"ratio\":0.25,"
	"\"created_at\":\"2026-11-30T12:00:00.000Z\",\"status\": \"ok\"}\n"
	"2026-11-30 12:00:00,123 INFO  [main] org.example.Server - started in "
	"1042 ms, pid=4711 port=8080 level=debug status=200 bytes=5120\n"
	"Nov 30 12:00:00 host sshd[812]: Accepted publickey for root from "
	"host port 50000 ssh2: RSA SHA256:\n"
	"ERROR: failed to open /var/log/app/error.log: No such file or "
	"directory\n"
	"Traceback (most recent call last):\n  File \"/usr/lib/python3/x.py\", "
	"line 12, in <module>\n    raise ValueError(\"key not found\")\n"
	"diff --git a/src/main.c b/src/main.c\nindex 3b18e51..a0423896 100644\n"
	"--- a/src/main.c\n+++ b/src/main.c\n@@ -1,4 +1,6 @@ int main(void)\n"
	"+\tif (x != NULL && y[0] == 0x1f) return -1; // TODO\n"
	"export PATH=\"$HOME/bin:$PATH\"\nconst result = await get({ url, "
	"key: 'value' });\nSELECT * FROM users WHERE id = 42 AND name LIKE "
	"'%a%';\n<html><head><title>Page</title></head><body class=\"main\">"
	"<a href=\"/index.html\">Home</a></body></html>\n"
	"drwxr-xr-x 2 root root 4096 Nov 30 12:00 src\n"
	"commit 9fceb02d0ae598e95dc970b74767f19372d61af8\n"
	"uuid: 123e4567-e89b-12d3-a456-426614174000\n"
	"sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b"
	"855\n"
	"000000 111111 ======== -------- ........ ******** ________ ########\n";

/* Values as they are found, unlike each other. */
static const char *const secrets[] = {
	"alice.smith@example.org",
	"+49 30 1234567",
	"4539578763621486",
	"078-05-1120",
	"hunter2-and-more",
	"ghp_0123456789abcdefghijABCDEFGHIJ012345",
	"AKIAI44QH8DHBKQ3XW7P",
	"c2VjcmV0IHZhbHVlIHdpdGggbW9yZSBieXRlcw==",
	"-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",
	"DE89370400440532013000",
};
enum { SECRETS = sizeof(secrets) / sizeof(secrets[0]) };

/* A fault of row i of a list, or of a member of that row. */
__attribute__((format(printf, 5, 6))) static void
tell(struct lint *l, const char *list, size_t i, const char *member,
	const char *fmt, ...)
{
	struct wv_err err = WV_ERR_INIT;
	va_list ap;

	l->text.n = l->pointer.n = 0;
	va_start(ap, fmt);
	wv_str_vfmt(&l->text, fmt, ap);
	va_end(ap);
	wv_str_fmt(&l->pointer, "/%s/%zu%s", list, i, member);
	wv_doc_err(&l->file->doc, &err, l->pointer.s, "%s: %s", l->pointer.s,
		l->text.s);
	l->tell(&err);
	l->told++;
}

static bool
has(const char *s, size_t n, struct wv_bytes part)
{
	return memmem(s, n, part.s, part.n) != NULL;
}

/* Only letters, small or at the beginning: of a word. */
static bool
is_word(struct wv_bytes anchor)
{
	enum { SHORT = 5 }; /* any such stands in some word */

	for (size_t i = 0; i < anchor.n; i++)
		if (!(anchor.s[i] >= 'a' && anchor.s[i] <= 'z') &&
			!(i == 0 && wv_is_letter(anchor.s[i])))
			return false;
	return anchor.n < SHORT;
}

static void
lint_anchor(struct lint *l, const struct wv_added *added)
{
	struct wv_findings findings = { 0 };
	struct wv_bytes anchor = added->anchor;

	l->text.n = 0;
	wv_clean(&l->text, anchor.s, anchor.n, &findings);
	if (l->text.n != anchor.n || memcmp(l->text.s, anchor.s, anchor.n) != 0)
		tell(l, "add", added->index, "/anchor",
			"never stands in text that is clean");
	else if (is_word(anchor) || has(ordinary, sizeof(ordinary) - 1, anchor))
		tell(l, "add", added->index, "/anchor",
			"is a part of ordinary text: each time the pattern is "
			"tried");
}

/* What a pattern says of text that begins with the anchor and goes on. */
static int
try_anchor(const struct wv_added *added, bool begins)
{
	struct wv_regex_view view = {
		.s = added->anchor.s, .n = added->anchor.n, .begins = begins
	};
	size_t budget = 1 << 20, end;

	return wv_regex_at(added->regex, &view, &budget, &end);
}

static void
lint_pattern(struct lint *l, const struct wv_added *added)
{
	if (try_anchor(added, false) != 0)
		return;
	if (try_anchor(added, true) != 0)
		tell(l, "add", added->index, "/pattern",
			"matches only where a text begins, because of ^");
	else
		tell(l, "add", added->index, "/pattern",
			"never matches: nothing that it matches begins with "
			"the anchor");
}

/* The kind that is found in a text: this one if it is, or any, or NULL. */
static const char *
kind_in(struct lint *l, const char *s, size_t n, const char *kind)
{
	const char *other = NULL;
	struct wv_hit hit;

	for (size_t from = 0; wv_scan(l->rules, s, n, from, &hit);
		from = hit.end) {
		if (strcmp(hit.kind, kind) == 0)
			return hit.kind;
		other = hit.kind;
	}
	return other;
}

static void
lint_example(struct lint *l, const struct wv_added *added, const char *member,
	size_t i, const cJSON *node)
{
	bool wanted = strcmp(member, "examples") == 0;
	struct wv_str text = { 0 };
	char at[64];

	wv_json_bytes(node, &text);
	const char *kind = kind_in(l, text.s, text.n, added->kind);
	bool found = kind != NULL && strcmp(kind, added->kind) == 0;
	snprintf(at, sizeof at, "/%s/%zu", member, i);
	if (wanted && kind == NULL)
		tell(l, "add", added->index, at, "is not found");
	else if (wanted && !found)
		tell(l, "add", added->index, at, "is found as %s", kind);
	else if (!wanted && found)
		tell(l, "add", added->index, at, "is found");
	wv_str_free(&text);
}

static void
lint_examples(struct lint *l, const struct wv_added *added, const cJSON *row)
{
	static const char *const members[] = { "examples", "not" };

	if (wv_get(row, members[0]) == NULL)
		tell(l, "add", added->index, "", "has no examples");
	for (size_t m = 0; m < 2; m++) {
		size_t i = 0;
		wv_json_each(node, wv_get(row, members[m]))
			lint_example(l, added, members[m], i++, node);
	}
}

static void
lint_off(struct lint *l, const char *list, size_t i, const char *kind)
{
	const struct wv_kind *known = wv_kind(kind);

	if (wv_rules_is_off(l->file, kind))
		tell(l, list, i, "/kind",
			known != NULL && known->is_off
				? "\"%s\" is off unless it is enabled"
				: "\"%s\" is disabled",
			kind);
}

static void
lint_add(struct lint *l)
{
	const struct wv_rules_file *file = l->file;
	const struct wv_added **rows = wv_alloc(
		&l->file->arena, (file->added_count + 1) * sizeof *rows);
	size_t i = 0;

	for (size_t k = 0; k < file->added_count; k++)
		rows[file->added[k].index] = &file->added[k];
	wv_json_each(row, wv_get(file->doc.root, "add")) {
		const struct wv_added *added = rows[i];
		lint_off(l, "add", i++, added->kind);
		lint_anchor(l, added);
		lint_pattern(l, added);
		if (!added->off)
			lint_examples(l, added, row);
	}
}

/* Whether values are given to this word wherever one looks. */
static bool
is_ordinary_name(struct lint *l, const char *name)
{
	static const char *const forms[][2] = { { "\"", "\":" }, { " ", "=" },
		{ "\n", ": " } };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		l->text.n = 0;
		wv_str_fmt(&l->text, "%s%s%s", forms[i][0], name, forms[i][1]);
		if (has(ordinary, sizeof(ordinary) - 1,
			    (struct wv_bytes){ l->text.s, l->text.n }))
			return true;
	}
	return false;
}

static void
lint_names(struct lint *l)
{
	size_t i = 0;

	wv_json_each(row, wv_get(l->file->doc.root, "names")) {
		const char *name = wv_get_string(row, "name");
		const char *kind = wv_secret_name(name, strlen(name));
		lint_off(l, "names", i, wv_get_string(row, "kind"));
		if (kind != NULL)
			tell(l, "names", i, "/name",
				"is a name of %s without this rule", kind);
		if (is_ordinary_name(l, name))
			tell(l, "names", i, "/name",
				"is a name in ordinary text");
		i++;
	}
}

/* Patterns that say little of a value let through those of all kinds. */
static void
lint_allow(struct lint *l)
{
	enum { MANY = SECRETS / 2 };

	for (size_t i = 0; i < l->file->pattern_count; i++) {
		const struct wv_allowed *allowed = &l->file->patterns[i];
		size_t count = 0;
		for (size_t k = 0; k < SECRETS; k++) {
			struct wv_regex_view view = { secrets[k],
				strlen(secrets[k]), 0, true, true };
			size_t budget = 1 << 20, end;
			count += wv_regex_at(allowed->regex, &view, &budget,
					 &end) == 1;
		}
		if (count < MANY)
			continue;
		if (allowed->kind[0] != '\0')
			tell(l, "allow", allowed->index, "/pattern",
				"lets nearly everything through: to disable %s "
				"says so",
				allowed->kind);
		else
			tell(l, "allow", allowed->index, "/pattern",
				"lets nearly everything through");
	}
}

size_t
wv_rules_lint(struct wv_rules *rules, void (*fault)(const struct wv_err *fault))
{
	struct lint l = {
		.rules = rules, .file = wv_rules_file(rules), .tell = fault
	};

	wv_rules_ready(rules);
	lint_allow(&l);
	lint_add(&l);
	lint_names(&l);
	wv_str_free(&l.pointer);
	wv_str_free(&l.text);
	return l.told;
}
