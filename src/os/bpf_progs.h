/* SPDX-License-Identifier: MIT */
/* The BPF programs that are loaded, and where the kernel has put their machine code. */
#ifndef OS_BPF_PROGS_H
#define OS_BPF_PROGS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_prog_place {
	uint32_t id;
	uint32_t type; /* BPF_PROG_TYPE_* */
	uint8_t tag[8];
	const char *name; /* "" when it has none */
	uint32_t n;	  /* number of its functions */
	const uint64_t *addresses;
	const uint32_t *lengths;
};

/* Calls take for each JIT-compiled program whose addresses this process may see. Returns the number
 * of calls: 0 without CAP_SYS_ADMIN. */
unsigned int bpf_progs_each(void (*take)(void *ctx, const struct bpf_prog_place *p), void *ctx);

#endif
