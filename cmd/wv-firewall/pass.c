/* SPDX-License-Identifier: Apache-2.0 */
/* Text that goes on as it is read, in constant memory. */
#include "pass.h"

#include <string.h>

enum { MOST = 1 << 20 }; /* bytes that wait for their group */

bool
pass_is_all(const struct batch *b)
{
	const struct settings *settings = b->settings;

	return b->sinks->text != NULL && b->sinks->frames == NULL &&
		b->tell == NULL && !settings->lines && !settings->keep;
}

bool
pass_may(const struct batch *b)
{
	const struct settings *settings = b->settings;

	return pass_is_all(b) && !settings->show &&
		settings->options.injection == WV_INJECTION_FLAG;
}

void
pass_begin(struct pass *pass, struct batch *batch)
{
	*pass = (struct pass){ .batch = batch,
		.redactor = { .rules = batch->settings->options.rules,
			.told_arena = &batch->arena } };
}

/* Where the last paragraph ends, or else the last line, or all of it: so much
 * is looked through for instructions at once. */
static size_t
whole_part(const struct wv_str *text)
{
	const char *s = text->s, *last = memrchr(s, '\n', text->n);

	for (const char *lf = last; lf != NULL && lf > s;
		lf = memrchr(s, '\n', (size_t)(lf - s)))
		if (lf[-1] == '\n')
			return (size_t)(lf + 1 - s);
	return last != NULL ? (size_t)(last + 1 - s) : text->n;
}

static void
write_part(struct pass *pass, size_t n)
{
	struct wv_findings *findings = &pass->findings;
	struct wv_str *text = &pass->text;

	wv_firewall_flag(&pass->batch->arena, text->s, n, false,
		pass->redactor.rules, findings);
	pass->redacted |= findings->total > 0;
	pass->flagged |= findings->injection_count > 0;
	batch_pass(pass->batch, text->s, n, findings);
	*findings = (struct wv_findings){ 0 };
	text->n -= n;
	memmove(text->s, text->s + n, text->n);
}

void
pass_add(struct pass *pass, const char *raw, size_t n, bool is_last)
{
	pass->redactor.findings = &pass->findings;
	wv_firewall_flag(&pass->batch->arena, raw, n, true,
		pass->redactor.rules, &pass->findings);
	wv_redactor_add(&pass->redactor, &pass->text, raw, n, is_last);
	if (is_last && pass->text.n > 0)
		write_part(pass, pass->text.n);
	else if (pass->text.n >= MOST)
		write_part(pass, whole_part(&pass->text));
}

void
pass_end(struct pass *pass)
{
	struct batch *b = pass->batch;

	b->pieces++;
	b->redacted += pass->redacted;
	b->flagged += pass->flagged;
	wv_redactor_free(&pass->redactor);
	wv_str_free(&pass->text);
}
