/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever a server says, and in whatever pieces: a client of the Model
 * Context Protocol ends up the same, says nothing but lines of JSON, ends a
 * call once, and makes an output or an error of each result.  The first byte
 * chooses how far they are when the server goes mad, the second the pieces.
 *
 * links: cmd/wv-call/mcp.c
 * links: cmd/wv-call/mcp-list.c
 * links: cmd/wv-call/mcp-content.c
 */
#include "cmd/wv-call/mcp-content.h"
#include "cmd/wv-call/mcp.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { CALLS = 2 };

struct client {
	struct mcp *mcp;
	struct mcp_request *calls[CALLS];
	struct wv_str out, logs;
};

static const char *const versions[] = { "2024-11-05", "2025-03-26",
	"2025-06-18", "2025-11-25" };

static void
take_log(void *arg, const char *text, size_t n)
{
	struct client *client = arg;

	wv_str_add(&client->logs, text, n);
	wv_str_chr(&client->logs, '\n');
}

static void
collect(struct client *client)
{
	wv_str_add(&client->out, client->mcp->out.s, client->mcp->out.n);
	client->mcp->out.n = 0;
}

static void
feed(struct client *client, const char *p, size_t n, size_t piece)
{
	while (n > 0) {
		size_t part = n < piece ? n : piece;
		/* Of its own, so that nothing past its end is looked at. */
		char *copy = wv_xmalloc(part);
		memcpy(copy, p, part);
		mcp_read(client->mcp, copy, part);
		free(copy);
		collect(client);
		p += part;
		n -= part;
	}
}

static void
start(struct client *client, unsigned char how)
{
	const struct mcp_options options = {
		.max_message = 1 << 12,
		.max_unasked = 1 << 14,
		.log = take_log,
		.arg = client,
	};
	struct wv_str hello = { 0 };

	client->mcp = mcp_new(&options);
	collect(client);
	if ((how & 1) == 0)
		return;
	wv_str_fmt(&hello,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
		"\"%s\",\"capabilities\":{\"tools\":{}}}}\n",
		versions[how >> 1 & 3]);
	if ((how & 8) != 0)
		wv_str_cat(&hello,
			"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":"
			"[{\"name\":\"a\"}]}}\n");
	feed(client, hello.s, hello.n, hello.n);
	wv_str_free(&hello);
}

static void
call(struct client *client)
{
	struct wv_arena arena = WV_ARENA_INIT;

	for (size_t i = 0; i < CALLS; i++)
		client->calls[i] =
			mcp_call(client->mcp, "a", wv_json_object(&arena), 10);
	collect(client);
	wv_arena_free(&arena);
}

static void
check_lines(const struct wv_str *out)
{
	struct wv_arena arena = WV_ARENA_INIT;

	for (size_t at = 0; at < out->n;) {
		struct wv_str line = { 0 };
		const char *lf = memchr(out->s + at, '\n', out->n - at);
		if (lf == NULL)
			abort();
		size_t n = (size_t)(lf - out->s) - at;
		wv_str_add(&line, out->s + at, n);
		*wv_str_room(&line, WV_JSON_SLACK) = '\0';
		if (!wv_is_object(wv_json_read(
			    &arena, line.s, line.n, &wv_json_defaults, NULL)))
			abort();
		wv_str_free(&line);
		at += n + 1;
	}
	wv_arena_free(&arena);
}

static void
write_answer(struct wv_str *out, const struct mcp_request *request)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct mcp_said said = { 0 };

	wv_str_fmt(out, "%d ", (int)request->end);
	if (request->end == MCP_RESULT) {
		if (mcp_content(&arena, request->answer, &said, &err) < 0 &&
			!wv_err_is_set(&err))
			abort();
		wv_str_fmt(out, "%s %s ", err.text,
			said.media_type ? said.media_type : "");
		wv_str_add(out, said.bytes.s, said.bytes.n);
		wv_str_free(&said.bytes);
	} else if (request->end == MCP_ERROR) {
		mcp_error_text(out, request->answer);
	}
	wv_arena_free(&arena);
}

/* All that can be seen of it; frees. */
static struct wv_str
finish(struct client *client)
{
	struct mcp *mcp = client->mcp;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str seen = { 0 };

	wv_str_fmt(&seen, "%s|%d|", mcp->broken ? mcp->broken : "",
		(int)mcp_list(mcp, &err));
	wv_str_fmt(&seen, "%s|%zu|", err.text, mcp->tools.count);
	for (size_t i = 0; i < CALLS; i++) {
		enum mcp_end before = client->calls[i]->end;
		mcp_tick(mcp, 10);
		if (client->calls[i]->end == MCP_PENDING ||
			(before != MCP_PENDING &&
				before != client->calls[i]->end))
			abort();
		write_answer(&seen, client->calls[i]);
		mcp_forget(mcp, client->calls[i]);
	}
	collect(client);
	check_lines(&client->out);
	wv_str_add(&seen, client->out.s, client->out.n);
	wv_str_add(&seen, client->logs.s, client->logs.n);
	wv_str_free(&client->out);
	wv_str_free(&client->logs);
	mcp_free(mcp);
	return seen;
}

static struct wv_str
run(const unsigned char *data, size_t size, size_t piece)
{
	struct client client = { 0 };

	start(&client, data[0]);
	call(&client);
	feed(&client, (const char *)data + 2, size - 2, piece);
	return finish(&client);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_str whole, pieces;

	if (size < 3)
		return 0;
	whole = run(data, size, size);
	pieces = run(data, size, 1 + data[1] % 64);
	if (whole.n != pieces.n || memcmp(whole.s, pieces.s, whole.n) != 0)
		abort();
	wv_str_free(&whole);
	wv_str_free(&pieces);
	return 0;
}
