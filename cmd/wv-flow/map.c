/* SPDX-License-Identifier: Apache-2.0 */
#include "map.h"

#include "json/mapping.h"

#include <string.h>

/* The members of a Frame that a flow may use. */
static const char *const frame_members[] = { "frame_id", "capability_id",
	"summary", "structured_data", "handle_refs", "redaction_notes",
	"created_at", NULL };

struct checker {
	struct flow_faults *faults;
	const struct flow *flow;
	struct wv_arena *arena;
	const struct flow_step *step; /* NULL: outputs */
	struct wv_str at;             /* pointer of what is looked at */
	struct map_walk *walk;
};

/* The step needs the target, directly or through others. */
static bool
is_before(struct checker *c, size_t target)
{
	struct map_walk *walk = c->walk;
	size_t n = 0;

	walk->turn++;
	walk->stack[n++] = c->step->index;
	while (n > 0) {
		const struct flow_step *step =
			&c->flow->steps[walk->stack[--n]];
		for (size_t i = 0; i < step->need_count; i++) {
			size_t need = step->needs[i];
			if (need == target)
				return true;
			if (walk->seen[need] == walk->turn)
				continue;
			walk->seen[need] = walk->turn;
			walk->stack[n++] = need;
		}
	}
	return false;
}

/* A pointer that begins with /steps/. */
static void
check_step_pointer(struct checker *c, const char *pointer)
{
	const char *id = pointer + strlen("/steps/"), *rest;
	char *name = wv_dupn(c->arena, id, strcspn(id, "/"));
	const size_t *index = wv_map_find(&c->flow->ids, name);
	size_t i = 0;

	if (index == NULL) {
		flow_fault(c->faults, c->at.s, "%s: there is no step \"%s\"%s",
			pointer, name,
			flow_nearest(
				c->faults, c->arena, name, c->flow->id_list));
		return;
	}
	rest = id + strlen(name);
	rest += *rest == '/';
	name = wv_dupn(c->arena, rest, strcspn(rest, "/"));
	while (frame_members[i] && strcmp(frame_members[i], name) != 0)
		i++;
	if (*rest != '\0' && frame_members[i] == NULL)
		flow_fault(c->faults, c->at.s,
			"%s: a step has no member \"%s\"%s", pointer, name,
			flow_nearest(c->faults, c->arena, name, frame_members));
	if (c->step != NULL && !is_before(c, *index))
		flow_fault(c->faults, c->at.s,
			"%s: step \"%s\" does not come before \"%s\": it has "
			"to be in needs",
			pointer, c->flow->steps[*index].id, c->step->id);
}

static void
check_from(struct checker *c, const cJSON *from)
{
	const char *s = wv_is_string(from) ? from->valuestring : "";

	if (!wv_mapping_is_pointer(s))
		flow_fault(c->faults, c->at.s,
			"from needs a JSON pointer such as /input/name; an "
			"object that is meant as it is, is {value: …}");
	else if (strncmp(s, "/steps/", 7) == 0)
		check_step_pointer(c, s);
	else if (strcmp(s, "/input") != 0 && strncmp(s, "/input/", 7) != 0)
		flow_fault(c->faults, c->at.s,
			"%s: a reference begins with /input or /steps/ID", s);
}

/* Objects that may be meant as references: told, unless they are fine. */
static bool
check_reference(struct checker *c, const cJSON *node)
{
	const cJSON *from = wv_get(node, "from");
	const cJSON *handle = wv_get(node, "handle");

	if (wv_mapping_sole(node, "handle") != NULL ||
		(wv_is_string(handle) && handle->valuestring[0] == '/')) {
		flow_fault(c->faults, c->at.s,
			"this version takes arguments from literals, from and "
			"value only");
		return true;
	}
	if (wv_mapping_sole(node, "from") != NULL) {
		check_from(c, from);
		return true;
	}
	if (wv_is_string(from) && from->valuestring[0] == '/') {
		flow_fault(c->faults, c->at.s,
			"a reference has no member but from; an object that "
			"is meant as it is, is {value: …}");
		return true;
	}
	return wv_mapping_sole(node, "value") != NULL;
}

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

void
map_walk_init(
	struct map_walk *walk, struct wv_arena *arena, const struct flow *flow)
{
	*walk = (struct map_walk){ .seen = wv_alloc_zero(arena,
					   flow->count * sizeof(*walk->seen)),
		.stack = wv_alloc(arena, flow->count * sizeof(*walk->stack)) };
}

void
map_check(struct flow_faults *faults, struct wv_arena *arena,
	struct map_walk *walk, const cJSON *written, const char *pointer,
	const struct flow_step *step)
{
	struct checker c = { .faults = faults,
		.flow = faults->flow,
		.arena = arena,
		.walk = walk,
		.step = step };
	const cJSON *value = wv_mapping_sole(written, "value");

	wv_str_cat(&c.at, pointer);
	if (value != NULL && !wv_is_object(value))
		flow_fault(faults, pointer,
			"{value: …} has to be an object here: a member that is "
			"called value is {value: {value: …}}");
	check_node(&c, written);
	wv_str_free(&c.at);
}

static const cJSON *
follow(const void *arg, const char *pointer)
{
	static const char input[] = "/input", steps[] = "/steps/";
	const struct map_scope *scope = arg;
	char id[65];
	const size_t *index;
	size_t n;

	if (strncmp(pointer, steps, strlen(steps)) != 0)
		return wv_pointer(scope->input, pointer + strlen(input));
	pointer += strlen(steps);
	n = strcspn(pointer, "/");
	memcpy(id, pointer, n); /* the schema bounds ids to 64 characters */
	id[n] = '\0';
	index = wv_map_find(&scope->flow->ids, id);
	return wv_pointer(scope->frames[*index], pointer + n);
}

cJSON *
map_resolve(struct wv_arena *arena, const cJSON *written,
	const struct map_scope *scope, struct wv_err *err)
{
	if (written == NULL)
		return wv_json_object(arena);
	return wv_mapping_resolve(arena, written, follow, scope, err);
}
