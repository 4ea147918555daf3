/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of JSON and of tables, compared exactly and told as they stand. */
#include "firewall/summarize.h"

#include "json/num.h"

enum {
	CELL_NUMBER = 64, /* bytes of a cell that may be a number */
	EXACT = 15,       /* bytes of a number that a double holds exactly */
	PLAIN = 19,       /* of one whose digits fit 64 bits */
};

/* The number itself, in *copy unless it has a node. */
static const cJSON *
node_of(const struct wv_measure *m, cJSON *copy, char text[CELL_NUMBER + 1])
{
	if (m->node != NULL)
		return m->node;
	size_t n = m->n;

	while (n > 0 && !wv_is_digit(m->s[n - 1]))
		n--;
	memcpy(text, m->s, n);
	text[n] = '\0';
	*copy = (cJSON){ .type = cJSON_Number, .valuestring = text };
	return copy;
}

static int
compare_exactly(const struct wv_measure *a, const struct wv_measure *b)
{
	char text[2][CELL_NUMBER + 1];
	cJSON copies[2];

	return wv_num_cmp(node_of(a, &copies[0], text[0]),
		node_of(b, &copies[1], text[1]));
}

static double
size_of(double value)
{
	return value < 0 ? -value : value;
}

/* Those that are as near as doubles can tell are compared exactly. */
int
wv_measure_compare(const struct wv_measure *a, const struct wv_measure *b)
{
	double apart = a->value - b->value;
	double near = (size_of(a->value) + size_of(b->value)) * 1e-9;

	if (apart > near)
		return 1;
	if (apart < -near)
		return -1;
	return (a->exact && b->exact) || a->unit != b->unit
		? (apart > 0) - (apart < 0)
		: compare_exactly(a, b);
}

/* Near the value of a JSON number, and whether it is that. */
static double
near(const char *s, size_t n, bool *exact)
{
	static const double tens[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
		1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
		1e19 };
	bool negative = n > 0 && *s == '-', point = false;
	size_t decimals = 0, i = negative;
	uint64_t digits = 0;

	/* No exponent and few digits: the usual case. */
	for (; i < n && n <= PLAIN; i++) {
		if (s[i] == '.')
			point = true;
		else if (wv_is_digit(s[i]))
			digits = digits * 10 + (uint64_t)(s[i] - '0');
		else
			break;
		decimals += point && s[i] != '.';
	}
	*exact = i == n && n <= EXACT;
	if (i == n)
		return (double)digits /
			(negative ? -tens[decimals] : tens[decimals]);
	char text[CELL_NUMBER + 1];
	memcpy(text, s, n);
	text[n] = '\0';
	cJSON node = { .type = cJSON_Number, .valuestring = text };
	return wv_num_double(&node);
}

static double
near_node(const cJSON *node, bool *exact)
{
	size_t n = node->valuestring != NULL ? strlen(node->valuestring) : 0;

	*exact = n == 0;
	return n > 0 && n <= PLAIN ? near(node->valuestring, n, exact)
				   : wv_num_double(node);
}

/* Where a JSON number that begins at s ends; s if there is none. */
static const char *
number_end(const char *s, const char *end)
{
	const char *p = s + (s < end && *s == '-');
	size_t digits = wv_digits(p, end);

	if (digits == 0 || (digits > 1 && *p == '0'))
		return s;
	p += digits;
	if (end - p > 1 && *p == '.' && wv_is_digit(p[1]))
		p += 1 + wv_digits(p + 1, end);
	if (end - p > 1 && (*p | 0x20) == 'e') {
		const char *e = p + 1 + (p[1] == '-' || p[1] == '+');
		size_t n = wv_digits(e, end);
		p = n > 0 && n < 4 ? e + n : p;
	}
	return p;
}

bool
wv_measure_cell(struct wv_measure *m, const char *s, size_t n)
{
	static const char units[] = "KMGTP";
	const char *end = s + n, *stop, *unit;

	if (n == 0 || n > CELL_NUMBER || (!wv_is_digit(*s) && *s != '-'))
		return false;
	stop = number_end(s, end);
	if (stop == s || end - stop > 2)
		return false;
	*m = (struct wv_measure){ .s = s, .n = n };
	m->value = near(s, (size_t)(stop - s), &m->exact);
	if (stop == end)
		return true;
	unit = memchr(units, *stop, 5);
	if (end - stop == 2 ? unit == NULL || stop[1] != 'i'
			    : unit == NULL && *stop != '%')
		return false;
	m->unit = *stop;
	for (int i = 0; unit != NULL && i <= unit - units; i++)
		m->value *= 1024;
	return true;
}

void
wv_measure_json(struct wv_measure *m, const cJSON *number)
{
	*m = (struct wv_measure){ .node = number };
	m->value = near_node(number, &m->exact);
}
