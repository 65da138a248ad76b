/* SPDX-License-Identifier: MIT */
/*
 * Types of data that a recording carries along: what instructions access, what lies at addresses of
 * data, and the members of these types. probe/types asks before it searches debug information, and
 * has noted what it found.
 */
#ifndef SYMBOL_CONTAINED_TYPES_H
#define SYMBOL_CONTAINED_TYPES_H

#include "symbol/dso.h"

#define CONTAINED_NO_TYPE    UINT32_MAX
#define CONTAINED_TYPE_DEPTH 32 /* of members in members */

/* The type itself comes first, with depth 0; members follow what they are part of. */
struct contained_member {
	const char *type, *name;
	uint64_t offset, size; /* bytes */
	uint32_t depth;
};
struct contained_type {
	const char *name;
	uint64_t size; /* bytes */
	const struct contained_member *members;
	uint32_t n_members; /* at least 1 */
};

enum contained_access_flags {
	CONTAINED_STACK = 1,	/* the instruction pushes or pops */
	CONTAINED_VARIABLE = 2, /* .rva is that of data, not of an instruction */
};
struct contained_access {
	uint64_t rva, offset; /* offset: in the type, in bytes */
	uint32_t type;	      /* id in the set; CONTAINED_NO_TYPE */
	uint8_t miss;	      /* why there is none: enum data_miss */
	uint8_t flags;
	const char *mnemonic; /* or NULL */
};

/* True when answers of the set are noted, see contained_note_begin(). */
bool contained_types_noted(const struct dso_set *set);
/* Returns the id of a type; texts are copied. */
uint32_t contained_note_type(struct dso_set *set, const struct contained_type *type);
/* To be called once for each address. */
void contained_note_access(struct dso *dso, const struct contained_access *access);

/* False: the recording does not know. Loads the dso. */
bool contained_access_find(struct dso *dso, uint64_t rva, bool variable,
			   struct contained_access *out);
/* The type of an access that was found. */
const struct contained_type *contained_type_at(const struct dso_set *set, uint32_t type);

#endif
