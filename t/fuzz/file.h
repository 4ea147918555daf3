/* SPDX-License-Identifier: Apache-2.0 */
/* A file whose content is what is tried, for what reads files by name. */
#ifndef WV_FUZZ_FILE_H
#define WV_FUZZ_FILE_H

#include "base/file.h"

#include "must.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Its name; each call has it hold something else. */
static inline const char *
file_of(const void *p, size_t n)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	must(fd >= 0 && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 &&
		wv_write_all(fd, p, n) == 0);
	return path;
}

#endif
