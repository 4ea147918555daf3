/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/descriptor.h"

#include "firewall/firewall.h"
#include "firewall/inject.h"

#include <stdio.h>
#include <string.h>

const char *
wv_descriptor_text(struct wv_arena *arena, const cJSON *text)
{
	struct wv_findings findings = { 0 };
	struct wv_str raw = { 0 }, seen = { 0 };
	const char *kept = NULL;

	if (!wv_is_string(text))
		return NULL;
	wv_str_cat(&raw, "");
	wv_json_bytes(text, &raw);
	wv_str_cat(&seen, "");
	wv_clean(&seen, raw.s, raw.n, &findings);
	if (seen.n > WV_DESCRIPTOR_TEXT_MAX)
		for (seen.n = WV_DESCRIPTOR_TEXT_MAX - 3; seen.n > 0 &&
			((unsigned char)seen.s[seen.n] & 0xC0) == 0x80;)
			seen.n--;
	if (seen.n > 0)
		kept = wv_printf(arena, "%.*s%s", (int)seen.n, seen.s,
			strlen(seen.s) > seen.n ? "…" : "");
	wv_str_free(&raw);
	wv_str_free(&seen);
	return kept;
}

struct reader {
	wv_descriptor_hear *hear;
	void *arg;
	struct wv_str pointer;
	struct wv_str raw, text; /* of the string that is looked at */
};

/* Its kind and the words, for one who judges whether they are meant so. */
static void
say(const struct reader *r, const struct wv_injection *found)
{
	enum { LONGEST = 160 };
	struct wv_str words = { 0 }, what = { 0 };

	wv_str_cat(&words, "");
	wv_str_foreign(&words, r->text.s + found->start,
		found->end - found->start, LONGEST);
	wv_str_fmt(&what, "speaks to the model (%s): \"%s\"", found->kind,
		words.s);
	r->hear(r->arg, r->pointer.s, what.s);
	wv_str_free(&words);
	wv_str_free(&what);
}

static void
tell_hidden(const struct reader *r, size_t characters)
{
	struct wv_injection found;
	bool text = wv_inject_hidden(r->raw.s, r->raw.n, &found, 1) > 0;
	char what[64];

	if (characters > 0)
		snprintf(what, sizeof what, "hides %zu character%s%s",
			characters, characters == 1 ? "" : "s",
			text ? " and text" : "");
	else
		snprintf(what, sizeof what, "hides text");
	if (characters > 0 || text)
		r->hear(r->arg, r->pointer.s, what);
}

static void
read_text(struct reader *r)
{
	enum { MOST = 8 };
	struct wv_injection found[MOST];
	struct wv_findings findings = { 0 };

	r->text.n = 0;
	wv_str_cat(&r->text, "");
	wv_clean(&r->text, r->raw.s, r->raw.n, &findings);
	tell_hidden(r, findings.cleaned);
	size_t count = wv_inject_scan(r->text.s, r->text.n, found, MOST);
	for (size_t i = 0; i < count; i++)
		say(r, &found[i]);
}

/* As deep as what the reader lets through. */
static void
read_node(struct reader *r, const cJSON *node)
{
	size_t at = r->pointer.n, i = 0;

	if (wv_is_string(node)) {
		r->raw.n = 0;
		wv_str_cat(&r->raw, "");
		wv_json_bytes(node, &r->raw);
		read_text(r);
	}
	wv_json_each(child, node) {
		if (wv_is_array(node)) {
			wv_str_fmt(&r->pointer, "/%zu", i++);
		} else {
			wv_pointer_add(&r->pointer, child->string);
			r->raw.n = 0;
			wv_str_cat(&r->raw, child->string);
			read_text(r);
		}
		read_node(r, child);
		r->pointer.n = at;
		r->pointer.s[at] = '\0';
	}
}

void
wv_descriptor_check(const cJSON *node, wv_descriptor_hear *hear, void *arg)
{
	struct reader r = { .hear = hear, .arg = arg };

	wv_str_cat(&r.pointer, "");
	read_node(&r, node);
	wv_str_free(&r.pointer);
	wv_str_free(&r.raw);
	wv_str_free(&r.text);
}
