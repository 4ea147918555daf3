/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that stand for another: that it is there, and what is mapped onto it. */
#include "contract/tools-check.h"

#include "json/mapping.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 10 };

struct wrapped_check {
	struct wv_tool_check at;
	const cJSON **entries; /* of all tools */
	struct wv_map index;   /* by capability */
};

static const cJSON *
find(const struct wrapped_check *w, const char *id)
{
	const size_t *place = wv_map_find(&w->index, id);

	return place != NULL ? w->entries[*place] : NULL;
}

static int
unknown(const struct wrapped_check *w, const char *id)
{
	size_t n = 0;
	const char **ids = wv_xmalloc((w->index.count + 1) * sizeof *ids);
	const char *near;

	for (size_t i = 0; i < w->index.count; i++)
		ids[n++] = wv_get_string(w->entries[i], "capability");
	ids[n] = NULL;
	near = wv_nearest(id, ids);
	wv_tool_fault(&w->at, "/wraps", "no tool serves \"%s\"%s%s%s", id,
		near != NULL ? "; did you mean \"" : "",
		near != NULL ? near : "", near != NULL ? "\"?" : "");
	free(ids);
	return -1;
}

/* "a", which wraps "b", which wraps … */
static int
cycle(const struct wrapped_check *w, const cJSON *const *chain, size_t n,
	const char *again)
{
	struct wv_str text = { 0 };

	for (size_t i = 0; i < n; i++)
		wv_str_fmt(
			&text, "%s, ", wv_get_string(chain[i], "capability"));
	wv_tool_fault(
		&w->at, "/wraps", "tools wrap each other: %s%s", text.s, again);
	wv_str_free(&text);
	return -1;
}

static int
check_chain(const struct wrapped_check *w)
{
	const cJSON *chain[DEEPEST + 1] = { w->at.entry };
	const char *harmless = wv_tool_harmless(w->at.entry), *id;
	size_t n = 1;

	while ((id = wv_get_string(chain[n - 1], "wraps")) != NULL) {
		const cJSON *next = find(w, id);
		if (next == NULL) /* told of the tool that says so */
			return n == 1 ? unknown(w, id) : 0;
		for (size_t i = 0; i < n; i++)
			if (chain[i] == next)
				return cycle(w, chain, n, id);
		if (n > DEEPEST)
			return wv_tool_fault(&w->at, "/wraps",
				"more than %d tools deep", DEEPEST);
		if (harmless != NULL && wv_tool_writes(next))
			return wv_tool_fault(&w->at, "/wraps",
				"%s, but \"%s\" writes", harmless, id);
		chain[n++] = next;
	}
	return 0;
}

/* An object that looks like a reference is one, or says {value: …}. */
static int
check_reference(const struct wrapped_check *w, const cJSON *node,
	const struct wv_str *at)
{
	const cJSON *sole = wv_mapping_sole(node, "from");
	const char *from = wv_get_string(node, "from");

	if (sole != NULL && (from == NULL || !wv_mapping_is_pointer(from)))
		return wv_tool_fault(&w->at, at->s,
			"from needs a JSON pointer such as /name; an object "
			"that is meant as it is, is {value: …}");
	if (sole == NULL && from != NULL && *from == '/')
		return wv_tool_fault(&w->at, at->s,
			"a reference has no member but from; an object that "
			"is meant as it is, is {value: …}");
	return 0;
}

/* As deep as the file, whose depth the reader bounds. */
static int
check_mapping(
	const struct wrapped_check *w, const cJSON *node, struct wv_str *at)
{
	size_t n = at->n, i = 0;

	if (check_reference(w, node, at) != 0)
		return -1;
	if (wv_mapping_sole(node, "value") != NULL)
		return 0;
	wv_json_each(child, node) {
		if (wv_is_array(node))
			wv_str_fmt(at, "/%zu", i++);
		else
			wv_pointer_add(at, child->string);
		if (check_mapping(w, child, at) != 0)
			return -1;
		at->n = n;
		at->s[n] = '\0';
	}
	return 0;
}

static int
check_arguments(const struct wrapped_check *w)
{
	const cJSON *written = wv_get(w->at.entry, "arguments");
	const cJSON *value = wv_mapping_sole(written, "value");
	struct wv_str at = { 0 };
	int result;

	if (value != NULL && !wv_is_object(value))
		return wv_tool_fault(&w->at, "/arguments",
			"{value: …} has to be an object here: an argument "
			"that is called value is {value: {value: …}}");
	wv_str_cat(&at, "/arguments");
	result = check_mapping(w, written, &at);
	wv_str_free(&at);
	return result;
}

int
wv_tools_check_wrapped(const struct wv_doc *doc, struct wv_err *err)
{
	const cJSON *list = wv_get(doc->root, "tools");
	struct wrapped_check w = { .at = { .doc = doc, .err = err } };
	size_t i = 0;
	int result = 0;

	w.entries = wv_xcalloc(wv_count(list), sizeof *w.entries);
	wv_json_each(entry, list) {
		w.entries[i] = entry;
		wv_map_add(&w.index, wv_get_string(entry, "capability"), i++);
	}
	wv_json_each(entry, list) {
		w.at.entry = entry;
		if (wv_get(entry, "wraps") != NULL)
			result =
				check_chain(&w) != 0 ? -1 : check_arguments(&w);
		if (result != 0)
			break;
		w.at.index++;
	}
	wv_map_free(&w.index);
	free(w.entries);
	return result;
}
