/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of text: how each is told from the others, and what tells about
 * it.  The most certain come first; a kind that is not certain is no kind. */
#include "firewall/summarize.h"

static const struct wv_text_kind kinds[] = {
	{ "text/x-diff", wv_is_diff, wv_tell_diff },
	{ "text/plain", wv_is_git_log, wv_tell_git_log },
	{ "text/html", wv_is_html, wv_tell_html },
	{ "application/xml", wv_is_xml, wv_tell_xml },
	{ "text/plain", wv_is_listing, wv_tell_listing },
	{ "text/plain", wv_is_access_log, wv_tell_access_log },
	{ "text/plain", wv_is_log, wv_tell_log },
	{ "text/plain", wv_is_trace, wv_tell_trace },
	{ "text/plain", wv_is_places, wv_tell_places },
	{ NULL, wv_is_table, wv_tell_table }, /* wv_table_type() */
	{ "application/yaml", wv_is_yaml, wv_tell_yaml },
	{ "text/markdown", wv_is_markdown, wv_tell_markdown },
	{ "text/plain", wv_is_settings, wv_tell_settings },
	{ "text/plain", wv_is_outline, wv_tell_outline },
	{ "text/plain", wv_is_plain, wv_tell_plain },
};

const struct wv_text_kind *
wv_text_kind(const char *s, size_t n)
{
	const struct wv_text_kind *kind = kinds;
	struct wv_sample sample;

	wv_sample(&sample, s, s + n);
	/* A file without a whole line is plain; the last kind takes all. */
	while (kind->tell != wv_tell_plain &&
		(sample.count == 0 || !kind->is(&sample)))
		kind++;
	return kind;
}

const struct wv_text_kind *
wv_content_text_kind(const struct wv_content *content)
{
	return content->text_kind != NULL
		? content->text_kind
		: wv_text_kind(content->text.s, content->text.n);
}
