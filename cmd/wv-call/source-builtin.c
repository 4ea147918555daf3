/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that are part of wv-call: what tools there are, and what is stored. */
#include "resolve.h"

#include <string.h>

static const char list_schema[] =
	"{\"type\":\"object\",\"additionalProperties\":false}";

static enum step run_list(struct call *call);

static const struct builtin {
	const char *capability, *schema;
	enum step (*run)(struct call *call);
} builtins[] = {
	{ "wv.capability.list", list_schema, run_list },
	{ "wv.handle.resolve", resolve_schema, resolve_run },
};

static const struct builtin *
find(const struct tool *tool)
{
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (strcmp(builtins[i].capability, tool->capability) == 0)
			return &builtins[i];
	return NULL;
}

static const char *
schema(const struct tool *tool)
{
	const struct builtin *builtin = find(tool);

	return builtin != NULL ? builtin->schema : NULL;
}

static enum step
run_list(struct call *call)
{
	struct tools *tools = &call->plan->tools;
	cJSON *list = wv_json_array(&call->arena);
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	for (size_t i = 0; i < tools->count; i++)
		wv_push(list, tool_capability(&call->arena, &tools->items[i]));
	wv_json_write(&text, list);
	call->output.media_type = "application/json";
	int added = output_add(&call->output, text.s, text.n, &err);
	wv_str_free(&text);
	return added == 0 ? STEP_DONE
			  : call_fail(call, "execution", false, "%s", err.text);
}

/* An entry may say less than what we need, but not more than we take. */
static enum step
activate(struct call *call)
{
	struct tools *tools = &call->plan->tools;
	struct tool *tool = call->target;
	const struct builtin *builtin = find(tool);
	struct wv_err err = WV_ERR_INIT;

	if (builtin == NULL)
		return call_fail(call, "activation", false,
			"nothing is built in that is called %s",
			tool->capability);
	if (tools->schemas == NULL)
		tools->schemas = wv_schema_set_new(NULL);
	tool->source_data = (void *)wv_schema_compile(
		tools->schemas, tool_schema(&tools->arena, tool), &err);
	if (tool->source_data == NULL)
		return call_fail(call, "activation", false, "%s", err.text);
	tool->input = tool->source_data;
	return STEP_DONE;
}

static enum step
run(struct call *call)
{
	const struct tool *tool = call->target;

	if (wv_schema_valid(tool->source_data, call->target_arguments) != 1)
		return call_fail(call, "schema_validation", false,
			"the arguments do not fit %s", tool->capability);
	return find(tool)->run(call);
}

/* It is asked on, and sees call->stopped. */
static void
stop(struct call *call)
{
	(void)call;
}

const struct source source_builtin = {
	.name = "builtin",
	.activate = activate,
	.run = run,
	.stop = stop,
	.schema = schema,
};
