/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firewall against the labelled corpus, t/data/firewall or the folder that
 * is the argument.  A line of a corpus is
 *	{"id", "text": [parts…], "media"?: "json", "note"?, …}
 * whose parts are joined: secrets are in pieces so that no scanner of
 * repositories takes them for real ones.  "bytes", parts of base64, stands in
 * place of text that is not UTF-8.
 *
 * positives.jsonl: "secrets": [{"kind", "or"?: [kinds that are as right],
 * "value": [parts…], "more"?: [[parts…]…]}], "keep"?: [what has to stay],
 * "enable"?: [kinds that are off by default].  A secret is found if neither
 * value nor any of more is left, nor a half of those that are long, and if it
 * is reported as its kind or withheld.
 * negatives.jsonl: nothing may be redacted.
 * injections.jsonl: "kind"; innocent.jsonl: none may be found.
 * held-injections.jsonl, held-innocent.jsonl: the same, judged apart.  They were
 * written before rules were tuned (held-, fresh-, last-: one after the other);
 * of what had not been seen yet the rules found 12 of 40, 5 of 20, 5 of 12.
 *
 * Misses are never taken out of the corpus: they are listed here.
 */
#include "../unit/tap.h"

#include "firewall/firewall.h"
#include "json/lines.h"

#include <stdlib.h>

/* What is reached, which must not get worse, and what has to be: until then
 * the goal is a TODO. */
struct level {
	const char *what;
	double floor, goal;
};
static const struct level recall = { "recall", 0.99, 0.99 };
static const struct level precision = { "precision", 0.98, 0.98 };
static const struct level inject_recall = { "injections: recall", 0.98, 0.98 };
static const struct level inject_precision = { "injections: precision", 0.99,
	0.99 };
static const struct level held_recall = { "held out: recall", 0.83, 0.95 };
static const struct level held_precision = { "held out: precision", 0.99,
	0.99 };

enum { LONG = 16 }; /* bytes of which half would be a leak, too */

struct kind {
	const char *name;
	size_t positives, found, missed, wrong;
};

struct row {
	const cJSON *tree;
	const char *id;
	struct wv_str text;
};

struct corpus {
	const char *name;
	size_t least, count;
	struct row *rows;
};

static struct corpus positives = { "positives", 330, 0, NULL };
static struct corpus negatives = { "negatives", 330, 0, NULL };
static struct corpus injections = { "injections", 70, 0, NULL };
static struct corpus innocent = { "innocent", 70, 0, NULL };
static struct corpus held_injections = { "held-injections", 72, 0, NULL };
static struct corpus held_innocent = { "held-innocent", 40, 0, NULL };
static struct corpus *const corpora[] = { &positives, &negatives, &injections,
	&innocent, &held_injections, &held_innocent };
enum { CORPORA = sizeof corpora / sizeof corpora[0] };

static struct wv_arena arena;
static struct kind *kinds;
static size_t kind_count;

static bool
has(const char *s, size_t n, const char *needle, size_t len)
{
	return len > 0 && memmem(s, n, needle, len) != NULL;
}

/* A kind that KINDS does not have is a fault of the corpus or the scanner. */
static struct kind *
kind_of(const char *name)
{
	for (size_t i = 0; i < kind_count; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	ok(false, "%s is in KINDS", name);
	kinds = wv_list_room(kinds, kind_count, sizeof *kinds);
	kinds[kind_count] = (struct kind){ .name = wv_dup(&arena, name) };
	return &kinds[kind_count++];
}

static void
read_kinds(const char *folder)
{
	const char *path = wv_printf(&arena, "%s/KINDS", folder);
	struct wv_err err = WV_ERR_INIT;
	size_t len;
	char *text = wv_file_read(&arena, path, 1 << 20, &len, &err), *line;

	if (text == NULL)
		printf("Bail out! %s: %s\n", path, err.text);
	while (text && (line = strsep(&text, "\n")) != NULL && *line) {
		kinds = wv_list_room(kinds, kind_count, sizeof *kinds);
		kinds[kind_count++] =
			(struct kind){ .name = strsep(&line, "\t") };
	}
}

static struct wv_str
join(const cJSON *parts)
{
	struct wv_str all = { 0 };

	wv_json_each(part, parts)
		wv_str_add(&all, part->valuestring, (size_t)part->valueint);
	return all;
}

static struct wv_str
decode(const cJSON *parts)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	struct wv_str in = join(parts), out = { 0 };
	unsigned bits = 0, have = 0;

	for (size_t i = 0; i < in.n && in.s[i] != '='; i++) {
		bits = bits << 6 | (unsigned)(strchr(digits, in.s[i]) - digits);
		have += 6;
		if (have >= 8)
			wv_str_chr(&out, (char)(bits >> (have -= 8)));
	}
	wv_str_free(&in);
	return out;
}

static void
read_corpus(struct corpus *corpus, const char *folder)
{
	char *files[] = {
		wv_printf(&arena, "%s/%s.jsonl", folder, corpus->name), NULL
	};
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	struct wv_record rec;
	struct wv_lines in;

	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		const cJSON *bytes = wv_get(rec.tree, "bytes");
		struct row row = { .tree = rec.tree,
			.id = wv_get_string(rec.tree, "id") };
		row.text =
			bytes ? decode(bytes) : join(wv_get(rec.tree, "text"));
		*wv_str_room(&row.text, WV_JSON_SLACK + 1) = '\0';
		corpus->rows =
			wv_list_room(corpus->rows, corpus->count, sizeof row);
		corpus->rows[corpus->count++] = row;
	}
	ok(wv_lines_close(&in) == 0, "%s can be read", corpus->name);
	ok(corpus->count >= corpus->least, "%s: %zu, at least %zu",
		corpus->name, corpus->count, corpus->least);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
test_ids(void)
{
	size_t n = 0, twice = 0;
	for (int c = 0; c < CORPORA; c++)
		n += corpora[c]->count;
	const char **ids = wv_alloc(&arena, (n + 1) * sizeof *ids);
	n = 0;
	for (int c = 0; c < CORPORA; c++)
		for (size_t i = 0; i < corpora[c]->count; i++)
			ids[n++] = corpora[c]->rows[i].id;
	qsort(ids, n, sizeof *ids, by_text);
	for (size_t i = 1; i < n; i++) {
		if (strcmp(ids[i - 1], ids[i]) != 0)
			continue;
		printf("# %s: twice\n", ids[i]);
		twice++;
	}
	ok(twice == 0, "ids are unique");
}

/* Neither all of it nor, of what is long, half of it. */
static bool
is_gone(const struct wv_str *out, const cJSON *parts)
{
	struct wv_str value = join(parts);
	size_t half = value.n / 2;
	bool left = has(out->s, out->n, value.s, value.n);

	if (value.n >= LONG)
		left = left || has(out->s, out->n, value.s, half) ||
			has(out->s, out->n, value.s + half, value.n - half);
	wv_str_free(&value);
	return !left;
}

static bool
accepts(const cJSON *secret, const char *kind)
{
	if (strcmp(wv_get_string(secret, "kind"), kind) == 0)
		return true;
	wv_json_each(other, wv_get(secret, "or"))
		if (strcmp(other->valuestring, kind) == 0)
			return true;
	return false;
}

static bool
is_reported(const cJSON *secret, const struct wv_findings *f)
{
	for (size_t i = 0; i < f->kind_count; i++)
		if (accepts(secret, f->kinds[i]))
			return true;
	return false;
}

static void
judge_secret(const struct row *row, const cJSON *secret,
	const struct wv_str *out, const struct wv_findings *f)
{
	static const char withheld[] = "[WITHHELD:";
	struct kind *kind = kind_of(wv_get_string(secret, "kind"));
	bool gone = is_gone(out, wv_get(secret, "value"));

	wv_json_each(parts, wv_get(secret, "more"))
		gone = gone && is_gone(out, parts);
	kind->positives++;
	if (gone &&
		(is_reported(secret, f) ||
			has(out->s, out->n, withheld, strlen(withheld)))) {
		kind->found++;
		return;
	}
	kind->missed++;
	printf("# missed %s: %s %s %s\n", row->id, kind->name,
		gone ? "is called" : "is left",
		gone && f->kind_count ? f->kinds[0] : "");
}

static void
wrong(const struct row *row, const char *kind, size_t count, const char *why)
{
	kind_of(kind)->wrong += count;
	printf("# wrong %s: %s %s\n", row->id, kind, why);
}

/* What was found in excess of the secrets there are, and of other kinds. */
static void
judge_rest(const struct row *row, const cJSON *secrets,
	const struct wv_str *out, const struct wv_findings *f)
{
	size_t want = wv_count(secrets);
	size_t excess = f->total > want ? f->total - want : 0;

	for (size_t i = 0; i < f->kind_count && excess > 0; i++) {
		bool wanted = false;
		wv_json_each(secret, secrets)
			wanted = wanted || accepts(secret, f->kinds[i]);
		if (wanted)
			continue;
		size_t n = f->counts[i] < excess ? f->counts[i] : excess;
		wrong(row, f->kinds[i], n, "is not there");
		excess -= n;
	}
	wv_json_each(keep, wv_get(row->tree, "keep"))
		if (!has(out->s, out->n, keep->valuestring,
			    (size_t)keep->valueint))
			wrong(row,
				wv_get_string(
					wv_pointer(row->tree, "/secrets/0"),
					"kind"),
				1,
				wv_printf(&arena, "took \"%s\" with it",
					keep->valuestring));
}

/* Kinds that are off must stay off: such a row has no secrets then. */
static size_t
judge(const struct row *row)
{
	const cJSON *secrets = wv_get(row->tree, "secrets");
	const char *media = wv_get_string(row->tree, "media");
	struct wv_findings f = { 0 };
	struct wv_str out = { 0 };
	size_t broken = 0;

	if (wv_get(row->tree, "enable") != NULL)
		secrets = NULL;
	wv_firewall_text(&out, &arena, row->text.s, row->text.n, NULL, &f);
	wv_json_each(secret, secrets)
		judge_secret(row, secret, &out, &f);
	judge_rest(row, secrets, &out, &f);
	*wv_str_room(&out, WV_JSON_SLACK + 1) = '\0';
	if (media && strcmp(media, "json") == 0 &&
		wv_json_read(&arena, out.s, out.n, &wv_json_defaults, NULL) ==
			NULL) {
		printf("# broken %s: no JSON any more\n", row->id);
		broken = 1;
	}
	wv_str_free(&out);
	return broken;
}

/* Of n, how many; nothing is all of nothing. */
static double
ratio(size_t n, size_t of)
{
	return of ? (double)n / (double)of : 1;
}

static void
reach(const struct level *level, double got)
{
	ok(got >= level->floor, "%s %.4f, at least %.4f", level->what, got,
		level->floor);
	if (level->floor >= level->goal)
		return;
	bool good = got >= level->goal;
	printf("%sok %d - %s, goal %.4f%s\n", good ? "" : "not ", ++tap_count,
		level->what, level->goal, good ? "" : " # TODO");
}

static void
table(const char *title, const struct kind *k)
{
	printf("# %-24s %9zu %5zu %6zu %5zu %7.3f %9.3f\n", title, k->positives,
		k->found, k->missed, k->wrong, ratio(k->found, k->positives),
		ratio(k->found, k->found + k->wrong));
}

static bool
is_injection(const struct kind *kind)
{
	return strncmp(kind->name, "injection-", strlen("injection-")) == 0;
}

/* Prints the table of the kinds that are injections, or those that are not. */
static struct kind
sum(bool are_injections)
{
	struct kind all = { .name = "all" };

	printf("# %-24s %9s %5s %6s %5s %7s %9s\n", "kind", "positives",
		"found", "missed", "wrong", "recall", "precision");
	for (size_t i = 0; i < kind_count; i++) {
		const struct kind *k = &kinds[i];
		if (is_injection(k) != are_injections)
			continue;
		table(k->name, k);
		all.positives += k->positives;
		all.found += k->found;
		all.missed += k->missed;
		all.wrong += k->wrong;
	}
	table(all.name, &all);
	return all;
}

static void
test_secrets(void)
{
	size_t broken = 0, off = 0;

	for (size_t i = 0; i < positives.count; i++) {
		broken += judge(&positives.rows[i]);
		off += wv_get(positives.rows[i].tree, "enable") != NULL;
	}
	for (size_t i = 0; i < negatives.count; i++)
		broken += judge(&negatives.rows[i]);
	struct kind all = sum(false);
	printf("# %zu rows of kinds that are off by default\n", off);
	ok(broken == 0, "JSON stays JSON");
	reach(&recall, ratio(all.found, all.positives));
	reach(&precision, ratio(all.found, all.found + all.wrong));
}

/* The kind of the first injection the firewall tells of, or NULL. */
static const char *
injection(const struct row *row)
{
	struct wv_findings f = { 0 };
	struct wv_str out = { 0 };

	wv_firewall_text(&out, &arena, row->text.s, row->text.n, NULL, &f);
	wv_str_free(&out);
	return f.injection_count > 0 ? f.injections[0] : NULL;
}

static void
forget_counts(void)
{
	for (size_t i = 0; i < kind_count; i++)
		kinds[i] = (struct kind){ .name = kinds[i].name };
}

static void
test_injections(const struct corpus *attacks, const struct corpus *others,
	const struct level *found, const struct level *right)
{
	forget_counts();
	for (size_t i = 0; i < attacks->count; i++) {
		const struct row *row = &attacks->rows[i];
		struct kind *k = kind_of(wv_get_string(row->tree, "kind"));
		bool is_found = injection(row) != NULL;
		k->positives++;
		k->found += is_found;
		k->missed += !is_found;
		if (!is_found)
			printf("# missed %s\n", row->id);
	}
	for (size_t i = 0; i < others->count; i++) {
		const char *kind = injection(&others->rows[i]);
		if (kind != NULL)
			wrong(&others->rows[i], kind, 1, "is not there");
	}
	struct kind all = sum(true);
	reach(found, ratio(all.found, all.positives));
	reach(right, ratio(all.found, all.found + all.wrong));
}

/* Every kind has a positive; ip-address has, but is off. */
static void
test_kinds(bool are_injections)
{
	size_t bare = 0;

	for (size_t i = 0; i < kind_count; i++) {
		if (kinds[i].positives > 0 ||
			is_injection(&kinds[i]) != are_injections ||
			strcmp(kinds[i].name, "ip-address") == 0)
			continue;
		printf("# %s: no positives\n", kinds[i].name);
		bare++;
	}
	ok(bare == 0, "every kind of %s in KINDS is in the corpus",
		are_injections ? "injection" : "secret");
}

int
main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	const char *folder = argc > 1
		? argv[1]
		: wv_printf(&arena, "%s/t/data/firewall", top ? top : ".");

	read_kinds(folder);
	for (int c = 0; c < CORPORA; c++)
		read_corpus(corpora[c], folder);
	test_ids();
	test_secrets();
	test_kinds(false);
	test_injections(
		&injections, &innocent, &inject_recall, &inject_precision);
	test_kinds(true);
	test_injections(&held_injections, &held_innocent, &held_recall,
		&held_precision);
	for (int c = 0; c < CORPORA; c++) {
		for (size_t i = 0; i < corpora[c]->count; i++)
			wv_str_free(&corpora[c]->rows[i].text);
		free(corpora[c]->rows);
	}
	free(kinds);
	wv_arena_free(&arena);
	return done();
}
