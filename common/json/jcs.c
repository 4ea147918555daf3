/* SPDX-License-Identifier: Apache-2.0 */
#include "json/jcs.h"

#include "json/internal.h"
#include "json/num.h"

#include <stdlib.h>
#include <string.h>

/* Text that is hashed leaves the buffer in pieces of about this size. */
enum { PIECE = 16 << 10 };

struct level {
	const cJSON *container;
	size_t first, next, end; /* of its children, in order */
};

struct walk {
	struct wv_str *out;
	struct wv_sha256 *hash; /* NULL: all stays in out */
	bool exact;             /* stop at a number that is not its double */

	const cJSON **child; /* of all open containers */
	size_t children;
	struct level *level;
	size_t depth;
};

/*
 * The rank that a byte of UTF-8 gives its character in UTF-16, at the first
 * byte in which two names differ.  The order is that of UTF-8 but for the
 * surrogates of four-byte characters, which come before U+E000 … U+FFFF,
 * and for U+0000, which is held as C0 80.
 */
static int
utf16_rank(unsigned char c)
{
	if (c == 0xee || c == 0xef)
		return c + 0x10;
	if (c == 0xc0)
		return 1;
	return c == '\0' ? 0 : c + 1;
}

static int
by_name(const void *a, const void *b)
{
	const char *s = (*(const cJSON *const *)a)->string;
	const char *t = (*(const cJSON *const *)b)->string;

	while (*s == *t && *s != '\0')
		s++, t++;
	return utf16_rank((unsigned char)*s) - utf16_rank((unsigned char)*t);
}

static void
open_container(struct walk *w, const cJSON *node)
{
	size_t first = w->children;

	wv_json_each(child, node) {
		w->child =
			wv_list_room(w->child, w->children, sizeof *w->child);
		w->child[w->children++] = child;
	}
	if (wv_is_object(node) && w->children > first)
		qsort(w->child + first, w->children - first, sizeof *w->child,
			by_name);
	w->level = wv_list_room(w->level, w->depth, sizeof *w->level);
	w->level[w->depth++] =
		(struct level){ node, first, first, w->children };
	wv_json_put(w->out, wv_is_object(node) ? '{' : '[');
}

/* False at a number that must not stand there. */
static bool
begin_value(struct walk *w, const cJSON *node)
{
	if (wv_json_is_container(node)) {
		open_container(w, node);
	} else if (wv_is_number(node)) {
		if (w->exact && !wv_num_is_double(node))
			return false;
		wv_num_canonical(w->out, node);
	} else {
		wv_json_write_leaf(w->out, node);
	}
	return true;
}

static void
hand_on(struct walk *w, size_t least)
{
	if (w->hash == NULL || w->out->n < least)
		return;
	wv_sha256_add(w->hash, w->out->s, w->out->n);
	w->out->n = 0;
}

/* Stops, false, with the place on the stack. */
static bool
walk_tree(struct walk *w, const cJSON *root)
{
	bool good = begin_value(w, root);

	while (good && w->depth > 0) {
		struct level *top = &w->level[w->depth - 1];
		bool object = wv_is_object(top->container);
		const cJSON *child;

		if (top->next == top->end) {
			wv_json_put(w->out, object ? '}' : ']');
			w->children = top->first;
			w->depth--;
			continue;
		}
		if (top->next > top->first)
			wv_json_put(w->out, ',');
		child = w->child[top->next++];
		if (object) {
			wv_json_write_text(w->out, child->string);
			wv_json_put(w->out, ':');
		}
		good = begin_value(w, child);
		hand_on(w, PIECE);
	}
	*wv_json_room(w->out, 0) = '\0';
	return good;
}

static void
free_walk(struct walk *w)
{
	free(w->child);
	free(w->level);
}

/* The value that the walk has come to. */
static void
pointer_of(struct wv_str *pointer, const struct walk *w)
{
	for (size_t i = 0; i < w->depth; i++) {
		const struct level *level = &w->level[i];
		if (wv_is_object(level->container))
			wv_pointer_add(
				pointer, w->child[level->next - 1]->string);
		else
			wv_str_fmt(pointer, "/%zu",
				level->next - 1 - level->first);
	}
}

static int
refuse(const struct walk *w, const cJSON *root, struct wv_err *err)
{
	const cJSON *bad = root;
	struct wv_str pointer = { 0 }, number = { 0 };

	pointer_of(&pointer, w);
	if (w->depth > 0)
		bad = w->child[w->level[w->depth - 1].next - 1];
	wv_json_write(&number, bad);
	wv_err_set(err,
		"%.200s: RFC 8785 cannot write the number %.60s exactly, so it "
		"cannot be signed; make it a string",
		pointer.n > 0 ? pointer.s : "the value", number.s);
	wv_str_free(&pointer);
	wv_str_free(&number);
	return -1;
}

int
wv_jcs(struct wv_str *out, const cJSON *node, struct wv_err *err)
{
	struct walk w = { .out = out, .exact = true };
	int result = walk_tree(&w, node) ? 0 : refuse(&w, node, err);

	free_walk(&w);
	return result;
}

void
wv_json_canonical(struct wv_str *out, const cJSON *node)
{
	struct walk w = { .out = out };

	walk_tree(&w, node);
	free_walk(&w);
}

void
wv_json_digest(char hex[WV_SHA256_HEX], const cJSON *node)
{
	unsigned char sum[WV_SHA256];
	struct wv_str piece = { 0 };
	struct wv_sha256 hash;
	struct walk w = { .out = &piece, .hash = &hash };

	wv_sha256_start(&hash);
	walk_tree(&w, node);
	hand_on(&w, 0);
	wv_sha256_end(&hash, sum);
	wv_hex(hex, sum, sizeof sum);
	free_walk(&w);
	wv_str_free(&piece);
}
