/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which capabilities fit a query: BM25 with smoothed IDF over name, id,
 * namespace, tags, description, arguments and example queries, each with a
 * weight and a length of its own (index.c).  To the points of the query's
 * words come fewer ones for neighbours that are so in an example, for what is
 * like a word that no capability has, for synonyms, and for the subjects and
 * actions that words belong to (plan.c), and for how like the whole query is
 * to the one of a capability's examples that is most like it (nearest.c);
 * signals then take or add a share (hints.c).
 * A query costs what its words' postings cost.  The order depends on the
 * catalogue's content and the query alone: by exact name, score, id
 * (bytewise).
 */
#ifndef WV_ROUTE_RANK_H
#define WV_ROUTE_RANK_H

#include "index.h"
#include "plan.h"
#include "request.h"

enum { RANK_MAX = 20 }; /* what a ChoiceCard holds */

struct rank {
	const struct index *index;
	struct planner planner;
	struct score *scores; /* by tool; of the last query that touched it */
	uint32_t *touched;    /* tools that have any of the query's words */
	size_t touched_count;
	struct best {
		uint32_t query, tool;
	} * best;       /* by the leader of a group of near duplicates */
	struct shared { /* by text: of the last query that touched it */
		uint32_t query;
		float square; /* what the words say that it has as well */
	} * shared;
	uint32_t *like; /* texts that have any of the query's words */
	size_t like_count;
	uint32_t query; /* counts queries */
};

/* What a score is made of, for --explain. */
struct rank_part {
	/* words as they stand in the query, a topic, "example 2" or
	 * "description", or a signal: called, ready, not_ready, last_summary */
	const char *what;
	/* word | pair (of words) | part (like the word) | synonym | subject |
	 * action | nearest (its text that is most like the query) | signal |
	 * exact (what an exact name has besides) */
	const char *kind;
	const char *field; /* where it stands: "name, description"; NULL: a
	                      signal, or a text */
	double points;     /* they add up to the score */
};

struct rank_hit {
	const struct wv_capability *tool;
	double score; /* 0 ... 1: of what the query could reach */
	bool exact;   /* the query is what it is called */
	/* those it stands for, by id: at most RANK_MAX of similar_count */
	const struct wv_capability **similar;
	size_t similar_count;
	const struct rank_part *parts; /* if they were asked for; by points */
	size_t part_count;
};

/* What is asked. */
struct rank_ask {
	const char *query;
	const struct filter *filter;
	const struct signals *signals;   /* or NULL */
	const struct synonyms *synonyms; /* or NULL */
	size_t limit;                    /* 1 ... RANK_MAX */
	bool explain;                    /* parts are wanted */
};

/*
 * Nothing fits (count 0) unless something in the query proves that some
 * capability does:
 *  - it is the name or the id of it, or what is behind a dot of its id and of
 *    no other's, in small or capital letters,
 *  - or a word of it is in its name, id, tags or examples,
 *  - or its other texts have two of the query's words, or half of them, or
 *    one of more than four,
 *  - or both are clearly about one everyday subject: two of the query's words
 *    belong to it, and so does one, and to no other, in its name, id or tags;
 *    or a word of the query belongs to it alone, and the name, id or tags have
 *    the subject's own name (weather).
 * A word is as good in any form (its stem), as is a synonym from the file, and
 * what it is if one letter is wrong, two in a long word, and nothing has it as
 * it is; an English word is no typing error of another.  Words that all
 * requests are full of (get, information, numbers) prove something only if
 * there are no others.  Subjects beyond that, actions, and what is like a word
 * or a text order what was found, no more.
 */
struct rank_result {
	struct rank_hit hits[RANK_MAX];
	size_t count;
	size_t found;  /* allowed capabilities that have any of the words */
	double margin; /* of the first over the second: 0 (equal) … 1 */
	const char **unmatched; /* words of the query, as they stand there, */
	size_t unmatched_count; /* that no capability has */
};

void rank_init(struct rank *rank, const struct index *index);
/* At most limit hits among those the filter allows; results live in the
 * arena. */
void rank_find(struct rank *rank, struct wv_arena *arena,
	const struct rank_ask *ask, struct rank_result *result);
void rank_free(struct rank *rank);

#endif
