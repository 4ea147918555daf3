/* SPDX-License-Identifier: Apache-2.0 */
#include "json/yaml.h"

#include "json/internal.h"
#include "json/yamltext.h"

#include <string.h>
#include <yaml.h>

const struct wv_yaml_limits wv_yaml_defaults = {
	.max_bytes = (size_t)1 << 20,
	.max_depth = 64,
};

/* Every node of ours; json comes first, so that one is the other. */
struct node {
	cJSON json;
	size_t line, column;
	size_t name_line; /* where its name stands, of a member */
};

enum { FEW_NAMES = 24 }; /* members that are compared one by one */

struct level {
	cJSON *container;
	char *name; /* of the member whose value comes next */
	size_t name_line;
	size_t children;
	struct wv_names names; /* all of them, once they are many */
};

struct loader {
	struct wv_arena *arena;
	const struct wv_yaml_limits *limits;
	struct wv_err *err;
	const char *text, *end;

	/* A place that libyaml, which counts characters, gave as index. */
	size_t index;
	const char *at, *line_begin;
	size_t line;

	struct level *level; /* of all that are open, outermost first */
	size_t depth;
	cJSON *root;
};

/* Goes to the character that libyaml calls index; its own lines and columns
 * are not ours: characters, not bytes, and after a CR too. */
static const char *
go_to(struct loader *l, size_t index)
{
	if (index < l->index) {
		l->index = 0;
		l->at = l->line_begin = l->text;
		l->line = 1;
	}
	for (; l->index < index && l->at < l->end; l->index++) {
		if (*l->at++ == '\n') {
			l->line++;
			l->line_begin = l->at;
		}
		while (l->at < l->end && (*l->at & 0xc0) == 0x80)
			l->at++;
	}
	return l->at;
}

static const char *
place(struct loader *l, const yaml_event_t *event)
{
	return go_to(l, event->start_mark.index);
}

static struct level *
innermost(const struct loader *l)
{
	return l->depth > 0 ? &l->level[l->depth - 1] : NULL;
}

/* Whether the next value is a member's name. */
static bool
wants_name(const struct loader *l)
{
	const struct level *level = innermost(l);

	return level != NULL && wv_is_object(level->container) &&
		level->name == NULL;
}

/* A copy of value stands where the event does. */
static cJSON *
add(struct loader *l, const yaml_event_t *event, const cJSON *value)
{
	struct node *node = wv_alloc(l->arena, sizeof *node);
	struct level *level = innermost(l);

	place(l, event);
	*node = (struct node){
		.json = *value,
		.line = l->line,
		.column = (size_t)(l->at - l->line_begin) + 1,
	};
	if (level == NULL) {
		l->root = &node->json;
		return l->root;
	}
	node->json.string = level->name;
	node->name_line = level->name_line;
	level->name = NULL;
	level->children++;
	wv_push(level->container, &node->json);
	return &node->json;
}

static const struct node *
find_member(const struct level *level, const char *name)
{
	wv_json_each(member, level->container) {
		if (strcmp(member->string, name) == 0)
			return (const struct node *)member;
	}
	return NULL;
}

static bool
is_new_name(struct loader *l, struct level *level, const char *name, size_t n)
{
	if (level->children < FEW_NAMES)
		return find_member(level, name) == NULL;
	if (level->children == FEW_NAMES)
		wv_json_each(member, level->container)
			wv_names_add(&level->names, l->arena, member->string,
				strlen(member->string));
	return wv_names_add(&level->names, l->arena, name, n);
}

static int
take_name(struct loader *l, const yaml_event_t *event)
{
	struct level *level = innermost(l);
	const char *at = place(l, event);
	size_t n = event->data.scalar.length;
	char *name =
		wv_dupn(l->arena, (const char *)event->data.scalar.value, n);

	if (!is_new_name(l, level, name, n)) {
		wv_json_fault(l->err, l->text, at,
			"duplicate member name \"%.64s\", first on line %zu",
			name, find_member(level, name)->name_line);
		return -1;
	}
	level->name = name;
	level->name_line = l->line;
	return 0;
}

/* As the reader of JSON does, and within its limits. */
static int
add_number(struct loader *l, const yaml_event_t *event, const char *s, size_t n)
{
	struct wv_err err = WV_ERR_INIT;
	cJSON *number = wv_json_read(
		l->arena, wv_dupn(l->arena, s, n), n, &wv_json_defaults, &err);

	if (number == NULL) {
		wv_json_fault(l->err, l->text, place(l, event), "%s", err.text);
		return -1;
	}
	add(l, event, number);
	return 0;
}

static int
add_plain(struct loader *l, const yaml_event_t *event, const char *s, size_t n)
{
	const char *advice;

	switch (wv_yaml_plain(s, &advice)) {
	case WV_PLAIN_NUMBER:
		return add_number(l, event, s, n);
	case WV_PLAIN_NULL:
		add(l, event, wv_json_null(l->arena));
		return 0;
	case WV_PLAIN_TRUE:
	case WV_PLAIN_FALSE:
		add(l, event, wv_json_bool(l->arena, *s == 't'));
		return 0;
	default:
		add(l, event, wv_json_stringn(l->arena, s, n));
		return 0;
	}
}

static int
refuse(struct loader *l, const yaml_event_t *event, const char *what)
{
	wv_json_fault(l->err, l->text, place(l, event), "%s", what);
	return -1;
}

static int
check_plain(struct loader *l, const yaml_event_t *event, const char *s)
{
	const char *advice;

	if (wants_name(l) && strcmp(s, "<<") == 0)
		return refuse(l, event,
			"merge keys (<<) are not allowed; write the members "
			"out");
	if (wants_name(l) && *s == '\0')
		return refuse(l, event, "a member without a name");
	if (wv_yaml_plain(s, &advice) != WV_PLAIN_AMBIGUOUS)
		return 0;
	wv_json_fault(l->err, l->text, place(l, event),
		"%.64s without quotes is ambiguous; %s", s, advice);
	return -1;
}

static int
check_properties(struct loader *l, const yaml_event_t *event,
	const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor != NULL)
		return refuse(l, event,
			"anchors (&) are not allowed; write the value out "
			"wherever it is needed");
	if (tag != NULL)
		return refuse(l, event,
			"tags (!) are not allowed; quote what is text");
	return 0;
}

static int
take_scalar(struct loader *l, const yaml_event_t *event)
{
	const char *s = (const char *)event->data.scalar.value;
	size_t n = event->data.scalar.length;
	bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

	if (check_properties(l, event, event->data.scalar.anchor,
		    event->data.scalar.tag) < 0)
		return -1;
	if (memchr(s, '\0', n) != NULL)
		return refuse(l, event, "NUL (\\0) is not allowed in text");
	if (plain && check_plain(l, event, s) < 0)
		return -1;
	if (wants_name(l))
		return take_name(l, event);
	if (plain)
		return add_plain(l, event, s, n);
	add(l, event, wv_json_stringn(l->arena, s, n));
	return 0;
}

static int
open_container(struct loader *l, const yaml_event_t *event, cJSON *empty)
{
	if (wants_name(l))
		return refuse(l, event,
			"the name of a member must be text, not a list or a "
			"mapping");
	if (l->depth == l->limits->max_depth) {
		wv_json_fault(l->err, l->text, place(l, event),
			"nesting deeper than %zu", l->limits->max_depth);
		return -1;
	}
	cJSON *container = add(l, event, empty);
	l->level[l->depth++] = (struct level){ .container = container };
	return 0;
}

static int
start_document(struct loader *l, const yaml_event_t *event)
{
	if (l->root != NULL)
		return refuse(l, event,
			"a second document is not allowed; one file holds one");
	if (event->data.document_start.version_directive != NULL ||
		event->data.document_start.tag_directives.start !=
			event->data.document_start.tag_directives.end)
		return refuse(l, event,
			"directives (%) are not allowed; leave them out");
	return 0;
}

static int
take_event(struct loader *l, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return start_document(l, event);
	case YAML_ALIAS_EVENT:
		return refuse(l, event,
			"aliases (*) are not allowed; write the value out");
	case YAML_SCALAR_EVENT:
		return take_scalar(l, event);
	case YAML_SEQUENCE_START_EVENT:
		if (check_properties(l, event,
			    event->data.sequence_start.anchor,
			    event->data.sequence_start.tag) < 0)
			return -1;
		return open_container(l, event, wv_json_array(l->arena));
	case YAML_MAPPING_START_EVENT:
		if (check_properties(l, event, event->data.mapping_start.anchor,
			    event->data.mapping_start.tag) < 0)
			return -1;
		return open_container(l, event, wv_json_object(l->arena));
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		l->depth--;
		return 0;
	default:
		return 0;
	}
}

static int
syntax_error(struct loader *l, const yaml_parser_t *parser)
{
	if (parser->error == YAML_MEMORY_ERROR)
		return wv_err_set(l->err, "out of memory");
	if (parser->error == YAML_READER_ERROR) {
		wv_json_fault(l->err, l->text, l->text + parser->problem_offset,
			"control character U+%04X is not allowed",
			(unsigned)parser->problem_value);
		return -1;
	}
	go_to(l, parser->context_mark.index);
	size_t from = l->line;
	const char *at = go_to(l, parser->problem_mark.index);
	const char *advice =
		wv_yaml_advice(parser->problem, at < l->end ? *at : '\0');
	if (advice != NULL)
		wv_json_fault(l->err, l->text, at, "%s", advice);
	else if (parser->context != NULL)
		wv_json_fault(l->err, l->text, at, "%s %s (from line %zu)",
			parser->problem, parser->context, from);
	else
		wv_json_fault(l->err, l->text, at, "%s", parser->problem);
	return -1;
}

static int
read_stream(struct loader *l, yaml_parser_t *parser)
{
	yaml_event_type_t type;
	yaml_event_t event;
	int taken;

	do {
		if (!yaml_parser_parse(parser, &event))
			return syntax_error(l, parser);
		type = event.type;
		taken = take_event(l, &event);
		yaml_event_delete(&event);
	} while (taken == 0 && type != YAML_STREAM_END_EVENT);
	return taken;
}

cJSON *
wv_yaml_read(struct wv_arena *arena, const char *text, size_t len,
	const struct wv_yaml_limits *limits, struct wv_err *err)
{
	yaml_parser_t parser;
	int result;
	struct loader l = {
		.arena = arena,
		.limits = limits,
		.err = err,
		.text = text,
		.end = text + len,
		.at = text,
		.line_begin = text,
		.line = 1,
	};

	if (len > limits->max_bytes) {
		wv_err_set(err, "YAML longer than %zu bytes (--max-yaml)",
			limits->max_bytes);
		return NULL;
	}
	if (wv_yaml_check(text, len, err) < 0)
		return NULL;
	l.level = wv_alloc(arena, limits->max_depth * sizeof *l.level);
	if (!yaml_parser_initialize(&parser)) {
		wv_err_set(err, "out of memory");
		return NULL;
	}
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	result = read_stream(&l, &parser);
	yaml_parser_delete(&parser);
	if (result < 0)
		return NULL;
	if (l.root == NULL)
		wv_json_fault(
			err, text, text, "empty; there is no value in it");
	return l.root;
}

void
wv_yaml_position(const cJSON *node, size_t *line, size_t *column)
{
	const struct node *ours = (const struct node *)node;

	*line = ours->line;
	*column = ours->column;
}
