/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is written for a tool, or as outputs, against the schema it is for.
 * What references lead to is not known yet: they are holes in the value that is
 * judged, and nothing is told that a hole could be the reason of.
 */
#include "linter.h"

#include "json/mapping.h"
#include "map.h"
#include "shape.h"

#include <string.h>

enum { ERRORS_MAX = 20 };

struct hole {
	struct hole *next;
	const char *at; /* pointer in the value */
	struct map_reference reference;
};

struct writing {
	struct linter *linter;
	struct flow *flow;
	const char *whose;   /* the schema is: a capability's */
	const char *pointer; /* of what is written, in the file */
	const cJSON *schema;
	struct hole *holes;
	struct wv_str at;
};

static cJSON *
make_hole(struct writing *w, const struct map_reference *reference)
{
	struct wv_arena *arena = w->linter->arena;
	struct hole *hole;

	if (reference->otherwise != NULL)
		return wv_json_copy(arena, reference->otherwise);
	hole = wv_alloc(arena, sizeof(*hole));
	*hole = (struct hole){ w->holes, wv_dup(arena, w->at.s ? w->at.s : ""),
		*reference };
	w->holes = hole;
	return wv_json_null(arena);
}

/* As deep as the file. */
static cJSON *
make(struct writing *w, const cJSON *node)
{
	struct wv_arena *arena = w->linter->arena;
	const cJSON *value = wv_mapping_sole(node, "value");
	struct map_reference reference;
	size_t at = w->at.n, i = 0;
	cJSON *copy;

	if (wv_is_object(node) && map_reference_read(&reference, node))
		return make_hole(w, &reference);
	if (value != NULL || (!wv_is_object(node) && !wv_is_array(node)))
		return wv_json_copy(arena, value ? value : node);
	copy = wv_is_object(node) ? wv_json_object(arena)
				  : wv_json_array(arena);
	wv_json_each(child, node) {
		cJSON *made;
		if (wv_is_array(node))
			wv_str_fmt(&w->at, "/%zu", i++);
		else
			wv_pointer_add(&w->at, child->string);
		made = make(w, child);
		made->string = child->string;
		wv_push(copy, made);
		w->at.n = at;
		w->at.s[at] = '\0';
	}
	return copy;
}

/* The value at `inner` is the one at `outer` or within it. */
static bool
is_within(const char *inner, const char *outer)
{
	size_t n = strlen(outer);

	return strncmp(inner, outer, n) == 0 &&
		(inner[n] == '\0' || inner[n] == '/');
}

/* Keywords whose verdict does not depend on what the members hold. */
static bool
is_of_form(const char *keyword)
{
	static const char *const words[] = { "required", "type",
		"additionalProperties", "minProperties", "maxProperties",
		"propertyNames", "minItems", "maxItems", "dependentRequired",
		NULL };
	const char *last = strrchr(keyword, '/');
	size_t i = 0;

	while (last && words[i] && strcmp(last + 1, words[i]) != 0)
		i++;
	return last != NULL && words[i] != NULL;
}

static bool
is_word(const char *token, size_t n, const char *const *words)
{
	size_t i = 0;

	while (words[i] &&
		(strlen(words[i]) != n || memcmp(words[i], token, n) != 0))
		i++;
	return words[i] != NULL;
}

/* Where the value is that decides on a keyword: of those that can hold because
 * another does not, the first above it; else its own, the whole of instance.
 * The length of the pointer in instance. */
static size_t
decided_at(const char *keyword, const char *instance, bool *is_choice)
{
	static const char *const choices[] = { "anyOf", "oneOf", "not", "if",
		"then", "else", "contains", "dependentSchemas", "dependencies",
		NULL };
	static const char *const named[] = { "properties", "patternProperties",
		"prefixItems", NULL };
	static const char *const below[] = { "additionalProperties", "items",
		"unevaluatedProperties", "unevaluatedItems", "additionalItems",
		NULL };
	size_t at = 0;

	while (*keyword == '/') {
		size_t n = strcspn(++keyword, "/");
		bool has_name = is_word(keyword, n, named);
		*is_choice = is_word(keyword, n, choices);
		if (*is_choice)
			return at;
		if ((has_name || is_word(keyword, n, below)) &&
			instance[at] == '/')
			at += 1 + strcspn(instance + at + 1, "/");
		keyword += n;
		if (has_name && *keyword == '/')
			keyword += 1 + strcspn(keyword + 1, "/");
	}
	return strlen(instance);
}

static bool
is_certain(const struct writing *w, const struct wv_schema_error *error)
{
	const char *instance = error->instance;
	bool is_choice = false;
	size_t n = decided_at(error->keyword, instance, &is_choice);
	const char *decides = wv_dupn(w->linter->arena, instance, n);
	bool of_form = !is_choice && is_of_form(error->keyword);

	for (const struct hole *hole = w->holes; hole; hole = hole->next)
		if (is_within(instance, hole->at) ||
			(is_within(hole->at, decides) && !of_form))
			return false;
	return true;
}

static void
judge(struct writing *w, const struct wv_schema *schema, const cJSON *value)
{
	struct wv_arena *arena = w->linter->arena;
	struct wv_schema_error *error = NULL;

	wv_schema_errors(
		schema, value, WV_BRANCH_NEAREST, arena, ERRORS_MAX, &error);
	for (; error != NULL; error = error->next)
		if (is_certain(w, error))
			flow_fault(w->flow,
				wv_printf(arena, "%s%s", w->pointer,
					error->instance),
				"arguments", "%s: %s%s%s", w->whose,
				error->instance, *error->instance ? ": " : "",
				error->message);
}

/* What it leads to has another type than what it is for. */
static void
judge_hole(struct writing *w, const struct hole *hole)
{
	struct wv_arena *arena = w->linter->arena;
	const char *pointer = hole->reference.pointer;
	unsigned given = lint_types(w->linter, w->flow, pointer);
	struct shape wanted;

	shape_at(&wanted, arena, w->schema, hole->at);
	if (hole->reference.is_handle || (given & wanted.types) != 0)
		return;
	flow_fault(w->flow, wv_printf(arena, "%s%s", w->pointer, hole->at),
		"arguments", "%s: %s: needs %s, and %s is %s", w->whose,
		hole->at, shape_names(arena, wanted.types), pointer,
		shape_names(arena, given));
}

/* Compiled once for all steps that call the same; NULL: no schema. */
static const struct wv_schema *
program(struct linter *l, const char *capability, const cJSON *schema)
{
	size_t *place = wv_map_find(&l->programs, capability);
	size_t count = l->programs.count;

	if (place != NULL)
		return l->compiled[*place];
	wv_map_add(&l->programs, capability, count);
	l->compiled = wv_list_room(l->compiled, count, sizeof(*l->compiled));
	l->compiled[count] = wv_schema_compile(l->set, schema, NULL);
	return l->compiled[count];
}

static void
lint_writing(
	struct writing *w, const struct wv_schema *schema, const cJSON *written)
{
	struct wv_arena *arena = w->linter->arena;
	cJSON *value;

	value = written ? make(w, written) : wv_json_object(arena);
	judge(w, schema, value);
	for (const struct hole *hole = w->holes; hole; hole = hole->next)
		judge_hole(w, hole);
	wv_str_free(&w->at);
}

/* What a step has for what it calls, or calls instead. */
static void
lint_call(struct linter *l, struct flow *flow, const struct flow_step *step,
	const struct wv_capability *tool)
{
	struct writing w = { .linter = l,
		.flow = flow,
		.whose = step->flow ? step->capability : tool->id,
		.pointer = flow_at(flow, step->index, "arguments"),
		.schema = step->flow ? flow_step_schema(step)
				     : tool->input_schema };
	const struct wv_schema *schema = NULL;

	if (step->flow != NULL)
		schema = step->flow->input_schema;
	else if (w.schema != NULL)
		schema = program(l, tool->id, w.schema);
	if (schema != NULL)
		lint_writing(&w, schema, step->arguments);
}

void
lint_arguments(struct linter *l, struct flow *flow)
{
	struct writing outputs = { .linter = l,
		.flow = flow,
		.whose = "output_schema",
		.pointer = "/outputs",
		.schema = wv_get(flow->doc.root, "output_schema") };

	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[i];
		const struct wv_capability *other = step->fallback
			? wv_catalog_find(&l->tools, step->fallback)
			: NULL;
		if (step->flow != NULL || step->tool != NULL)
			lint_call(l, flow, step, step->tool);
		if (other != NULL && step->flow == NULL)
			lint_call(l, flow, step, other);
	}
	if (flow->output_schema != NULL && flow->outputs != NULL)
		lint_writing(&outputs, flow->output_schema, flow->outputs);
}
