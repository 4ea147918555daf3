/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp-internal.h"

#include "json/num.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEPT_LINE = 1 << 20, /* bytes of a buffer that is kept */
	REQUEST_COST = 1024, /* bytes that a request counts for, beside its own:
	                        our answer waits for who may never read it */
};

/* The one that knows batches. */
#define BATCHES "2025-03-26"

static const char no_message[] = "is no message of JSON-RPC 2.0";

struct mcp *
mcp_new(const struct mcp_options *options)
{
	struct mcp *mcp = wv_xcalloc(1, sizeof *mcp);

	mcp->options = *options;
	if (mcp->options.max_message == 0)
		mcp->options.max_message = MCP_MAX_MESSAGE;
	if (mcp->options.max_unasked == 0)
		mcp->options.max_unasked = MCP_MAX_UNASKED;
	mcp_initialize(mcp);
	return mcp;
}

void
mcp_free(struct mcp *mcp)
{
	mcp_break(mcp, "not needed any more");
	mcp_list_free(mcp);
	wv_str_free(&mcp->out);
	wv_arena_free(&mcp->arena);
	free(mcp->broken);
	free(mcp);
}

void
mcp_break(struct mcp *mcp, const char *fmt, ...)
{
	struct wv_str text = { 0 };
	struct mcp_request *next;
	va_list ap;

	if (mcp->broken != NULL)
		return;
	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	mcp->broken = text.s;
	for (struct mcp_request *r = mcp->pending; r != NULL; r = next) {
		next = r->next;
		r->end = MCP_GONE;
	}
	mcp->pending = NULL;
	wv_str_free(&mcp->line);
}

int64_t
mcp_begin(struct mcp *mcp, const char *method)
{
	mcp->last_id++;
	wv_str_fmt(&mcp->out,
		"{\"jsonrpc\":\"2.0\",\"id\":%lld,\"method\":\"%s\","
		"\"params\":",
		(long long)mcp->last_id, method);
	return mcp->last_id;
}

void
mcp_end_message(struct mcp *mcp)
{
	wv_str_cat(&mcp->out, "}\n");
}

/* Nothing that a client may offer is offered; a server that asks all the same
 * hears that there are no roots, and of all else that there is no such thing. */
static void
answer_request(struct mcp *mcp, const cJSON *id, const char *method)
{
	mcp->unasked += REQUEST_COST;
	wv_str_cat(&mcp->out, "{\"jsonrpc\":\"2.0\",\"id\":");
	wv_json_write(&mcp->out, id);
	if (strcmp(method, "ping") == 0)
		wv_str_cat(&mcp->out, ",\"result\":{}");
	else if (strcmp(method, "roots/list") == 0)
		wv_str_cat(&mcp->out, ",\"result\":{\"roots\":[]}");
	else
		wv_str_cat(&mcp->out,
			",\"error\":{\"code\":-32601,\"message\":"
			"\"this client does not do that\"}");
	mcp_end_message(mcp);
}

/* `LEVEL LOGGER: DATA` */
static void
take_log(const struct mcp *mcp, const cJSON *params)
{
	const char *level = wv_get_string(params, "level");
	const char *logger = wv_get_string(params, "logger");
	const cJSON *data = wv_get(params, "data");
	struct wv_str text = { 0 };

	if (mcp->options.log == NULL || data == NULL)
		return;
	wv_str_fmt(&text, "%s%s%s: ", level ? level : "log", logger ? " " : "",
		logger ? logger : "");
	if (wv_is_string(data))
		wv_json_bytes(data, &text);
	else
		wv_json_write(&text, data);
	mcp->options.log(mcp->options.arg, text.s, text.n);
	wv_str_free(&text);
}

static void
take_notification(struct mcp *mcp, const char *method, const cJSON *params)
{
	if (strcmp(method, "notifications/tools/list_changed") == 0)
		mcp_list_changed(mcp);
	else if (strcmp(method, "notifications/message") == 0)
		take_log(mcp, params);
}

static struct mcp_request *
take_pending(struct mcp *mcp, int64_t id)
{
	for (struct mcp_request **at = &mcp->pending; *at != NULL;
		at = &(*at)->next) {
		struct mcp_request *request = *at;
		if (request->id == id) {
			*at = request->next;
			return request;
		}
	}
	return NULL;
}

static void
take_answer(struct mcp *mcp, const cJSON *message, size_t n)
{
	const cJSON *id = wv_get(message, "id");
	const cJSON *result = wv_get(message, "result");
	const cJSON *error = wv_get(message, "error");
	struct mcp_request *request;
	int64_t number;

	if (!wv_is_number(id) || !wv_num_int64(id, &number) || number <= 0)
		return;
	if (number == mcp->initialize_id) {
		mcp_take_initialize(mcp, result, error);
	} else if (number == mcp->list_id) {
		mcp_take_list(mcp, result, error, n);
	} else if ((request = take_pending(mcp, number)) != NULL) {
		request->end = error != NULL ? MCP_ERROR : MCP_RESULT;
		request->answer = error != NULL ? error : result;
		request->arena = mcp->arena;
		mcp->arena = (struct wv_arena)WV_ARENA_INIT;
	} else {
		return;
	}
	mcp->unasked = 0;
}

/* Exactly one of them, as JSON-RPC says. */
static bool
is_answer(const cJSON *message)
{
	const cJSON *error = wv_get(message, "error");

	return error == NULL
		? wv_get(message, "result") != NULL
		: wv_is_object(error) && wv_get(message, "result") == NULL;
}

static void
take_message(struct mcp *mcp, const cJSON *message, size_t n)
{
	const char *version = wv_get_string(message, "jsonrpc");
	const char *method = wv_get_string(message, "method");
	const cJSON *id = wv_get(message, "id");

	if (version == NULL || strcmp(version, "2.0") != 0)
		mcp_break(mcp, "line %zu of its output %s", mcp->line_no,
			no_message);
	else if (wv_get(message, "method") == NULL && is_answer(message))
		take_answer(mcp, message, n);
	else if (method != NULL && id == NULL)
		take_notification(mcp, method, wv_get(message, "params"));
	else if (method != NULL && (wv_is_string(id) || wv_is_number(id)))
		answer_request(mcp, id, method);
	else
		mcp_break(mcp, "line %zu of its output %s", mcp->line_no,
			no_message);
}

static cJSON *
read_json(struct mcp *mcp, struct wv_str *text)
{
	struct wv_err err = WV_ERR_INIT;
	cJSON *message;

	*wv_str_room(text, WV_JSON_SLACK) = '\0';
	message = wv_json_read(
		&mcp->arena, text->s, text->n, &wv_json_defaults, &err);
	if (message == NULL)
		mcp_break(mcp,
			"line %zu of its output cannot be read as JSON: %s",
			mcp->line_no, err.text);
	return message;
}

/* Each as if it had come alone: an answer keeps the arena that it is in. */
static void
take_batch(struct mcp *mcp, const cJSON *batch)
{
	struct wv_arena arena = mcp->arena;
	struct wv_str text = { 0 };

	wv_json_each(item, batch) {
		mcp->arena = (struct wv_arena)WV_ARENA_INIT;
		text.n = 0;
		wv_json_write(&text, item);
		const cJSON *message =
			mcp->broken == NULL ? read_json(mcp, &text) : NULL;
		if (message != NULL)
			take_message(mcp, message, text.n);
		wv_arena_free(&mcp->arena);
	}
	wv_str_free(&text);
	mcp->arena = arena;
}

static void
take_line(struct mcp *mcp)
{
	size_t n = mcp->line.n;
	const cJSON *message = read_json(mcp, &mcp->line);

	if (message == NULL)
		return;
	mcp->line.n = 0;
	if (mcp->line.cap > KEPT_LINE)
		wv_str_free(&mcp->line);
	if (wv_is_array(message) && mcp->version != NULL &&
		strcmp(mcp->version, BATCHES) == 0)
		take_batch(mcp, message);
	else
		take_message(mcp, message, n);
	wv_arena_reset(&mcp->arena);
}

static bool
is_blank(const struct wv_str *line)
{
	for (size_t i = 0; i < line->n; i++) {
		if (line->s[i] != ' ' && line->s[i] != '\t' &&
			line->s[i] != '\r')
			return false;
	}
	return true;
}

static void
end_line(struct mcp *mcp)
{
	mcp->line_no++;
	mcp->unasked += mcp->line.n + 1;
	if (is_blank(&mcp->line))
		mcp->line.n = 0;
	else
		take_line(mcp);
	if (mcp->unasked > mcp->options.max_unasked)
		mcp_break(mcp, "more than %zu bytes that nobody asked for",
			mcp->options.max_unasked);
}

int
mcp_read(struct mcp *mcp, const char *p, size_t n)
{
	while (n > 0 && mcp->broken == NULL) {
		const char *lf = memchr(p, '\n', n);
		size_t part = lf != NULL ? (size_t)(lf - p) : n;

		if (part > mcp->options.max_message - mcp->line.n) {
			mcp_break(mcp, "a message of more than %zu bytes",
				mcp->options.max_message);
			break;
		}
		wv_str_add(&mcp->line, p, part);
		if (lf == NULL)
			break;
		end_line(mcp);
		p += part + 1;
		n -= part + 1;
	}
	return mcp->broken == NULL ? 0 : -1;
}

struct mcp_request *
mcp_call(struct mcp *mcp, const char *tool, const cJSON *arguments,
	int64_t deadline)
{
	struct mcp_request *request = wv_xcalloc(1, sizeof *request);

	request->deadline = deadline;
	if (mcp->broken != NULL) {
		request->end = MCP_GONE;
		return request;
	}
	request->id = mcp_begin(mcp, "tools/call");
	wv_str_cat(&mcp->out, "{\"name\":");
	wv_json_write_string(&mcp->out, tool, strlen(tool));
	wv_str_cat(&mcp->out, ",\"arguments\":");
	wv_json_write(&mcp->out, arguments);
	wv_str_chr(&mcp->out, '}');
	mcp_end_message(mcp);
	request->next = mcp->pending;
	mcp->pending = request;
	return request;
}

static void
give_up(struct mcp *mcp, struct mcp_request *request, enum mcp_end end)
{
	if (request->end != MCP_PENDING)
		return;
	take_pending(mcp, request->id);
	request->end = end;
	wv_str_fmt(&mcp->out,
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		"\"params\":{\"requestId\":%lld,\"reason\":\"%s\"}",
		(long long)request->id,
		end == MCP_TIMED_OUT ? "timed out" : "cancelled");
	mcp_end_message(mcp);
}

void
mcp_cancel(struct mcp *mcp, struct mcp_request *request)
{
	give_up(mcp, request, MCP_CANCELLED);
}

void
mcp_tick(struct mcp *mcp, int64_t now)
{
	struct mcp_request *next;

	for (struct mcp_request *r = mcp->pending; r != NULL; r = next) {
		next = r->next;
		if (r->deadline <= now)
			give_up(mcp, r, MCP_TIMED_OUT);
	}
}

void
mcp_forget(struct mcp *mcp, struct mcp_request *request)
{
	mcp_cancel(mcp, request);
	wv_arena_free(&request->arena);
	free(request);
}
