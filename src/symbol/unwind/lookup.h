/* SPDX-License-Identifier: MIT */
/*
 * Finds the rule that leads from an address to its caller. Rules are numbered; results are cached
 * by address range and address space, and by file. Private to symbol/unwind.
 */
#ifndef SYMBOL_UNWIND_LOOKUP_H
#define SYMBOL_UNWIND_LOOKUP_H

#include "symbol/unwind/unwind.h"

#include "base/hash.h"

#define LOOKUP_SET_BITS	 12
#define LOOKUP_WAYS	 4 /* entries in one cache line */
#define LOOKUP_FILE_BITS 14
#define LOOKUP_BLOCK_BITS 8
#define LOOKUP_MOST	  (1ull << 56) /* addresses from here on aren't cached */
#define CACHE_LINE	 64

/*
 * A cache entry: the rule number (or RULE_*) for some addresses in a block of 256. It is small so
 * that entries for much code fit into the processor's cache. An empty entry is all zero.
 */
struct cached {
	/* block, first address in it, number of addresses after that: 48, 8 and 8 bits */
	uint64_t range;
	uint32_t space;
	uint32_t rule;
};

/* A cache entry for n addresses of a file, which many address spaces share. The table has one slot
 * for each block of 64 addresses, one for a longer range in each block of 512, and one for a single
 * address. */
struct cached_file {
	const struct unwind_file *in;
	uint64_t from;
	uint32_t n, rule;
};

/* A numbered rule. Equal rules of a file have one number. */
struct known_rule {
	struct cfi_rule rule;
	const struct unwind_file *file; /* the file whose sections hold its expressions */
};

/* Nearly all rules of x86-64 are simple and are encoded in their number. The frame's address is a
 * register (RULE_BY_FP: fp, else sp) plus some words. The return address lies right below it. The
 * other two registers are stored at some words below the frame's address, or are unchanged. */
#define RULE_SIMPLE	(1u << 30)
#define RULE_BY_FP	1u
#define RULE_FRAME(rule) ((rule) >> 1 & 0xfff) /* words above the register */
#define RULE_FP(rule)	((rule) >> 13 & 63)    /* words below the frame; 0: unchanged */
#define RULE_KEPT(rule) ((rule) >> 19 & 63)

/* RULE_ENTRY: the outermost frame. RULE_UNCALLED: as RULE_NONE, and no call ends right behind the
 * address. */
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
	uint32_t forgotten; /* how often all rules were dropped: numbers of before are invalid */
	bool fleeting;	    /* the rule found last isn't cached: its address lies in no code */
	void *memory;
	struct cached *cache; /* in memory: sets of LOOKUP_WAYS, the newest entry first */
	struct cached_file by_file[1 << LOOKUP_FILE_BITS];
};

static inline uint64_t slot_of(uint64_t a, uint64_t b, unsigned int bits)
{
	return ((a ^ b * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull) >> (64 - bits);
}

/* *k must be zeroed. */
void lookup_init(struct lookup *k, const struct unwind_machine *machine);
void lookup_release(struct lookup *k);
/* Finds the rule of an address that is not cached, and stores it in `set`. */
uint32_t lookup_find(struct lookup *k, const struct unwind_request *q, uint64_t ip,
		     struct cached *set);

static inline struct cached *lookup_set(const struct lookup *k, uint32_t space, uint64_t ip)
{
	return &k->cache[slot_of(ip >> LOOKUP_BLOCK_BITS, space, LOOKUP_SET_BITS) * LOOKUP_WAYS];
}

/* The rule number (or RULE_*) at an address. Looked up when the address is first met in this
 * space. */
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
