/* SPDX-License-Identifier: Apache-2.0 */
/* Events from whoever means ill: a line stays short, whole, readable and free
 * of secrets whatever comes in. */
#include "kernel.h"

#define SECRET "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

/* n copies of a piece. */
static char *
many(const char *piece, size_t n)
{
	size_t len = strlen(piece);
	char *s = wv_alloc(&arena, n * len + 1);

	for (size_t i = 0; i < n; i++)
		memcpy(s + i * len, piece, len);
	s[n * len] = '\0';
	return s;
}

/* Writes the event to a state of its own; returns its line as it is read
 * back. */
static struct wv_link
write_one(const char *name, struct wv_event *event)
{
	struct wv_state *state = fresh(name);
	struct wv_link *links;
	size_t n;

	begin(state);
	event->type = "capability_denied";
	ok(wv_state_event(state, event, &err) == 0, "%s: an event", name);
	ok(state->audit->last.len <= WV_EVENT_MAX, "%s: %ju bytes", name,
		(uintmax_t)state->audit->last.len);
	commit(state);
	begin(state);
	ok(!wv_audit_is_ahead(state->audit) &&
			state->audit->chain.torn_lines == 0,
		"%s: the next group finds nothing to settle", name);
	wv_state_rollback(state);
	wv_state_close(state);
	links = read_log(&n);
	ok(n == 1, "%s: the line is read back", name);
	return links[0];
}

static bool
is_marked(const struct wv_link *link)
{
	return wv_is_true(wv_pointer(link->event, "/metadata/x_wv_cut"));
}

static void
fill(struct wv_event *event, const char *text)
{
	event->capability_id = event->principal = event->decision_id = text;
	event->frame_id = event->handle_id = event->outcome = text;
	event->error_message = event->token_id = text;
	event->code = "policy_deny";
}

static void
test_texts(void)
{
	static const struct {
		const char *name, *piece;
	} cases[] = {
		{ "ascii", "a" },
		{ "controls", "\x01" },
		{ "backslash", "\\" },
		{ "quote", "\"" },
		{ "two-bytes", "é" },
		{ "three-bytes", "€" },
		{ "four-bytes", "😀" },
		{ "nul", "\xc0\x80" },
		{ "invalid", "\xff" },
		{ "continuation", "\x80" },
		{ "truncated", "\xf0\x9f" },
		{ "line-ends", "\r\n" },
		{ "secrets", " " SECRET },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wv_event event = { 0 };
		fill(&event, many(cases[i].piece, 5000));
		struct wv_link link = write_one(cases[i].name, &event);
		is(wv_get_string(wv_get(link.event, "metadata"), "x_wv_code"),
			"policy_deny", "its code is whole");
		struct wv_str text = { 0 };
		wv_json_write(&text, link.event);
		ok(strstr(text.s, SECRET) == NULL, "without a secret");
		wv_str_free(&text);
	}
}

/* A list of 64 texts of 1 KiB passes the first cut; written, it is 384 KiB. */
static void
test_list(void)
{
	struct wv_event event = { .code = "policy_deny", .token_id = "tok-1" };
	cJSON *list = wv_json_array(&arena);

	for (int i = 0; i < 64; i++)
		wv_push(list, wv_json_string(&arena, many("\x01", 1024)));
	event.metadata = wv_json_object(&arena);
	wv_put(&arena, event.metadata, "list", list);
	struct wv_link link = write_one("list", &event);
	const cJSON *metadata = wv_get(link.event, "metadata");
	ok(is_marked(&link), "cut further, it says so");
	is(wv_get_string(metadata, "x_wv_token_id"), "tok-1",
		"the token stays");
	ok(wv_pointer(metadata, "/telemetry/trace_id") != NULL,
		"so does telemetry");
	ok(wv_count(wv_get(metadata, "list")) > 0, "and some of the list");
}

/* As many members as may be, each a list of as many, and so on; the names too
 * are as long as may be. */
static cJSON *
bush(int depth)
{
	cJSON *node = wv_json_object(&arena);

	for (int i = 0; i < (depth > 2 ? 3 : 70); i++) {
		char *name = wv_printf(&arena, "%d%s", i, many("\x02", 1020));
		wv_put(&arena, node, name,
			depth == 0 ? wv_json_string(&arena, many("\"", 1024))
				   : bush(depth - 1));
		if (depth == 2)
			break;
	}
	return node;
}

static void
test_tree(void)
{
	struct wv_event event = { 0 };

	fill(&event, many("\x03", 2000));
	event.metadata = bush(6);
	struct wv_link link = write_one("tree", &event);
	ok(is_marked(&link), "cut further, it says so");
	is(wv_get_string(wv_get(link.event, "metadata"), "x_wv_code"),
		"policy_deny", "the code stays");
}

static void
test_names(void)
{
	struct wv_event event = { 0 };

	event.metadata = wv_json_object(&arena);
	for (int i = 0; i < 3; i++)
		wv_put_string(&arena, event.metadata,
			wv_printf(&arena, "ghp_%s%d",
				"16C7e42F292c6912E7710c838347Ae178B4", i),
			"x");
	wv_put_string(&arena, event.metadata, many("n", 3000), "long");
	wv_put(&arena, event.metadata, "digits",
		wv_json_number(&arena, many("7", 4000)));
	struct wv_link link = write_one("names", &event);
	const cJSON *metadata = wv_get(link.event, "metadata");
	ok(wv_count(metadata) == 5 && is_marked(&link),
		"names that are secrets, or too long, and numbers that are, "
		"do not make a line that cannot be read");
}

static void
test_ordinary(void)
{
	struct wv_event event = { .principal = "agent-7",
		.error_message = "é\t\"\\\x7f" };

	event.metadata = wv_json_object(&arena);
	wv_put_string(&arena, event.metadata, "exact", many("x", 1024));
	struct wv_link link = write_one("ordinary", &event);
	const cJSON *metadata = wv_get(link.event, "metadata");
	ok(wv_get(metadata, "x_wv_cut") == NULL, "what fits is not marked");
	is(wv_get_string(metadata, "exact"), many("x", 1024), "and whole");
	event.metadata = wv_json_object(&arena);
	wv_put_string(&arena, event.metadata, "longer", many("x", 1025));
	link = write_one("longer", &event);
	ok(is_marked(&link), "what is cut is");
	is(wv_get_string(wv_get(link.event, "metadata"), "longer"),
		wv_printf(&arena, "%s…", many("x", 1024)),
		"and ends with an ellipsis");
}

/* A digest of a guess proves nothing without the key. */
static void
test_arguments(void)
{
	struct wv_state *one = fresh("key-1"), *other = fresh("key-2");
	const char *digests[2];
	cJSON *arguments = wv_json_object(&arena);

	wv_put_string(&arena, arguments, "pin", "1234");
	digests[0] = wv_get_string(
		wv_state_arguments(one, &arena, arguments), "keyed_digest");
	digests[1] = wv_get_string(
		wv_state_arguments(other, &arena, arguments), "keyed_digest");
	ok(strcmp(digests[0], digests[1]) != 0, "each state has its own key");
	is(wv_get_string(
		   wv_state_arguments(one, &arena, arguments), "keyed_digest"),
		digests[0], "with which a digest is always the same");
	wv_state_close(one);
	wv_state_close(other);
}

int
main(void)
{
	test_texts();
	test_list();
	test_tree();
	test_names();
	test_ordinary();
	test_arguments();
	return end();
}
