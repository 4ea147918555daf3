/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SARIF 2.1.0, one run.  Results stream; the tool with the rules that they
 * name comes behind them, since an object's members have no order.
 */
#include "internal.h"

#include "base/digest.h"
#include "base/hash.h"
#include "base/mem.h"
#include "json/json.h"

#include <string.h>

struct sarif {
	bool some; /* a result has been written */
	struct wv_arena arena;
	struct wv_map index; /* of the rules, by id, in the order they came */
	struct wv_str rules; /* their descriptors */
};

/* RFC 3986: unreserved characters and slashes stay. */
static void
add_uri(struct wv_str *out, const struct wv_str *path)
{
	static const char kept[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "abcdefghijklmnopqrstuvwxyz"
				   "0123456789-._~/";

	for (size_t i = 0; i < path->n; i++) {
		unsigned char c = (unsigned char)path->s[i];
		if (strchr(kept, c) != NULL)
			wv_str_chr(out, (char)c);
		else
			wv_str_fmt(out, "%%%02X", c);
	}
}

/* The URI of a source; whether it is relative to the root. */
static bool
source_uri(struct wv_str *uri, const struct wv_report_run *run,
	const struct wv_judged *judged)
{
	struct wv_str path = { 0 };
	bool relative = false;

	if (wv_report_is_file(judged)) {
		relative = wv_report_path(&path, run, judged->source);
		if (!relative)
			wv_str_cat(uri, "file://");
	} else {
		wv_str_cat(&path, judged->source);
	}
	add_uri(uri, &path);
	wv_str_free(&path);
	return relative;
}

static const char *
about(const char *rule)
{
	if (strncmp(rule, "schema/", 7) == 0)
		return "A value must be what this keyword of its schema says.";
	if (strncmp(rule, "invariant/", 10) == 0)
		return "A record must keep this invariant of its contract.";
	if (strcmp(rule, "malformed") == 0)
		return "A record must be well-formed.";
	return "A record must stand this check.";
}

/* GitHub wants all three texts. */
static void
add_rule(struct sarif *sarif, const struct wv_str *rule)
{
	static const char *const texts[] = { "shortDescription",
		"fullDescription", "help" };
	struct wv_str *out = &sarif->rules;

	wv_str_cat(out, sarif->index.count > 1 ? ",\n{\"id\":" : "\n{\"id\":");
	wv_json_write_string(out, rule->s, rule->n);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		wv_str_fmt(out, ",\"%s\":{\"text\":\"%s\"}", texts[i],
			about(rule->s));
	wv_str_chr(out, '}');
}

static size_t
index_of(struct sarif *sarif, const struct wv_str *rule)
{
	const size_t *known = wv_map_find(&sarif->index, rule->s);
	size_t next = sarif->index.count;

	if (known != NULL)
		return *known;
	wv_map_add(
		&sarif->index, wv_dupn(&sarif->arena, rule->s, rule->n), next);
	add_rule(sarif, rule);
	return next;
}

static void
add_region(struct wv_str *out, const struct wv_judged *judged,
	const struct wv_finding *f)
{
	size_t line = wv_report_line_of(judged, f);

	if (line == 0)
		return;
	wv_str_fmt(out, ",\"region\":{\"startLine\":%zu", line);
	wv_report_number(out, ",\"startColumn\":", f->character, "");
	wv_str_chr(out, '}');
}

static void
add_location(struct wv_str *out, const struct wv_str *uri, bool relative,
	const struct wv_judged *judged, const struct wv_finding *f)
{
	wv_str_fmt(out,
		"{\"physicalLocation\":{\"artifactLocation\":"
		"{\"uri\":\"%s\"%s}",
		uri->s, relative ? ",\"uriBaseId\":\"%SRCROOT%\"" : "");
	add_region(out, judged, f);
	wv_str_chr(out, '}');
	if (f->instance != NULL && f->instance[0] != '\0') {
		wv_str_cat(out,
			",\"logicalLocations\":[{\"kind\":\"value\","
			"\"fullyQualifiedName\":");
		wv_report_clean(out, f->instance, WV_REPORT_MESSAGE);
		wv_str_cat(out, "}]");
	}
	wv_str_chr(out, '}');
}

/* Of what stays when lines are added above. */
static void
add_fingerprint(struct wv_str *out, const struct wv_str *rule,
	const struct wv_str *uri, const struct wv_finding *f)
{
	const char *instance = f->instance != NULL ? f->instance : "";
	struct wv_str text = { 0 };
	char hex[WV_SHA256_HEX];

	wv_str_add(&text, rule->s, rule->n + 1);
	wv_str_add(&text, uri->s, uri->n + 1);
	wv_str_add(&text, instance, strlen(instance) + 1);
	wv_str_cat(&text, f->message);
	wv_sha256_hex(hex, text.s, text.n);
	wv_str_fmt(
		out, "\"partialFingerprints\":{\"wvFinding/v1\":\"%s\"}", hex);
	wv_str_free(&text);
}

static void
add_result(struct sarif *sarif, const struct wv_report_run *run,
	const struct wv_judged *judged, const struct wv_finding *f,
	struct wv_str *out)
{
	struct wv_str rule = { 0 }, uri = { 0 }, message = { 0 };
	bool relative = source_uri(&uri, run, judged);

	wv_report_rule(&rule, f);
	wv_report_message(&message, f);
	wv_str_cat(out, "{\"ruleId\":");
	wv_json_write_string(out, rule.s, rule.n);
	wv_str_fmt(out, ",\"ruleIndex\":%zu,\"level\":\"%s\"",
		index_of(sarif, &rule), wv_report_level(f));
	wv_str_cat(out, ",\"message\":{\"text\":");
	wv_json_write_string(out, message.s, message.n);
	wv_str_cat(out, "},\"locations\":[");
	add_location(out, &uri, relative, judged, f);
	wv_str_cat(out, "],");
	add_fingerprint(out, &rule, &uri, f);
	wv_str_chr(out, '}');
	wv_str_free(&rule);
	wv_str_free(&uri);
	wv_str_free(&message);
}

static void
start(struct wv_str *out)
{
	wv_str_cat(out,
		"{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/"
		"v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
		"\"version\":\"2.1.0\",\"runs\":[{"
		"\"columnKind\":\"unicodeCodePoints\",\n"
		"\"originalUriBaseIds\":{\"%SRCROOT%\":{\"description\":"
		"{\"text\":\"The folder that was checked out.\"}}},\n"
		"\"results\":[");
}

static void
record(void *state, const struct wv_report_run *run,
	const struct wv_judged *judged, struct wv_str *out)
{
	struct sarif *sarif = state;

	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		wv_str_cat(out, sarif->some ? ",\n" : "\n");
		add_result(sarif, run, judged, f, out);
		sarif->some = true;
	}
}

static void
end(void *state, const struct wv_report_run *run,
	const struct wv_report_counts *counts, struct wv_str *out)
{
	struct sarif *sarif = state;

	wv_str_cat(out, "],\n\"tool\":{\"driver\":{\"name\":");
	wv_report_exact(out, run->tool);
	wv_str_cat(out, ",\"version\":");
	wv_report_exact(out, run->version);
	wv_str_cat(out, ",\"rules\":[");
	wv_str_add(out, sarif->rules.s, sarif->rules.n);
	wv_str_cat(out, "]}},\n\"properties\":{\"summary\":");
	wv_report_summary(out, counts);
	wv_str_cat(out, "}}]}\n");
	wv_map_free(&sarif->index);
	wv_arena_free(&sarif->arena);
	wv_str_free(&sarif->rules);
}

const struct wv_report_format wv_report_sarif = {
	.name = "sarif",
	.state_size = sizeof(struct sarif),
	.start = start,
	.record = record,
	.end = end,
};
