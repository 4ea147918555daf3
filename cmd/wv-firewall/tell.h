/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as they are wanted: reports, JSON lines, an ArtifactSafetyReport,
 * or messages. */
#ifndef WV_FIREWALL_TELL_H
#define WV_FIREWALL_TELL_H

#include "base/file.h"
#include "report/report.h"

struct record;

struct tell {
	struct wv_reports *reports; /* NULL: none is wanted */
	struct wv_out jsonl, safety;
	bool has_jsonl, has_safety;
	bool has_messages;   /* findings are told on standard error */
	bool is_gate;        /* --check: somebody waits for the verdict */
	struct wv_str found; /* findings of the safety report */
	size_t found_count, failed; /* and how many are no mere flags */
	struct wv_report_counts counts;
};

/* "jsonl", "report=FILE", or what is in report/; specs are kept. */
void tell_open(struct tell *tell, bool is_check);
int tell_add(struct tell *tell, const char *spec, struct wv_err *err);
bool tell_is_wanted(const struct tell *tell);
void tell_record(struct tell *tell, const struct record *record);
/* Ends the process if anything cannot be written. */
void tell_close(struct tell *tell);

#endif
