/* SPDX-License-Identifier: MIT */
/*
 * An ELF file in memory: its header, sections and segments, decoded once into this machine's byte
 * order. Every extent handed out lies inside the bytes; sections and segments that don't fit are
 * treated as missing. Source: System V ABI, chapters 4 and 5.
 */
#ifndef SYMBOL_ELF_FILE_H
#define SYMBOL_ELF_FILE_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/mem.h"
#include "symbol/dso.h"

#include <elf.h>

#define ELF_NAME	 32    /* bytes of a section's name that are kept */
#define ELF_SECTIONS_MAX 65536 /* most that e_shnum can state */
#define ELF_SEGMENTS_MAX 65536 /* bytes of the program headers; Linux loads no program with more */
#define ELF_NOTES_MAX (1u << 20)

struct elf_section {
	char name[ELF_NAME]; /* "" when it has none */
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size, align, entsize;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, vaddr, filesz, memsz;
};

struct elf_file {
	const uint8_t *p; /* borrowed */
	size_t n;
	size_t held; /* bytes on disk, which bound what is allocated for the file. At first n */
	bool is_64_bit, swap;
	uint16_t type, machine;
	uint64_t entry; /* the virtual address where the program begins; 0: nowhere */
	/* there are more sections or segments than ELF_*_MAX: the others were not read */
	bool too_many;
	uint32_t names; /* index of the section with the section names */
	VEC(struct elf_section) sections;
	VEC(struct elf_segment) segments;
};

/* Decodes the headers. 0, or -1 when the bytes are no ELF file. */
int elf_file_init(struct elf_file *f, const void *p, size_t n);
void elf_file_release(struct elf_file *f);

/* The first section of that name, or of that name and type; NULL when there is none. */
const struct elf_section *elf_section_named(const struct elf_file *f, const char *name);
const struct elf_section *elf_section_typed(const struct elf_file *f, const char *name,
					    uint32_t type);
/* The bytes of a section; empty for NOBITS and for what lies outside the file. */
struct cursor elf_section_bytes(const struct elf_file *f, const struct elf_section *s);
/* A string table: bytes that end with a zero byte; n is 0 when the section is none. */
struct elf_strings {
	const char *p;
	size_t n; /* every offset below n starts a terminated string */
};
struct elf_strings elf_strings(const struct elf_file *f, uint32_t section);
static inline const char *elf_string(const struct elf_strings *s, uint64_t offset)
{
	return offset < s->n ? s->p + offset : "";
}

/* The file's GNU build-id; 0, or -1. Searched in perf's order: sections first, then PT_NOTE
 * segments. */
int elf_build_id(const struct elf_file *f, struct build_id *id);
/* The build-id in a run of notes (/sys/kernel/notes); 0, or -1. */
int notes_build_id(const void *p, size_t n, bool swap, struct build_id *id);
/* The name in .gnu_debuglink and its checksum; NULL when there is none. */
const char *elf_debuglink(const struct elf_file *f, uint32_t *crc);

#endif
