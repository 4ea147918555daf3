/* SPDX-License-Identifier: Apache-2.0 */
#include "lifecycle.h"

#include "things.h"

#include "base/msg.h"
#include "json/num.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lifecycle {
	struct watch watch;
	struct walk *walk;
	struct wv_arena arena; /* of a line */
	struct things things;
	uint64_t seq;    /* of the line */
	bool is_late;    /* lines before the first one, or lost ones, are not
			    here */
	uint64_t unsure; /* what may be explained by lines that are not here */
};

#define FIND(l, kind, ...) \
	things_find(&(l)->things, kind, \
		(const char *const[]){ __VA_ARGS__, NULL })

/* For the lack of something earlier. */
static void
lacks(struct lifecycle *l, const char *what, const char *id, const char *why)
{
	if (l->is_late)
		l->unsure++;
	else
		walk_fault(l->walk, "%s %s %s", what, id, why);
}

static const char *
text_of(const cJSON *object, const char *name)
{
	const char *text = wv_get_string(object, name);

	return text != NULL ? text : "";
}

/* Of capability and principal. */
static uint64_t
who(struct lifecycle *l, const cJSON *event)
{
	const char *parts[] = { text_of(event, "capability_id"),
		text_of(event, "principal"), NULL };

	return things_hash(&l->things, parts) / BITS * BITS;
}

static void
see_authorized(struct lifecycle *l, const cJSON *event)
{
	const char *id = text_of(event, "decision_id");
	uint64_t value = who(l, event) | BEGUN;
	struct thing *decision = FIND(l, DECISION, id);

	if (decision->value & BEGUN)
		walk_fault(l->walk, "decision %s was authorized before", id);
	decision->value = value | (decision->value & ENDED);
}

static void
see_frame(struct lifecycle *l, const cJSON *event)
{
	const cJSON *trace = wv_get(wv_get(event, "metadata"), "x_wv_trace");
	const char *id = wv_get_string(event, "frame_id");
	int64_t redactions;

	if (id == NULL || !wv_is_number(wv_get(trace, "redactions")) ||
		!wv_num_int64(wv_get(trace, "redactions"), &redactions) ||
		redactions <= 0)
		return;
	struct thing *frame = FIND(l, FRAME, id);
	frame->value |= l->seq * BITS | BEGUN;
}

static void
see_executed(struct lifecycle *l, const cJSON *event)
{
	const char *id = text_of(event, "decision_id");
	uint64_t value = who(l, event);
	struct thing *decision = FIND(l, DECISION, id);

	if (decision->value & ENDED)
		walk_fault(l->walk, "decision %s was executed before", id);
	else if (decision->value & VOID)
		walk_fault(l->walk,
			"decision %s was never committed, and is executed", id);
	else if (!(decision->value & BEGUN))
		lacks(l, "decision", id, "was not authorized before");
	else if (decision->value / BITS * BITS != value)
		walk_fault(l->walk,
			"decision %s was authorized for another capability or "
			"principal",
			id);
	decision->value = value | BEGUN | ENDED;
	see_frame(l, event);
}

static void
see_denied(struct lifecycle *l, const cJSON *event)
{
	const char *id = wv_get_string(event, "decision_id");

	if (id != NULL &&
		strcmp(text_of(wv_get(event, "metadata"), "x_wv_code"),
			"not_committed") == 0)
		FIND(l, DECISION, id)->value |= VOID;
}

static void
see_applied(struct lifecycle *l, const cJSON *event)
{
	const char *id = wv_get_string(event, "frame_id");

	if (id != NULL)
		FIND(l, FRAME, id)->value |= ENDED;
}

static void
see_created(struct lifecycle *l, const cJSON *event)
{
	const char *id = wv_get_string(event, "frame_id");

	if (id != NULL && !(FIND(l, FRAME, id)->value & ENDED))
		lacks(l, "Frame", id,
			"has a Handle, and no firewall_applied before it");
}

static const char *
number_text(struct lifecycle *l, const cJSON *node)
{
	int64_t value;

	return wv_is_number(node) && wv_num_int64(node, &value)
		? wv_printf(&l->arena, "%" PRId64, value)
		: "";
}

/* Of a leg value / BITS is how many steps are under way. */
static void
see_step(struct lifecycle *l, const char *const ids[3], bool begins)
{
	const char *id = ids[2];
	struct thing *step = FIND(l, STEP, ids[0], ids[1], id);
	uint64_t was = step->value & (BEGUN | ENDED);

	step->value |= begins ? BEGUN : BEGUN | ENDED;
	if (begins && was != 0)
		walk_fault(l->walk, "step %s began before", id);
	else if (!begins && (was & ENDED))
		walk_fault(l->walk, "step %s was completed before", id);
	else if (!begins && was == 0)
		lacks(l, "step", id, "did not begin before");
	struct thing *leg = FIND(l, LEG, ids[0], ids[1]);
	if (leg->value & ENDED)
		walk_fault(l->walk, "the leg of step %s has ended before", id);
	if (begins && was == 0)
		leg->value += BITS;
	else if (!begins && was == BEGUN && leg->value >= BITS)
		leg->value -= BITS;
	leg->value |= BEGUN;
}

static void
see_leg(struct lifecycle *l, const char *const ids[3], bool begins)
{
	struct thing *leg = FIND(l, LEG, ids[0], ids[1]);
	uint64_t was = leg->value;

	leg->value |= BEGUN;
	if (begins && was != 0)
		walk_fault(l->walk, "run %s began before", ids[0]);
	if (begins)
		return;
	if (was & ENDED)
		walk_fault(l->walk, "leg %s of run %s ended before", ids[1],
			ids[0]);
	else if (was / BITS > 0)
		walk_fault(l->walk,
			"leg %s of run %s ends with %" PRIu64
			" steps that began and were not completed",
			ids[1], ids[0], was / BITS);
	leg->value = BEGUN | ENDED;
}

static void
see_flow(struct lifecycle *l, const cJSON *event, const char *what)
{
	const cJSON *run = wv_get(wv_get(event, "metadata"), "x_wv_run");
	const char *ids[] = { wv_get_string(run, "run_id"),
		number_text(l, wv_get(run, "leg")), text_of(run, "step_id") };
	bool begins = strcmp(what, "started") == 0 ||
		strcmp(what, "step_started") == 0;

	if (ids[0] == NULL)
		return;
	if (strncmp(what, "step_", 5) == 0)
		see_step(l, ids, begins);
	else
		see_leg(l, ids, begins);
}

static void
see(struct watch *watch, const char *line, size_t len)
{
	struct lifecycle *l = (struct lifecycle *)watch;

	if (l->things.is_full)
		return;
	wv_arena_reset(&l->arena);
	const cJSON *event =
		wv_json_read(&l->arena, line, len, &wv_json_defaults, NULL);
	const char *type = text_of(event, "event_type");
	if (wv_get(wv_get(event, "metadata"), "x_wv_source") != NULL)
		return;
	if (strcmp(type, "capability_authorized") == 0)
		see_authorized(l, event);
	else if (strcmp(type, "capability_executed") == 0)
		see_executed(l, event);
	else if (strcmp(type, "capability_denied") == 0)
		see_denied(l, event);
	else if (strcmp(type, "firewall_applied") == 0)
		see_applied(l, event);
	else if (strcmp(type, "handle_created") == 0)
		see_created(l, event);
	else if (strncmp(type, "flow_", 5) == 0)
		see_flow(l, event, type + 5);
}

static void
see_link(struct watch *watch, uint64_t seq, const char *hash)
{
	struct lifecycle *l = (struct lifecycle *)watch;

	(void)hash;
	if (l->seq == 0 && seq > 1)
		l->is_late = true;
	l->seq = seq;
}

static void
see_lost(struct watch *watch, uint64_t seq)
{
	struct lifecycle *l = (struct lifecycle *)watch;

	(void)seq;
	l->is_late = true;
}

struct lifecycle *
lifecycle_new(void)
{
	struct lifecycle *l = wv_xcalloc(1, sizeof(*l));

	l->watch.link = see_link;
	l->watch.lost = see_lost;
	l->watch.line = see;
	return l;
}

struct watch *
lifecycle_watch(struct lifecycle *l)
{
	return &l->watch;
}

void
lifecycle_on(struct lifecycle *l, struct walk *walk)
{
	l->walk = walk;
}

static int
by_number(const void *p, const void *q)
{
	const uint64_t *a = p, *b = q;

	return (*a > *b) - (*a < *b);
}

/* What was to come, and did not; legs that did not end may go on. */
static void
tell_open(struct lifecycle *l)
{
	uint64_t *frames = wv_xcalloc(l->things.count + 1, sizeof(*frames));
	uint64_t count = 0, legs = 0;

	for (size_t i = 0; i < l->things.room; i++) {
		const struct thing *thing = &l->things.slots[i];
		bool is_open = thing->key != 0 && !thing_is_over(thing);
		if (is_open && thing->key % KINDS == FRAME &&
			(thing->value & BEGUN))
			frames[count++] = thing->value / BITS;
		legs += is_open && thing->key % KINDS == LEG;
	}
	qsort(frames, count, sizeof(*frames), by_number);
	for (uint64_t i = 0; i < count; i++)
		walk_fault(l->walk,
			"the Frame of the event of seq %" PRIu64
			" was redacted, and has no firewall_applied",
			frames[i]);
	free(frames);
	if (legs > 0)
		walk_note(l->walk, "%" PRIu64 " legs of flows have not ended",
			legs);
}

bool
lifecycle_end(struct lifecycle *l)
{
	tell_open(l);
	if (l->unsure > 0)
		walk_note(l->walk,
			"what %" PRIu64 " events need may stand in lines that "
			"are not here",
			l->unsure);
	if (l->things.is_full)
		wv_warn("--lifecycle: more than %d decisions, Frames, steps "
			"and runs are open at once: the rest was not judged",
			THINGS_MOST);
	return !l->things.is_full;
}

void
lifecycle_free(struct lifecycle *l)
{
	if (l == NULL)
		return;
	wv_arena_free(&l->arena);
	things_free(&l->things);
	free(l);
}
