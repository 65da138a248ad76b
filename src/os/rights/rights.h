/* SPDX-License-Identifier: MIT */
/*
 * What this process is allowed to do, and the knobs that decide it. proc_root stands for "/proc".
 */
#ifndef OS_RIGHTS_H
#define OS_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>

enum { /* the bits of <linux/capability.h> that matter here */
	RIGHT_IPC_LOCK = 14, RIGHT_SYS_PTRACE = 19, RIGHT_SYS_ADMIN = 21, RIGHT_SYSLOG = 34,
	RIGHT_PERFMON = 38, RIGHT_BPF = 39,
};

bool rights_has(const char *proc_root, int capability); /* effective */
int rights_paranoid(const char *proc_root); /* sysctl kernel.perf_event_paranoid; 2 if unknown */
int rights_kptr_restrict(const char *proc_root); /* sysctl kernel.kptr_restrict */
/* Why this process cannot see the kernel's addresses: "hidden (kptr_restrict is 2, ...)". */
void rights_kernel_unseen(const char *proc_root, char *text, size_t n);
/* A number in PROC_ROOT/sys/kernel/NAME, or other. */
long rights_sysctl(const char *proc_root, const char *name, long other);
bool rights_perfmon(const char *proc_root); /* CAP_PERFMON or CAP_SYS_ADMIN */
bool rights_whole_machine(const char *proc_root); /* may sample every task, kernel included */
bool rights_lock_memory(const char *proc_root);	  /* rings aren't limited by mlock */
bool rights_confined(const char *proc_root); /* a seccomp filter is in force */

#endif
