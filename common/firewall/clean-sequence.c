/* SPDX-License-Identifier: Apache-2.0 */
/* Control sequences of terminals. */
#include "firewall/clean-internal.h"
#include "json/utf8.h"

/* Two dashes are the beginning of something else. */
static size_t
intermediate_length(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= 0x20 && s[i] <= 0x2F &&
		!(s[i] == '-' && i + 1 < n && s[i + 1] == '-'))
		i++;
	return i;
}

size_t
wv_csi_length(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= 0x30 && s[i] <= 0x3F)
		i++;
	i += intermediate_length(s + i, n - i);
	return i < n && s[i] >= 0x40 && s[i] <= 0x7E ? i + 1 : i;
}

static size_t
control_string_length(const unsigned char *s, size_t n)
{
	for (size_t i = 0, len; i<n; i += len> 0 ? len : 1) {
		bool more = i + 1 < n;
		len = (size_t)wv_utf8_len(s + i, n - i);
		switch (s[i]) {
		case '\a':
		case 0x18: /* CAN */
		case 0x1A: /* SUB */
		case 0x9C: /* ST as one byte: no character begins with it */
			return i + 1;
		case '\n':
			return i;
		case 0x1B:
			return more && s[i + 1] == '\\' ? i + 2 : i;
		case 0xC2:
			if (more && s[i + 1] == 0x9C) /* ST */
				return i + 2;
			if (more && s[i + 1] >= 0x80 && s[i + 1] <= 0x9F)
				return i;
		}
	}
	return n;
}

size_t
wv_sequence_length(uint32_t c1, const unsigned char *s, size_t n)
{
	switch (c1) {
	case 0x9B: /* CSI */
		return wv_csi_length(s, n);
	case 0x90: /* DCS */
	case 0x98: /* SOS */
	case 0x9D: /* OSC */
	case 0x9E: /* PM */
	case 0x9F: /* APC */
		return control_string_length(s, n);
	}
	return 0;
}

size_t
wv_escape_length(const unsigned char *s, size_t n)
{
	size_t i = 1;

	if (n > 1 && s[1] >= 0x40 && s[1] <= 0x5F)
		return 2 + wv_sequence_length(s[1] + 0x40, s + 2, n - 2);
	i += intermediate_length(s + i, n - i);
	return i < n && s[i] >= 0x30 && s[i] <= 0x7E ? i + 1 : i;
}

size_t
wv_byte_sequence_length(const unsigned char *s, size_t n)
{
	size_t len = wv_sequence_length(s[0], s + 1, n - 1);

	if (len == 0 || s[0] == 0x9B)
		return len;
	unsigned char last = s[len];
	return last == '\a' || last == 0x9C || last == '\\' ? len : 0;
}
