/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first byte of the input chooses a format, or a pattern that is looked
 * for in the rest.  A verdict is the same every time and holds with nothing
 * before or behind the text; what is an address is one in a URI, what is a
 * URI is a reference and an IRI; a pattern compiles or has a message, and
 * machine code and the guarded form find what the interpreter does.
 */
#include "json/utf8.h"
#include "schema/ecma.h"
#include "schema/format.h"
#include "schema/regex.h"

#include "must.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char *const names[] = { "date-time", "date", "time", "duration",
	"email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
	"uri-reference", "iri", "iri-reference", "uuid", "uri-template",
	"json-pointer", "relative-json-pointer", "regex" };
enum { NAMES = sizeof names / sizeof *names, JIT_USES = 40 };

/* What a format implies. */
static const char *const implied[][2] = { { "uri", "uri-reference" },
	{ "uri", "iri" }, { "uri-reference", "iri-reference" },
	{ "iri", "iri-reference" }, { "hostname", "idn-hostname" },
	{ "email", "idn-email" }, { "ipv4", "hostname" } };

static bool
meets(const char *format, const char *s, size_t n)
{
	return wv_format_find(format)(s, n);
}

static void
check_format(const char *format, const char *s, size_t n)
{
	bool good = meets(format, s, n);
	struct wv_str host = { 0 };

	must(meets(format, s, n) == good);
	for (size_t i = 0; good && i < sizeof implied / sizeof *implied; i++) {
		if (strcmp(implied[i][0], format) == 0)
			must(meets(implied[i][1], s, n));
	}
	if (good && strcmp(format, "ipv6") == 0) {
		wv_str_cat(&host, "a://[");
		wv_str_add(&host, s, n);
		wv_str_cat(&host, "]");
		must(meets("uri", host.s, host.n));
		wv_str_free(&host);
	}
}

static void
check_verdicts(const struct wv_regex *regex, const char *s, size_t n)
{
	int first = wv_regex_find(regex, s, n), last = first;
	struct wv_str padded = { 0 };

	for (int i = 0; i < JIT_USES; i++)
		last = wv_regex_find(regex, s, n);
	must(first == last);
	/* Long enough for the guarded form, which has to come to an end. */
	for (int i = 0; i < 100; i++)
		wv_str_add(&padded, s, n);
	if (padded.n > 0)
		wv_regex_find(regex, padded.s, padded.n);
	wv_str_free(&padded);
}

static void
check_pattern(const char *pattern, size_t n, const char *s, size_t left)
{
	struct wv_err err = WV_ERR_INIT, again = WV_ERR_INIT;
	struct wv_str translated = { 0 };
	struct wv_regex *regex = wv_regex_compile(pattern, n, &err);
	bool is_pattern = wv_ecma_is_pattern(pattern, n);

	if (wv_ecma_translate(&translated, pattern, n, &again) != 0)
		must(regex == NULL && strcmp(again.text, err.text) == 0);
	else
		must(is_pattern);
	must(regex != NULL || err.text[0] != '\0');
	must(is_pattern ==
		(regex != NULL || strncmp(err.text, "not a regular", 13) != 0));
	if (regex != NULL)
		check_verdicts(regex, s, left);
	wv_regex_free(regex);
	wv_str_free(&translated);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char *text;

	if (size == 0)
		return 0;
	/* Ends where the bytes do. */
	text = malloc(size - 1 ? size - 1 : 1);
	memcpy(text, data + 1, size - 1);
	size--;
	if (data[0] < NAMES) {
		check_format(names[data[0]], text, size);
	} else if (wv_utf8_check(text, size) == size) {
		/* The subject is what follows the first line. */
		char *end = memchr(text, '\n', size);
		size_t n = end ? (size_t)(end - text) : size;
		size_t used = end ? n + 1 : n;
		check_pattern(text, n, text + used, size - used);
	}
	free(text);
	return 0;
}
