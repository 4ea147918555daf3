/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a catalogue: for each word the capabilities that have it, in
 * the catalogue's order.  Two more things are kept like words: the topics that
 * they belong to (text/lexicon.h), and pairs of neighbours in examples
 * ("exchang rate").  Built once, in linear time.
 */
#ifndef WV_ROUTE_INDEX_H
#define WV_ROUTE_INDEX_H

#include "contract/catalog.h"
#include "names.h"
#include "similar.h"
#include "texts.h"
#include "text/lexicon.h"
#include "text/token.h"

enum field {
	FIELD_NAME,
	FIELD_ID, /* its last segment */
	FIELD_NAMESPACE,
	FIELD_TAG,
	FIELD_DESCRIPTION,
	FIELD_ARGUMENT, /* names and descriptions of the input schema */
	FIELD_EXAMPLE,
	FIELD_COUNT
};
enum {
	NAMING = 1 << FIELD_NAME | 1 << FIELD_ID | 1 << FIELD_NAMESPACE |
		1 << FIELD_TAG,
	/* What stands beside the fields of a subject, which one of these says:
	 * a word of it and of no other subject; the subject's own name. */
	SUBJECT_CLEAR = 1 << FIELD_COUNT,
	SUBJECT_NAMED = 1 << (FIELD_COUNT + 1),
	/* what is in one of these says what a tool is for */
	TELLING = NAMING | 1 << FIELD_EXAMPLE | SUBJECT_CLEAR | SUBJECT_NAMED,
};

extern const char *const index_fields[FIELD_COUNT]; /* their names */

struct posting {
	uint32_t tool;   /* place in the catalogue */
	uint32_t fields; /* where it stands: 1 << field */
	float weight;    /* how often, by weight and length of the field */
};

struct term {
	size_t first, count; /* its postings */
	double idf;          /* how rare it is; less if it is common */
	const char *word;    /* NULL: a topic; with a blank: a pair */
	struct wv_meaning meaning;
	bool distinctive; /* no number, single letter, topic or pair */
};

struct index {
	const struct wv_catalog *catalog;
	const struct wv_lexicon *lexicon;
	struct wv_map numbers; /* word to number of its term */
	/* the lexicon's topics first, by their numbers */
	struct term *terms;
	size_t term_count;
	struct posting *postings; /* by term, then tool */
	struct names names;
	struct texts texts;
	struct similar similar;
	struct wv_arena arena; /* the words */
};

void index_build(struct index *index, const struct wv_catalog *catalog);
void index_free(struct index *index);

/* Sets idf of all terms and what texts add up to; postings are there. */
void index_weigh(struct index *index);
/* What a word says that so many of the tools have. */
double index_idf(double tools, double having, bool common);
/* Words i and i + 1 as a pair, in the arena; NULL: they are none. */
const char *index_pair(
	struct wv_arena *arena, const struct wv_tokens *tokens, size_t i);
/* The posting of a tool in a term; NULL: it has none. */
const struct posting *index_posting(
	const struct index *index, const struct term *term, uint32_t tool);

#endif
