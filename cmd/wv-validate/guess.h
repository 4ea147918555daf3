/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of which contract a record is, from its text: what wv_contract_guess() says
 * of its tree, without making one.
 */
#ifndef WV_VALIDATE_GUESS_H
#define WV_VALIDATE_GUESS_H

#include "json/json.h"

/* Records of a stream mostly have the members of the one before. */
struct guess {
	struct wv_str names; /* each with its NUL, of the last record */
	int type;
};

/* The type, or -1: it cannot be told, or only from the tree.  If the text is
 * not JSON the answer means nothing.  Reads nothing behind the text. */
int guess_type(struct guess *guess, const char *text, size_t len);
void guess_free(struct guess *guess);

#endif
