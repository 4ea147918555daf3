/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance.h"

#include "base/msg.h"

#include <string.h>

struct corpus {
	struct result *result;
	struct wv_arena *arena; /* the result's */
	const struct wv_keyring *keyring;
	struct entries positive, negative;
};

static void
judge_positive(struct corpus *corpus, const struct entry *entry)
{
	struct failure failure = {
		.kind = "positive",
		.payload = entry->payload,
		.schema = wv_contract_name(entry->type),
	};
	const struct wv_schema_error *faults =
		check_schema(corpus->arena, entry->type, entry->value);

	corpus->result->checks++;
	if (faults != NULL)
		result_fail(corpus->result, &failure,
			wv_printf(corpus->arena,
				"POSITIVE %s should validate but did not: %s",
				entry->payload,
				quote_list(corpus->arena,
					fault_texts(corpus->arena, faults))));
}

/* violates is KEYWORD:TARGET; of a choice the target is only a label. */
static bool
is_reason(struct wv_arena *arena, const char *violates,
	const struct wv_schema_error *fault)
{
	static const char *const labelled[] = { "anyOf", "oneOf", "allOf",
		"not" };
	const char *keyword = fault_keyword(arena, fault);
	size_t n = strcspn(violates, ":");
	const char *target = violates[n] == ':' ? violates + n + 1 : "";

	if (strlen(keyword) != n || memcmp(keyword, violates, n) != 0)
		return false;
	for (size_t i = 0; i < sizeof labelled / sizeof labelled[0]; i++) {
		if (strcmp(keyword, labelled[i]) == 0)
			return true;
	}
	return strstr(fault_place(arena, fault), target) != NULL ||
		strstr(fault->message, target) != NULL;
}

/* Their keywords. */
static cJSON *
observed(struct wv_arena *arena, const struct wv_schema_error *faults)
{
	const char **words;
	size_t count = 0;

	for (const struct wv_schema_error *f = faults; f; f = f->next)
		count++;
	words = wv_alloc(arena, count * sizeof *words);
	count = 0;
	for (; faults != NULL; faults = faults->next)
		words[count++] = fault_keyword(arena, faults);
	return list_sorted(arena, words, count);
}

static void
judge_by_schema(struct corpus *corpus, const struct entry *entry)
{
	struct failure failure = {
		.kind = "negative",
		.payload = entry->payload,
		.schema = wv_contract_name(entry->type),
		.keyword = entry->violates,
	};
	const struct wv_schema_error *faults =
		check_schema(corpus->arena, entry->type, entry->value);
	const struct wv_schema_error *fault = faults;

	while (fault != NULL &&
		!is_reason(corpus->arena, entry->violates, fault))
		fault = fault->next;
	if (faults == NULL)
		result_fail(corpus->result, &failure,
			wv_printf(corpus->arena,
				"NEGATIVE %s should fail schema (%s) but "
				"validated",
				entry->payload, entry->violates));
	else if (fault == NULL)
		result_fail(corpus->result, &failure,
			wv_printf(corpus->arena,
				"NEGATIVE %s should fail by %s but failed by "
				"%s instead",
				entry->payload,
				quote(corpus->arena, entry->violates),
				quote_list(corpus->arena,
					observed(corpus->arena, faults))));
}

/* NULL: what violates I-04 is no payload, what violates I-06 violates its
 * schema too. */
static const struct bundle_invariant *
find_invariant(const char *id)
{
	for (size_t i = 0; i < BUNDLE_INVARIANTS; i++) {
		if (strcmp(bundle_invariants[i].id, id) == 0)
			return &bundle_invariants[i];
	}
	return NULL;
}

static void
judge_by_invariant(struct corpus *corpus, const struct entry *entry)
{
	const struct bundle_invariant *invariant =
		find_invariant(entry->violates);
	struct failure failure = {
		.kind = "negative",
		.payload = entry->payload,
	};

	if (check_schema(corpus->arena, entry->type, entry->value) != NULL) {
		failure.schema = wv_contract_name(entry->type);
		result_fail(corpus->result, &failure,
			wv_printf(corpus->arena,
				"NEGATIVE %s expected schema-valid but failed "
				"schema",
				entry->payload));
	} else if (invariant == NULL ||
		invariant->check(corpus->arena, entry->value)->child == NULL) {
		failure.invariant_id = entry->violates;
		result_fail(corpus->result, &failure,
			wv_printf(corpus->arena,
				"NEGATIVE %s should violate %s but passed",
				entry->payload, entry->violates));
	}
}

static void
judge_negative(struct corpus *corpus, const struct entry *entry)
{
	struct failure failure = {
		.kind = "negative",
		.payload = entry->payload,
	};

	corpus->result->checks++;
	if (strcmp(entry->by, "schema") == 0)
		judge_by_schema(corpus, entry);
	else if (strcmp(entry->by, "invariant") == 0)
		judge_by_invariant(corpus, entry);
	else
		result_fail(corpus->result, &failure,
			wv_printf(corpus->arena,
				"NEGATIVE %s has unknown `by`: %s",
				entry->payload,
				quote(corpus->arena, entry->by)));
}

static void
fail_invariant(struct corpus *corpus, const struct failure *failure,
	const char *on, const cJSON *wrong)
{
	corpus->result->checks++;
	if (wrong->child != NULL)
		result_fail(corpus->result, failure,
			wv_printf(corpus->arena, "INVARIANT %s failed%s%s: %s",
				failure->invariant_id, on ? " on " : "",
				on ? on : "",
				quote_list(corpus->arena, wrong)));
}

static void
judge_bundles(struct corpus *corpus, const struct bundle_invariant *invariant)
{
	for (size_t i = 0; i < corpus->positive.count; i++) {
		const cJSON *bundle = corpus->positive.entry[i].value;
		const char *id = wv_get_string(bundle, "bundle_id");
		struct failure failure = {
			.kind = "invariant",
			.payload = id,
			.invariant_id = invariant->id,
		};
		if (corpus->positive.entry[i].type == WV_TRACE_BUNDLE)
			fail_invariant(corpus, &failure,
				quote(corpus->arena, id),
				invariant->check(corpus->arena, bundle));
	}
}

static void
judge_tokens(struct corpus *corpus)
{
	static const struct failure failure = {
		.kind = "invariant",
		.schema = "capability_token",
		.invariant_id = "I-06",
	};

	for (size_t i = 0; i < corpus->positive.count; i++) {
		if (corpus->positive.entry[i].type == WV_CAPABILITY_TOKEN)
			fail_invariant(corpus, &failure, "a capability_token",
				check_token_scoped(corpus->arena,
					corpus->positive.entry[i].value));
	}
}

static void
judge_invariants(struct corpus *corpus)
{
	static const struct failure surface = {
		.kind = "invariant",
		.invariant_id = "I-04",
	};

	for (size_t i = 0; i < BUNDLE_INVARIANTS; i++)
		judge_bundles(corpus, &bundle_invariants[i]);
	fail_invariant(
		corpus, &surface, NULL, check_core_surface(corpus->arena));
	judge_tokens(corpus);
}

static void
judge_integrity(struct corpus *corpus, const cJSON *bundle)
{
	const char *id = wv_get_string(bundle, "bundle_id");
	const char *shown = quote(corpus->arena, id);
	struct failure failure = { .kind = "tracebundle", .payload = id };
	cJSON *notes = wv_json_array(corpus->arena);
	const cJSON *wrong =
		check_integrity(corpus->arena, bundle, corpus->keyring, notes);

	corpus->result->checks++;
	wv_json_each(note, notes)
		result_say(corpus->result, "  bundle %s: %s", shown,
			note->valuestring);
	if (wrong->child != NULL)
		result_fail(corpus->result, &failure,
			wv_printf(corpus->arena, "TRACEBUNDLE %s: %s", shown,
				quote_list(corpus->arena, wrong)));
}

static void
judge_corpus(struct result *result, const char *path,
	const struct wv_keyring *keyring)
{
	struct corpus corpus = {
		.result = result,
		.arena = &result->arena,
		.keyring = keyring,
	};

	result->mode = "corpus";
	result->header = "Conformance";
	entries_read(&corpus.positive, &corpus.negative, corpus.arena, path);
	for (size_t i = 0; i < corpus.positive.count; i++)
		judge_positive(&corpus, &corpus.positive.entry[i]);
	for (size_t i = 0; i < corpus.negative.count; i++)
		judge_negative(&corpus, &corpus.negative.entry[i]);
	judge_invariants(&corpus);
	for (size_t i = 0; i < corpus.positive.count; i++) {
		if (corpus.positive.entry[i].type == WV_TRACE_BUNDLE)
			judge_integrity(
				&corpus, corpus.positive.entry[i].value);
	}
}

int
corpus_run(const struct corpus_options *options,
	const struct wv_keyring *keyring, struct wv_out *out)
{
	struct result result;

	result_start(&result, out);
	if (options->corpus != NULL)
		judge_corpus(&result, options->corpus, keyring);
	else
		bundle_run(&result, options->bundle, keyring);
	return result_finish(&result, options);
}
