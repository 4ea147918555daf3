/* SPDX-License-Identifier: Apache-2.0 */
/* gzip files: whole, in members, cut short at every byte, damaged. */
#include "base/gz.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"

static const unsigned char one[] = {
	/* {"a":1} and a line feed */
	0x1f,
	0x8b,
	0x08,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0xff,
	0xab,
	0x56,
	0x4a,
	0x54,
	0xb2,
	0x32,
	0xac,
	0xe5,
	0x02,
	0x00,
	0x46,
	0xa3,
	0xe8,
	0x74,
	0x08,
	0x00,
	0x00,
	0x00,
};
static const unsigned char two[] = {
	/* {"b":2} and a line feed */
	0x1f,
	0x8b,
	0x08,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0xff,
	0xab,
	0x56,
	0x4a,
	0x52,
	0xb2,
	0x32,
	0xaa,
	0xe5,
	0x02,
	0x00,
	0xb1,
	0x6f,
	0x3a,
	0xf0,
	0x08,
	0x00,
	0x00,
	0x00,
};

static struct wv_str input, output;
static struct wv_err err;

static void
put(const void *bytes, size_t n)
{
	wv_str_add(&input, bytes, n);
}

/* What the input holds, in reads of n bytes; -1: an error. */
static int
take(size_t n)
{
	int fd = memfd_create("gz", MFD_CLOEXEC);
	struct wv_gz *gz;
	ssize_t got;

	if (fd < 0 || wv_write_all(fd, input.s, input.n) < 0)
		exit(99);
	lseek(fd, 0, SEEK_SET);
	wv_err_clear(&err);
	gz = wv_gz_new(fd, &err);
	output.n = 0;
	wv_str_add(&output, "", 0);
	while ((got = wv_gz_read(gz, wv_str_room(&output, n), n, &err)) > 0)
		output.n += (size_t)got;
	wv_str_add(&output, "", 0);
	wv_gz_free(gz);
	close(fd);
	return (int)got;
}

static bool
holds(const char *text)
{
	return output.n == strlen(text) &&
		memcmp(output.s, text, output.n) == 0;
}

static bool
fails(const char *why)
{
	bool said = take(64) < 0 && strcmp(err.text, why) == 0;

	if (!said)
		printf("# said: %s\n", err.text);
	return said;
}

static void
test_whole(void)
{
	input.n = 0;
	put(one, sizeof one);
	ok(take(64) == 0 && holds("{\"a\":1}\n"), "one member");
	ok(take(1) == 0 && holds("{\"a\":1}\n"), "byte by byte");
	put(two, sizeof two);
	ok(take(64) == 0 && holds("{\"a\":1}\n{\"b\":2}\n"), "two members");
	put("\0\0\0", 3);
	ok(take(3) == 0 && holds("{\"a\":1}\n{\"b\":2}\n"), "and padding");
}

static void
test_cut(void)
{
	bool told = true;

	for (size_t n = 1; n < sizeof one; n++) {
		input.n = 0;
		put(two, sizeof two);
		put(one, n);
		told = told && take(64) < 0 && wv_err_is_set(&err);
	}
	ok(told, "cut short anywhere is an error");
	input.n = 0;
	put(one, sizeof one - 1);
	ok(fails("the gzip data end too soon"), "and says so");
}

static void
test_bad(void)
{
	input.n = 0;
	wv_str_add(&input, "", 0);
	ok(fails("the gzip data end too soon"), "an empty file");
	put("{\"a\":1}\n", 8);
	ok(fails("not a gzip file"), "plain text");
	input.n = 0;
	put(one, sizeof one);
	put("{\"a\":1}\n", 8);
	ok(fails("something else follows the gzip data"),
		"plain text after it");
	input.n = 0;
	put(one, sizeof one);
	input.s[sizeof one - 6] ^= 1;
	ok(fails("damaged gzip data"), "a wrong checksum");
}

int
main(void)
{
	test_whole();
	test_cut();
	test_bad();
	wv_str_free(&input);
	wv_str_free(&output);
	return done();
}
