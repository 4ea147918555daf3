/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and words of a text. */
#include "firewall/summarize.h"

size_t wv_summary_steps;

bool
wv_next_line(const char **s, const char *end, struct wv_line *line)
{
	if (*s >= end)
		return false;
	const char *lf = memchr(*s, '\n', (size_t)(end - *s));
	const char *stop = lf ? lf : end;
	*line = (struct wv_line){ *s, (size_t)(stop - *s) };
	WV_STEP(line->n + 1);
	*s = lf ? lf + 1 : end;
	return true;
}

struct wv_line
wv_trim(const char *s, size_t n)
{
	while (n > 0 && wv_is_blank(*s)) {
		s++;
		n--;
	}
	while (n > 0 && wv_is_blank(s[n - 1]))
		n--;
	return (struct wv_line){ s, n };
}

bool
wv_begins(const struct wv_line *line, const char *with)
{
	size_t n = strlen(with);

	return line->n >= n && memcmp(line->s, with, n) == 0;
}

/* Most lines do not even hold the first byte. */
const char *
wv_find(const struct wv_line *line, const char *what)
{
	const char *first =
		line->n > 0 ? memchr(line->s, *what, line->n) : NULL;

	WV_STEP(line->n);
	return first != NULL
		? memmem(first, (size_t)(line->s + line->n - first), what,
			  strlen(what))
		: NULL;
}

size_t
wv_digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && wv_is_digit(*p))
		p++;
	return (size_t)(p - s);
}

struct wv_line
wv_take_word(struct wv_line *rest)
{
	const char *s = rest->s, *end = s + rest->n, *from;

	while (s < end && wv_is_blank(*s))
		s++;
	for (from = s; s < end && !wv_is_blank(*s);)
		s++;
	rest->s = s;
	rest->n = (size_t)(end - s);
	return (struct wv_line){ from, (size_t)(s - from) };
}

void
wv_sample(struct wv_sample *sample, const char *s, const char *end)
{
	const char *stop = end - s > WV_SAMPLE ? s + WV_SAMPLE : end;
	struct wv_line line;

	sample->s = s;
	sample->end = end;
	sample->count = 0;
	while (sample->count < WV_SAMPLE_LINES &&
		wv_next_line(&s, stop, &line)) {
		if (wv_trim(line.s, line.n).n == 0)
			continue;
		if (line.n > WV_SAMPLE_WIDTH)
			line.n = WV_SAMPLE_WIDTH;
		sample->lines[sample->count++] = line;
	}
}
