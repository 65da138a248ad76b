// SPDX-License-Identifier: MIT
/* What an access counts as, for each part of its data source. */
#include "unit.h"

#include "analysis/c2c/c2c.h"

#define OP(v)	   ((uint64_t)(v))
#define LEVEL(v)   ((uint64_t)(v) << 5)
#define SNOOP(v)   ((uint64_t)(v) << 19)
#define LOCKED	   ((uint64_t)2 << 24)
#define REMOTE	   ((uint64_t)1 << 37)
#define PEER	   ((uint64_t)2 << 38)
#define BLOCKED(v) ((uint64_t)(v) << 40)
#define HOPS(v)	   ((uint64_t)(v) << 43)
#define HIT	   2
#define MISS	   4

static struct c2c_stats counted(uint64_t data_src)
{
	struct c2c_stats s = {{0}};

	c2c_stats_add_access(&s, data_src, 0x1000, true);
	return s;
}

/* The access counts as these alone, beside as an entry and a load or store. */
static void assert_counts(uint64_t data_src, enum c2c_stat op, const enum c2c_stat *these, size_t n)
{
	struct c2c_stats s = counted(data_src), wanted = {{0}};

	wanted.n[C2C_ENTRIES] = wanted.n[op] = 1;
	for (size_t i = 0; i < n; i++)
		wanted.n[these[i]]++;
	assert_memory_equal(&s, &wanted, sizeof(s));
}
#define LOADS_AS(data_src, ...)                                                                    \
	assert_counts(OP(2) | (data_src), C2C_LOAD, (const enum c2c_stat[]){__VA_ARGS__},          \
		      sizeof((const enum c2c_stat[]){__VA_ARGS__}) / sizeof(enum c2c_stat))
#define STORES_AS(data_src, ...)                                                                   \
	assert_counts(OP(4) | (data_src), C2C_STORE, (const enum c2c_stat[]){__VA_ARGS__},         \
		      sizeof((const enum c2c_stat[]){__VA_ARGS__}) / sizeof(enum c2c_stat))

static void loads_count_by_level_and_snoop(void **state)
{
	(void)state;
	LOADS_AS(LEVEL(HIT | 8), C2C_LD_L1_HIT);
	LOADS_AS(LEVEL(HIT | 0x10), C2C_LD_FB_HIT);
	LOADS_AS(LEVEL(HIT | 0x20), C2C_LD_L2_HIT);
	LOADS_AS(LEVEL(HIT | 0x40), C2C_LD_LLC_HIT);
	LOADS_AS(LEVEL(HIT | 0x40) | SNOOP(0x10), C2C_LCL_HITM, C2C_TOT_HITM);
	LOADS_AS(LEVEL(HIT | 0x20) | PEER, C2C_LD_L2_HIT, C2C_LCL_PEER, C2C_TOT_PEER);
	LOADS_AS(LEVEL(HIT | 0x80), C2C_LCL_DRAM, C2C_LD_EXCLUSIVE);
	LOADS_AS(LEVEL(HIT | 0x80) | SNOOP(4), C2C_LCL_DRAM, C2C_LD_SHARED);
	LOADS_AS(LEVEL(HIT | 0x100), C2C_RMT_DRAM, C2C_LD_EXCLUSIVE);
	LOADS_AS(LEVEL(HIT | 0x400) | SNOOP(0x10), C2C_RMT_HITM, C2C_TOT_HITM);
	LOADS_AS(LEVEL(HIT | 0x800) | SNOOP(4), C2C_RMT_HIT);
	LOADS_AS(LEVEL(HIT | 0x800) | PEER, C2C_RMT_HIT, C2C_RMT_PEER, C2C_TOT_PEER);
	LOADS_AS(LEVEL(MISS | 0x40), C2C_LD_MISS);
	LOADS_AS(LEVEL(HIT | 0x1000), C2C_LD_IO);
	LOADS_AS(LEVEL(HIT | 0x2000), C2C_LD_UNCACHE);
}

static void the_remote_bit_is_another_node_unless_hops_say_otherwise(void **state)
{
	(void)state;
	LOADS_AS(REMOTE | SNOOP(0x10), C2C_RMT_HITM, C2C_TOT_HITM);
	LOADS_AS(LEVEL(HIT | 0x40) | REMOTE | HOPS(1), C2C_LD_LLC_HIT);
}

static void stores_count_by_level(void **state)
{
	(void)state;
	STORES_AS(LEVEL(HIT | 8), C2C_ST_L1_HIT);
	STORES_AS(LEVEL(MISS | 8), C2C_ST_L1_MISS);
	STORES_AS(LEVEL(1), C2C_ST_NA);
	STORES_AS(LEVEL(HIT | 0x2000) | LOCKED | BLOCKED(6), C2C_ST_UNCACHE, C2C_LOCKS,
		  C2C_BLOCKED_DATA, C2C_BLOCKED_ADDRESS);
}

static void what_is_neither_or_lies_nowhere_is_counted(void **state)
{
	struct c2c_stats s = counted(OP(1));

	(void)state;
	assert_int_equal(s.n[C2C_NO_PARSE], 1);
	c2c_stats_add_access(&s, OP(2) | LEVEL(HIT | 8), 0, true);
	assert_int_equal(s.n[C2C_LD_NO_ADDRESS], 1);
	assert_int_equal(s.n[C2C_LD_L1_HIT], 0);
	c2c_stats_add_access(&s, OP(4) | LEVEL(HIT | 8), 0x10, false);
	assert_int_equal(s.n[C2C_NO_MAP], 1);
	assert_int_equal(s.n[C2C_ST_L1_HIT], 1);
	assert_int_equal(s.n[C2C_ENTRIES], 3);
}

static void sums_are_of_their_parts(void **state)
{
	struct c2c_stats s = counted(OP(2) | LEVEL(HIT | 0x40) | SNOOP(0x10)), more;

	(void)state;
	more = counted(OP(2) | LEVEL(HIT | 0x80));
	c2c_stats_add(&s, &more);
	more = counted(OP(4) | LEVEL(1));
	c2c_stats_add(&s, &more);
	assert_int_equal(c2c_stats_get(&s, C2C_LLC_MISSES), 1);
	assert_int_equal(c2c_stats_get(&s, C2C_LLC_HITS), 1);
	assert_int_equal(c2c_stats_get(&s, C2C_LOADS), 2);
	assert_int_equal(c2c_stats_get(&s, C2C_RECORDS), 3);
}

static void keys_are_parsed_once_each(void **state)
{
	struct c2c_options o = {0};
	struct err err = {0};

	(void)state;
	assert_int_equal(c2c_keys_parse(&o, "tid,iaddr,tid", &err), 0);
	assert_int_equal(o.n_keys, 2);
	assert_int_equal(o.keys[0], C2C_TID);
	assert_true(c2c_has_key(&o, C2C_IADDR));
	assert_int_equal(c2c_keys_parse(&o, "iaddr,where", &err), -1);
	assert_string_equal(err.text, "unrecognized sort token: where");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_count_by_level_and_snoop),
		cmocka_unit_test(the_remote_bit_is_another_node_unless_hops_say_otherwise),
		cmocka_unit_test(stores_count_by_level),
		cmocka_unit_test(what_is_neither_or_lies_nowhere_is_counted),
		cmocka_unit_test(sums_are_of_their_parts),
		cmocka_unit_test(keys_are_parsed_once_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
