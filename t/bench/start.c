/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long programs take to start: `start RUNS PROGRAM…` runs `PROGRAM
 * --version` in turn, RUNS rounds, and prints each one's median in
 * milliseconds and how far it lies above the first program's.
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

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double
run(const char *program, posix_spawn_file_actions_t *quiet)
{
	char *argv[] = { (char *)program, "--version", NULL };
	double start = now_ms();
	pid_t pid;
	int status;
	int error = posix_spawn(&pid, program, quiet, NULL, argv, environ);

	if (error != 0) {
		fprintf(stderr, "start: %s: %s\n", program, strerror(error));
		exit(2);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "start: %s: failed\n", program);
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
		fprintf(stderr, "usage: start RUNS PROGRAM...\n");
		return 2;
	}
	double *times = calloc((size_t)runs * (size_t)programs, sizeof *times);
	if (times == NULL)
		return 2;
	posix_spawn_file_actions_t quiet;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	for (int r = -1; r < runs; r++) /* the first round warms up */
		for (int p = 0; p < programs; p++) {
			double ms = run(argv[2 + p], &quiet);
			if (r >= 0)
				times[p * runs + r] = ms;
		}
	double base = 0;
	for (int p = 0; p < programs; p++) {
		qsort(times + p * runs, (size_t)runs, sizeof *times, by_value);
		double median = times[p * runs + runs / 2];
		if (p == 0)
			base = median;
		printf("%-40s %7.3f ms  %+7.3f ms\n", argv[2 + p], median,
			median - base);
	}
	posix_spawn_file_actions_destroy(&quiet);
	free(times);
	return 0;
}
