/* SPDX-License-Identifier: Apache-2.0 */
/* The record loop.  Cases A1, A3, A5, A9, A11, A15, A17, A19, A25, A31. */
#include "base/msg.h"
#include "base/opt.h"
#include "json/form.h"
#include "json/lines.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;
static const struct wv_lines_options defaults = WV_LINES_OPTIONS_INIT;
static const struct wv_lines_options as_lines = {
	.max_line = (size_t)64 << 20,
	.json = WV_JSON_LIMITS_INIT,
	.all_lines = true,
};

/* What the last run() saw. */
static struct wv_str records; /* LINE:COLUMN:TEXT| of each */
static struct wv_str messages;
static struct wv_lines_counts counts;

/* A file without a name but this one, which has no suffix. */
static const char *
file_of(const char *text, size_t n)
{
	static char path[8][32];
	static int next;
	char *p = path[next++ % 8];
	int fd = memfd_create("wv", MFD_CLOEXEC);

	if (fd < 0 || wv_write_all(fd, text, n) < 0)
		exit(99);
	snprintf(p, sizeof path[0], "/proc/self/fd/%d", fd);
	return p;
}

static const char *
file(const char *text)
{
	return file_of(text, strlen(text));
}

static void
collect(const struct wv_record *rec)
{
	wv_str_fmt(&records, "%zu:%zu:", rec->line, rec->column);
	wv_str_add(&records, rec->text, rec->len);
	wv_str_chr(&records, '|');
}

/* Standard error goes to a file meanwhile. */
static int
catch_messages(void)
{
	int old = dup(STDERR_FILENO), fd = memfd_create("stderr", MFD_CLOEXEC);

	dup2(fd, STDERR_FILENO);
	close(fd);
	return old;
}

static void
read_messages(int old)
{
	ssize_t n;

	messages.n = 0;
	lseek(STDERR_FILENO, 0, SEEK_SET);
	while ((n = read(STDERR_FILENO, wv_str_room(&messages, 4096), 4096)) >
		0)
		messages.n += (size_t)n;
	wv_str_add(&messages, "", 0);
	dup2(old, STDERR_FILENO);
	close(old);
}

static int
run_files(char *const *files, const struct wv_lines_options *options)
{
	struct wv_lines in;
	struct wv_record rec;
	int old = catch_messages(), status;

	records.n = 0;
	wv_str_add(&records, "", 0);
	wv_lines_open(&in, files, options, NULL);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		collect(&rec);
		wv_arena_reset(&arena);
	}
	counts = in.counts;
	status = wv_lines_close(&in);
	read_messages(old);
	return status;
}

static int
run(const char *text, const struct wv_lines_options *options)
{
	char *files[] = { (char *)file(text), NULL };

	return run_files(files, options);
}

static bool
said(const char *words)
{
	if (strstr(messages.s, words) != NULL)
		return true;
	printf("# said: %s\n", messages.s);
	return false;
}

static void
test_lines(void)
{
	ok(run("{\"a\":1}\n\n \t\r\n [2]\r\n3\n", &as_lines) == 0, "all good");
	is(records.s, "1:1:{\"a\":1}|4:1: [2]\r|5:1:3|",
		"blank lines are skipped; the CR belongs to its line");
	run("\n\n1", &as_lines);
	is(records.s, "3:1:1|", "a last line without LF");
	ok(run("{\"id\":125276004817190914}\n[1.10,1E3,-0]\n", &as_lines) == 0,
		"A1: exact numbers");
	is(records.s, "1:1:{\"id\":125276004817190914}|2:1:[1.10,1E3,-0]|",
		"A1: as they came");
}

static void
test_bom(void)
{
	ok(run("\xef\xbb\xbf{}\n", &as_lines) == 0, "A3: a BOM at the start");
	is(records.s, "1:1:{}|", "A3: is no part of the record");
	ok(run("{}\n\xef\xbb\xbf{}\n[]\n", &as_lines) == 2,
		"A3: a BOM on line 2");
	ok(said(":2:1: byte order mark"), "A3: is named");
	is(records.s, "1:1:{}|3:1:[]|", "A3: the stream goes on");
	ok(run("\xef\xbb\xbf", &as_lines) == 2 && said("no records"),
		"nothing but a BOM");
	ok(run("\xef\xbb", &as_lines) == 2 && said(":1:1: incomplete last"),
		"half a BOM");
	ok(run("\xef\xbb\xbf\xef\xbb\xbf{}", &defaults) == 2 &&
			said("byte order mark"),
		"two of them");
}

static void
test_bad_records(void)
{
	struct wv_lines_options options = as_lines;

	ok(run("{\"a\":1}\noops\n{\"a\":2}\n", &as_lines) == 2 &&
			said(":2:1: "),
		"A17: a line that is not JSON");
	is(records.s, "1:1:{\"a\":1}|3:1:{\"a\":2}|", "A17: is skipped");
	ok(counts.records == 2 && counts.malformed == 1, "A17: and counted");
	options.fail_fast = true;
	ok(run("{\"a\":1}\noops\n{\"a\":2}\n", &options) == 2,
		"A17: --fail-fast");
	is(records.s, "1:1:{\"a\":1}|", "A17: stops there");

	ok(run("{}\n{\"a\":\"\xff\"}\n", &as_lines) == 2 &&
			said(":2:7: invalid UTF-8"),
		"A5: a stray byte");
	ok(run("{\"a\":\"\xc0\xaf\"}\n", &as_lines) == 2 && said(":1:7:"),
		"A5: overlong");
	ok(run("{\"a\":\"\xed\xa0\x80\"}\n", &as_lines) == 2 && said(":1:7:"),
		"A5: a surrogate");
	ok(run("{\"a\":\"\xf5\x80\x80\x80\"}\n", &as_lines) == 2 &&
			said(":1:7:"),
		"A5: past U+10FFFF");
	ok(run("{\"a\":\"\xe2\x82\n{}\n", &as_lines) == 2 && said(":1:"),
		"A5: a character cut by the end of the line");
	is(records.s, "2:1:{}|", "A5: the next line is whole");
	ok(run("\x1b[1m{\x1b[0m}\n", &as_lines) == 2 &&
			said(":1:1: terminal escape"),
		"A31: coloured");
}

static void
test_nul(void)
{
	static const char text[] = "1\r\0\n\0\n1\n\0 \0\n";
	char *files[] = { (char *)file_of(text, sizeof text - 1), NULL };

	ok(run_files(files, &as_lines) == 2 && said(":1:3: NUL") &&
			said(":2:1: NUL") && said(":4:1: NUL"),
		"A9: NUL outside a string");
	is(records.s, "3:1:1|", "A9: is never a number");
}

static void
test_incomplete(void)
{
	ok(run("{}\n{\"a\":", &as_lines) == 2 &&
			said(":2:6: incomplete last line\n"),
		"a last line that is cut");
	ok(run("{}\n{\"a\":1}x", &as_lines) == 2 &&
			said(":2:8: incomplete last line: "),
		"a last line that is wrong");
	is(records.s, "1:1:{}|", "what was before it");
	ok(run("{}\n{\"a\":1}", &as_lines) == 0, "one that is whole");
	ok(run("{\"a\":\n{}\n", &as_lines) == 2 && said(":1:6: incomplete:"),
		"a value does not run past its line");
	is(records.s, "2:1:{}|", "nor take the next with it");
}

static void
test_depth(void)
{
	struct wv_str text = { 0 };

	for (int line = 0; line < 3; line++) {
		static const int depths[] = { 512, 513, 100000 };
		for (int i = 0; i < depths[line]; i++)
			wv_str_chr(&text, '[');
		for (int i = 0; i < depths[line]; i++)
			wv_str_chr(&text, ']');
		wv_str_chr(&text, '\n');
	}
	ok(run(text.s, &as_lines) == 2 &&
			said(":2:513: nesting deeper than 512") &&
			said(":3:513: nesting deeper than 512"),
		"A25: too deep");
	ok(counts.records == 1 && counts.malformed == 2, "A25: 512 is not");
	wv_str_free(&text);
}

/* A line of n bytes in all, its LF not counted. */
static void
add_line(struct wv_str *text, size_t n)
{
	wv_str_chr(text, '"');
	for (size_t i = 2; i < n; i++)
		wv_str_chr(text, 'x');
	wv_str_cat(text, "\"\n");
}

static void
test_long_lines(void)
{
	struct wv_lines_options options = as_lines;
	struct wv_str text = { 0 };

	add_line(&text, 8 << 20);
	wv_str_cat(&text, "{}\n");
	ok(run(text.s, &as_lines) == 0 && counts.records == 2,
		"A19: a line of 8 MiB");
	options.max_line = 1 << 20;
	ok(run(text.s, &options) == 2 && counts.malformed == 1 &&
			said(":1:1: line longer than 1048576 bytes"),
		"A19: beyond --max-line");
	is(records.s, "2:1:{}|", "A19: the stream is not dead");

	for (size_t max = 100; max <= 1 << 20; max = max * 101 / 2) {
		options.max_line = max;
		text.n = 0;
		add_line(&text, max);
		add_line(&text, max + 1);
		wv_str_cat(&text, "[]\n");
		add_line(&text, max);
		run(text.s, &options);
		ok(counts.records == 3 && counts.malformed == 1 &&
				said(":2:1: line longer"),
			"exactly %zu bytes, and one more", max);
	}
	options.max_line = 100;
	text.n = 0;
	for (int i = 0; i < 400 << 10; i++)
		wv_str_chr(&text, ' ');
	ok(run(text.s, &options) == 2 && said("longer than 100"),
		"a long line without LF");
	wv_str_free(&text);
}

static void
test_empty(void)
{
	struct wv_lines_options options = as_lines;
	char null_path[] = "/dev/null", *null[] = { null_path, NULL };

	ok(run_files(null, &defaults) == 2 && said("no records"),
		"A11: no input is not a yes");
	ok(run("\n \n", &as_lines) == 2 && said("no records"), "blank lines");
	ok(run("x\n", &as_lines) == 2 && !strstr(messages.s, "no records"),
		"not said when a worse thing was");
	options.allow_empty = true;
	ok(run_files(null, &options) == 0 && messages.n == 0, "--allow-empty");
}

static void
test_sources(void)
{
	char missing[] = "/nonexistent/x", folder[] = "/", dash[] = "-";
	char *files[] = { (char *)file("{}"), missing, folder,
		(char *)file("[]"), NULL };
	char *both[] = { (char *)file("[0]"), dash, NULL };
	int old = dup(STDIN_FILENO), fd;

	ok(run_files(files, &as_lines) == 2 &&
			said("/nonexistent/x: cannot open: No such file") &&
			said("/: cannot read: Is a directory"),
		"what cannot be opened or read is told");
	is(records.s, "1:1:{}|1:1:[]|", "and the rest is read");

	fd = open(file("1 2\n3\n"), O_RDONLY);
	dup2(fd, STDIN_FILENO);
	ok(run_files(NULL, &defaults) == 2 && said("stdin:1:3: "),
		"no operand: lines of stdin");
	is(records.s, "2:1:3|", "the good one");
	struct wv_lines_options multi = defaults;
	multi.multi = true;
	lseek(fd, 0, SEEK_SET);
	ok(run_files(both, &multi) == 0, "-m");
	is(records.s, "1:1:[0]|1:1:1|1:3:2|2:1:3|", "documents of stdin");
	dup2(old, STDIN_FILENO);
	close(old);
	close(fd);
}

/* A file of that name in a folder of its own, read. */
static int
run_named(const char *name, const char *text,
	const struct wv_lines_options *options)
{
	const char *base = getenv("TMPDIR");
	char folder[200], path[256];
	char *files[] = { path, NULL };
	int fd, status;

	snprintf(folder, sizeof folder, "%s/wv-lines-XXXXXX",
		base ? base : "/tmp");
	if (mkdtemp(folder) == NULL)
		exit(99);
	snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || wv_write_all(fd, text, strlen(text)) < 0)
		exit(99);
	close(fd);
	status = run_files(files, options);
	unlink(path);
	rmdir(folder);
	return status;
}

static void
test_names(void)
{
	static const struct {
		const char *name;
		enum wv_form form;
	} cases[] = {
		{ "x.jsonl", WV_FORM_LINES },
		{ "x.ndjson", WV_FORM_LINES },
		{ "a.b/x.jsonl.gz", WV_FORM_LINES },
		{ "x.json", WV_FORM_DOCUMENTS },
		{ ".json.gz", WV_FORM_DOCUMENTS },
		{ "x.yaml", WV_FORM_YAML },
		{ "x.yml.gz", WV_FORM_YAML },
		{ "jsonl", WV_FORM_NONE },
		{ "x.JSON", WV_FORM_NONE },
		{ "x.json.gz.gz", WV_FORM_NONE },
		{ ".gz", WV_FORM_NONE },
		{ "", WV_FORM_NONE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ok(wv_form_of(cases[i].name) == cases[i].form, "the form of %s",
			cases[i].name);
	ok(run_named("x.jsonl", "{\n}\n", &defaults) == 2, "lines");
	ok(run_named("x.json", "{\n}\n", &defaults) == 0, "documents");
	ok(run_named("jsonl", "{\n}\n", &defaults) == 0,
		"documents, without a suffix");
	ok(run_named("x.json", "{\n}\n", &as_lines) == 2,
		"lines, whatever the name");
}

static void
test_yaml(void)
{
	struct wv_lines_options options = defaults;

	ok(run_named("x.yaml", "\xef\xbb\xbfid: 7\nof:\n- a\n", &defaults) == 0,
		"YAML");
	is(records.s, "1:1:id: 7\nof:\n- a\n|", "the source is one record");
	options.max_line = 4;
	ok(run_named("x.yml", "- 1\n- 2\n", &options) == 0,
		"--max-line is not its limit");
	ok(run_named("x.yml", "id: 7\nof: [\n", &defaults) == 2 &&
			counts.malformed == 1 && said("x.yml:3:1: "),
		"malformed, with its place");
	ok(run_named("x.yml", "a: 1\n---\nb: 2\n", &defaults) == 2 &&
			counts.records == 0 && counts.malformed == 1,
		"a second document");
	ok(run_named("x.yml", " \n\n", &defaults) == 2 &&
			counts.malformed == 1 && said("x.yml:1:1: holds no"),
		"nothing but white space");
	ok(run_named("x.yml", "{\"a\":1}\n[2]\n", &as_lines) == 0 &&
			counts.records == 2,
		"as lines it is JSON");
}

/* An empty file among others was a pass. */
static void
test_no_value(void)
{
	static const char *const texts[] = { "", " \r\n\t", "\xef\xbb\xbf",
		"\xef\xbb\xbf\n" };
	struct wv_lines_options options = defaults, may = defaults;
	char missing[] = "/nonexistent/x.json", *files[] = { missing, NULL };

	may.allow_empty = true;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		ok(run_named("x.json", texts[i], &options) == 2 &&
				counts.malformed == 1 && counts.records == 0 &&
				said("x.json:1:1: holds no value"),
			"a .json file without a value is malformed (%zu)", i);
		ok(run_named("x.yaml", texts[i], &options) == 2 &&
				counts.malformed == 1 &&
				said("x.yaml:1:1: holds no value"),
			"a .yaml file too (%zu)", i);
		ok(run_named("x.jsonl", texts[i], &may) == 0 && messages.n == 0,
			"a stream of lines may be empty (%zu)", i);
		ok(run_named("x", texts[i], &may) == 0 && messages.n == 0,
			"a file without suffix too (%zu)", i);
		/* an empty token file is no token (cases of wv-authorize) */
		ok(run_named("x.json", texts[i], &may) == 0 && messages.n == 0,
			"anything, if it may be (%zu)", i);
	}
	ok(run_named("x.json", "", &as_lines) == 2 && said("no records"),
		"so may one that is read as lines");
	ok(run_named("x.json.gz", "", &options) == 2 && counts.malformed == 0 &&
			said("gzip data end too soon"),
		"an empty .gz is not one");
	ok(run_named("x.json", "{", &options) == 2 && counts.malformed == 1 &&
			!strstr(messages.s, "no value"),
		"a value that is malformed is one");
	ok(run_files(files, &options) == 2 && counts.malformed == 0,
		"a file that is not there is told once");
	options.fail_fast = true;
	ok(run_named("x.json", "", &options) == 2 && counts.malformed == 1,
		"and under --fail-fast");
}

static void
test_documents(void)
{
	char *files[] = { (char *)file("{}{\"a\":[1,}\n{}\n"),
		(char *)file("[9]"), NULL };

	ok(run(" {\"a\":\n [1]}\n\n\"]}\\\"[\" 1 true[2]{}null\n", &defaults) ==
			0,
		"any layout, several in one line");
	is(records.s,
		"1:2:{\"a\":\n [1]}|4:1:\"]}\\\"[\"|4:9:1|4:11:true|4:15:[2]|"
		"4:18:{}|4:20:null|",
		"each with its place");
	ok(run("\xef\xbb\xbf \"\\\\\"\"\\\\\\\"\"12", &defaults) == 0,
		"backslashes before quotes");
	is(records.s, "1:2:\"\\\\\"|1:6:\"\\\\\\\"\"|1:12:12|", "ends");
	ok(run_files(files, &defaults) == 2 && said(":1:11: "),
		"a document that is malformed");
	is(records.s, "1:1:{}|1:1:[9]|",
		"the rest of that source cannot be trusted");
	ok(run("[1]\n ] [2]", &defaults) == 2 && said(":2:2: "),
		"a bracket too many");
	is(records.s, "1:1:[1]|", "what was before it");
	ok(run("{\"a\":1}\n{\"b\":\n", &defaults) == 2 &&
			said(":3:1: incomplete"),
		"one that is cut, at its end");
	ok(run("{\"a\":{\"b\":[1,2}}}", &defaults) == 2 && said(":1:15: "),
		"brackets that do not match");
	ok(run("hello, world\n", &defaults) == 2 && said(":1:1: ") &&
			counts.malformed == 1,
		"not JSON at all: one message");
	ok(run("1,2", &defaults) == 2 && said(":1:2: "), "a comma between");
}

static void
test_long_documents(void)
{
	struct wv_lines_options options = defaults;
	struct wv_str text = { 0 };

	add_line(&text, 3 << 20);
	ok(run(text.s, &defaults) == 0 && counts.records == 1,
		"a document of 3 MiB");
	options.max_line = 1 << 20;
	ok(run(text.s, &options) == 2 &&
			said(":1:1: document longer than 1048576 bytes"),
		"beyond --max-line");
	text.n = 0;
	wv_str_cat(&text, "{\n \"a\": x\",\n");
	add_line(&text, 3 << 20);
	wv_str_cat(&text, "}");
	ok(run(text.s, &options) == 2 && said(":2:7: "),
		"a quote too many is told, not the length it makes");
	text.n = 0;
	wv_str_cat(&text, "[1,]\n");
	for (int i = 0; i < 100000; i++)
		wv_str_cat(&text, "[2]\n");
	ok(run(text.s, &defaults) == 2 && counts.records == 0 &&
			counts.malformed == 1,
		"the rest of a source that is not in the buffer yet");
	options.max_line = 2;
	ok(run("[] 12 123", &options) == 2 && said(":1:7: document longer"),
		"a limit within a number");
	is(records.s, "1:1:[]|1:4:12|", "those that fit");
	wv_str_free(&text);
}

/* Records of all lengths, so that blocks end everywhere within them. */
static void
test_blocks(void)
{
	struct wv_str text = { 0 }, want = { 0 };
	size_t line = 1;

	for (; text.n < 3 << 20; line++) {
		size_t from = text.n;
		wv_str_fmt(&text, "{\"n\":%zu,\"s\":\"", line);
		for (size_t i = 0; i < line * 7 % 1000; i++)
			wv_str_chr(&text, (char)('a' + i % 26));
		wv_str_cat(&text, "\\\\\"}\n");
		wv_str_fmt(&want, "%zu:1:", line);
		wv_str_add(&want, text.s + from, text.n - from - 1);
		wv_str_chr(&want, '|');
	}
	ok(run(text.s, &as_lines) == 0, "3 MiB of lines");
	ok(records.n == want.n && memcmp(records.s, want.s, want.n) == 0,
		"byte for byte");
	ok(run(text.s, &defaults) == 0, "the same as documents");
	ok(records.n == want.n && memcmp(records.s, want.s, want.n) == 0,
		"byte for byte");
	wv_str_free(&text);
	wv_str_free(&want);
}

/* An open pipe: what reads more than there is hangs, and the alarm ends it. */
struct stream {
	int to;
	char path[32];
	char *files[2];
	struct wv_lines in;
	struct wv_record rec[8];
};

static void
open_stream(struct stream *s, const struct wv_lines_options *options,
	struct wv_out *out)
{
	int fds[2];

	if (pipe(fds) < 0)
		exit(99);
	snprintf(s->path, sizeof s->path, "/proc/self/fd/%d", fds[0]);
	s->files[0] = s->path;
	s->files[1] = NULL;
	s->to = fds[1];
	wv_lines_open(&s->in, s->files, options, out);
}

static void
feed(struct stream *s, const char *text)
{
	if (wv_write_all(s->to, text, strlen(text)) < 0)
		exit(99);
}

static void
test_ready(void)
{
	struct stream s;
	int n = 0, old;

	open_stream(&s, &as_lines, NULL);
	feed(&s, "[1]\n\n[2]\n[3]\n[4");
	ok(!wv_lines_ready(&s.in), "nothing is ready before a read");
	ok(wv_lines_next(&s.in, &arena, &s.rec[n++]) == 1, "the first");
	while (wv_lines_ready(&s.in) && n < 8)
		ok(wv_lines_next(&s.in, &arena, &s.rec[n++]) == 1,
			"one that is ready");
	ok(n == 3, "three are whole");
	records.n = 0;
	for (int i = 0; i < n; i++)
		collect(&s.rec[i]);
	is(records.s, "1:1:[1]|3:1:[2]|4:1:[3]|", "their texts still stand");

	feed(&s, "]\noops\n\n");
	ok(wv_lines_next(&s.in, &arena, &s.rec[0]) == 1, "the rest came");
	ok(wv_lines_ready(&s.in), "a whole line, be it bad");
	old = catch_messages();
	ok(wv_lines_next(&s.in, &arena, &s.rec[1]) == WV_LINES_WAIT,
		"is not waited behind");
	read_messages(old);
	ok(said(":6:1: "), "but told");
	records.n = 0;
	collect(&s.rec[0]);
	is(records.s, "5:1:[4]|", "the text before it stands");
	ok(!wv_lines_ready(&s.in), "no more");
	close(s.to);
	ok(wv_lines_next(&s.in, &arena, &s.rec[0]) == 0, "the end");
	wv_lines_close(&s.in);
}

/* Every way to cut a text into two reads, and byte by byte. */
static void
test_pieces(void)
{
	static const char text[] =
		"\xef\xbb\xbf{\"a\":\"\\\\\"}\n\n[1,\"]\"] 12 "
		"\"\\\"{\"\n-5\n{\"b\":\n[]}true";
	static const struct wv_lines_options *const modes[] = { &defaults,
		&as_lines };
	struct wv_str whole = { 0 };
	int old = catch_messages(), differ = 0;

	for (int mode = 0; mode < 2; mode++) {
		char *files[] = { (char *)file(text), NULL };
		run_files(files, modes[mode]);
		whole.n = 0;
		wv_str_add(&whole, records.s, records.n);
		for (size_t cut = 0; cut < sizeof text; cut++) {
			struct stream s;
			struct wv_record rec;
			int got = WV_LINES_WAIT;

			open_stream(&s, modes[mode], NULL);
			wv_lines_nonblocking(&s.in);
			records.n = 0;
			for (size_t i = 0; got != 0; i++) {
				while ((got = wv_lines_next(
						&s.in, &arena, &rec)) == 1)
					collect(&rec);
				if (i == 0 && cut > 0)
					wv_write_all(s.to, text, cut);
				else if (i < sizeof text - 1 && cut == 0)
					wv_write_all(s.to, text + i, 1);
				else if (i == 1 && cut > 0)
					wv_write_all(s.to, text + cut,
						sizeof text - 1 - cut);
				else if (got != 0)
					close(s.to);
			}
			wv_lines_close(&s.in);
			differ += records.n != whole.n ||
				memcmp(records.s, whole.s, whole.n) != 0;
		}
	}
	read_messages(old);
	ok(differ == 0, "however it arrives, the records are the same");
	wv_str_free(&whole);
}

static void
test_nonblocking(void)
{
	struct stream s;
	struct wv_out out;
	struct wv_record rec;
	int fds[2];
	char got[16];

	if (pipe(fds) < 0)
		exit(99);
	wv_out_init(&out, fds[1], "pipe");
	open_stream(&s, &as_lines, &out);
	struct pollfd pfd = { wv_lines_nonblocking(&s.in), POLLIN, 0 };
	ok(pfd.fd >= 0 && fcntl(pfd.fd, F_GETFL) & O_NONBLOCK, "non-blocking");
	ok(wv_lines_next(&s.in, &arena, &rec) == WV_LINES_WAIT, "nothing yet");
	feed(&s, "{}\n[");
	ok(poll(&pfd, 1, 1000) == 1, "now there is");
	ok(wv_lines_next(&s.in, &arena, &rec) == 1, "a record");
	wv_lines_pass(&rec, &out);
	ok(wv_lines_next(&s.in, &arena, &rec) == WV_LINES_WAIT, "half of one");
	ok(read(fds[0], got, sizeof got) == 3, "output did not wait for it");
	feed(&s, "]\n");
	close(s.to);
	ok(wv_lines_next(&s.in, &arena, &rec) == 1, "the rest");
	ok(wv_lines_next(&s.in, &arena, &rec) == 0, "the end");
	ok(wv_lines_nonblocking(&s.in) == -1, "nothing to wait for");
	ok(wv_lines_close(&s.in) == 0, "status 0");
	close(fds[1]);
	close(fds[0]);
	wv_str_free(&out.buf);
}

/* Standard input is left as it was found. */
static void
test_stdin_flags(void)
{
	struct wv_lines in;
	int old = dup(STDIN_FILENO), fds[2];
	struct wv_lines_options options = defaults;

	options.allow_empty = true;
	if (pipe(fds) < 0)
		exit(99);
	dup2(fds[0], STDIN_FILENO);
	wv_lines_open(&in, NULL, &options, NULL);
	ok(wv_lines_nonblocking(&in) == STDIN_FILENO &&
			fcntl(fds[0], F_GETFL) & O_NONBLOCK,
		"stdin is made non-blocking");
	wv_lines_close(&in);
	ok((fcntl(fds[0], F_GETFL) & O_NONBLOCK) == 0, "and blocking again");
	dup2(old, STDIN_FILENO);
	close(old);
	close(fds[0]);
	close(fds[1]);
}

/* A partner that sends its second record only after the answer to its first:
 * where output waits for input both wait for ever. */
static void
test_conversation(void)
{
	struct stream s;
	struct wv_out out;
	struct wv_record rec;
	int fds[2], status, n = 0;
	char answer[4];

	if (pipe(fds) < 0)
		exit(99);
	wv_out_init(&out, fds[1], "pipe");
	open_stream(&s, &as_lines, &out);
	pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 3; i++) {
			feed(&s, "[7]\n");
			if (read(fds[0], answer, 4) != 4)
				_exit(1);
		}
		_exit(0);
	}
	close(s.to);
	for (; wv_lines_next(&s.in, &arena, &rec) == 1; n++)
		wv_lines_pass(&rec, &out);
	waitpid(pid, &status, 0);
	ok(n == 3 && status == 0, "flushed before a read that blocks");
	wv_lines_close(&s.in);
	close(fds[0]);
	close(fds[1]);
	wv_str_free(&out.buf);
}

/* A15: a full disk ends the process with 2, and says so. */
static void
test_full(void)
{
	struct wv_record rec;
	struct wv_out out;
	struct wv_lines_options options = as_lines;
	struct stream s;
	int status, old = catch_messages();
	pid_t pid;

	options.allow_empty = true;
	open_stream(&s, &options, &out);
	feed(&s, "{}\n");
	pid = fork();
	if (pid == 0) {
		wv_out_init(
			&out, open("/dev/full", O_WRONLY), "standard output");
		while (wv_lines_next(&s.in, &arena, &rec) == 1)
			wv_lines_pass(&rec, &out);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	read_messages(old);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 2, "A15: status 2");
	ok(said("standard output: write error: No space left on device"),
		"A15: in words");
	close(s.to);
	wv_lines_close(&s.in);
}

static void
test_pass(void)
{
	struct wv_lines in;
	struct wv_record rec;
	struct wv_out out;
	char *files[] = { (char *)file(" {\"a\" : 1}\r\n[ ]\n"), NULL };
	char *more[] = { (char *)file(" {\"a\" : 1.10} [\n2 ]"), NULL };

	wv_out_init(&out, -1, "none");
	wv_lines_open(&in, files, &as_lines, &out);
	while (wv_lines_next(&in, &arena, &rec) == 1)
		wv_lines_pass(&rec, &out);
	wv_lines_close(&in);
	is(out.buf.s, " {\"a\" : 1}\r\n[ ]\n", "a line is passed as it came");
	out.buf.n = 0;
	wv_lines_open(&in, more, &defaults, &out);
	while (wv_lines_next(&in, &arena, &rec) == 1)
		wv_lines_pass(&rec, &out);
	wv_lines_close(&in);
	is(out.buf.s, "{\"a\" : 1.10}\n[2]\n", "a document on one line");
	wv_str_free(&out.buf);
}

static void
test_bad(void)
{
	static const struct {
		size_t line, column;
		const char *place;
	} cases[] = { { 0, 0, "f:3:5: wrong" }, { 1, 1, "f:3:5: wrong" },
		{ 1, 4, "f:3:8: wrong" }, { 2, 4, "f:4:4: wrong" } };
	struct wv_record rec = { .source = "f", .line = 3, .column = 5 };
	struct wv_lines_options options = as_lines;
	struct wv_err elsewhere = WV_ERR_INIT;
	char *files[] = { (char *)file("{}"), NULL };
	struct wv_lines in;
	int old;

	for (int i = 0; i < 4; i++) {
		struct wv_err err = WV_ERR_INIT;
		wv_err_at(&err, NULL, cases[i].line, cases[i].column, "wrong");
		wv_lines_open(&in, files, &options, NULL);
		old = catch_messages();
		wv_lines_bad(&in, &rec, &err);
		read_messages(old);
		ok(said(cases[i].place), "%zu:%zu becomes %s", cases[i].line,
			cases[i].column, cases[i].place);
		ok(wv_lines_close(&in) == 2, "status 2");
	}
	options.fail_fast = true;
	wv_lines_open(&in, files, &options, NULL);
	wv_err_at(&elsewhere, "p", 7, 8, "wrong");
	old = catch_messages();
	wv_lines_bad(&in, &rec, &elsewhere);
	read_messages(old);
	ok(said("p:7:8: wrong"), "a place of its own");
	ok(wv_lines_next(&in, &arena, &rec) == 0, "--fail-fast stops");
	wv_lines_close(&in);
}

/* The hook: SOURCE:LINE:COLUMN| of an error, "-" before it if of a source. */
static struct wv_str hooked;

static void
hook(void *arg, const struct wv_record *rec, const struct wv_err *err)
{
	struct wv_str *to = arg;

	wv_str_fmt(to, "%s%s:%zu:%zu|", rec == NULL ? "-" : "",
		strcmp(err->source, "/nonexistent/x") == 0 ? err->source : "f",
		err->line, err->column);
}

static void
test_hook(void)
{
	struct wv_lines_options options = as_lines;
	char missing[] = "/nonexistent/x";
	char *files[] = { (char *)file("{}\n[1,]\n[2]\n[\n"), missing,
		(char *)file("[3"), NULL };

	options.bad = hook;
	options.bad_arg = &hooked;
	ok(run_files(files, &options) == 2 && counts.malformed == 3,
		"bad records and a source, told to the caller");
	is(hooked.s, "f:2:4|f:4:2|-/nonexistent/x:0:0|f:1:3|",
		"each with its place; of a source there is no record");
	is(messages.s, "", "in place of messages");
	is(records.s, "1:1:{}|3:1:[2]|", "the good ones");

	hooked.n = 0;
	options.fail_fast = true;
	ok(run_files(files, &options) == 2, "--fail-fast");
	is(hooked.s, "f:2:4|", "stops after the first");
	wv_str_free(&hooked);
}

static void
test_range(void)
{
	/* The lines begin at 0, 4, 8, 9 and 13. */
	static const char text[] = "[1]\n[2]\n\n[3]\n[4]";
	static const struct {
		off_t first, last;
		const char *want;
	} cases[] = {
		{ 0, 0, "1:1:[1]|2:1:[2]|4:1:[3]|5:1:[4]|" },
		{ 0, 4, "1:1:[1]|" },
		{ 4, 9, "1:1:[2]|" },
		{ 4, 0, "1:1:[2]|3:1:[3]|4:1:[4]|" },
		{ 9, 13, "1:1:[3]|" },
		{ 13, 16, "1:1:[4]|" },
		{ 13, 99, "1:1:[4]|" },
	};
	struct wv_lines_options options = as_lines;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		options.first = cases[i].first;
		options.last = cases[i].last;
		ok(run(text, &options) == 0, "bytes %d to %d",
			(int)options.first, (int)options.last);
		is(records.s, cases[i].want, "their lines, from 1");
	}
	options.first = 3;
	options.last = 0;
	ok(run("[]\n\xef\xbb\xbf{}\n", &options) == 2 &&
			said(":1:1: byte order mark"),
		"no mark is skipped within a file");
}

/* Bad records in one call of wv_lines_next() must not pile up. */
static void
test_memory(void)
{
	enum { BAD = 50000 };
	struct wv_str text = { 0 };
	struct rusage before, after;

	for (int i = 0; i < BAD; i++) {
		wv_str_chr(&text, '[');
		for (int j = 0; j < 100; j++)
			wv_str_cat(&text, "{},");
		wv_str_cat(&text, "]\n");
	}
	wv_str_cat(&text, "{}\n");
	char *files[] = { (char *)file_of(text.s, text.n), NULL };
	wv_quiet = true;
	getrusage(RUSAGE_SELF, &before);
	ok(run_files(files, &as_lines) == 2 && counts.malformed == BAD &&
			counts.records == 1,
		"%d bad records", BAD);
	getrusage(RUSAGE_SELF, &after);
	wv_quiet = false;
	printf("# %ld KiB more\n", after.ru_maxrss - before.ru_maxrss);
	ok(after.ru_maxrss - before.ru_maxrss < 4096, "in constant memory");
	wv_str_free(&text);
}

static void
test_options(void)
{
	struct wv_lines_options options = defaults;
	struct wv_opts opts = { .value = "64K" };

	ok(wv_lines_option(&options, WV_OPT_MAX_LINE, &opts) &&
			options.max_line == 65536,
		"--max-line");
	opts.value = "9";
	ok(wv_lines_option(&options, WV_OPT_MAX_DEPTH, &opts) &&
			wv_lines_option(&options, WV_OPT_MAX_VALUES, &opts) &&
			wv_lines_option(&options, WV_OPT_MAX_DIGITS, &opts) &&
			options.json.max_depth == 9 &&
			options.json.max_values == 9 &&
			options.json.max_digits == 9,
		"--max-depth, --max-values, --max-digits");
	ok(wv_lines_option(&options, WV_OPT_FAIL_FAST, &opts) &&
			wv_lines_option(&options, WV_OPT_ALLOW_EMPTY, &opts) &&
			wv_lines_option(&options, 'm', &opts) &&
			options.fail_fast && options.allow_empty &&
			options.multi,
		"--fail-fast, --allow-empty, -m");
	ok(!wv_lines_option(&options, 'x', &opts), "another");
}

/* Lines without trees: the record that is asked for is read, and one that is
 * bad counts as if it had never been handed out. */
static void
test_no_trees(void)
{
	struct wv_lines_options options = as_lines;
	char *files[] = { (char *)file("{\"a\":1}\n{\"a\":\n \n[2]\n{\"b"),
		NULL };
	bool good[4] = { false };
	struct wv_lines in;
	struct wv_record rec;
	int old = catch_messages(), n = 0;

	options.no_trees = true;
	wv_lines_open(&in, files, &options, NULL);
	while (n < 4 && wv_lines_next(&in, &arena, &rec) == 1) {
		ok(rec.tree == NULL && rec.len > 0, "text %d", n);
		good[n++] = wv_lines_tree(&in, &arena, &rec);
	}
	ok(n == 4 && good[0] && !good[1] && good[2] && !good[3],
		"trees of the good ones");
	ok(in.counts.records == 2 && in.counts.malformed == 2, "counted");
	ok(wv_lines_close(&in) == WV_TROUBLE, "trouble");
	read_messages(old);
	ok(said(":2:6: ") && said(":5:4: incomplete last line"), "told where");
	wv_arena_reset(&arena);
}

int
main(void)
{
	wv_msg_tool("wv-test");
	alarm(100);
	test_lines();
	test_bom();
	test_bad_records();
	test_nul();
	test_incomplete();
	test_depth();
	test_long_lines();
	test_empty();
	test_sources();
	test_names();
	test_yaml();
	test_no_value();
	test_documents();
	test_long_documents();
	test_blocks();
	test_ready();
	test_pieces();
	test_nonblocking();
	test_stdin_flags();
	test_conversation();
	test_full();
	test_pass();
	test_bad();
	test_hook();
	test_range();
	test_memory();
	test_options();
	test_no_trees();
	wv_str_free(&records);
	wv_str_free(&messages);
	wv_arena_free(&arena);
	return done();
}
