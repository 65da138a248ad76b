// SPDX-License-Identifier: MIT
#include "bench/suites.h"

#include <string.h>

#define MOST_BITS 2048
#define WORD	  64

struct bits_opts {
	unsigned int outer, inner;
};

const struct opt bits_options[] = {
	{OPT_UINT, 'i', "outer-iterations", offsetof(struct bits_opts, outer), "n",
	 "Number of outer iterations used"},
	{OPT_UINT, 'j', "inner-iterations", offsetof(struct bits_opts, inner), "n",
	 "Number of inner iterations used"},
	{OPT_END},
};

struct bitmap {
	uint64_t words[MOST_BITS / WORD];
};

static inline void use_bit(uint64_t *sum, unsigned int bit)
{
	*sum += bit;
	__asm__ volatile("" : "+r"(*sum));
}

/* A word at a time, its lowest bit at a time. */
static uint64_t visit_set_bits(const struct bitmap *map, unsigned int bits)
{
	uint64_t sum = 0;

	for (unsigned int w = 0; w * WORD < bits; w++)
		for (uint64_t left = map->words[w]; left; left &= left - 1)
			use_bit(&sum, w * WORD + (unsigned int)__builtin_ctzll(left));
	return sum;
}

static uint64_t test_each_bit(const struct bitmap *map, unsigned int bits)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < bits; i++)
		if (map->words[i / WORD] >> i % WORD & 1)
			use_bit(&sum, i);
	return sum;
}

static struct bench_stats measure_visits(const struct bits_opts *o,
					 uint64_t (*visit)(const struct bitmap *, unsigned int),
					 const struct bitmap *map, unsigned int bits)
{
	struct bench_stats stats = {0};

	for (unsigned int i = 0; i < o->outer; i++) {
		uint64_t start = bench_now_ns();

		for (unsigned int j = 0; j < o->inner; j++)
			__asm__ volatile("" : : "r"(visit(map, bits)) : "memory");
		bench_stats_add(&stats, (double)(bench_now_ns() - start) / 1000);
	}
	return stats;
}

static void measure_density(struct bench *b, const struct bits_opts *o, unsigned int bits,
			    unsigned int set)
{
	struct bench_stats visit, test;
	struct bitmap map = {0};

	for (unsigned int i = 0; i < set; i++) {
		unsigned int bit = i * bits / set;

		map.words[bit / WORD] |= 1ull << bit % WORD;
	}
	visit = measure_visits(o, visit_set_bits, &map, bits);
	test = measure_visits(o, test_each_bit, &map, bits);
	buf_printf(b->text,
		   "%u operations %u bits set of %u bits\n"
		   "  Average for_each_set_bit took: %.3f usec (+- %.3f usec)\n"
		   "  Average test_bit loop took:    %.3f usec (+- %.3f usec)\n",
		   o->inner, set, bits, visit.mean, bench_stats_error(&visit), test.mean,
		   bench_stats_error(&test));
	bench_value(b, visit.mean, "for_each_set_bit %u of %u usec", set, bits);
	bench_value(b, test.mean, "test_bit %u of %u usec", set, bits);
	bench_flush(b);
}

static int measure_find_bit(struct bench *b, const void *v, struct err *err)
{
	(void)err;
	for (unsigned int bits = 1; bits <= MOST_BITS; bits *= 2)
		for (unsigned int set = 1; set <= bits; set *= 2)
			measure_density(b, v, bits, set);
	return 0;
}

const struct bench_suite bench_mem_find_bit = {
	.defaults = &(const struct bits_opts){.outer = 5, .inner = 100000},
	.opts_size = sizeof(struct bits_opts),
	.measure = measure_find_bit,
};
