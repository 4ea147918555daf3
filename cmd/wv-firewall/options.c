/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/msg.h"
#include "contract/record.h"

#include <stdlib.h>
#include <string.h>

enum {
	OPT_CAPABILITY = 256,
	OPT_MEDIA_TYPE,
	OPT_MODE,
	OPT_FIELDS,
	OPT_LINES,
	OPT_KEEP,
	OPT_QUOTA,
	OPT_INJECTION,
	OPT_RULES,
	OPT_KNOWN,
	OPT_KNOWN_ENV,
	OPT_SHOW,
	OPT_CHECK,
	OPT_BASELINE,
	OPT_BASELINE_WRITE,
	OPT_DIFF,
	OPT_LINT,
	OPT_MAX_INPUT,
	MAX_INPUT = 64 << 20,
	MOST_INPUT = 1 << 30,
};

static const struct wv_opt table[] = {
	{ OPT_CAPABILITY, "capability", "ID",
		"whose output it is (" WV_NO_CAPABILITY ")" },
	{ OPT_MEDIA_TYPE, "media-type", "TYPE",
		"what it is, if its bytes do not tell" },
	{ OPT_MODE, "mode", "MODE", "summary, table or handle_only (summary)" },
	{ OPT_FIELDS, "fields", "NAMES",
		"the members that are shown, between commas (all)" },
	{ OPT_LINES, "lines", NULL, "every line is an output of its own" },
	{ OPT_KEEP, "keep", NULL, "store the output behind a Handle" },
	{ OPT_QUOTA, "quota", "BYTES",
		"most bytes of all stored output (10G)" },
	{ OPT_INJECTION, "injection", "WHAT",
		"flag or withhold instructions to the model (flag)" },
	{ OPT_RULES, "rules", "FILE", "what is redacted, and what is not" },
	{ OPT_KNOWN, "known", "FILE", "secrets, a line each" },
	{ OPT_KNOWN_ENV, "known-env", "NAMES",
		"variables whose values are secrets, between commas" },
	{ OPT_SHOW, "show", NULL,
		"with -f text: what is hidden is made visible" },
	{ 'f', "format", "FORMAT[=FILE]",
		"frame, text, jsonl, report, json, junit, tap, sarif, github "
		"or verdicts (frame); may be repeated" },
	{ OPT_CHECK, "check", NULL,
		"judge files and folders only, write no Frames" },
	WV_WALK_OPTS,
	{ OPT_BASELINE, "baseline", "FILE",
		"what was found before, which is not told" },
	{ OPT_BASELINE_WRITE, "baseline-write", NULL,
		"write what is found to the baseline, and tell nothing" },
	{ OPT_DIFF, "diff", NULL,
		"the input is a unified diff: judge its added lines" },
	{ OPT_LINT, "lint", "FILE", "judge a file of rules, read no output" },
	{ OPT_MAX_INPUT, "max-input", "BYTES",
		"longest output read whole (64M)" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const char *const synopsis[] = { "[option...] [FILE...]",
	"--check [option...] [FILE|DIR...]", "--lint FILE", NULL };

const struct wv_cmd firewall_cmd = {
	.tool = "wv-firewall",
	.synopsis = synopsis,
	.about = "Reads raw tool output and writes a Frame: controls cleaned "
		 "away, secrets and personal data redacted, summarized and "
		 "bounded.",
	.opts = table,
	.examples = "  df -h | wv-firewall --capability org.demo.disk\n"
		    "  printenv | wv-firewall -f text\n"
		    "  wv-firewall --check -f sarif=found.sarif .\n"
		    "  git diff --cached | wv-firewall --check --diff\n",
};

static void
add_value(struct values *values, const char *value)
{
	values->list = wv_xrealloc(
		values->list, (values->count + 2) * sizeof *values->list);
	values->list[values->count++] = value;
	values->list[values->count] = NULL;
}

static void
add_format(struct settings *s, const struct wv_opts *opts)
{
	static const char *const names[] = { "frame", "text", "jsonl", "report",
		"json", "junit", "tap", "sarif", "github", "verdicts", NULL };
	char *name = wv_xstrdup(opts->value);

	name[strcspn(name, "=")] = '\0';
	wv_opt_choice(opts, "--format", name, names);
	free(name);
	add_value(&s->formats, opts->value);
}

static const char *
capability(const struct wv_opts *opts)
{
	if (!wv_id_is_kernel(opts->value))
		wv_usage(opts, "--capability: '%s' is no capability id",
			opts->value);
	return opts->value;
}

static size_t
max_input(const struct wv_opts *opts)
{
	int64_t bytes = wv_opt_size(opts, "--max-input", opts->value);

	if (bytes > MOST_INPUT)
		wv_usage(opts, "--max-input: at most 1G");
	return (size_t)bytes;
}

/* Of one output. */
static bool
take_output(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_CAPABILITY:
		s->capability_id = capability(opts);
		return true;
	case OPT_MEDIA_TYPE:
		s->media_type = opts->value;
		return true;
	case OPT_MODE:
		s->options.mode = (enum wv_firewall_mode)wv_opt_choice(
			opts, "--mode", opts->value, wv_firewall_modes);
		return true;
	case OPT_FIELDS:
		s->fields = opts->value;
		return true;
	case OPT_LINES:
		s->lines = true;
		return true;
	case OPT_KEEP:
		s->keep = true;
		return true;
	case OPT_QUOTA:
		s->quota = (uint64_t)wv_opt_size(opts, "--quota", opts->value);
		return true;
	case OPT_SHOW:
		s->show = true;
		return true;
	case OPT_MAX_INPUT:
		s->max_input = max_input(opts);
		return true;
	default:
		return false;
	}
}

/* What is looked for. */
static bool
take_rules(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_INJECTION:
		s->options.injection = (enum wv_injection_mode)wv_opt_choice(
			opts, "--injection", opts->value, wv_injection_modes);
		return true;
	case OPT_RULES:
		s->rules = opts->value;
		return true;
	case OPT_KNOWN:
		s->known = opts->value;
		return true;
	case OPT_KNOWN_ENV:
		s->known_env = opts->value;
		return true;
	case OPT_LINT:
		s->lint = opts->value;
		return true;
	default:
		return false;
	}
}

static void
take_check(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case 'f':
		add_format(s, opts);
		break;
	case OPT_CHECK:
		s->check = true;
		break;
	case OPT_BASELINE:
		s->baseline = opts->value;
		break;
	case OPT_BASELINE_WRITE:
		s->baseline_write = true;
		break;
	case OPT_DIFF:
		s->diff = true;
		break;
	default:
		if (!wv_walk_option(&s->walk, id, opts))
			wv_state_option(&s->state, id, opts);
	}
}

static bool
is_format(const char *spec, const char *name)
{
	size_t n = strlen(name);

	return strncmp(spec, name, n) == 0 &&
		(spec[n] == '\0' || spec[n] == '=');
}

static bool
has_format(const struct settings *s, const char *name)
{
	for (size_t i = 0; i < s->formats.count; i++)
		if (is_format(s->formats.list[i], name))
			return true;
	return false;
}

/* An option that would do nothing is one that was misunderstood. */
static void
check_options(const struct settings *s, const struct wv_opts *opts)
{
	if (s->check && has_format(s, "frame"))
		wv_usage(opts, "--check writes no Frames");
	if (s->check && (s->keep || s->fields != NULL || s->show))
		wv_usage(opts,
			"--check only judges: --keep, --fields and --show are "
			"about what is written");
	if (!s->check &&
		(s->diff || wv_walk_has_options(&s->walk) ||
			s->baseline != NULL))
		wv_usage(opts,
			"--diff, --files0-from, --exclude and --baseline are "
			"about --check");
	if (s->baseline_write && (s->baseline == NULL || s->formats.count > 0))
		wv_usage(opts,
			"--baseline-write writes the file of --baseline, and "
			"no report");
	if (s->diff && s->lines)
		wv_usage(opts, "--diff and --lines exclude each other");
	if (!s->check && (s->show ? !has_format(s, "text") : false))
		wv_usage(opts, "--show is about -f text");
	if (s->fields != NULL && has_format(s, "text"))
		wv_usage(opts, "--fields is about Frames");
}

/* "a,b" as a list. */
static void
split_fields(struct settings *s, const struct wv_opts *opts)
{
	char *rest = s->fields != NULL ? wv_xstrdup(s->fields) : NULL;
	struct values list = { 0 };

	while (rest != NULL) {
		char *name = strsep(&rest, ",");
		if (*name == '\0')
			wv_usage(opts, "--fields: a name is empty");
		add_value(&list, name);
	}
	s->options.fields = (const char *const *)list.list;
}

void
options_read(struct settings *s, struct wv_opts *opts)
{
	int id;

	*s = (struct settings){ .options = WV_FIREWALL_OPTIONS_INIT,
		.capability_id = WV_NO_CAPABILITY,
		.quota = WV_ARTIFACT_QUOTA,
		.max_input = MAX_INPUT };
	while ((id = wv_opt_next(opts)) != 0)
		if (!take_output(s, opts, id) && !take_rules(s, opts, id))
			take_check(s, opts, id);
	check_options(s, opts);
	split_fields(s, opts);
}

void
options_tell_fields(const struct settings *settings, uint64_t met)
{
	const char *const *fields = settings->options.fields;

	for (size_t i = 0; i < 64 && fields != NULL && fields[i] != NULL; i++) {
		const char *first = fields[i] + strspn(fields[i], "$./");
		int n = (int)strcspn(first, "./[");
		if ((met >> i & 1) != 0 || n == 0 ||
			n == (int)strlen(fields[i]))
			continue;
		wv_warn("--fields: no output has a member \"%s\"; names are "
			"no paths: write %.*s, and all that is below it is "
			"shown",
			fields[i], n, first);
	}
}

void
options_free(struct settings *s)
{
	if (s->options.fields != NULL)
		free((void *)s->options.fields[0]);
	free((void *)s->options.fields);
	free(s->formats.list);
	wv_walk_free(&s->walk);
}
