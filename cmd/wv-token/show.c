/* SPDX-License-Identifier: Apache-2.0 */
#include "gate.h"

#include "base/file.h"
#include "base/msg.h"

#include <unistd.h>

enum { MAX_LINE = 1 << 20 }; /* of a line for people */

static const char *const synopsis[] = { "show [option...] [FILE...]", NULL };

static const struct wv_opt table[] = {
	{ 'f', "format", "FORMAT", "text (default) or json" },
	GATE_OPTS,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Tells all that CapabilityTokens say, and every check of "
		 "`wv-token verify`, but nothing that would make a token of "
		 "what is shown.  Nothing is used up.",
	.opts = table,
	.examples = "  wv-token show token.json\n",
};

static const char *const formats[] = { "text", "json", NULL };

struct show {
	struct gate gate;
	struct wv_lines_options lines;
	struct wv_arena arena; /* of a token */
	struct wv_out out;
	bool json;
};

/* The nonce and the signature are what makes it a credential. */
static cJSON *
without_secrets(struct wv_arena *arena, const cJSON *node)
{
	cJSON *copy = wv_json_copy(arena, node);

	wv_take(wv_get(copy, "metadata"), "x_wv_nonce");
	wv_take(wv_get(copy, "x_weaver_signature"), "sig");
	return copy;
}

static cJSON *
check_object(struct wv_arena *arena, const struct check *check)
{
	cJSON *object = wv_json_object(arena);

	wv_put_string(arena, object, "check", check->name);
	wv_put(arena, object, "holds", wv_json_bool(arena, !check->code));
	if (check->code != NULL)
		wv_put_string(arena, object, "code", check->code);
	wv_put_string(arena, object, "value", check->value);
	return object;
}

/* What was not read as a token may hold anything: it is not shown. */
static void
write_json(struct show *s, const cJSON *node, const struct judgment *j)
{
	struct wv_arena *arena = &s->arena;
	cJSON *object = wv_json_object(arena), *list = wv_json_array(arena);
	struct wv_str line = { 0 };

	wv_put(arena, object, "good", wv_json_bool(arena, j->failed == NULL));
	if (j->failed != NULL)
		wv_put_string(arena, object, "code", j->failed->code);
	for (size_t i = 0; i < j->count; i++)
		wv_push(list, check_object(arena, &j->checks[i]));
	wv_put(arena, object, "checks", list);
	if (j->count > 1)
		wv_put(arena, object, "token", without_secrets(arena, node));
	wv_json_write(&line, object);
	wv_out_line(&s->out, line.s, line.n);
	wv_str_free(&line);
}

/* Foreign text, so as it may be seen. */
static void
write_line(struct show *s, struct wv_str *line)
{
	struct wv_str seen = { 0 };

	wv_str_foreign(&seen, line->s, line->n, MAX_LINE);
	wv_out_line(&s->out, seen.s, seen.n);
	wv_str_free(&seen);
	line->n = 0;
}

static void
write_members(struct show *s, const cJSON *object, const char *prefix)
{
	struct wv_str line = { 0 };

	wv_json_each(one, object) {
		wv_str_fmt(&line, "  %s%s: ", prefix, one->string);
		wv_json_write(&line, one);
		write_line(s, &line);
	}
	wv_str_free(&line);
}

static void
write_text(struct show *s, const struct wv_record *rec, const cJSON *node,
	const struct judgment *j)
{
	struct wv_str line = { 0 };

	wv_str_fmt(&line, "%s:%zu: %s", rec->source, rec->line,
		j->failed ? j->failed->code : "good");
	write_line(s, &line);
	for (size_t i = 0; i < j->count; i++) {
		const struct check *check = &j->checks[i];
		wv_str_fmt(&line, "  %-10s %-3s %s%s%s", check->name,
			check->code ? "no" : "yes",
			check->code ? check->code : "", check->code ? ": " : "",
			check->value);
		write_line(s, &line);
	}
	wv_str_free(&line);
	if (j->count > 1)
		write_members(s, without_secrets(&s->arena, node), "");
}

static void
hear(void *arg, const struct wv_record *rec, const cJSON *node,
	const struct judgment *j)
{
	struct show *s = arg;

	if (s->json)
		write_json(s, node, j);
	else
		write_text(s, rec, node, j);
	wv_arena_reset(&s->arena);
}

static void
read_options(struct show *s, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0) {
		if (id == 'f')
			s->json = wv_opt_choice(opts, "-f", opts->value,
					  formats) == 1;
		else if (!gate_option(&s->gate, opts, id))
			wv_lines_option(&s->lines, id, opts);
	}
	if (opts->operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

int
show_main(int argc, char **argv)
{
	struct show s = { .lines = WV_LINES_OPTIONS_INIT };
	struct wv_opts opts;
	int status;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&s, &opts);
	gate_open(&s.gate);
	s.gate.state = open_state(s.gate.state_path, WV_STATE_READ, false);
	wv_out_init(&s.out, STDOUT_FILENO, "standard output");
	status = gate_read(&s.gate, opts.operands, &s.lines, &s.out, hear, &s);
	wv_out_end(&s.out);
	wv_arena_free(&s.arena);
	gate_close(&s.gate);
	wv_state_close(s.gate.state);
	wv_opt_end(&opts);
	return status;
}
