/* SPDX-License-Identifier: Apache-2.0 */
/* --select: which items are looked at. */
#include "options.h"

#include "contract/contract.h"

int
wanted_read(struct wanted *wanted, const struct wv_doc *doc, struct wv_err *err)
{
	const char *age = wv_get_string(doc->root, "age");

	*wanted = (struct wanted){ 0 };
	if (wv_config_check(doc, "conversation-select", err) < 0)
		return -1;
	wanted->kinds = wv_get(doc->root, "kinds");
	wanted->ids = wv_get(doc->root, "ids");
	wanted->tags = wv_get(doc->root, "tags");
	if (age != NULL && wv_duration_parse(&wanted->age_ms, age, err) < 0)
		return -1;
	if (age != NULL && wanted->age_ms == 0)
		return wv_doc_err(doc, err, "/age", "age is 0");
	return 0;
}

int
wanted_load(struct wanted *wanted, struct wv_arena *arena, const char *path,
	struct wv_err *err)
{
	struct wv_doc doc;

	if (wv_doc_load(&doc, arena, path, err) < 0)
		return -1;
	return wanted_read(wanted, &doc, err);
}
