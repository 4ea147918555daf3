/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An Agent Skill: a folder with a file SKILL.md, which begins with YAML between
 * two lines of `---`, its name and description among it; what comes after is
 * the instructions.  Nothing is read but regular files within the folder:
 * whatever a path says, no link is followed, none leads out.
 */
#ifndef WV_CONTRACT_SKILL_H
#define WV_CONTRACT_SKILL_H

#include "base/err.h"
#include "base/mem.h"

#include <stddef.h>

#define WV_SKILL_FILE "SKILL.md"
enum {
	WV_SKILL_MAX = 1 << 20,    /* bytes of SKILL.md */
	WV_SKILL_NAME_MAX = 64,    /* bytes of its name, */
	WV_SKILL_ABOUT_MAX = 1024, /* and of its description; more is cut */
};

struct wv_skill {
	const char *name, *description;
	const char *text; /* all of SKILL.md, NUL-terminated */
	size_t len;
	size_t body; /* where the instructions begin */
};

/* Its folder, to be closed; -1 and an error whose source is the folder. */
int wv_skill_folder(const char *folder, struct wv_err *err);
/* A file beneath it, NUL-terminated, in the arena; path is relative and has no
 * `..`.  Refuses what is longer than max bytes.  NULL: err says why. */
char *wv_skill_read(int folder, const char *path, size_t max,
	struct wv_arena *arena, size_t *len, struct wv_err *err);
/* SKILL.md of a folder, in the arena.  -1: there is none, or it is not one. */
int wv_skill_load(struct wv_skill *skill, struct wv_arena *arena,
	const char *folder, struct wv_err *err);

#endif
