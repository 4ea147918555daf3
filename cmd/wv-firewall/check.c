/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "diff.h"

#include "base/msg.h"

#include <string.h>

void
check_open(struct check *c, const struct settings *settings, struct tell *tell)
{
	struct wv_err err = WV_ERR_INIT;

	*c = (struct check){ .settings = settings, .tell = tell };
	c->judge = (struct judge){ .options = &settings->options,
		.arena = &c->arena };
	if (settings->baseline_write)
		c->judge.baseline = baseline_new();
	else if (settings->baseline != NULL)
		c->judge.baseline = baseline_read(settings->baseline, &err);
	if (settings->baseline != NULL && c->judge.baseline == NULL)
		wv_die_err(&err);
	c->judge.has_fingerprints =
		c->judge.baseline != NULL || tell->has_safety;
}

static void
take(void *arg, const struct record *record)
{
	struct check *c = arg;

	c->outputs++;
	c->found += record->count > 0;
	if (record->count > 0)
		c->status = wv_worse(c->status, WV_NO);
	tell_record(c->tell, record);
}

static void
add_diff(struct check *c, const char *source, const char *raw, size_t len)
{
	struct wv_err err = WV_ERR_INIT;

	if (diff_judge(&c->judge, raw, len, take, c, &err) == 0)
		return;
	err.source = source;
	wv_warn_err(&err);
	c->status = WV_TROUBLE;
	check_unread(c, source, err.text);
}

void
check_add(struct check *c, const char *source, size_t line, const char *raw,
	size_t len)
{
	const struct piece piece = { .raw = raw,
		.len = len,
		.first_line = line > 0 ? line : 1,
		.allows = true };

	if (c->settings->diff) {
		add_diff(c, source, raw, len);
	} else {
		judge_begin(&c->judge, source, line);
		judge_piece(&c->judge, &piece);
		take(c, judge_end(&c->judge));
	}
	wv_arena_reset(&c->arena);
}

void
check_unread(struct check *c, const char *source, const char *why)
{
	const struct record record = {
		.source = source, .is_unread = true, .why = why
	};
	bool told = c->tell->has_messages;

	/* That has been said. */
	c->tell->has_messages = false;
	c->outputs++;
	tell_record(c->tell, &record);
	c->tell->has_messages = told;
}

int
check_close(struct check *c)
{
	struct baseline *baseline = c->judge.baseline;
	struct wv_err err = WV_ERR_INIT;

	if (c->settings->baseline_write && c->status < WV_TROUBLE &&
		baseline_write(baseline, c->settings->baseline, &err) < 0)
		wv_die_err(&err);
	wv_note("outputs %zu, with findings %zu, binary and not looked into "
		"%zu; findings allowed %zu, known %zu",
		c->outputs, c->found, c->judge.binary, c->judge.allowed,
		c->judge.known);
	baseline_free(baseline);
	judge_free(&c->judge);
	wv_arena_free(&c->arena);
	return c->status;
}
