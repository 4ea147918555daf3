/* SPDX-License-Identifier: Apache-2.0 */
#include "schemas.h"

#include "base/msg.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* As many faults of a schema as of a record. */
enum { MAX_FAULTS = 100, MAX_POINTER = 200 };

void
schemas_init(struct schemas *schemas, const struct wv_schema_options *options)
{
	resolve_init(&schemas->resolve);
	schemas->set = wv_schema_set_new(options);
	wv_schema_set_loader(schemas->set, resolve_load, &schemas->resolve);
}

int
schemas_map(struct schemas *schemas, const char *spec, struct wv_err *err)
{
	const char *equals = strrchr(spec, '=');
	struct wv_str prefix = { 0 };
	int status;

	if (equals == NULL || equals == spec || equals[1] == '\0')
		return wv_err_set(err, "'%s' is not PREFIX=DIR", spec);
	wv_str_add(&prefix, spec, (size_t)(equals - spec));
	status = resolve_add(&schemas->resolve, prefix.s, equals + 1, err);
	wv_str_free(&prefix);
	return status;
}

/* "file://" and a path, escaped as RFC 3986 wants it. */
static void
file_uri(struct wv_str *uri, const char *path)
{
	wv_str_cat(uri, "file://");
	for (; *path != '\0'; path++) {
		unsigned char c = (unsigned char)*path;
		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || strchr("-._~/", c) != NULL)
			wv_str_chr(uri, *path);
		else
			wv_str_fmt(uri, "%%%02X", c);
	}
}

/* A pipe has none. */
static bool
has_place(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Makes the file known under its own URI, and its folder for what it refers
 * to. */
static int
add_file(struct schemas *schemas, const struct wv_doc *doc, struct wv_err *err)
{
	struct wv_str uri = { 0 }, folder = { 0 };
	char *real = NULL;
	int status = 0;

	if (has_place(doc->source))
		real = realpath(doc->source, NULL);
	if (real == NULL)
		return 0;
	file_uri(&uri, real);
	strrchr(real, '/')[1] = '\0';
	file_uri(&folder, real);
	status = resolve_add(&schemas->resolve, folder.s, real, err);
	if (status == 0)
		status = wv_schema_set_add(schemas->set, doc->root, uri.s, err);
	wv_str_free(&uri);
	wv_str_free(&folder);
	free(real);
	return status;
}

static size_t
tell(const struct wv_doc *doc, const struct wv_schema_error *errors)
{
	size_t count = 0;

	for (; errors != NULL; errors = errors->next) {
		struct wv_err err = WV_ERR_INIT;
		struct wv_str where = { 0 };
		if (errors->instance[0] != '\0') {
			wv_str_foreign(&where, errors->instance,
				strlen(errors->instance), MAX_POINTER);
			wv_str_cat(&where, ": ");
		}
		wv_doc_err(doc, &err, errors->instance, "%s%s%s",
			errors->warning ? "warning: " : "",
			where.s != NULL ? where.s : "", errors->message);
		wv_warn_err(&err);
		wv_str_free(&where);
		count++;
	}
	return count;
}

/* By its meta-schema; returns how many faults it told. */
static size_t
check(struct schemas *schemas, const struct wv_doc *doc)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_schema_error *errors = NULL;
	size_t told = 0;

	if (wv_schema_meta_errors(
		    schemas->set, doc->root, &arena, MAX_FAULTS, &errors) != 1)
		told = tell(doc, errors);
	wv_arena_free(&arena);
	return told;
}

static size_t
lint(struct schemas *schemas, const struct wv_doc *doc)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_schema_error *warnings = NULL;
	size_t told;

	wv_schema_lint(schemas->set, doc->root, &arena, &warnings);
	told = tell(doc, warnings);
	wv_arena_free(&arena);
	return told;
}

static void
tell_compile(const struct schemas *schemas, const struct wv_doc *doc,
	const struct wv_err *err)
{
	struct wv_err told = WV_ERR_INIT;
	struct wv_str pointer = { 0 };
	const cJSON *root = wv_schema_bad_place(schemas->set, &pointer);

	if (err->source != NULL) {
		wv_warn_err(err);
	} else {
		/* The text names a place in any other document itself. */
		wv_doc_err(doc, &told, root == doc->root ? pointer.s : "", "%s",
			err->text);
		wv_warn_err(&told);
	}
	wv_str_free(&pointer);
}

/* What was resolved is judged after what referred to it has been compiled;
 * a fault of it explains better why that could not be. */
static const struct wv_schema *
compile(struct schemas *schemas, const struct wv_doc *doc, size_t *told)
{
	struct resolved *known = NULL;
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema;

	for (struct resolved *r = schemas->resolve.first; r; r = r->next)
		known = r;
	schema = wv_schema_compile(schemas->set, doc->root, &err);
	known = known != NULL ? known->next : schemas->resolve.first;
	for (; known != NULL; known = known->next)
		*told += check(schemas, &known->doc);
	if (schema == NULL && *told == 0) {
		tell_compile(schemas, doc, &err);
		(*told)++;
	}
	return *told == 0 ? schema : NULL;
}

static int
read_file(struct schemas *schemas, struct wv_doc *doc, const char *path)
{
	struct wv_err err = WV_ERR_INIT;

	if (wv_doc_load(doc, &schemas->resolve.arena, path, &err) == 0 &&
		add_file(schemas, doc, &err) == 0)
		return 0;
	wv_warn_err(&err);
	return -1;
}

const struct wv_schema *
schemas_load(struct schemas *schemas, const char *path, const cJSON **root)
{
	struct wv_doc doc;
	size_t told;

	if (read_file(schemas, &doc, path) < 0)
		return NULL;
	*root = doc.root;
	told = check(schemas, &doc);
	return told == 0 ? compile(schemas, &doc, &told) : NULL;
}

int
schemas_lint(struct schemas *schemas, const char *path)
{
	struct wv_doc doc;
	size_t told;

	if (read_file(schemas, &doc, path) < 0)
		return WV_TROUBLE;
	told = check(schemas, &doc);
	if (told == 0)
		compile(schemas, &doc, &told);
	told += lint(schemas, &doc);
	for (struct resolved *r = schemas->resolve.first; r; r = r->next)
		told += lint(schemas, &r->doc);
	return told == 0 ? WV_YES : WV_NO;
}

void
schemas_free(struct schemas *schemas)
{
	wv_schema_set_free(schemas->set);
	resolve_free(&schemas->resolve);
}
