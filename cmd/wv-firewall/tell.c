/* SPDX-License-Identifier: Apache-2.0 */
#include "tell.h"

#include "judge.h"

#include "base/id.h"
#include "base/msg.h"
#include "contract/record.h"
#include "firewall/scan.h"

#include <stdlib.h>
#include <string.h>

void
tell_open(struct tell *t, bool is_check)
{
	*t = (struct tell){ .is_gate = is_check };
}

int
tell_add(struct tell *t, const char *spec, struct wv_err *err)
{
	size_t n = strcspn(spec, "=");
	bool is_jsonl = n == 5 && memcmp(spec, "jsonl", 5) == 0;

	if (is_jsonl || (n == 6 && memcmp(spec, "report", 6) == 0)) {
		bool *has = is_jsonl ? &t->has_jsonl : &t->has_safety;
		if (*has)
			return wv_err_set(
				err, "%.*s is given twice", (int)n, spec);
		*has = true;
		return wv_report_open(
			is_jsonl ? &t->jsonl : &t->safety, spec, err);
	}
	if (t->reports == NULL)
		t->reports = wv_reports_new("wv-firewall", WV_VERSION);
	return wv_reports_add(t->reports, spec, err);
}

bool
tell_is_wanted(const struct tell *t)
{
	return t->reports != NULL || t->has_jsonl || t->has_safety ||
		t->has_messages;
}

static const char *
what_it_is(const struct finding *f)
{
	if (strncmp(f->kind, "injection-", 10) == 0)
		return "instructions to the model";
	return wv_kind_is_pii(f->kind) ? "personal data" : "a secret";
}

static void
add_foreign(struct wv_str *out, const char *s)
{
	struct wv_str clean = { 0 };

	wv_str_foreign(&clean, s, strlen(s), SIZE_MAX);
	wv_json_write_string(out, clean.s ? clean.s : "", clean.n);
	wv_str_free(&clean);
}

static void
add_place(struct wv_str *out, const struct record *record,
	const struct finding *f)
{
	wv_str_cat(out, "\"kind\":");
	add_foreign(out, f->kind);
	wv_str_cat(out, ",\"source\":");
	wv_json_write_string(out, record->source, strlen(record->source));
	wv_str_fmt(out, ",\"line\":%zu,\"column\":%zu", f->line, f->column);
	if (f->pointer != NULL) {
		wv_str_cat(out, ",\"pointer\":");
		wv_json_write_string(out, f->pointer, strlen(f->pointer));
	}
}

static void
write_jsonl(struct tell *t, const struct record *record)
{
	struct wv_str line = { 0 };

	for (const struct finding *f = record->findings; f; f = f->next) {
		line.n = 0;
		wv_str_chr(&line, '{');
		add_place(&line, record, f);
		wv_str_chr(&line, '}');
		wv_out_line(&t->jsonl, line.s, line.n);
	}
	wv_str_free(&line);
}

/* From info up. */
static const char *
severity(const struct finding *f)
{
	if (f->is_flag)
		return "low";
	if (strcmp(f->kind, "private-key") == 0)
		return "critical";
	return strcmp(what_it_is(f), "a secret") == 0 ? "high" : "medium";
}

static void
add_safety(struct tell *t, const struct record *record)
{
	struct wv_str *out = &t->found, text = { 0 };

	for (const struct finding *f = record->findings; f; f = f->next) {
		text.n = 0;
		wv_str_foreign(&text, record->source, strlen(record->source),
			SIZE_MAX);
		wv_str_fmt(&text, ":%zu:%zu: %s: %s", f->line, f->column,
			what_it_is(f), f->kind);
		wv_str_fmt(out,
			"%s{\"finding_id\":\"f%zu\",\"severity\":\"%s\","
			"\"message\":",
			t->found_count > 0 ? "," : "", t->found_count + 1,
			severity(f));
		wv_json_write_string(out, text.s, text.n);
		wv_str_fmt(out, ",\"fingerprint\":\"%s\",", f->fingerprint);
		add_place(out, record, f);
		wv_str_chr(out, '}');
		t->found_count++;
	}
	wv_str_free(&text);
}

static void
count(struct tell *t, const struct record *record)
{
	struct wv_report_counts *counts = &t->counts;

	counts->records++;
	if (record->is_unread)
		counts->undecided++;
	else if (record->count > 0)
		counts->invalid++;
	else
		counts->valid++;
	for (const struct finding *f = record->findings; f; f = f->next)
		counts->warnings += f->is_flag;
	t->failed += record->count + record->is_unread;
}

static void
report(struct tell *t, const struct wv_judged *judged)
{
	if (t->reports != NULL)
		wv_reports_record(t->reports, judged);
	if (t->has_messages)
		wv_report_tell(judged);
}

/* Of a record there are many findings of few kinds. */
struct messages {
	struct message {
		const char *kind, *text;
	} * list;
	size_t count;
};

static const char *
message_of(struct messages *messages, struct wv_arena *arena,
	const struct finding *f)
{
	struct message *m = messages->list;

	for (size_t i = 0; i < messages->count; i++, m++)
		if (strcmp(m->kind, f->kind) == 0)
			return m->text;
	messages->list = wv_list_room(
		messages->list, messages->count, sizeof *messages->list);
	m = &messages->list[messages->count++];
	*m = (struct message){ f->kind,
		wv_printf(arena, "%s: %s", what_it_is(f), f->kind) };
	return m->text;
}

static void
report_record(struct tell *t, const struct record *record)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct messages messages = { 0 };
	struct wv_finding *list = NULL, **last = &list;
	struct wv_judged judged = { .source = record->source,
		.line = record->line,
		.verdict = record->is_unread ? WV_UNDECIDED
			: record->count > 0  ? WV_INVALID
					     : WV_VALID };

	if (record->is_unread && record->why != NULL) {
		*last = wv_alloc_zero(&arena, sizeof **last);
		(*last)->rule = "unreadable";
		(*last)->message = record->why;
		last = (struct wv_finding **)&(*last)->next;
	}
	for (const struct finding *f = record->findings; f; f = f->next) {
		struct wv_finding *one = wv_alloc_zero(&arena, sizeof *one);
		*one = (struct wv_finding){
			.warning = f->is_flag,
			.rule = f->kind,
			.line = f->line,
			.column = f->column,
			.character = f->character,
			.instance = f->pointer,
			.message = message_of(&messages, &arena, f),
		};
		*last = one;
		last = (struct wv_finding **)&one->next;
	}
	judged.findings = list;
	report(t, &judged);
	free(messages.list);
	wv_arena_free(&arena);
}

void
tell_record(struct tell *t, const struct record *record)
{
	count(t, record);
	if (t->has_jsonl)
		write_jsonl(t, record);
	if (t->has_safety)
		add_safety(t, record);
	if (t->reports != NULL || t->has_messages)
		report_record(t, record);
}

/* An ArtifactSafetyReport. */
static void
write_safety(struct tell *t)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_str out = { 0 };
	char id[WV_ID_MAX];

	wv_id_new(id, "report");
	wv_str_fmt(&out,
		"{\"report_id\":\"%s\",\"gate_id\":\"wv-firewall\","
		"\"decision\":\"%s\",\"created_at\":",
		id, t->failed > 0 ? "fail" : "pass");
	wv_json_write(&out, wv_json_time(&arena, wv_now()));
	wv_str_fmt(&out,
		",\"mode\":\"%s\",\"summary\":\"%zu finding%s; outputs %zu, "
		"with findings %zu, not judged %zu\",\"findings\":[",
		t->is_gate ? "blocking" : "advisory", t->found_count,
		t->found_count == 1 ? "" : "s", t->counts.records,
		t->counts.invalid, t->counts.undecided);
	wv_str_add(&out, t->found.s, t->found.n);
	wv_str_fmt(&out,
		"],\"provenance\":{\"tool\":\"wv-firewall\",\"version\":\"%s\"}"
		"}",
		WV_VERSION);
	wv_out_line(&t->safety, out.s, out.n);
	wv_str_free(&out);
	wv_str_free(&t->found);
	wv_arena_free(&arena);
}

void
tell_close(struct tell *t)
{
	struct wv_err err = WV_ERR_INIT;

	if (t->has_safety)
		write_safety(t);
	if (t->has_safety && wv_out_close(&t->safety, &err) < 0)
		wv_die_err(&err);
	if (t->has_jsonl && wv_out_close(&t->jsonl, &err) < 0)
		wv_die_err(&err);
	if (t->reports != NULL &&
		wv_reports_close(t->reports, &t->counts, &err) < 0)
		wv_die_err(&err);
}
