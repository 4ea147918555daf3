/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"

#include "words.h"

#include <stdlib.h>

const char *const kind_names[] = {
	[KIND_USER_TURN] = "user_turn",
	[KIND_AGENT_MSG] = "agent_msg",
	[KIND_TOOL_CALL] = "tool_call",
	[KIND_TOOL_RESULT] = "tool_result",
	[KIND_DOC_SNIPPET] = "doc_snippet",
	[KIND_RETRIEVED_DOC] = "retrieved_doc",
	[KIND_MEMORY_FACT] = "memory_fact",
	[KIND_PLAN_STATE] = "plan_state",
	[KIND_POLICY] = "policy",
	NULL,
};

const char *const level_names[] = { "public", "internal", "confidential",
	"restricted", NULL };
const char *const phase_names[] = { "route", "call", "interpret", "answer",
	NULL };
const char *const history_formats[] = { "items", "openai", "anthropic", NULL };
const char *const reason_names[] = { "", "sensitivity", "pair", "duplicate",
	"limit", "budget", NULL };

const struct weights default_weights = {
	.recency = 0.30,
	.match = 0.25,
	.kind = 0.35,
	.cost = 0.10,
	.kinds = {
		[KIND_POLICY] = 1.0,
		[KIND_PLAN_STATE] = 0.9,
		[KIND_USER_TURN] = 0.85,
		[KIND_AGENT_MSG] = 0.7,
		[KIND_TOOL_CALL] = 0.6,
		[KIND_TOOL_RESULT] = 0.55,
		[KIND_MEMORY_FACT] = 0.5,
		[KIND_RETRIEVED_DOC] = 0.45,
		[KIND_DOC_SNIPPET] = 0.4,
	},
};

bool
phase_allows(enum phase phase, enum item_kind kind)
{
	static const unsigned route =
		1 << KIND_USER_TURN | 1 << KIND_PLAN_STATE | 1 << KIND_POLICY;
	static const unsigned kinds[] = {
		[PHASE_ROUTE] = route,
		[PHASE_CALL] =
			route | 1 << KIND_AGENT_MSG | 1 << KIND_TOOL_CALL,
		[PHASE_INTERPRET] = ~0U,
		[PHASE_ANSWER] = ~0U,
	};

	return (kinds[phase] >> kind & 1) != 0;
}

void
build_drop(struct build *b, const struct label *label, enum reason reason)
{
	b->drops = wv_list_room(b->drops, b->drop_count, sizeof(*b->drops));
	b->drops[b->drop_count++] =
		(struct drop){ label->id, label->kind, reason };
}

void
build_free(struct build *b)
{
	for (size_t i = 0; i < b->item_count; i++) {
		wv_str_free(&b->items[i].summary);
		wv_str_free(&b->items[i].data);
		wv_str_free(&b->items[i].note);
		wv_str_free(&b->items[i].focus);
	}
	free(b->items);
	free(b->drops);
	words_free(b->words);
	wv_str_free(&b->header);
	wv_str_free(&b->text);
	wv_arena_free(&b->arena);
	wv_arena_free(&b->scratch);
}
