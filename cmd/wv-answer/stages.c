/* SPDX-License-Identifier: Apache-2.0 */
#include "stages.h"

#include "artifacts.h"

const struct stage stages[STAGE_COUNT] = {
	{ "candidates", stage_candidates },
	{ "closure", stage_closure },
	{ "sensitivity", stage_sensitivity },
	{ "firewall", stage_firewall },
	{ "score", stage_score },
	{ "deduplicate", stage_deduplicate },
	{ "select", stage_select },
	{ "render", stage_render },
};

void
build_run(struct build *b)
{
	b->artifacts = artifacts_open(b->settings->artifacts);
	for (size_t i = 0; i < STAGE_COUNT; i++)
		stages[i].run(b);
	artifacts_close(b->artifacts);
	b->artifacts = NULL;
}
