/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of items as numbers.  A set of them is compared with others by
 * marking its words once and then looking each of theirs up.
 */
#ifndef WV_ANSWER_WORDS_H
#define WV_ANSWER_WORDS_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct vocabulary;

struct vocabulary *words_new(void);
void words_free(struct vocabulary *words);

/* The distinct words of a text but those that say nothing about a subject, in
 * order, in the arena. */
const uint32_t *words_of(struct vocabulary *words, struct wv_arena *arena,
	const char *s, size_t n, size_t *count);

/* Marks these, and no others. */
void words_mark(struct vocabulary *words, const uint32_t *set, size_t count);
/* Marks those of these too that are not yet, and appends them to all, which
 * holds n and has room; how many it holds then. */
size_t words_add(struct vocabulary *words, uint32_t *all, size_t n,
	const uint32_t *set, size_t count);
/* How many of these are marked. */
size_t words_marked(
	const struct vocabulary *words, const uint32_t *set, size_t count);

#endif
