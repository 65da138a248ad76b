/* SPDX-License-Identifier: MIT */
/*
 * The layout of our CTF traces, described by the metadata and used by the streams. All numbers are
 * little-endian and byte-aligned. Source: https://diamon.org/ctf/v1.8.3 (CTF 1.8.3).
 */
#ifndef VIEW_CONVERT_CTF_H
#define VIEW_CONVERT_CTF_H

#include "view/convert/convert.h"

#define CTF_MAGIC 0xc1fc1fc1u
#define CTF_CLOCK "perf_clock"

/* Fields common to samples, in the order in which perf writes them. */
struct ctf_generic {
	uint64_t type; /* SAMPLE_*: the field is there with any of these bits */
	const char *ctf_type, *name;
	uint8_t size;
	uint64_t (*get)(const struct sample *s);
};
extern const struct ctf_generic ctf_generics[]; /* ends with .name NULL */

/* Records that are no samples (--all). Their class ids follow those of the events. */
enum ctf_other { CTF_COMM, CTF_FORK, CTF_EXIT, CTF_MMAP, CTF_MMAP2, CTF_OTHERS };

/* How a field of a tracepoint is written. */
enum ctf_field_kind {
	CTF_NUMBER,
	CTF_STRING,   /* bytes up to a NUL */
	CTF_ARRAY,    /* .elements numbers */
	CTF_SEQUENCE, /* a uint32 with the number of bytes that follow */
};
enum ctf_field_kind ctf_field_kind(const struct tp_field *f);
/* The size of the field's number, or of one element: 1, 2, 4 or 8 bytes. */
uint32_t ctf_field_size(const struct tp_field *f);

/* Appends the whole metadata. */
void ctf_metadata(const struct convert *c, const uint8_t uuid[16], struct buf *out);

#endif
