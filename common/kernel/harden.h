/* SPDX-License-Identifier: Apache-2.0 */
/* What a process that holds keys or tokens does first. */
#ifndef WV_KERNEL_HARDEN_H
#define WV_KERNEL_HARDEN_H

/*
 * From here on no other process of the same user can look into this one
 * (ptrace, /proc/PID/mem, environ), and it leaves no core file: not where
 * RLIMIT_CORE is a size, and not where cores go to a program.  Programs that
 * it executes are ordinary again, but for the soft limit of cores, 0.
 * Nothing at all in a build with a sanitizer that has to trace itself.
 */
void wv_process_harden(void);

#endif
