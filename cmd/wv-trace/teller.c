/* SPDX-License-Identifier: Apache-2.0 */
#include "teller.h"

#include "json/num.h"
#include "story.h"

#include <inttypes.h>

enum { LISTED = 20 /* of a list that is told */ };

void
tell_end(struct teller *t)
{
	if (t->text.n > 0)
		wv_push(t->lines,
			wv_json_stringn(t->arena, t->text.s, t->text.n));
	t->text.n = 0;
}

void
tell(struct teller *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&t->text, fmt, ap);
	va_end(ap);
}

const char *
told(const struct teller *t, const char *pointer)
{
	return story_text(t->event, pointer);
}

const char *
told_or(const struct teller *t, const char *pointer, const char *instead)
{
	const char *text = told(t, pointer);

	return text != NULL ? text : instead;
}

bool
told_int(const cJSON *object, const char *member, int64_t *n)
{
	const cJSON *node = wv_get(object, member);

	return wv_is_number(node) && wv_num_int64(node, n);
}

void
tell_number(struct teller *t, const cJSON *object, const char *member,
	int64_t least, const char *before, const char *after)
{
	int64_t n;

	if (told_int(object, member, &n) && n >= least)
		tell(t, "%s%" PRId64 "%s", before, n, after);
}

void
tell_also(struct teller *t, const char *noun, const char *pointer)
{
	const char *id = told(t, pointer);

	if (id != NULL)
		tell(t, "%s%s %s", t->text.n > 0 ? ", " : "", noun, id);
}

void
tell_list(struct teller *t, const cJSON *list)
{
	size_t n = 0;

	wv_json_each(item, list) {
		if (n++ == LISTED) {
			tell(t, ", and %zu more", wv_count(list) - LISTED);
			return;
		}
		tell(t, n > 1 ? ", " : "");
		if (wv_is_string(item))
			tell(t, "%s", item->valuestring);
		else
			wv_json_write(&t->text, item);
	}
}

const char *
tell_who(const struct teller *t)
{
	return told_or(t, "/principal", "somebody");
}

const char *
tell_what(const struct teller *t)
{
	return told_or(t, "/capability_id", "a capability");
}
