/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"

#include "json/skim.h"

#include <string.h>

enum { MINUTE = 16, SECOND = 19, NS_A_MS = 1000000 };

static inline unsigned
digit(char c)
{
	return (unsigned)(unsigned char)c - '0';
}

/* ":05.678Z" or ":05Z" behind a minute that is known. */
static bool
read_second(struct wv_time *time, const struct minute *minute, const char *s,
	size_t n)
{
	unsigned tens = digit(s[MINUTE + 1]), ones = digit(s[MINUTE + 2]);
	unsigned ms = 0;

	if (s[MINUTE] != ':' || tens > 5 || ones > 9 || s[n - 1] != 'Z')
		return false;
	if (n > SECOND + 1) {
		unsigned a = digit(s[SECOND + 1]), b = digit(s[SECOND + 2]);
		unsigned c = digit(s[SECOND + 3]);
		if (s[SECOND] != '.' || a > 9 || b > 9 || c > 9)
			return false;
		ms = a * 100 + b * 10 + c;
	}
	time->sec = minute->sec + tens * 10 + ones;
	time->nsec = (int32_t)(ms * NS_A_MS);
	return true;
}

static bool
read_time(struct wv_time *time, struct minute *minute, const char *s, size_t n)
{
	bool is_ours = n == SECOND + 1 || n == SECOND + 5;

	if (is_ours && memcmp(s, minute->text, MINUTE) == 0 &&
		read_second(time, minute, s, n))
		return true;
	if (wv_time_parse(time, s, n, NULL) < 0)
		return false;
	if (is_ours && s[n - 1] == 'Z' && digit(s[SECOND - 2]) <= 5) {
		memcpy(minute->text, s, MINUTE);
		minute->sec = time->sec - digit(s[SECOND - 2]) * 10 -
			digit(s[SECOND - 1]);
	}
	return true;
}

bool
line_is_event(struct line *line, struct minute *minute)
{
	struct found id = shape_at(line->shape, line->values, PLACE_ID);
	struct found time = shape_at(line->shape, line->values, PLACE_TIME);

	return id.text.n > 0 &&
		read_time(&line->time, minute, time.text.s, time.text.n);
}

struct found
line_at_tree(const struct line *line, size_t place)
{
	const cJSON *node =
		wv_pointer(line->tree, line->places->pointers[place]);
	if (node == NULL)
		return (struct found){ .kind = FOUND_NONE };
	if (!wv_is_string(node))
		return (struct found){ .kind = FOUND_NODE, .node = node };
	return (struct found){ .kind = FOUND_STRING,
		.text = { node->valuestring, (size_t)node->valueint },
		.node = node };
}

const cJSON *
line_number(const struct found *found, cJSON *node, char text[LINE_NUMBER])
{
	if (found->kind == FOUND_NODE)
		return wv_is_number(found->node) ? found->node : NULL;
	if (found->kind != FOUND_NUMBER || found->text.n >= LINE_NUMBER)
		return NULL;
	wv_skim_number_node(node, found->text.s, found->text.n, text);
	return node;
}
