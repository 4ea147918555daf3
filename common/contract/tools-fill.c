/* SPDX-License-Identifier: Apache-2.0 */
/* What entries of a tools file take from other files, and their schemas. */
#include "contract/catalog-internal.h"

#include "base/file.h"
#include "contract/skill.h"
#include "schema/schema.h"

#include <stdio.h>
#include <string.h>

enum { SCHEMA_FILE_MAX = 1 << 20 };

struct filler {
	const struct wv_doc *doc;
	struct wv_arena *arena;
	struct wv_err *err;
	struct wv_schema_set *set; /* NULL until there is a schema */
	cJSON *entry;
	size_t index;
};

static int
fault(struct filler *f, const char *member, const char *below, const char *text)
{
	struct wv_str pointer = { 0 };

	wv_str_fmt(&pointer, "/tools/%zu/%s%s", f->index, member, below);
	wv_doc_err(f->doc, f->err, pointer.s, "%s: %s", member, text);
	wv_str_free(&pointer);
	return -1;
}

/* What is wrong with a file that the member names. */
static int
file_fault(struct filler *f, const char *member, const struct wv_err *inner)
{
	char *text;

	if (inner->line > 0)
		text = wv_printf(f->arena, "%s:%zu:%zu: %s", inner->source,
			inner->line, inner->column, inner->text);
	else
		text = wv_printf(
			f->arena, "%s: %s", inner->source, inner->text);
	return fault(f, member, "", text);
}

/* Where a schema is: in the tools file, or in a file of its own. */
struct place {
	const char *member;
	const struct wv_doc *file; /* NULL: in the tools file */
};

static int
meta_check(struct filler *f, const cJSON *schema, const struct place *place)
{
	struct wv_schema_error *errors;
	struct wv_err inner = WV_ERR_INIT;
	const char *text;

	if (f->set == NULL)
		f->set = wv_schema_set_new(NULL);
	if (wv_schema_meta_errors(f->set, schema, f->arena, 1, &errors) == 1)
		return 0;
	text = errors->message;
	if (errors->instance[0] != '\0')
		text = wv_printf(f->arena, "%s: %s", errors->instance, text);
	if (place->file == NULL)
		return fault(f, place->member, errors->instance, text);
	wv_doc_err(place->file, &inner, errors->instance, "%s", text);
	return file_fault(f, place->member, &inner);
}

/* file_member names a file with what is then the value of member. */
static int
fill_schema(struct filler *f, const char *member, const char *file_member)
{
	const char *path = wv_get_string(f->entry, file_member);
	const cJSON *schema = wv_get(f->entry, member);
	struct wv_err inner = WV_ERR_INIT;
	struct place place = { .member = member };
	struct wv_doc doc;
	char *text;
	size_t len;

	if (path == NULL)
		return schema != NULL ? meta_check(f, schema, &place) : 0;
	path = wv_tools_beside(f->arena, f->doc->source, path);
	text = wv_file_read(f->arena, path, SCHEMA_FILE_MAX, &len, &inner);
	if (text == NULL ||
		wv_doc_parse(&doc, f->arena, path, text, len, &inner) != 0)
		return file_fault(f, file_member, &inner);
	place = (struct place){ file_member, &doc };
	if (meta_check(f, doc.root, &place) != 0)
		return -1;
	wv_put(f->arena, f->entry, member, doc.root);
	return 0;
}

/* Of a folder that cannot be read there is nothing to tell yet: the tool's
 * activation says what is wrong with it. */
static void
fill_skill(struct filler *f)
{
	const char *dir = wv_get_string(f->entry, "dir");
	struct wv_skill skill;

	if (wv_skill_load(&skill, f->arena,
		    wv_tools_beside(f->arena, f->doc->source, dir), NULL) != 0)
		return;
	if (wv_get(f->entry, "name") == NULL)
		wv_put_string(f->arena, f->entry, "name", skill.name);
	if (wv_get(f->entry, "description") == NULL)
		wv_put_string(
			f->arena, f->entry, "description", skill.description);
}

int
wv_tools_fill(
	const struct wv_doc *doc, struct wv_arena *arena, struct wv_err *err)
{
	struct filler f = { .doc = doc, .arena = arena, .err = err };
	int result = 0;

	wv_json_each(entry, wv_get(doc->root, "tools")) {
		f.entry = entry;
		if (strcmp(wv_get_string(entry, "source"), "skill") == 0)
			fill_skill(&f);
		if (fill_schema(&f, "input_schema", "input_schema_file") != 0 ||
			fill_schema(&f, "output_schema",
				"output_schema_file") != 0) {
			result = -1;
			break;
		}
		f.index++;
	}
	if (f.set != NULL)
		wv_schema_set_free(f.set);
	return result;
}
