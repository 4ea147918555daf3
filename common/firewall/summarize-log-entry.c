/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/summarize-log.h"

#include "json/utf8.h"

enum {
	LEVEL_WORDS = 6,  /* before which a level stands */
	ID_LENGTH = 8,    /* of letters with digits that are no word */
	QUOTED_MAX = 120, /* bytes within quotes */
	TIME_ROOM = 40,   /* bytes of a time */
	KEY_ROOM = 256,   /* bytes of a line where msg= is looked for */
};

const char *const wv_log_levels[] = { "FATAL", "ERROR", "WARNING", "NOTICE",
	"INFO", "DEBUG", "TRACE", NULL };

/* How many bytes a shape takes: d a digit, D a digit or a space, A an upper
 * case letter, a a lower case one; what else is itself.  0 if it is not it. */
static size_t
shaped(const char *s, const char *end, const char *shape)
{
	size_t i = 0;

	for (; shape[i] != '\0'; i++) {
		char c = s + i < end ? s[i] : '\0';
		bool fits = shape[i] == 'd' ? wv_is_digit(c)
			: shape[i] == 'D'   ? wv_is_digit(c) || c == ' '
			: shape[i] == 'A'   ? wv_is_upper(c)
			: shape[i] == 'a'   ? wv_is_letter(c)
					    : shape[i] == c;
		if (!fits)
			return 0;
	}
	return i;
}

static const char *
skip_all(const char *s, const char *end, const char *chars)
{
	while (s < end && *s != '\0' && strchr(chars, *s) != NULL)
		s++;
	return s;
}

/* The time that begins at s. */
static size_t
time_length(const char *s, const char *end)
{
	static const char *const shapes[] = {
		"dddd-dd-ddTdd:dd:dd",
		"dddd-dd-dd dd:dd:dd",
		"dddd/dd/dd dd:dd:dd",
		"Aaa Dd dd:dd:dd",
		"Aaa Aaa Dd dd:dd:dd",
		"dd/Aaa/dddd:dd:dd:dd",
		"dd:dd:dd",
	};
	const char *p = s;

	if (end - s > TIME_ROOM)
		end = s + TIME_ROOM;
	if (s == end || (!wv_is_digit(*s) && !wv_is_upper(*s)))
		return 0;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		if ((shapes[i][0] == 'A') != wv_is_upper(*s))
			continue;
		size_t n = shaped(s, end, shapes[i]);
		if (n == 0)
			continue;
		p += n;
		if (p < end && (*p == '.' || *p == ','))
			p += 1 + wv_digits(p + 1, end);
		if (shaped(p, end, " +dddd") || shaped(p, end, " -dddd"))
			return (size_t)(p + 6 - s);
		if (shaped(p, end, "+dd:dd") || shaped(p, end, "-dd:dd"))
			return (size_t)(p + 6 - s);
		if (shaped(p, end, "+dddd") || shaped(p, end, "-dddd"))
			return (size_t)(p + 5 - s);
		if (shapes[i][4] == 'A' && shaped(p, end, " dddd"))
			return (size_t)(p + 5 - s);
		return (size_t)(p + (p < end && *p == 'Z') - s);
	}
	return 0;
}

static enum wv_log_level
level_of(const char *s, size_t n)
{
	static const struct {
		const char *word;
		enum wv_log_level level;
	} words[] = {
		{ "ERROR", WV_LOG_ERROR },
		{ "INFO", WV_LOG_INFO },
		{ "WARN", WV_LOG_WARNING },
		{ "WARNING", WV_LOG_WARNING },
		{ "DEBUG", WV_LOG_DEBUG },
		{ "FATAL", WV_LOG_FATAL },
		{ "NOTICE", WV_LOG_NOTICE },
		{ "TRACE", WV_LOG_TRACE },
		{ "CRITICAL", WV_LOG_FATAL },
		{ "CRIT", WV_LOG_FATAL },
		{ "ERR", WV_LOG_ERROR },
		{ "PANIC", WV_LOG_FATAL },
		{ "SEVERE", WV_LOG_ERROR },
		{ "ALERT", WV_LOG_FATAL },
		{ "EMERG", WV_LOG_FATAL },
		{ "LOG", WV_LOG_INFO },
		{ "VERBOSE", WV_LOG_DEBUG },
	};

	if (n < 3 || n > 8 || !memchr("EIWDFNTCPSALV", *s & ~0x20, 13))
		return WV_LOG_LEVELS;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t k = 0;
		while (k < n && words[i].word[k] == (s[k] & ~0x20))
			k++;
		if (k == n && words[i].word[k] == '\0')
			return words[i].level;
	}
	return WV_LOG_LEVELS;
}

/* A word as a level: in upper case, or marked by what stands around it; a
 * colon does so behind a time only. */
static enum wv_log_level
word_level(const struct wv_line *word, bool timed)
{
	static const char *const keys[] = { "level=", "lvl=", "severity=" };
	const char *s = word->s, *end = s + word->n;
	bool marked = false;

	for (size_t i = 0; i < 3; i++)
		if (wv_begins(word, keys[i])) {
			s += strlen(keys[i]);
			marked = true;
		}
	marked = marked || (s < end && (*s == '[' || *s == '<'));
	s = skip_all(s, end, "[(<\"|");
	marked = marked || (timed && end > s && end[-1] == ':');
	while (end > s && strchr("])>\":|,", end[-1]) != NULL)
		end--;
	if (s < end && !marked && !wv_is_upper(end[-1]))
		return WV_LOG_LEVELS;
	/* [app.module:error] as Apache has it */
	const char *colon =
		marked && end > s ? memrchr(s, ':', (size_t)(end - s)) : NULL;
	if (colon != NULL)
		s = colon + 1;
	return level_of(s, (size_t)(end - s));
}

/* msg="text" or msg=text of a line of keys and values. */
static void
take_keyed(struct wv_line *message)
{
	struct wv_line head = { message->s,
		message->n < KEY_ROOM ? message->n : KEY_ROOM };
	const char *s = wv_find(&head, "msg="), *end = message->s + message->n;

	if (s == NULL || (s > head.s && s[-1] != ' '))
		return;
	s += 4;
	char stop = s < end && *s == '"' ? '"' : ' ';
	s += stop == '"';
	const char *quote = s < end ? memchr(s, stop, (size_t)(end - s)) : NULL;
	*message = (struct wv_line){ s, (size_t)((quote ? quote : end) - s) };
}

/* Iddd dd:dd:dd.dddddd 1 file.go:12] text */
static bool
parse_klog(struct wv_log_entry *e, const struct wv_line *line)
{
	static const char letters[] = "FEWI";
	const char *end = line->s + line->n, *letter, *close;

	if (!shaped(line->s, end, "Adddd dd:dd:dd.") ||
		(letter = strchr(letters, *line->s)) == NULL)
		return false;
	e->level = letter == letters + 3
		? WV_LOG_INFO
		: (enum wv_log_level)(letter - letters);
	e->time = (struct wv_line){ line->s + 1, 13 };
	close = wv_find(line, "] ");
	e->message = (struct wv_line){ line->s + 14, line->n - 14 };
	if (close != NULL)
		e->message = (struct wv_line){ close + 2,
			(size_t)(end - close - 2) };
	return true;
}

bool
wv_log_parse(struct wv_log_entry *e, const struct wv_line *line)
{
	const char *s = line->s, *end = s + line->n, *from;
	struct wv_line rest, word;
	bool is_syslog, keyed;

	*e = (struct wv_log_entry){ .level = WV_LOG_LEVELS };
	if (parse_klog(e, line))
		return true;
	keyed = wv_begins(line, "time=") || wv_begins(line, "ts=") ||
		wv_begins(line, "level=");
	if (keyed && *s == 't')
		s = (const char *)memchr(s, '=', line->n) + 1;
	s = skip_all(s, end, "[(\" ");
	from = s;
	e->time = (struct wv_line){ s, time_length(s, end) };
	s += e->time.n;
	is_syslog = e->time.n >= 15 && wv_is_upper(*from) && from[3] == ' ' &&
		wv_is_digit(from[5]) && from == line->s;
	if (e->time.n > 0)
		s = skip_all(s, end, "])\": -|");
	else
		s = line->s;
	rest = e->message = (struct wv_line){ s, (size_t)(end - s) };
	if (is_syslog)
		wv_take_word(&e->message);
	for (int i = 0; i < (e->time.n > 0 ? LEVEL_WORDS : 1); i++) {
		word = wv_take_word(&rest);
		if (word.n == 0 ||
			(e->level = word_level(&word, e->time.n > 0)) !=
				WV_LOG_LEVELS)
			break;
	}
	if (e->level != WV_LOG_LEVELS && !is_syslog)
		e->message = rest;
	if (keyed)
		take_keyed(&e->message);
	s = skip_all(e->message.s, e->message.s + e->message.n, "])\": -|");
	e->message.n -= (size_t)(s - e->message.s);
	e->message.s = s;
	return e->time.n > 0 || e->level != WV_LOG_LEVELS;
}

static bool
is_word_byte(char c)
{
	return wv_is_letter(c) || wv_is_digit(c) || (unsigned char)c >= 0x80;
}

/* Appends a run of letters and digits, as far as there is room; returns how
 * long it becomes. */
static size_t
add_word(char *out, size_t room, const char *s, size_t n)
{
	size_t digits = 0, hex = 0, wide = 0, made = 0;

	for (size_t i = 0; i < n; i++) {
		digits += wv_is_digit(s[i]);
		wide += (unsigned char)s[i] >= 0x80;
		hex += wv_is_digit(s[i]) ||
			((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'f');
	}
	if (digits > 0 && (hex == n || (n >= ID_LENGTH && wide == 0))) {
		out[0] = '#';
		return 1;
	}
	for (size_t i = 0; i < n && made < room; i++) {
		if (!wv_is_digit(s[i]))
			out[made++] = s[i];
		else if (made == 0 || out[made - 1] != '#')
			out[made++] = '#';
	}
	return made;
}

/* Behind the quote that ends what begins at s; s if none does near. */
static const char *
behind_quoted(const char *s, const char *end)
{
	size_t room = (size_t)(end - s - 1);
	const char *quote =
		memchr(s + 1, *s, room < QUOTED_MAX ? room : QUOTED_MAX);

	return quote != NULL ? quote + 1 : s;
}

/* Without a last character that was cut. */
static size_t
whole_characters(const char *s, size_t n)
{
	size_t from = n;

	while (from > 0 && ((unsigned char)s[from - 1] & 0xC0) == 0x80)
		from--;
	if (from == 0 || (unsigned char)s[from - 1] < 0xC0)
		return n;
	from--;
	return wv_utf8_len((const unsigned char *)s + from, n - from) > 0
		? n
		: from;
}

size_t
wv_log_pattern(char out[WV_LOG_PATTERN], const struct wv_line *message)
{
	const char *s = message->s, *end = s + message->n;
	size_t n = 0;

	while (s < end && n < WV_LOG_PATTERN) {
		const char *from = s;
		if (is_word_byte(*s)) {
			while (s < end && is_word_byte(*s))
				s++;
			WV_STEP(s - from);
			size_t made = add_word(out + n, WV_LOG_PATTERN - n,
				from, (size_t)(s - from));
			/* 10.0.0.1:80 is one thing */
			if (made == 1 && out[n] == '#' && n >= 2 &&
				out[n - 2] == '#' &&
				strchr(".:,-/_#", out[n - 1]) != NULL)
				n -= 2;
			n += made;
			continue;
		}
		if ((*s == '"' || *s == '\'') && s > message->s &&
			!is_word_byte(s[-1]) && behind_quoted(s, end) != s) {
			s = behind_quoted(s, end);
			out[n++] = '#';
			continue;
		}
		out[n++] = *s++;
	}
	WV_STEP(n);
	return whole_characters(out, n);
}
