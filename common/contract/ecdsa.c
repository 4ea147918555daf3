/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include <string.h>

enum { HALF = WV_SIGNATURE_BYTES / 2 }; /* r or s */

_Static_assert(2 + 2 * (2 + 1 + HALF) == WV_ECDSA_DER,
	"a SEQUENCE of two INTEGERs of a sign and a half each");

/* An INTEGER of DER: as short as it can be, and not negative. */
static size_t
put_integer(unsigned char *to, const unsigned char half[HALF])
{
	size_t skip = 0, pad;

	while (skip < HALF - 1 && half[skip] == 0)
		skip++;
	pad = half[skip] >> 7;
	to[0] = 2;
	to[1] = (unsigned char)(HALF - skip + pad);
	to[2] = 0;
	memcpy(to + 2 + pad, half + skip, HALF - skip);
	return 2 + to[1];
}

size_t
wv_ecdsa_write(unsigned char der[WV_ECDSA_DER],
	const unsigned char sig[WV_SIGNATURE_BYTES])
{
	size_t n = put_integer(der + 2, sig);

	n += put_integer(der + 2 + n, sig + HALF);
	der[0] = 0x30;
	der[1] = (unsigned char)n;
	return 2 + n;
}

/* The bytes that it takes of n, or 0. */
static size_t
take_integer(unsigned char half[HALF], const unsigned char *from, size_t n)
{
	size_t len, skip;

	if (n < 3 || from[0] != 2 || from[1] == 0 || from[1] > n - 2)
		return 0;
	len = from[1];
	skip = from[2] == 0;
	if (len - skip > HALF)
		return 0;
	memset(half, 0, HALF);
	memcpy(half + HALF - (len - skip), from + 2 + skip, len - skip);
	return 2 + len;
}

bool
wv_ecdsa_read(unsigned char sig[WV_SIGNATURE_BYTES], const unsigned char *der,
	size_t n)
{
	size_t r, s;

	if (n < 2 || n > WV_ECDSA_DER || der[0] != 0x30 || der[1] != n - 2)
		return false;
	r = take_integer(sig, der + 2, n - 2);
	if (r == 0)
		return false;
	s = take_integer(sig + HALF, der + 2 + r, n - 2 - r);
	return s != 0 && 2 + r + s == n;
}
