/* SPDX-License-Identifier: Apache-2.0 */
/* Capability records, read and written. */
#include "contract/catalog-internal.h"

#include <string.h>

/* The members of a Capability that must be there; *bad counts the others. */
static int
check_required(struct wv_loader *l, const struct wv_capability *c, int *bad)
{
	static const char *const required[] = { "id", "name", "version",
		"description" };
	const char *id = wv_get_string(c->node, "id");

	for (size_t i = 0; i < 4; i++) {
		const cJSON *value = wv_get(c->node, required[i]);
		const char *what;
		char pointer[16] = "/";
		if (value == NULL)
			what = "has no";
		else if (!wv_is_string(value) || value->valuestring[0] == '\0')
			what = "needs a text that is not empty as its";
		else
			continue;
		++*bad;
		if (wv_catalog_fault(l, c, strcat(pointer, required[i]),
			    "capability%s%s%s %s %s", id ? " \"" : "",
			    id ? id : "", id ? "\"" : "", what,
			    required[i]) != 0)
			return -1;
	}
	return 0;
}

static bool
is_strings(const cJSON *array)
{
	if (!wv_is_array(array))
		return false;
	wv_json_each(item, array)
		if (!wv_is_string(item))
			return false;
	return true;
}

static bool
is_word(const char *word, const char *const *words)
{
	while (*words != NULL && strcmp(word, *words) != 0)
		words++;
	return *words != NULL;
}

/* Members that hold a list of texts, if they are there. */
static const struct {
	const char *name, *pointer;
} lists[] = {
	{ "tags", "/tags" },
	{ "x_wv_examples", "/metadata/x_wv_examples" },
	{ "x_wv_depends_on", "/metadata/x_wv_depends_on" },
};

/* Members that are one of some words: ["critical"] must not pass for
 * nothing. */
static const struct {
	const char *name, *pointer, *words[5], *text;
} choices[] = {
	{ "x_wv_safety", "/metadata/x_wv_safety",
		{ "read", "write", "destructive" },
		"read, write, destructive" },
	{ "risk_level", "/metadata/risk_assessment/risk_level",
		{ "low", "medium", "high", "critical" },
		"low, medium, high, critical" },
};

/* 1: they are as they should be. */
static int
check_optional(struct wv_loader *l, const struct wv_capability *c)
{
	static const char *const objects[] = { "/metadata",
		"/metadata/risk_assessment" };

	for (size_t i = 0; i < 2; i++) {
		const cJSON *object = wv_pointer(c->node, objects[i]);
		if (object != NULL && !wv_is_object(object))
			return wv_catalog_fault(l, c, objects[i],
				"capability \"%s\": %s is no object", c->id,
				strrchr(objects[i], '/') + 1);
	}
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const cJSON *list = wv_pointer(c->node, lists[i].pointer);
		if (list != NULL && !is_strings(list))
			return wv_catalog_fault(l, c, lists[i].pointer,
				"capability \"%s\": %s is no list of texts",
				c->id, lists[i].name);
	}
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		const cJSON *word = wv_pointer(c->node, choices[i].pointer);
		if (word != NULL && !wv_is_null(word) &&
			!(wv_is_string(word) &&
				is_word(word->valuestring, choices[i].words)))
			return wv_catalog_fault(l, c, choices[i].pointer,
				"capability \"%s\": %s is none of %s", c->id,
				choices[i].name, choices[i].text);
	}
	return 1;
}

static void
read_members(struct wv_capability *c)
{
	const cJSON *node = c->node, *metadata = wv_get(node, "metadata");

	c->id = wv_get_string(node, "id");
	c->name = wv_get_string(node, "name");
	c->version = wv_get_string(node, "version");
	c->description = wv_get_string(node, "description");
	c->safety = wv_get_string(metadata, "x_wv_safety");
	c->risk = wv_get_string(
		wv_get(metadata, "risk_assessment"), "risk_level");
	c->tags = wv_get(node, "tags");
	c->input_schema = wv_get(metadata, "x_wv_input_schema");
	c->output_schema = wv_get(metadata, "x_wv_output_schema");
	c->examples = wv_get(metadata, "x_wv_examples");
	c->depends_on = wv_get(metadata, "x_wv_depends_on");
	c->fingerprint = wv_get_string(metadata, "x_wv_fingerprint");
}

int
wv_catalog_add_capability(struct wv_loader *l, struct wv_capability *c)
{
	int bad = 0, good;

	if (!wv_is_object(c->node))
		return wv_catalog_fault(l, c, "", "a capability is an object");
	if (check_required(l, c, &bad) != 0)
		return -1;
	if (bad > 0)
		return 0;
	read_members(c);
	good = check_optional(l, c);
	return good == 1 ? wv_catalog_add(l, c) : good;
}

/* Puts a copy of a member, if there is one. */
static void
put_copy(struct wv_arena *arena, cJSON *object, const char *name,
	const cJSON *value)
{
	if (value != NULL)
		wv_put(arena, object, name, wv_json_copy(arena, value));
}

static void
put_text(struct wv_arena *arena, cJSON *object, const char *name, const char *s)
{
	if (s != NULL)
		wv_put_string(arena, object, name, s);
}

cJSON *
wv_capability_record(struct wv_arena *arena, const struct wv_capability *c)
{
	cJSON *record = wv_json_object(arena);
	cJSON *metadata = wv_json_object(arena);

	wv_put_string(arena, record, "id", c->id);
	wv_put_string(arena, record, "name", c->name);
	wv_put_string(arena, record, "version", c->version);
	wv_put_string(arena, record, "description", c->description);
	put_copy(arena, record, "tags", c->tags);
	put_copy(arena, metadata, "x_wv_examples", c->examples);
	put_copy(arena, metadata, "x_wv_depends_on", c->depends_on);
	put_copy(arena, metadata, "x_wv_input_schema", c->input_schema);
	put_copy(arena, metadata, "x_wv_output_schema", c->output_schema);
	put_text(arena, metadata, "x_wv_safety", c->safety);
	if (c->risk != NULL)
		wv_put_string(arena,
			wv_put_object(arena, metadata, "risk_assessment"),
			"risk_level", c->risk);
	put_text(arena, metadata, "x_wv_fingerprint", c->fingerprint);
	wv_put(arena, record, "metadata", metadata);
	return record;
}
