/* SPDX-License-Identifier: MIT */
/* Structures whose text follows from a table: "{NAME=VALUE, ...}", as strace writes them. */
#ifndef VIEW_TRACE_CALL_FIELDS_H
#define VIEW_TRACE_CALL_FIELDS_H

#include "view/trace/call_text.h"

enum field_form {
	FIELD_NUMBER, /* without sign */
	FIELD_SIGNED,
	FIELD_HEX,
	FIELD_OCTAL,
	FIELD_BITS,   /* of the group .words */
	FIELD_ENUM,   /* of the group .words, else a number */
	FIELD_INSIDE, /* a structure: the .n_inside fields at .inside, their offsets from .at on */
};
struct field {
	const char *name;
	uint16_t at, size; /* bytes; a number has 1, 2, 4 or 8 */
	uint8_t form;	   /* enum field_form */
	uint8_t words;
	uint8_t n_inside;
	const struct field *inside;
};

/* The number of size bytes at p. */
uint64_t field_number(const uint8_t *p, unsigned int size);
/* Shows the structure in the n bytes at p: those fields that lie in them. */
void call_fields_show(const struct call_text *t, const uint8_t *p, size_t n,
		      const struct field *fields, size_t n_fields);
/* Of the argument's memory, at least the bytes of the first field. False: it was not copied. */
bool call_fields_show_arg(const struct call_text *t, const struct field *fields, size_t n_fields);
/* The argument's memory as an array of structures of size bytes, as many as its length says; those
 * that were not copied are "...". False: none was. */
bool call_fields_show_array(const struct call_text *t, size_t size, const struct field *fields,
			    size_t n_fields);
/* The same of numbers of size bytes; "[]" when there are none. */
bool call_fields_show_numbers(const struct call_text *t, uint8_t size, enum field_form form);

#endif
