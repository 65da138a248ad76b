/* SPDX-License-Identifier: MIT */
/* The numbers of system calls, as the kernel's tracepoints name them. */
#ifndef EVENT_SYSCALLS_H
#define EVENT_SYSCALLS_H

/*
 * The number of the call whose beginning is the tracepoint syscalls:sys_enter_NAME on a machine
 * ("x86_64", "aarch64": as uname says it); -1 when it isn't known. Tracepoints are named after the
 * kernel's functions: "newfstat" is what programs call fstat.
 */
int syscall_of_tracepoint(const char *machine, const char *name);

#endif
