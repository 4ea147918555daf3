/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/base64url.h"

static int
sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '-' ? 62 : c == '_' ? 63 : -1;
}

bool
wv_base64url_read(unsigned char *out, size_t bytes, const char *text)
{
	unsigned held = 0, bits = 0;
	size_t n = 0;
	int value;

	for (; *text != '\0'; text++) {
		value = sextet(*text);
		if (value < 0 || n == bytes)
			return false;
		held = held << 6 | (unsigned)value;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			out[n++] = (unsigned char)(held >> bits);
			held &= (1u << bits) - 1;
		}
	}
	return n == bytes && held == 0;
}

void
wv_base64url_write(struct wv_str *out, const unsigned char *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789-_";
	unsigned held = 0, bits = 0;

	for (size_t i = 0; i < n; i++) {
		held = (held << 8 | p[i]) & 0xffff;
		for (bits += 8; bits >= 6; bits -= 6)
			wv_str_chr(out, digits[held >> (bits - 6) & 63]);
	}
	if (bits > 0)
		wv_str_chr(out, digits[held << (6 - bits) & 63]);
}
