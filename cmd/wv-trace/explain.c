/* SPDX-License-Identifier: Apache-2.0 */
#include "base/msg.h"
#include "kernel/artifact.h"
#include "narrate.h"
#include "story.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 10000, LINE_MAX_SHOWN = 4096 };

static const char *const synopsis[] = { "explain [option...] ID [FILE...]",
	NULL };

static const struct wv_opt table[] = {
	{ 'f', "format", "FORMAT", "text (default) or json" },
	{ 'n', "limit", "N", "most events of a story (10000)" },
	EVENTS_OPTS,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Tells the story of a decision, Frame, Handle, token, run, "
		 "trace, request or event, oldest first.",
	.opts = table,
	.examples = "  wv-trace explain dec-01JZZ4X0000000000000000000\n",
};

static const char *const formats[] = { "text", "json", NULL };

struct explain {
	struct events in;
	struct story story;
	struct wv_state *state; /* NULL: it is told of files */
	struct wv_arena arena;
	struct wv_out out;
	bool json;
};

/* What the store has of a Handle today, as lines; adds them. */
static void
add_handle(struct explain *e, const cJSON *event, cJSON *lines)
{
	const char *id = wv_get_string(event, "handle_id");
	struct wv_err err = WV_ERR_INIT;
	struct wv_artifact artifact;
	char until[WV_TIME_TEXT];
	int found;

	if (e->state == NULL || id == NULL || story_foreign(event) != NULL ||
		strcmp(wv_get_string(event, "event_type"), "handle_created") !=
			0)
		return;
	found = wv_artifact_find(
		e->state, &e->arena, id, wv_now(), &artifact, &err);
	if (found < 0)
		wv_die_err(&err);
	if (found == 0) {
		wv_push(lines,
			wv_json_string(&e->arena, "it has expired since"));
		return;
	}
	wv_time_print(until, artifact.expires_at);
	wv_push(lines,
		wv_json_string(&e->arena,
			wv_printf(&e->arena, "%" PRIu64 " bytes of %s%s%s",
				artifact.size,
				artifact.media_type != NULL
					? artifact.media_type
					: "unknown type",
				artifact.expires_at.sec != 0 ? ", until " : "",
				artifact.expires_at.sec != 0 ? until : "")));
}

static cJSON *
lines_of(struct explain *e, cJSON *event)
{
	cJSON *lines;

	if (e->state == NULL)
		events_redact(&e->arena, event);
	lines = narrate(&e->arena, event);
	add_handle(e, event, lines);
	return lines;
}

static void
write_json(struct explain *e)
{
	const struct story *story = &e->story;
	struct wv_arena *arena = &e->arena;
	cJSON *object = wv_json_object(arena), *list = wv_json_array(arena);
	struct wv_str line = { 0 };

	wv_put_string(arena, object, "id", story->id);
	wv_put_string(arena, object, "kind", story_kinds[story->kind]);
	for (size_t i = 0; i < story->count; i++) {
		cJSON *event = story->events[i].event;
		const char *foreign = story_foreign(event);
		cJSON *entry = wv_json_object(arena);
		if (foreign != NULL)
			wv_put_string(arena, entry, "source", foreign);
		wv_put(arena, entry, "text", lines_of(e, event));
		wv_put(arena, entry, "event", event);
		wv_push(list, entry);
	}
	wv_put(arena, object, "story", list);
	wv_put(arena, object, "complete", wv_json_bool(arena, !story->is_cut));
	wv_json_write(&line, object);
	wv_out_line(&e->out, line.s, line.n);
	wv_str_free(&line);
}

/* Foreign text, so as it may be seen. */
static void
write_line(struct explain *e, const char *time, const char *text, size_t n)
{
	struct wv_str line = { 0 };

	wv_str_fmt(&line, "%-24s  ", time);
	wv_str_foreign(&line, text, n, LINE_MAX_SHOWN);
	wv_out_line(&e->out, line.s, line.n);
	wv_str_free(&line);
}

static void
write_text(struct explain *e)
{
	const struct story *story = &e->story;
	struct wv_str head = { 0 }, line = { 0 };

	wv_str_fmt(&head, "%s %s", story_kinds[story->kind], story->id);
	wv_str_foreign(&line, head.s, head.n, LINE_MAX_SHOWN);
	wv_out_line(&e->out, line.s, line.n);
	wv_str_free(&head);
	wv_str_free(&line);
	for (size_t i = 0; i < story->count; i++) {
		char time[WV_TIME_TEXT];
		const char *shown = time;
		wv_time_print(time, story->events[i].time);
		wv_json_each(text, lines_of(e, story->events[i].event)) {
			write_line(e, shown, text->valuestring,
				(size_t)text->valueint);
			shown = "";
		}
		wv_arena_reset(&e->arena);
	}
}

static int
tell(struct explain *e)
{
	const struct story *story = &e->story;

	if (story->count == 0 && e->in.seen > 0) {
		if (story->near != NULL)
			wv_warn("nothing names %s; did you mean %s?", story->id,
				story->near);
		else
			wv_warn("nothing names %s", story->id);
	}
	if (story->count == 0)
		return e->in.seen > 0 ? WV_NO : WV_YES;
	if (e->json)
		write_json(e);
	else
		write_text(e);
	if (story->is_deep)
		wv_warn("tokens were narrowed from each other too often: not "
			"all of them are told");
	if (!story->is_cut)
		return story->is_deep ? WV_TROUBLE : WV_YES;
	wv_warn("the story has more than %zu events (--limit): only those that "
		"stand first in the log are told",
		story->limit);
	return WV_TROUBLE;
}

static void
read_options(struct explain *e, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0) {
		if (id == 'f')
			e->json = wv_opt_choice(opts, "-f", opts->value,
					  formats) == 1;
		else if (id == 'n')
			e->story.limit = (size_t)wv_opt_int(
				opts, "--limit", opts->value, 1, INT32_MAX);
		else
			events_option(&e->in, id, opts);
	}
	if (opts->operand_count == 0 || opts->operands[0][0] == '\0')
		wv_usage(opts, "explain: whose story? give an ID");
	for (char *const *f = opts->operands + 1; *f != NULL; f++)
		if (strcmp(*f, "-") == 0 && isatty(STDIN_FILENO))
			wv_usage_terminal(opts);
	e->story.id = opts->operands[0];
	e->in.files = opts->operands + 1;
}

int
explain_main(int argc, char **argv)
{
	static struct explain e = {
		.in = { .lines = WV_LINES_OPTIONS_INIT },
		.story = { .limit = LIMIT },
	};
	struct wv_opts opts;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&e, &opts);
	wv_out_init(&e.out, STDOUT_FILENO, "standard output");
	if (e.in.files[0] == NULL)
		e.state = wv_state_need(e.in.state, WV_STATE_READ, false);
	e.story.in = &e.in;
	story_collect(&e.story);
	int status = tell(&e);
	wv_out_end(&e.out);
	status = wv_worse(status, events_end(&e.in));
	story_free(&e.story);
	wv_arena_free(&e.arena);
	if (e.state != NULL)
		wv_state_close(e.state);
	wv_opt_end(&opts);
	return status;
}
