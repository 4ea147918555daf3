/* SPDX-License-Identifier: Apache-2.0 */
#include "packet.h"

#include <string.h>

void
packet_put(struct wv_str *out, enum packet_kind kind, size_t number)
{
	struct packet packet;

	memset(&packet, 0, sizeof packet);
	packet.kind = kind;
	packet.number = number;
	wv_str_add(out, &packet, sizeof packet);
}

static void
put_size(struct wv_str *out, size_t n)
{
	wv_str_add(out, &n, sizeof n);
}

/* A NULL is a length that no string has. */
static void
put_bytes(struct wv_str *out, const char *s, size_t n)
{
	put_size(out, s != NULL ? n : SIZE_MAX);
	if (s == NULL)
		return;
	wv_str_add(out, s, n);
	wv_str_chr(out, '\0');
}

static void
put_string(struct wv_str *out, const char *s)
{
	put_bytes(out, s, s != NULL ? strlen(s) : 0);
}

static void
put_record(struct wv_str *out, const struct outcome *outcome)
{
	const struct wv_record *rec = outcome->record;
	struct wv_str text = { 0 };

	if (rec == NULL || rec->one_line ||
		outcome->judged.verdict != WV_VALID) {
		put_bytes(out, rec != NULL ? rec->text : NULL,
			rec != NULL ? rec->len : 0);
		return;
	}
	wv_json_write(&text, rec->tree);
	put_bytes(out, text.s, text.n);
	wv_str_free(&text);
}

static void
put_finding(struct wv_str *out, const struct wv_finding *finding)
{
	put_size(out, finding->warning);
	put_size(out, finding->line);
	put_size(out, finding->column);
	put_size(out, finding->character);
	put_string(out, finding->rule);
	put_string(out, finding->instance);
	put_string(out, finding->keyword);
	put_string(out, finding->message);
}

void
packet_put_outcome(
	struct wv_str *out, const struct outcome *outcome, bool with_record)
{
	const struct wv_judged *judged = &outcome->judged;
	size_t head = out->n, count = 0;
	struct packet packet;

	packet_put(out, PACKET_OUTCOME, 0);
	for (const struct wv_finding *f = judged->findings; f; f = f->next)
		count++;
	put_size(out, outcome->kind);
	put_size(out, judged->verdict);
	put_size(out, judged->line);
	put_size(out, count);
	put_string(out, judged->source);
	put_string(out, outcome->fingerprint);
	for (const struct wv_finding *f = judged->findings; f; f = f->next)
		put_finding(out, f);
	if (with_record)
		put_record(out, outcome);
	else
		put_bytes(out, NULL, 0);
	memcpy(&packet, out->s + head, sizeof packet);
	packet.number = out->n - head - sizeof packet;
	memcpy(out->s + head, &packet, sizeof packet);
}

static size_t
get_size(const char **at)
{
	size_t n;

	memcpy(&n, *at, sizeof n);
	*at += sizeof n;
	return n;
}

static const char *
get_bytes(const char **at, size_t *n)
{
	const char *s = *at + sizeof *n;

	*n = get_size(at);
	if (*n == SIZE_MAX)
		return NULL;
	*at += *n + 1;
	return s;
}

static const char *
get_string(const char **at)
{
	size_t n;

	return get_bytes(at, &n);
}

static struct wv_finding *
get_finding(const char **at, size_t base, struct wv_arena *arena)
{
	struct wv_finding *finding = wv_alloc_zero(arena, sizeof *finding);

	finding->warning = get_size(at) != 0;
	finding->line = get_size(at);
	finding->line += finding->line > 0 ? base : 0;
	finding->column = get_size(at);
	finding->character = get_size(at);
	finding->rule = get_string(at);
	finding->instance = get_string(at);
	finding->keyword = get_string(at);
	finding->message = get_string(at);
	return finding;
}

void
packet_get_outcome(struct outcome *outcome, const char *bytes, size_t base,
	struct wv_arena *arena)
{
	struct wv_judged *judged = &outcome->judged;
	const struct wv_finding **tail = &judged->findings;
	struct wv_record *rec = wv_alloc_zero(arena, sizeof *rec);
	size_t count;

	*outcome =
		(struct outcome){ .kind = (enum outcome_kind)get_size(&bytes) };
	judged->verdict = (int)get_size(&bytes);
	if (outcome->kind == OUTCOME_SOURCE)
		base = 0;
	judged->line = base + get_size(&bytes);
	count = get_size(&bytes);
	judged->source = get_string(&bytes);
	outcome->fingerprint = get_string(&bytes);
	for (; count > 0; count--) {
		struct wv_finding *finding = get_finding(&bytes, base, arena);
		*tail = finding;
		tail = &finding->next;
	}
	rec->text = get_bytes(&bytes, &rec->len);
	rec->one_line = true;
	outcome->record = rec->text != NULL ? rec : NULL;
}
