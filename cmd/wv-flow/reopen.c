/* SPDX-License-Identifier: Apache-2.0 */
/* What a leg takes again of what earlier ones have done. */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

/* path is that of the step, of one of its items, or within it. */
static bool
is_of(const char *path, const char *step)
{
	size_t n = strlen(step);

	return strncmp(path, step, n) == 0 &&
		(path[n] == '\0' || path[n] == '[' || path[n] == '/');
}

static void
forget(struct journal_entry *entry)
{
	*entry = (struct journal_entry){ .path = entry->path };
}

void
journal_reopen(struct journal *journal, const char *path)
{
	for (size_t i = 0; i < journal->count; i++)
		if (is_of(path, journal->entries[i].path))
			journal->entries[i].done = NULL;
}

void
journal_rerun(struct journal *journal, const char *path)
{
	journal_reopen(journal, path);
	for (size_t i = 0; i < journal->count; i++)
		if (is_of(journal->entries[i].path, path))
			forget(&journal->entries[i]);
}

/* The step that an item is of is done, and may have failed. */
static bool
is_tolerated(const struct journal *journal, const char *path)
{
	const char *bracket = strrchr(path, '[');
	const struct journal_entry *entry;
	char *step;

	if (bracket == NULL)
		return false;
	step = wv_xstrdup(path);
	step[bracket - path] = '\0';
	entry = journal_find(journal, step);
	free(step);
	return entry != NULL && entry->done != NULL &&
		strcmp(wv_get_string(entry->done, "end"), "tolerated") == 0;
}

static bool
has_failed(const struct journal *journal, const struct journal_entry *entry)
{
	if (wv_get(entry->done, "error") == NULL)
		return false;
	if (wv_get(entry->done, "item") != NULL)
		return !is_tolerated(journal, entry->path);
	return strcmp(wv_get_string(entry->done, "end"), "failed") == 0;
}

void
journal_retry_failed(struct journal *journal)
{
	bool *failed = wv_xcalloc(journal->count + 1, sizeof(*failed));

	/* all are judged before any is forgotten */
	for (size_t i = 0; i < journal->count; i++)
		failed[i] = has_failed(journal, &journal->entries[i]);
	for (size_t i = 0; i < journal->count; i++)
		if (failed[i])
			forget(&journal->entries[i]);
	free(failed);
}
