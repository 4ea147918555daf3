/* SPDX-License-Identifier: Apache-2.0 */
/* Ids, real and counted. */
#include "tap.h"

#include "base/clock.h"
#include "base/id.h"

#include <stdlib.h>

static void
test_ulids(void)
{
	enum { COUNT = 20000 };
	char last[WV_ID_MAX] = "", id[WV_ID_MAX];
	int rising = 0;

	for (int i = 0; i < COUNT; i++) {
		wv_id_new(id, "dec");
		rising += strcmp(id, last) > 0;
		strcpy(last, id);
	}
	ok(rising == COUNT, "ids sort in the order they were made");
	ok(strlen(id) == 4 + 26 && strncmp(id, "dec-", 4) == 0, "%s", id);
	ok(strspn(id + 4, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == 26 &&
			id[4] <= '7',
		"Crockford's digits");

	/* The example of the ULID specification: 2016-07-30T23:54:10.259Z. */
	wv_time_fix((struct wv_time){ 1469922850, 259000000 });
	wv_id_new(id, "x");
	ok(strcmp(id, last) > 0 || strncmp(id + 2, last + 4, 10) == 0,
		"a clock that goes back does not");
	wv_time_fix((struct wv_time){ INT64_C(253402300799), 999999999 });
	wv_id_new(id, "x");
	ok(strncmp(id + 2, "76EZ91ZPZZ", 10) == 0,
		"the last millisecond of 9999 is %.10s", id + 2);
	strcpy(last, id);
	wv_id_new(id, "x");
	ok(strncmp(id, last, 12) == 0 && strcmp(id, last) > 0,
		"a second id of a millisecond has its time");

	wv_id_new(id, "a-prefix-that-is-longer-than-there-is-room-for-it");
	ok(strlen(id) < WV_ID_MAX && id[strlen(id) - 27] == '-',
		"a long prefix never cuts the id");
}

static void
test_hex(void)
{
	char a[33], b[33], big[129];

	wv_id_hex(a, 16);
	wv_id_hex(b, 16);
	ok(strlen(a) == 32 && strspn(a, "0123456789abcdef") == 32, "hex");
	ok(strcmp(a, b) != 0, "random");
	wv_id_hex(big, 64);
	ok(strlen(big) == 128, "64 bytes");

	unsigned char bytes[1000] = { 0 };
	int zeros = 0;
	wv_random(bytes, sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; i++)
		zeros += bytes[i] == 0;
	ok(zeros < 40, "more bytes than the kernel gives at once");
}

static int
init(const char *value)
{
	struct wv_err err = WV_ERR_INIT;

	setenv("WV_IDS", value, 1);
	return wv_id_init(&err);
}

static void
test_counted(void)
{
	char id[WV_ID_MAX], hex[17];

	unsetenv("WV_IDS");
	ok(wv_id_init(NULL) == 0 && init("") == 0, "not set, or empty");
	static const char *const bad[] = { "seq", "seq:", "seq:x", "seq:1x",
		"seq:-1", "seq: 1", "seq:0", "1", "SEQ:1",
		"seq:1000000000000000000", NULL };
	for (int i = 0; bad[i]; i++)
		ok(init(bad[i]) == -1, "not WV_IDS=%s", bad[i]);
	ok(!wv_id_is_test(), "still real ids");

	ok(init("seq:41") == 0 && wv_id_is_test(), "counted");
	wv_id_new(id, "tok");
	is(id, "tok-00000000000000000000000041", "the first");
	wv_id_new(id, "frm");
	is(id, "frm-00000000000000000000000042", "the next");
	wv_id_hex(hex, 8);
	is(hex, "000000000000002b", "hex counts too");
	wv_id_hex(hex, 1);
	is(hex, "2c", "in little room");
}

int
main(void)
{
	test_ulids();
	test_hex();
	test_counted();
	return done();
}
