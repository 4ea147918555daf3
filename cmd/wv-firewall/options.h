/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_FIREWALL_OPTIONS_H
#define WV_FIREWALL_OPTIONS_H

#include "firewall.h"

#include "base/opt.h"

extern const struct wv_cmd firewall_cmd;

/* All of them, and what contradicts itself; ends the process on misuse. */
void options_read(struct settings *settings, struct wv_opts *opts);
void options_free(struct settings *settings);
/* Says which of --fields may have been meant as paths: no output had them. */
void options_tell_fields(const struct settings *settings, uint64_t met);

/* Opens what -f names, the first to standard output if no file is named; by
 * then nothing is read. */
void outputs_open(struct sinks *sinks, struct tell *tell,
	const struct settings *settings, const struct wv_opts *opts);
/* None may be a file that is read. */
void outputs_check(const struct settings *settings, const struct wv_opts *opts,
	char *const *files);
/* Where there is output that waits; NULL: nowhere. */
struct wv_out *outputs_stdout(
	const struct sinks *sinks, const struct tell *tell);
void outputs_close(struct sinks *sinks, struct tell *tell);

/* The rules that --rules, --known and --known-env make; NULL: the built-in
 * ones.  Ends the process if they cannot be read. */
struct rules *rules_open(const struct settings *settings);
const struct wv_rules *rules_of(const struct rules *rules);
void rules_close(struct rules *rules);
/* --lint: the status. */
int rules_lint(const char *path);

#endif
