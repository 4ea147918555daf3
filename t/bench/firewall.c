/* SPDX-License-Identifier: Apache-2.0 */
/*
 * firewall-bench FILE: megabytes a second of CPU time, best of five passes
 * over a file of JSON lines, for what the firewall does.  Then the time that
 * hostile text of n and 4n bytes takes; status 1 if any grows more than
 * linearly (a ratio above 6).
 */
#include "base/file.h"
#include "firewall/firewall.h"

#include "cpu.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 5, MAX_FILE = 1 << 30, SMALL = 1 << 20 };

static struct wv_arena arena = { NULL, NULL, NULL, 1 << 20 };
static struct wv_str out;
static const char *input;
static size_t input_len;

static void
clean(const char *s, size_t n)
{
	struct wv_findings findings = { 0 };

	out.n = 0;
	wv_clean(&out, s, n, &findings);
}

static void
redact(const char *s, size_t n)
{
	out.n = 0;
	wv_redact(&out, s, n, &arena, NULL);
	wv_arena_reset(&arena);
}

static void
clean_and_redact(const char *s, size_t n)
{
	static struct wv_str cleaned;
	struct wv_findings findings = { 0 };

	cleaned.n = 0;
	wv_clean(&cleaned, s, n, &findings);
	redact(cleaned.s, cleaned.n);
}

/* What is done with every line of the input, as the firewall gets it. */
static void
each_line(void (*use)(const char *, size_t))
{
	const char *s = input, *end = input + input_len;

	while (s < end) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((lf ? lf : end) - s);
		out.n = 0;
		use(wv_dupn(&arena, s, n), n);
		wv_arena_reset(&arena);
		s += n + 1;
	}
}

static void
read_json(const char *s, size_t n)
{
	wv_json_read(&arena, s, n, &wv_json_defaults, NULL);
}

static void
write_text(const char *s, size_t n)
{
	struct wv_findings findings = { 0 };

	wv_firewall_text(&out, &arena, s, n, NULL, &findings);
}

static void
make_frame(const char *s, size_t n)
{
	const struct wv_firewall_input raw = { .raw = s, .len = n };
	const struct wv_firewall_options options = WV_FIREWALL_OPTIONS_INIT;
	struct wv_findings findings = { 0 };

	wv_json_write(
		&out, wv_firewall_frame(&arena, &raw, &options, &findings));
}

static double
best_time(void (*use)(const char *, size_t), const char *s, size_t n)
{
	double best = 1e9;

	for (int pass = 0; pass < PASSES; pass++) {
		double start = cpu_time();
		if (s != NULL)
			use(s, n);
		else
			each_line(use);
		double took = cpu_time() - start;
		best = took < best ? took : best;
	}
	return best;
}

static void
throughput(const char *path)
{
	static const struct {
		const char *name;
		void (*use)(const char *, size_t);
		bool lines;
	} rows[] = {
		{ "clean, as text", clean, false },
		{ "redact, as text", redact, false },
		{ "clean and redact, as text", clean_and_redact, false },
		{ "read JSON only, by lines", read_json, true },
		{ "JSON to clean, redacted JSON, by lines", write_text, true },
		{ "JSON to Frames, by lines", make_frame, true },
	};
	static struct wv_arena file;
	struct wv_err error = WV_ERR_INIT;

	input = wv_file_read(&file, path, MAX_FILE, &input_len, &error);
	if (input == NULL)
		errx(2, "%s: %s", path, error.text);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("%-40s %6.0f MB/s\n", rows[i].name,
			(double)input_len / 1e6 /
				best_time(rows[i].use,
					rows[i].lines ? NULL : input,
					input_len));
	wv_arena_free(&file);
}

static char *
repeat(const char *piece, size_t n)
{
	size_t len = strlen(piece);
	char *text = malloc(n + 1 + WV_JSON_SLACK);

	if (text == NULL)
		err(2, "malloc");
	for (size_t i = 0; i < n; i++)
		text[i] = piece[i % len];
	memset(text + n, 0, 1 + WV_JSON_SLACK);
	return text;
}

static void
make_frame_of(const char *s, size_t n)
{
	out.n = 0;
	make_frame(s, n);
	wv_arena_reset(&arena);
}

/* True if the text takes about four times as long at four times the size. */
static bool
is_linear(
	const char *piece, void (*use)(const char *, size_t), const char *what)
{
	char *small = repeat(piece, SMALL), *large = repeat(piece, 4 * SMALL);
	double a = best_time(use, small, SMALL);
	double b = best_time(use, large, 4 * SMALL);
	bool good = b / a < 6;

	printf("%-6s %-36.36s %7.1f ms %7.1f ms  x%.1f%s\n", what, piece,
		a * 1e3, b * 1e3, b / a, good ? "" : "  NOT LINEAR");
	free(small);
	free(large);
	return good;
}

static bool
growth(void)
{
	static const char *const pieces[] = {
		"A",
		"7",
		"a@",
		"a@b.",
		"a.b@c.d-",
		"@",
		"=",
		":",
		"://",
		"://u:",
		"a://u:p@",
		"password=",
		"password=\"",
		"password='${",
		"password=\\\"x\\\\\\\"",
		"token: ",
		"token:::",
		"secret=a,",
		"Authorization: Basic ",
		"authorization:digest ",
		"Bearer ",
		"bearer aaaaaaaaaaaaaaaaaaaaaaaaa ",
		"sk-",
		"sk-aaaaaaaaaaaa",
		"ghp_",
		"eyJ",
		"eyJ.",
		"eyJaaaaaaaaaa.eyJ",
		"xoxb-",
		"-----BEGIN ",
		"-----BEGIN PRIVATE KEY-----",
		"\"-----BEGIN PRIVATE KEY-----\\nAAAABBBBCCCCDDDD\" ",
		"-----BEGIN PRIVATE KEY-----\n-----END ",
		"[REDACTED:",
		"password=[REDACTED:x]",
		"\x1b",
		"\x1b]",
		"\x1b[",
		"\x1bP\xc2",
		"\xc2\x9d",
		"\xe2\x80\x8d",
		"\xf0\x9f\x91\xa8\xe2\x80\x8d",
		"\xff",
		"\r",
		"\"",
		"\\",
		"[",
		"{\"a\":",
		"[\"[\\\"",
		"{\"a\":1}\n",
		"[]\n",
		"a,b\n",
		"\n",
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		good &= is_linear(pieces[i], clean_and_redact, "text");
		good &= is_linear(pieces[i], make_frame_of, "frame");
	}
	return good;
}

int
main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: firewall-bench FILE");
	throughput(argv[1]);
	bool good = growth();
	wv_arena_free(&arena);
	wv_str_free(&out);
	return good ? 0 : 1;
}
