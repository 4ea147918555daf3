/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server of the Model Context Protocol that does what no server should.
 * Its arguments say how it begins and ends (see main), the tool that is called
 * what it does then (see tools).  It knows the requests of wv-call by their
 * text and nothing else of JSON.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANY "{\"type\":\"object\"}"
#define DRAFT_7 \
	"{\"$schema\":\"http://json-schema.org/draft-07/schema#\"," \
	"\"type\":\"object\",\"definitions\":{\"n\":{\"type\":\"number\"}}," \
	"\"properties\":{\"a\":{\"$ref\":\"#/definitions/n\"},\"b\":{" \
	"\"$ref\":\"#/definitions/n\"}},\"required\":[\"a\",\"b\"]}"

extern char **environ;

static const char *args; /* all our arguments, each between two spaces */
static FILE *record;     /* of what was said to us */
static int changes;      /* of the list */
static char held[64];    /* id of a call that is answered later */

static void
say(const char *text)
{
	fputs(text, stdout);
	putchar('\n');
	fflush(stdout);
}

/* Has NAME, or NAME=VALUE: then the value, up to the next space. */
static const char *
option(const char *name)
{
	static char value[256];
	char key[64];
	const char *at;

	snprintf(key, sizeof key, " %s ", name);
	if (strstr(args, key) != NULL)
		return "";
	snprintf(key, sizeof key, " %s=", name);
	at = strstr(args, key);
	if (at == NULL)
		return NULL;
	at += strlen(key);
	snprintf(value, sizeof value, "%.*s", (int)strcspn(at, " "), at);
	return value;
}

/* As the inside of a JSON string. */
static void
put_escaped(const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
}

static void
answer_text(const char *id, const char *text)
{
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{"
	       "\"type\":\"text\",\"text\":\"",
		id);
	put_escaped(text);
	say("\"}]}}");
}

static void
answer(const char *id, const char *result)
{
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,", id);
	printf("%s}", result);
	say("");
}

static void
echo(const char *id, const char *arguments)
{
	answer_text(id, arguments);
	if (held[0] != '\0')
		answer_text(held, "held back");
	held[0] = '\0';
}

static void
structured(const char *id, const char *arguments)
{
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],"
	       "\"structuredContent\":",
		id);
	printf("%s}}", arguments);
	say("");
}

static void
image(const char *id, const char *arguments)
{
	(void)arguments;
	answer(id,
		"\"result\":{\"content\":[{\"type\":\"image\",\"data\":"
		"\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
		"YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==\","
		"\"mimeType\":\"image/png\"}]}");
}

static void
linked(const char *id, const char *arguments)
{
	(void)arguments;
	answer(id,
		"\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"see\"},"
		"{\"type\":\"resource_link\",\"uri\":\"file:///etc/hostname\","
		"\"name\":\"h\"}]}");
}

static void
fails(const char *id, const char *arguments)
{
	(void)arguments;
	answer(id,
		"\"result\":{\"isError\":true,\"content\":[{\"type\":\"text\","
		"\"text\":\"no disk; mail ann@example.com\"}]}");
}

static void
refuses(const char *id, const char *arguments)
{
	(void)arguments;
	answer(id,
		"\"error\":{\"code\":-32000,\"message\":\"not now\",\"data\":{"
		"\"password\":\"hunter2hunter2\",\"retry\":1.50}}");
}

static void
environment(const char *id, const char *arguments)
{
	char names[4096] = "";

	(void)arguments;
	for (char **at = environ; *at != NULL; at++) {
		strncat(names, *at, strcspn(*at, "="));
		strcat(names, " ");
	}
	answer_text(id, names);
}

static void
pid(const char *id, const char *arguments)
{
	char text[32];

	(void)arguments;
	snprintf(text, sizeof text, "pid %d", (int)getpid());
	answer_text(id, text);
}

static void
hang(const char *id, const char *arguments)
{
	(void)id, (void)arguments;
}

static void
hold(const char *id, const char *arguments)
{
	(void)arguments;
	snprintf(held, sizeof held, "%s", id);
}

static void
die(const char *id, const char *arguments)
{
	(void)id, (void)arguments;
	fputs("{\"jsonrpc\":\"2.0\",\"id\":", stdout);
	fflush(stdout);
	fputs("first words\nlast words of ann@example.com\n", stderr);
	exit(3);
}

static void
twice(const char *id, const char *arguments)
{
	(void)arguments;
	answer_text(id, "first");
	answer_text(id, "second");
}

static void
wrong(const char *id, const char *arguments)
{
	char other[128];

	snprintf(other, sizeof other, "%ld", strtol(id, NULL, 10) + 1);
	answer_text(other, "wrong");
	snprintf(other, sizeof other, "\"%s\"", id);
	answer_text(other, "wrong");
	snprintf(other, sizeof other, "%s.5", id);
	answer_text(other, "wrong");
	answer_text("null", "wrong");
	answer_text("1", "wrong");
	answer_text(id, arguments);
}

static void
junk(const char *id, const char *arguments)
{
	(void)id, (void)arguments;
	say("Loading model ghp_0123456789abcdefghijABCDEFGHIJ012345 ...");
}

static void
huge(const char *id, const char *arguments)
{
	static char block[1 << 16];

	(void)id, (void)arguments;
	memset(block, 'x', sizeof block);
	for (int i = 0; i < 1 << 11; i++) {
		if (fwrite(block, 1, sizeof block, stdout) == 0)
			exit(0);
	}
	say("");
}

static void
big(const char *id, const char *arguments)
{
	(void)arguments;
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{"
	       "\"type\":\"text\",\"text\":\"",
		id);
	for (int i = 0; i < 200000; i++)
		printf("line %d of a long text that goes on\\n", i);
	say("\"}]}}");
}

static void
batch(const char *id, const char *arguments)
{
	(void)arguments;
	printf("[{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}]",
		id);
	say("");
}

static void
flood(const char *id, const char *arguments)
{
	(void)id, (void)arguments;
	while (!ferror(stdout))
		puts("{\"jsonrpc\":\"2.0\",\"method\":"
		     "\"notifications/progress\",\"params\":{}}");
	exit(0);
}

static void
change(const char *id, const char *arguments)
{
	changes++;
	say("{\"jsonrpc\":\"2.0\",\"method\":"
	    "\"notifications/tools/list_changed\"}");
	answer_text(id, arguments);
}

static void
logs(const char *id, const char *arguments)
{
	say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{\"level\":\"info\",\"data\":\"log of "
	    "ann@example.com\"}}");
	fputs("error of ann@example.com\n", stderr);
	answer_text(id, arguments);
}

/* Asks for all that a client may offer, and hands on what it says. */
static void
asks(const char *id, const char *arguments)
{
	static const char *const methods[] = { "sampling/createMessage",
		"elicitation/create", "roots/list", "ping", "tasks/list" };
	char text[4096] = "", line[512];

	(void)arguments;
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		printf("{\"jsonrpc\":\"2.0\",\"id\":\"q%zu\",\"method\":\"%s\","
		       "\"params\":{}}",
			i, methods[i]);
		say("");
		if (fgets(line, sizeof line, stdin) == NULL)
			exit(1);
		line[strcspn(line, "\n")] = '\0';
		strcat(text, line);
		strcat(text, " ");
	}
	answer_text(id, text);
}

static const struct tool {
	const char *name, *schema, *annotations;
	void (*call)(const char *id, const char *arguments);
} tools[] = {
	{ "echo", ANY, "{\"readOnlyHint\":true}", echo },
	{ "add", DRAFT_7, "{}", echo },
	{ "structured", ANY, "{\"readOnlyHint\":false}", structured },
	{ "image", ANY, "{}", image },
	{ "linked", ANY, "{}", linked },
	{ "fails", ANY, "{\"destructiveHint\":true}", fails },
	{ "refuses", ANY, "{}", refuses },
	{ "environment", ANY, "{}", environment },
	{ "pid", ANY, "{}", pid },
	{ "hang", ANY, "{}", hang },
	{ "hold", ANY, "{}", hold },
	{ "die", ANY, "{}", die },
	{ "twice", ANY, "{}", twice },
	{ "wrong", ANY, "{}", wrong },
	{ "junk", ANY, "{}", junk },
	{ "huge", ANY, "{}", huge },
	{ "big", ANY, "{}", big },
	{ "batch", ANY, "{}", batch },
	{ "flood", ANY, "{}", flood },
	{ "change", ANY, "{}", change },
	{ "logs", ANY, "{}", logs },
	{ "asks", ANY, "{}", asks },
	{ "bad-schema", "{\"type\":\"nothing\"}", "{}", echo },
};
enum { TOOLS = sizeof tools / sizeof tools[0] };

/* After `change`, echo is no reader any more. */
static void
put_tool(const struct tool *tool)
{
	int is_other = changes > 0 && tool->call == echo;

	printf("{\"name\":\"%s\",\"inputSchema\":%s,\"annotations\":%s}",
		tool->name, tool->schema,
		is_other ? "{\"readOnlyHint\":false}" : tool->annotations);
}

/* All of them, or under `pages` three a page; under `loop` there is always
 * one more, under `endless` always another one. */
static void
list(const char *id, const char *line)
{
	const char *cursor = strstr(line, "\"cursor\":\"");
	size_t from = cursor != NULL ? strtoul(cursor + 10, NULL, 10) : 0;
	size_t to =
		option("pages") != NULL && from + 3 < TOOLS ? from + 3 : TOOLS;

	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"tools\":[", id);
	for (size_t i = from; i < to; i++) {
		if (i > from)
			putchar(',');
		put_tool(&tools[i]);
	}
	putchar(']');
	if (option("loop") != NULL)
		printf(",\"nextCursor\":\"1000\"");
	else if (option("endless") != NULL)
		printf(",\"nextCursor\":\"%zu\"", from + 1000);
	else if (to < TOOLS)
		printf(",\"nextCursor\":\"%zu\"", to);
	say("}}");
}

static void
initialize(const char *id)
{
	const char *version = option("version");

	if (option("early") != NULL)
		say("{\"jsonrpc\":\"2.0\",\"method\":"
		    "\"notifications/tools/list_changed\"}");
	if (option("mute") != NULL)
		return;
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{"
	       "\"protocolVersion\":\"%s\",\"capabilities\":{%s},"
	       "\"serverInfo\":{\"name\":\"fault\",\"version\":\"0\"}}}",
		id, version != NULL ? version : "2025-11-25",
		option("toolless") != NULL ? "" : "\"tools\":{}");
	say("");
}

static void
call(const char *id, const char *line)
{
	char *arguments = strstr(line, "\"arguments\":");
	char *end = arguments != NULL ? strrchr(arguments, '}') : NULL;
	char name[64];

	if (end == NULL)
		return;
	end[-1] = '\0'; /* of the two brackets behind the arguments */
	arguments += strlen("\"arguments\":");
	for (size_t i = 0; i < TOOLS; i++) {
		snprintf(name, sizeof name, "{\"name\":\"%s\",", tools[i].name);
		if (strstr(line, name) != NULL) {
			tools[i].call(id, arguments);
			return;
		}
	}
}

static void
take(char *line)
{
	char *at = strstr(line, "\"id\":");
	char id[64] = "";

	if (record != NULL) {
		fputs(line, record);
		fflush(record);
	}
	if (at != NULL)
		snprintf(id, sizeof id, "%.*s", (int)strcspn(at + 5, ",}"),
			at + 5);
	if (strstr(line, "\"method\":\"initialize\"") != NULL)
		initialize(id);
	else if (strstr(line, "\"method\":\"tools/list\"") != NULL)
		list(id, line);
	else if (strstr(line, "\"method\":\"tools/call\"") != NULL)
		call(id, line);
}

/* One that left us, and holds our pipes. */
static void
leave_child(const char *path)
{
	FILE *file;

	if (fork() != 0)
		return;
	setsid();
	file = fopen(path, "w");
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	for (;;)
		pause();
}

static const char *
join(char **argv)
{
	static char all[4096] = " ";

	for (; *argv != NULL; argv++) {
		strcat(all, *argv);
		strcat(all, " ");
	}
	return all;
}

/*
 * record=FILE	appends what is said to it
 * early	notifies before it has answered initialize
 * version=V	speaks this one
 * toolless	has no tools
 * mute		answers no initialize
 * dead		ends before it has read anything
 * banner	begins with words, loud	with words on stderr
 * pages, loop, endless	see list
 * stubborn	ends neither with its input nor of TERM
 * child=FILE	leaves a child behind, whose pid it writes there
 */
int
main(int argc, char **argv)
{
	char *line = NULL;
	size_t room = 0;

	(void)argc;
	args = join(argv + 1);
	if (option("record") != NULL)
		record = fopen(option("record"), "a");
	if (option("child") != NULL)
		leave_child(option("child"));
	if (option("dead") != NULL) {
		fputs("no licence\n", stderr);
		return 7;
	}
	if (option("loud") != NULL)
		fputs("hello\n", stderr);
	if (option("banner") != NULL)
		say("Welcome!");
	if (option("stubborn") != NULL)
		signal(SIGTERM, SIG_IGN);
	while (getline(&line, &room, stdin) > 0)
		take(line);
	while (option("stubborn") != NULL)
		pause();
	return 0;
}
