/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/normal-internal.h"

#include <string.h>
#include <strings.h>

const char *const wv_shape_names[WV_SHAPES] = { "", "<place>", "<link>",
	"<image>", "<turn>", "<breakout>", "<tag>" };

enum effect {
	BEGINS, /* a turn */
	ENDS,   /* a turn, or the part of a request that holds data */
	URGES,  /* what follows */
	PLACES, /* something: an address that was redacted */
};

/* Between < and >, </ and >, <| and |>, [ and ]. */
static const struct {
	const char *name;
	enum effect effect;
} names[] = {
	{ "|im_start|", BEGINS },
	{ "|system|", BEGINS },
	{ "|user|", BEGINS },
	{ "|assistant|", BEGINS },
	{ "|start_header_id|", BEGINS },
	{ "|begin_of_text|", BEGINS },
	{ "|start|", BEGINS },
	{ "|im_end|", ENDS },
	{ "|end|", ENDS },
	{ "|endoftext|", ENDS },
	{ "|eot_id|", ENDS },
	{ "|end_of_text|", ENDS },
	{ "|end_of_turn|", ENDS },
	{ "start_of_turn", BEGINS },
	{ "end_of_turn", ENDS },
	{ "<SYS>", BEGINS },
	{ "</SYS>", ENDS },
	{ "[SYSTEM]", BEGINS },
	{ "INST", BEGINS },
	{ "/INST", ENDS },
	{ "system", BEGINS },
	{ "/system", ENDS },
	{ "system_prompt", BEGINS },
	{ "/system_prompt", ENDS },
	{ "system-reminder", BEGINS },
	{ "system_message", BEGINS },
	{ "system message", BEGINS },
	{ "system_instructions", BEGINS },
	{ "system instruction", BEGINS },
	{ "system note", BEGINS },
	{ "system override", BEGINS },
	{ "admin_override", BEGINS },
	{ "admin override", BEGINS },
	{ "assistant", BEGINS },
	{ "/tool_result", ENDS },
	{ "/tool_results", ENDS },
	{ "/tool_output", ENDS },
	{ "/tool_response", ENDS },
	{ "/function_results", ENDS },
	{ "/function_response", ENDS },
	{ "/user_input", ENDS },
	{ "/user_query", ENDS },
	{ "/user_data", ENDS },
	{ "/search_results", ENDS },
	{ "/search_result", ENDS },
	{ "/untrusted", ENDS },
	{ "/untrusted_content", ENDS },
	{ "/untrusted_data", ENDS },
	{ "/external_content", ENDS },
	{ "/retrieved_context", ENDS },
	{ "important", URGES },
	{ "critical", URGES },
	{ "urgent", URGES },
	{ "instruction", URGES },
	{ "instructions", URGES },
	{ "admin", URGES },
	{ "secret", URGES },
	{ "hidden", URGES },
	{ "override", URGES },
	{ "priority", URGES },
	{ "REDACTED:email", PLACES },
};

static bool
is_letter(unsigned char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

enum { NAMES = sizeof(names) / sizeof(*names) };

/* Names, from 1 on, by the letter they begin with. */
static struct {
	uint8_t first[256], next[NAMES + 1];
	/* the letters they may begin with, after which of |, / and < */
	uint32_t starts[4][32];
	bool made;
} by_letter;

static int
group_of(unsigned char c)
{
	return c == '|' ? 1 : c == '/' ? 2 : c == '<' || c == '[' ? 3 : 0;
}

static unsigned char
letter_of(unsigned char c)
{
	return is_letter(c) ? c | 0x20 : c;
}

static void
make_by_letter(void)
{
	for (size_t i = NAMES; i > 0; i--) {
		const char *name = names[i - 1].name;
		uint8_t *first =
			&by_letter.first[letter_of((unsigned char)name[0])];
		by_letter.next[i] = *first;
		*first = (uint8_t)i;
		int group = group_of((unsigned char)name[0]);
		name += group != 0;
		by_letter.starts[group][name[0] & 31] |= UINT32_C(1)
			<< (name[1] & 31);
	}
	by_letter.made = true;
}

bool
wv_shape_may_be(const unsigned char *s, size_t n)
{
	if (!by_letter.made)
		make_by_letter();
	if (n < 4)
		return false;
	int group = group_of(s[1]);
	s += 1 + (group != 0);
	return (by_letter.starts[group][s[0] & 31] >> (s[1] & 31) & 1) != 0;
}

static bool
equals(const unsigned char *s, size_t n, const char *name)
{
	return strlen(name) == n && strncasecmp((const char *)s, name, n) == 0;
}

static enum wv_shape
effect_of(enum effect effect, bool *ends)
{
	static const enum wv_shape shapes[] = {
		[BEGINS] = WV_SHAPE_TURN,
		[ENDS] = WV_SHAPE_BREAKOUT,
		[URGES] = WV_SHAPE_TAG,
		[PLACES] = WV_SHAPE_PLACE,
	};

	*ends = effect == ENDS;
	return shapes[effect];
}

/* ### Instruction: of the Alpaca template. */
static size_t
heading(const unsigned char *s, size_t n)
{
	static const char *const titles[] = { "Instruction:", "System:",
		"Response:", "Human:", "Assistant:", "System Prompt:",
		"New Instructions:", "System Instruction:" };
	size_t at = 0;

	while (at < n && at < 4 && s[at] == '#')
		at++;
	if (at < 2 || at == n || s[at] != ' ')
		return 0;
	at++;
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		size_t len = strlen(titles[i]);
		if (n - at >= len &&
			strncasecmp((const char *)s + at, titles[i], len) == 0)
			return at + len;
	}
	return 0;
}

/* <important> <p>: a page of documentation that sets off a remark. */
static bool
is_markup(const unsigned char *s, size_t n)
{
	size_t i = n > 0 && s[0] == ' ';

	return n > i + 2 && s[i] == '<' && is_letter(s[i + 1]);
}

size_t
wv_shape_mark(const unsigned char *s, size_t n, bool line, enum wv_shape *shape,
	bool *ends)
{
	size_t end = 1;

	if (n > WV_MARK_MAX)
		n = WV_MARK_MAX;
	*ends = false;
	*shape = WV_SHAPE_TURN;
	if (s[0] == '#')
		return line ? heading(s, n) : 0;
	if (n < 3 || (memchr("|/<[", s[1], 4) == NULL && !is_letter(s[1])))
		return 0;
	unsigned char close = s[0] == '<' ? '>' : ']';
	while (end < n && s[end] != close && s[end] != '\n')
		end++;
	if (end < n && end + 1 < n && s[end + 1] == close)
		end++; /* <<SYS>> */
	if (end >= n || s[end] != close)
		return 0;
	size_t length = end - 1;
	if (length > 1 && s[end - 1] != close && s[end - 1] == ':')
		length--;
	if (!by_letter.made)
		make_by_letter();
	for (size_t at = by_letter.first[letter_of(s[1])]; at != 0;
		at = by_letter.next[at]) {
		size_t i = at - 1;
		if (!equals(s + 1, length, names[i].name))
			continue;
		/* [important] and [hidden] are words like others */
		if (names[i].effect == URGES &&
			(close == ']' || is_markup(s + end + 1, n - end - 1)))
			return 0;
		*shape = effect_of(names[i].effect, ends);
		return end + 1;
	}
	return 0;
}

/* What a query may ask for.  The first are what only a conversation has. */
enum { NARROW = 13 };
#define NAME(s) \
	{ \
		s, sizeof(s) - 1 \
	}
/* clang-format off */
static const struct {
	const char *name;
	size_t n;
} contents[] = {
	NAME("conversation"), NAME("chat"), NAME("history"), NAME("summary"),
	NAME("system"), NAME("prompt"), NAME("context"), NAME("messages"),
	NAME("secret"), NAME("secrets"), NAME("memory"), NAME("userdata"),
	NAME("credentials"),
	NAME("message"), NAME("password"), NAME("passwords"), NAME("data"),
	NAME("base64"), NAME("encoded"), NAME("apikey"), NAME("token"),
	NAME("env"), NAME("contents"), NAME("content"), NAME("ssn"),
	NAME("key"), NAME("keys"), NAME("email"), NAME("emails"),
	NAME("user"), NAME("info"), NAME("name"), NAME("result"),
	NAME("output"), NAME("answer"), NAME("query"),
};
/* clang-format on */
#undef NAME

static bool
is_content(const unsigned char *s, size_t n, bool broad)
{
	size_t count = broad ? sizeof(contents) / sizeof(*contents) : NARROW;

	for (size_t i = 0; i < count; i++)
		if (contents[i].n == n && contents[i].name[0] == (*s | 0x20) &&
			strncasecmp((const char *)s, contents[i].name, n) == 0)
			return true;
	return false;
}

bool
wv_url_carries(const unsigned char *s, size_t n, bool broad)
{
	unsigned depth = 0;
	bool value = false, query = false;

	for (size_t i = 0; i < n; i++) {
		switch (s[i]) {
		case '{':
		case '[':
		case '<':
			depth++;
			break;
		case '}':
		case ']':
		case '>':
			depth -= depth > 0;
			break;
		case '%':
			depth += i + 2 < n && s[i + 1] == '7' &&
				(s[i + 2] | 0x20) == 'b';
		}
		query |= s[i] == '?' || s[i] == '#';
		value = query && (value || s[i] == '=') && s[i] != '&';
		if (!is_letter(s[i]) || (i > 0 && is_letter(s[i - 1])))
			continue;
		size_t end = i;
		bool capitals = true;
		for (; end < n &&
			(is_letter(s[end]) || s[end] == '6' || s[end] == '4');
			end++)
			capitals &= !(s[end] >= 'a' && s[end] <= 'z');
		if ((depth > 0 || (value && capitals)) &&
			is_content(s + i, end - i, broad))
			return true;
	}
	return false;
}

size_t
wv_tag_within(const unsigned char *s, size_t n, size_t most)
{
	static const char *const inlines[] = { "b", "i", "u", "s", "a", "em",
		"strong", "span", "font", "code", "wbr", "mark", "small", "sub",
		"sup", "big", "tt", "kbd" };
	size_t at = 1, name;

	if (n > most)
		n = most;
	if (n > 6 && memcmp(s, "<!--", 4) == 0) {
		const unsigned char *end = memmem(s + 4, n - 4, "-->", 3);
		return end != NULL ? (size_t)(end + 3 - s) : 0;
	}
	if (at < n && s[at] == '/')
		at++;
	name = at;
	while (at < n && is_letter(s[at]))
		at++;
	size_t length = at - name;
	while (at < n && s[at] != '>' && s[at] != '<' && s[at] != '\n')
		at++;
	if (at >= n || s[at] != '>')
		return 0;
	for (size_t i = 0; i < sizeof(inlines) / sizeof(*inlines); i++)
		if (equals(s + name, length, inlines[i]))
			return at + 1;
	return 0;
}
