/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with a record beyond its schema, as it is found.  Private to
 * this folder.
 */
#ifndef WV_CONTRACT_FOUND_H
#define WV_CONTRACT_FOUND_H

#include "base/hash.h"
#include "contract/contract.h"

enum { WV_MAX_FAULTS = 100 }; /* of a record, unless more are asked for */

struct wv_found {
	struct wv_arena *arena;
	struct wv_schema_error **tail;
	struct wv_map told; /* the values that the schema has errors of */
	size_t max;         /* told of a record, or of what is attached */
	size_t room;
	bool doubts;  /* are looked for */
	bool strict;  /* and are faults */
	bool invalid; /* there was a fault */
};

/* Where something stands: a member of what up is, or an element of it. */
struct wv_place {
	const struct wv_place *up; /* NULL: this is the record that is judged */
	const char *member;
	size_t index; /* WV_NO_INDEX: the member itself */
};
#define WV_NO_INDEX SIZE_MAX

/* A fault is against the contract; a doubt is told, and a fault if strict. */
enum wv_certainty { WV_FAULT, WV_DOUBT };

/* Goes on behind what the schema has found, which is in the list. */
void wv_found_begin(struct wv_found *found, struct wv_schema_error **errors);
void wv_found_end(struct wv_found *found);
/* Adds what is wrong with the value that the pointer `below` names in the one
 * at place, unless the schema has found something wrong with that value.
 * What fmt makes is foreign text: it is cleaned and bounded here. */
void wv_found_add(struct wv_found *found, enum wv_certainty certainty,
	const struct wv_place *place, const char *below, const char *rule,
	const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* The same of an error that a schema has found within place/below; the error
 * becomes part of the list. */
void wv_found_take(struct wv_found *found, enum wv_certainty certainty,
	const struct wv_place *place, const char *below,
	struct wv_schema_error *error);

enum { WV_SHOWN_NAME = 60 }; /* bytes of a foreign name that a message shows */

#endif
