/* SPDX-License-Identifier: Apache-2.0 */
/* What contradicts itself in the entry of a tool. */
#include "contract/tools-check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
wv_tool_fault(
	const struct wv_tool_check *c, const char *below, const char *fmt, ...)
{
	struct wv_str pointer = { 0 }, text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_str_fmt(&pointer, "/tools/%zu%s", c->index, below);
	wv_doc_err(c->doc, c->err, pointer.s, "%s", text.s);
	wv_str_free(&pointer);
	wv_str_free(&text);
	return -1;
}

static bool
says(const cJSON *entry, const char *flag)
{
	return wv_is_true(wv_get(entry, flag));
}

const char *
wv_tool_harmless(const cJSON *entry)
{
	if (says(entry, "validation"))
		return "a validation";
	return says(entry, "read_only") ? "read_only" : NULL;
}

static bool
is_write(const char *safety)
{
	return safety != NULL && strcmp(safety, "read") != 0;
}

bool
wv_tool_writes(const cJSON *entry)
{
	return says(entry, "writes") ||
		is_write(wv_get_string(entry, "safety"));
}

static int
check_harmless(const struct wv_tool_check *c, const char *what)
{
	const char *safety = wv_get_string(c->entry, "safety");
	size_t i = 0;

	if (says(c->entry, "writes"))
		return wv_tool_fault(c, "/writes", "%s, but it writes", what);
	if (wv_is_false(wv_get(c->entry, "read_only")))
		return wv_tool_fault(
			c, "/read_only", "%s, but read_only is false", what);
	if (is_write(safety))
		return wv_tool_fault(
			c, "/safety", "%s, but its safety is %s", what, safety);
	if (wv_get(c->entry, "checkpoint") != NULL)
		return wv_tool_fault(c, "/checkpoint",
			"%s, so there is nothing to make a checkpoint of",
			what);
	wv_json_each(resource, wv_get(c->entry, "resources")) {
		char below[64];
		snprintf(below, sizeof below, "/resources/%zu/access", i++);
		if (strcmp(wv_get_string(resource, "access"), "read_write") ==
			0)
			return wv_tool_fault(c, below,
				"%s, but resource \"%s\" is read_write", what,
				wv_get_string(resource, "name"));
	}
	return 0;
}

static int
check_flags(const struct wv_tool_check *c)
{
	const char *safety = wv_get_string(c->entry, "safety");
	const char *what = wv_tool_harmless(c->entry);

	if (what != NULL)
		return check_harmless(c, what);
	if (says(c->entry, "writes") && safety != NULL && !is_write(safety))
		return wv_tool_fault(
			c, "/safety", "it writes, but its safety is read");
	if (wv_is_false(wv_get(c->entry, "checkpointable")) &&
		wv_get(c->entry, "checkpoint") != NULL)
		return wv_tool_fault(c, "/checkpoint",
			"there is a checkpoint, but checkpointable is false");
	return 0;
}

static int
check_id(const struct wv_tool_check *c)
{
	static const char *const builtins[] = { "wv.handle.resolve",
		"wv.capability.list", NULL };
	const char *id = wv_get_string(c->entry, "capability"), *near;
	size_t i = 0;

	if (strcmp(wv_get_string(c->entry, "source"), "builtin") != 0)
		return strncmp(id, "wv.", 3) != 0
			? 0
			: wv_tool_fault(c, "/capability",
				  "\"%s\": capabilities that begin with wv. "
				  "are of source builtin",
				  id);
	while (builtins[i] != NULL && strcmp(builtins[i], id) != 0)
		i++;
	if (builtins[i] != NULL)
		return 0;
	near = wv_nearest(id, builtins);
	return wv_tool_fault(c, "/capability",
		"there is no builtin \"%s\"; did you mean \"%s\"?", id,
		near != NULL ? near : builtins[0]);
}

static int
check_resource(const struct wv_tool_check *c, const cJSON *resource, size_t i)
{
	const char *name = wv_get_string(resource, "name");
	bool file = wv_get(resource, "file") != NULL;
	char below[64];

	if (file != (wv_get(resource, "dir") != NULL))
		return 0;
	snprintf(
		below, sizeof below, "/resources/%zu%s", i, file ? "/dir" : "");
	return wv_tool_fault(c, below,
		file ? "resource \"%s\" has both file and dir: it is one of "
		       "them"
		     : "resource \"%s\" has neither file nor dir",
		name);
}

/* There are at most 64. */
static int
check_resources(const struct wv_tool_check *c)
{
	const cJSON *list = wv_get(c->entry, "resources");
	char below[64];
	size_t i = 0, k;

	wv_json_each(resource, list) {
		if (check_resource(c, resource, i) != 0)
			return -1;
		k = 0;
		wv_json_each(first, list) {
			if (k++ == i)
				break;
			if (strcmp(wv_get_string(first, "name"),
				    wv_get_string(resource, "name")) != 0)
				continue;
			snprintf(below, sizeof below, "/resources/%zu/name", i);
			return wv_tool_fault(c, below,
				"resource \"%s\" is there twice",
				wv_get_string(first, "name"));
		}
		i++;
	}
	return 0;
}

bool
wv_tool_is_place(const char *word)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_.-";
	size_t n = word[0] == '{' ? strspn(word + 1, name) : 0;

	return n > 0 && strcmp(word + 1 + n, "}") == 0;
}

/* What prepares or undoes is the same for every call. */
static int
check_command(const struct wv_tool_check *c, const char *member)
{
	char below[64];
	size_t i = 0;

	wv_json_each(word, wv_get(c->entry, member)) {
		snprintf(below, sizeof below, "/%s/%zu", member, i++);
		if (wv_tool_is_place(word->valuestring))
			return wv_tool_fault(c, below,
				"%s: no call's arguments go into this command",
				word->valuestring);
	}
	return 0;
}

static int
check_schema_files(const struct wv_tool_check *c)
{
	static const char *const members[][2] = {
		{ "input_schema", "/input_schema_file" },
		{ "output_schema", "/output_schema_file" },
	};

	for (size_t i = 0; i < 2; i++)
		if (wv_get(c->entry, members[i][0]) != NULL &&
			wv_get(c->entry, members[i][1] + 1) != NULL)
			return wv_tool_fault(c, members[i][1],
				"%s and %s exclude each other", members[i][0],
				members[i][1] + 1);
	return 0;
}

static int
check_entry(const struct wv_tool_check *c)
{
	if (check_id(c) != 0 || check_flags(c) != 0 ||
		check_resources(c) != 0 || check_schema_files(c) != 0 ||
		check_command(c, "activate") != 0 ||
		check_command(c, "deactivate") != 0)
		return -1;
	return check_command(c, "checkpoint");
}

int
wv_tools_check(const struct wv_doc *doc, struct wv_err *err)
{
	struct wv_tool_check c = { .doc = doc, .err = err };
	const cJSON *list = wv_get(doc->root, "tools");
	bool wrapped = false;

	wv_json_each(entry, list) {
		c.entry = entry;
		if (check_entry(&c) != 0)
			return -1;
		wrapped |= wv_get(entry, "wraps") != NULL;
		c.index++;
	}
	return wrapped ? wv_tools_check_wrapped(doc, err) : 0;
}
