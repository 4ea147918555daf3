/* SPDX-License-Identifier: Apache-2.0 */
/* Every check of a token that needs no policy, for verify, show and narrow.
 * Nothing is changed by any of them. */
#ifndef WV_TOKEN_GATE_H
#define WV_TOKEN_GATE_H

#include "contract/sign.h"
#include "json/lines.h"
#include "main.h"

struct gate {
	const char *state_path, *keyring_path;
	const char *principal, *capability; /* NULL: whichever */
	int64_t leeway_ms;
	bool require_signed;

	struct wv_state *state; /* the caller's own; needed to judge */

	/* from gate_open() on */
	struct wv_keyring *keyring;
	struct wv_trust_rules rules;
};

/* clang-format off */
#define GATE_OPTS \
	{ GATE_PRINCIPAL, "principal", "P", "it must be this one's" }, \
	{ GATE_CAPABILITY, "capability", "C", "its scope must cover this" }, \
	{ GATE_LEEWAY, "leeway", "D", \
		"allow for clocks that differ by so much (0s, at most 10m)" }, \
	{ GATE_KEYRING, "keyring", "FILE", \
		"whose keys sign tokens (WV_KEYRING)" }, \
	{ GATE_REQUIRE_SIGNED, "require-signed", NULL, \
		"only a signature counts, not that it was issued here" }, \
	WV_STATE_OPT, \
	WV_NOW_OPT, \
	WV_LINES_OPTS
/* clang-format on */
enum {
	GATE_KEYRING = 1500,
	GATE_REQUIRE_SIGNED,
	GATE_PRINCIPAL,
	GATE_CAPABILITY,
	GATE_LEEWAY,
};
/* True if id was one of them and has been taken. */
bool gate_option(struct gate *gate, const struct wv_opts *opts, int id);
/* The keyring and what the system's configuration says, or dies. */
void gate_open(struct gate *gate);
void gate_close(struct gate *gate);

struct check {
	const char *name;
	const char *code;  /* NULL: it holds */
	const char *value; /* what it saw, or why it does not hold */
};
enum { GATE_CHECKS = 7 };
struct judgment {
	struct wv_token token;
	enum wv_trust trust;
	struct check checks[GATE_CHECKS]; /* after "shape" only if it holds */
	size_t count;
	const struct check *failed; /* the first one; NULL: it is good */
};
/* 0, or -1: could not tell.  Texts live in the arena. */
int gate_judge(const struct gate *gate, const cJSON *node,
	struct wv_arena *arena, struct judgment *j, struct wv_err *err);

/* The loop of verify and show: each token of the files, or of standard input;
 * an array holds several.  Returns the exit status. */
typedef void gate_hear(void *arg, const struct wv_record *rec,
	const cJSON *node, const struct judgment *j);
int gate_read(const struct gate *gate, char *const *files,
	const struct wv_lines_options *options, struct wv_out *out,
	gate_hear *hear, void *arg);

#endif
