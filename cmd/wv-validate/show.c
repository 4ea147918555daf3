/* SPDX-License-Identifier: Apache-2.0 */
#include "show.h"

#include "contract/contract.h"

#include <string.h>

int
type_of_name(const struct wv_opts *opts, const char *option, const char *name,
	bool with_auto)
{
	const char *names[WV_CONTRACT_COUNT + 2] = { NULL };
	int type = wv_contract_find(name);

	if (type >= 0)
		return type;
	memcpy(names, wv_contract_names(), WV_CONTRACT_COUNT * sizeof names[0]);
	if (with_auto)
		names[WV_CONTRACT_COUNT] = "auto";
	wv_opt_choice(opts, option, name, names);
	return -1;
}

void
show_types(struct wv_out *out)
{
	for (const char *const *name = wv_contract_names(); *name; name++)
		wv_out_line(out, *name, strlen(*name));
}

void
show_schema(struct wv_out *out, int type)
{
	const char *text = wv_contract_schema((enum wv_contract)type);

	wv_out_add(out, text, strlen(text));
	wv_out_mark(out);
}

void
show_example(struct wv_out *out, int type)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_str text = { 0 };

	wv_json_write(
		&text, wv_contract_example((enum wv_contract)type, &arena));
	wv_out_line(out, text.s, text.n);
	wv_str_free(&text);
	wv_arena_free(&arena);
}
