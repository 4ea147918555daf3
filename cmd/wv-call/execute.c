/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "argv.h"
#include "base/msg.h"
#include "base/proc.h"
#include "json/num.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	GRACE_MS = 2000,
	MAX_STDERR = 64 << 10,
	MAX_WORDS = 200, /* bytes of stderr in an error message */
};

__attribute__((format(printf, 4, 5))) static bool
failed(struct call *call, const char *error_class, bool retriable,
	const char *fmt, ...)
{
	struct wv_str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	call->error_class = error_class;
	call->error_message = wv_dupn(call->arena, text.s, text.n);
	call->retriable = retriable;
	wv_str_free(&text);
	return false;
}

static bool
activate(struct call *call)
{
	struct wv_err err = WV_ERR_INIT;

	if (call->tool == NULL)
		return failed(call, "not_activated", false, "no tool serves %s",
			call->capability_id);
	if (tool_activate(&call->caller->tools, call->tool, &err) < 0)
		return failed(call, "activation", false, "%s", err.text);
	return true;
}

/* What a tool does not say of itself is not taken for harmless. */
static bool
check_flags(struct call *call)
{
	const cJSON *entry = call->tool->entry;

	if (call->caller->read_only && !wv_is_true(wv_get(entry, "read_only")))
		return failed(call, "access_denied", false,
			"the plan is read-only, and the tool is not declared "
			"read_only");
	if (call->caller->require_checkpoint &&
		!wv_is_true(wv_get(entry, "checkpointable")))
		return failed(call, "checkpoint_required", false,
			"the plan requires checkpoints, and the tool is not "
			"declared checkpointable");
	return true;
}

static bool
check_input(struct call *call)
{
	const struct wv_schema *schema = call->tool->input;
	struct wv_schema_error *errors = NULL;

	if (schema == NULL || wv_schema_valid(schema, call->arguments) == 1)
		return true;
	int valid = wv_schema_errors(schema, call->arguments, WV_BRANCH_NEAREST,
		call->arena, 1, &errors);
	if (valid < 0 || errors == NULL)
		return failed(call, "schema_validation", false,
			"whether the arguments fit cannot be told");
	return failed(call, "schema_validation", false, "arguments%s: %s",
		errors->instance, errors->message);
}

/* The end of what the tool said on stderr, fit to be shown: its last line. */
static const char *
last_words(struct call *call, const struct wv_str *shown)
{
	struct wv_str words = { 0 };
	size_t end = shown->n, start;

	while (end > 0 && strchr(" \t\n", shown->s[end - 1]) != NULL)
		end--;
	for (start = end; start > 0 && shown->s[start - 1] != '\n'; start--)
		;
	if (end > start) {
		wv_str_cat(&words, ": ");
		wv_str_foreign(
			&words, shown->s + start, end - start, MAX_WORDS);
	}
	const char *text = wv_dupn(call->arena, words.s, words.n);
	wv_str_free(&words);
	return text;
}

static void
show_stderr(const struct call *call, const struct wv_str *shown, bool cut)
{
	size_t n;

	for (size_t at = 0; at < shown->n; at += n + 1) {
		const char *line = shown->s + at;
		const char *lf = memchr(line, '\n', shown->n - at);
		n = lf != NULL ? (size_t)(lf - line) : shown->n - at;
		wv_note("%s: stderr: %.*s", call->capability_id, (int)n, line);
	}
	if (cut)
		wv_note("%s: stderr: more than %d bytes, the rest is dropped",
			call->capability_id, MAX_STDERR);
}

static bool
is_ok_status(const cJSON *entry, int code)
{
	const cJSON *list = wv_get(entry, "ok_status");
	int64_t status;

	if (list == NULL)
		return code == 0;
	wv_json_each(item, list) {
		if (wv_num_int64(item, &status) && status == code)
			return true;
	}
	return false;
}

static void
judge_end(struct call *call, const struct wv_proc_result *result,
	const struct wv_proc_limits *limits, const char *words)
{
	int code = result->code;

	switch (result->end) {
	case WV_PROC_EXITED:
		if (!is_ok_status(call->tool->entry, code))
			failed(call, "execution", false, "exit status %d%s",
				code, words);
		break;
	case WV_PROC_SIGNALED:
		failed(call, "execution", false,
			"ended by signal %d (%s), as status %d%s", code,
			strsignal(code), 128 + code, words);
		break;
	case WV_PROC_TIMEOUT:
		failed(call, "timeout", true, "not done within %lld ms%s",
			(long long)limits->timeout_ms, words);
		break;
	case WV_PROC_FLOODED:
		failed(call, "execution", false,
			"more than %zu bytes of output", limits->max_out);
		break;
	case WV_PROC_CANCELLED:
		failed(call, "cancelled", false, "%s",
			cancel_signal() != 0 ? "cancelled by a signal"
					     : "the kernel was stopped");
		break;
	}
}

static int64_t
timeout_ms(const struct call *call)
{
	const cJSON *asked = wv_get(call->invocation, "timeout_ms");
	int64_t ms;

	if (wv_is_number(asked) && wv_num_int64(asked, &ms) && ms > 0 &&
		ms < call->tool->timeout_ms)
		return ms;
	return call->tool->timeout_ms;
}

static bool
is_cancelled(void *arg)
{
	const struct caller *caller = arg;

	return cancel_signal() != 0 || wv_state_stopped(caller->state);
}

static uint64_t
limit(const cJSON *limits, const char *name)
{
	const cJSON *most = wv_get(limits, name);
	int64_t n = 0;

	if (most != NULL)
		wv_num_int64(most, &n);
	return (uint64_t)n;
}

/* What every tool gets, and the variables its entry names. */
static char *const *
make_env(struct wv_arena *arena, const cJSON *names)
{
	static const char *const always[] = { "HOME", "USER", "TMPDIR", NULL };
	char **env = wv_alloc(arena, (wv_count(names) + 5) * sizeof *env);
	size_t n = 0;

	if (names == NULL)
		return NULL;
	env[n++] = wv_dup(arena, "LANG=C.UTF-8");
	for (size_t i = 0; always[i] != NULL; i++) {
		const char *value = getenv(always[i]);
		if (value != NULL)
			env[n++] = wv_printf(arena, "%s=%s", always[i], value);
	}
	wv_json_each(name, names) {
		const char *value = getenv(name->valuestring);
		if (value != NULL)
			env[n++] = wv_printf(
				arena, "%s=%s", name->valuestring, value);
	}
	env[n] = NULL;
	return env;
}

static bool
fill_spec(struct call *call, struct wv_proc_spec *spec)
{
	const cJSON *entry = call->tool->entry;
	const cJSON *limits = wv_get(entry, "limits");
	struct wv_err err = WV_ERR_INIT;

	*spec = (struct wv_proc_spec){
		.argv = argv_make(call->arena, wv_get(entry, "command"),
			call->arguments, wv_get(entry, "allow_dash"), &err),
		.env = make_env(call->arena, wv_get(entry, "env")),
		.dir = wv_get_string(entry, "dir"),
		.stdin_fd = -1,
		.stdout_fd = -1,
		.stderr_fd = -1,
		.cpu_seconds = limit(limits, "cpu"),
		.memory_bytes = limit(limits, "memory"),
		.file_bytes = limit(limits, "file"),
		.open_files = limit(limits, "open_files"),
		.death_signal = SIGKILL,
	};
	if (spec->argv == NULL)
		return failed(call, "schema_validation", false, "%s", err.text);
	return true;
}

static size_t
max_output(const struct call *call)
{
	size_t most = call->caller->max_output;
	uint64_t own = limit(wv_get(call->tool->entry, "limits"), "output");

	return own > 0 && own < most ? (size_t)own : most;
}

/* What the tool said on stderr, fit to be shown.  A line that was cut may be
 * a secret that is no longer known as one. */
static void
hear_stderr(struct call *call, const struct wv_proc_result *result,
	struct wv_str *shown)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 };
	size_t n = result->err.n;

	while (result->err_cut && n > 0 && result->err.s[n - 1] != '\n')
		n--;
	wv_clean(&clean, result->err.s, n, &findings);
	wv_redact(shown, clean.s, clean.n, call->arena, &findings);
	wv_str_free(&clean);
	show_stderr(call, shown, result->err_cut);
}

static void
run(struct call *call)
{
	struct wv_proc_result result = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_proc_spec spec;
	struct wv_str shown = { 0 };
	const struct wv_proc_limits limits = {
		.timeout_ms = timeout_ms(call),
		.grace_ms = GRACE_MS,
		.max_out = max_output(call),
		.max_err = MAX_STDERR,
		.cancel = is_cancelled,
		.cancel_arg = call->caller,
	};

	if (!fill_spec(call, &spec))
		return;
	if (wv_proc_run(&spec, &limits, &result, &err) < 0) {
		failed(call, "execution", false, "%s", err.text);
		return;
	}
	hear_stderr(call, &result, &shown);
	judge_end(call, &result, &limits, last_words(call, &shown));
	call->output = result.out;
	wv_str_free(&result.err);
	wv_str_free(&shown);
}

void
execute(struct call *call)
{
	int64_t ticks = wv_ticks();

	call->started_at = wv_now();
	if (activate(call) && check_flags(call) && check_input(call))
		run(call);
	call->ended_at = wv_now();
	call->duration_ms = wv_ticks() - ticks;
}
