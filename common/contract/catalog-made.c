/* SPDX-License-Identifier: Apache-2.0 */
/* Ids that are made from names. */
#include "contract/catalog-internal.h"

#include "contract/record.h"
#include "json/utf8.h"

#include <string.h>

enum { TITLE_MAX = 128 }; /* bytes; what is longer is no name */

/* Appends a character that an id may not have as it is. */
static void
add_odd(struct wv_str *id, uint32_t cp)
{
	if (cp >= 0x80)
		wv_str_fmt(id, "u%x", (unsigned)cp);
	else if (id->n == 0 || id->s[id->n - 1] != '_')
		wv_str_chr(id, '_');
}

/* A dot is kept between two segments that are not empty. */
static void
add_dot(struct wv_str *id, const char *next)
{
	bool begins = id->n > 0 && id->s[id->n - 1] != '.';

	if (begins && *next != '.' && *next != '\0')
		wv_str_chr(id, '.');
	else
		add_odd(id, '.');
}

static const char *
make_id(struct wv_arena *arena, const char *prefix, const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_:@/+-";
	const char *id =
		*prefix == '\0' ? name : wv_printf(arena, "%s%s", prefix, name);
	const unsigned char *end = (unsigned char *)name + strlen(name);
	struct wv_str made = { 0 };
	uint32_t cp;

	if (wv_id_is_kernel(id))
		return id;
	wv_str_cat(&made, prefix);
	while (*name != '\0') {
		size_t n = strspn(name, plain);
		wv_str_add(&made, name, n);
		name += n;
		if (*name == '.') {
			add_dot(&made, ++name);
		} else if (*name != '\0') {
			const unsigned char *at = (unsigned char *)name;
			int bytes = wv_utf8_get(at, (size_t)(end - at), &cp);
			/* a NUL in a tree is no character */
			add_odd(&made, bytes > 0 ? cp : 0);
			name += bytes > 0 ? bytes : 2;
		}
	}
	id = wv_dupn(arena, made.s, made.n);
	wv_str_free(&made);
	return id;
}

int
wv_catalog_add_made(struct wv_loader *l, struct wv_capability *c,
	const char *name, const char *title, const char *description)
{
	const char *prefix = l->catalog->prefix;
	bool is_name = title != NULL && strlen(title) <= TITLE_MAX;

	c->is_made = true;
	c->id = make_id(l->arena, prefix != NULL ? prefix : "", name);
	c->name = is_name ? title : name;
	if (c->version == NULL)
		c->version = "1";
	if (description == NULL)
		description = title;
	c->description = description != NULL ? description : name;
	return wv_catalog_add(l, c);
}
