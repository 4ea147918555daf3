/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands side by side: `compare RUNS BYTES LABEL COMMAND …` runs each shell
 * COMMAND in turn, RUNS rounds, and prints of each the median in seconds, the
 * megabytes of BYTES a second, the peak memory, how many times slower than
 * the first it is, and its exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

struct result {
	double *seconds;
	long peak_kib;
	int status;
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
run(const char *command, int round, posix_spawn_file_actions_t *quiet,
	struct result *result)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };
	double start = now();
	struct rusage usage;
	pid_t pid;
	int error = posix_spawnp(&pid, "sh", quiet, NULL, argv, environ);

	if (error != 0 || wait4(pid, &result->status, 0, &usage) != pid) {
		fprintf(stderr, "compare: %s: %s\n", command,
			strerror(error ? error : errno));
		exit(2);
	}
	result->seconds[round] = now() - start;
	if (usage.ru_maxrss > result->peak_kib)
		result->peak_kib = usage.ru_maxrss;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(struct result *result, int runs)
{
	qsort(result->seconds, (size_t)runs, sizeof *result->seconds, by_value);
	return result->seconds[runs / 2];
}

static void
print(const char *label, struct result *result, int runs, double bytes,
	double first)
{
	double seconds = median(result, runs);

	printf("%-28s %8.3f s %8.0f MB/s %7.1f MB %6.1fx  status %d\n", label,
		seconds, bytes / 1e6 / seconds, (double)result->peak_kib / 1024,
		seconds / first,
		WIFEXITED(result->status) ? WEXITSTATUS(result->status) : -1);
}

int
main(int argc, char **argv)
{
	int runs = argc > 4 ? atoi(argv[1]) : 0, count = (argc - 3) / 2;
	posix_spawn_file_actions_t quiet;
	struct result *results;

	if (runs < 1 || argc % 2 == 0) {
		fprintf(stderr, "usage: compare RUNS BYTES LABEL COMMAND …\n");
		return 2;
	}
	results = calloc((size_t)count, sizeof *results);
	for (int i = 0; i < count; i++)
		results[i].seconds = calloc((size_t)runs, sizeof(double));
	posix_spawn_file_actions_init(&quiet);
	for (int fd = 1; fd <= 2; fd++)
		posix_spawn_file_actions_addopen(
			&quiet, fd, "/dev/null", O_WRONLY, 0);
	for (int round = 0; round < runs; round++) {
		for (int i = 0; i < count; i++)
			run(argv[4 + 2 * i], round, &quiet, &results[i]);
	}
	double first = median(&results[0], runs);
	for (int i = 0; i < count; i++)
		print(argv[3 + 2 * i], &results[i], runs, atof(argv[2]), first);
	return 0;
}
