/* SPDX-License-Identifier: Apache-2.0 */
/* What is odd in a command: arguments that could become code, a program that
 * is not there, a package of whatever version is newest. */
#ifndef WV_CALL_LINT_COMMAND_H
#define WV_CALL_LINT_COMMAND_H

#include "firewall/descriptor.h"

/* command: NULL is none.  dir: where it runs; NULL: ours. */
void lint_command(const cJSON *command, const char *dir, const char *pointer,
	wv_descriptor_hear *hear, void *arg);
/* The same of the places for arguments in it: those that the schema of the
 * arguments (NULL: none) does not know, and those that are none. */
void lint_arguments(const cJSON *command, const cJSON *schema,
	const char *pointer, wv_descriptor_hear *hear, void *arg);

#endif
