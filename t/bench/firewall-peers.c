/* SPDX-License-Identifier: Apache-2.0 */
/*
 * firewall-peers FILE...: megabytes a second of CPU time, best of five passes
 * over each file as a whole, of the scanner with its built-in rules, of PCRE2
 * with JIT rule by rule, and of Hyperscan if it is made with it
 * (CPPFLAGS=-DWITH_HYPERSCAN LIBS=-lhs), for the same kinds.  The peers say where their patterns match and
 * check no more: no Luhn, no IBAN, no words around numbers.
 * firewall-peers -p prints one alternation of all patterns, for
 *	rg -c -e "$(firewall-peers -p)" FILE
 */
#include "base/file.h"
#include "base/str.h"
#include "firewall/scan-internal.h"

#include "cpu.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <err.h>
#include <stdio.h>
#include <string.h>

#ifdef WITH_HYPERSCAN
#include <hs/hs.h>
#define HAS_HYPERSCAN 1
#else
#define HAS_HYPERSCAN 0
#endif

enum { PASSES = 5, MAX_FILE = 1 << 30, MAX_PATTERNS = 256 };

static struct wv_arena arena;
static const char *patterns[MAX_PATTERNS];
static size_t pattern_count;

/* Of what is no anchor and a run. */
static const char *const others[] = {
	"-----BEGIN [A-Z ]*PRIVATE KEY",
	"eyJ[A-Za-z0-9_-]{7,}\\.eyJ[A-Za-z0-9_-]*",
	"(?i)bearer +[A-Za-z0-9._~+/-]{16,}",
	"(?i)basic [A-Za-z0-9+/]{8,}=*",
	"[a-z0-9]://[^/\\s:@]*:[^/\\s]+@",
	"[?&;](?:sig|X-Amz-Signature)=[A-Za-z0-9%+/_-]{20,}",
	"\\bsk-[A-Za-z0-9_-]{20,}",
	"[78]Q~[A-Za-z0-9_~.-]{31,34}",
	"[A-Za-z0-9]{32,}JQQJ99[A-Za-z0-9]{20,}",
	"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
	"[0-9a-f]{32}-us[0-9]{1,2}",
	"[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,}",
	"hooks\\.slack\\.com/[a-z]*/[A-Za-z0-9/]{24,}",
	"/api/webhooks/[0-9]+/[A-Za-z0-9_-]{24,}",
	"(?i)(?:passw(?:or)?d|pwd|passphrase|secret|token|api[_-]?key|"
	"access[_-]?key|secret[_-]?key|private[_-]?key|authorization|"
	"credentials?|cookie)[\"'`\\]\\\\]*\\s*[:=]\\s*[\"'`]?[^\\s\"'`]{6,}",
	"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}",
	"\\+[1-9][0-9 ().-]{7,20}[0-9]",
	"\\(?[2-9][0-9]{2}[).-] ?[0-9]{3}[.-][0-9]{4}\\b",
	"\\b[3-6][0-9]{3}[ .-]?[0-9]{4,6}[ .-]?[0-9]{4,5}(?:[ "
	".-]?[0-9]{4})?\\b",
	"\\b[0-9]{3}-[0-9]{2}-[0-9]{4}\\b",
	"\\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\\b",
};

static const char *
class_of(enum wv_chars chars)
{
	static const struct {
		enum wv_chars chars;
		const char *set;
	} classes[] = { { WV_ALNUM, "[A-Za-z0-9]" }, { WV_WORD, "\\w" },
		{ WV_BASE64URL, "[A-Za-z0-9_-]" },
		{ WV_UPPER_DIGIT, "[A-Z0-9]" },
		{ WV_ALNUM_DASH, "[A-Za-z0-9-]" }, { WV_HEX, "[0-9a-f]" },
		{ WV_BASE64, "[A-Za-z0-9+/]" }, { WV_DOTTED, "[A-Za-z0-9_.-]" },
		{ WV_ENCODED, "[A-Za-z0-9_.~+/=%-]" } };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (classes[i].chars == chars)
			return classes[i].set;
	return ".";
}

static void
make_patterns(void)
{
	for (size_t i = 0; i < wv_built_in_count; i++) {
		const struct wv_rule *row = &wv_built_in[i];
		struct wv_str anchor = { 0 };
		if (row->recognize != wv_prefixed)
			continue;
		for (const char *p = row->anchor; *p != '\0'; p++)
			wv_str_fmt(&anchor, *p == '.' ? "\\%c" : "%c", *p);
		patterns[pattern_count++] = wv_printf(&arena, "\\b%s%s{%zu,}",
			anchor.s, class_of(row->chars), row->min);
		wv_str_free(&anchor);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		patterns[pattern_count++] = others[i];
}

static size_t
scan_own(const char *s, size_t n)
{
	struct wv_hit hit;
	size_t count = 0;

	for (size_t from = 0; wv_scan(NULL, s, n, from, &hit); count++)
		from = hit.end;
	return count;
}

static size_t
scan_pcre2(const char *s, size_t n)
{
	static pcre2_code *codes[MAX_PATTERNS];
	static pcre2_match_data *data;
	size_t count = 0;

	for (size_t i = 0; i < pattern_count; i++) {
		int code;
		PCRE2_SIZE at;
		if (codes[i] == NULL) {
			codes[i] = pcre2_compile((PCRE2_SPTR)patterns[i],
				PCRE2_ZERO_TERMINATED, 0, &code, &at, NULL);
			if (codes[i] == NULL)
				errx(2, "PCRE2 refuses %s", patterns[i]);
			pcre2_jit_compile(codes[i], PCRE2_JIT_COMPLETE);
			data = pcre2_match_data_create(1, NULL);
		}
		for (size_t from = 0; from < n; count++) {
			if (pcre2_match(codes[i], (PCRE2_SPTR)s, n, from,
				    PCRE2_NO_UTF_CHECK, data, NULL) < 0)
				break;
			from = pcre2_get_ovector_pointer(data)[1];
		}
	}
	return count;
}

#if HAS_HYPERSCAN
static int
count_one(unsigned id, unsigned long long from, unsigned long long to,
	unsigned flags, void *count)
{
	(void)id;
	(void)from;
	(void)to;
	(void)flags;
	++*(size_t *)count;
	return 0;
}

static size_t
scan_hyperscan(const char *s, size_t n)
{
	static hs_database_t *database;
	static hs_scratch_t *scratch;
	size_t count = 0;

	if (database == NULL) {
		unsigned flags[MAX_PATTERNS], ids[MAX_PATTERNS];
		hs_compile_error_t *error;
		for (unsigned i = 0; i < pattern_count; i++) {
			flags[i] = HS_FLAG_DOTALL;
			ids[i] = i;
		}
		if (hs_compile_multi(patterns, flags, ids,
			    (unsigned)pattern_count, HS_MODE_BLOCK, NULL,
			    &database, &error) != HS_SUCCESS)
			errx(2, "Hyperscan: %s", error->message);
		hs_alloc_scratch(database, &scratch);
	}
	hs_scan(database, s, (unsigned)n, 0, scratch, count_one, &count);
	return count;
}
#endif

static void
time_it(const char *name, size_t (*scan)(const char *, size_t), const char *s,
	size_t n)
{
	double best = 1e9;
	size_t count = scan(s, 1); /* compiles */

	for (int pass = 0; pass < PASSES; pass++) {
		double start = cpu_time();
		count = scan(s, n);
		double took = cpu_time() - start;
		best = took < best ? took : best;
	}
	printf("%-28s %6.0f MB/s %9zu matches\n", name, (double)n / 1e6 / best,
		count);
}

int
main(int argc, char **argv)
{
	make_patterns();
	if (argc == 2 && strcmp(argv[1], "-p") == 0) {
		for (size_t i = 0; i < pattern_count; i++)
			printf("%s(?:%s)", i ? "|" : "", patterns[i]);
		printf("\n");
		return 0;
	}
	if (argc < 2)
		errx(2, "usage: firewall-peers -p | FILE...");
	for (int i = 1; i < argc; i++) {
		struct wv_arena file = WV_ARENA_INIT;
		struct wv_err error = WV_ERR_INIT;
		size_t n;
		char *s = wv_file_read(&file, argv[i], MAX_FILE, &n, &error);
		if (s == NULL)
			errx(2, "%s: %s", argv[i], error.text);
		printf("%s, %zu bytes, %zu patterns\n", argv[i], n,
			pattern_count);
		time_it("wv", scan_own, s, n);
		time_it("PCRE2 JIT, rule by rule", scan_pcre2, s, n);
#if HAS_HYPERSCAN
		time_it("Hyperscan", scan_hyperscan, s, n);
#endif
		wv_arena_free(&file);
	}
	wv_arena_free(&arena);
	return 0;
}
