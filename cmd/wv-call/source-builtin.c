/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that are part of wv-call: what tools there are, and what is stored. */
#include "resolve.h"

#include "contract/catalog.h"

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

static cJSON *
read_schema(struct wv_arena *arena, const char *schema)
{
	/* Its end is followed by what the reader may look at. */
	const char *text = wv_dup(arena, schema);

	return wv_json_read(arena, text, strlen(text), &wv_json_defaults, NULL);
}

/* With the schema that an entry of a built-in tool need not have. */
static cJSON *
capability_of(struct wv_arena *arena, struct tool *tool)
{
	cJSON *capability =
		wv_tool_capability(arena, tool->entry, tool_sha256(tool));
	cJSON *metadata = wv_put_object(arena, capability, "metadata");
	const struct builtin *builtin =
		tool->source == &source_builtin ? find(tool) : NULL;

	if (builtin != NULL && wv_get(metadata, "x_wv_input_schema") == NULL)
		wv_put(arena, metadata, "x_wv_input_schema",
			read_schema(arena, builtin->schema));
	return capability;
}

static enum step
run_list(struct call *call)
{
	struct tools *tools = &call->plan->tools;
	cJSON *list = wv_json_array(&call->arena);
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	for (size_t i = 0; i < tools->count; i++)
		wv_push(list, capability_of(&call->arena, &tools->items[i]));
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
	tool->source_data = (void *)wv_schema_compile(tools->schemas,
		read_schema(&tools->arena, builtin->schema), &err);
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
};
