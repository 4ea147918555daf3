/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "contract/contract.h"
#include "json/jcs.h"
#include "json/num.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void
rule_out(struct request *request, const char *code, const char *why)
{
	if (request->fault == NULL) {
		request->fault_code = code;
		request->fault = why;
	}
}

static int
by_folded_name(const void *a, const void *b)
{
	return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* Two names that are one but for the case of ASCII letters: a tool that reads
 * names that way would take what no rule has looked at. */
static bool
has_twins(const cJSON *object, struct wv_arena *arena)
{
	size_t n = wv_count(object), i = 0;

	if (n < 2)
		return false;
	const char **names = wv_alloc(arena, n * sizeof *names);
	wv_json_each(member, object)
		names[i++] = member->string;
	qsort(names, n, sizeof *names, by_folded_name);
	for (i = 1; i < n; i++) {
		if (strcasecmp(names[i - 1], names[i]) == 0)
			return true;
	}
	return false;
}

/* As deep as the reader lets a record be. */
static bool
has_twins_within(const cJSON *value, struct wv_arena *arena)
{
	if (wv_is_object(value) && has_twins(value, arena))
		return true;
	wv_json_each(child, value) {
		if (child->child != NULL && has_twins_within(child, arena))
			return true;
	}
	return false;
}

static void
read_references(struct request *request, struct wv_arena *arena)
{
	cJSON *found[WV_REFERENCES_MAX];
	size_t count = wv_references(request->arguments, found);

	if (count > WV_REFERENCES_MAX) {
		rule_out(request, "arguments_invalid",
			wv_printf(arena,
				"the arguments have more than %d references "
				"to Handles",
				WV_REFERENCES_MAX));
		return;
	}
	for (size_t i = 0; i < count; i++)
		request->references[i] = wv_reference(found[i]);
	request->reference_count = count;
	if (wv_reference(request->arguments) != NULL)
		rule_out(request, "arguments_invalid",
			"metadata.x_wv_arguments as a whole is a reference to "
			"a Handle");
}

static void
read_arguments(struct request *request, cJSON *metadata, struct wv_arena *arena)
{
	cJSON *arguments = wv_take(metadata, "x_wv_arguments");

	if (arguments == NULL)
		arguments = wv_json_object(arena);
	if (!wv_is_object(arguments)) {
		rule_out(request, "arguments_invalid",
			"metadata.x_wv_arguments is not an object");
		return;
	}
	request->arguments = arguments;
	wv_json_digest(request->arguments_sha256, arguments);
	if (has_twins_within(arguments, arena))
		rule_out(request, "arguments_invalid",
			"two members of an object in the arguments have names "
			"that differ in case only");
	read_references(request, arena);
}

static void
read_timeout(struct request *request, const cJSON *metadata)
{
	const cJSON *timeout = wv_get(metadata, "x_wv_timeout_ms");

	if (timeout == NULL)
		return;
	if (!wv_is_number(timeout) ||
		!wv_num_int64(timeout, &request->timeout_ms) ||
		request->timeout_ms <= 0)
		rule_out(request, "arguments_invalid",
			"metadata.x_wv_timeout_ms is not a positive integer");
}

/* A selection that cannot be used is answered; all else that is wrong with a
 * record is not. */
static bool
is_about_selection(const struct wv_schema_error *error)
{
	return strcmp(error->keyword, "selected-item") == 0 ||
		strcmp(error->keyword, "unique-item-ids") == 0;
}

int
request_check(const cJSON *routing, struct wv_arena *arena, struct wv_err *err)
{
	struct wv_schema_error *e = NULL;
	int valid = wv_contract_check(WV_ROUTING_DECISION, routing, arena, &e);

	if (valid == 0) {
		while (e != NULL && is_about_selection(e))
			e = e->next;
		if (e == NULL)
			return 0;
	}
	return valid == 1
		? 0
		: wv_contract_require(WV_ROUTING_DECISION, routing, err);
}

void
request_read(const struct authorizer *a, struct request *request,
	cJSON *routing, struct wv_arena *arena)
{
	cJSON *metadata = wv_get(routing, "metadata");

	*request = (struct request){
		.routing = routing,
		.justification = wv_get(metadata, "x_wv_justification"),
	};
	wv_selection_read(&request->selection, routing);
	if (request->selection.end != WV_SELECTED)
		rule_out(request, "no_selection", request->selection.why);
	else if (!wv_id_is_kernel(request->selection.capability_id))
		rule_out(request, "unknown_capability",
			wv_printf(arena,
				"what was selected has a capability id that "
				"the kernel does not accept: %s",
				wv_id_fault(arena,
					request->selection.capability_id)));
	else if (a->has_catalog)
		request->capability = wv_catalog_find(
			&a->catalog, request->selection.capability_id);
	read_arguments(request, metadata, arena);
	read_timeout(request, metadata);
}
