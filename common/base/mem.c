/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include "base/msg.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_BLOCK = 64 << 10, ALIGN = 16 };

struct wv_arena_block {
	struct wv_arena_block *older;
	size_t size; /* usable bytes, slack not counted */
};

/* malloc's own alignment is 8 on some 32-bit machines. */
enum { BLOCK_OVERHEAD = sizeof(struct wv_arena_block) + ALIGN };

_Noreturn static void
out_of_memory(void)
{
	if (!wv_quiet) {
		char line[128];
		int n = snprintf(line, sizeof line, "%.64s: out of memory\n",
			wv_msg_tool_name());
		if (write(STDERR_FILENO, line, (size_t)n) < 0) {
			/* there is nobody left to tell */
		}
	}
	_exit(WV_TROUBLE);
}

static char *
block_start(struct wv_arena_block *block)
{
	uintptr_t p = (uintptr_t)(block + 1);

	return (char *)((p + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
}

static struct wv_arena_block *
block_new(size_t size)
{
	struct wv_arena_block *block;

	if (size > SIZE_MAX - BLOCK_OVERHEAD - WV_ARENA_SLACK)
		out_of_memory();
	block = wv_xmalloc(BLOCK_OVERHEAD + size + WV_ARENA_SLACK);
	block->older = NULL;
	block->size = size;
	return block;
}

static size_t
block_size(const struct wv_arena *arena)
{
	return arena->block_size ? arena->block_size : DEFAULT_BLOCK;
}

static void
use_block(struct wv_arena *arena, struct wv_arena_block *block)
{
	arena->block = block;
	arena->next = block ? block_start(block) : NULL;
	arena->end = block ? arena->next + block->size : NULL;
}

void *
wv_arena_grow(struct wv_arena *arena, size_t size)
{
	if (size == 0)
		return wv_alloc(arena, 1);
	if (size > SIZE_MAX - ALIGN)
		out_of_memory();

	size_t rounded = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	/* A big one gets a block of its own, behind the newest, so that what
	 * is left of the newest is not given up for it. */
	if (rounded > block_size(arena) / 4) {
		struct wv_arena_block *big = block_new(rounded);
		if (arena->block) {
			big->older = arena->block->older;
			arena->block->older = big;
		} else {
			arena->block = big;
		}
		return block_start(big);
	}
	struct wv_arena_block *block = block_new(block_size(arena));
	block->older = arena->block;
	use_block(arena, block);
	arena->next += rounded;
	return block_start(block);
}

void *
wv_alloc_zero(struct wv_arena *arena, size_t size)
{
	return memset(wv_alloc(arena, size), 0, size);
}

char *
wv_dupn(struct wv_arena *arena, const char *s, size_t n)
{
	if (n == SIZE_MAX)
		out_of_memory();
	char *copy = wv_alloc(arena, n + 1);
	if (n)
		memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *
wv_dup(struct wv_arena *arena, const char *s)
{
	return wv_dupn(arena, s, strlen(s));
}

char *
wv_printf(struct wv_arena *arena, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory();
	char *text = wv_alloc(arena, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return text;
}

void
wv_arena_reset(struct wv_arena *arena)
{
	struct wv_arena_block *keep = NULL, *older;

	for (struct wv_arena_block *block = arena->block; block;
		block = older) {
		older = block->older;
		if (!keep && block->size == block_size(arena))
			keep = block;
		else
			free(block);
	}
	if (keep)
		keep->older = NULL;
	use_block(arena, keep);
}

void
wv_arena_free(struct wv_arena *arena)
{
	struct wv_arena_block *older;

	for (struct wv_arena_block *block = arena->block; block;
		block = older) {
		older = block->older;
		free(block);
	}
	use_block(arena, NULL);
}

void *
wv_xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *
wv_xcalloc(size_t count, size_t size)
{
	void *p = count && size ? calloc(count, size) : calloc(1, 1);

	if (!p)
		out_of_memory();
	return p;
}

void *
wv_xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

char *
wv_xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(wv_xmalloc(n), s, n);
}

void *
wv_list_room(void *list, size_t count, size_t size)
{
	enum { LEAST = 8 };

	if (count == 0)
		return wv_xrealloc(list, LEAST * size);
	/* Full whenever it holds a power of two. */
	if (count >= LEAST && (count & (count - 1)) == 0)
		return wv_xrealloc(list, count * 2 * size);
	return list;
}
