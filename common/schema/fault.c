/* SPDX-License-Identifier: Apache-2.0 */
/* The faults that a run finds, and where. */
#include "schema/explain.h"

#include <stdlib.h>
#include <string.h>

void
wv_fault_enter(struct report *report, const char *name, uint32_t index)
{
	unsigned char order[4] = { (unsigned char)(index >> 24),
		(unsigned char)(index >> 16), (unsigned char)(index >> 8),
		(unsigned char)index };

	if (name != NULL)
		wv_pointer_add(&report->pointer, name);
	else
		wv_str_fmt(&report->pointer, "/%u", (unsigned)index);
	wv_str_add(&report->order, order, sizeof order);
}

void
wv_fault_leave(struct report *report, size_t pointer_len)
{
	report->pointer.n = pointer_len;
	report->pointer.s[pointer_len] = '\0';
	report->order.n -= 4;
}

static void
append(struct report *report, struct fault *fault)
{
	struct faults *faults = report->faults;

	if (faults->count == report->max)
		return;
	fault->number = faults->count++;
	fault->before = faults->last;
	faults->last = fault;
}

/* Both are those of the document, so that they belong together. */
static void
set_place(struct wv_arena *arena, struct wv_schema_error *error,
	const struct wv_schema *schema, const char *keyword)
{
	struct wv_str pointer = { 0 };

	wv_str_cat(&pointer, schema->pointer);
	if (keyword != NULL)
		wv_pointer_add(&pointer, keyword);
	error->keyword = wv_dupn(arena, pointer.s, pointer.n);
	error->schema = schema->resource->document->resource->uri;
	wv_str_free(&pointer);
}

struct fault *
wv_fault_add(struct report *report, const struct wv_schema *schema,
	const char *keyword, const char *message)
{
	struct fault *fault = wv_alloc_zero(report->arena, sizeof *fault);

	set_place(report->arena, &fault->error, schema, keyword);
	fault->error.instance =
		wv_dupn(report->arena, report->pointer.s, report->pointer.n);
	fault->error.message = report->of_name
		? wv_printf(report->arena, "its name %s", message)
		: wv_dup(report->arena, message);
	fault->order = wv_dupn(report->arena, report->order.s, report->order.n);
	fault->order_len = report->order.n;
	append(report, fault);
	return fault;
}

static struct fault **
list(struct wv_arena *arena, const struct faults *faults)
{
	struct fault **all = wv_alloc(arena, faults->count * sizeof *all);

	for (struct fault *f = faults->last; f != NULL; f = f->before)
		all[f->number] = f;
	return all;
}

void
wv_fault_merge(
	struct report *report, const struct faults *faults, const char *beside)
{
	struct wv_arena *arena = report->arena;
	struct fault **all = list(arena, faults);

	for (size_t i = 0; i < faults->count; i++) {
		struct fault *fault = wv_alloc(arena, sizeof *fault);
		*fault = *all[i];
		fault->error.instance = wv_dup(arena, fault->error.instance);
		fault->error.keyword = wv_dup(arena, fault->error.keyword);
		fault->error.message = wv_printf(arena, "%s%s",
			beside ? beside : "", fault->error.message);
		fault->beside = beside != NULL;
		fault->order = wv_dupn(arena, fault->order, fault->order_len);
		append(report, fault);
	}
}

static int
by_order(const void *x, const void *y)
{
	const struct fault *a = *(const struct fault *const *)x;
	const struct fault *b = *(const struct fault *const *)y;
	size_t n = a->order_len < b->order_len ? a->order_len : b->order_len;
	int order = memcmp(a->order, b->order, n);

	if (order != 0)
		return order;
	if (a->order_len != b->order_len)
		return a->order_len < b->order_len ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

struct wv_schema_error *
wv_fault_errors(struct report *report)
{
	size_t count = report->faults->count;
	struct fault **all = list(report->arena, report->faults);
	struct wv_schema_error *first = NULL, **tail = &first;

	if (count > 0)
		qsort(all, count, sizeof *all, by_order);
	for (size_t i = 0; i < count; i++) {
		*tail = &all[i]->error;
		tail = &all[i]->error.next;
	}
	*tail = NULL;
	return first;
}

struct wv_schema_error *
wv_fault_whole(struct wv_arena *arena, const struct wv_schema *schema,
	const char *keyword, const char *message)
{
	struct wv_schema_error *error = wv_alloc_zero(arena, sizeof *error);

	set_place(arena, error, schema, keyword);
	error->instance = "";
	error->message = message;
	return error;
}
