/* SPDX-License-Identifier: Apache-2.0 */
/* Stack traces: the language, the error, the frames nearest to it. */
#include "firewall/summarize.h"

enum {
	FRAMES = 3,
	BEGIN_WITHIN = 6,     /* lines, else it is only a part of a text */
	LOOKED_AT = 64 << 10, /* bytes at either end of a text */
	FRAME_WIDTH = 80,
	ERROR_WIDTH = 160,
	LINE_MAX = 2048, /* of a longer line only the beginning counts */
};

enum language {
	NONE,
	PYTHON,
	JAVA,
	JAVASCRIPT,
	DOTNET,
	GO,
	RUST,
	RUBY,
	PHP,
	NATIVE,
};
static const char *const languages[] = { "", "Python", "Java", "JavaScript",
	".NET", "Go", "Rust", "Ruby", "PHP", "native" };

struct trace {
	enum language language;
	struct wv_line error, caught; /* caught: the line before frames */
	struct wv_line frames[FRAMES];
	size_t frame_count, traces, lines, read;
	size_t began;     /* how many lines were read before the first */
	bool open;        /* frames go on */
	bool wants_error; /* the next line says it */
};

static void
begin(struct trace *t, enum language language, struct wv_line error)
{
	t->language = language;
	t->error = error;
	t->frame_count = 0;
	t->began = t->traces++ == 0 ? t->read : t->began;
	t->open = true;
}

/* The newest call comes last in Python's, first everywhere else. */
static void
add_frame(struct trace *t, const char *s, size_t n)
{
	struct wv_line frame = { s, n };

	t->lines++;
	if (t->language == PYTHON) {
		memmove(t->frames + 1, t->frames, (FRAMES - 1) * sizeof(frame));
		t->frames[0] = frame;
	} else if (t->frame_count < FRAMES) {
		t->frames[t->frame_count] = frame;
	}
	t->frame_count += t->frame_count < FRAMES;
}

/* File "a.py", line 3, in f */
static bool
read_python(
	struct trace *t, const struct wv_line *line, const struct wv_line *bare)
{
	if (wv_begins(bare, "Traceback (most recent call last)")) {
		begin(t, PYTHON, (struct wv_line){ 0 });
		t->wants_error = true;
		return true;
	}
	if (t->language != PYTHON || !t->open)
		return false;
	if (wv_begins(bare, "File \"") && wv_find(bare, "\", line ")) {
		add_frame(t, bare->s + 5, bare->n - 5);
		return true;
	}
	if (wv_is_blank(*line->s)) {
		t->lines++;
		return true;
	}
	t->error = *bare;
	t->open = t->wants_error = false;
	return true;
}

/* What follows "at " in the frames of three languages. */
static enum language
at_language(const struct wv_line *frame)
{
	static const char *const java[] = { ".java:", ".kt:", ".scala:",
		".groovy:", "(Native Method)", "(Unknown Source)", NULL };
	const char *open, *colon, *end = frame->s + frame->n;

	for (size_t i = 0; java[i] != NULL; i++)
		if (wv_find(frame, java[i]))
			return JAVA;
	if (wv_find(frame, ") in ") != NULL && wv_find(frame, ":line ") != NULL)
		return DOTNET;
	open = memchr(frame->s, '(', frame->n);
	colon = memrchr(frame->s, ':', frame->n);
	if (colon != NULL && wv_digits(colon + 1, end) > 0 &&
		wv_is_digit(colon[-1]))
		return JAVASCRIPT;
	if (wv_find(frame, "(<anonymous>)") || wv_find(frame, "(node:"))
		return JAVASCRIPT;
	return open != NULL && end[-1] == ')' && colon == NULL &&
			memchr(frame->s, '.', (size_t)(open - frame->s))
		? DOTNET
		: NONE;
}

static bool
says_error(const struct wv_line *line)
{
	static const char *const words[] = { "Error", "Exception", "Throwable",
		"exception", "Uncaught", NULL };

	for (size_t i = 0; words[i] != NULL; i++)
		if (wv_find(line, words[i]))
			return true;
	return false;
}

static bool
read_at(struct trace *t, const struct wv_line *line, const struct wv_line *bare)
{
	struct wv_line frame = { bare->s + 3, bare->n - 3 };
	enum language language;

	if (wv_begins(bare, "Caused by: ")) {
		struct wv_line cause = { bare->s + 11, bare->n - 11 };
		if (t->language != JAVA)
			return false;
		t->error = cause;
		t->frame_count = 0;
		t->lines++;
		t->open = true;
		return true;
	}
	if (bare->n < 4 || !wv_is_blank(*line->s) || !wv_begins(bare, "at ") ||
		(language = at_language(&frame)) == NONE)
		return false;
	if (!t->open || t->language != language) {
		if (!says_error(&t->caught))
			return false;
		begin(t, language, t->caught);
	}
	add_frame(t, frame.s, frame.n);
	return true;
}

/* "main.f(0x1, …)" and on the next line "\t/src/a.go:3 +0x1d" */
static bool
read_go(struct trace *t, const struct wv_line *line, const struct wv_line *bare)
{
	const char *space;

	if (wv_begins(line, "panic: ") || wv_begins(line, "fatal error: ")) {
		begin(t, GO, *bare);
		t->wants_error = true;
		return true;
	}
	if (t->language != GO || !t->open)
		return false;
	t->wants_error = t->wants_error && !wv_begins(bare, "goroutine ");
	if (*line->s == '\t' && wv_find(bare, ".go:")) {
		space = memchr(bare->s, ' ', bare->n);
		size_t n = space ? (size_t)(space - bare->s) : bare->n;
		/* Of the goroutine that failed, past the runtime's own. */
		if (!wv_find(bare, "/runtime/"))
			add_frame(t, bare->s, n);
	}
	t->lines++;
	return true;
}

static bool
read_rust(
	struct trace *t, const struct wv_line *line, const struct wv_line *bare)
{
	const char *at = wv_begins(bare, "thread '")
		? wv_find(bare, "panicked at ")
		: NULL;
	const char *end;

	(void)line;
	if (at != NULL) {
		end = bare->s + bare->n;
		at += 12;
		begin(t, RUST, (struct wv_line){ at, (size_t)(end - at) });
		t->wants_error = end[-1] == ':';
		if (t->wants_error)
			add_frame(t, at, (size_t)(end - 1 - at));
		return true;
	}
	if (t->language != RUST || !t->open)
		return false;
	if (t->wants_error) {
		t->error = *bare;
		t->wants_error = false;
		t->lines += 2;
		return true;
	}
	return wv_begins(bare, "stack backtrace:");
}

/* a.rb:3:in `f': message (Error), then "\tfrom b.rb:1:in `g'" */
static bool
read_ruby(
	struct trace *t, const struct wv_line *line, const struct wv_line *bare)
{
	const char *in = wv_find(bare, ":in `"), *end = bare->s + bare->n;

	if (in == NULL && (in = wv_find(bare, ":in '")) == NULL)
		return false;
	if (wv_begins(bare, "from ") && t->language == RUBY) {
		add_frame(t, bare->s + 5, bare->n - 5);
		return true;
	}
	const char *message = memmem(in, (size_t)(end - in), "': ", 3);
	if (message == NULL || end[-1] != ')' || wv_is_blank(*line->s))
		return false;
	begin(t, RUBY,
		(struct wv_line){ message + 3, (size_t)(end - message - 3) });
	add_frame(t, bare->s, (size_t)(message + 1 - bare->s));
	return true;
}

/* #0 /a.php(3): f() of PHP; #0 0x12 in f (x) at a.c:3 of debuggers */
static bool
read_numbered(
	struct trace *t, const struct wv_line *line, const struct wv_line *bare)
{
	const char *in, *end = bare->s + bare->n;
	size_t digits;

	(void)line;
	if (wv_begins(bare, "PHP Fatal error:  ") ||
		wv_begins(bare, "Fatal error: ")) {
		begin(t, PHP, wv_trim(bare->s + 13, bare->n - 13));
		return true;
	}
	in = wv_find(bare, "ERROR: AddressSanitizer: ");
	if (in != NULL) {
		begin(t, NATIVE, (struct wv_line){ in, (size_t)(end - in) });
		return true;
	}
	if (bare->n < 4 || *bare->s != '#' ||
		(digits = wv_digits(bare->s + 1, end)) == 0)
		return false;
	struct wv_line frame =
		wv_trim(bare->s + 1 + digits, bare->n - 1 - digits);
	in = wv_find(&frame, " in ");
	if (in != NULL && wv_begins(&frame, "0x")) {
		if (t->language != NATIVE)
			begin(t, NATIVE, t->caught);
		add_frame(t, in + 4, (size_t)(frame.s + frame.n - in - 4));
		return true;
	}
	if (t->language != PHP || !t->open)
		return false;
	add_frame(t, frame.s, frame.n);
	return true;
}

typedef bool reader(struct trace *t, const struct wv_line *line,
	const struct wv_line *bare);

static void
read_lines(struct trace *t, const char *s, const char *end)
{
	static reader *const readers[] = { read_python, read_at, read_go,
		read_rust, read_ruby, read_numbered };
	struct wv_line line, bare;

	while (wv_next_line(&s, end, &line)) {
		bool read = false;
		if (line.n > LINE_MAX)
			line.n = LINE_MAX;
		bare = wv_trim(line.s, line.n);
		if (bare.n == 0)
			continue;
		t->read++;
		for (size_t i = 0; i < 6 && !read; i++)
			read = readers[i](t, &line, &bare);
		if (read)
			continue;
		t->open = t->open && wv_is_blank(*line.s);
		/* "... 12 more" and "at" of what is not known go with it */
		if (!wv_is_blank(*line.s))
			t->caught = bare;
		t->lines += t->open;
	}
}

/* What is before and behind the first and last bytes that are looked at. */
static void
find(struct trace *t, const char *s, const char *end)
{
	const char *lf;

	if (end - s <= 2 * LOOKED_AT) {
		read_lines(t, s, end);
		return;
	}
	read_lines(t, s, s + LOOKED_AT);
	t->open = t->wants_error = false;
	t->caught.n = 0;
	lf = memchr(end - LOOKED_AT, '\n', LOOKED_AT);
	if (lf != NULL)
		read_lines(t, lf + 1, end);
}

static bool
is_trace(const struct trace *t)
{
	return t->traces > 0 && t->error.n > 0 &&
		(t->frame_count > 0 || t->language == RUST ||
			t->language == GO);
}

/* Exception in thread "main" java.lang.X: …; Uncaught Error: … */
static struct wv_line
error_of(const struct trace *t)
{
	static const char *const before[] = { "Exception in thread ",
		"Unhandled exception. ", "Uncaught ", "panic: ", "ERROR: " };
	struct wv_line error = t->error;

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t n = strlen(before[i]);
		if (!wv_begins(&error, before[i]))
			continue;
		error.s += n;
		error.n -= n;
		if (i == 0)
			wv_take_word(&error);
	}
	return wv_trim(error.s, error.n);
}

bool
wv_trace_find(struct wv_str *out, const char *s, const char *end)
{
	struct trace t = { 0 };

	find(&t, s, end);
	if (!is_trace(&t))
		return false;
	struct wv_line error = error_of(&t);
	if (t.traces > 1)
		wv_str_fmt(out, "%zu stack traces, the last: ", t.traces);
	else
		wv_str_cat(out, "stack trace: ");
	wv_str_fmt(out, "%s, ", languages[t.language]);
	wv_add_inline(out, error.s, error.n, ERROR_WIDTH);
	if (t.frame_count > 0) {
		wv_str_cat(out, " at ");
		wv_add_inline(out, t.frames[0].s, t.frames[0].n, FRAME_WIDTH);
	}
	return true;
}

bool
wv_is_trace(const struct wv_sample *sample)
{
	struct trace t = { 0 };
	const char *stop = sample->end - sample->s > LOOKED_AT
		? sample->s + LOOKED_AT
		: sample->end;

	read_lines(&t, sample->s, stop);
	return is_trace(&t) && t.began <= BEGIN_WITHIN &&
		t.lines * 3 >= sample->count;
}

void
wv_tell_trace(struct wv_summary *sum)
{
	struct trace t = { 0 };
	struct wv_str head = { 0 }, *part;

	find(&t, sum->s, sum->end);
	wv_str_fmt(&head, "%s stack trace", languages[t.language]);
	wv_sum_head(sum, head.s);
	wv_str_free(&head);
	struct wv_line error = error_of(&t);
	wv_sum_text(sum, "", error.s, error.n, ERROR_WIDTH);
	part = wv_sum_begin(sum);
	for (size_t i = 0; i < t.frame_count; i++) {
		wv_str_cat(part, i == 0 ? "at " : ", ");
		wv_add_inline(part, t.frames[i].s, t.frames[i].n, FRAME_WIDTH);
	}
	wv_sum_end(sum, NULL, 0);
	part = wv_sum_begin(sum);
	if (t.traces > 1)
		wv_str_fmt(part, "the last of %zu traces", t.traces);
	wv_sum_end(sum, NULL, 0);
}
