/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs folders of the JSON-Schema-Test-Suite:
 *	suite [--assert-format] --remotes DIR TESTS/DRAFT…
 * Each failure is a line on stdout; then "N passed, N failed" of each folder.
 * The draft is that of the folder's path.  Status 1 if anything failed, or if
 * there was nothing to run.
 */
#include "base/msg.h"
#include "base/str.h"
#include "schema/schema.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REMOTE "http://localhost:1234/"

struct suite {
	const char *remotes;
	struct wv_schema_options options;
	struct wv_arena arena; /* of a file */
	size_t passed, failed;
};

/* The remotes are what the suite says is served under REMOTE. */
static int
load(void *arg, const char *uri, const cJSON **root, struct wv_err *err)
{
	struct suite *suite = arg;
	struct wv_doc doc;
	char *path;

	if (strncmp(uri, REMOTE, strlen(REMOTE)) != 0)
		return 0;
	path = wv_printf(
		&suite->arena, "%s/%s", suite->remotes, uri + strlen(REMOTE));
	if (access(path, R_OK) != 0)
		return 0;
	if (wv_doc_load(&doc, &suite->arena, path, err) != 0)
		return -1;
	*root = doc.root;
	return 1;
}

static void
judge(struct suite *suite, const char *file, const char *group,
	const struct wv_schema *schema, const cJSON *test)
{
	const cJSON *instance = wv_get(test, "data");
	bool want = wv_is_true(wv_get(test, "valid"));
	struct wv_schema_error *errors;
	int told = wv_schema_errors(schema, instance, WV_BRANCH_NEAREST,
		&suite->arena, 10, &errors);

	if (wv_schema_valid(schema, instance) == want && told == want) {
		suite->passed++;
		return;
	}
	suite->failed++;
	printf("%s: %s: %s: want %d, got %d%s%s\n", file, group,
		wv_get_string(test, "description"), want, told,
		errors ? ": " : "", errors ? errors->message : "");
}

static void
run_group(struct suite *suite, const char *file, const cJSON *group)
{
	struct wv_schema_set *set = wv_schema_set_new(&suite->options);
	const char *name = wv_get_string(group, "description");
	const cJSON *root = wv_get(group, "schema");
	const cJSON *tests = wv_get(group, "tests");
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema;
	struct wv_schema_error *errors;

	wv_schema_set_loader(set, load, suite);
	if (wv_schema_meta_errors(set, root, &suite->arena, 1, &errors) != 1) {
		printf("%s: %s: meta-schema: %s: %s\n", file, name,
			errors->instance, errors->message);
		suite->failed++;
	}
	schema = wv_schema_compile(set, root, &err);
	if (schema == NULL) {
		printf("%s: %s: %s\n", file, name, err.text);
		suite->failed += wv_count(tests);
	} else {
		wv_json_each(test, tests)
			judge(suite, file, name, schema, test);
	}
	wv_schema_set_free(set);
}

static void
run_file(struct suite *suite, const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc doc;

	if (wv_doc_load(&doc, &suite->arena, path, &err) != 0)
		wv_die_err(&err);
	wv_json_each(group, doc.root)
		run_group(suite, path, group);
	wv_arena_reset(&suite->arena);
}

static enum wv_draft
draft_of(const char *folder)
{
	const char *const *names = wv_draft_names();

	for (int i = 0; names[i] != NULL; i++) {
		const char *found = strstr(folder, names[i]);
		char after = found ? found[strlen(names[i])] : 'x';
		if (after == '\0' || after == '/')
			return (enum wv_draft)i;
	}
	wv_die("%s: no draft in this path", folder);
}

static int
is_test(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 5 && strcmp(entry->d_name + n - 5, ".json") == 0;
}

static void
run_folder(struct suite *suite, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_test, alphasort);

	if (count < 0)
		wv_die("%s: cannot be read", folder);
	suite->options.draft = draft_of(folder);
	suite->passed = suite->failed = 0;
	for (int i = 0; i < count; i++) {
		struct wv_str path = { 0 };
		wv_str_fmt(&path, "%s/%s", folder, entries[i]->d_name);
		run_file(suite, path.s);
		wv_str_free(&path);
		free(entries[i]);
	}
	free(entries);
	printf("%s: %zu passed, %zu failed\n", folder, suite->passed,
		suite->failed);
}

int
main(int argc, char **argv)
{
	struct suite suite = { .options = WV_SCHEMA_OPTIONS_INIT };
	bool good = true;
	int i = 1;

	wv_msg_tool("suite");
	if (i < argc && strcmp(argv[i], "--assert-format") == 0) {
		suite.options.assert_format = true;
		i++;
	}
	if (argc < i + 3 || strcmp(argv[i], "--remotes") != 0)
		wv_die("usage: suite [--assert-format] --remotes DIR FOLDER…");
	suite.remotes = argv[i + 1];
	for (i += 2; i < argc; i++) {
		run_folder(&suite, argv[i]);
		good = good && suite.failed == 0 && suite.passed > 0;
	}
	wv_arena_free(&suite.arena);
	return good ? 0 : 1;
}
