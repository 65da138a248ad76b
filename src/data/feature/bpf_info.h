/* SPDX-License-Identifier: MIT */
/*
 * BPF programs as the recorder found them: the features BPF_PROG_INFO and BPF_BTF. A program is
 * made of functions, each of which was compiled to an address of its own and has the name that the
 * kernel's list of symbols gives it: "bpf_prog_TAG_NAME".
 */
#ifndef DATA_BPF_INFO_H
#define DATA_BPF_INFO_H

#include "base/cursor.h"
#include "data/recording.h"
#include "symbol/dso.h"

struct bpf_function {
	uint64_t address; /* 0: hidden from the recorder */
	uint32_t size;
	const char *name;
	/* its machine code, size bytes in the recording's memory; NULL: hidden from the recorder */
	const uint8_t *code;
	const struct made_line *lines; /* by address; texts are in the recording's memory */
	size_t n_lines;
};

struct bpf_program {
	uint32_t id;
	uint8_t tag[8]; /* of the whole program */
	struct bpf_function *functions;
	size_t n;
};

/* Programs by id, each once. Damaged ones are left out. All zero is empty. */
struct bpf_programs {
	VEC(struct bpf_program) list;
	struct arena arena; /* functions, their names and lines */
};

void bpf_programs_read(struct bpf_programs *programs, const struct recording *rec);
/* As bpf_programs_read(), of the payloads of the two features. They must outlive the programs. */
void bpf_programs_parse(struct bpf_programs *programs, struct cursor infos, struct cursor types);
void bpf_programs_release(struct bpf_programs *programs);

/* The ids of the programs' types (BTF), in order, each once; at is the caller's to free. */
size_t bpf_types_read(const struct recording *rec, uint32_t **at);

#endif
