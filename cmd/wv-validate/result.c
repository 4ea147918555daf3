/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance.h"

#include "base/clock.h"
#include "base/msg.h"
#include "contract/contract.h"
#include "json/utf8.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINE = 64 << 10 }; /* bytes of a message that people read */

void
result_start(struct result *result, struct wv_out *out)
{
	*result = (struct result){ .arena = WV_ARENA_INIT, .out = out };
	result->detail = wv_json_array(&result->arena);
	result->records = wv_json_array(&result->arena);
}

static void
put_known(struct wv_arena *arena, cJSON *record, const char *name,
	const char *text)
{
	if (text != NULL)
		wv_put_string(arena, record, name, text);
}

/* In the order of their names, as everything that is written. */
static void
add_record(struct result *result, const struct failure *failure,
	const char *message)
{
	struct wv_arena *arena = &result->arena;
	cJSON *record = wv_json_object(arena);

	put_known(arena, record, "invariant_id", failure->invariant_id);
	put_known(arena, record, "keyword", failure->keyword);
	put_known(arena, record, "kind", failure->kind);
	put_known(arena, record, "message", message);
	put_known(arena, record, "path", failure->path);
	put_known(arena, record, "payload", failure->payload);
	put_known(arena, record, "schema", failure->schema);
	wv_push(result->records, record);
}

void
result_fail(struct result *result, const struct failure *failure,
	const char *message)
{
	list_add(&result->arena, result->detail, message);
	add_record(result, failure, message);
}

void
result_no_input(struct result *result, const char *reason)
{
	struct failure failure = { .kind = "input" };

	list_add(&result->arena, result->detail,
		wv_printf(&result->arena, "input: %s", reason));
	add_record(result, &failure, reason);
}

void
result_say(struct result *result, const char *fmt, ...)
{
	struct wv_str raw = { 0 }, line = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&raw, fmt, ap);
	va_end(ap);
	wv_str_foreign(&line, raw.s, raw.n, MAX_LINE);
	wv_out_line(result->out, line.s, line.n);
	wv_str_free(&raw);
	wv_str_free(&line);
}

/* The list is for people and has no `wv-validate:` before each line; a stderr
 * that is gone changes no status. */
static void
tell_failures(const cJSON *detail)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	struct wv_str text = { 0 };

	wv_str_fmt(&text, "FAILED (%zu):\n", wv_count(detail));
	wv_json_each(one, detail) {
		wv_str_cat(&text, "  - ");
		wv_str_foreign(&text, one->valuestring,
			strlen(one->valuestring), MAX_LINE);
		wv_str_chr(&text, '\n');
	}
	sigaction(SIGPIPE, &ignore, &old);
	(void)wv_write_all(STDERR_FILENO, text.s, text.n);
	sigaction(SIGPIPE, &old, NULL);
	wv_str_free(&text);
}

static void
write_ascii(struct wv_str *out, const cJSON *string)
{
	struct wv_str bytes = { 0 }, text = { 0 };
	const unsigned char *p;
	uint32_t c;

	wv_json_bytes(string, &bytes);
	wv_json_write_string(&text, bytes.s, bytes.n);
	wv_str_free(&bytes);
	for (size_t i = 0; i < text.n;) {
		p = (const unsigned char *)text.s + i;
		i += (size_t)wv_utf8_get(p, text.n - i, &c);
		if (c < 0x80)
			wv_str_chr(out, (char)c);
		else if (c < 0x10000)
			wv_str_fmt(out, "\\u%04x", c);
		else
			wv_str_fmt(out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10),
				0xdc00 + (c & 0x3ff));
	}
	wv_str_free(&text);
}

static void
new_line(struct wv_str *out, int depth)
{
	wv_str_fmt(out, "\n%*s", 2 * depth, "");
}

/* Our own trees only: three deep. */
static void
write_value(struct wv_str *out, const cJSON *value, int depth)
{
	bool object = wv_is_object(value);
	cJSON name = { .type = cJSON_String };

	if (wv_is_string(value)) {
		write_ascii(out, value);
		return;
	}
	if ((!object && !wv_is_array(value)) || value->child == NULL) {
		wv_json_write(out, value);
		return;
	}
	wv_str_chr(out, object ? '{' : '[');
	wv_json_each(child, value) {
		if (child != value->child)
			wv_str_chr(out, ',');
		new_line(out, depth + 1);
		if (object) {
			name.valuestring = child->string;
			name.valueint = (int)strlen(child->string);
			write_ascii(out, &name);
			wv_str_cat(out, ": ");
		}
		write_value(out, child, depth + 1);
	}
	new_line(out, depth);
	wv_str_chr(out, object ? '}' : ']');
}

static void
save(struct result *result, const cJSON *value, const char *path,
	const char *what)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	write_value(&text, value, 0);
	wv_str_chr(&text, '\n');
	if (wv_file_replace(path, text.s, text.n, &err) != 0)
		wv_die_err(&err);
	wv_str_free(&text);
	result_say(result, "Wrote %s to %s", what, path);
}

/* In whole seconds. */
static const char *
generated_at(struct wv_arena *arena)
{
	char text[WV_TIME_TEXT];

	wv_time_print(text, wv_now());
	return wv_printf(
		arena, "%.*sZ", (int)strlen("2026-01-02T03:04:05"), text);
}

static cJSON *
make_result(struct result *result, bool passed)
{
	struct wv_arena *arena = &result->arena;
	cJSON *value = wv_json_object(arena);

	wv_put(arena, value, "checks_run",
		wv_json_int(arena, (int64_t)result->checks));
	wv_put_string(arena, value, "contract_version", WV_CONTRACT_VERSION);
	wv_put(arena, value, "failure_detail", result->detail);
	wv_put(arena, value, "failure_records", result->records);
	wv_put(arena, value, "failures",
		wv_json_int(arena, (int64_t)wv_count(result->detail)));
	wv_put_string(arena, value, "generated_at", generated_at(arena));
	wv_put_string(arena, value, "mode", result->mode);
	wv_put_string(arena, value, "result_version", "1");
	wv_put_string(arena, value, "runner", "wv-validate");
	wv_put_string(arena, value, "status", passed ? "pass" : "fail");
	wv_put(arena, value, "target",
		result->target ? wv_json_string(arena, result->target)
			       : wv_json_null(arena));
	return value;
}

static cJSON *
make_badge(struct result *result, bool passed)
{
	struct wv_arena *arena = &result->arena;
	cJSON *value = wv_json_object(arena);

	wv_put_string(arena, value, "color", passed ? "brightgreen" : "red");
	wv_put(arena, value, "isError", wv_json_bool(arena, !passed));
	wv_put_string(arena, value, "label", "weaver-compatible");
	wv_put_string(arena, value, "message",
		passed ? "v" WV_CONTRACT_VERSION : "failing");
	wv_put(arena, value, "schemaVersion", wv_json_int(arena, 1));
	return value;
}

int
result_finish(struct result *result, const struct corpus_options *options)
{
	bool passed = wv_count(result->detail) == 0;
	struct wv_err err = WV_ERR_INIT;

	wv_out_line(result->out, "", 0);
	result_say(
		result, "%s: ran %zu checks.", result->header, result->checks);
	if (passed)
		result_say(result, "All conformance checks passed.");
	if (wv_out_flush(result->out, &err) != 0)
		wv_die_err(&err);
	if (!passed && !wv_quiet)
		tell_failures(result->detail);
	if (options->emit_result != NULL)
		save(result, make_result(result, passed), options->emit_result,
			"conformance result");
	if (options->emit_badge != NULL)
		save(result, make_badge(result, passed), options->emit_badge,
			"badge endpoint");
	wv_arena_free(&result->arena);
	return passed ? WV_YES : WV_NO;
}
