/* SPDX-License-Identifier: Apache-2.0 */
#include "filter-internal.h"

#include "base/glob.h"
#include "schema/regex.h"

#include <string.h>

/* A text as it is written, or as it is meant if that differs. */
static bool
holds_text(const cJSON *node, const char *text)
{
	if (node->string != NULL && strstr(node->string, text) != NULL)
		return true;
	if (wv_is_string(node))
		return strstr(node->valuestring, text) != NULL;
	wv_json_each(item, node)
		if (holds_text(item, text))
			return true;
	return false;
}

/* A line without a tree has no escapes. */
static bool
grep(const struct line *line, const struct condition *c)
{
	if (memmem(line->s, line->n, c->value, c->n) != NULL)
		return true;
	return line->tree != NULL && memchr(line->s, '\\', line->n) != NULL &&
		holds_text(line->tree, c->value);
}

static bool
glob(struct filter *filter, const struct condition *c, const struct span *text)
{
	size_t fixed = strcspn(c->value, "*");

	if (text->n < fixed || memcmp(text->s, c->value, fixed) != 0)
		return false;
	filter->text.n = 0;
	wv_str_add(&filter->text, text->s, text->n);
	return wv_glob_match(c->value, text->n > 0 ? filter->text.s : "", '.');
}

static int
meets(struct filter *filter, const struct condition *c, const struct line *line)
{
	struct found found;

	switch (c->kind) {
	case GREP:
		return grep(line, c);
	case SINCE:
		return wv_time_cmp(line->time, c->time) >= 0;
	case UNTIL:
		return wv_time_cmp(line->time, c->time) < 0;
	default:
		break;
	}
	found = line_at(line, c->place);
	if (c->kind != EXACT && c->kind != GLOB)
		return where_holds(filter, c, &found);
	if (found.kind != FOUND_STRING)
		return false;
	if (c->kind == GLOB)
		return glob(filter, c, &found.text);
	return found.text.n == c->n &&
		memcmp(found.text.s, c->value, c->n) == 0;
}

static int
cannot_tell(struct wv_err *err)
{
	return wv_err_set(
		err, "--where: the pattern takes too long for this value");
}

/* Without alternatives the first that does not hold decides. */
static int
match_all(struct filter *filter, const struct line *line, struct wv_err *err)
{
	for (size_t i = 0; i < filter->count; i++) {
		const struct condition *c = &filter->conditions[i];
		int met = meets(filter, c, line);
		if (met < 0)
			return cannot_tell(err);
		if (met == c->negated)
			return 0;
	}
	return 1;
}

int
filter_match(struct filter *filter, const struct line *line, struct wv_err *err)
{
	if (filter->has_patterns)
		wv_regex_refill();
	if (!filter->has_alternatives)
		return match_all(filter, line, err);
	memset(filter->met, 0, filter->groups);
	for (size_t i = 0; i < filter->count; i++) {
		const struct condition *c = &filter->conditions[i];
		if (!c->negated && filter->met[c->group])
			continue;
		int met = meets(filter, c, line);
		if (met < 0)
			return cannot_tell(err);
		if (c->negated && met)
			return 0;
		if (!c->negated && met)
			filter->met[c->group] = true;
	}
	return memchr(filter->met, 0, filter->groups) == NULL;
}
