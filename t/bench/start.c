/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long programs take from start to end: `start RUNS COMMAND…` runs each in
 * turn, RUNS rounds, with nothing to read, and prints the least and the median
 * time in milliseconds and how far the median lies above the first command's.
 * A command is words with blanks between; `--version` follows one that is a
 * word alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

enum { WORDS = 32 };

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Its words, in a copy that lives as long as the program. */
static void
split(const char *command, char *argv[WORDS + 1])
{
	char *copy = strdup(command), *next = NULL;
	int n = 0;

	for (char *word = strtok_r(copy, " ", &next); word != NULL && n < WORDS;
		word = strtok_r(NULL, " ", &next))
		argv[n++] = word;
	if (n == 1)
		argv[n++] = (char *)"--version";
	argv[n] = NULL;
}

static double
run(char *const argv[], posix_spawn_file_actions_t *quiet)
{
	double start = now_ms();
	pid_t pid;
	int status;
	int error = posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ);

	if (error != 0) {
		fprintf(stderr, "start: %s: %s\n", argv[0], strerror(error));
		exit(2);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "start: %s: failed\n", argv[0]);
		exit(2);
	}
	return now_ms() - start;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0;
	int programs = argc - 2;

	if (runs < 1) {
		fprintf(stderr, "usage: start RUNS COMMAND...\n");
		return 2;
	}
	double *times = calloc((size_t)runs * (size_t)programs, sizeof *times);
	char *(*words)[WORDS + 1] = calloc((size_t)programs, sizeof *words);
	if (times == NULL || words == NULL)
		return 2;
	for (int p = 0; p < programs; p++)
		split(argv[2 + p], words[p]);
	posix_spawn_file_actions_t quiet;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	for (int r = -1; r < runs; r++) /* the first round warms up */
		for (int p = 0; p < programs; p++) {
			double ms = run(words[p], &quiet);
			if (r >= 0)
				times[p * runs + r] = ms;
		}
	double base = 0;
	for (int p = 0; p < programs; p++) {
		double *all = times + p * runs;
		qsort(all, (size_t)runs, sizeof *times, by_value);
		if (p == 0)
			base = all[runs / 2];
		printf("%-40.40s %7.3f ms  %7.3f ms  %+7.3f ms\n", argv[2 + p],
			all[0], all[runs / 2], all[runs / 2] - base);
	}
	posix_spawn_file_actions_destroy(&quiet);
	free(times);
	free(words);
	return 0;
}
