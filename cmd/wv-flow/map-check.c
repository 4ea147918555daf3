/* SPDX-License-Identifier: Apache-2.0 */
/* That references lead to what may be there when they are followed. */
#include "map.h"

#include "json/mapping.h"
#include "shape.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The members of a Frame that a flow may use. */
static const char *const frame_members[] = { "frame_id", "capability_id",
	"summary", "structured_data", "handle_refs", "redaction_notes",
	"created_at", NULL };

struct checker {
	struct flow *flow;
	struct flow_step *step; /* NULL: outputs */
	struct wv_str at;       /* pointer of what is looked at */
	bool has_item;
	/* Rooms of flow->count: */
	size_t *seen, turn; /* by step: the last turn that saw it */
	size_t *stack;
	bool *is_used; /* by the step, each of which is in the list */
	size_t *used, used_count;
};

static bool
is_between(const struct flow_step *step, const struct flow_step *target)
{
	return step->first < target->first && target->first <= step->last;
}

/* The step needs the target, directly or through others, which are all on
 * higher levels than the target.  Mostly the first look tells. */
static bool
is_before(struct checker *c, const struct flow_step *target)
{
	const struct flow_step *steps = c->flow->steps;
	size_t n = 0;

	c->turn++;
	c->stack[n++] = c->step->index;
	while (n > 0) {
		const struct flow_step *step = &steps[c->stack[--n]];
		if (is_between(step, target))
			return true;
		for (size_t i = 0; i < step->need_count; i++) {
			size_t need = step->needs[i];
			if (need == target->index)
				return true;
			if (c->seen[need] == c->turn ||
				steps[need].level <= target->level)
				continue;
			c->seen[need] = c->turn;
			c->stack[n++] = need;
		}
	}
	return false;
}

/* What is told no more is not looked for either: that takes its time. */
static bool
may_use(struct checker *c, size_t target)
{
	return c->flow->order == NULL ||
		c->flow->faults.count > FLOW_FAULTS_MAX ||
		is_before(c, &c->flow->steps[target]);
}

__attribute__((format(printf, 2, 3))) static void
fault(struct checker *c, const char *fmt, ...)
{
	char text[WV_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	flow_fault(c->flow, c->at.s, "reference", "%s", text);
}

static void
check_member(struct checker *c, const char *pointer, const char *rest)
{
	char *name;
	size_t i = 0;

	if (*rest == '\0')
		return;
	rest++;
	name = wv_dupn(c->flow->faults.arena, rest, strcspn(rest, "/"));
	while (frame_members[i] && strcmp(frame_members[i], name) != 0)
		i++;
	if (frame_members[i] == NULL)
		fault(c, "%s: a step has no member \"%s\"%s", pointer, name,
			flow_nearest(c->flow, name, frame_members));
}

/* A pointer that begins with /steps/. */
static void
check_step(struct checker *c, const struct map_reference *reference)
{
	const char *pointer = reference->pointer;
	const char *id = pointer + strlen("/steps/");
	char *name = wv_dupn(c->flow->faults.arena, id, strcspn(id, "/"));
	const size_t *index = wv_map_find(&c->flow->ids, name);

	if (index == NULL) {
		fault(c, "%s: there is no step \"%s\"%s", pointer, name,
			flow_nearest(c->flow, name, c->flow->id_list));
		return;
	}
	check_member(c, pointer, id + strlen(name));
	if (c->step == NULL)
		return;
	if (!may_use(c, *index))
		fault(c,
			"%s: step \"%s\" does not come before \"%s\": it has "
			"to be in needs",
			pointer, c->flow->steps[*index].id, c->step->id);
	else if (reference->otherwise == NULL && !c->is_used[*index]) {
		c->is_used[*index] = true;
		c->used[c->used_count++] = *index;
	}
}

static bool
begins(const char *pointer, const char *token)
{
	size_t n = strlen(token);

	return strncmp(pointer, token, n) == 0 &&
		(pointer[n] == '\0' || pointer[n] == '/');
}

/* Names of members, NULL-terminated. */
static const char **
names_of(struct wv_arena *arena, const cJSON *object)
{
	const char **names =
		wv_alloc(arena, (wv_count(object) + 1) * sizeof(*names));
	size_t n = 0;

	wv_json_each(member, object)
		names[n++] = member->string;
	names[n] = NULL;
	return names;
}

/* What the schema of the input says of it. */
static void
check_input(struct checker *c, const struct map_reference *reference)
{
	struct flow *flow = c->flow;
	struct wv_arena *arena = flow->faults.arena;
	const char *pointer = reference->pointer, *near = "";
	struct shape shape;

	shape_at(&shape, arena, wv_get(flow->doc.root, "input_schema"),
		pointer + strlen("/input"));
	if (shape.known != NULL)
		near = flow_nearest(
			flow, shape.name, names_of(arena, shape.known));
	if (shape.is_refused)
		fault(c, "%s: input_schema has no member \"%s\"%s", pointer,
			shape.name, near);
	else if (*near != '\0')
		flow_doubt(flow, c->at.s, "input",
			"%s: input_schema does not tell of \"%s\"%s", pointer,
			shape.name, near);
	else if (shape.is_optional && reference->otherwise == NULL)
		flow_doubt(flow, c->at.s, "input",
			"%s: input_schema does not require \"%s\", and there "
			"is no default",
			pointer, shape.name);
}

static void
check_pointer(struct checker *c, const struct map_reference *reference)
{
	const char *s = reference->pointer;

	if (strncmp(s, "/steps/", 7) == 0)
		check_step(c, reference);
	else if (begins(s, "/item") && !c->has_item)
		fault(c,
			"%s: there is an item only in the arguments of a step "
			"with for_each",
			s);
	else if (begins(s, "/input"))
		check_input(c, reference);
	else if (!begins(s, "/item"))
		fault(c, "%s: a reference begins with /input or /steps/ID", s);
}

static bool
is_pointer(const cJSON *value)
{
	return wv_is_string(value) && value->valuestring[0] == '/';
}

/* Objects that may be meant as references: told, unless they are fine. */
static bool
check_reference(struct checker *c, const cJSON *object)
{
	struct map_reference reference;

	if (map_reference_read(&reference, object)) {
		check_pointer(c, &reference);
		if (c->step == NULL && reference.is_handle)
			fault(c,
				"handle is for arguments: what is stored goes "
				"to tools only");
		return true;
	}
	if (wv_mapping_sole(object, "from") != NULL ||
		wv_mapping_sole(object, "handle") != NULL) {
		fault(c,
			"%s needs a JSON pointer such as /input/name; an "
			"object that is meant as it is, is {value: …}",
			object->child->string);
		return true;
	}
	if (is_pointer(wv_get(object, "from")) ||
		is_pointer(wv_get(object, "handle"))) {
		fault(c,
			"a reference has no member but from or handle, and "
			"default; an object that is meant as it is, is "
			"{value: …}");
		return true;
	}
	return wv_mapping_sole(object, "value") != NULL;
}

/* As deep as the file, whose depth the reader bounds. */
static void
check_node(struct checker *c, const cJSON *node)
{
	size_t at = c->at.n, i = 0;

	if (wv_is_object(node) && check_reference(c, node))
		return;
	if (!wv_is_object(node) && !wv_is_array(node))
		return;
	wv_json_each(child, node) {
		if (wv_is_array(node))
			wv_str_fmt(&c->at, "/%zu", i++);
		else
			wv_pointer_add(&c->at, child->string);
		check_node(c, child);
		c->at.n = at;
		c->at.s[at] = '\0';
	}
}

static void
set_place(struct checker *c, const char *pointer)
{
	c->at.n = 0;
	wv_str_cat(&c->at, pointer);
}

static void
check_written(struct checker *c, const cJSON *written, const char *pointer)
{
	const cJSON *value = wv_mapping_sole(written, "value");

	set_place(c, pointer);
	if (value != NULL && !wv_is_object(value))
		fault(c,
			"{value: …} has to be an object here: a member that is "
			"called value is {value: {value: …}}");
	if (written != NULL)
		check_node(c, written);
}

/* {from, default?} among other members. */
static void
check_value(struct checker *c, const cJSON *written, const char *pointer)
{
	const struct map_reference reference = {
		.pointer = wv_get_string(written, "from"),
		.otherwise = wv_get(written, "default"),
	};

	if (written == NULL)
		return;
	set_place(c, pointer);
	wv_str_cat(&c->at, "/from");
	check_pointer(c, &reference);
}

static void
check_conditions(struct checker *c, const struct flow_step *step)
{
	const char *pointer = flow_at(c->flow, step->index, "if");

	for (size_t i = 0; i < step->condition_count; i++) {
		const cJSON *value = step->conditions[i].value;
		bool is_listed = value->string == NULL;
		check_value(c, value,
			is_listed ? wv_printf(c->flow->faults.arena, "%s/%zu",
					    pointer, i)
				  : pointer);
	}
}

static int
compare(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void
take_uses(struct checker *c, struct wv_arena *arena)
{
	struct flow_step *step = c->step;
	size_t n = c->used_count;

	step->uses = wv_alloc(arena, (n + 1) * sizeof(*step->uses));
	step->use_count = n;
	for (size_t i = 0; i < n; i++) {
		step->uses[i] = c->used[i];
		c->is_used[c->used[i]] = false;
	}
	qsort(step->uses, n, sizeof(*step->uses), compare);
	c->used_count = 0;
}

static void
check_of_step(struct checker *c, struct wv_arena *arena, struct flow_step *step)
{
	c->step = step;
	c->has_item = false;
	check_conditions(c, step);
	check_value(
		c, step->for_each, flow_at(c->flow, step->index, "for_each"));
	c->has_item = step->for_each != NULL;
	check_written(
		c, step->arguments, flow_at(c->flow, step->index, "arguments"));
	take_uses(c, arena);
}

void
map_check(struct flow *flow, struct wv_arena *arena)
{
	struct checker c = {
		.flow = flow,
		.seen = wv_alloc_zero(arena, flow->count * sizeof(*c.seen)),
		.stack = wv_alloc(arena, flow->count * sizeof(*c.stack)),
		.is_used = wv_alloc_zero(arena, flow->count),
		.used = wv_alloc(arena, flow->count * sizeof(*c.used)),
	};

	for (size_t i = 0; i < flow->count; i++)
		check_of_step(&c, arena, &flow->steps[i]);
	c.step = NULL;
	c.has_item = false;
	check_written(&c, flow->outputs, "/outputs");
	wv_str_free(&c.at);
}
