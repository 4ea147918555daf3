/* SPDX-License-Identifier: Apache-2.0 */
#include "resolve.h"

#include "contract/contract.h"
#include "schema/uri.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void
resolve_init(struct resolve *resolve)
{
	*resolve = (struct resolve){ 0 };
	resolve->tail = &resolve->first;
}

int
resolve_add(struct resolve *resolve, const char *prefix, const char *folder,
	struct wv_err *err)
{
	char *real = realpath(folder, NULL);
	size_t n = strlen(prefix), at = resolve->count;
	struct stat st;

	if (real == NULL || stat(real, &st) < 0) {
		free(real);
		return wv_err_sys(err, "%s", folder);
	}
	if (!S_ISDIR(st.st_mode)) {
		free(real);
		return wv_err_set(err, "%s: is no folder", folder);
	}
	resolve->rules = wv_xrealloc(
		resolve->rules, (resolve->count + 1) * sizeof *resolve->rules);
	for (; at > 0 && strlen(resolve->rules[at - 1].prefix) < n; at--)
		resolve->rules[at] = resolve->rules[at - 1];
	resolve->rules[at].prefix = wv_xstrdup(prefix);
	resolve->rules[at].folder = real;
	resolve->count++;
	return 0;
}

/* What follows the prefix, or NULL: "https://a.example/x" is not about
 * "https://a.example/xy". */
static const char *
rest_of(const char *uri, const char *prefix)
{
	size_t n = strlen(prefix);

	if (strncmp(uri, prefix, n) != 0)
		return NULL;
	if (n > 0 && prefix[n - 1] != '/' && prefix[n - 1] != ':' &&
		uri[n] != '/' && uri[n] != '\0')
		return NULL;
	return uri + n;
}

static bool
is_beneath(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	if (strcmp(folder, "/") == 0)
		return true;
	return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* The file, with the first of the endings that there is one with; *real is
 * NULL if there is none. */
static int
find_file(const char *folder, const char *rest, char **real, struct wv_err *err)
{
	static const char *const endings[] = { "", ".json", ".yaml", ".yml" };
	struct wv_str path = { 0 };
	struct stat st;
	size_t n;

	*real = NULL;
	wv_str_fmt(&path, "%s/%s", folder, rest);
	n = path.n;
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		path.n = n;
		wv_str_cat(&path, endings[i]);
		*real = realpath(path.s, NULL);
		if (*real != NULL && stat(*real, &st) == 0 &&
			S_ISREG(st.st_mode))
			break;
		free(*real);
		*real = NULL;
	}
	wv_str_free(&path);
	if (*real == NULL || is_beneath(*real, folder))
		return 0;
	free(*real);
	*real = NULL;
	return wv_err_set(err, "leads out of %s", folder);
}

static int
load(struct resolve *resolve, const char *path, const cJSON **root,
	struct wv_err *err)
{
	struct resolved *found = wv_alloc_zero(&resolve->arena, sizeof *found);

	if (wv_doc_load(&found->doc, &resolve->arena,
		    wv_dup(&resolve->arena, path), err) < 0)
		return -1;
	*resolve->tail = found;
	resolve->tail = &found->next;
	*root = found->doc.root;
	return 1;
}

static int
load_beneath(struct resolve *resolve, const char *folder, const char *rest,
	const cJSON **root, struct wv_err *err)
{
	struct wv_str name = { 0 };
	char *real = NULL;
	int got;

	rest += strspn(rest, "/");
	wv_str_cat(&name, "");
	if (!wv_uri_decode(&name, rest))
		got = wv_err_set(err, "names no file beneath %s", folder);
	else
		got = find_file(folder, name.s, &real, err);
	if (real != NULL)
		got = load(resolve, real, root, err);
	free(real);
	wv_str_free(&name);
	return got;
}

int
resolve_load(void *arg, const char *uri, const cJSON **root, struct wv_err *err)
{
	struct resolve *resolve = arg;

	for (size_t i = 0; i < resolve->count; i++) {
		const char *rest = rest_of(uri, resolve->rules[i].prefix);
		if (rest != NULL)
			return load_beneath(resolve, resolve->rules[i].folder,
				rest, root, err);
	}
	*root = wv_contract_document(uri);
	return *root != NULL;
}

void
resolve_free(struct resolve *resolve)
{
	for (size_t i = 0; i < resolve->count; i++) {
		free(resolve->rules[i].prefix);
		free(resolve->rules[i].folder);
	}
	free(resolve->rules);
	wv_arena_free(&resolve->arena);
}
