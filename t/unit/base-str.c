/* SPDX-License-Identifier: Apache-2.0 */
/* Strings, foreign text, the nearest word, messages. */
#include "tap.h"

#include "base/msg.h"
#include "base/str.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

static void
test_str(void)
{
	struct wv_str s = { 0 };

	wv_str_add(&s, NULL, 0);
	is(s.s, "", "terminated though empty");
	wv_str_cat(&s, "ab");
	wv_str_chr(&s, '\0');
	wv_str_add(&s, "cd", 2);
	ok(s.n == 5 && memcmp(s.s, "ab\0cd", 6) == 0, "counted");
	s.n = 0;
	for (int i = 0; i < 1000; i++)
		wv_str_fmt(&s, "%d,", i);
	ok(s.n == strlen(s.s) && strncmp(s.s, "0,1,2,", 6) == 0 &&
			strcmp(s.s + s.n - 8, "998,999,") == 0,
		"grows");
	s.n = 0;
	wv_str_fmt(&s, "%5000s", "x");
	ok(s.n == 5000 && s.s[4999] == 'x', "a long format");
	s.n = 0;
	wv_str_num(&s, 0);
	wv_str_chr(&s, ' ');
	wv_str_num(&s, 10203);
	wv_str_chr(&s, ' ');
	wv_str_num(&s, SIZE_MAX);
	is(s.s, "0 10203 18446744073709551615", "numbers");
	wv_str_free(&s);
	ok(s.s == NULL && s.n == 0 && s.cap == 0, "freed");
}

static void
foreign(const char *in, size_t n, size_t max, const char *want,
	const char *name)
{
	struct wv_str once = { 0 }, twice = { 0 };

	wv_str_foreign(&once, in, n, max);
	is(once.s, want, "%s", name);
	wv_str_foreign(&twice, once.s, once.n, max);
	is(twice.s, want, "%s, twice", name);
	ok(once.n <= max, "%s, within bounds", name);
	wv_str_free(&once);
	wv_str_free(&twice);
}

#define FOREIGN(in, want, name) foreign(in, sizeof(in) - 1, 1000, want, name)

static void
test_foreign(void)
{
	FOREIGN("plain \\ text, äöü €, 日本語, 🙂",
		"plain \\ text, äöü €, 日本語, 🙂", "clean text");
	FOREIGN("a\nb\tc\rd", "a\\nb\\tc\\rd", "breaks");
	FOREIGN("\x1b[31mred\a\x7f", "\\x1b[31mred\\x07\\x7f", "C0 and DEL");
	FOREIGN("a\0b", "a\\x00b", "NUL");
	FOREIGN("\xc2\x9b"
		"2J\xc2\x85",
		"\\u{9b}2J\\u{85}", "C1");
	FOREIGN("\x9b"
		"2J",
		"\\x9b2J", "a bare C1 byte");
	FOREIGN("\xe2\x80\xa8\xe2\x80\xa9", "\\u{2028}\\u{2029}", "separators");
	FOREIGN("a\xe2\x80\xae"
		"b\xe2\x81\xa6"
		"c\xd8\x9c",
		"a\\u{202e}b\\u{2066}c\\u{61c}", "bidi controls");
	FOREIGN("\xe2\x80\x8b\xef\xbb\xbf\xc2\xad\xef\xb8\x8f",
		"\\u{200b}\\u{feff}\\u{ad}\\u{fe0f}", "invisible ones");
	FOREIGN("\xf3\xa0\x81\x81\xf3\xa0\x87\xaf", "\\u{e0041}\\u{e01ef}",
		"tags and selectors");
	FOREIGN("\xe2\x80\x90\xe2\x80\xaf\xe2\x81\x9f\xef\xbf\xbc",
		"\xe2\x80\x90\xe2\x80\xaf\xe2\x81\x9f\xef\xbf\xbc",
		"the neighbours of the table");
	FOREIGN("\xc0\x80\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80\xff",
		"\\xc0\\x80\\xe0\\x80\\x80\\xed\\xa0\\x80"
		"\\xf4\\x90\\x80\\x80\\xff",
		"overlong, surrogate, too large, no UTF-8");
	FOREIGN("a\xe2\x82", "a\\xe2\\x82", "cut short");

	/* What is looked at eight bytes at a time, and what is left. */
	for (size_t at = 0; at < 20; at++) {
		char text[] = "abcdefghijklmnopqrst", want[40];
		text[at] = at % 2 ? '\x7f' : '\x1f';
		sprintf(want, "%.*s\\x%s%s", (int)at, text,
			at % 2 ? "7f" : "1f", text + at + 1);
		foreign(text, 20, 100, want, "one byte of many");
	}
	FOREIGN("~~~~~~~~        ~", "~~~~~~~~        ~", "the last and first");

	foreign("abcdef", 6, 6, "abcdef", "as long as allowed");
	foreign("abcdefg", 7, 6, "abc…", "longer");
	foreign("aäöü", 7, 6, "aä…", "cut at a character");
	foreign("ab\x1b", 3, 5, "ab…", "cut before an escape");
	foreign("abc", 3, 3, "abc", "room for the mark alone");
	foreign("abcd", 4, 3, "…", "the mark alone");
	foreign("abcd", 4, 2, "", "no room for it");
	foreign("", 0, 0, "", "nothing");

	struct wv_str s = { 0 };
	wv_str_cat(&s, "lead: ");
	wv_str_foreign(&s, "abcdefg", 7, 6);
	is(s.s, "lead: abc…", "appends");
	wv_str_free(&s);
}

static void
test_nearest(void)
{
	static const char *const list[] = { "catalog", "choose", "verbose",
		"version", "max-line", "max-depth", "top", "json", NULL };

	is(wv_nearest("catalogue", list), "catalog", "letters too many");
	is(wv_nearest("catlog", list), "catalog", "a letter missing");
	is(wv_nearest("tpo", list), "top", "two letters swapped");
	is(wv_nearest("JSON", list), "json", "case does not count");
	is(wv_nearest("choose", list), "choose", "itself");
	is(wv_nearest("verb", list), "verbose", "a unique beginning");
	is(wv_nearest("ver", list), NULL, "one that is not unique");
	is(wv_nearest("ca", list), NULL, "two letters are no beginning");
	is(wv_nearest("max-lien", list), "max-line", "the nearer of two");
	is(wv_nearest("frobnicate", list), NULL, "nothing near");
	is(wv_nearest("", list), NULL, "nothing at all");

	static const char *const ties[] = { "cat", "car", NULL };
	is(wv_nearest("caz", ties), "cat", "ties go to the earlier");

	static char huge[100000];
	memset(huge, 'a', sizeof huge - 1);
	is(wv_nearest(huge, list), NULL, "something huge");
}

/* What f writes to stderr. */
static const char *
said(void (*f)(void))
{
	static char text[8192];
	int fds[2], saved = dup(STDERR_FILENO);

	if (pipe(fds) < 0)
		return NULL;
	dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
	f();
	dup2(saved, STDERR_FILENO);
	close(saved);
	size_t have = 0;
	ssize_t n;
	while ((n = read(fds[0], text + have, sizeof text - 1 - have)) > 0)
		have += (size_t)n;
	text[have] = '\0';
	close(fds[0]);
	return text;
}

static void
warn(void)
{
	wv_warn("a %s", "b\n\x1b[0m");
}

static void
warn_at(void)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, "f\n.json", 3, 14, "bad");
	wv_warn_err(&err);
	err.column = 0;
	wv_warn_err(&err);
	err.line = 0;
	wv_warn_err(&err);
	err.source = NULL;
	wv_warn_err(&err);
}

static void
note(void)
{
	wv_note("detail");
}

static void
warn_long(void)
{
	wv_warn("%6000s", "x");
}

static void
test_msg(void)
{
	wv_msg_tool("wv-test");
	is(wv_msg_tool_name(), "wv-test", "the tool's name");
	is(said(warn), "wv-test: a b\\n\\x1b[0m\n", "one line, made clean");
	is(said(warn_at),
		"wv-test: f\\n.json:3:14: bad\nwv-test: f\\n.json:3: bad\n"
		"wv-test: f\\n.json: bad\nwv-test: bad\n",
		"as much of a place as is known");
	is(said(note), "", "no notes unless asked for");
	wv_verbose = 1;
	is(said(note), "wv-test: detail\n", "a note");
	ok(strlen(said(warn_long)) <= 4096, "a long line is bounded");
	wv_quiet = true;
	is(said(warn), "", "quiet");
	is(said(warn_at), "", "quiet about errors");
	is(said(note), "", "quiet beats verbose");
	wv_quiet = false;
	wv_verbose = 0;

	/* A reader that has gone: the default SIGPIPE must not kill. */
	int fds[2], saved = dup(STDERR_FILENO);
	if (pipe(fds) == 0) {
		close(fds[0]);
		dup2(fds[1], STDERR_FILENO);
		signal(SIGPIPE, SIG_DFL);
		warn();
		dup2(saved, STDERR_FILENO);
		close(fds[1]);
	}
	close(saved);
	ok(true, "a closed stderr changes nothing");
}

enum { MANY = 3000 };

static void
warn_two(void)
{
	char text[] = "a: 1\nb\n";
	const struct wv_str lines = { .s = text, .n = strlen(text) };

	wv_warn_lines(&lines);
}

static void
warn_many(void)
{
	struct wv_str lines = { 0 };

	for (int i = 0; i < MANY; i++)
		wv_str_fmt(&lines, "line %d \x1b\n", i);
	wv_warn_lines(&lines);
	wv_str_free(&lines);
}

/* Of a pipe of packets, each of which is a write. */
static void
check_writes(int fd)
{
	char text[PIPE_BUF + 1];
	size_t writes = 0, lines = 0, odd = 0;

	for (ssize_t n; (n = read(fd, text, sizeof text)) > 0; writes++) {
		odd += n > PIPE_BUF || text[n - 1] != '\n';
		for (ssize_t i = 0; i < n; i++)
			lines += text[i] == '\n';
	}
	ok(odd == 0, "a write to a pipe is of whole lines, and not long");
	ok(lines == MANY && writes < MANY / 50, "%zu lines in %zu writes",
		lines, writes);
}

static void
test_lines(void)
{
	int fds[2];
	pid_t child;

	is(said(warn_two), "wv-test: a: 1\nwv-test: b\n", "two lines");
	wv_quiet = true;
	is(said(warn_two), "", "quiet about them");
	wv_quiet = false;
	ok(pipe2(fds, O_DIRECT) == 0, "a pipe of packets");
	child = fork();
	if (child == 0) {
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		warn_many();
		_exit(0);
	}
	close(fds[1]);
	check_writes(fds[0]);
	close(fds[0]);
	waitpid(child, NULL, 0);
}

static void
test_ends_with(void)
{
	ok(wv_ends_with("x.json", 6, ".json"), "the end");
	ok(wv_ends_with(".json", 5, ".json"), "all of it");
	ok(wv_ends_with("x", 1, "") && wv_ends_with("", 0, ""), "nothing");
	ok(!wv_ends_with("json", 4, ".json"), "too short");
	ok(!wv_ends_with("x.jsonl", 7, ".json"), "in the middle");
	ok(wv_ends_with("x.json.gz", 6, ".json"), "of the first n bytes only");
}

int
main(void)
{
	test_str();
	test_ends_with();
	test_foreign();
	test_nearest();
	test_msg();
	test_lines();
	return done();
}
