/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_BENCH_CPU_H
#define WV_BENCH_CPU_H

#include <time.h>

/* Seconds of CPU time that this process has taken. */
static inline double
cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
