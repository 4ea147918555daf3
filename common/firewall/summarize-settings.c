/* SPDX-License-Identifier: Apache-2.0 */
/* Names and values that are no YAML: INI, TOML, environments, what programs
 * report as "Model name:   x". */
#include "firewall/summarize.h"

enum {
	NAME_BYTES = 40,
	NAME_WORDS = 5,
	VALUE_WIDTH = 50,
	CODE_WEIGHT = 4, /* lines that a line of code outweighs */
};

/* Where the name of a line ends; 0: it has none. */
static size_t
name_end(const struct wv_line *bare)
{
	size_t words = 1, n = 0;

	if (bare->n == 0 ||
		(!wv_is_letter(*bare->s) && *bare->s != '_' && *bare->s != '"'))
		return 0;
	for (; n < bare->n && n <= NAME_BYTES; n++) {
		char c = bare->s[n];
		if (c == '=' && n + 1 < bare->n && bare->s[n + 1] == '=')
			return 0;
		if (c == '=')
			return words <= NAME_WORDS ? n : 0;
		if (c == ':' &&
			(n + 1 == bare->n || wv_is_blank(bare->s[n + 1])))
			return words <= NAME_WORDS ? n : 0;
		words += c == ' ' && bare->s[n - 1] != ' ';
		if (strchr(";:{}<>!?", c) != NULL)
			return 0;
	}
	return 0;
}

static bool
is_section(const struct wv_line *bare)
{
	return bare->n > 2 && *bare->s == '[' && bare->s[bare->n - 1] == ']' &&
		(wv_is_letter(bare->s[1]) || bare->s[1] == '[');
}

static bool
is_comment(const struct wv_line *bare)
{
	return bare->n == 0 || *bare->s == '#' || *bare->s == ';';
}

/* A line of a program ends so: "x;", "f(x) {", "def f(x):". */
static bool
is_code(const struct wv_line *bare)
{
	return memchr(";{}", bare->s[bare->n - 1], 3) != NULL ||
		(bare->n > 2 && memcmp(bare->s + bare->n - 2, "):", 2) == 0);
}

/* Most lines have names. */
bool
wv_is_settings(const struct wv_sample *sample)
{
	size_t named = 0, other = 0;

	for (size_t i = 0; i < sample->count; i++) {
		struct wv_line bare =
			wv_trim(sample->lines[i].s, sample->lines[i].n);
		if (is_comment(&bare) || is_section(&bare))
			continue;
		if (is_code(&bare))
			other += CODE_WEIGHT;
		else if (name_end(&bare) > 0)
			named++;
		else
			other++;
	}
	return named >= 3 && other * 2 <= named;
}

static void
tell_pair(struct wv_summary *sum, struct wv_line *section,
	const struct wv_line *bare, size_t n)
{
	struct wv_line name = wv_trim(bare->s, n);
	struct wv_line value = wv_trim(bare->s + n + 1, bare->n - n - 1);
	struct wv_str *part = wv_sum_begin(sum);
	size_t left_out = sum->left_out;

	if (section->n > 0) {
		wv_add_inline(part, section->s, section->n, NAME_BYTES);
		wv_str_chr(part, ' ');
	}
	wv_add_inline(part, name.s, name.n, NAME_BYTES);
	wv_str_cat(part, bare->s[n] == '=' ? " = " : ": ");
	if (value.n == 1 && *value.s == '[') /* of several lines */
		wv_str_cat(part, "[…]");
	else
		wv_add_inline(part, value.s, value.n, VALUE_WIDTH);
	wv_sum_end(sum, name.s, name.n);
	if (sum->left_out == left_out)
		section->n = 0;
}

/* Of one depth: what is not indented tells more. */
static void
tell_pairs(struct wv_summary *sum, bool indented)
{
	struct wv_line line, section = { 0 };
	const char *s = sum->s;

	while (wv_next_line(&s, sum->end, &line)) {
		struct wv_line bare = wv_trim(line.s, line.n);
		if (is_section(&bare))
			section = bare;
		if (is_comment(&bare) || is_section(&bare) ||
			wv_is_blank(*line.s) != indented)
			continue;
		size_t n = name_end(&bare);
		if (n > 0 && n + 1 < bare.n)
			tell_pair(sum, &section, &bare, n);
	}
}

void
wv_tell_settings(struct wv_summary *sum)
{
	wv_sum_head(sum, "names and values");
	wv_sum_trouble(sum);
	sum->unit = "name";
	tell_pairs(sum, false);
	tell_pairs(sum, true);
}
