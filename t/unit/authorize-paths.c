/* SPDX-License-Identifier: Apache-2.0 */
/* Paths in a policy: cmd/wv-authorize/paths.c and protect.c. */
#include "cmd/wv-authorize/paths.c"
#include "cmd/wv-authorize/protect.c"

#include "tap.h"

#include <sys/stat.h>

static struct wv_arena arena = WV_ARENA_INIT;
static char root[] = "/tmp/wv-paths-XXXXXX";

static const struct policy_value *
read_value(cJSON *node, const char *folder, const struct policy_place *places)
{
	struct policy_paths paths = { &arena, folder, places, NULL };

	return policy_value_read(&paths, node);
}

static const struct policy_value *
read_text(const char *text, const char *folder)
{
	return read_value(wv_json_string(&arena, text), folder, NULL);
}

static cJSON *
globs(const char *pattern)
{
	cJSON *list = wv_json_array(&arena);

	wv_push(list, wv_json_string(&arena, pattern));
	return list;
}

/* What a value is to an allow and to a deny. */
static void
judge(const struct policy_value *value, const char *pattern,
	enum policy_match all, enum policy_match any, const char *what)
{
	enum policy_match got_all =
		policy_value_match(value, globs(pattern), false);
	enum policy_match got_any =
		policy_value_match(value, globs(pattern), true);

	if (!ok(got_all == all && got_any == any, "%s", what))
		printf("# %s: allow %d, want %d; deny %d, want %d\n", pattern,
			got_all, all, got_any, any);
}

/* A pattern and a path, both beneath root. */
static void
check(const char *pattern, const char *path, enum policy_match all,
	enum policy_match any, const char *what)
{
	judge(read_text(wv_printf(&arena, "%s%s", root, path), NULL),
		wv_printf(&arena, "%s%s", root, pattern), all, any, what);
}

static void
check_text(const char *text, const char *folder, const char *pattern,
	enum policy_match want, const char *what)
{
	judge(read_text(text, folder), pattern, want, want, what);
}

static void
make_tree(void)
{
	if (mkdtemp(root) == NULL || chdir(root) != 0 ||
		mkdir("docs", 0700) != 0 || mkdir("secret", 0700) != 0 ||
		mkdir("secret/deep", 0700) != 0 ||
		symlink("../secret", "docs/in") != 0 ||
		symlink("secret/deep", "deep") != 0 ||
		symlink("nowhere", "docs/dangling") != 0 ||
		symlink("loop", "docs/loop") != 0 ||
		close(open("secret/key", O_CREAT | O_WRONLY, 0600)) != 0 ||
		close(open("docs/other", O_CREAT | O_WRONLY, 0600)) != 0 ||
		link("secret/key", "docs/hard") != 0 ||
		link("docs/other", "docs/twice") != 0)
		puts("Bail out! cannot make the folders");
}

static void
remove_tree(void)
{
	static const char *const names[] = { "docs/in", "deep", "docs/dangling",
		"docs/loop", "docs/hard", "docs/other", "docs/twice",
		"secret/key", "secret/deep", "secret", "docs" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		remove(names[i]);
	if (chdir("/") == 0)
		rmdir(root);
}

static void
test_forms(void)
{
	check("/docs/**", "/docs/a.txt", POLICY_YES, POLICY_YES,
		"a file to be made");
	check("/docs/**", "/docs", POLICY_NO, POLICY_NO,
		"the folder is not within");
	check("/docs/*", "/docs/a/b", POLICY_NO, POLICY_NO,
		"a star stays in its segment");
	check("/docs/**", "/DOCS/a", POLICY_NO, POLICY_NO,
		"upper and lower case differ");
	check("/docs/**", "//docs/./x//y/../a", POLICY_YES, POLICY_YES,
		"dots and slashes are worked out");
	check("/docs/**", "/docs/../secret/a", POLICY_NO, POLICY_NO,
		"a way out is no way in");
	check("/docs/**", "/docs/no/such/../../../secret/a", POLICY_NO,
		POLICY_NO, "also through folders that are not there");
}

/* cases A9 */
static void
test_links(void)
{
	check("/docs/**", "/docs/in/a", POLICY_NO, POLICY_YES,
		"a linked folder that leads out (kernel-cases A9)");
	check("/secret/**", "/docs/in/a", POLICY_NO, POLICY_YES,
		"is denied from the other side too");
	check("/docs/**", "/docs/dangling", POLICY_UNKNOWN, POLICY_YES,
		"a link to nowhere is not allowed");
	check("/secret/**", "/docs/dangling/x", POLICY_NO, POLICY_UNKNOWN,
		"and may be denied");
	check("/docs/**", "/docs/loop", POLICY_UNKNOWN, POLICY_YES,
		"a loop of links");
	check("/docs/**", "/docs/other/x", POLICY_UNKNOWN, POLICY_YES,
		"a file is no folder");
	/* opened as it is: /secret/key; by a tool that cleans it first: /key */
	check("/secret/**", "/deep/../key", POLICY_NO, POLICY_YES,
		"a .. behind a link, as the file system takes it");
	check("/key", "/deep/../key", POLICY_NO, POLICY_YES,
		"and as a tool may that works it out first");
	check("/docs/**", "/deep/../../docs/a", POLICY_NO, POLICY_YES,
		"both have to be right");
	/* cleaned: /docs/in/key, which is /secret/key */
	check("/docs/**", "/docs/no/../in/key", POLICY_NO, POLICY_YES,
		"what was worked out is resolved again");
}

static void
test_spellings(void)
{
	check("/docs/**", "/docs/100%25.txt", POLICY_YES, POLICY_YES,
		"a percent sign within is no way out");
	check("/docs/**", "/docs/%2e%2E/secret/a", POLICY_NO, POLICY_YES,
		"percent-encoding is decoded");
	check("/secret/**", "/docs/%2e%2e%2Fsecret/a", POLICY_NO, POLICY_YES,
		"and the other side seen");
	check("/secret/**", "/docs/%252e%252e/secret/a", POLICY_NO, POLICY_NO,
		"but once");
	check("/docs/**", "/docs/a%00.txt", POLICY_UNKNOWN, POLICY_YES,
		"an encoded NUL");
	check("/secret/**", "/docs/a%0a", POLICY_NO, POLICY_UNKNOWN,
		"an encoded line end");
	check("/docs/**", "/docs/%", POLICY_YES, POLICY_YES, "a lone percent");
	check("/docs/**", "/docs/%zz%4", POLICY_YES, POLICY_YES,
		"what is no encoding");
	judge(read_text("%2fetc/shadow", "/srv"), "/srv/**", POLICY_NO,
		POLICY_YES, "an encoded slash makes another path of it");
}

static void
test_unknown(void)
{
	check_text("docs/a", NULL, "/**", POLICY_UNKNOWN,
		"a relative path of a tool without a folder");
	check_text("docs/a", "/srv", "/srv/docs/*", POLICY_YES,
		"a relative path joins the tool's folder");
	check_text("../etc/x", "/srv", "/srv/**", POLICY_NO,
		"and may lead out of it");
	check_text("", "/srv", "/**", POLICY_UNKNOWN, "no path");
	check_text("~/x", "/srv", "/**", POLICY_UNKNOWN, "a shell's ~");
	check_text("~root", "/srv", "/**", POLICY_UNKNOWN, "and another's");
	check_text(
		"file:///etc/passwd", "/srv", "/**", POLICY_UNKNOWN, "a URL");
	check_text("FILE:/etc/passwd", "/srv", "/**", POLICY_UNKNOWN,
		"a short one");
	check_text("C:\\x", "/srv", "/**", POLICY_UNKNOWN, "a drive");
	check_text("/srv/a:b", NULL, "/srv/*", POLICY_YES,
		"a colon in an absolute path");
	check_text("/a\n", NULL, "/a*", POLICY_UNKNOWN, "a line end");
	check_text("/a\x7f", NULL, "/a*", POLICY_UNKNOWN, "DEL");
	check_text("/a\xc2\x85", NULL, "/a*", POLICY_UNKNOWN, "a C1 control");
	check_text("/a\xc0\x80", NULL, "/a*", POLICY_UNKNOWN, "U+0000 in it");
	judge(read_text("/proc/self/cwd/x", NULL), "/proc/**", POLICY_NO,
		POLICY_YES, "what differs from process to process");
	judge(read_text("/dev/fd/0", NULL), "/x", POLICY_NO, POLICY_UNKNOWN,
		"a descriptor");
	check_text("/no-such-thing", NULL, "/**", POLICY_YES,
		"a name at the root that is not there");
	check_text("/", NULL, "/**", POLICY_YES, "the root");
}

static cJSON *
list_of(const char *a, const char *b)
{
	cJSON *list = wv_json_array(&arena);

	wv_push(list, wv_json_string(&arena, a));
	wv_push(list, wv_json_string(&arena, b));
	return list;
}

static void
test_lists(void)
{
	cJSON *list = list_of("/a", "/b");

	judge(read_value(wv_json_array(&arena), NULL, NULL), "/**", POLICY_NO,
		POLICY_NO, "an empty list");
	judge(read_value(list, NULL, NULL), "/*", POLICY_YES, POLICY_YES,
		"a list of which all match");
	judge(read_value(list, NULL, NULL), "/b", POLICY_NO, POLICY_YES,
		"a list of which one matches");
	judge(read_value(list, NULL, NULL), "/c", POLICY_NO, POLICY_NO,
		"a list of which none does");
	wv_push(list, wv_json_int(&arena, 1));
	judge(read_value(list, NULL, NULL), "/*", POLICY_UNKNOWN, POLICY_YES,
		"a number in it");
	judge(read_value(wv_json_int(&arena, 1), NULL, NULL), "/**",
		POLICY_UNKNOWN, POLICY_UNKNOWN, "a number");
	list = wv_json_array(&arena);
	for (int i = 0; i <= POLICY_PATHS_MAX; i++)
		wv_push(list, wv_json_string(&arena, "/a"));
	judge(read_value(list, NULL, NULL), "/**", POLICY_UNKNOWN,
		POLICY_UNKNOWN, "a list of more than a thousand");
}

static bool
guarded(const struct policy *policy, const char *path)
{
	const char *text = wv_printf(&arena, "%s%s", root, path);

	return read_value(wv_json_string(&arena, text), NULL, policy->places)
		->is_protected;
}

static void
protect(struct policy *policy, const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	const char *full = wv_printf(&arena, "%s%s", root, path);

	ok(policy_protect(policy, full, &err) == 0, "%s is protected", path);
}

static void
test_protect(void)
{
	struct policy folder = { .arena = WV_ARENA_INIT };
	struct policy file = { .arena = WV_ARENA_INIT };
	struct wv_err err = WV_ERR_INIT;

	protect(&folder, "/docs/in"); /* a link to secret */
	ok(guarded(&folder, "/secret"), "the folder itself");
	ok(guarded(&folder, "/secret/key"), "what is in it");
	ok(guarded(&folder, "/secret/deep/new/x"), "what is not there yet");
	ok(guarded(&folder, "/docs/in/key"), "by way of a linked folder");
	ok(guarded(&folder, "/deep/../key"), "by .. behind a link");
	ok(guarded(&folder, "/docs/%2e%2e/secret"), "percent-encoded");
	ok(guarded(&folder, "/docs/hard"), "a hard link to a file in it");
	ok(!guarded(&folder, "/docs/twice"), "but not any hard link");
	ok(!guarded(&folder, "/docs/a"), "nor what is elsewhere");
	ok(!guarded(&folder, "/secretx"), "nor a name that begins like it");
	protect(&file, "/secret/key");
	ok(guarded(&file, "/secret/key"), "a file");
	ok(guarded(&file, "/docs/hard"), "its hard link");
	ok(!guarded(&file, "/secret/deep"), "and not its neighbours");
	if (remove("secret/key") == 0)
		ok(guarded(&file, "/secret/key"), "its name, while it is away");
	ok(policy_protect(&file, "/no/such/thing", &err) == -1 &&
			wv_err_is_set(&err),
		"what is not there cannot be protected");
	wv_arena_free(&folder.arena);
	wv_arena_free(&file.arena);
}

int
main(void)
{
	make_tree();
	test_forms();
	test_links();
	test_spellings();
	test_unknown();
	test_lists();
	test_protect();
	remove_tree();
	wv_arena_free(&arena);
	return done();
}
