/* SPDX-License-Identifier: MIT */
/* The BPF programs that are loaded: all that the kernel tells of them. */
#ifndef OS_BPF_PROGS_H
#define OS_BPF_PROGS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* The id of the next program after id (0: of the first). 0: there is none, or this process may not
 * know (CAP_SYS_ADMIN). */
uint32_t bpf_prog_next(uint32_t id);

struct bpf_prog_what {
	uint32_t id;
	uint32_t type; /* BPF_PROG_TYPE_* */
	char name[17]; /* "" when it has none */
};
/* False: it has gone, or this process may not look. */
bool bpf_prog_what(uint32_t id, struct bpf_prog_what *to);

/* Bits of bpf_prog_copy.arrays, as perf.data has them. */
enum bpf_prog_array {
	BPF_PROG_CODE = 1 << 0,
	BPF_PROG_KSYMS = 1 << 3,
	BPF_PROG_LENS = 1 << 4,
	BPF_PROG_FUNCS = 1 << 5,
	BPF_PROG_LINES = 1 << 6,
	BPF_PROG_JITED_LINES = 1 << 7,
	BPF_PROG_TAGS = 1 << 8,
};

#define BPF_PROG_INFO_BYTES 208 /* as long as that of Linux 5.1, which all readers take */

/* A program that was JIT-compiled: the kernel's struct bpf_prog_info and the arrays that it points
 * to. Pointers to arrays in .data (a bit in .arrays says which are there) are their offsets,
 * multiples of 8; the other ones are 0. All zero is empty. */
struct bpf_prog_copy {
	uint32_t id, btf_id; /* btf_id: of its types; 0: it has none */
	uint64_t arrays;
	uint8_t info[BPF_PROG_INFO_BYTES];
	struct buf data;
};

/* False, with *to empty: it has gone, was not compiled, or its addresses are hidden from this
 * process. */
bool bpf_prog_copy(uint32_t id, struct bpf_prog_copy *to);
void bpf_prog_copy_release(struct bpf_prog_copy *copy);

/* Appends types (BTF). False: they have gone, or this process may not read them. */
bool bpf_types_copy(uint32_t btf_id, struct buf *to);

#endif
