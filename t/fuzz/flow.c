/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flow file, whatever it holds, is refused for a reason or has an order in
 * which what is needed stands before, and in which what a step uses is among
 * that; --lint finds no less than the load.
 *
 * links: cmd/wv-flow/bind.c
 * links: cmd/wv-flow/fault.c
 * links: cmd/wv-flow/graph.c
 * links: cmd/wv-flow/lint-arguments.c
 * links: cmd/wv-flow/lint-reach.c
 * links: cmd/wv-flow/lint-step.c
 * links: cmd/wv-flow/lint-token.c
 * links: cmd/wv-flow/lint-type.c
 * links: cmd/wv-flow/lint.c
 * links: cmd/wv-flow/load-flow.c
 * links: cmd/wv-flow/load-step.c
 * links: cmd/wv-flow/load.c
 * links: cmd/wv-flow/map-check.c
 * links: cmd/wv-flow/map.c
 * links: cmd/wv-flow/shape.c
 * links: cmd/wv-flow/support.c
 */
#include "cmd/wv-flow/lint.h"

#include "base/msg.h"
#include "file.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const struct flow_limits limits = { 100, 1 << 20, 3 };

static void
check(const struct flow *flow)
{
	for (size_t i = 0; i < flow->count; i++) {
		const struct flow_step *step = &flow->steps[flow->order[i]];
		must(step->place == i);
		for (size_t j = 0; j < step->need_count; j++)
			must(flow->steps[step->needs[j]].place < i);
		for (size_t j = 0; j < step->use_count; j++)
			must(flow->steps[step->uses[j]].place < i);
		must((step->flow != NULL) !=
			(wv_get(wv_pointer(flow->doc.root,
					flow_at(flow, step->index, "")),
				 "capability") != NULL));
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static struct wv_arena arena;
	const char *path = file_of(data, size);
	const struct flow_lint_options options = { .limits = limits };
	char *const paths[] = { (char *)path, NULL };
	struct wv_err err = WV_ERR_INIT;
	struct flow flow;
	int status = flow_read(&flow, &arena, path, &limits, &err);

	wv_quiet = true;
	must((status == WV_TROUBLE) == wv_err_is_set(&err));
	if (status == WV_YES)
		check(&flow);
	flow_free(&flow);
	wv_arena_reset(&arena);
	must(flow_lint(paths, &options) >= status);
	return 0;
}
