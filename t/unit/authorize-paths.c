/* SPDX-License-Identifier: Apache-2.0 */
/* Paths in a policy: cmd/wv-authorize/paths.c. */
#include "cmd/wv-authorize/paths.c"

#include "tap.h"

#include <unistd.h>

static struct wv_arena arena = WV_ARENA_INIT;
static char root[] = "/tmp/wv-paths-XXXXXX";

static cJSON *
globs(const char *pattern)
{
	cJSON *list = wv_json_array(&arena);

	wv_push(list, wv_json_string(&arena, pattern));
	return list;
}

/* A pattern and a path, both beneath root. */
static void
check(const char *pattern, const char *path, enum policy_match want,
	const char *what)
{
	const char *glob = wv_printf(&arena, "%s%s", root, pattern);
	const char *full = wv_printf(&arena, "%s%s", root, path);
	enum policy_match got =
		policy_path_match(globs(glob), wv_json_string(&arena, full));

	if (!ok(got == want, "%s", what))
		printf("# %s with %s: got %d, want %d\n", glob, full, got,
			want);
}

static void
check_value(cJSON *value, enum policy_match want, const char *what)
{
	ok(policy_path_match(globs("/**"), value) == want, "%s", what);
}

static void
make_tree(void)
{
	if (mkdtemp(root) == NULL || chdir(root) != 0 ||
		mkdir("docs", 0700) != 0 || mkdir("secret", 0700) != 0 ||
		symlink("../secret", "docs/in") != 0 ||
		symlink("nowhere", "docs/dangling") != 0 ||
		symlink("loop", "docs/loop") != 0)
		puts("Bail out! cannot make the folders");
}

static void
remove_tree(void)
{
	unlink("docs/in");
	unlink("docs/dangling");
	unlink("docs/loop");
	rmdir("docs");
	rmdir("secret");
	if (chdir("/") == 0)
		rmdir(root);
}

int
main(void)
{
	cJSON *list = wv_json_array(&arena);

	make_tree();
	check("/docs/**", "/docs/a.txt", POLICY_YES, "a file to be made");
	check("/docs/**", "/docs", POLICY_NO, "the folder is not within");
	check("/docs/*", "/docs/a/b", POLICY_NO, "a star stays in its segment");
	check("/docs/**", "//docs/./x//y/../a", POLICY_YES,
		"dots and slashes are worked out");
	check("/docs/**", "/docs/../secret/a", POLICY_NO,
		"a way out is no way in");
	check("/docs/**", "/docs/no/such/../../../secret/a", POLICY_NO,
		"also through folders that are not there");
	check("/docs/**", "/docs/in/a", POLICY_UNKNOWN,
		"a link that leads out (kernel-cases A9)");
	check("/secret/**", "/docs/in/a", POLICY_UNKNOWN,
		"is not known from the other side either");
	check("/docs/**", "/docs/dangling", POLICY_UNKNOWN,
		"a link to nowhere");
	check("/docs/**", "/docs/dangling/x", POLICY_UNKNOWN, "or through it");
	check("/docs/**", "/docs/loop", POLICY_UNKNOWN, "a loop of links");

	check_value(NULL, POLICY_NO, "no value");
	check_value(wv_json_string(&arena, "/no-such-thing"), POLICY_YES,
		"a name at the root that is not there");
	check_value(wv_json_string(&arena, "/"), POLICY_YES, "the root");
	check_value(wv_json_string(&arena, "docs/a"), POLICY_UNKNOWN,
		"a relative path");
	check_value(wv_json_string(&arena, ""), POLICY_UNKNOWN, "no path");
	check_value(wv_json_stringn(&arena, "/a\xc0\x80", 4), POLICY_UNKNOWN,
		"U+0000 in it");
	check_value(wv_json_int(&arena, 1), POLICY_UNKNOWN, "a number");
	check_value(list, POLICY_NO, "an empty list");
	wv_push(list, wv_json_string(&arena, "/a"));
	wv_push(list, wv_json_string(&arena, "/b"));
	check_value(list, POLICY_YES, "a list of which all match");
	ok(policy_path_match(globs("/a"), list) == POLICY_UNKNOWN,
		"a list of which one matches");
	remove_tree();
	wv_arena_free(&arena);
	return done();
}
