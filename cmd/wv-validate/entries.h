/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries of a conformance corpus, {"positive":[…],"negative":[…]}, and
 * their payloads.
 */
#ifndef WV_VALIDATE_ENTRIES_H
#define WV_VALIDATE_ENTRIES_H

#include "contract/contract.h"

struct entry {
	const char *pointer; /* of the entry in the file */
	const char *payload; /* its path as it is written there */
	enum wv_contract type;
	const cJSON *value;
	const char *by, *violates; /* of negative ones only */
};

struct entries {
	struct entry *entry;
	size_t count;
};

/* In the arena.  Ends the process with 2 if the file is no corpus, or a
 * payload cannot be read. */
void entries_read(struct entries *positive, struct entries *negative,
	struct wv_arena *arena, const char *path);

#endif
