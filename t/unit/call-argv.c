/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a command: cmd/wv-call/argv.c. */
#include "cmd/wv-call/argv.c"

#include "document.h"

/* The words, each in brackets, or the error. */
static const char *
words(const char *command, const char *arguments, const char *allow_dash)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str out = { 0 };
	char **argv = argv_make(&arena, json(command), json(arguments),
		allow_dash ? json(allow_dash) : NULL, &err);

	if (argv == NULL)
		return wv_dup(&arena, err.text);
	for (; *argv != NULL; argv++)
		wv_str_fmt(&out, "[%s]", *argv);
	const char *text = wv_dupn(&arena, out.s, out.n);
	wv_str_free(&out);
	return text;
}

static void
test_placeholders(void)
{
	is(words("[\"grep\",\"{p}\",\"x\"]", "{\"p\":\"a b; $(c)\"}", NULL),
		"[grep][a b; $(c)][x]",
		"a value is one word, whatever it holds");
	is(words("[\"e\",\"{p}\"]", "{\"p\":\"\"}", NULL), "[e][]",
		"an empty value is an empty word");
	is(words("[\"e\",\"{p}\",\"x\"]", "{}", NULL), "[e][x]",
		"an absent one is no word");
	is(words("[\"e\",\"{p}\",\"x\"]", "{\"p\":null}", NULL), "[e][x]",
		"null is no word");
	is(words("[\"e\",\"{p}\",\"x\"]", "{\"p\":[\"a\",\"b c\",3,null]}",
		   NULL),
		"[e][a][b c][3][x]", "an array is a word for each element");
	is(words("[\"e\",\"{p}\"]", "{\"p\":{\"a\":[1, 2.0],\"b\":\"c\"}}",
		   NULL),
		"[e][{\"a\":[1,2.0],\"b\":\"c\"}]",
		"an object is its compact JSON");
	is(words("[\"e\",\"{p}\",\"{q}\"]", "{\"p\":true,\"q\":false}", NULL),
		"[e][true][false]", "booleans are words");
	is(words("[\"{p}\",\"{p}\"]", "{\"p\":\"rm\"}", NULL), "[{p}][rm]",
		"the first word is literal");
	is(words("[\"e\",\"--x={p}\",\"{\",\"{}\",\"{p q}\",\"{p}}\"]",
		   "{\"p\":\"v\"}", NULL),
		"[e][--x={p}][{][{}][{p q}][{p}}]",
		"only a whole word is a placeholder");
	is(words("[\"e\",\"{a.b-c_1}\"]", "{\"a.b-c_1\":\"v\"}", NULL),
		"[e][v]", "names may have dots and hyphens");
	is(words("[\"e\",\"{p}\"]", "{\"p\":\"{q}\",\"q\":\"v\"}", NULL),
		"[e][{q}]", "a value is not looked at again");
}

static void
test_numbers(void)
{
	is(words("[\"e\",\"{n}\"]", "{\"n\":9223372036854775993}", NULL),
		"[e][9223372036854775993]", "19 digits reach the command");
	is(words("[\"e\",\"{n}\",\"{m}\"]", "{\"n\":1.10,\"m\":1E3}", NULL),
		"[e][1.10][1E3]", "a number is its text");
}

static void
test_dashes(void)
{
	const char *refused = "argument \"p\" begins with \"-\": the command "
			      "could take it for an option";

	is(words("[\"e\",\"{p}\"]", "{\"p\":\"-rf\"}", NULL), refused,
		"an option is refused");
	is(words("[\"e\",\"{p}\"]", "{\"p\":-5}", NULL), refused,
		"a negative number too");
	is(words("[\"e\",\"{p}\"]", "{\"p\":[\"a\",\"-b\"]}", NULL), refused,
		"an element too");
	is(words("[\"e\",\"{p}\"]", "{\"p\":\"--\"}", NULL), refused,
		"the end of options too");
	is(words("[\"e\",\"{p}\",\"--\",\"x\"]", "{\"p\":\"-b\"}", NULL),
		refused, "a -- that comes later does not help");
	is(words("[\"e\",\"--\",\"{p}\"]", "{\"p\":\"-rf\"}", NULL),
		"[e][--][-rf]", "after -- it is an operand");
	is(words("[\"e\",\"{p}\"]", "{\"p\":-5}", "[\"p\"]"), "[e][-5]",
		"allow_dash allows it");
	is(words("[\"e\",\"{p}\"]", "{\"p\":-5}", "[\"q\"]"), refused,
		"to whom it names only");
}

static void
test_nul(void)
{
	is(words("[\"e\",\"--\",\"{p}\"]", "{\"p\":\"a\\u0000b\"}", NULL),
		"argument \"p\" holds U+0000, which no command line can carry",
		"U+0000 is refused");
	is(words("[\"e\",\"--\",\"{p}\"]", "{\"p\":{\"k\":\"a\\u0000b\"}}",
		   NULL),
		"[e][--][{\"k\":\"a\\u0000b\"}]",
		"within JSON it is an escape");
}

static void
test_many(void)
{
	struct wv_str list = { 0 };
	cJSON *command, *arguments;
	char **argv;
	size_t n = 0;

	wv_str_cat(&list, "{\"p\":[");
	for (int i = 0; i < 100; i++)
		wv_str_fmt(&list, "%s%d", i > 0 ? "," : "", i);
	wv_str_cat(&list, "]}");
	command = json("[\"e\",\"{p}\"]");
	arguments = json(list.s);
	argv = argv_make(&arena, command, arguments, NULL, NULL);
	while (argv != NULL && argv[n] != NULL)
		n++;
	ok(n == 101 && strcmp(argv[100], "99") == 0, "a hundred words");
	wv_str_free(&list);
}

int
main(void)
{
	test_placeholders();
	test_numbers();
	test_dashes();
	test_nul();
	test_many();
	wv_arena_free(&arena);
	return done();
}
