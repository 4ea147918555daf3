/* SPDX-License-Identifier: Apache-2.0 */
#include "base/id.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/msg.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

enum {
	ULID_TEXT = 26,
	RANDOM_BYTES = 10,
	ENTROPY_MAX = 256, /* of one getentropy(3) */
	POOL_TAKES = 32,   /* more than this is not worth keeping */
	SEQUENCE_DIGITS = 18,
};

static bool is_test;
static uint64_t sequence; /* the next number under WV_IDS */

/* The last ULID made. */
static uint64_t last_ms;
static unsigned char last_random[RANDOM_BYTES];

int
wv_id_init(struct wv_err *err)
{
	const char *s = getenv("WV_IDS");

	if (!s || !*s)
		return 0;
	const char *number = strncmp(s, "seq:", 4) == 0 ? s + 4 : "";
	size_t n = strspn(number, "0123456789");
	uint64_t first = strtoull(number, NULL, 10);
	/* All zeros is no valid trace id. */
	if (n == 0 || n > SEQUENCE_DIGITS || number[n] || first == 0)
		return wv_err_set(err,
			"WV_IDS: '%s' is not seq:N with N from 1, "
			"of at most %d digits",
			s, SEQUENCE_DIGITS);
	sequence = first;
	is_test = true;
	return 0;
}

bool
wv_id_is_test(void)
{
	return is_test;
}

static void
get_entropy(unsigned char *p, size_t n)
{
	while (n > 0) {
		size_t some = n < ENTROPY_MAX ? n : ENTROPY_MAX;
		if (getentropy(p, some) < 0)
			wv_die("no random bytes: %s", strerror(errno));
		p += some;
		n -= some;
	}
}

/* An id takes a few bytes, a system call costs as much as the rest of it. */
void
wv_random(void *buf, size_t n)
{
	static unsigned char pool[ENTROPY_MAX];
	static size_t left;

	if (n > POOL_TAKES) {
		get_entropy(buf, n);
		return;
	}
	if (n > left) {
		get_entropy(pool, sizeof pool);
		left = sizeof pool;
	}
	left -= n;
	memcpy(buf, pool + left, n);
	/* What was given out must not be found here. */
	explicit_bzero(pool + left, n);
}

static uint64_t
now_ms(void)
{
	struct wv_time now = wv_now();

	if (now.sec < 0)
		return 0;
	return (uint64_t)now.sec * 1000 + (uint64_t)now.nsec / 1000000;
}

/* False when it was all ones. */
static bool
increment(unsigned char random[RANDOM_BYTES])
{
	for (int i = RANDOM_BYTES - 1; i >= 0; i--) {
		if (++random[i] != 0)
			return true;
	}
	return false;
}

static void
next_ulid(void)
{
	uint64_t ms = now_ms();

	if (ms <= last_ms && increment(last_random))
		return;
	last_ms = ms > last_ms ? ms : last_ms + 1;
	wv_random(last_random, sizeof last_random);
}

/* 128 bits as 26 digits of 5: the first has only 3. */
static void
encode(char text[ULID_TEXT + 1])
{
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	unsigned char bytes[16];
	unsigned acc = 0;
	int bits = 2; /* two zeros ahead of the 128 */

	for (int i = 0; i < 6; i++)
		bytes[i] = (unsigned char)(last_ms >> (40 - 8 * i));
	memcpy(bytes + 6, last_random, RANDOM_BYTES);
	for (size_t i = 0; i < sizeof bytes; i++) {
		acc = (acc << 8 | bytes[i]) & 0xfff;
		for (bits += 8; bits >= 5; bits -= 5)
			*text++ = digits[acc >> (bits - 5) & 31];
	}
	*text = '\0';
}

void
wv_id_new(char id[WV_ID_MAX], const char *prefix)
{
	char text[ULID_TEXT + 1];

	if (is_test) {
		snprintf(text, sizeof text, "%0*llu", ULID_TEXT,
			(unsigned long long)sequence++);
	} else {
		next_ulid();
		encode(text);
	}
	snprintf(id, WV_ID_MAX, "%.*s-%s", WV_ID_MAX - ULID_TEXT - 2, prefix,
		text);
}

/* The low n bytes of the next number. */
static void
next_number(unsigned char *bytes, size_t n)
{
	uint64_t number = sequence++;

	memset(bytes, 0, n);
	for (; n > 0 && number; number >>= 8)
		bytes[--n] = (unsigned char)number;
}

void
wv_id_hex(char *out, size_t n)
{
	unsigned char bytes[WV_ID_MAX];

	if (n > sizeof bytes)
		n = sizeof bytes;
	if (is_test)
		next_number(bytes, n);
	else
		wv_random(bytes, n);
	wv_hex(out, bytes, n);
}
