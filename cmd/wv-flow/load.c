/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a flow: each is read once, and they make one flow. */
#include "load.h"

#include "base/msg.h"
#include "base/opt.h"
#include "contract/contract.h"

#include <stdlib.h>
#include <string.h>

bool
flow_limit_option(
	struct flow_limits *limits, int id, const struct wv_opts *opts)
{
	switch (id) {
	case FLOW_OPT_STEPS:
		limits->steps = (size_t)wv_opt_int(
			opts, "--max-steps", opts->value, 1, INT32_MAX);
		return true;
	case FLOW_OPT_BYTES:
		limits->bytes =
			(size_t)wv_opt_size(opts, "--max-flow", opts->value);
		return true;
	case FLOW_OPT_DEPTH:
		limits->depth = (size_t)wv_opt_int(
			opts, "--max-flow-depth", opts->value, 1, 64);
		return true;
	}
	return false;
}

/* What has this file, or is to have it; NULL: there is no such file. */
static struct flow *
find_flow(struct load *load, const char *path)
{
	char *real = realpath(path, NULL);
	size_t place;

	if (real == NULL)
		return NULL;
	place = *wv_map_add(
		&load->index, wv_dup(load->arena, real), load->count);
	free(real);
	if (place == load->count) {
		load->flows = wv_list_room(
			load->flows, load->count, sizeof(struct flow *));
		load->flows[load->count++] =
			wv_alloc_zero(load->arena, sizeof(struct flow));
	}
	return load->flows[place];
}

static void
tell_schema(struct flow *flow, const struct wv_schema_error *error)
{
	for (; error != NULL; error = error->next)
		flow_fault(flow, error->instance, "schema", "%s%s%s",
			error->instance, *error->instance ? ": " : "",
			error->message);
}

static bool
is_within(struct load *load, struct flow *flow)
{
	load->bytes += flow->doc.len;
	if (load->bytes <= load->limits->bytes)
		return true;
	flow_fault(flow, "", "limit", "more than %zu bytes (--max-flow)",
		load->limits->bytes);
	return false;
}

/* -1: it cannot be read; what else is wrong are faults of the flow. */
static int
read_file(struct load *load, struct flow *flow, const char *path,
	struct wv_err *err)
{
	struct wv_schema_error *errors = NULL;

	if (wv_doc_load(&flow->doc, load->arena, path, err) != 0)
		return -1;
	flow->faults.arena = load->arena;
	flow->height = 1;
	if (load->last != NULL)
		load->last->next = flow;
	load->last = flow;
	if (wv_config_errors(&flow->doc, "flow", load->arena, &errors) != 1)
		tell_schema(flow, errors);
	else if (is_within(load, flow)) {
		load->open = wv_list_room(
			load->open, load->depth, sizeof(struct flow *));
		load->open[load->depth++] = flow;
		load_flow(load, flow);
		load->depth--;
	}
	return 0;
}

static bool
is_open(const struct load *load, const struct flow *flow)
{
	for (size_t i = 0; i < load->depth; i++)
		if (load->open[i] == flow)
			return true;
	return false;
}

static void
tell_cycle(const struct load *load, const struct flow *again, struct flow *flow,
	const char *pointer)
{
	struct wv_str text = { 0 };
	size_t i = 0;

	while (load->open[i] != again)
		i++;
	for (; i < load->depth; i++)
		wv_str_fmt(&text, "%s -> ", load->open[i]->doc.source);
	flow_fault(flow, pointer, "cycle", "cycle of flows: %s%s", text.s,
		again->doc.source);
	wv_str_free(&text);
}

/* As a path of the file `source` is meant. */
static const char *
beside(struct wv_arena *arena, const char *source, const char *path)
{
	const char *slash = strrchr(source, '/');

	if (*path == '/' || slash == NULL)
		return path;
	return wv_printf(arena, "%.*s/%s", (int)(slash - source), source, path);
}

/* There is room below for so many flows within flows. */
static bool
check_depth(const struct load *load, struct flow *flow, const char *pointer,
	size_t height)
{
	if (load->depth + height <= load->limits->depth)
		return true;
	flow_fault(flow, pointer, "limit",
		"flows are nested more than %zu deep (--max-flow-depth)",
		load->limits->depth);
	return false;
}

static void
tell_unreadable(struct flow *flow, const char *pointer, const char *source,
	const struct wv_err *err)
{
	if (err->line > 0)
		flow_fault(flow, pointer, "unreadable", "%s:%zu:%zu: %s",
			source, err->line, err->column, err->text);
	else
		flow_fault(flow, pointer, "unreadable", "%s: %s", source,
			err->text);
}

const struct flow *
load_inner(struct load *load, struct flow *flow, const char *pointer,
	const char *path)
{
	const char *source = beside(load->arena, flow->doc.source, path);
	struct flow *inner = find_flow(load, source);
	struct wv_err err = WV_ERR_INIT;

	if (inner == NULL) {
		flow_fault(flow, pointer, "unreadable", "there is no file %s",
			source);
	} else if (is_open(load, inner)) {
		tell_cycle(load, inner, flow, pointer);
	} else if (check_depth(load, flow, pointer,
			   inner->height > 0 ? inner->height : 1)) {
		if (inner->height > 0 ||
			read_file(load, inner, source, &err) == 0)
			return inner;
		tell_unreadable(flow, pointer, source, &err);
	}
	return NULL;
}

int
flow_read(struct flow *flow, struct wv_arena *arena, const char *path,
	const struct flow_limits *limits, struct wv_err *err)
{
	struct load load = { .arena = arena, .limits = limits };
	struct flow *root = find_flow(&load, path);
	size_t errors = 0;
	int result;

	*flow = (struct flow){ 0 };
	if (root != NULL)
		load.flows[0] = flow;
	result = read_file(&load, flow, path, err);
	wv_map_free(&load.index);
	free(load.flows);
	free(load.open);
	for (struct flow *f = flow; result == 0 && f != NULL; f = f->next)
		errors += f->faults.errors;
	return result != 0 ? WV_TROUBLE : errors > 0 ? WV_NO : WV_YES;
}

int
flow_load(struct flow *flow, struct wv_arena *arena, const char *path,
	const struct flow_limits *limits)
{
	struct wv_err err = WV_ERR_INIT;
	int status = flow_read(flow, arena, path, limits, &err);

	if (status == WV_TROUBLE)
		wv_warn_err(&err);
	for (struct flow *f = flow; status == WV_NO && f; f = f->next)
		flow_tell(f);
	return status;
}

void
flow_free(struct flow *flow)
{
	for (; flow != NULL; flow = flow->next) {
		wv_map_free(&flow->ids);
		if (flow->schemas != NULL)
			wv_schema_set_free(flow->schemas);
	}
}
