/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context pipeline: eight stages, in the order of the table in stages.c,
 * which build_run() alone runs.  Each has a file of its own, stage-N-NAME.c.
 * The order is never changed, because each stage relies on those before it:
 *
 * 1 candidates   what the phase and --select let in; nothing else is looked at
 * 2 closure      the ancestors of these, of any kind; before 3, or a parent
 *                would join that the filter has never seen
 * 3 sensitivity  what is labelled too high goes, or becomes a mark; before 4,
 *                or its raw text would be kept as an artifact, and before 5
 *                and 8, or the query and the headers would have it
 * 4 firewall     raw text becomes what may be shown; after it no stage can
 *                reach raw text: struct item has no member for it
 * 5 score        on what may be shown: a word that is only in raw text
 *                counts for nothing; after 2, so that ancestors are scored
 * 6 deduplicate  the better scored of two that say the same stays
 * 7 select       whole units within the budget, best first; after 6, or the
 *                budget would be spent on what is said twice
 * 8 render       in the order of time
 *
 * What holds after stage 4, whatever the input says of itself:
 * - no result is what a tool wrote: it is a summary and bounded data, made
 *   here of raw text; a Frame's own are cleaned and redacted again
 * - the text of all other items is clean and without secrets
 * - the label of an item is that of its raw item, or higher
 * - artifact_ref of what was made of raw text is artifact:ID of that item;
 *   what was redacted in stage 3 has neither text nor artifact nor Handles
 * - metadata and x_… members have stayed behind (I-04)
 * Nothing follows a Handle: that is the kernel's (I-05).
 */
#ifndef WV_ANSWER_STAGES_H
#define WV_ANSWER_STAGES_H

#include "build.h"

enum { STAGE_COUNT = 8 };
struct stage {
	const char *name;
	void (*run)(struct build *build);
};
extern const struct stage stages[STAGE_COUNT];

/* All stages; build->status then tells how it went. */
void build_run(struct build *build);

void stage_candidates(struct build *build);
void stage_closure(struct build *build);
void stage_sensitivity(struct build *build);
void stage_firewall(struct build *build);
void stage_score(struct build *build);
void stage_deduplicate(struct build *build);
void stage_select(struct build *build);
void stage_render(struct build *build);

#endif
