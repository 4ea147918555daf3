/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What main.c has for flows that are not run: --lint, --graph, --capability.
 * Each returns the status of the process.
 */
#ifndef WV_FLOW_LINT_H
#define WV_FLOW_LINT_H

#include "flow.h"

struct flow_lint_options {
	struct flow_limits limits;
	const char *tools;  /* -T: steps are judged by them; NULL: unknown */
	const char *tokens; /* -k: there are enough of them; NULL: unknown */
	struct wv_reports *reports; /* of -f; NULL: messages.  Closed here. */
	bool strict;                /* --strict: warnings are faults */
};

/* Judges each of the NULL-terminated paths: 0, 1 something is wrong, 2 a file
 * cannot be read. */
int flow_lint(char *const *paths, const struct flow_lint_options *options);

/* --graph FORMAT FLOW: what needs what, on standard output. */
enum flow_graph_format { FLOW_GRAPH_TEXT, FLOW_GRAPH_DOT, FLOW_GRAPH_MERMAID };
#define FLOW_GRAPH_FORMATS \
	{ \
		"text", "dot", "mermaid", NULL \
	}
int flow_graph(const char *path, const struct flow_limits *limits,
	enum flow_graph_format format);

/* --capability FLOW…: each as a Capability, a line, on standard output, with
 * its CompiledFlow in metadata; tools (or NULL) say what it changes. */
int flow_capability(char *const *paths, const struct flow_limits *limits,
	const char *tools);

#endif
