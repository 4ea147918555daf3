/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a command.  A word that is exactly `{name}` stands for that
 * argument: one word, an array one word for each element, an object its
 * compact JSON, absent or null no word.  Every other word, and the first one
 * always, is itself.  There is no shell anywhere.
 */
#ifndef WV_CALL_ARGV_H
#define WV_CALL_ARGV_H

#include "json/json.h"

/*
 * NULL-terminated, in the arena.  NULL and the reason for what must not reach
 * a command line: a value with U+0000, or one that begins with `-` where the
 * command could take it for an option, that is, unless the word `--` stands
 * before it or allow_dash (a list of names, may be NULL) has its name.
 */
char **argv_make(struct wv_arena *arena, const cJSON *command,
	const cJSON *arguments, const cJSON *allow_dash, struct wv_err *err);

#endif
