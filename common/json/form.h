/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What form a file has, by its name: .jsonl and .ndjson are lines, .json is
 * documents, .yaml and .yml are YAML.  A .gz behind that does not count.
 */
#ifndef WV_JSON_FORM_H
#define WV_JSON_FORM_H

#include <stdbool.h>
#include <stddef.h>

enum wv_form {
	WV_FORM_NONE, /* the name does not say */
	WV_FORM_LINES,
	WV_FORM_DOCUMENTS,
	WV_FORM_YAML,
};

enum wv_form wv_form_of(const char *name);

/* Whether a text is YAML, else it is JSON: as its name says; where that does
 * not, its first byte that is not white space is neither { nor [. */
bool wv_form_is_yaml(const char *name, const char *text, size_t len);

/* The byte order mark; its length if the text begins with it, else 0. */
#define WV_BOM "\xef\xbb\xbf"
size_t wv_bom_len(const char *text, size_t len);

#endif
