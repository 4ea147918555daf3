/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a folder of the test's own, as catalogues. */
#ifndef WV_UNIT_CATALOG_H
#define WV_UNIT_CATALOG_H

#include "tap.h"

#include "contract/catalog.h"

#include <stdlib.h>
#include <unistd.h>

static struct wv_arena arena = WV_ARENA_INIT;
static char folder[256];

/* A file of the folder, its path in the arena. */
static inline char *
put(const char *name, const char *text)
{
	char *path = wv_printf(&arena, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		exit(2);
	return path;
}

/* That the file is refused there with an error that has these words. */
static inline void
fails_after(const char *prefix, const char *name, const char *text, size_t line,
	size_t column, const char *words)
{
	struct wv_catalog catalog = { .prefix = prefix };
	struct wv_err err = WV_ERR_INIT;
	const char *path = put(name, text);

	ok(wv_catalog_load(&catalog, &arena, path, &err) == -1 &&
			err.line == line && err.column == column &&
			strstr(err.text, words) != NULL &&
			(line == 0 || strcmp(err.source, path) == 0),
		"%s:%zu:%zu: %s", name, line, column, words);
	printf("# %zu:%zu: %s\n", err.line, err.column, err.text);
	wv_catalog_free(&catalog);
}

static inline void
begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/catalog.XXXXXX",
		tmp != NULL && *tmp != '\0' ? tmp : "/tmp");
	if (mkdtemp(folder) == NULL)
		exit(2);
}

/* What main returns. */
static inline int
end(void)
{
	if (system(wv_printf(&arena, "rm -r '%s'", folder)) != 0)
		return 2;
	wv_arena_free(&arena);
	return done();
}

#endif
