/* SPDX-License-Identifier: MIT */
/*
 * What a user asks to probe: the language of `perf probe`.
 *
 *   probe := [[GROUP:]EVENT=] point {blank arg}  |  [%]sdt_PROVIDER:NAME
 *   point := FUNC [@SRC] [ :LINE | +OFFSET | %return | ;PATTERN ]  |  SRC:LINE  |  SRC;PATTERN  |
 * 0xADDRESS arg   := [NAME=] value [:TYPE] [@user] value := VARIABLE { ->MEMBER | .MEMBER | [INDEX]
 * }  |  $vars | $params | $retval | %REGISTER | @SYMBOL | ...
 *
 * A backslash takes the meaning from the next of ; : + @ % = . Two colons belong to a name of C++
 * or Rust ("ns::function"). LINE counts from the line of the function's name, which is 0.
 */
#ifndef PROBE_SPEC_H
#define PROBE_SPEC_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

#define PROBE_ARGS_MAX 128 /* arguments of one probe, the kernel's own limit */

/* One step from a variable into what it holds. */
struct probe_field {
	const char *name; /* of a member; NULL: an element of an array */
	int64_t index;	  /* of the element */
	bool arrow;	  /* "->": through a pointer */
};

struct probe_arg {
	const char *name;  /* NULL: none was given */
	const char *value; /* a variable's name, or what the kernel reads: "%ax", "$retval",
			      "@jiffies" */
	const char *type;  /* NULL: none was given */
	bool user;	   /* "@user": pointers lead to user memory */
	VEC(struct probe_field) fields;
	const char *at;	   /* where it begins in the spec's text, for messages */
	const char *label; /* the value as it was typed with its members; "argv" of "argv[0]" */
};

struct probe_spec {
	const char *text;  /* the whole, as it was typed */
	const char *group; /* NULL: none was given */
	const char *event;
	bool sdt;	      /* a marker: function holds its NAME, group "sdt_PROVIDER" */
	const char *function; /* NULL: a place in a file */
	const char *file;
	uint32_t line; /* of the file; or from the function's line on; 0: none */
	bool line_given;
	uint64_t offset;     /* in bytes, from the function's entry on */
	const char *pattern; /* of a source line; NULL: none */
	bool retprobe, has_address;
	uint64_t address; /* virtual, of the file */
	VEC(struct probe_arg) args;
};

/* All strings live in the arena. 0, or -1 with *err: the hint shows where the mistake is. */
int probe_spec_parse(struct probe_spec *s, const char *text, struct arena *arena, struct err *err);
/* Frees what does not live in the arena. A spec that is all zero is released. */
void probe_spec_release(struct probe_spec *s);

/* Sets the error of a spec, with a caret below that place of its text. Returns -1. */
int probe_spec_fail(const char *text, const char *at, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Appends the point as messages name it: "parse:3", "a.c:12", "parse%return". */
void probe_point_text(const struct probe_spec *s, struct buf *out);
/* Appends an argument as it was meant: "len", "b=s->name:string". */
void probe_arg_text(const struct probe_arg *a, struct buf *out);
/* The field of a variable: "line:string" is called line_string, "s->i.a" is called a. */
const char *probe_arg_field_name(const struct probe_arg *a, struct arena *arena);
/* True when the argument is the name of a variable, alone or with members. */
bool probe_arg_is_variable(const struct probe_arg *a);
/* True for "$vars" and "$params", which stand for several variables. */
bool probe_arg_is_list(const struct probe_arg *a);
/* True when the point or an argument can only be found with debug information. */
bool probe_spec_needs_dwarf(const struct probe_spec *s);
bool probe_is_glob(const char *name);
/* True when all characters may stand in a name of C. */
bool probe_is_name(const char *s);

#endif
