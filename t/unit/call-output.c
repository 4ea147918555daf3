/* SPDX-License-Identifier: Apache-2.0 */
/* What a tool said, in memory and in files: cmd/wv-call/output.c. */
#include "cmd/wv-call/output.c"

#include "kernel.h"
#include "left.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct wv_state *state;

/* Files in artifacts/; the last one's name and content. */
static size_t
files(const char **name, struct wv_str *content)
{
	DIR *dir = opendir(path_of("artifacts"));
	size_t count = 0, n;
	char block[65536];

	must(dir != NULL);
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		if (name == NULL)
			continue;
		*name = wv_dup(&arena, entry->d_name);
		FILE *f = fopen(path_of(wv_printf(
					&arena, "artifacts/%s", entry->d_name)),
			"r");
		must(f != NULL);
		content->n = 0;
		while ((n = fread(block, 1, sizeof block, f)) > 0)
			wv_str_add(content, block, n);
		fclose(f);
	}
	closedir(dir);
	return count;
}

/* Byte i of what our tools say. */
static char
byte_at(size_t i)
{
	return (char)(i * 31 + i / 251);
}

static int
say(struct output *output, size_t from, size_t n)
{
	char *text = wv_xmalloc(n + 1);

	for (size_t i = 0; i < n; i++)
		text[i] = byte_at(from + i);
	wv_err_clear(&err);
	int status = output_add(output, text, n, &err);
	free(text);
	return status;
}

static bool
is_said(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] != byte_at(i))
			return false;
	}
	return true;
}

static bool
has_file_of(const struct output *output, size_t n)
{
	struct wv_str content = { 0 };
	char digest[WV_SHA256_HEX];
	const char *name = "";
	bool good = files(&name, &content) == 1 && content.n == n &&
		is_said(content.s, n) && output->artifact.size == n &&
		strcmp(name, output->artifact.file) == 0;

	wv_sha256_hex(digest, content.s, content.n);
	good = good && strcmp(digest, output->artifact.digest) == 0;
	wv_str_free(&content);
	return good;
}

static void
test_memory(void)
{
	struct output output;

	output_init(&output, state, (size_t)64 << 20);
	ok(say(&output, 0, 0) == 0 && output.size == 0, "nothing was said");
	ok(say(&output, 0, OUTPUT_MEMORY - 1) == 0 &&
			say(&output, OUTPUT_MEMORY - 1, 1) == 0,
		"as much as memory may hold");
	ok(!output.is_spilled && output.head.n == OUTPUT_MEMORY &&
			output.size == OUTPUT_MEMORY &&
			is_said(output.head.s, output.head.n) &&
			files(NULL, NULL) == 0,
		"is in memory, and no file is made");
	output_drop(&output);
	output_free(&output);
	ok(output.head.s == NULL, "it is freed");
}

static void
test_keep(void)
{
	struct output output;

	output_init(&output, state, 1000);
	say(&output, 0, 700);
	ok(output_keep(&output, &err) == 0 && has_file_of(&output, 700) &&
			!output.is_spilled && is_said(output.head.s, 700),
		"what is kept is in a file too, with its digest");
	ok(strncmp(output.artifact.handle_id, "handle-", 7) == 0,
		"which has an id");
	output_drop(&output);
	ok(files(NULL, NULL) == 0 && output.artifact.handle_id[0] == '\0',
		"what is dropped is removed");
	output_drop(&output);
	output_free(&output);

	output_init(&output, state, 1000);
	ok(output_keep(&output, &err) == 0 && has_file_of(&output, 0),
		"nothing can be kept");
	output_drop(&output);
	output_free(&output);
}

static void
test_spill(void)
{
	struct output output;
	size_t n = 0;

	output_init(&output, state, (size_t)64 << 20);
	while (n <= OUTPUT_MEMORY && say(&output, n, 60000) == 0)
		n += 60000;
	ok(output.is_spilled && files(NULL, NULL) == 1 && output.size == n,
		"what is beyond memory goes to a file");
	ok(output.head.n == OUTPUT_HEAD && output.head.cap <= 2 * OUTPUT_HEAD &&
			is_said(output.head.s, OUTPUT_HEAD),
		"its beginning stays, and no more");
	ok(say(&output, n, 5) == 0 && output_keep(&output, &err) == 0 &&
			has_file_of(&output, n + 5) &&
			output.head.n == OUTPUT_HEAD,
		"all of it is kept");
	output_drop(&output);
	output_free(&output);

	output_init(&output, state, (size_t)64 << 20);
	say(&output, 0, 10);
	ok(say(&output, 10, OUTPUT_MEMORY) == 0 && output.is_spilled &&
			output.head.n == OUTPUT_HEAD &&
			is_said(output.head.s, OUTPUT_HEAD),
		"a piece that is too large for memory has a beginning");
	output_drop(&output);
	ok(files(NULL, NULL) == 0, "what was not kept is removed");
	output_free(&output);
}

static void
test_too_much(void)
{
	struct output output;

	output_init(&output, state, 100);
	ok(say(&output, 0, 100) == 0, "as much as is allowed");
	ok(say(&output, 100, 1) < 0 && output.size == 100, "and no byte more");
	is(err.text, "more than 100 bytes of output", "it says so");
	output_free(&output);

	output_init(&output, state, OUTPUT_MEMORY + 100);
	say(&output, 0, OUTPUT_MEMORY + 50);
	ok(say(&output, 0, 51) < 0 &&
			output_add(&output, "", SIZE_MAX, &err) < 0,
		"so when it is in a file");
	output_drop(&output);
	output_free(&output);
	ok(files(NULL, NULL) == 0, "which can be removed then");
}

/* The limit of a file's size stands for a full disk: the state has told the
 * process to ignore its signal. */
static void
test_full(void)
{
	struct rlimit old, small;
	struct output output;

	getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_FSIZE, &small);
	output_init(&output, state, (size_t)64 << 20);
	ok(say(&output, 0, OUTPUT_MEMORY) == 0, "memory does not mind");
	ok(say(&output, OUTPUT_MEMORY, 1) < 0 &&
			strstr(err.text, "File too large") != NULL,
		"a disk that is full is an error");
	ok(files(NULL, NULL) == 0, "and leaves no file");
	output_drop(&output);
	output_free(&output);

	output_init(&output, state, (size_t)64 << 20);
	say(&output, 0, 2 << 20);
	wv_err_clear(&err);
	ok(output_keep(&output, &err) < 0 && wv_err_is_set(&err) &&
			files(NULL, NULL) == 0,
		"so for what shall be kept");
	output_drop(&output);
	output_free(&output);
	setrlimit(RLIMIT_FSIZE, &old);
}

int
main(void)
{
	state = fresh("output");
	int before = open_descriptors();
	test_memory();
	test_keep();
	test_spill();
	test_too_much();
	test_full();
	ok(open_descriptors() == before, "every descriptor is closed");
	wv_state_close(state);
	return end();
}
