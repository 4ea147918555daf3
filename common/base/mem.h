/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory.  Everything that belongs to a record lives in an arena that is
 * reset once a record; nothing in an arena is freed by itself.  Allocation
 * never returns NULL: when memory cannot be had the process says so on
 * stderr and exits with status 2 (could not tell).
 */
#ifndef WV_BASE_MEM_H
#define WV_BASE_MEM_H

#include <stddef.h>

/*
 * Every allocation of an arena is followed by at least this many bytes that
 * may be read and written: vector code copies whole 16-byte blocks.
 */
enum { WV_ARENA_SLACK = 16 };

struct wv_arena_block;

struct wv_arena {
	struct wv_arena_block *block; /* the newest */
	char *next, *end;             /* what is left of it, slack taken off */
	size_t block_size;            /* of the next block; 0 = the default */
};

/* clang-format off */
#define WV_ARENA_INIT { NULL, NULL, NULL, 0 }
/* clang-format on */

void *wv_arena_grow(struct wv_arena *arena, size_t size);

/* Uninitialized memory, aligned to 16 bytes; lives until reset or free. */
static inline void *
wv_alloc(struct wv_arena *arena, size_t size)
{
	size_t rounded = (size + 15) & ~(size_t)15;

	/* 0 is both nothing and too much, and wraps: grow sorts it out. */
	if (rounded - 1 >= (size_t)(arena->end - arena->next))
		return wv_arena_grow(arena, size);
	void *p = arena->next;
	arena->next += rounded;
	return p;
}

void *wv_alloc_zero(struct wv_arena *arena, size_t size);
/* A NUL-terminated copy of n bytes. */
char *wv_dupn(struct wv_arena *arena, const char *s, size_t n);
char *wv_dup(struct wv_arena *arena, const char *s);
char *wv_printf(struct wv_arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Forgets all allocations, keeps one block of ordinary size for reuse. */
void wv_arena_reset(struct wv_arena *arena);
/* Gives everything back; the arena may be used again. */
void wv_arena_free(struct wv_arena *arena);

/* For what outlives records; free(3) them. */
void *wv_xmalloc(size_t size);
void *wv_xcalloc(size_t count, size_t size);
void *wv_xrealloc(void *p, size_t size);
char *wv_xstrdup(const char *s);

/* Room for one more behind the count elements, of size bytes each, of a list
 * that was NULL at first and grows by this alone: it doubles.  Returns where
 * it is now. */
void *wv_list_room(void *list, size_t count, size_t size);

#endif
