/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "base/msg.h"
#include "base/str.h"

#include <string.h>

/* By its ending; there is something before it. */
static bool
is_payload(const char *name)
{
	static const char *const endings[] = { ".json", ".jsonl", ".ndjson",
		".yaml", ".yml" };
	size_t n = strlen(++name);

	if (wv_ends_with(name, n, ".gz"))
		n -= strlen(".gz");
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		if (wv_ends_with(name, n, endings[i]))
			return true;
	}
	return false;
}

void
walk_payloads(struct wv_walk *walk, bool allow_empty)
{
	walk->wants_file = is_payload;
	walk->what = allow_empty ? NULL
				 : ".json, .jsonl, .ndjson, .yaml or .yml file";
	walk->tell = wv_warn_err;
}
