/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/catalog-internal.h"

#include "base/digest.h"
#include "contract/record.h"
#include "json/jcs.h"
#include "json/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts the lines up to an offset. */
static void
count_lines(struct wv_loader *l, size_t at)
{
	const char *p = l->text + l->at, *end = l->text + at;

	while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		l->line++;
		p++;
		l->begin = (size_t)(p - l->text);
	}
	l->at = at;
}

struct wv_capability
wv_catalog_place(struct wv_loader *l, const cJSON *node, size_t at)
{
	struct wv_capability c = { .node = node, .source = l->source };

	if (l->yaml) {
		wv_yaml_position(node, &c.line, &c.column);
		return c;
	}
	count_lines(l, at);
	c.line = l->line;
	c.column = at - l->begin + 1;
	c.text = l->text + at;
	c.len = l->len - at;
	return c;
}

/* The longest beginning of a pointer that leads anywhere, in place. */
static const cJSON *
nearest(const cJSON *node, char *pointer)
{
	const cJSON *found;

	while ((found = wv_pointer(node, pointer)) == NULL)
		*strrchr(pointer, '/') = '\0';
	return found;
}

void
wv_capability_position(const struct wv_capability *c, const char *pointer,
	size_t *line, size_t *column)
{
	char *found = wv_xstrdup(
		c->is_tool ? wv_tool_place(c->node, pointer) : pointer);
	const cJSON *node = nearest(c->node, found);
	size_t down, right;

	*line = c->line;
	*column = c->column;
	if (c->text == NULL) {
		if (*found != '\0')
			wv_yaml_position(node, line, column);
	} else {
		wv_json_position(c->text,
			wv_json_locate(c->text, c->len, found), &down, &right);
		*line += down - 1;
		*column = down == 1 ? *column + right - 1 : right;
	}
	free(found);
}

int
wv_catalog_fault(struct wv_loader *l, const struct wv_capability *c,
	const char *pointer, const char *fmt, ...)
{
	struct wv_err heard = WV_ERR_INIT;
	char text[WV_ERR_TEXT];
	size_t line, column;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	wv_capability_position(c, pointer, &line, &column);
	if (l->catalog->fault == NULL)
		return wv_err_at(l->err, l->source, line, column, "%s", text);
	wv_err_at(&heard, l->source, line, column, "%s", text);
	l->catalog->fault(&heard, l->catalog->fault_arg);
	return 0;
}

/* What nobody sees could make one id look like another. */
static bool
has_unseen(const char *s)
{
	size_t n = strlen(s);

	while (n > 0) {
		uint32_t cp;
		int len = wv_utf8_get((const unsigned char *)s, n, &cp);
		/* a NUL in a tree is no UTF-8 */
		if (len <= 0 || cp < 0x20 || wv_is_unseen(cp))
			return true;
		s += len;
		n -= (size_t)len;
	}
	return false;
}

/* What an id may not be; NULL: it may be this. */
static const char *
bad_id(const struct wv_loader *l, const struct wv_capability *c)
{
	const char *prefix = l->catalog->prefix;

	if (strlen(c->id) > WV_CATALOG_ID_MAX)
		return "id is longer than 256 bytes";
	if (has_unseen(c->id))
		return "id has control or invisible characters";
	if (strcmp(c->id, WV_NO_MATCH) == 0)
		return "id is what says that nothing matches";
	if (c->is_made && strncmp(c->id, "wv.", 3) == 0)
		return "ids that begin with wv. are for our own tools";
	if (!c->is_made && prefix != NULL && *prefix != '\0')
		return "it has an id, which takes no --prefix";
	return NULL;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* An id in small letters, without what parts them; numbers stay apart, for 1_12
 * is not 11_2. */
static char *
words_of(struct wv_arena *arena, const char *id)
{
	char *words = wv_alloc(arena, 2 * strlen(id) + 1), *to = words;
	bool parted = false;

	for (; *id != '\0'; id++) {
		bool capital = *id >= 'A' && *id <= 'Z';
		if (!capital && !(*id >= 'a' && *id <= 'z') && !is_digit(*id) &&
			(unsigned char)*id < 0x80) {
			parted = true;
			continue;
		}
		if (parted && to > words && is_digit(to[-1]) && is_digit(*id))
			*to++ = '_';
		*to++ = (char)(capital ? *id | 0x20 : *id);
		parted = false;
	}
	*to = '\0';
	return words;
}

/* Whether its id is taken, or like another one: 1, or as add() returns. */
static int
check_taken(struct wv_loader *l, struct wv_capability *c)
{
	struct wv_catalog *catalog = l->catalog;
	const size_t *place = wv_map_find(&catalog->index, c->id);
	const struct wv_capability *first;
	size_t alike;

	if (place != NULL) {
		first = &catalog->items[*place];
		return wv_catalog_fault(l, c, "",
			"duplicate id \"%s\", first at %s:%zu:%zu", c->id,
			first->source, first->line, first->column);
	}
	alike = *wv_map_add(
		&catalog->words, words_of(l->arena, c->id), catalog->count);
	if (alike == catalog->count)
		return 1;
	first = &catalog->items[alike];
	if (c->is_made || first->is_made)
		return wv_catalog_fault(l, c, "",
			"id \"%s\" is too much like \"%s\" at %s:%zu:%zu",
			c->id, first->id, first->source, first->line,
			first->column);
	c->alike = alike + 1;
	return 1;
}

int
wv_catalog_add(struct wv_loader *l, struct wv_capability *c)
{
	struct wv_catalog *catalog = l->catalog;
	const char *bad = bad_id(l, c);
	int free_to_use;

	if (bad != NULL)
		return wv_catalog_fault(l, c, "", "%s", bad);
	free_to_use = check_taken(l, c);
	if (free_to_use != 1)
		return free_to_use;
	wv_map_add(&catalog->index, c->id, catalog->count);
	if (catalog->count == catalog->cap) {
		catalog->cap = catalog->cap ? catalog->cap * 2 : 64;
		catalog->items = wv_xrealloc(
			catalog->items, catalog->cap * sizeof(*catalog->items));
	}
	catalog->items[catalog->count++] = *c;
	return 0;
}

int
wv_catalog_add_tool(struct wv_loader *l, struct wv_capability *c)
{
	c->is_tool = true;
	wv_tool_describe(c);
	return wv_catalog_add(l, c);
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

cJSON *
wv_catalog_record(
	const struct wv_catalog *catalog, struct wv_arena *arena, size_t place)
{
	const struct wv_capability *c =
		wv_catalog_find(catalog, catalog->items[place].id);
	cJSON *record = c->is_tool || c->is_made
		? wv_capability_record(arena, c)
		: wv_json_copy(arena, c->node);
	char hex[WV_SHA256_HEX];

	if (c->fingerprint == NULL) {
		wv_json_digest(hex, record);
		wv_put_string(arena, wv_put_object(arena, record, "metadata"),
			"x_wv_fingerprint", hex);
	}
	return record;
}

void
wv_catalog_free(struct wv_catalog *catalog)
{
	free(catalog->items);
	wv_map_free(&catalog->index);
	wv_map_free(&catalog->words);
	*catalog = (struct wv_catalog){ 0 };
}
