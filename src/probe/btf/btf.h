/* SPDX-License-Identifier: MIT */
/*
 * BTF: the types that the kernel and its modules carry, below /sys/kernel/btf. It has functions
 * with their parameters, and structures with their members, but no places of code or variables.
 *
 * Source: the kernel's Documentation/bpf/btf.rst, <linux/btf.h>.
 */
#ifndef PROBE_BTF_H
#define PROBE_BTF_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/mem.h"

enum btf_kind {
	BTF_VOID,
	BTF_INT,
	BTF_PTR,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM,
	BTF_FWD,
	BTF_TYPEDEF,
	BTF_VOLATILE,
	BTF_CONST,
	BTF_RESTRICT,
	BTF_FUNC,
	BTF_FUNC_PROTO,
	BTF_VAR,
	BTF_DATASEC,
	BTF_FLOAT,
	BTF_DECL_TAG,
	BTF_TYPE_TAG,
	BTF_ENUM64,
	BTF_KINDS,
};

struct btf;

/* A type; id 0 is void. Names are borrowed, and "" where there is none. */
struct btf_type {
	enum btf_kind kind;
	const char *name;
	uint32_t of;	    /* of what refers to another type: its id */
	uint32_t size;	    /* of what has one: bytes */
	bool is_signed;	    /* integers and enumerations */
	bool has_bits;	    /* of a structure: members state their width */
	uint32_t elements;  /* of an array */
	struct cursor rest; /* members or parameters that btf_next() has not returned */
	uint32_t left;	    /* how many these are */
};
/* A member of a structure, or a parameter of a BTF_FUNC_PROTO. */
struct btf_item {
	const char *name;
	uint32_t type;
	uint32_t at;   /* of a member: where it begins, in bits */
	uint32_t bits; /* its width when it is a bit field; else 0 */
};

/* Reads ROOT/vmlinux, and with a module ROOT/MODULE on top of it. NULL with *err. */
struct btf *btf_open(const char *root, const char *module, struct err *err);
void btf_close(struct btf *b);
DEFINE_AUTO(btf, btf_close)
/* False: there is no such type, or it is damaged. */
bool btf_type(const struct btf *b, uint32_t id, struct btf_type *out);
/* False: there is no further one. */
bool btf_next(const struct btf *b, struct btf_type *of, struct btf_item *out);
/* The id of a function's BTF_FUNC_PROTO, in the module first; 0: there is no function of that name.
 */
uint32_t btf_function(const struct btf *b, const char *name);
/* The type behind typedefs, const, volatile and the like. False: there is none, or it is void. */
bool btf_real_type(const struct btf *b, uint32_t id, struct btf_type *out);
/* Bytes of a type; 0: it has none. */
uint64_t btf_size(const struct btf *b, uint32_t id);

#endif
