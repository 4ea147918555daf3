/* SPDX-License-Identifier: Apache-2.0 */
/* The types that what a reference leads to can have. */
#include "linter.h"

#include "shape.h"

#include <string.h>

static const struct {
	const char *member, *type;
} frame_members[] = {
	{ "frame_id", "string" },
	{ "capability_id", "string" },
	{ "summary", "string" },
	{ "handle_refs", "array" },
	{ "redaction_notes", "array" },
	{ "created_at", "string" },
};

static unsigned
any(struct linter *l, const cJSON *schema, const char *pointer)
{
	struct shape shape;

	shape_at(&shape, l->arena, schema, schema ? pointer : "");
	return shape.types;
}

/* Of a member of a step's Frame; what is in its data is known of a flow, whose
 * failure is not seen there as an error. */
static unsigned
types_of_frame(
	struct linter *l, const struct flow_step *step, const char *pointer)
{
	static const char data[] = "structured_data";
	size_t n = strcspn(pointer, "/");

	for (size_t i = 0; i < sizeof(frame_members) / sizeof(*frame_members);
		i++)
		if (strcmp(frame_members[i].member, pointer) == 0)
			return shape_type(frame_members[i].type);
	if (n != strlen(data) || strncmp(pointer, data, n) != 0 ||
		step->flow == NULL || step->for_each != NULL ||
		step->on_error != FLOW_FAIL)
		return any(l, NULL, "");
	return any(
		l, wv_get(step->flow->doc.root, "output_schema"), pointer + n);
}

unsigned
lint_types(struct linter *l, const struct flow *flow, const char *pointer)
{
	static const char input[] = "/input", steps[] = "/steps/";
	const char *id = pointer + strlen(steps);
	const size_t *index;
	size_t n;

	if (strncmp(pointer, input, strlen(input)) == 0)
		return any(l, wv_get(flow->doc.root, "input_schema"),
			pointer + strlen(input));
	if (strncmp(pointer, steps, strlen(steps)) != 0)
		return any(l, NULL, "");
	n = strcspn(id, "/");
	index = wv_map_find(&flow->ids, wv_dupn(l->arena, id, n));
	if (index == NULL || id[n] == '\0')
		return any(l, NULL, "");
	return types_of_frame(l, &flow->steps[*index], id + n + 1);
}
