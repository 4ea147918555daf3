/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas and errors. */
#include "tap.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/msg.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
is_aligned(const void *p)
{
	return (uintptr_t)p % 16 == 0;
}

static void
test_arena(void)
{
	struct wv_arena arena = WV_ARENA_INIT;
	char *first = wv_alloc(&arena, 0);

	ok(first != NULL && is_aligned(first), "nothing is something");
	ok(wv_alloc(&arena, 0) != first, "each of its own");
	char *a = wv_alloc(&arena, 1), *b = wv_alloc(&arena, 17);
	ok(is_aligned(a) && is_aligned(b) && b - a == 16, "packed, aligned");
	memset(b, 'x', 17 + WV_ARENA_SLACK);

	char *big = wv_alloc(&arena, 1 << 20);
	ok(is_aligned(big), "a big one");
	memset(big, 'x', (1 << 20) + WV_ARENA_SLACK);
	char *c = wv_alloc(&arena, 1);
	ok(c - b == 32, "a big one does not end the block");

	bool good = true;
	for (int i = 1; i < 3000; i++) {
		char *p = wv_alloc(&arena, (size_t)i);
		good = good && is_aligned(p);
		memset(p, 'y', (size_t)i + WV_ARENA_SLACK);
	}
	ok(good, "many blocks");
	wv_arena_reset(&arena);
	char *again = wv_alloc(&arena, 100);
	wv_arena_reset(&arena);
	ok(arena.block != NULL, "a reset keeps a block");
	ok(wv_alloc(&arena, 100) == again, "and begins at its start");

	char *zero = wv_alloc_zero(&arena, 1000);
	good = true;
	for (int i = 0; i < 1000; i++)
		good = good && zero[i] == 0;
	ok(good, "zeroed");
	is(wv_dupn(&arena, "abc", 2), "ab", "a copy of bytes");
	is(wv_dupn(&arena, NULL, 0), "", "a copy of none");
	is(wv_dup(&arena, "abc"), "abc", "a copy of a string");
	is(wv_printf(&arena, "%s-%d", "abc", 7), "abc-7", "formatted");
	wv_arena_free(&arena);
	ok(arena.block == NULL, "freed");
	memset(wv_alloc(&arena, 1 << 20), 'b', 1 << 20);
	wv_arena_reset(&arena);
	ok(arena.block == NULL, "a reset keeps no big block");
	ok(wv_alloc(&arena, 1) != NULL, "used again");
	wv_arena_free(&arena);

	struct wv_arena small = { NULL, NULL, NULL, 256 };
	for (int i = 0; i < 1000; i++)
		memset(wv_alloc(&small, 48), 'z', 48 + WV_ARENA_SLACK);
	ok(true, "a block size of its own");
	wv_arena_free(&small);
}

/* A sanitizer keeps what is freed, for a while. */
#if defined(__SANITIZE_ADDRESS__)
#define FREED_IS_KEPT 1
#elif defined(__has_feature)
#define FREED_IS_KEPT __has_feature(address_sanitizer)
#else
#define FREED_IS_KEPT 0
#endif

static void
test_constant_memory(void)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct rusage before, after;

	for (int i = 0; i < 200000; i++) {
		if (i == 1000)
			getrusage(RUSAGE_SELF, &before);
		for (int k = 0; k < 10; k++)
			memset(wv_alloc(&arena, 40), 'r', 40);
		if (i % 100 == 0)
			memset(wv_alloc(&arena, 100000), 'r', 100000);
		wv_arena_reset(&arena);
	}
	getrusage(RUSAGE_SELF, &after);
	ok(FREED_IS_KEPT || after.ru_maxrss - before.ru_maxrss < 16 * 1024,
		"memory does not grow with the number of records");
	wv_arena_free(&arena);
}

/* In a child: its last words and status. */
static int
dies(void (*f)(void), char *said, size_t room)
{
	int fds[2], status;

	if (pipe(fds) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		dup2(fds[1], STDERR_FILENO);
		f();
		_exit(0);
	}
	close(fds[1]);
	ssize_t n = read(fds[0], said, room - 1);
	said[n > 0 ? n : 0] = '\0';
	close(fds[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
alloc_too_much(void)
{
	struct wv_arena arena = WV_ARENA_INIT;

	wv_alloc(&arena, SIZE_MAX);
}

static void
alloc_nearly_too_much(void)
{
	struct wv_arena arena = WV_ARENA_INIT;

	wv_alloc(&arena, SIZE_MAX - 16);
}

static void
test_out_of_memory(void)
{
	char said[200];

	ok(dies(alloc_too_much, said, sizeof said) == 2, "status 2");
	is(said, "base-mem: out of memory\n", "says so");
	ok(dies(alloc_nearly_too_much, said, sizeof said) == 2,
		"whatever is asked for");
}

static void
test_err(void)
{
	struct wv_err err = WV_ERR_INIT;
	char lots[2000];

	ok(wv_err_set(NULL, "x") == -1, "no error wanted");
	ok(!wv_err_is_set(&err) && !wv_err_is_set(NULL), "none yet");
	ok(wv_err_at(&err, "f", 3, 5, "bad %d", 7) == -1, "returns -1");
	is(err.text, "bad 7", "formatted");
	ok(err.line == 3 && err.column == 5, "the place");
	wv_err_set(&err, "outer");
	wv_err_sys(&err, "outer");
	wv_err_at(&err, "g", 1, 1, "outer");
	is(err.text, "bad 7", "the first error wins");
	is(err.source, "f", "and its place");
	wv_err_clear(&err);
	ok(!wv_err_is_set(&err) && !err.source && !err.line, "cleared");

	wv_err_set(&err, "%s", "");
	ok(wv_err_is_set(&err), "an error without text is still one");
	wv_err_clear(&err);

	memset(lots, 'a', sizeof lots);
	lots[sizeof lots - 1] = '\0';
	memcpy(lots + WV_ERR_TEXT - 2, "ä", 2);
	wv_err_set(&err, "%s", lots);
	ok(strlen(err.text) == WV_ERR_TEXT - 2, "cut at a character");
	wv_err_clear(&err);
	memcpy(lots + WV_ERR_TEXT - 4, "€", 3);
	wv_err_set(&err, "%s", lots);
	ok(strlen(err.text) == WV_ERR_TEXT - 1, "a whole one is kept");
	wv_err_clear(&err);
	errno = ENOENT;
	wv_err_sys(&err, "%s", lots);
	const char *reason = ": No such file or directory";
	is(err.text + strlen(err.text) - strlen(reason), reason,
		"the reason is never cut");
}

/* Sizes are seen by a sanitizer, contents by everyone. */
static void
test_list_room(void)
{
	enum { MOST = 1000 };
	size_t *list = NULL, n = 0, wrong = 0;

	for (; n < MOST; n++) {
		list = wv_list_room(list, n, sizeof *list);
		list[n] = n;
	}
	/* A list that shrank may grow again. */
	for (n = 5; n < MOST / 2; n++) {
		list = wv_list_room(list, n, sizeof *list);
		list[n] = n;
	}
	for (size_t i = 0; i < n; i++)
		wrong += list[i] != i;
	ok(wrong == 0, "a list grows, and what was in it stays");
	free(list);
}

int
main(void)
{
	wv_msg_tool("base-mem");
	test_arena();
	test_constant_memory();
	test_out_of_memory();
	test_err();
	test_list_room();
	return done();
}
