/* SPDX-License-Identifier: Apache-2.0 */
/* The checks behind wv_format_find(), and the parts that they share. */
#ifndef WV_SCHEMA_FORMAT_INTERNAL_H
#define WV_SCHEMA_FORMAT_INTERNAL_H

#include "schema/format.h"

#include <stdint.h>

static inline bool
wv_format_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
wv_format_is_alpha(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static inline bool
wv_format_is_hex(char c)
{
	return wv_format_is_digit(c) ||
		((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* format-host.c */
wv_format_check wv_format_hostname;     /* RFC 1123 section 2.1; A-labels are
					   those of RFC 5890 */
wv_format_check wv_format_idn_hostname; /* RFC 5890 section 2.3.2.3, with the
					   dots of RFC 3490 section 3.1 */
/* A domain of RFC 6531: as idn-hostname, but the only dot is '.', and labels
 * need not be in Normalization Form C. */
bool wv_format_mail_domain(const char *s, size_t n);

/* format-ip.c */
wv_format_check wv_format_ipv4; /* RFC 2673 section 3.2: four decimals */
wv_format_check wv_format_ipv6; /* RFC 4291 section 2.2; no zone */

/* format-mail.c */
wv_format_check wv_format_email;     /* RFC 5321 section 4.1.2: Mailbox */
wv_format_check wv_format_idn_email; /* RFC 6531 section 3.3 */

/* format-uri.c: RFC 3986, RFC 3987 */
wv_format_check wv_format_uri;
wv_format_check wv_format_uri_reference;
wv_format_check wv_format_iri;
wv_format_check wv_format_iri_reference;

/* format-template.c: RFC 6570 and its erratum 6937 (the apostrophe) */
wv_format_check wv_format_uri_template;
/* ucschar of RFC 3987, and iprivate where that may stand. */
bool wv_format_is_ucschar(uint32_t cp);
bool wv_format_is_iprivate(uint32_t cp);

#endif
