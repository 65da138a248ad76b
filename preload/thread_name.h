/* SPDX-License-Identifier: MIT */
/* Names of threads, for libraries that are loaded into programs. */
#ifndef PRELOAD_THREAD_NAME_H
#define PRELOAD_THREAD_NAME_H

#include <stdint.h>

/* Reads the name of a thread of this process from /proc. comm stays as it is where there is none.
 * Allocates nothing; changes errno. */
void thread_name_read(uint32_t tid, char comm[16]);

#endif
