/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "base/msg.h"
#include "contract/catalog.h"
#include "contract/record.h"
#include "firewall/descriptor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Each takes as long as its entry to find the place of. */
enum { FINDINGS_MAX = 16 }; /* of an entry that are told */

struct linter {
	struct wv_catalog catalog;
	struct wv_arena arena;         /* of the catalogue */
	struct wv_arena scratch;       /* of what is looked at */
	size_t place;                  /* of what is looked at */
	const struct wv_capability *c; /* that is it */
	size_t findings;               /* in it */
	int status;
};

static void
hear(const struct wv_err *err, void *arg)
{
	struct linter *l = arg;

	wv_warn_err(err);
	l->status = wv_worse(l->status, WV_NO);
}

/* Tells of what is at a pointer of the entry. */
__attribute__((format(printf, 3, 4))) static void
say(struct linter *l, const char *pointer, const char *fmt, ...)
{
	struct wv_err err = WV_ERR_INIT;
	char text[WV_ERR_TEXT];
	size_t line, column;
	va_list ap;

	if (l->findings++ >= FINDINGS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	wv_capability_position(l->c, pointer, &line, &column);
	wv_err_at(&err, l->c->source, line, column, "capability \"%s\" %s",
		l->c->id, text);
	hear(&err, l);
}

static void
lint_id(struct linter *l)
{
	const struct wv_capability *c = l->c, *other;

	if (!wv_id_is_kernel(c->id))
		say(l, "",
			"has an id that the kernel denies: it takes letters, "
			"digits and ._:@/+-");
	if (c->alike == 0)
		return;
	other = &l->catalog.items[c->alike - 1];
	say(l, "", "is easily taken for \"%s\" at %s:%zu:%zu", other->id,
		other->source, other->line, other->column);
}

static void
lint_description(struct linter *l)
{
	const struct wv_capability *c = l->c;

	/* The summary of an operation is both. */
	if (strcmp(c->description, c->name) != 0 ||
		(c->is_operation && wv_get(c->node, "summary") != NULL))
		return;
	say(l, "",
		wv_get(c->node, "description") != NULL
			? "has its name as its description"
			: "has no description");
}

static void
lint_depends_on(struct linter *l)
{
	wv_json_each(id, l->c->depends_on)
		if (wv_catalog_find(&l->catalog, id->valuestring) == NULL)
			say(l, "", "depends on \"%s\", which is not here",
				id->valuestring);
}

static void
hear_text(void *arg, const char *pointer, const char *what)
{
	struct linter *l = arg;

	say(l, pointer, "at %s %s", pointer, what);
}

/* The same of what was made of several places: it stands where they do. */
static void
hear_made(void *arg, const char *pointer, const char *what)
{
	struct linter *l = arg;

	say(l, "", "at %s %s", pointer, what);
}

static void
lint_texts(struct linter *l)
{
	const struct wv_capability *c = l->c;

	if (c->is_operation)
		wv_descriptor_check(
			wv_catalog_record(&l->catalog, &l->scratch, l->place),
			hear_made, l);
	else
		wv_descriptor_check(c->node, hear_text, l);
	wv_arena_reset(&l->scratch);
}

static void
lint_capability(struct linter *l)
{
	lint_id(l);
	lint_description(l);
	lint_depends_on(l);
	lint_texts(l);
	if (l->findings > FINDINGS_MAX) {
		size_t more = l->findings - FINDINGS_MAX;
		l->findings = 0;
		say(l, "", "has %zu more findings", more);
	}
}

static void
load(struct linter *l, const struct catalog_file *file)
{
	struct wv_err err = WV_ERR_INIT;

	l->catalog.prefix = file->prefix;
	if (wv_catalog_load(&l->catalog, &l->arena, file->path, &err) == 0)
		return;
	wv_warn_err(&err);
	l->status = WV_TROUBLE;
}

int
lint_catalog(const struct catalog_file *files, size_t count)
{
	struct linter l = { .arena = WV_ARENA_INIT,
		.scratch = WV_ARENA_INIT,
		.status = WV_YES };

	l.catalog.fault = hear;
	l.catalog.fault_arg = &l;
	for (size_t i = 0; i < count; i++)
		load(&l, &files[i]);
	for (l.place = 0; l.place < l.catalog.count; l.place++) {
		l.c = &l.catalog.items[l.place];
		l.findings = 0;
		lint_capability(&l);
	}
	if (l.status == WV_YES && l.catalog.count == 0) {
		wv_warn("%s: no capabilities", files[0].path);
		l.status = WV_NO;
	}
	wv_catalog_free(&l.catalog);
	wv_arena_free(&l.arena);
	wv_arena_free(&l.scratch);
	return l.status;
}
