/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Model Context Protocol without a server: what a client says, whatever it
 * is told.
 *
 * links: cmd/wv-call/mcp.c
 * links: cmd/wv-call/mcp-list.c
 * links: cmd/wv-call/mcp-content.c
 */
#include "cmd/wv-call/mcp.h"

#include "document.h"

#include <stdlib.h>

#define INITIALIZED \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":" \
	"\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{}}}\n"
#define ASKED \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n" \
	"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"," \
	"\"params\":{}}\n"
#define LISTED(id, tools) \
	"{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":{\"tools\":[" tools \
	"]}}\n"
#define CHANGED \
	"{\"jsonrpc\":\"2.0\"," \
	"\"method\":\"notifications/tools/list_changed\"}\n"

static struct wv_str logged;

static void
note(void *arg, const char *text, size_t n)
{
	(void)arg;
	wv_str_add(&logged, text, n);
	wv_str_chr(&logged, '|');
}

static struct mcp *
start(void)
{
	const struct mcp_options options = { .log = note };

	return mcp_new(&options);
}

static int
hears(struct mcp *mcp, const char *text)
{
	return mcp_read(mcp, text, strlen(text));
}

/* What it has said since it was last asked. */
static const char *
says(struct mcp *mcp)
{
	const char *text =
		wv_dupn(&arena, mcp->out.n > 0 ? mcp->out.s : "", mcp->out.n);

	mcp->out.n = 0;
	return text;
}

/* One that has an echo. */
static struct mcp *
ready(void)
{
	struct mcp *mcp = start();

	hears(mcp, INITIALIZED LISTED(2, "{\"name\":\"echo\"}"));
	says(mcp);
	return mcp;
}

static const char *
broken(struct mcp *mcp)
{
	const char *text = wv_dup(&arena, mcp->broken ? mcp->broken : "not");

	mcp_free(mcp);
	return text;
}

static void
test_initialize(void)
{
	struct mcp *mcp = start();
	struct wv_err err = WV_ERR_INIT;

	is(says(mcp),
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
		"\"params\":{\"protocolVersion\":\"2025-11-25\","
		"\"capabilities\":{},\"clientInfo\":{\"name\":\"wv-call\","
		"\"version\":\"" WV_VERSION "\"}}}\n",
		"initialize offers the newest revision and nothing else");
	ok(mcp_list(mcp, &err) == MCP_WAIT && mcp->out.n == 0,
		"nothing is asked before it is answered");
	hears(mcp, CHANGED "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n");
	is(says(mcp), "", "notifications may come before");
	hears(mcp, INITIALIZED);
	is(says(mcp), ASKED, "then it is initialized, and its list asked for");
	is(mcp->version, "2025-06-18", "an older revision is fine");
	hears(mcp, LISTED(2, "{\"name\":\"a\"},{\"name\":\"b\",\"x\":1}"));
	ok(mcp_list(mcp, &err) == MCP_READY && mcp->tools.count == 2,
		"it has its list");
	is(wv_get_string(mcp_tool(mcp, "b"), "name"), "b", "a tool is found");
	ok(mcp_tool(mcp, "c") == NULL, "another is not");
	mcp_free(mcp);
}

static void
test_versions(void)
{
	static const struct {
		const char *version, *want;
	} cases[] = {
		{ "\"2024-11-05\"", "not" },
		{ "\"2025-03-26\"", "not" },
		{ "\"2025-06-18\"", "not" },
		{ "\"2025-11-25\"", "not" },
		{ "\"2026-07-28\"",
			"initialize: version \"2026-07-28\" of the protocol, "
			"not one of 2024-11-05 to 2025-11-25" },
		/* a part of it was shown, which no redaction knew */
		{ "\"ghp_0123456789abcdefghijABCDEFGHIJ012345 ghp_0123456789"
		  "abcdefghijABCDEFGHIJ012345\"",
			"initialize: version \"\" of the protocol, "
			"not one of 2024-11-05 to 2025-11-25" },
		{ "1",
			"initialize: version \"\" of the protocol, "
			"not one of 2024-11-05 to 2025-11-25" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct mcp *mcp = start();
		hears(mcp,
			wv_printf(&arena,
				"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"
				"\"protocolVersion\":%s,\"capabilities\":{"
				"\"tools\":{}}}}\n",
				cases[i].version));
		is(broken(mcp), cases[i].want, "version %s", cases[i].version);
	}
	struct mcp *mcp = start();
	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
		"\"2025-06-18\",\"capabilities\":{\"prompts\":{}}}}\n");
	is(broken(mcp), "initialize: it has no tools", "one without tools");
	mcp = start();
	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,"
		"\"message\":\"no\",\"data\":{\"supported\":[\"2026-07-28\"]}}"
		"}\n");
	is(broken(mcp),
		"initialize: error -32022: no: "
		"{\"supported\":[\"2026-07-28\"]}",
		"one that refuses says why");
}

static const char *
list_error(struct mcp *mcp)
{
	struct wv_err err = WV_ERR_INIT;

	if (mcp_list(mcp, &err) != MCP_FAILED)
		return "not failed";
	return wv_dup(&arena, err.text);
}

static void
test_pages(void)
{
	struct mcp *mcp = start();
	struct wv_err err = WV_ERR_INIT;

	hears(mcp, INITIALIZED);
	says(mcp);
	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{"
		"\"name\":\"a\"}],\"nextCursor\":\"p\\u0000\\n2\"}}\n");
	is(says(mcp),
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\","
		"\"params\":{\"cursor\":\"p\\u0000\\n2\"}}\n",
		"the next page is asked for by its cursor, whatever it holds");
	ok(mcp_list(mcp, &err) == MCP_WAIT, "one page is no list");
	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{"
		"\"name\":\"b\"}],\"nextCursor\":\"\"}}\n");
	ok(mcp_list(mcp, &err) == MCP_READY && mcp->tools.count == 2,
		"an empty cursor is the end");
	hears(mcp, CHANGED);
	ok(mcp_list(mcp, &err) == MCP_WAIT, "list_changed: asked again");
	is(says(mcp),
		"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\","
		"\"params\":{}}\n",
		"from the first page on");
	hears(mcp, LISTED(4, "{\"name\":\"c\"}"));
	ok(mcp_list(mcp, &err) == MCP_READY && mcp->tools.count == 1 &&
			mcp->list_seq == 2,
		"what it was is gone");
	mcp_free(mcp);
}

/* Answers every page in turn, as long as it is asked. */
static void
answer_pages(struct mcp *mcp, const char *result)
{
	while (mcp->list_id != 0 && mcp->broken == NULL) {
		char *text = wv_printf(&arena,
			"{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":",
			(long long)mcp->list_id);
		hears(mcp, text);
		hears(mcp, wv_printf(&arena, result, (long long)mcp->list_id));
		hears(mcp, "}\n");
	}
}

static void
test_bad_lists(void)
{
	struct mcp *mcp = start();
	struct wv_err err = WV_ERR_INIT;
	struct wv_str many = { 0 };

	hears(mcp, INITIALIZED);
	answer_pages(mcp, "{\"tools\":[],\"nextCursor\":\"p\"}");
	is(list_error(mcp), "tools/list: a page that is its own next one",
		"a cursor that stays");
	ok(mcp_list(mcp, &err) == MCP_WAIT, "the next one asks again");
	answer_pages(mcp, "{\"tools\":[],\"nextCursor\":\"p%lld\"}");
	is(list_error(mcp), "tools/list: more than 1000 pages",
		"pages without end");
	mcp_list(mcp, &err);
	answer_pages(mcp, "{\"tools\":[],\"nextCursor\":7}");
	is(list_error(mcp), "tools/list: a nextCursor that is no string",
		"a cursor of another type");
	mcp_list(mcp, &err);
	answer_pages(mcp, "{\"tools\":{}}");
	is(list_error(mcp), "tools/list: no array of tools", "no array");
	mcp_list(mcp, &err);
	answer_pages(mcp, "{\"tools\":[{\"name\":7}]}");
	is(list_error(mcp), "tools/list: a tool without a name", "no name");
	mcp_list(mcp, &err);
	answer_pages(mcp, "{\"tools\":[{\"name\":\"a\"},{\"name\":\"a\"}]}");
	is(list_error(mcp), "tools/list: two tools \"a\"", "a name twice");
	mcp_list(mcp, &err);
	wv_str_cat(&many, "{\"tools\":[{\"name\":\"0\"}");
	for (int i = 1; i <= MCP_MAX_TOOLS; i++)
		wv_str_fmt(&many, ",{\"name\":\"%d\"}", i);
	wv_str_cat(&many, "]}");
	answer_pages(mcp, many.s);
	is(list_error(mcp), "tools/list: more than 10000 tools", "too many");
	mcp_list(mcp, &err);
	hears(mcp,
		wv_printf(&arena,
			"{\"jsonrpc\":\"2.0\",\"id\":%lld,\"error\":{"
			"\"code\":-32603,\"message\":\"later\"}}\n",
			(long long)mcp->list_id));
	is(list_error(mcp), "tools/list: error -32603: later", "refused");
	mcp_list(mcp, &err);
	for (int i = 0; i < MCP_MAX_LISTS; i++) {
		hears(mcp, CHANGED);
		hears(mcp,
			wv_printf(&arena,
				"{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{"
				"\"tools\":[]}}\n",
				(long long)mcp->list_id));
	}
	is(list_error(mcp),
		"tools/list: the list changed 10 times while it was read",
		"one that never rests");
	mcp_list(mcp, &err);
	hears(mcp, CHANGED);
	hears(mcp,
		wv_printf(&arena,
			"{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{"
			"\"tools\":[]}}\n",
			(long long)mcp->list_id));
	ok(mcp_list(mcp, &err) == MCP_WAIT,
		"one that changed while it was read is read again");
	answer_pages(mcp, "{\"tools\":[{\"name\":\"z\"}]}");
	ok(mcp_list(mcp, &err) == MCP_READY && mcp_tool(mcp, "z") != NULL,
		"and is good in the end");
	wv_str_free(&many);
	mcp_free(mcp);
}

/* What a server has in place of what it has not. */
static const char *
lacks(struct mcp *mcp, const char *tools)
{
	struct wv_err err = WV_ERR_INIT;

	hears(mcp, CHANGED);
	mcp_list(mcp, &err);
	answer_pages(mcp, tools);
	ok(mcp_list(mcp, &err) == MCP_READY &&
			mcp_lacks(&mcp->tools, "x", &err) == -1,
		"a tool that is not there");
	return wv_dup(&arena, err.text);
}

static void
test_lacks(void)
{
	struct mcp *mcp = start();
	struct wv_str many = { 0 };
	const char *text;

	hears(mcp, INITIALIZED);
	is(lacks(mcp, "{\"tools\":[]}"),
		"the server has no tool \"x\"; it has none", "nor another");
	wv_str_fmt(&many,
		"{\"tools\":[{\"name\":\"a\\u001b\"},{\"name\":\"%081d\"},"
		"{\"name\":\"b\"}]}",
		0);
	is(lacks(mcp, many.s),
		"the server has no tool \"x\"; it has a\\x1b, …, b",
		"names are shown whole and harmless, or not at all");
	many.n = 0;
	wv_str_cat(&many, "{\"tools\":[{\"name\":\"0\"}");
	for (int i = 1; i < 1000; i++)
		wv_str_fmt(&many, ",{\"name\":\"%d\"}", i);
	wv_str_cat(&many, "]}");
	text = lacks(mcp, many.s);
	ok(strlen(text) < 500 && strstr(text, " more") != NULL, "%s", text);
	wv_str_free(&many);
	mcp_free(mcp);
}

static void
test_call(void)
{
	struct mcp *mcp = ready();
	struct mcp_request *request = mcp_call(mcp, "e\"cho",
		json("{\"n\":9223372036854775993, \"m\":1.10, \"l\":\"a\\n\"}"),
		100);

	is(says(mcp),
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
		"\"params\":{\"name\":\"e\\\"cho\",\"arguments\":{"
		"\"n\":9223372036854775993,\"m\":1.10,\"l\":\"a\\n\"}}}\n",
		"numbers are sent as they were written, on one line");
	ok(request->end == MCP_PENDING, "it waits");
	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{"
		"\"n\":1.000000000000000000001}}\n");
	struct wv_str text = { 0 };
	wv_json_write(&text, request->answer);
	ok(request->end == MCP_RESULT, "it has its result");
	is(text.s, "{\"n\":1.000000000000000000001}", "to the last digit");
	hears(mcp, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
	ok(wv_get(request->answer, "n") != NULL, "once is once");
	mcp_forget(mcp, request);
	request = mcp_call(mcp, "x", json("{}"), 100);
	hears(mcp, "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":1}}\n");
	ok(request->end == MCP_ERROR, "or an error");
	mcp_forget(mcp, request);
	wv_str_free(&text);
	is(broken(mcp), "not", "and goes on");
}

static void
test_ids(void)
{
	struct mcp *mcp = ready();
	struct mcp_request *a = mcp_call(mcp, "a", json("{}"), 100);
	struct mcp_request *b = mcp_call(mcp, "b", json("{}"), 100);
	static const char *const others[] = { "\"3\"", "\"4\"", "3.5", "-3",
		"0", "1", "2", "99", "null", "true", "{}", "[3]", "3e400",
		"18446744073709551619" };

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		hears(mcp,
			wv_printf(&arena,
				"{\"jsonrpc\":\"2.0\",\"id\":%s,"
				"\"result\":{}}\n",
				others[i]));
	hears(mcp, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700}}\n");
	ok(a->end == MCP_PENDING && b->end == MCP_PENDING && !mcp->broken,
		"ids that are not ours answer nothing");
	hears(mcp, "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"b\":1}}\n");
	ok(a->end == MCP_PENDING && b->end == MCP_RESULT,
		"answers come in any order");
	hears(mcp, "{\"jsonrpc\":\"2.0\",\"id\":3.0,\"result\":{\"a\":1}}\n");
	ok(a->end == MCP_RESULT && wv_get(a->answer, "a") != NULL &&
			wv_get(b->answer, "b") != NULL,
		"each to its own; an id is a number, however it is written");
	mcp_forget(mcp, a);
	mcp_forget(mcp, b);
	mcp_free(mcp);
}

static void
test_time(void)
{
	struct mcp *mcp = ready();
	struct mcp_request *a = mcp_call(mcp, "a", json("{}"), 100);
	struct mcp_request *b = mcp_call(mcp, "b", json("{}"), 200);

	says(mcp);
	mcp_tick(mcp, 99);
	ok(a->end == MCP_PENDING, "before its deadline");
	mcp_tick(mcp, 100);
	ok(a->end == MCP_TIMED_OUT && b->end == MCP_PENDING, "at it");
	is(says(mcp),
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		"\"params\":{\"requestId\":3,\"reason\":\"timed out\"}}\n",
		"the server is told");
	mcp_cancel(mcp, b);
	mcp_cancel(mcp, b);
	is(says(mcp),
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		"\"params\":{\"requestId\":4,\"reason\":\"cancelled\"}}\n",
		"of a cancellation too, once");
	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}\n");
	ok(a->end == MCP_TIMED_OUT && b->end == MCP_CANCELLED &&
			a->answer == NULL && !mcp->broken,
		"late answers are dropped");
	mcp_forget(mcp, a);
	mcp_forget(mcp, b);
	mcp_free(mcp);
}

static void
test_requests(void)
{
	struct mcp *mcp = ready();

	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":\"p\\u0000-1\",\"method\":"
		"\"ping\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"roots/list\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":1e2,\"method\":"
		"\"sampling/createMessage\",\"params\":{}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":"
		"\"elicitation/create\"}\n");
	is(says(mcp),
		"{\"jsonrpc\":\"2.0\",\"id\":\"p\\u0000-1\",\"result\":{}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"roots\":[]}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":1e2,\"error\":{\"code\":-32601,"
		"\"message\":\"this client does not do that\"}}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32601,"
		"\"message\":\"this client does not do that\"}}\n",
		"a server's requests, and its ids");
	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
		"\"params\":{\"level\":\"info\",\"logger\":\"l\",\"data\":"
		"\"d\"}}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
		"\"params\":{\"data\":{\"a\":[1]}}}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n");
	is(logged.s, "info l: d|log: {\"a\":[1]}|", "logs are handed over");
	hears(mcp,
		"\n \r\n{\"jsonrpc\":\"2.0\",\"method\":"
		"\"notifications/progress\",\"params\":{}}\r\n");
	is(says(mcp), "", "progress and blank lines are dropped");
	is(broken(mcp), "not", "none of it does harm");
}

static void
test_broken(void)
{
	static const struct {
		const char *line, *want, *name;
	} cases[] = {
		{ "Server started", "cannot be read", "words" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}",
			"cannot be read", "half of it" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3,\"id\":4,\"result\":{}}",
			"cannot be read", "an id twice" },
		{ "\x01\x02\xff\xfe", "cannot be read", "junk" },
		{ "[{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}]",
			"no message", "a batch" },
		{ "[]", "no message", "an empty batch" },
		{ "7", "no message", "a number" },
		{ "{}", "no message", "nothing" },
		{ "{\"id\":3,\"result\":{}}", "no message", "no version" },
		{ "{\"jsonrpc\":\"1.0\",\"id\":3,\"result\":{}}", "no message",
			"another version" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3}", "no message", "no result" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{},\"error\":{}}",
			"no message", "result and error" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":\"x\"}",
			"no message", "an error of another type" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
			"no message", "a request without an id" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":7}", "no message",
			"a method of another type" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct mcp *mcp = ready();
		struct mcp_request *r = mcp_call(mcp, "a", json("{}"), 1);
		says(mcp);
		int told = hears(mcp, cases[i].line);
		if (told == 0)
			told = hears(mcp, "\n");
		ok(told < 0 && r->end == MCP_GONE &&
				strstr(mcp->broken, "line 3") != NULL &&
				strstr(mcp->broken, cases[i].want) != NULL,
			"%s: %s", cases[i].name, mcp->broken);
		ok(hears(mcp, INITIALIZED) < 0 && mcp->out.n == 0,
			"and nothing more");
		mcp_forget(mcp, r);
		r = mcp_call(mcp, "a", json("{}"), 1);
		ok(r->end == MCP_GONE, "nor is anything sent");
		mcp_forget(mcp, r);
		mcp_free(mcp);
	}
}

static void
test_batches(void)
{
	struct mcp *mcp = start();
	struct mcp_request *a, *b;

	hears(mcp,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
		"\"2025-03-26\",\"capabilities\":{\"tools\":{}}}}\n");
	a = mcp_call(mcp, "a", json("{}"), 1);
	b = mcp_call(mcp, "b", json("{}"), 1);
	says(mcp);
	hears(mcp,
		"[{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"b\":1}},"
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"a\":1}},"
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}]\n");
	ok(a->end == MCP_RESULT && wv_get(a->answer, "a") != NULL &&
			b->end == MCP_RESULT && wv_get(b->answer, "b") != NULL,
		"2025-03-26 has batches");
	is(says(mcp), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n",
		"of requests too");
	hears(mcp, "[[],{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}]\n");
	ok(mcp->broken != NULL && mcp->out.n == 0, "none within another");
	mcp_forget(mcp, a);
	mcp_forget(mcp, b);
	mcp_free(mcp);
}

static void
test_limits(void)
{
	const struct mcp_options options = { .max_message = 300,
		.max_unasked = 2000 };
	struct mcp *mcp = mcp_new(&options);
	const char *ping = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":"
			   "\"ping\"}\n";
	int told = 0;

	for (int i = 0; i < 300; i++)
		told |= hears(mcp, "x");
	ok(told == 0, "a message as long as may be");
	hears(mcp, "x");
	ok(mcp->line.s == NULL, "what is too long is not kept");
	is(broken(mcp), "a message of more than 300 bytes", "one byte more");
	mcp = mcp_new(&options);
	hears(mcp, INITIALIZED);
	for (int i = 0; i < 1000 && mcp->broken == NULL; i++)
		hears(mcp, CHANGED);
	is(broken(mcp), "more than 2000 bytes that nobody asked for",
		"a flood");
	mcp = mcp_new(&options);
	hears(mcp, INITIALIZED);
	hears(mcp, ping);
	ok(hears(mcp, ping) < 0, "a request counts for more");
	mcp_free(mcp);
	mcp = mcp_new(&options);
	hears(mcp, INITIALIZED LISTED(2, ""));
	for (int i = 0; i < 100; i++) {
		struct mcp_request *r = mcp_call(mcp, "a", json("{}"), 1);
		hears(mcp, ping);
		hears(mcp,
			wv_printf(&arena,
				"{\"jsonrpc\":\"2.0\",\"id\":%lld,"
				"\"result\":{}}\n",
				(long long)r->id));
		mcp_forget(mcp, r);
	}
	is(broken(mcp), "not", "an answer lets it speak again");
	mcp = mcp_new(&options);
	hears(mcp, INITIALIZED);
	answer_pages(mcp, "{\"tools\":[],\"nextCursor\":\"p%lld\"}");
	is(list_error(mcp), "tools/list: more than 300 bytes",
		"a list is bounded as a whole");
	mcp_free(mcp);
	mcp = ready();
	struct mcp_request *r = mcp_call(mcp, "a", json("{}"), 1);
	mcp_break(mcp, "it ended: %s", "exit status 3");
	ok(r->end == MCP_GONE, "a server that is gone answers no more");
	mcp_forget(mcp, r);
	is(broken(mcp), "it ended: exit status 3", "and it is known why");
}

int
main(void)
{
	test_initialize();
	test_versions();
	test_pages();
	test_bad_lists();
	test_lacks();
	test_call();
	test_ids();
	test_time();
	test_requests();
	test_broken();
	test_batches();
	test_limits();
	wv_str_free(&logged);
	wv_arena_free(&arena);
	return done();
}
