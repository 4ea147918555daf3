/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "contract/contract.h"
#include "json/jcs.h"
#include "json/num.h"

#include <string.h>

static void
rule_out(struct request *request, const char *code, const char *why)
{
	if (request->fault == NULL) {
		request->fault_code = code;
		request->fault = why;
	}
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
request_check(
	const struct wv_record *rec, struct wv_arena *arena, struct wv_err *err)
{
	struct wv_schema_error *e = NULL;
	int valid =
		wv_contract_check(WV_ROUTING_DECISION, rec->tree, arena, &e);

	if (valid == 0) {
		while (e != NULL && is_about_selection(e))
			e = e->next;
		if (e == NULL)
			return 0;
	}
	return valid == 1
		? 0
		: wv_contract_require(WV_ROUTING_DECISION, rec->tree, err);
}

void
request_read(const struct authorizer *a, struct request *request,
	const struct wv_record *rec, struct wv_arena *arena)
{
	cJSON *metadata = wv_get(rec->tree, "metadata");

	*request = (struct request){
		.source = rec->source,
		.line = rec->line,
		.routing = rec->tree,
		.justification = wv_get(metadata, "x_wv_justification"),
	};
	wv_selection_read(&request->selection, rec->tree);
	if (request->selection.end != WV_SELECTED)
		rule_out(request, "no_selection", request->selection.why);
	else if (!wv_id_is_kernel(request->selection.capability_id))
		rule_out(request, "unknown_capability",
			"what was selected has a capability id that the "
			"kernel does not accept");
	else if (a->has_catalog)
		request->capability = wv_catalog_find(
			&a->catalog, request->selection.capability_id);
	read_arguments(request, metadata, arena);
	read_timeout(request, metadata);
}
