/* SPDX-License-Identifier: MIT */
/*
 * A function that a JIT made, as an ELF file of its own: what its dump says of it, for readers that
 * don't know dumps. Its bytes lie at the same place in the file and in memory.
 */
#ifndef SYMBOL_JIT_JIT_IMAGE_H
#define SYMBOL_JIT_JIT_IMAGE_H

#include "symbol/jit/jit_lines.h"

struct jit_image {
	uint32_t machine; /* EM_* */
	const char *name;
	const void *code;
	size_t size;
	const void *frames; /* .eh_frame, and .eh_frame_hdr behind it; or NULL */
	size_t frames_size, frames_header_size; /* of both; of the latter */
	const struct jit_lines *lines; /* or NULL */
};

/* Where the code lies in the file: what a map of it says as its offset. */
#define JIT_IMAGE_CODE 256

/* Appends the file. Its build-id is made of its contents. */
void jit_image_build(const struct jit_image *image, struct buf *out);
/* How much of the file is to be mapped from JIT_IMAGE_CODE on: the code, and what unwinds it. */
size_t jit_image_mapped(const struct jit_image *image);

#endif
