/* SPDX-License-Identifier: Apache-2.0 */
/* What -f names. */
#include "options.h"

#include "base/msg.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
file_of(const char *spec)
{
	const char *file = strchr(spec, '=');

	return file == NULL || strcmp(file, "=-") == 0 ? NULL : file + 1;
}

static bool
is_named(const char *spec, const char *name)
{
	size_t n = strcspn(spec, "=");

	return strlen(name) == n && memcmp(spec, name, n) == 0;
}

/* One of several would be mixed into the other, or lost. */
static void
check_apart(const struct values *formats, const struct wv_opts *opts)
{
	for (size_t i = 0; i < formats->count; i++) {
		const char *a = file_of(formats->list[i]);
		for (size_t k = i + 1; k < formats->count; k++) {
			const char *b = file_of(formats->list[k]);
			if (a == NULL && b == NULL)
				wv_usage(opts,
					"only one format can go to standard "
					"output: give the others a file, "
					"FORMAT=FILE");
			if (a != NULL && b != NULL && strcmp(a, b) == 0)
				wv_usage(
					opts, "two formats to one file: %s", a);
		}
	}
}

static void
open_sink(struct wv_out **sink, struct wv_out *out, const char *spec,
	const struct wv_opts *opts)
{
	const char *file = file_of(spec);
	struct wv_err err = WV_ERR_INIT;

	if (*sink != NULL)
		wv_usage(opts, "-f %s is given twice", spec);
	if (file == NULL)
		wv_out_init(out, STDOUT_FILENO, "standard output");
	else if (wv_out_create(out, file, &err) < 0)
		wv_die_err(&err);
	*sink = out;
}

static void
open_one(struct sinks *sinks, struct tell *tell, const struct settings *s,
	const char *spec, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;

	if (!s->check && is_named(spec, "frame"))
		open_sink(&sinks->frames, &sinks->files[0], spec, opts);
	else if (!s->check && is_named(spec, "text"))
		open_sink(&sinks->text, &sinks->files[1], spec, opts);
	else if (tell_add(tell, spec, &err) < 0)
		wv_usage(opts, "-f: %s", err.text);
}

void
outputs_open(struct sinks *sinks, struct tell *tell, const struct settings *s,
	const struct wv_opts *opts)
{
	*sinks = (struct sinks){ 0 };
	tell_open(tell, s->check);
	check_apart(&s->formats, opts);
	for (size_t i = 0; i < s->formats.count; i++)
		open_one(sinks, tell, s, s->formats.list[i], opts);
	if (s->formats.count > 0)
		return;
	if (s->check)
		tell->has_messages = !s->baseline_write;
	else
		open_sink(&sinks->frames, &sinks->files[0], "frame", opts);
}

void
outputs_check(const struct settings *s, const struct wv_opts *opts,
	char *const *files)
{
	struct stat out, in;

	for (size_t i = 0; i < s->formats.count; i++) {
		const char *file = file_of(s->formats.list[i]);
		if (file == NULL || stat(file, &out) < 0 ||
			!S_ISREG(out.st_mode))
			continue;
		for (size_t k = 0; files[k] != NULL; k++)
			if (stat(files[k], &in) == 0 &&
				in.st_dev == out.st_dev &&
				in.st_ino == out.st_ino)
				wv_usage(opts,
					"-f would overwrite what is read: %s",
					files[k]);
	}
}

struct wv_out *
outputs_stdout(const struct sinks *sinks, const struct tell *tell)
{
	struct wv_out *const all[] = { sinks->frames, sinks->text,
		tell->has_jsonl ? (struct wv_out *)&tell->jsonl : NULL };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i] != NULL && all[i]->fd == STDOUT_FILENO)
			return all[i];
	return tell->reports != NULL ? wv_reports_stdout(tell->reports) : NULL;
}

void
outputs_close(struct sinks *sinks, struct tell *tell)
{
	if (sinks->frames != NULL)
		wv_out_end(sinks->frames);
	if (sinks->text != NULL)
		wv_out_end(sinks->text);
	tell_close(tell);
}
