/* SPDX-License-Identifier: MIT */
/*
 * Makes an ELF file of a function that a JIT made, for readers that don't know JIT dumps. Its file
 * offsets equal its virtual addresses.
 */
#ifndef SYMBOL_JIT_JIT_IMAGE_H
#define SYMBOL_JIT_JIT_IMAGE_H

#include "symbol/jit/jit_lines.h"

struct jit_image {
	uint32_t machine; /* EM_* */
	const char *name;
	const void *code;
	size_t size;
	const void *frames; /* .eh_frame, followed by .eh_frame_hdr; or NULL */
	size_t frames_size, frames_header_size; /* bytes of both; bytes of .eh_frame_hdr */
	const struct jit_lines *lines; /* or NULL */
};

/* File offset of the code: the offset in a map of the file. */
#define JIT_IMAGE_CODE 256

/* Appends the file to out. Its build-id is a hash of its contents. */
void jit_image_build(const struct jit_image *image, struct buf *out);
/* Bytes of the file that are mapped from JIT_IMAGE_CODE on: the code, and its call frame
 * information. */
size_t jit_image_mapped(const struct jit_image *image);

#endif
