/* SPDX-License-Identifier: MIT */
/*
 * Tracepoint formats: the text of tracefs' events/SYSTEM/NAME/format, parsed into fields, and the
 * values of those fields in a sample's raw bytes.
 *
 * The grammar is that of the kernel's trace_events.c (f_show): "name:", "ID:", "format:", then
 * lines "field:DECLARATION; offset:N; size:N; signed:N;", and "print fmt: ...".
 */
#ifndef EVENT_FORMAT_H
#define EVENT_FORMAT_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"

struct tp_field {
	const char *name;
	const char *type;      /* the declaration without the name and the array part */
	uint32_t offset, size; /* bytes in the raw data */
	uint32_t elements;     /* of a fixed array, else 0 */
	bool is_signed;
	bool is_array;	  /* declared with [] */
	bool is_string;	  /* char[] or __data_loc char[] */
	bool is_dynamic;  /* __data_loc: the value is u32 = length << 16 | offset */
	bool is_relative; /* __rel_loc: the offset counts from the field's end */
	bool is_pointer;
	bool is_common; /* one of common_* */
};

struct tp_format {
	uint32_t id;
	const char *system, *name;
	VEC(struct tp_field) fields;
	const char *print_fmt; /* the text after "print fmt: " */
	const char *text;      /* the whole format text, for the tracing_data feature */
	uint32_t text_len;
};

/* The formats of one recording or machine, by id and name. Owns all in it. All zero is empty. */
struct tp_formats {
	struct arena arena;
	VEC(struct tp_format *) all;
	struct idmap by_id;
	uint32_t changes;   /* how many were added or replaced */
	bool swap;	    /* raw data is in the other byte order */
	uint32_t long_size; /* bytes of a long on the machine the data is from; 0: 8 */
	uint32_t page_size; /* 0: 4096 */
	/* for pointers and tids in print formats */
	VEC(struct tp_printk {
		uint64_t address;
		const char *text;
	})
	printks;
	VEC(struct tp_comm {
		int32_t pid;
		const char *comm;
	})
	comms;
};
void tp_formats_release(struct tp_formats *f);
/* Add the lines of tracefs' printk_formats and saved_cmdlines; other lines are passed over. */
void tp_formats_add_printks(struct tp_formats *f, const char *text, size_t len);
void tp_formats_add_comms(struct tp_formats *f, const char *text, size_t len);
/* Parses a format text of len bytes; system is the tracefs directory. NULL with *err when it isn't
 * one. Replaces an older format with the same id. */
struct tp_format *tp_formats_add(struct tp_formats *f, const char *system, const char *text,
				 size_t len, struct err *err);
struct tp_format *tp_formats_find(const struct tp_formats *f, uint32_t id); /* or NULL */
struct tp_format *tp_formats_find_name(const struct tp_formats *f, const char *system,
				       const char *name);			       /* or NULL */
const struct tp_field *tp_format_field(const struct tp_format *fmt, const char *name); /* or NULL */

/* The value of an integer field, sign extended; 0 when the raw data is too short for it. */
uint64_t tp_field_u64(const struct tp_formats *f, const struct tp_field *field, const void *raw,
		      size_t size);
/* size (1, 2, 4 or 8) bytes at p as a number; 0 for other sizes. */
static inline uint64_t tp_raw_number(const void *p, size_t size, bool swap, bool is_signed)
{
	struct cursor c = cursor_over(p, size, swap);

	switch (size) {
	case 1:
		return is_signed ? (uint64_t)(int8_t)cursor_u8(&c) : cursor_u8(&c);
	case 2:
		return is_signed ? (uint64_t)(int16_t)cursor_u16(&c) : cursor_u16(&c);
	case 4:
		return is_signed ? (uint64_t)(int32_t)cursor_u32(&c) : cursor_u32(&c);
	case 8:
		return cursor_u64(&c);
	default:
		return 0;
	}
}
/* The bytes of an array or string field (dynamic or not): sets *n; NULL when out of bounds.
 * A string may lack its terminator. */
const void *tp_field_bytes(const struct tp_formats *f, const struct tp_field *field,
			   const void *raw, size_t size, size_t *n);

#endif
