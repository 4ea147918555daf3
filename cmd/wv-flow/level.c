/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "run.h"

/* What waits to begin: a node, or one of its tasks. */
struct ready {
	struct node *node;
	struct task *task; /* NULL: the node */
};

void
ready_add(struct run *run, struct node *node, struct task *task)
{
	struct ready *ready = wv_alloc(run->arena, sizeof(*ready));
	const struct level *level = node->level;

	*ready = (struct ready){ node, task };
	while (level->outer != NULL) {
		node = level->outer->node;
		level = node->level;
	}
	heap_add(&run->ready, (int64_t)level->places[node->step->index], ready);
}

void
ready_take(struct run *run)
{
	struct ready *ready = heap_take(&run->ready);

	if (ready->task != NULL)
		task_begin(ready->task);
	else
		node_begin(ready->node);
}

/* Who needs whom, the other way round. */
static void
find_consumers(struct level *level)
{
	const struct flow *flow = level->flow;
	struct wv_arena *arena = level->run->arena;
	size_t *at, *filled, total = 0;

	at = wv_alloc_zero(arena, (flow->count + 1) * sizeof(*at));
	filled = wv_alloc_zero(arena, (flow->count + 1) * sizeof(*filled));
	for (size_t i = 0; i < flow->count; i++)
		for (size_t k = 0; k < flow->steps[i].need_count; k++)
			at[flow->steps[i].needs[k] + 1]++;
	for (size_t i = 0; i < flow->count; i++)
		at[i + 1] += at[i];
	total = at[flow->count];
	level->consumers =
		wv_alloc(arena, (total + 1) * sizeof(*level->consumers));
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		for (size_t k = 0; k < step->need_count; k++) {
			size_t need = step->needs[k];
			level->consumers[at[need] + filled[need]++] =
				step->index;
		}
	}
	level->consumer_at = at;
}

static void
make_nodes(struct level *level)
{
	const struct flow *flow = level->flow;
	struct wv_arena *arena = level->run->arena;
	const char *prefix = level->outer ? task_path(level->outer) : NULL;

	level->nodes = wv_alloc_zero(arena, flow->count * sizeof(struct node));
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[i];
		struct node *node = &level->nodes[i];
		node->level = level;
		node->step = step;
		node->path = prefix
			? wv_printf(arena, "%s/%s", prefix, step->id)
			: step->id;
		node->waits = step->need_count;
		if (step->finally)
			level->finals++;
		else
			level->left++;
	}
}

/* Every node of a kind that waits for nothing. */
static void
begin_free(struct level *level, bool finally)
{
	for (size_t i = 0; i < level->flow->count; i++) {
		struct node *node = &level->nodes[level->flow->order[i]];
		if (node->waits == 0 && node->step->finally == finally)
			ready_add(level->run, node, NULL);
	}
}

struct level *
level_new(struct run *run, const struct flow *flow, const cJSON *input,
	struct task *outer)
{
	struct wv_arena *arena = run->arena;
	struct level *level = wv_alloc_zero(arena, sizeof(*level));

	level->run = run;
	level->flow = flow;
	level->input = input;
	level->outer = outer;
	level->frames = wv_alloc_zero(arena, flow->count * sizeof(cJSON *));
	level->places = wv_alloc(arena, flow->count * sizeof(size_t));
	for (size_t i = 0; i < flow->count; i++)
		level->places[flow->order[i]] = i;
	level->deadline = INT64_MAX;
	if (outer != NULL)
		level->deadline = outer->due;
	if (flow->deadline_ms > 0 &&
		later(wv_ticks(), flow->deadline_ms) < level->deadline)
		level->deadline = later(wv_ticks(), flow->deadline_ms);
	find_consumers(level);
	make_nodes(level);
	return level;
}

void
level_begin(struct level *level)
{
	if (level->left > 0)
		begin_free(level, false);
	else
		begin_free(level, true);
}

struct map_scope
level_scope(const struct level *level, const cJSON *item)
{
	return (struct map_scope){ level->flow, level->input, level->frames,
		item };
}

/* Of several failures the first in the flow's order counts, whichever came
 * first. */
static void
note_failure(struct level *level, const struct node *node)
{
	size_t place = level->places[node->step->index];

	if (!node->is_begun ||
		(level->failure.class != NULL && level->failed_at < place))
		return;
	level->failed_at = place;
	level->failure = node->failure;
	level->failure.message = wv_printf(level->run->arena, "step \"%s\": %s",
		node->step->id, node->failure.message);
}

static void
count_end(struct level *level, const struct node *node)
{
	switch (node->end) {
	case NODE_SUCCEEDED:
		level->succeeded++;
		break;
	case NODE_TOLERATED:
		level->tolerated++;
		break;
	case NODE_SKIPPED:
		level->skipped++;
		break;
	default:
		note_failure(level, node);
	}
}

void
level_settle(struct node *node, enum node_end end)
{
	struct level *level = node->level;
	size_t index = node->step->index;

	node->end = end;
	count_end(level, node);
	for (size_t i = level->consumer_at[index];
		i < level->consumer_at[index + 1]; i++) {
		struct node *consumer = &level->nodes[level->consumers[i]];
		if (--consumer->waits == 0 &&
			(!consumer->step->finally || level->left == 0))
			ready_add(level->run, consumer, NULL);
	}
	if (node->step->finally)
		level->finals--;
	else if (--level->left == 0)
		begin_free(level, true);
	if (level->left == 0 && level->finals == 0 && level->outer != NULL)
		task_level_over(level->outer);
}

/* What the steps that nothing needs have to say, by step. */
static cJSON *
last_data(struct level *level)
{
	struct wv_arena *arena = level->run->arena;
	const struct flow *flow = level->flow;
	cJSON *data = wv_json_object(arena);

	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		const cJSON *value =
			wv_get(level->frames[step->index], "structured_data");
		if (step->is_needed || step->finally)
			continue;
		cJSON *copy = value ? wv_json_copy(arena, value)
				    : wv_json_null(arena);
		copy->string = wv_dup(arena, step->id);
		wv_push(data, copy);
	}
	return data;
}

/* What is wrong with a value, if its schema refuses it. */
bool
level_check(struct level *level, const struct wv_schema *schema,
	const cJSON *value, const char *what, struct failure *failure)
{
	struct wv_schema_error *error = NULL;
	struct wv_arena *arena = level->run->arena;

	if (schema == NULL || wv_schema_valid(schema, value) == 1)
		return true;
	wv_schema_errors(schema, value, WV_BRANCH_NEAREST, arena, 1, &error);
	*failure = (struct failure){ "schema_validation",
		wv_printf(arena, "%s%s: %s", what, error ? error->instance : "",
			error ? error->message : "could not be judged"),
		false };
	return false;
}

cJSON *
level_outputs(struct level *level, struct failure *failure)
{
	struct map_scope scope = level_scope(level, NULL);
	struct wv_arena *arena = level->run->arena;
	struct wv_err err = WV_ERR_INIT;
	const struct flow *flow = level->flow;
	cJSON *data;

	*failure = level->failure;
	if (failure->class != NULL)
		return NULL;
	data = flow->outputs == NULL
		? last_data(level)
		: map_resolve(arena, flow->outputs, &scope, &err);
	if (data == NULL)
		*failure = (struct failure){ "schema_validation",
			wv_printf(arena, "outputs: %s", err.text), false };
	else if (!level_check(
			 level, flow->output_schema, data, "output", failure))
		data = NULL;
	return data;
}
