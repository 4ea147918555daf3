/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions aimed at the model, in tool output, tool descriptions and
 * skill texts.  A finding means that words stand there which give orders to a
 * model, not that they would be obeyed; no finding proves nothing: whoever
 * knows the rules can word around them.
 *
 * Kinds:
 *	injection-override      what was said before no longer holds
 *	injection-role          it speaks as system or developer, or makes
 *	                        the model another one
 *	injection-secrecy       keep it from the user, do not ask them
 *	injection-exfiltration  send away, or show, what was said in
 *	                        confidence; a URL that carries it
 *	injection-tool          call tools, read what is no tool's business
 *	injection-hidden        text that people do not see
 *	injection-encoded       any of these in base64 or hexadecimal
 * The kind is that of the words found: one attack often has several.
 *
 * Rules (firewall/inject-rules.c) are in English, German, French, Spanish,
 * Portuguese, Italian, Russian, Chinese and Japanese, and look at words as
 * firewall/normal.h reads them.  Most want an order: a verb where a sentence
 * or a clause begins, or after "you must" and the like.  Weak signs count
 * only when another one is near.  What is quoted, in a block or a list, beside
 * words about attacks is a report of one and is not found.
 */
#ifndef WV_FIREWALL_INJECT_H
#define WV_FIREWALL_INJECT_H

#include "base/str.h"
#include "firewall/scan.h"

struct wv_injection {
	const char *kind;  /* static, begins with injection- */
	size_t start, end; /* bytes of the text as given */
};

/*
 * Up to max injections in clean text (wv_clean()), in order, none over
 * another; returns how many.  Linear time; memory does not grow with n.
 */
size_t wv_inject_scan(
	const char *s, size_t n, struct wv_injection *found, size_t max);

/*
 * The same for what only raw text shows, any bytes: tag characters (those of
 * flags apart), variation selectors and zero-width characters that carry a
 * payload or part the letters of words, Latin text turned around by bidi
 * controls, and text a terminal conceals.  All are injection-hidden.
 */
size_t wv_inject_hidden(
	const char *raw, size_t n, struct wv_injection *found, size_t max);

/* The same for what is encoded in clean text; and for both. */
#define WV_INJECTION_ENCODED "injection-encoded"
size_t wv_inject_encoded(
	const char *s, size_t n, struct wv_injection *found, size_t max);
size_t wv_inject_said(
	const char *s, size_t n, struct wv_injection *found, size_t max);

/* Of strings that are ended by a NUL each, the next one behind *piece in which
 * wv_inject_scan() may find something; {0} is before the first. */
bool wv_inject_pieces(const char *s, size_t n, struct wv_piece *piece);

/*
 * Appends the text with nothing in it that a reader of Markdown or HTML would
 * fetch or follow; people can still read it.  The colon of a scheme that
 * reaches out becomes [:] (https[:]//host), of // at the beginning of a
 * target and of \\ the first is put in brackets ([/]/host), www. becomes
 * www[.]; ](, ]: at the beginning of a line and tags that load or link
 * (<img, <a, <iframe, …) are parted by a space.  Twice is once.
 */
void wv_inject_inert(struct wv_str *out, const char *s, size_t n);

#endif
