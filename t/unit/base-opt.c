/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines, in children: most of what is tested ends the process. */
#include "tap.h"

#include "base/msg.h"
#include "base/opt.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPT_MAX_LINE = 1000, OPT_TTL };

static const char *const synopsis[] = { "[OPTION…] [FILE…]", "show ID", NULL };
static const struct wv_opt table[] = {
	{ 'c', "catalog", "FILE", "capabilities to route over" },
	{ 'n', "limit", "N", "at most N items" },
	{ 'f', "format", "NAME", "text or json" },
	{ 'x', NULL, NULL, "a letter only" },
	{ OPT_MAX_LINE, "max-line", "BYTES", "longest record" },
	{ OPT_TTL, "ttl", "TIME", "how long" },
	{ 0 },
};
static const struct wv_cmd cmd = {
	.tool = "wv-test issue",
	.synopsis = synopsis,
	.about = "Does something that takes more than one line of the usual "
		 "width to describe.",
	.opts = table,
	.examples = "  wv-test -c tools.yaml\n",
};
static const char *const formats[] = { "text", "json", NULL };

static char out[8192], errs[8192];

static void
take_value(const struct wv_opts *o, int id)
{
	switch (id) {
	case 'n':
		printf("n=%lld ",
			(long long)wv_opt_int(o, "limit", o->value, -2, 20));
		break;
	case 'f':
		printf("f=%d ", wv_opt_choice(o, "-f", o->value, formats));
		break;
	case OPT_MAX_LINE:
		printf("size=%lld ",
			(long long)wv_opt_size(o, "max-line", o->value));
		break;
	case OPT_TTL:
		printf("ttl=%lld ",
			(long long)wv_opt_duration(o, "--ttl", o->value));
		break;
	default:
		printf("%c=%s ", id, o->value ? o->value : "-");
		break;
	}
}

static void
parse(int argc, char **argv)
{
	struct wv_opts o;
	int id;

	wv_opt_start(&o, &cmd, argc, argv);
	while ((id = wv_opt_next(&o)))
		take_value(&o, id);
	for (int i = 0; i < o.operand_count; i++)
		printf("%s%s ", i == o.before_dashes ? "| " : "",
			o.operands[i]);
	printf("q%d v%d", wv_quiet, wv_verbose);
	if (o.operands[o.operand_count])
		printf(" not terminated");
	wv_opt_end(&o);
}

static void
read_back(int fd, char *text)
{
	ssize_t n = pread(fd, text, sizeof out - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
}

static int
scratch(void)
{
	char name[] = "/tmp/base-opt.XXXXXX";
	int fd = mkstemp(name);

	unlink(name);
	return fd;
}

/* Words separated by single spaces. */
static int
run(const char *line)
{
	char copy[1000], *argv[50];
	int argc = 0, status = -1, fds[2] = { scratch(), scratch() };

	snprintf(copy, sizeof copy, "wv-test %s", line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	pid_t pid = fork();
	if (pid == 0) {
		dup2(fds[0], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		parse(argc, argv);
		exit(0);
	}
	waitpid(pid, &status, 0);
	read_back(fds[0], out);
	read_back(fds[1], errs);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
good(const char *line, const char *want)
{
	ok(run(line) == 0, "status of '%s'", line);
	is(out, want, "result of '%s'", line);
}

static void
bad(const char *line, const char *want)
{
	char all[1000];

	snprintf(all, sizeof all,
		"wv-test issue: %s\nwv-test issue: try 'wv-test issue "
		"--help'\n",
		want);
	ok(run(line) == 2, "status of '%s'", line);
	is(errs, all, "message for '%s'", line);
}

static void
test_parsing(void)
{
	good("", "q0 v0");
	good("-c a -n 3 b", "c=a n=3 b q0 v0");
	good("a -ca b --catalog=c --catalog d c", "c=a c=c c=d a b c q0 v0");
	good("a -- -c b", "a | -c b q0 v0");
	good("-- a", "| a q0 v0");
	good("a --", "a q0 v0");
	good("-c -- a", "c=-- a q0 v0");
	good("- -c -", "c=- - q0 v0");
	good("-qvxvc a", "x=- c=a q1 v2");
	good("--catalog= a", "c= a q0 v0");
	setenv("POSIXLY_CORRECT", "1", 1);
	good("a -x", "x=- a q0 v0");
	unsetenv("POSIXLY_CORRECT");
}

static void
test_misuse(void)
{
	bad("--catalogue=x",
		"unknown option '--catalogue'; did you mean '--catalog'?");
	bad("--cat x", "unknown option '--cat'; did you mean '--catalog'?");
	bad("--max 3", "unknown option '--max'; did you mean '--max-line'?");
	bad("--ver", "unknown option '--ver'");
	bad("--frobnicate", "unknown option '--frobnicate'");
	bad("-z", "unknown option '-z'");
	bad("-xz", "unknown option '-z'");
	bad("a -c", "option '-c' needs a value, -c FILE");
	bad("--limit", "option '--limit' needs a value, --limit=N");
	bad("--quiet=1", "option '--quiet' takes no value");
	bad("--\x1b[0m", "unknown option '--\\x1b[0m'");
	ok(run("-q --nope") == 2 && errs[0] == '\0', "quiet");
}

static void
test_values(void)
{
	good("-n -2 -n 20", "n=-2 n=20 q0 v0");
	bad("-n 21",
		"option '--limit': '21' is not a whole number from -2 "
		"to 20");
	bad("-n 1x",
		"option '--limit': '1x' is not a whole number from -2 "
		"to 20");
	bad("-n +1",
		"option '--limit': '+1' is not a whole number from -2 "
		"to 20");
	bad("-n=",
		"option '--limit': '=' is not a whole number from -2 to "
		"20");
	bad("-n 99999999999999999999",
		"option '--limit': '99999999999999999999' is not a whole "
		"number from -2 to 20");
	good("-f json -f text", "f=1 f=0 q0 v0");
	bad("-f jsn",
		"option '-f': 'jsn' is none of text, json; did you mean "
		"'json'?");
	bad("-f xml", "option '-f': 'xml' is none of text, json");
	good("--max-line 5 --max-line 64K --max-line 1M "
	     "--max-line 2G",
		"size=5 size=65536 size=1048576 size=2147483648 q0 "
		"v0");
	static const char *const sizes[] = { "x", "K", "5k", "5KB", "-1",
		"1.5M", NULL };
	for (int i = 0; sizes[i]; i++) {
		char line[100];
		snprintf(line, sizeof line, "--max-line %s", sizes[i]);
		ok(run(line) == 2 && strstr(errs, "is not a size such as"),
			"not the size %s", sizes[i]);
	}
	bad("--max-line 0", "option '--max-line': a size is at least 1");
	bad("--max-line 9999999999G",
		"option '--max-line': '9999999999G' is too large a size");
	good("--ttl 15m", "ttl=900000 q0 v0");
	bad("--ttl 15",
		"option '--ttl': '15' is not a duration such as 250ms, 15s, "
		"10m, 24h or 7d");
}

static void
test_help(void)
{
	static const char want[] =
		"Usage: wv-test issue [OPTION…] [FILE…]\n"
		"       wv-test issue show ID\n"
		"\n"
		"Does something that takes more than one line of the usual "
		"width to describe.\n"
		"\n"
		"Options:\n"
		"  -c, --catalog=FILE    capabilities to route over\n"
		"  -n, --limit=N         at most N items\n"
		"  -f, --format=NAME     text or json\n"
		"  -x                    a letter only\n"
		"      --max-line=BYTES  longest record\n"
		"      --ttl=TIME        how long\n"
		"\n"
		"Common options:\n"
		"  -h, --help            show this help\n"
		"  -V, --version         show the version\n"
		"  -q, --quiet           no messages; the exit status still "
		"tells\n"
		"  -v, --verbose         say more\n"
		"\n"
		"Examples:\n"
		"  wv-test -c tools.yaml\n";

	ok(run("-h") == 0, "status of help");
	is(out, want, "help");
	ok(run("a --help --nope") == 0, "help comes first");
	ok(run("--version") == 0, "status of version");
	is(out, "wv-test " WV_VERSION "\n", "version, without the subcommand");
}

/* A second command line in one process, as subcommands have it. */
static void
test_again(void)
{
	char *first[] = { (char *)"wv-test", (char *)"-c", (char *)"a", NULL };
	char *second[] = { (char *)"issue", (char *)"-n", (char *)"1", NULL };
	struct wv_opts a, b;

	wv_opt_start(&a, &cmd, 3, first);
	ok(wv_opt_next(&a) == 'c' && wv_opt_next(&a) == 0, "one");
	wv_opt_start(&b, &cmd, 3, second);
	ok(wv_opt_next(&b) == 'n' && strcmp(b.value, "1") == 0 &&
			wv_opt_next(&b) == 0,
		"and another");
	wv_opt_end(&a);
	wv_opt_end(&b);
}

static void
test_full_disk(void)
{
	char *argv[] = { (char *)"wv-test", (char *)"--help", NULL };
	int status = -1, said = scratch();
	pid_t pid = fork();

	if (pid == 0) {
		dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		dup2(said, STDERR_FILENO);
		parse(2, argv);
		exit(0);
	}
	waitpid(pid, &status, 0);
	read_back(said, errs);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 2, "a full disk");
	is(errs,
		"wv-test issue: standard output: write error: No space left "
		"on device\n",
		"says so");
}

static void
test_terminal(void)
{
	struct wv_opts o;
	char *argv[] = { (char *)"wv-test", NULL };
	int status = -1, said = scratch();

	wv_opt_start(&o, &cmd, 1, argv);
	pid_t pid = fork();
	if (pid == 0) {
		dup2(said, STDERR_FILENO);
		wv_usage_terminal(&o);
	}
	waitpid(pid, &status, 0);
	read_back(said, errs);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 2, "a terminal");
	is(errs,
		"wv-test issue: records are read from standard input, which "
		"is a terminal\n"
		"Usage: wv-test issue [OPTION…] [FILE…]\n"
		"       wv-test issue show ID\n"
		"wv-test issue: try 'wv-test issue --help'\n",
		"short help");
	wv_opt_end(&o);
}

int
main(void)
{
	test_parsing();
	test_misuse();
	test_values();
	test_help();
	test_again();
	test_full_disk();
	test_terminal();
	return done();
}
