/* SPDX-License-Identifier: Apache-2.0 */
#include "outputs.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct output {
	const char *option;
	const char *name; /* of the file */
	bool is_report;
	bool is_there; /* a regular file */
	struct stat st;
};

struct outputs {
	struct output *list;
	size_t count;
};

static bool
stat_regular(const char *path, int standard, struct stat *st)
{
	int status =
		strcmp(path, "-") == 0 ? fstat(standard, st) : stat(path, st);

	return status == 0 && S_ISREG(st->st_mode);
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static struct output *
add(struct outputs *outputs, const char *option, const char *path)
{
	struct output *output;

	outputs->list = wv_list_room(
		outputs->list, outputs->count, sizeof *outputs->list);
	output = &outputs->list[outputs->count++];
	*output = (struct output){ .option = option, .name = path };
	output->is_there = stat_regular(path, STDOUT_FILENO, &output->st);
	return output;
}

static void
find(struct outputs *outputs, const struct settings *settings, bool to_stdout)
{
	if (to_stdout)
		add(outputs, "standard output", "-");
	if (settings->rejects != NULL)
		/* open_rejects() knows no "-" */
		add(outputs, "--rejects",
			strcmp(settings->rejects, "-") == 0
				? "./-"
				: settings->rejects);
	for (size_t i = 0; i < settings->formats.count; i++) {
		const char *equals = strchr(settings->formats.list[i], '=');
		add(outputs, "--format", equals != NULL ? equals + 1 : "-")
			->is_report = true;
	}
}

static void
check_read(const struct outputs *outputs, const struct wv_opts *opts,
	const char *path)
{
	struct stat st;

	if (path == NULL || !stat_regular(path, STDIN_FILENO, &st))
		return;
	for (size_t i = 0; i < outputs->count; i++) {
		const struct output *output = &outputs->list[i];
		if (output->is_there && is_same(&output->st, &st))
			wv_usage(opts, "%s would overwrite what is read: %s",
				output->option, path);
	}
}

void
outputs_check_read(const struct settings *settings, const struct wv_opts *opts,
	const struct schemas *schemas, bool to_stdout)
{
	const struct wv_walk *walk = &settings->walk;
	const char *const named[] = { settings->schema, settings->expect,
		settings->expect_fingerprint, settings->keyring, walk->list };
	struct outputs outputs = { 0 };

	find(&outputs, settings, to_stdout);
	for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
		check_read(&outputs, opts, named[i]);
	for (size_t i = 0; i < settings->map.count; i++)
		check_read(&outputs, opts,
			strrchr(settings->map.list[i], '=') + 1);
	for (const struct resolved *r = schemas->resolve.first; r; r = r->next)
		check_read(&outputs, opts, r->doc.source);
	for (size_t i = 0; i < walk->count; i++)
		check_read(&outputs, opts, walk->files[i]);
	free(outputs.list);
}

void
outputs_check_twice(const struct settings *settings, const struct wv_opts *opts,
	bool to_stdout)
{
	struct outputs outputs = { 0 };

	find(&outputs, settings, to_stdout);
	for (size_t i = 0; i < outputs.count; i++) {
		const struct output *a = &outputs.list[i];
		for (size_t k = i + 1; k < outputs.count; k++) {
			const struct output *b = &outputs.list[k];
			if (a->is_there && b->is_there && !a->is_report &&
				is_same(&a->st, &b->st))
				wv_usage(opts, "%s and %s cannot both go to %s",
					a->option, b->option, b->name);
		}
	}
	free(outputs.list);
}
