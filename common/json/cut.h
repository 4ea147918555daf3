/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where records begin and end in the bytes of a source, behind lines.h.
 * Every byte is looked at once, however it arrives; whether a record is JSON
 * is for the reader to say.
 */
#ifndef WV_JSON_CUT_H
#define WV_JSON_CUT_H

#include "json/lines.h"
#include "json/source.h"

struct wv_cut {
	bool documents;      /* else lines */
	bool whole_source;   /* of documents: just one */
	bool fresh;          /* a byte order mark may stand here */
	bool skipping;       /* the rest of a line that was too long */
	size_t line, column; /* of the byte at source.start */

	/* Offsets from source.start. */
	size_t scan;    /* how far has been looked */
	bool in_string; /* at scan, of a document */
	size_t depth;   /* the same */

	bool found;   /* a record, at source.start: */
	size_t len;   /* of its text */
	size_t whole; /* with its line feed */
	bool ended;   /* not only by the end of the source or of the limit */
};

/* At the beginning of a source. */
void wv_cut_start(struct wv_cut *cut, bool documents);

/*
 * Whether a whole record lies in the buffer, be it good or bad.  Goes past
 * what is before it.  One that grows longer than max is found as what is
 * there of it; of a line, the rest is then skipped.
 */
bool wv_cut_find(struct wv_cut *cut, struct wv_source *source, size_t max);

/* Takes the record that was found out of the buffer, where its text stays
 * until wv_source_read(); all of rec but the tree.  Returns whether it has
 * an end of its own. */
bool wv_cut_take(
	struct wv_cut *cut, struct wv_source *source, struct wv_record *rec);

#endif
