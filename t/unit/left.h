/* SPDX-License-Identifier: Apache-2.0 */
/* What a test has left: open descriptors, children. */
#ifndef WV_TEST_LEFT_H
#define WV_TEST_LEFT_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>

static inline int
open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	if (!dir)
		return 0;
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static inline bool
has_children(void)
{
	return waitpid(-1, NULL, WNOHANG) >= 0;
}

/* The process whose number is a line of output is no more. */
static inline bool
is_gone(const char *line)
{
	pid_t pid = (pid_t)atol(line);

	return pid > 0 && kill(pid, 0) < 0;
}

#endif
