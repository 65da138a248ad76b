/* SPDX-License-Identifier: MIT */
/*
 * The rule that leads from an address to its caller. Rules are numbered; what was found is cached
 * by range of addresses and address space, and by file. Private to symbol/unwind.
 */
#ifndef SYMBOL_UNWIND_LOOKUP_H
#define SYMBOL_UNWIND_LOOKUP_H

#include "symbol/unwind/unwind.h"

#include "base/hash.h"

#define LOOKUP_SET_BITS	 12
#define LOOKUP_WAYS	 4 /* what fits into one line of a processor's cache */
#define LOOKUP_FILE_BITS 14
#define LOOKUP_BLOCK_BITS 8
#define LOOKUP_MOST	  (1ull << 56) /* addresses from here on aren't cached */
#define CACHE_LINE	 64

/*
 * What is known of some addresses of a block of 256: their rule's number, or that there is none.
 * Kept small: what is remembered of much code is to stay in the processor's cache. An empty one is
 * all zero.
 */
struct cached {
	uint64_t range; /* block, first address in it, how many follow: 48, 8 and 8 bits */
	uint32_t space;
	uint32_t rule;
};

/* The same of n addresses of a file, which many spaces have. The table has a place for those of
 * each block of 64, one for a longer range of each block of 512, and one for an address alone. */
struct cached_file {
	const struct unwind_file *in;
	uint64_t from;
	uint32_t n, rule;
};

/* Equal rules of a file are one. */
struct known_rule {
	struct cfi_rule rule;
	const struct unwind_file *file; /* whose sections hold its expressions */
};

/* Nearly all rules of x86-64 are told by their number: the frame's address is that of a register
 * (RULE_BY_FP: fp, else sp) and some words, the return address is right below it, and the other two
 * registers are somewhere below that, or what they are. */
#define RULE_SIMPLE	(1u << 30)
#define RULE_BY_FP	1u
#define RULE_FRAME(rule) ((rule) >> 1 & 0xfff) /* words above the register */
#define RULE_FP(rule)	((rule) >> 13 & 63)    /* words below the frame; 0: it is what it is */
#define RULE_KEPT(rule) ((rule) >> 19 & 63)

/* RULE_UNCALLED: as RULE_NONE, and no call ends right behind the address. */
enum {
	RULE_NONE = UINT32_MAX,
	RULE_NO_CODE = UINT32_MAX - 1,
	RULE_ENTRY = UINT32_MAX - 2,
	RULE_NO_FILE = UINT32_MAX - 3,
	RULE_UNCALLED = UINT32_MAX - 4,
	RULE_TOO_MUCH = UINT32_MAX - 5
};

_Static_assert(sizeof(struct cached) * LOOKUP_WAYS == CACHE_LINE, "a set is a line");

struct lookup {
	const struct unwind_machine *machine;
	struct intern rule_ids;
	VEC(struct known_rule) rules;
	uint32_t forgotten; /* how often all rules were given up: numbers have another meaning */
	bool fleeting;	    /* the rule that was found last isn't remembered: it lies in no code */
	void *memory;
	struct cached *cache; /* in it: sets of LOOKUP_WAYS, the one that came last first */
	struct cached_file by_file[1 << LOOKUP_FILE_BITS];
};

static inline uint64_t slot_of(uint64_t a, uint64_t b, unsigned int bits)
{
	return ((a ^ b * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull) >> (64 - bits);
}

/* *k is zero before. */
void lookup_init(struct lookup *k, const struct unwind_machine *machine);
void lookup_release(struct lookup *k);
/* Looks for the rule of an address that is in no set; `set` takes it. */
uint32_t lookup_find(struct lookup *k, const struct unwind_request *q, uint64_t ip,
		     struct cached *set);

static inline struct cached *lookup_set(const struct lookup *k, uint32_t space, uint64_t ip)
{
	return &k->cache[slot_of(ip >> LOOKUP_BLOCK_BITS, space, LOOKUP_SET_BITS) * LOOKUP_WAYS];
}

/* What is known of the code at an address; looked for at its first sight in this space. */
static inline uint32_t lookup_rule(struct lookup *k, const struct unwind_request *q, uint64_t ip)
{
	struct cached *set = lookup_set(k, q->space, ip);

	for (int i = 0; i < LOOKUP_WAYS; i++) {
		const uint64_t r = set[i].range;

		if (r >> 16 == ip >> LOOKUP_BLOCK_BITS && set[i].space == q->space &&
		    (uint8_t)(ip - (r >> 8)) <= (uint8_t)r && ip - 1 < LOOKUP_MOST - 1)
			return set[i].rule;
	}
	return lookup_find(k, q, ip, set);
}

#endif
