/* SPDX-License-Identifier: MIT */
/* The BPF programs that were loaded while recording, each once, with their machine code, types and
 * source lines: for the features BPF_PROG_INFO and BPF_BTF. All zero is empty. */
#ifndef CAPTURE_BPF_SEEN_H
#define CAPTURE_BPF_SEEN_H

#include "base/buf.h"
#include "base/hash.h"
#include "data/feature/bpf_info.h"
#include "data/sink.h"
#include "os/bpf_progs.h"

#define BPF_SEEN_BYTES_MOST (64u << 20) /* of each feature */

struct bpf_seen {
	struct idmap programs, types; /* the ids that are there */
	struct buf infos, btfs;	      /* the payloads; empty: there are none */
	uint32_t newest;	      /* the greatest id of a program that was looked at */
	uint32_t told;		      /* programs that the sink has */
	bool any_told;		      /* it has the features */
	/* for which there was no room */
	uint32_t programs_left_out, types_left_out;
};

/* Adds the programs that are loaded and have a greater id than all before. */
void bpf_seen_add_new(struct bpf_seen *seen);
/* Adds this program with its types, if there is room. */
void bpf_seen_put(struct bpf_seen *seen, const struct bpf_prog_copy *copy);
/* Adds the program that a raw BPF_EVENT record tells of, if it is still there. Ignores any other
 * record. */
void bpf_seen_see(struct bpf_seen *seen, const uint8_t *record);
/* Reads the programs so far. They borrow from seen. */
void bpf_seen_parse(const struct bpf_seen *seen, struct bpf_programs *programs);
/* Gives the sink both features, if there is anything new since the last call or nothing was given
 * yet. */
int bpf_seen_send(struct bpf_seen *seen, struct sink *sink, struct err *err);
void bpf_seen_release(struct bpf_seen *seen);

#endif
