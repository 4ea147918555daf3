/* SPDX-License-Identifier: Apache-2.0 */
/* A tools file is refused with a place in it, or each tool is a Capability and
 * has a digest. */
#include "contract/catalog-internal.h"
#include "contract/contract.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
check_tool(struct wv_arena *arena, const cJSON *entry)
{
	char hex[65];

	wv_tool_fingerprint(hex, entry, NULL);
	if (wv_contract_require(WV_CAPABILITY,
		    wv_tool_capability(arena, entry, hex), NULL) != 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc doc;

	if (wv_doc_parse(&doc, &arena, "tools", (const char *)data, size,
		    &err) == 0) {
		if (wv_config_check(&doc, "tools", &err) == 0 &&
			wv_tools_check(&doc, &err) == 0) {
			wv_json_each(entry, wv_get(doc.root, "tools"))
				check_tool(&arena, entry);
		} else if (err.line == 0 || err.column == 0) {
			abort();
		}
	}
	wv_arena_free(&arena);
	return 0;
}
