/* SPDX-License-Identifier: Apache-2.0 */
#include "json/form.h"

#include "base/str.h"
#include "json/internal.h"

#include <string.h>

enum wv_form
wv_form_of(const char *name)
{
	static const struct {
		const char *end;
		enum wv_form form;
	} table[] = {
		{ ".jsonl", WV_FORM_LINES },
		{ ".ndjson", WV_FORM_LINES },
		{ ".json", WV_FORM_DOCUMENTS },
		{ ".yaml", WV_FORM_YAML },
		{ ".yml", WV_FORM_YAML },
	};
	size_t n = strlen(name);

	if (wv_ends_with(name, n, ".gz"))
		n -= strlen(".gz");
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (wv_ends_with(name, n, table[i].end))
			return table[i].form;
	}
	return WV_FORM_NONE;
}

bool
wv_form_is_yaml(const char *name, const char *text, size_t len)
{
	enum wv_form form = wv_form_of(name);
	size_t i = 0;

	if (form != WV_FORM_NONE)
		return form == WV_FORM_YAML;
	while (i < len && wv_json_is_space(text[i]))
		i++;
	return i == len || (text[i] != '{' && text[i] != '[');
}

size_t
wv_bom_len(const char *text, size_t len)
{
	size_t n = strlen(WV_BOM);

	return len >= n && memcmp(text, WV_BOM, n) == 0 ? n : 0;
}
