/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resources of a tool before and after: cmd/wv-call/changes.c.
 *
 * links: cmd/wv-call/look.c
 */
#include "cmd/wv-call/changes.c"

#include "left.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct wv_arena arena = WV_ARENA_INIT;
static struct wv_err err;
/* In memory if that can be: many files are made. */
static char memory[] = "/dev/shm/call-changes.XXXXXX";
static char disk[] = "/tmp/call-changes.XXXXXX";
static const char *root;
static char said[65536];

static void
must(bool good)
{
	if (good)
		return;
	printf("Bail out! a test could not be prepared: %s\n", strerror(errno));
	exit(1);
}

static void
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

/* An empty folder to work in. */
static void
fresh(const char *name)
{
	must(chdir(root) == 0);
	must(mkdir(name, 0755) == 0 && chdir(name) == 0);
}

/* `name kind path access` of each resource; a space separates. */
static cJSON *
resources(const char *text)
{
	cJSON *list = wv_json_array(&arena);
	char *copy = wv_dup(&arena, text), *save, *word[4];

	for (char *w = strtok_r(copy, " ", &save); w != NULL;) {
		cJSON *resource = wv_json_object(&arena);
		for (int i = 0; i < 4; i++) {
			must(w != NULL);
			word[i] = w;
			w = strtok_r(NULL, " ", &save);
		}
		wv_put_string(&arena, resource, "name", word[0]);
		wv_put_string(&arena, resource, word[1], word[2]);
		wv_put_string(&arena, resource, "access", word[3]);
		wv_push(list, resource);
	}
	return list;
}

static struct changes *
begin(const char *text)
{
	struct changes *changes;

	wv_err_clear(&err);
	changes = changes_begin(resources(text), &err);
	if (changes == NULL)
		printf("# %s\n", err.text);
	return changes;
}

/* `resource path change`, each in brackets, the digests' first digits where
 * there are any; then who was violated. */
static const char *
end(struct changes *changes)
{
	struct wv_str out = { 0 };
	const char *violated;
	cJSON *list;

	wv_err_clear(&err);
	if (changes == NULL ||
		changes_end(changes, &arena, &list, &violated, &err) < 0)
		return wv_dup(&arena, err.text);
	wv_json_each(change, list) {
		const char *before = wv_get_string(change, "before");
		const char *after = wv_get_string(change, "after");
		const char *path = wv_get_string(change, "path");
		wv_str_chr(&out, '[');
		if (path == NULL)
			wv_json_write(&out, wv_get(change, "more"));
		else
			wv_str_fmt(&out, "%s %s %s",
				wv_get_string(change, "resource"), path,
				wv_get_string(change, "change"));
		wv_str_fmt(&out, "%s%.4s%s%.4s]", before ? " " : "",
			before ? before : "", after ? " -> " : "",
			after ? after : "");
	}
	if (violated != NULL)
		wv_str_fmt(&out, " violated: %s", violated);
	snprintf(said, sizeof said, "%s", out.s != NULL ? out.s : "");
	wv_str_free(&out);
	return said;
}

static void
test_kinds_of_change(void)
{
	struct changes *c;

	fresh("kinds");
	must(mkdir("d", 0755) == 0 && mkdir("d/sub", 0755) == 0);
	put("d/sub/b", "b");
	put("d/a", "a");
	put("d/same", "same");
	c = begin("r dir d read_write");
	is(end(c), "", "nothing changed");
	c = begin("r dir d read_write");
	put("d/a", "x");
	put("d/new", "new");
	put("d/same", "same");
	must(unlink("d/sub/b") == 0 && rmdir("d/sub") == 0);
	is(end(c),
		"[r a modified ca97 -> 2d71][r new created -> 1150]"
		"[r sub removed][r sub/b removed 3e23]",
		"created, modified, removed, in order; the same bytes are no "
		"change");
	c = begin("r dir d read_write");
	must(chmod("d/a", 0755) == 0);
	is(end(c), "[r a modified 2d71 -> 2d71]", "so for permissions alone");
	c = begin("r dir d read_write");
	must(mkdir("d/empty", 0755) == 0 && chmod("d", 0700) == 0);
	is(end(c), "[r . modified][r empty created]", "and for folders");
	c = begin("r dir d read_write");
	must(rename("d/a", "d/z") == 0);
	is(end(c), "[r a removed 2d71][r z created -> 2d71]", "a new name");
	c = begin("r dir d read_write");
	must(unlink("d/z") == 0 && mkdir("d/z", 0755) == 0);
	is(end(c), "[r z modified 2d71]", "another kind");
	changes_drop(begin("r dir d read_write"));
	changes_drop(NULL);
}

static void
test_places(void)
{
	struct changes *c;

	fresh("places");
	c = begin("one file x/one read_write two dir two read_write "
		  "three dir three read_write");
	must(mkdir("x", 0755) == 0 && mkdir("two", 0755) == 0);
	put("x/one", "1");
	put("two/\n\xff", "2");
	is(end(c),
		"[one one created -> 6b86][two . created]"
		"[two \\n\\xff created -> d473]",
		"what did not exist was empty; names are shown as they can be");
	c = begin("one file x/one read_write two dir two read_write");
	must(rename("x", "y") == 0 && rename("two", "2") == 0);
	is(end(c),
		"[one one removed 6b86][two . removed]"
		"[two \\n\\xff removed d473]",
		"what does not exist any more");
	must(rename("y", "x") == 0 && rename("2", "two") == 0);
	c = begin("b dir two read_write a file x/one read_write");
	put("x/one", "3");
	put("two/z", "4");
	is(end(c), "[b z created -> 4b22][a one modified 6b86 -> 4e07]",
		"in the order of the resources");
	c = begin("in dir two read_only out file two/z read_write");
	put("two/z", "5");
	is(end(c),
		"[in z modified 4b22 -> ef2d][out z modified 4b22 -> ef2d] "
		"violated: in",
		"what lies in two is of both");
	c = begin("a dir two read_write b file x/one read_only "
		  "c file two/z read_only");
	put("x/one", "6");
	put("two/z", "6");
	ok(strstr(end(c), " violated: b") != NULL,
		"the first read_only one that changed is named");
}

static void
test_refused(void)
{
	fresh("refused");
	must(mkdir("d", 0755) == 0 && symlink("d", "link") == 0);
	put("f", "f");
	ok(begin("r dir f read_only") == NULL, "a file for a folder");
	is(err.text, "resource \"r\" is not a folder", "it says so");
	ok(begin("r file d read_only") == NULL, "a folder for a file");
	is(err.text, "resource \"r\" is not a regular file", "it says so");
	ok(begin("r dir link read_only") == NULL, "a link");
	is(err.text, "resource \"r\" is a symbolic link: name what it leads to",
		"it says so");
	is(end(begin("r dir f/g read_only")), "", "beneath a file is nothing");
}

/* Times that an unprivileged tool can set are not believed. */
static void
test_times_restored(void)
{
	struct timespec times[2];
	struct changes *c;
	struct stat st;

	fresh("times");
	put("f", "before");
	must(stat("f", &st) == 0);
	c = begin("r file f read_only");
	put("f", "after!");
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	must(utimensat(AT_FDCWD, "f", times, 0) == 0);
	ok(strstr(end(c), "[r f modified") != NULL,
		"same size and mtime, another content");

	c = begin("r file f read_only");
	put("g", "hidden");
	must(stat("f", &st) == 0);
	times[1] = st.st_mtim;
	must(utimensat(AT_FDCWD, "g", times, 0) == 0 && rename("g", "f") == 0);
	ok(strstr(end(c), "[r f modified") != NULL,
		"another file in its place");

	c = begin("r file f read_only");
	must(utimensat(AT_FDCWD, "f", NULL, 0) == 0);
	is(end(c), "", "other times alone are no change");
}

/* As if it had been so for a day: what is not fresh is not read again. */
static void
age(struct changes *c)
{
	for (size_t i = 0; i < c->before.count; i++)
		c->before.items[i].may_hide = false;
}

static void
test_read_again(void)
{
	struct changes *c;

	fresh("again");
	put("f", "abc");
	c = begin("r file f read_write");
	ok(c->before.items[0].may_hide, "a fresh file may hide a change");
	c->before.items[0].sum[0] ^= 1;
	ok(strstr(end(c), "modified") != NULL, "so it is read again");
	c = begin("r file f read_write");
	age(c);
	c->before.items[0].sum[0] ^= 1;
	is(end(c), "", "one that is not, and has the same times, is not");
	c = begin("r file f read_write");
	age(c);
	put("f", "xyz");
	ok(strstr(end(c), "modified") != NULL, "but if it has others");
	c = begin("r file f read_write");
	age(c);
	must(chmod("f", 0600) == 0);
	ok(strstr(end(c), "modified") != NULL, "or another mode");
}

/* A mapping in a memory file system sets no time. */
static void
test_mapped(void)
{
	struct changes *c;

	fresh("mapped");
	put("f", "abc");
	int fd = open("f", O_RDWR);
	volatile char *p =
		mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(p != MAP_FAILED && p[0] == 'a');
	c = begin("r file f read_only");
	if (root == memory)
		ok(c->before.items[0].may_hide, "such a file is read again");
	p[0] = 'x';
	ok(strstr(end(c), "violated: r") != NULL,
		"what is written through a mapping is found");
	munmap((void *)p, 3);
	close(fd);
}

static void
test_links(void)
{
	struct changes *c;

	fresh("links");
	must(mkdir("d", 0755) == 0 && mkdir("out", 0755) == 0);
	put("out/f", "f");
	must(symlink("../out", "d/out") == 0 && symlink(".", "d/self") == 0 &&
		symlink("loop2", "d/loop1") == 0 &&
		symlink("loop1", "d/loop2") == 0 &&
		symlink("/nowhere", "d/gone") == 0);
	c = begin("r dir d read_write");
	put("out/f", "g");
	is(end(c), "", "links are not followed, however they go around");
	c = begin("r dir d read_write");
	must(unlink("d/gone") == 0 && symlink("/elsewhere", "d/gone") == 0);
	is(end(c), "[r gone modified 0014 -> b660]", "a link's target counts");
	c = begin("r dir d read_write");
	must(rename("d", "e") == 0 && symlink("e", "d") == 0);
	ok(strncmp(end(c), "[r . modified", 13) == 0 &&
			strstr(said, "[r gone removed") != NULL,
		"a link in its place is not what was there");
	must(unlink("d") == 0 && rename("e", "d") == 0);

	put("d/f", "text");
	c = begin("r file d/f read_only");
	must(unlink("d/f") == 0 && symlink("text", "d/f") == 0);
	ok(strstr(end(c), "violated: r") != NULL,
		"a link to what the file said is no such file");
}

static void
test_other_kinds(void)
{
	struct changes *c;

	fresh("other");
	must(mkdir("d", 0755) == 0);
	c = begin("r dir d read_write");
	must(mkfifo("d/fifo", 0644) == 0);
	is(end(c), "[r fifo created]", "a fifo does not block");
	c = begin("r dir d read_write");
	is(end(c), "", "nor is it a change when it stays");
}

/* Whoever may read everything gives that up. */
static void
test_unreadable(void)
{
	uid_t old = geteuid();
	struct changes *c;

	fresh("unreadable");
	must(mkdir("d", 0755) == 0 && chmod(root, 0755) == 0);
	put("d/f", "f");
	c = begin("r dir d read_only");
	must(chmod("d/f", 0) == 0 && (old != 0 || seteuid(65534) == 0));
	is(end(c), "resource \"r\": f: Permission denied",
		"what cannot be read after the run is an error");
	ok(begin("r dir d read_only") == NULL, "so before it");
	must(seteuid(old) == 0 && chmod("d", 0) == 0 &&
		(old != 0 || seteuid(65534) == 0));
	ok(begin("r dir d read_only") == NULL, "so for a folder");
	is(err.text, "resource \"r\": .: Permission denied", "it says so");
	must(seteuid(old) == 0 && chmod("d", 0755) == 0);
}

static void
test_limits(void)
{
	struct changes *c;
	char cwd[] = "deep";

	fresh("limits");
	must(mkdir("d", 0755) == 0);
	c = begin("r dir d read_write");
	int fd = open("d/f", O_WRONLY | O_CREAT, 0644);
	must(fd >= 0);
	if (ftruncate(fd, (off_t)CHANGES_BYTES + 1) == 0)
		is(end(c), "resources hold more than 8589934592 bytes",
			"a file of holes does not keep us busy");
	close(fd);
	must(unlink("d/f") == 0);

	for (int i = 0; i < CHANGES_DEPTH; i++)
		must(mkdir(cwd, 0755) == 0 && chdir(cwd) == 0);
	must(chdir(root) == 0 && chdir("limits") == 0);
	changes_drop(c = begin("r dir deep read_write"));
	ok(c != NULL, "as deep as it may be");
	c = begin("r dir deep read_write");
	for (int i = 0; i < CHANGES_DEPTH; i++)
		must(chdir(cwd) == 0);
	must(mkdir(cwd, 0755) == 0);
	must(chdir(root) == 0 && chdir("limits") == 0);
	is(end(c), "resource \"r\" has more than 100 folders within folders",
		"and no deeper");
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
fill(size_t from, size_t to)
{
	char name[32];

	for (; from < to; from++) {
		snprintf(name, sizeof name, "d/%05zu", from);
		must(mknod(name, S_IFREG | 0644, 0) == 0);
	}
}

static double
time_of_pair(void)
{
	double start = seconds();

	is(end(begin("r dir d read_write")), "", "none of many changed");
	return seconds() - start;
}

static void
test_many(void)
{
	struct changes *c;

	fresh("many");
	must(mkdir("d", 0755) == 0);
	fill(0, 1000);
	time_of_pair();
	double few = time_of_pair();
	c = begin("r dir d read_only s dir d read_write");
	fill(1000, 10000);
	/* 63 by name, then what else there is of both */
	ok(strstr(end(c), "[r 01062 created -> e3b0][17937] violated: r") !=
			NULL,
		"so many are told apart, the others counted");
	double many = time_of_pair();
	ok(many < few * 40 + 0.2, "ten times as many take ten times as long");
	printf("# 1,000 files: %.0f ms, 10,000: %.0f ms\n", few * 1e3,
		many * 1e3);
}

static void
test_too_many(void)
{
	struct look look = { 0 };

	/* Every name counts, so one folder that is named again will do. */
	must(chdir(root) == 0 && chdir("many") == 0);
	cJSON *list = wv_json_array(&arena);
	for (int i = 0; i < 10; i++)
		wv_push(list, resources("r dir d read_only")->child);
	wv_err_clear(&err);
	ok(look_at(&look, list, NULL, &err) < 0, "more than the limit");
	is(err.text, "resources hold more than 100000 files", "it says so");
	look_free(&look);
}

int
main(void)
{
	int before = open_descriptors();

	umask(022);
	root = mkdtemp(memory) != NULL ? memory : mkdtemp(disk);
	must(root != NULL);
	test_kinds_of_change();
	test_places();
	test_refused();
	test_times_restored();
	test_read_again();
	test_mapped();
	test_links();
	test_other_kinds();
	test_unreadable();
	test_limits();
	test_many();
	test_too_many();
	ok(open_descriptors() == before, "every descriptor is closed");
	must(chdir("/") == 0);
	nftw(root, remove_one, 128, FTW_DEPTH | FTW_PHYS);
	wv_arena_free(&arena);
	return done();
}
