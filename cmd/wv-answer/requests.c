/* SPDX-License-Identifier: Apache-2.0 */
#include "requests.h"

#include "output.h"
#include "phase.h"
#include "stages.h"
#include "stats.h"

#include "base/msg.h"
#include "contract/contract.h"
#include "json/num.h"

#include <string.h>

/* {"id": ID, of a request that has one */
static void
open_line(struct wv_str *line, const char *id)
{
	wv_str_chr(line, '{');
	if (id == NULL)
		return;
	wv_str_cat(line, "\"id\":");
	wv_json_write_string(line, id, strlen(id));
	wv_str_chr(line, ',');
}

static void
tell(const struct options *options, const struct build *b, const char *id,
	struct wv_out *to)
{
	struct wv_str line = { 0 };

	if (options->tells_stats || wv_verbose > 0)
		stats_tell(b);
	if (options->explains)
		explain(b);
	if (options->stats_file == NULL)
		return;
	open_line(&line, id);
	stats_write(&line, b);
	wv_str_chr(&line, '}');
	wv_out_line(to, line.s, line.n);
	wv_str_free(&line);
}

/* Appends the context; id is that of the request, or NULL. */
static int
answer(const struct options *options, const struct settings *settings,
	struct intake *intake, const char *id, struct outputs *to,
	struct wv_str *context)
{
	struct build b = {
		.settings = settings, .intake = intake, .last_turn = NOWHERE
	};
	struct wv_err err = WV_ERR_INIT;
	int status;

	if (phase_header(&b, &err) < 0) {
		wv_warn_err(&err);
		build_free(&b);
		return WV_TROUBLE;
	}
	build_run(&b);
	tell(options, &b, id, &to->stats);
	wv_str_add(context, b.text.s ? b.text.s : "", b.text.n);
	status = b.status;
	build_free(&b);
	return status;
}

int
answer_once(const struct options *options, struct intake *intake,
	struct outputs *to)
{
	struct wv_str context = { 0 };
	int status =
		answer(options, &options->settings, intake, NULL, to, &context);

	wv_out_add(&to->contexts, context.s, context.n);
	wv_out_mark(&to->contexts);
	wv_str_free(&context);
	return status;
}

static int
read_select(struct settings *settings, const cJSON *select, struct wv_err *err)
{
	struct wv_doc doc = { .text = "", .root = (cJSON *)select };
	struct wv_err cause = WV_ERR_INIT;

	if (select == NULL || wanted_read(&settings->wanted, &doc, &cause) == 0)
		return 0;
	return wv_err_set(err, "/select: %s", cause.text);
}

/* The options, but for what a request says. */
static int
read_request(struct settings *settings, const struct wv_record *rec,
	struct wv_err *err)
{
	struct wv_doc doc = {
		.text = rec->text, .len = rec->len, .root = rec->tree
	};
	const char *phase = wv_get_string(rec->tree, "phase");
	const char *level = wv_get_string(rec->tree, "floor");
	const char *query = wv_get_string(rec->tree, "query");
	int64_t budget;

	if (wv_config_check(&doc, "conversation-request", err) < 0)
		return -1;
	if (query != NULL)
		settings->query = query;
	for (int i = 0; phase != NULL && phase_names[i] != NULL; i++)
		if (strcmp(phase, phase_names[i]) == 0)
			settings->phase = (enum phase)i;
	/* Whoever asks cannot see more than the options let him. */
	if (level != NULL && floor_of(level) < settings->floor)
		settings->floor = floor_of(level);
	if (wv_get(rec->tree, "budget") != NULL &&
		wv_num_int64(wv_get(rec->tree, "budget"), &budget))
		settings->budget = (size_t)budget;
	if (wv_get(rec->tree, "choices") != NULL)
		settings->choices = wv_get(rec->tree, "choices");
	return read_select(settings, wv_get(rec->tree, "select"), err);
}

static void
write_answer(struct wv_out *out, const struct settings *settings,
	const cJSON *request, struct wv_str *context)
{
	const char *id = wv_get_string(request, "id");
	struct wv_str line = { 0 };

	open_line(&line, id);
	wv_str_cat(&line, "\"context\":");
	if (settings->output->is_json && context->n > 0)
		wv_str_add(&line, context->s, context->n - 1);
	else
		wv_json_write_string(
			&line, context->s ? context->s : "", context->n);
	wv_str_chr(&line, '}');
	wv_out_line(out, line.s, line.n);
	wv_str_free(&line);
}

int
answer_requests(const struct options *options, struct intake *intake,
	struct outputs *to)
{
	char *files[] = { (char *)options->requests, NULL };
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_lines in;
	struct wv_record rec;
	int status = WV_YES;

	wv_lines_open(&in, files, &options->lines, &to->contexts);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		struct settings settings = options->settings;
		struct wv_err err = WV_ERR_INIT;
		struct wv_str context = { 0 };
		if (read_request(&settings, &rec, &err) < 0) {
			wv_lines_bad(&in, &rec, &err);
			continue;
		}
		status = wv_worse(status,
			answer(options, &settings, intake,
				wv_get_string(rec.tree, "id"), to, &context));
		write_answer(&to->contexts, &settings, rec.tree, &context);
		wv_str_free(&context);
		wv_arena_reset(&arena);
	}
	wv_arena_free(&arena);
	return wv_worse(status, wv_lines_close(&in));
}
