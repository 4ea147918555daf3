/* SPDX-License-Identifier: Apache-2.0 */
/* What is found wrong with a flow's file. */
#include "flow.h"

#include "base/msg.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool
is_behind(const struct wv_finding *a, const struct wv_finding *b)
{
	return a->line > b->line ||
		(a->line == b->line && a->column > b->column);
}

/* In the order of the file. */
static void
insert(struct flow_faults *faults, struct wv_finding *finding)
{
	const struct wv_finding **at = &faults->first;

	while (*at != NULL && !is_behind(*at, finding))
		at = (const struct wv_finding **)&(*at)->next;
	finding->next = *at;
	*at = finding;
}

/* The column in characters; 0: it cannot be told. */
static size_t
character_of(const struct wv_doc *doc, size_t line, size_t column)
{
	const char *p = doc->text, *end = p + doc->len;
	size_t n = 1;

	while (--line > 0 && (p = memchr(p, '\n', (size_t)(end - p))) != NULL)
		p++;
	if (p == NULL || column > (size_t)(end - p))
		return 0;
	while (--column > 0)
		n += ((unsigned char)*p++ & 0xc0) != 0x80;
	return n;
}

/* Finding a place in a file takes as long as the file. */
static void
add(struct flow *flow, bool warning, const char *pointer, const char *rule,
	const char *fmt, va_list ap)
{
	struct flow_faults *faults = &flow->faults;
	struct wv_finding *finding;
	char text[WV_ERR_TEXT];

	faults->errors += !warning;
	if (faults->count++ >= FLOW_FAULTS_MAX)
		return;
	vsnprintf(text, sizeof(text), fmt, ap);
	finding = wv_alloc_zero(faults->arena, sizeof(*finding));
	finding->warning = warning;
	finding->rule = rule;
	finding->instance = wv_dup(faults->arena, pointer);
	finding->message = wv_dup(faults->arena, text);
	wv_doc_position(&flow->doc, pointer, &finding->line, &finding->column);
	finding->character =
		character_of(&flow->doc, finding->line, finding->column);
	insert(faults, finding);
}

void
flow_fault(struct flow *flow, const char *pointer, const char *rule,
	const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(flow, false, pointer, rule, fmt, ap);
	va_end(ap);
}

void
flow_doubt(struct flow *flow, const char *pointer, const char *rule,
	const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(flow, true, pointer, rule, fmt, ap);
	va_end(ap);
}

const char *
flow_nearest(const struct flow *flow, const char *word, const char *const *list)
{
	const char *near = NULL;

	if (flow->faults.count < FLOW_FAULTS_MAX)
		near = wv_nearest(word, list);
	return near
		? wv_printf(flow->faults.arena, ", did you mean \"%s\"?", near)
		: "";
}

const char *
flow_at(const struct flow *flow, size_t step, const char *member)
{
	return wv_printf(flow->faults.arena, "/steps/%zu%s%s", step,
		*member ? "/" : "", member);
}

void
flow_harden(struct flow *flow)
{
	const struct wv_finding *f;

	for (f = flow->faults.first; f != NULL; f = f->next)
		((struct wv_finding *)f)->warning = false;
	flow->faults.errors = flow->faults.count;
}

void
flow_tell(const struct flow *flow)
{
	const struct flow_faults *faults = &flow->faults;

	for (const struct wv_finding *f = faults->first; f; f = f->next) {
		struct wv_err err = WV_ERR_INIT;
		wv_err_at(&err, flow->doc.source, f->line, f->column, "%s%s",
			f->warning ? "warning: " : "", f->message);
		wv_warn_err(&err);
	}
	if (faults->count > FLOW_FAULTS_MAX)
		wv_warn("%s: %zu faults, of which these are the first",
			flow->doc.source, faults->count);
}
