/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance.h"

#include "base/msg.h"
#include "json/doc.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SHOWN = 100 }; /* bytes of a foreign word in a message */

struct reader {
	struct wv_arena *arena;
	struct wv_doc doc;
};

/* The corpus is wrong, not a payload. */
__attribute__((format(printf, 3, 4))) static _Noreturn void
refuse(const struct reader *reader, const char *pointer, const char *fmt, ...)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_doc_err(&reader->doc, &err, pointer, "%s", text.s);
	wv_die_err(&err);
}

static const char *
text_of(const struct reader *reader, const struct entry *entry,
	const cJSON *node, const char *name)
{
	const char *text = wv_get_string(node, name);

	if (text == NULL)
		refuse(reader,
			wv_printf(reader->arena, "%s/%s", entry->pointer, name),
			"an entry needs %s, a string", name);
	return text;
}

static enum wv_contract
type_of(const struct reader *reader, const struct entry *entry,
	const cJSON *node)
{
	const char *name = text_of(reader, entry, node, "schema");
	const char *pointer =
		wv_printf(reader->arena, "%s/schema", entry->pointer);
	const char *near = wv_nearest(name, wv_contract_names());
	int type = wv_contract_find(name);

	if (type < 0 && near != NULL)
		refuse(reader, pointer,
			"there is no schema \"%.*s\", did you mean \"%s\"?",
			MAX_SHOWN, name, near);
	if (type < 0)
		refuse(reader, pointer, "there is no schema \"%.*s\"",
			MAX_SHOWN, name);
	return (enum wv_contract)type;
}

/*
 * Payloads stand beside the corpus or, as in weaver-spec, where paths are
 * written from the root of the repository, beside its folder.
 */
static const char *
find_payload(const struct reader *reader, const struct entry *entry)
{
	const char *source = reader->doc.source;
	const char *slash = strrchr(source, '/');
	int folder = slash ? (int)(slash + 1 - source) : 0;
	const char *beside, *above;

	if (entry->payload[0] == '/')
		return entry->payload;
	beside = wv_printf(
		reader->arena, "%.*s%s", folder, source, entry->payload);
	if (access(beside, F_OK) == 0)
		return beside;
	above = wv_printf(
		reader->arena, "%.*s../%s", folder, source, entry->payload);
	if (access(above, F_OK) != 0)
		refuse(reader,
			wv_printf(reader->arena, "%s/payload", entry->pointer),
			"there is no %.*s beside this file, nor beside its "
			"folder",
			MAX_SHOWN, entry->payload);
	return above;
}

static const cJSON *
load_payload(const struct reader *reader, const struct entry *entry)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc doc;

	if (wv_doc_load(&doc, reader->arena, find_payload(reader, entry),
		    &err) != 0)
		wv_die_err(&err);
	return doc.root;
}

/* An invariant that is not known would never be looked at. */
static void
check_invariant(const struct reader *reader, const struct entry *entry)
{
	static const char *const known[] = { "I-01", "I-02", "I-04", "I-06" };

	if (strcmp(entry->by, "invariant") != 0)
		return;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strcmp(entry->violates, known[i]) == 0)
			return;
	}
	refuse(reader, wv_printf(reader->arena, "%s/violates", entry->pointer),
		"\"%.*s\" is none of I-01, I-02, I-04, I-06", MAX_SHOWN,
		entry->violates);
}

static void
read_entry(const struct reader *reader, struct entry *entry, const cJSON *node,
	bool negative)
{
	entry->payload = text_of(reader, entry, node, "payload");
	entry->type = type_of(reader, entry, node);
	if (negative) {
		entry->by = text_of(reader, entry, node, "by");
		entry->violates = text_of(reader, entry, node, "violates");
		check_invariant(reader, entry);
	}
	entry->value = load_payload(reader, entry);
}

/* There may be no such list. */
static void
read_list(const struct reader *reader, struct entries *entries,
	const char *name, bool negative)
{
	const cJSON *nodes = wv_get(reader->doc.root, name);
	struct entry *entry;

	if (nodes != NULL && !wv_is_array(nodes))
		refuse(reader, wv_printf(reader->arena, "/%s", name),
			"%s must be a list", name);
	entries->count = 0;
	entries->entry = entry = wv_alloc_zero(
		reader->arena, (wv_count(nodes) + 1) * sizeof *entry);
	wv_json_each(node, nodes) {
		entry->pointer = wv_printf(
			reader->arena, "/%s/%zu", name, entries->count++);
		read_entry(reader, entry++, node, negative);
	}
}

void
entries_read(struct entries *positive, struct entries *negative,
	struct wv_arena *arena, const char *path)
{
	struct reader reader = { .arena = arena };
	struct wv_err err = WV_ERR_INIT;

	if (wv_doc_load(&reader.doc, arena, path, &err) != 0)
		wv_die_err(&err);
	read_list(&reader, positive, "positive", false);
	read_list(&reader, negative, "negative", true);
	if (positive->count + negative->count == 0)
		refuse(&reader, "",
			"a corpus has lists positive and negative: there is "
			"no entry");
}
