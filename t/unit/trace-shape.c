/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read by its shape is what the strict reader takes, and says the
 * same: tried with lines of every kind and every byte of them changed.
 *
 * links: cmd/wv-trace/shape.c cmd/wv-trace/shape-learn.c cmd/wv-trace/line.c
 */
#include "tap.h"

#include "cmd/wv-trace/line.h"

#include "contract/contract.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const lines[] = {
	"{\"event_id\":\"evt-1\",\"event_type\":\"flow_started\","
	"\"timestamp\":\"2026-01-02T03:04:05.678Z\"}",
	"{\"event_id\":\"evt-2\",\"event_type\":\"capability_denied\","
	"\"timestamp\":\"2026-01-02T03:04:06Z\",\"principal\":\"agent-17\","
	"\"outcome\":\"failure\",\"metadata\":{\"n\":-12.50,\"list\":[1,\"a\","
	"{\"b\":null}],\"x_wv_code\":\"policy_deny\"}}",
	" { \"timestamp\" : \"2026-01-02T03:04:05+02:00\" , \"outcome\":"
	"\"success\",\t\"event_type\":\"flow_started\", \"event_id\": \"e\", "
	"\"principal\" : null, \"n\":0 , \"t\":true, \"e\":{}, \"l\":[ ]} \r",
	"{\"event_id\":\"caf\xc3\xa9 \xe2\x82\xac\",\"event_type\":"
	"\"flow_step_started\",\"timestamp\":\"2026-01-02T03:04:05Z\","
	"\"principal\":\"a long one, that has more bytes than two blocks\"}",
	"{\"event_id\":\"e\",\"event_type\":\"flow_failed\",\"timestamp\":"
	"\"2026-01-02T03:04:05Z\",\"metadata\":{\"n\":123456789012345678},"
	"\"m\":17}",
};
enum { LINES = sizeof(lines) / sizeof(lines[0]) };

static struct places places;
static struct wv_arena arena;
static size_t checked, matched;

/* The strict reader's word. */
static const cJSON *
strict(const char *s, size_t n)
{
	cJSON *tree = wv_json_read(&arena, s, n, &wv_json_defaults, NULL);

	if (tree == NULL || wv_contract_require(WV_TRACE_EVENT, tree, NULL) < 0)
		return NULL;
	return tree;
}

static bool
says_the_same(const struct line *line, const cJSON *tree, size_t place)
{
	const cJSON *node = wv_pointer(tree, places.pointers[place]);
	struct found found = line_at(line, place);
	char text[LINE_NUMBER];
	cJSON room;

	if (node == NULL)
		return found.kind == FOUND_NONE;
	if (wv_is_string(node))
		return found.kind == FOUND_STRING &&
			found.text.n == (size_t)node->valueint &&
			memcmp(found.text.s, node->valuestring, found.text.n) ==
			0;
	const cJSON *number = line_number(&found, &room, text);
	if (number != NULL)
		return wv_json_equal(number, node);
	return found.kind == FOUND_NODE && wv_json_equal(found.node, node);
}

static bool
says_all_the_same(const struct line *line, const cJSON *tree)
{
	struct wv_time time;
	const char *text = wv_get_string(tree, "timestamp");

	for (size_t i = 0; i < places.count; i++)
		if (!says_the_same(line, tree, i))
			return false;
	return wv_time_parse(&time, text, strlen(text), NULL) == 0 &&
		wv_time_cmp(time, line->time) == 0;
}

/* The end of what may be read: a byte more is a fault. */
static char *
edge_of_memory(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(p + 2 * page, page, PROT_NONE);
	return p + 2 * page;
}

/* False if the shape says yes where the reader says no, or other things. */
static bool
agrees(struct shapes *shapes, const char *text, size_t n, char *edge)
{
	static struct minute minute;
	struct line line = { .places = &places };
	char *s = edge - WV_JSON_SLACK - n - 1;
	const cJSON *tree;

	wv_arena_reset(&arena);
	memcpy(s, text, n);
	s[n] = '\n';
	memset(s + n + 1, 0, WV_JSON_SLACK);
	checked++;
	line.s = s;
	line.shape = shapes_find(shapes, s, NULL, line.values, &line.n);
	if (line.shape == NULL || !line_is_event(&line, &minute))
		return true;
	matched++;
	tree = strict(s, line.n);
	return tree != NULL && says_all_the_same(&line, tree);
}

static struct shapes *
learned(void)
{
	struct shapes *shapes = shapes_new(&places, &wv_json_defaults);
	char text[1024];

	for (size_t i = 0; i < LINES; i++) {
		size_t n = strlen(lines[i]);
		wv_arena_reset(&arena);
		memset(text, 0, sizeof(text));
		memcpy(text, lines[i], n);
		const cJSON *tree = strict(text, n);
		ok(tree != NULL, "line %zu is an event", i);
		shapes_learn(shapes, text, n, tree);
	}
	return shapes;
}

/* Every byte of a line replaced by each of these, removed, or doubled. */
static bool
mutate(struct shapes *shapes, const char *line, char *edge)
{
	static const char bytes[] = "\"\\{}[]:,0129-+.eE \t\r\vaZTz\x1f\x7f\x80"
				    "\xc3\xa9\xe2\xff";
	size_t n = strlen(line);
	char text[1024];

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < sizeof(bytes); k++) {
			memcpy(text, line, n);
			text[i] = bytes[k];
			if (!agrees(shapes, text, n, edge))
				return false;
			memcpy(text + i + 1, line + i, n - i);
			if (!agrees(shapes, text, n + 1, edge))
				return false;
		}
		memcpy(text, line, i);
		memcpy(text + i, line + i + 1, n - i - 1);
		if (!agrees(shapes, text, n - 1, edge) ||
			!agrees(shapes, text, i, edge))
			return false;
	}
	return true;
}

static void
test_mutants(void)
{
	struct shapes *shapes = learned();
	char *edge = edge_of_memory();

	for (size_t i = 0; i < LINES; i++) {
		size_t before = matched;
		ok(agrees(shapes, lines[i], strlen(lines[i]), edge),
			"line %zu says what its tree says", i);
		ok(matched == before + 1, "and is read by its shape");
		ok(mutate(shapes, lines[i], edge),
			"and so do its mutants, or they have no shape");
	}
	ok(checked > 50000 && matched > 2000, "%zu tried, %zu by shape",
		checked, matched);
	shapes_free(shapes);
}

static void
test_lengths(void)
{
	struct shapes *shapes = learned();
	char *edge = edge_of_memory();
	char text[1024];
	bool good = true;

	for (int round = 0; round < 2; round++)
		for (int n = 1; n < 100; n++) {
			int len = snprintf(text, sizeof(text),
				"{\"event_id\":\"%.*s\",\"event_type\":"
				"\"flow_failed\",\"timestamp\":"
				"\"2026-01-02T03:04:05Z\",\"metadata\":{"
				"\"n\":%.*s},\"m\":17}",
				n,
				"0123456789abcdefghijklmnopqrstuvwxyz0123456"
				"789abcdefghijklmnopqrstuvwxyz0123456789abc"
				"defghijklmnopqrstuvwxyz",
				n % 25 + 1, "1234567890123456789012345");
			good &= agrees(shapes, text, (size_t)len, edge);
		}
	ok(good, "values of any length");
	shapes_free(shapes);
}

static void
test_bounds(void)
{
	struct shapes *shapes = shapes_new(&places, &wv_json_defaults);
	char text[1024] = { 0 };
	bool good = true;

	/* Names that never come again: the store of shapes does not grow. */
	for (int i = 0; i < 20000; i++) {
		int n = snprintf(text, sizeof(text),
			"{\"event_id\":\"e\",\"n%d\":1,\"event_type\":"
			"\"flow_failed\",\"timestamp\":"
			"\"2026-01-02T03:04:05Z\"}",
			i);
		wv_arena_reset(&arena);
		const cJSON *tree = strict(text, (size_t)n);
		good &= tree != NULL;
		shapes_learn(shapes, text, (size_t)n, tree);
	}
	ok(good, "20000 shapes, of which few are kept");
	shapes_free(shapes);
}

int
main(void)
{
	places_init(&places);
	places_add(&places, "/principal");
	places_add(&places, "/metadata/n");
	places_add(&places, "/metadata/list/1");
	places_add(&places, "/t");
	places_add(&places, "/none");
	test_mutants();
	test_lengths();
	test_bounds();
	wv_arena_free(&arena);
	return done();
}
