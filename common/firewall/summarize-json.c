/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: an object by its members, an array of objects as a table. */
#include "firewall/summarize.h"

enum {
	KEYS = 10,          /* told of a nested object */
	TABLE_ROWS = 3,     /* that a nested array is described from */
	TABLE_DEPTH = 3,    /* where it is looked for */
	MEMBERS_ROOM = 260, /* characters for members if there is one */
	MAP = 20,           /* members, above which equal ones are rows */
};

static const char *
type_name(const cJSON *node)
{
	if (wv_is_object(node))
		return "object";
	if (wv_is_array(node))
		return "array";
	if (wv_is_string(node))
		return "string";
	if (wv_is_number(node))
		return "number";
	return wv_is_null(node) ? "null" : "boolean";
}

/* The type that all have; NULL if they differ. */
static const char *
common_type(const cJSON *parent)
{
	const char *type = NULL;

	wv_json_each(item, parent) {
		const char *is = type_name(item);
		WV_STEP(1);
		if (type != NULL && is != type)
			return NULL;
		type = is;
	}
	return type;
}

static void
add_keys(struct wv_str *out, const cJSON *object, size_t most)
{
	size_t told = 0;

	wv_json_each(member, object) {
		wv_str_cat(out, told == 0 ? " (" : ", ");
		if (told++ == most) {
			wv_str_cat(out, "…");
			break;
		}
		wv_add_inline(out, member->string, strlen(member->string),
			WV_VALUE_MAX);
	}
	if (told > 0)
		wv_str_chr(out, ')');
}

/* "array of 3 numbers 1 to 9", "array of 4 items: 1 true, 3 null" */
static void
add_array(struct wv_str *out, struct wv_arena *arena, const cJSON *array)
{
	const char *type = common_type(array);
	struct wv_column items = { 0 };
	size_t n = wv_count(array);

	wv_str_cat(out, "array of ");
	wv_add_count(out, n, type ? type : "item");
	if (n == 0)
		return;
	if (wv_is_object(array->child) && type != NULL) {
		add_keys(out, array->child, KEYS);
		return;
	}
	if (wv_is_null(array->child) && type != NULL)
		return;
	wv_json_each(item, array)
		wv_column_json(&items, arena, item);
	wv_str_cat(
		out, type != NULL && wv_is_number(array->child) ? " " : ": ");
	wv_column_add(out, &items, n);
}

static void
add_value(struct wv_str *out, struct wv_arena *arena, const cJSON *node)
{
	struct wv_str json = { 0 };

	if (wv_is_array(node)) {
		add_array(out, arena, node);
	} else if (wv_is_object(node)) {
		wv_str_cat(out, "object of ");
		wv_add_count(out, wv_count(node), "member");
		add_keys(out, node, KEYS);
	} else if (wv_is_string(node)) {
		wv_add_quoted(out, node->valuestring, (size_t)node->valueint,
			WV_VALUE_MAX);
	} else {
		wv_json_write(&json, node);
		wv_add_inline(out, json.s, json.n, WV_VALUE_MAX);
		wv_str_free(&json);
	}
}

struct table {
	struct wv_column *columns;
	size_t count, rows;
	bool more; /* names than there are columns */
};

/* Objects of one shape have a name where the one before had it. */
static struct wv_column *
column_of(struct table *t, const char *name, size_t *hint)
{
	for (size_t i = 0; i < t->count; i++) {
		size_t at =
			*hint + i < t->count ? *hint + i : *hint + i - t->count;
		WV_STEP(1);
		if (strcmp(t->columns[at].name.s, name) == 0) {
			*hint = at + 1;
			return &t->columns[at];
		}
	}
	if (t->count == WV_COLUMNS) {
		t->more = true;
		return NULL;
	}
	*hint = t->count + 1;
	t->columns[t->count].name = (struct wv_line){ name, strlen(name) };
	return &t->columns[t->count++];
}

/* Columns of the objects in an array, or of those that are members; false if
 * there is anything else. */
static bool
read_rows(struct table *t, struct wv_arena *arena, const cJSON *rows)
{
	*t = (struct table){ 0 };
	t->columns = wv_alloc_zero(arena, WV_COLUMNS * sizeof(*t->columns));
	wv_json_each(row, rows) {
		size_t hint = 0;
		if (!wv_is_object(row))
			return false;
		wv_json_each(member, row) {
			struct wv_column *c =
				column_of(t, member->string, &hint);
			if (c != NULL)
				wv_column_json(c, arena, member);
		}
		t->rows++;
	}
	return true;
}

static void
tell_rows(struct wv_summary *sum, struct table *t)
{
	if (t->more)
		wv_sum_text(sum, "", "more than 64 names", 18, WV_VALUE_MAX);
	wv_columns_tell(sum, t->columns, t->count, t->rows);
}

static int
worth(const cJSON *node)
{
	struct wv_column c = {
		.strings = wv_is_string(node),
		.links = wv_is_string(node) &&
			strncmp(node->valuestring, "http", 4) == 0,
		.objects = wv_is_object(node),
		.arrays = wv_is_array(node),
		.nulls = wv_is_null(node),
		.numbers = wv_is_number(node),
		.trues = wv_is_true(node) || wv_is_false(node),
	};
	return wv_column_worth(&c);
}

static void
tell_members(struct wv_summary *sum, const cJSON *object)
{
	sum->unit = "member";
	for (int class = 0; class < WV_WORTHS; class ++) {
		wv_json_each(member, object) {
			size_t n = strlen(member->string);
			if (worth(member) != class)
				continue;
			struct wv_str *part = wv_sum_begin(sum);
			wv_add_inline(part, member->string, n, WV_VALUE_MAX);
			wv_str_cat(part, " = ");
			add_value(part, &sum->arena, member);
			wv_sum_end(sum, member->string, n);
		}
	}
}

struct found {
	const cJSON *rows;
	size_t count;
	struct wv_str path, best;
};

/* The longest array of objects, and the names that lead to it. */
static void
find_table(struct found *f, const cJSON *object, int depth)
{
	wv_json_each(member, object) {
		size_t before = f->path.n;
		WV_STEP(1);
		if (!wv_is_object(member) && !wv_is_object(member->child))
			continue;
		if (before > 0)
			wv_str_chr(&f->path, '.');
		wv_add_inline(&f->path, member->string, strlen(member->string),
			WV_VALUE_MAX);
		if (wv_is_object(member) && depth < TABLE_DEPTH) {
			find_table(f, member, depth + 1);
		} else if (wv_is_array(member)) {
			size_t n = wv_count(member);
			WV_STEP(n);
			if (n >= TABLE_ROWS && n > f->count) {
				f->rows = member;
				f->count = n;
				f->best.n = 0;
				wv_str_add(&f->best, f->path.s, f->path.n);
			}
		}
		f->path.n = before;
	}
}

static void
tell_object(struct wv_summary *sum, const cJSON *object)
{
	size_t n = wv_count(object);
	const char *type = common_type(object);
	struct found f = { 0 };
	struct wv_str *part;
	struct table t;

	wv_str_cat(&sum->out, "JSON object of ");
	wv_add_count(&sum->out, n, "member");
	sum->separator = ": ";
	if (n > MAP && type != NULL && !wv_is_array(object->child)) {
		add_keys(&sum->out, object, TABLE_ROWS);
		wv_str_fmt(&sum->out, ", each %s %s",
			wv_is_object(object->child) ? "an" : "a", type);
		if (wv_is_object(object->child)) {
			read_rows(&t, &sum->arena, object);
			tell_rows(sum, &t);
		} else {
			struct wv_column c = { 0 };
			wv_json_each(member, object)
				wv_column_json(&c, &sum->arena, member);
			part = wv_sum_begin(sum);
			wv_column_add(part, &c, n);
			wv_sum_end(sum, NULL, 0);
		}
		return;
	}
	find_table(&f, object, 1);
	sum->most = f.rows != NULL ? MEMBERS_ROOM : 0;
	tell_members(sum, object);
	sum->most = 0;
	if (f.rows != NULL) {
		sum->separator =
			wv_printf(&sum->arena, "; each of %s: ", f.best.s);
		/* Of an array that also holds other things, those before. */
		read_rows(&t, &sum->arena, f.rows);
		tell_rows(sum, &t);
		sum->unit = "name";
	}
	wv_str_free(&f.path);
	wv_str_free(&f.best);
}

static void
tell_array(struct wv_summary *sum, const cJSON *array)
{
	struct table t;

	if (!wv_is_object(array->child) || !read_rows(&t, &sum->arena, array)) {
		add_array(&sum->out, &sum->arena, array);
		return;
	}
	wv_str_cat(&sum->out, "array of ");
	wv_add_count(&sum->out, t.rows, "object");
	sum->separator = ": ";
	tell_rows(sum, &t);
}

void
wv_sum_json(struct wv_summary *sum)
{
	const cJSON *tree = sum->content->tree;

	if (sum->content->kind == WV_CONTENT_JSON_LINES) {
		wv_str_cat(&sum->out, "JSON lines, ");
		tell_array(sum, tree);
	} else if (wv_is_object(tree)) {
		tell_object(sum, tree);
	} else {
		wv_str_cat(&sum->out, "JSON ");
		if (wv_is_array(tree))
			tell_array(sum, tree);
		else
			add_value(&sum->out, &sum->arena, tree);
	}
}
