/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings that were there before: JSON lines {kind, source, fingerprint}.
 */
#ifndef WV_FIREWALL_BASELINE_H
#define WV_FIREWALL_BASELINE_H

#include "judge.h"

struct baseline;

/* To be read; or, to be written, an empty one that knows nothing. */
struct baseline *baseline_read(const char *path, struct wv_err *err);
struct baseline *baseline_new(void);
/* Known; or now written down, and so known too. */
bool baseline_knows(
	struct baseline *baseline, const char *source, const struct finding *f);
int baseline_write(
	const struct baseline *baseline, const char *path, struct wv_err *err);
void baseline_free(struct baseline *baseline);

#endif
