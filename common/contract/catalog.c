/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/catalog-internal.h"

#include "base/digest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An entry is not as it should be: -1, or 0 if somebody hears of it. */
__attribute__((format(printf, 3, 4))) static int
fault(struct wv_loader *l, size_t line, const char *fmt, ...)
{
	struct wv_err heard = WV_ERR_INIT;
	char text[WV_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (l->catalog->fault == NULL)
		return wv_err_at(l->err, l->source, line, 0, "%s", text);
	wv_err_at(&heard, l->source, line, 0, "%s", text);
	l->catalog->fault(&heard, l->catalog->fault_arg);
	return 0;
}

static bool
has_control(const char *s)
{
	for (const unsigned char *p = (const unsigned char *)s; *p; p++)
		if (*p < 0x20 || *p == 0x7f ||
			(*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f) ||
			(*p == 0xc0 && p[1] == 0x80)) /* a NUL in a tree */
			return true;
	return false;
}

static int
add(struct wv_loader *l, struct wv_capability *c)
{
	struct wv_catalog *catalog = l->catalog;
	size_t place;

	if (strlen(c->id) > WV_CATALOG_ID_MAX)
		return fault(l, c->line, "id is longer than %d bytes",
			WV_CATALOG_ID_MAX);
	if (has_control(c->id))
		return fault(l, c->line, "id has control characters");
	place = *wv_map_add(&catalog->index, c->id, catalog->count);
	if (place != catalog->count) {
		const struct wv_capability *first = &catalog->items[place];
		return fault(l, c->line, "duplicate id \"%s\", first at %s:%zu",
			c->id, first->source, first->line);
	}
	if (catalog->count == catalog->cap) {
		catalog->cap = catalog->cap ? catalog->cap * 2 : 64;
		catalog->items = wv_xrealloc(
			catalog->items, catalog->cap * sizeof(*catalog->items));
	}
	catalog->items[catalog->count++] = *c;
	return 0;
}

static bool
is_strings(const cJSON *array)
{
	if (!wv_is_array(array))
		return false;
	wv_json_each(item, array)
		if (!wv_is_string(item))
			return false;
	return true;
}

/* The members of a Capability that must be there; *bad counts the others. */
static int
check_required(struct wv_loader *l, const cJSON *node, size_t line, int *bad)
{
	static const char *const required[] = { "id", "name", "version",
		"description" };
	const char *id = wv_get_string(node, "id");

	for (size_t i = 0; i < 4; i++) {
		const cJSON *value = wv_get(node, required[i]);
		const char *what;
		if (value == NULL)
			what = "has no";
		else if (!wv_is_string(value) || value->valuestring[0] == '\0')
			what = "needs a text that is not empty as its";
		else
			continue;
		++*bad;
		if (fault(l, line, "capability%s%s%s %s %s", id ? " \"" : "",
			    id ? id : "", id ? "\"" : "", what,
			    required[i]) != 0)
			return -1;
	}
	return 0;
}

/* No word is no wish: what it does not say is not known. */
static bool
is_word(const char *word, const char *const *words)
{
	if (word == NULL)
		return true;
	while (*words != NULL && strcmp(word, *words) != 0)
		words++;
	return *words != NULL;
}

static int
check_optional(struct wv_loader *l, const struct wv_capability *c)
{
	static const char *const safeties[] = { "read", "write", "destructive",
		NULL };
	static const char *const risks[] = { "low", "medium", "high",
		"critical", NULL };
	const cJSON *metadata = wv_get(c->node, "metadata");

	if (c->tags != NULL && !is_strings(c->tags))
		return fault(l, c->line,
			"capability \"%s\": tags is no list of texts", c->id);
	if (metadata != NULL && !wv_is_object(metadata))
		return fault(l, c->line,
			"capability \"%s\": metadata is no object", c->id);
	if (c->examples != NULL && !is_strings(c->examples))
		return fault(l, c->line,
			"capability \"%s\": x_wv_examples is no list of texts",
			c->id);
	if (!is_word(c->safety, safeties))
		return fault(l, c->line,
			"capability \"%s\": x_wv_safety is none of read, "
			"write, destructive",
			c->id);
	if (!is_word(c->risk, risks))
		return fault(l, c->line,
			"capability \"%s\": risk_level is none of low, "
			"medium, high, critical",
			c->id);
	return 1;
}

int
wv_catalog_add_capability(struct wv_loader *l, const cJSON *node, size_t line)
{
	const cJSON *metadata = wv_get(node, "metadata");
	struct wv_capability c = { .node = node,
		.source = l->source,
		.line = line,
		.id = wv_get_string(node, "id"),
		.name = wv_get_string(node, "name"),
		.version = wv_get_string(node, "version"),
		.description = wv_get_string(node, "description"),
		.safety = wv_get_string(metadata, "x_wv_safety"),
		.risk = wv_get_string(
			wv_get(metadata, "risk_assessment"), "risk_level"),
		.tags = wv_get(node, "tags"),
		.input_schema = wv_get(metadata, "x_wv_input_schema"),
		.examples = wv_get(metadata, "x_wv_examples"),
		.fingerprint = wv_get_string(metadata, "x_wv_fingerprint") };
	int bad = 0, good;

	if (!wv_is_object(node))
		return fault(l, line, "a capability is an object");
	if (check_required(l, node, line, &bad) != 0)
		return -1;
	if (bad > 0)
		return 0;
	good = check_optional(l, &c);
	return good == 1 ? add(l, &c) : good;
}

int
wv_catalog_add_tool(struct wv_loader *l, const cJSON *entry, size_t line)
{
	struct wv_capability c = { .node = entry,
		.is_tool = true,
		.source = l->source,
		.line = line,
		.id = wv_get_string(entry, "capability"),
		.name = wv_tool_name(entry),
		.version = wv_get_string(entry, "version"),
		.description = wv_tool_description(entry),
		.safety = wv_tool_safety(entry),
		.risk = wv_get_string(entry, "risk"),
		.tags = wv_get(entry, "tags"),
		.input_schema = wv_get(entry, "input_schema"),
		.examples = wv_get(entry, "examples") };

	if (c.version == NULL)
		c.version = "1";
	return add(l, &c);
}

/* A tool wraps one that is in its file, at most ten deep. */
static const char *
tool_fingerprint(const struct wv_catalog *catalog, struct wv_capability *c)
{
	const char *wraps = wv_get_string(c->node, "wraps");
	const struct wv_capability *wrapped =
		wraps != NULL ? wv_catalog_find(catalog, wraps) : NULL;
	char hex[WV_SHA256_HEX];

	wv_tool_fingerprint(
		hex, c->node, wrapped != NULL ? wrapped->fingerprint : NULL);
	return wv_dup(catalog->arena, hex);
}

const struct wv_capability *
wv_catalog_find(const struct wv_catalog *catalog, const char *id)
{
	const size_t *place = wv_map_find(&catalog->index, id);
	struct wv_capability *c;

	if (place == NULL)
		return NULL;
	c = &catalog->items[*place];
	if (c->is_tool && c->fingerprint == NULL)
		c->fingerprint = tool_fingerprint(catalog, c);
	return c;
}

void
wv_catalog_free(struct wv_catalog *catalog)
{
	free(catalog->items);
	wv_map_free(&catalog->index);
	*catalog = (struct wv_catalog){ 0 };
}
