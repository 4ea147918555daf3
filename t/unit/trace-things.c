/* SPDX-License-Identifier: Apache-2.0 */
/* What wv-trace verify --lifecycle remembers, and what it forgets.
 * links: cmd/wv-trace/things.c
 */
#include "../../cmd/wv-trace/things.h"
#include "tap.h"

#include <stdio.h>

static struct thing *
find(struct things *things, enum kind kind, const char *a, int n)
{
	char b[16];

	snprintf(b, sizeof(b), "%d", n);
	return things_find(things, kind, (const char *const[]){ a, b, NULL });
}

static void
test_apart(void)
{
	struct things things = { 0 };

	find(&things, DECISION, "a", 1)->value = BEGUN;
	ok(find(&things, DECISION, "a", 1)->value == BEGUN, "what was is");
	ok(find(&things, FRAME, "a", 1)->value == 0, "kinds are apart");
	ok(find(&things, DECISION, "a1", 1)->value == 0, "ids are apart");
	ok(find(&things, DECISION, "", 1)->value == 0, "an empty id too");
	ok(things.count == 4, "four things");
	things_free(&things);
}

/* More than there is room for, of which one in `keep` stays open. */
static void
fill(struct things *things, int count, int keep)
{
	for (int i = 0; i < count && !things->is_full; i++) {
		struct thing *thing = find(things, DECISION, "d", i);
		thing->value = i % keep == 0 ? BEGUN : BEGUN | ENDED;
	}
}

static void
test_full(void)
{
	enum { COUNT = 1500000, KEEP = 4 };
	struct things things = { 0 };
	int lost = 0;

	fill(&things, COUNT, KEEP);
	ok(!things.is_full, "what is over makes room");
	ok(things.room * sizeof(*things.slots) == 32 << 20, "32 MiB");
	for (int i = 0; i < COUNT; i += KEEP)
		lost += find(&things, DECISION, "d", i)->value != BEGUN;
	ok(lost == 0, "what is open is not forgotten");
	ok(find(&things, DECISION, "d", 1)->value == 0, "what is over is");
	things_free(&things);

	things = (struct things){ 0 };
	fill(&things, COUNT, 1);
	ok(things.is_full, "there can be too much");
	ok(things.count > THINGS_MOST, "%d are not", THINGS_MOST);
	things_free(&things);
}

int
main(void)
{
	test_apart();
	test_full();
	return done();
}
