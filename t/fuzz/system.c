/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernel/system.c relies on in a wv.yaml that passed the check of its
 * schema, and so in the other files of ours: a byte chooses which.
 */
#include "contract/contract.h"
#include "file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char *const kinds[] = { "system", "lock", "tools", "flow",
	"policy-case", "route-request" };

/* Absent, or a path that does not depend on where we are. */
static void
check_name(const cJSON *name)
{
	must(name == NULL ||
		(wv_is_string(name) && name->valuestring[0] == '/'));
}

static void
check_system(const cJSON *root)
{
	static const char *const known[] = { "state", "policy", "keyring",
		"tools", "lock", "catalog", "require_signed" };
	const cJSON *catalog = wv_get(root, "catalog");
	const cJSON *is_signed = wv_get(root, "require_signed");

	for (size_t i = 0; i < 5; i++)
		check_name(wv_get(root, known[i]));
	if (wv_is_array(catalog)) {
		wv_json_each(file, catalog)
			check_name(file);
	} else {
		check_name(catalog);
	}
	must(is_signed == NULL || wv_is_true(is_signed) ||
		wv_is_false(is_signed));
	wv_json_each(member, root) {
		bool found = strcmp(member->string, "version") == 0 ||
			strncmp(member->string, "x_", 2) == 0;
		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			found = found || strcmp(member->string, known[i]) == 0;
		must(found);
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static struct wv_arena arena;
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc doc;
	int status;

	if (size == 0)
		return 0;
	const char *kind = kinds[data[0] % (sizeof kinds / sizeof *kinds)];
	status = wv_doc_load(&doc, &arena, file_of(data + 1, size - 1), &err);
	if (status == 0)
		status = wv_config_check(&doc, kind, &err);
	must((status < 0) == wv_err_is_set(&err));
	if (status == 0 && strcmp(kind, "system") == 0)
		check_system(doc.root);
	wv_arena_reset(&arena);
	return 0;
}
