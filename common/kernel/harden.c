/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/harden.h"

#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(leak_sanitizer)
#define IS_TRACED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(IS_TRACED)
#define IS_TRACED 1
#endif

void
wv_process_harden(void)
{
#ifndef IS_TRACED
	struct rlimit core;

	/* The hard limit stays: it is not ours to take from our children. */
	if (getrlimit(RLIMIT_CORE, &core) == 0) {
		core.rlim_cur = 0;
		setrlimit(RLIMIT_CORE, &core);
	}
#ifdef PR_SET_DUMPABLE
	prctl(PR_SET_DUMPABLE, 0);
#endif
#endif
}
