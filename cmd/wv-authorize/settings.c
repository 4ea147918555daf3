/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include "base/msg.h"
#include "kernel/system.h"

#include <string.h>
#include <unistd.h>

const char **
settings_add(const char **list, size_t *count, const char *value)
{
	list = wv_list_room(list, *count, sizeof *list);
	list[(*count)++] = value;
	return list;
}

static const char *
or_env(const char *value, const char *name)
{
	return wv_system_choose(NULL, NULL, value, name);
}

/* The administrator's catalogues are all of them, and others none. */
static void
fix_catalogs(struct sources *from, const struct wv_system *fixed)
{
	for (size_t i = 0; i < from->catalog_count; i++) {
		bool is_fixed = false;
		wv_json_each(file, fixed->catalog)
			is_fixed |= strcmp(file->valuestring,
					    from->catalogs[i]) == 0;
		if (!is_fixed)
			wv_die("\"%s\" is none of the catalogues that %s "
			       "fixes",
				from->catalogs[i], fixed->path);
	}
	from->catalog_count = 0;
	wv_json_each(file, fixed->catalog)
		from->catalogs = settings_add(from->catalogs,
			&from->catalog_count, file->valuestring);
}

static void
add_env_catalog(struct sources *from)
{
	const char *env = or_env(NULL, "WV_CATALOG");

	if (from->catalog_count == 0 && env != NULL)
		from->catalogs =
			settings_add(from->catalogs, &from->catalog_count, env);
}

/* What is given, what the environment says, and what is fixed. */
static void
choose_sources(struct settings *s, const struct wv_opts *opts)
{
	const struct wv_system *fixed = wv_system();
	struct sources *from = &s->from;
	struct authorizer *a = &s->a;

	from->policy = wv_system_choose(
		fixed->policy, "--policy", from->policy, "WV_POLICY");
	from->keyring = wv_system_choose(
		fixed->keyring, "--keyring", from->keyring, "WV_KEYRING");
	from->tokens = or_env(from->tokens, "WV_TOKEN");
	add_env_catalog(from);
	if (fixed->catalog != NULL)
		fix_catalogs(from, fixed);
	a->principal = or_env(a->principal, "WV_PRINCIPAL");
	if (fixed->require_signed && a->trust.unsigned_too)
		wv_die("--trust-unsigned, but %s requires signed tokens",
			fixed->path);
	a->trust.signed_only |= fixed->require_signed;
	if (a->trust.signed_only && from->keyring == NULL)
		wv_usage(opts,
			"--require-signed needs a keyring: "
			"--keyring FILE");
	if (from->tokens == NULL)
		wv_usage(opts, "no token: -k FILE");
}

/* Nothing real is decided by a table: what the machine's administrator has
 * fixed may be judged by it, and so may what it is to be next. */
static void
choose_table(struct settings *s, const struct wv_opts *opts)
{
	struct authorizer *a = &s->a;

	if (s->from.tokens != NULL || s->from.keyring != NULL ||
		s->from.state != NULL || a->trust.unsigned_too || a->dry_run)
		wv_usage(opts,
			"the cases of --test have their own tokens and "
			"no state: no -k, --keyring, --trust-unsigned, "
			"--state, --dry-run");
	if (opts->operand_count > 0)
		wv_usage(opts, "--test takes one file of cases, no others");
	s->from.policy = or_env(s->from.policy, "WV_POLICY");
	add_env_catalog(&s->from);
}

void
settings_check(struct settings *s, const struct wv_opts *opts)
{
	struct authorizer *a = &s->a;
	bool is_stdin = s->test != NULL ? strcmp(s->test, "-") == 0
					: opts->operand_count == 0;

	if (a->trust.signed_only && a->trust.unsigned_too)
		wv_usage(opts,
			"--require-signed and --trust-unsigned exclude each "
			"other");
	if (s->test == NULL && (s->strict || s->format_count > 0))
		wv_usage(opts, "--strict and --format need --test");
	if (s->test != NULL)
		choose_table(s, opts);
	else
		choose_sources(s, opts);
	if (s->from.policy == NULL)
		wv_usage(opts, "no policy: -p FILE");
	if (strcmp(s->from.policy, "-") == 0 ||
		(s->from.tokens != NULL && strcmp(s->from.tokens, "-") == 0))
		wv_usage(opts, "standard input is for the records");
	if (a->principal != NULL && !is_principal(a->principal))
		wv_usage(opts, "--principal: not a principal's id");
	if (is_stdin && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}
