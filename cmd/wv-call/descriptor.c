/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include "base/msg.h"
#include "firewall/firewall.h"

#include <stdio.h>
#include <string.h>

/* In small letters, a space for whatever is none.  The firewall's rules for
 * injections will stand in their place. */
static const char *const phrases[] = { "ignore previous", "ignore all previous",
	"ignore any previous", "ignore the above", "disregard previous",
	"disregard all previous", "disregard the above", "forget everything",
	"previous instructions", "new instructions", "system prompt",
	"important instructions", "do not tell the user", "don t tell the user",
	"do not mention", "don t mention", "do not inform", "without telling",
	"hide this from", "you are now", "you must always",
	"before using this tool", "before calling this tool" };

struct reader {
	descriptor_hear *hear;
	void *arg;
	struct wv_str pointer;
	struct wv_str raw, text; /* of the string that is looked at */
};

/* Words, with a space around each. */
static void
normalize(struct wv_str *text, size_t from)
{
	size_t to = from;

	for (size_t i = from; i < text->n; i++) {
		char c = text->s[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
			(signed char)c >= 0)
			c = ' ';
		if (c != ' ' || text->s[to - 1] != ' ')
			text->s[to++] = c;
	}
	text->s[to] = '\0';
	text->n = to;
}

/* The phrase, whole words, in a text that normalize() made. */
static bool
says(const struct wv_str *text, const char *phrase)
{
	size_t n = strlen(phrase);

	for (const char *p = text->s; (p = strstr(p, phrase)) != NULL; p++)
		if (p[-1] == ' ' && p[n] == ' ')
			return true;
	return false;
}

static void
read_text(struct reader *r)
{
	struct wv_findings findings = { 0 };
	char what[128];

	r->text.n = 0;
	wv_str_chr(&r->text, ' ');
	wv_clean(&r->text, r->raw.s, r->raw.n, &findings);
	wv_str_chr(&r->text, ' ');
	if (findings.cleaned > 0) {
		snprintf(what, sizeof what, "hides %zu character%s",
			findings.cleaned, findings.cleaned == 1 ? "" : "s");
		r->hear(r->arg, r->pointer.s, what);
	}
	normalize(&r->text, 1);
	for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
		if (!says(&r->text, phrases[i]))
			continue;
		snprintf(what, sizeof what, "speaks to the model: \"%s\"",
			phrases[i]);
		r->hear(r->arg, r->pointer.s, what);
		return;
	}
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
descriptor_check(const cJSON *node, descriptor_hear *hear, void *arg)
{
	struct reader r = { .hear = hear, .arg = arg };

	wv_str_cat(&r.pointer, "");
	read_node(&r, node);
	wv_str_free(&r.pointer);
	wv_str_free(&r.raw);
	wv_str_free(&r.text);
}

static void
warn(void *arg, const char *pointer, const char *what)
{
	const struct tool *const *tool = arg;

	wv_warn("%s: %s %s", (*tool)->capability, pointer, what);
}

void
descriptor_warn(const struct tool *tool, const cJSON *listed)
{
	descriptor_check(tool->entry, warn, &tool);
	descriptor_check(listed, warn, &tool);
}
