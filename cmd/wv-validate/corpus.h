/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conformance report of weaver-spec: a corpus of payloads that must pass
 * or must fail, or one TraceBundle from elsewhere.  Counts, messages and the
 * shapes of both files are those of its own runner; wv-validate(1) says where
 * the verdicts are stricter.
 */
#ifndef WV_VALIDATE_CORPUS_H
#define WV_VALIDATE_CORPUS_H

#include "base/file.h"
#include "contract/sign.h"

struct corpus_options {
	const char *corpus;      /* --corpus FILE, or NULL: then a bundle */
	const char *bundle;      /* --bundle FILE */
	const char *emit_result; /* FILE for a ConformanceResult, or NULL */
	const char *emit_badge;  /* FILE for a shields.io endpoint, or NULL */
};

/* Says what it found and returns the exit status: 0 conforms, 1 does not.
 * Ends the process with 2 where that cannot be told: a corpus that is none, a
 * file that cannot be written.  A keyring of NULL knows no key. */
int corpus_run(const struct corpus_options *options,
	const struct wv_keyring *keyring, struct wv_out *out);

#endif
