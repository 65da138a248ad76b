/* SPDX-License-Identifier: MIT */
/*
 * "print fmt" of a tracepoint, taken apart: a C format string and the C expressions that it shows.
 * Private to event/: tp_text is the way in.
 *
 * The language is what the kernel's TP_printk leaves in a format file: field access, integer
 * arithmetic, casts, ?: and the __print_*, __get_* helpers. Anything else (functions of the kernel,
 * statement expressions) is not understood, as in libtraceevent: such events are shown field by
 * field.
 *
 * Numbers are 64 bits wide and unsigned until a conversion cuts them, as in libtraceevent: the
 * texts have to be the same.
 */
#ifndef EVENT_PRINT_H
#define EVENT_PRINT_H

#include "event/print/tp_text.h"

enum print_kind {
	PRINT_NOTHING, /* the missing left operand of a unary operator */
	PRINT_NUMBER,
	PRINT_ATOM, /* a name of C code (a constant, a function), or a quoted text */
	PRINT_FIELD,
	PRINT_CAST,	/* of a */
	PRINT_OPERATOR, /* a op b; of '?', b is ':'; of '[', b is the index */
	PRINT_STRING,	/* __get_str, __get_rel_str */
	PRINT_DYNAMIC,	/* __get_dynamic_array */
	PRINT_DYNAMIC_LEN,
	PRINT_BITMASK,
	PRINT_FLAGS,	/* of a */
	PRINT_SYMBOLIC, /* of a */
	PRINT_HEX,	/* b bytes at a */
	PRINT_HEX_STR,
	PRINT_ARRAY, /* b elements of c bytes at a */
};

struct print_names {
	VEC(struct print_name {
		uint64_t value;
		const char *text;
		uint32_t len;
	});
	struct idmap by_value; /* the first of each; empty when there are few */
};

struct print_node {
	enum print_kind kind;
	char op[3];	       /* of an operator */
	int prio;	       /* of an operator, while it is parsed */
	bool pointer;	       /* of a cast: to a pointer */
	uint64_t number, mask; /* mask of a cast: the bits that stay */
	const char *text;      /* of an atom or number; the delimiter of FLAGS */
	const struct tp_field *field;
	struct print_node *a, *b, *c;
	struct print_names *names; /* of FLAGS and SYMBOLIC; owned by the print */
};

/*
 * A compiled number, made of a node by print_value_of(): a constant, some bits of a field, or a
 * calculation.
 */
struct print_value {
	enum print_value_kind { VALUE_CONSTANT, VALUE_FIELD, VALUE_CALCULATED } kind;
	uint8_t size, shift; /* of a field: its bytes, and the bits to shift right */
	uint32_t offset;     /* of a field */
	uint64_t mask; /* of a calculation or a field: the bits that stay; of a constant: its
			* value */
	const struct print_calculation *calculation;
};

struct print_calculation {
	char op[3]; /* of a print_node, or "" for the length of a dynamic array */
	struct print_value a, b,
		c; /* a op b; of '?' b and c are the choice; of '[' b is the index */
	const struct print_node *node; /* of '[' and "" */
};

/* The text that a %s shows. */
struct print_text {
	enum print_text_kind {
		TEXT_NOTHING,
		TEXT_LITERAL,
		TEXT_FIELD, /* bytes of a field up to a zero, or the text of the kernel that it
			     * points to */
		TEXT_DYNAMIC, /* bytes of a dynamic array up to a zero, even beyond the array's
			       * end */
		TEXT_FLAGS,
		TEXT_SYMBOLIC,
		TEXT_HEX,   /* count bytes */
		TEXT_ARRAY, /* count numbers of each bytes */
		TEXT_BITMASK,
		TEXT_CHOICE, /* by value */
	} kind;
	struct print_value value, count, each;
	const char *literal; /* of flags and bytes: the delimiter */
	uint32_t literal_len;
	const struct print_node *node;	 /* the node of the bytes */
	const struct print_names *names; /* of flags and symbols */
	const struct print_text *yes, *no;
};

/* One piece of the format string: text as it is, then maybe a conversion. */
struct print_piece {
	const char *text; /* padded so that it can be copied in blocks of PRINT_BLOCK */
	uint32_t text_len;
	enum print_show {
		SHOW_END,
		SHOW_UNSIGNED, /* plain digits, without padding or signs */
		SHOW_SIGNED,
		SHOW_HEX,
		SHOW_STRING,
		SHOW_OTHER, /* by the members below */
	} show;
	uint8_t cut;		  /* how many high bits of the number are ignored */
	struct print_value value; /* of numbers and addresses */
	const struct print_text *string; /* of s */
	char conversion;	  /* d i u x X o c s p, or 0 at the end */
	char spec[30];		  /* as printf takes it, without length letters */
	bool plain;		  /* no flags, width or precision */
	bool left, zeros, prefix; /* '-', '0', '#' */
	bool signs;		  /* '+' or ' ' */
	bool star;		  /* the width or precision is an argument: star_value */
	int16_t width, precision; /* -1: not given */
	int8_t longs;		  /* length: -2 char ... 0 int, 1 long, 2 long long */
	bool size;		  /* z */
	const char *pointer;	  /* of p: what follows it, "S", "I4", ...; "" else */
	struct print_node *arg, *star_arg;
	struct print_value star_value;
};
#define PRINT_BLOCK 16

struct print {
	VEC(struct print_piece) pieces;
	VEC(struct print_names *) names; /* the names of all nodes */
};

/* Parses a format's print_fmt; the result lives in the arena. False when it is not understood. */
bool print_parse(struct print *p, const struct tp_format *fmt, struct arena *arena);
void print_release(struct print *p);

/* A sample while it is shown. */
/* The largest width and precision: without a bound a short format could fill memory. */
#define PRINT_WIDEST 512

struct print_sample {
	const struct tp_formats *formats;
	const struct tp_text_options *opts;
	const uint8_t *raw;
	size_t size;
	struct buf *out;
	bool lines; /* its texts may contain newlines: a program wrote them into the trace */
};
void print_show(const struct print *p, const struct print_sample *s);

/* print_value.c. The arena holds calculations. */
struct print_value print_value_of(const struct print_node *n, struct arena *arena);
uint64_t print_calculate(const struct print_sample *s, const struct print_value *v);
/* The size bytes at offset as a number; 0 when they lie outside the sample. */
static inline uint64_t print_load(const struct print_sample *s, uint64_t offset, size_t size)
{
	if (offset > s->size || s->size - offset < size)
		return 0;
	return tp_raw_number(s->raw + offset, size, s->formats->swap, false);
}
static inline uint64_t print_number(const struct print_sample *s, const struct print_value *v)
{
	if (v->kind == VALUE_FIELD)
		return print_load(s, v->offset, v->size) >> v->shift & v->mask;
	return v->kind == VALUE_CONSTANT ? v->mask : print_calculate(s, v);
}
/* The bytes of a field or a dynamic array; NULL when they lie outside the sample. */
const uint8_t *print_bytes(const struct print_sample *s, const struct print_node *n, size_t *len);
/* print_compile.c: chooses how each piece is shown, once its arguments are known */
void print_compile(struct print *p, struct arena *arena);
/* print_string.c: %s */
void print_string(const struct print_sample *s, const struct print_piece *piece,
		  const struct print_text *t);
/* print_pointer.c: %p and what may follow it */
void print_pointer(const struct print_sample *s, const struct print_piece *piece);
/* print_format.c: splits the format string into pieces */
bool print_format(struct print *p, const char *format, struct arena *arena);

#endif
