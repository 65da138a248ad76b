// SPDX-License-Identifier: MIT
#include "analysis/c2c/c2c_stats.h"

#include "data/record/data_src.h"

struct access {
	uint64_t level, snoop;
	bool peer, remote;
};

static void count_hitm(struct c2c_stats *s, enum c2c_stat which)
{
	s->n[which]++;
	s->n[C2C_TOT_HITM]++;
}

static void count_peer(struct c2c_stats *s, enum c2c_stat which)
{
	s->n[which]++;
	s->n[C2C_TOT_PEER]++;
}

static void count_memory(struct c2c_stats *s, const struct access *a, enum c2c_stat which)
{
	s->n[which]++;
	s->n[a->snoop & SNOOP_HIT ? C2C_LD_SHARED : C2C_LD_EXCLUSIVE]++;
}

static void count_load_hit(struct c2c_stats *s, const struct access *a)
{
	s->n[C2C_LD_UNCACHE] += (a->level & LVL_UNCACHED) != 0;
	s->n[C2C_LD_IO] += (a->level & LVL_IO) != 0;
	s->n[C2C_LD_FB_HIT] += (a->level & LVL_LFB) != 0;
	s->n[C2C_LD_L1_HIT] += (a->level & LVL_L1) != 0;
	s->n[C2C_LD_L2_HIT] += (a->level & LVL_L2) != 0;
	if (a->level & LVL_L2 && a->peer)
		count_peer(s, C2C_LCL_PEER);
	if (a->level & LVL_L3) {
		if (a->snoop & SNOOP_HITM)
			count_hitm(s, C2C_LCL_HITM);
		else
			s->n[C2C_LD_LLC_HIT]++;
		if (a->peer)
			count_peer(s, C2C_LCL_PEER);
	}
	if (a->level & LVL_LOCAL_RAM)
		count_memory(s, a, C2C_LCL_DRAM);
	if (a->level & LVL_REMOTE_RAM || a->remote)
		count_memory(s, a, C2C_RMT_DRAM);
}

static void count_load(struct c2c_stats *s, const struct access *a)
{
	if (a->level & LVL_HIT)
		count_load_hit(s, a);
	if (a->level & LVL_REMOTE_CACHE || a->remote) {
		if (a->snoop & SNOOP_HIT) {
			s->n[C2C_RMT_HIT]++;
		} else if (a->snoop & SNOOP_HITM) {
			count_hitm(s, C2C_RMT_HITM);
		} else if (a->peer) {
			s->n[C2C_RMT_HIT]++;
			count_peer(s, C2C_RMT_PEER);
		}
	}
	s->n[C2C_LD_MISS] += (a->level & LVL_MISS) != 0;
}

static void count_store(struct c2c_stats *s, const struct access *a)
{
	s->n[C2C_ST_UNCACHE] += a->level & LVL_HIT && a->level & LVL_UNCACHED;
	s->n[C2C_ST_L1_HIT] += a->level & LVL_HIT && a->level & LVL_L1;
	s->n[C2C_ST_L1_MISS] += a->level & LVL_MISS && a->level & LVL_L1;
	s->n[C2C_ST_NA] += (a->level & LVL_NA) != 0;
}

void c2c_stats_add_access(struct c2c_stats *s, uint64_t v, uint64_t address, bool mapped)
{
	const struct access a = {.level = DATA_SRC_LEVEL(v),
				 .snoop = DATA_SRC_SNOOP(v),
				 .peer = DATA_SRC_SNOOPX(v) & SNOOPX_PEER,
				 /* without hops, another node served the access */
				 .remote = DATA_SRC_REMOTE(v) && !DATA_SRC_HOPS(v)};
	bool load = DATA_SRC_OP(v) & OP_LOAD, store = !load && DATA_SRC_OP(v) & OP_STORE;

	s->n[C2C_ENTRIES]++;
	s->n[C2C_LOCKS] += (DATA_SRC_LOCK(v) & LOCK_LOCKED) != 0;
	s->n[C2C_BLOCKED_DATA] += (DATA_SRC_BLOCKED(v) & BLK_DATA) != 0;
	s->n[C2C_BLOCKED_ADDRESS] += (DATA_SRC_BLOCKED(v) & BLK_ADDR) != 0;
	s->n[C2C_LOAD] += load;
	s->n[C2C_STORE] += store;
	if (!load && !store) {
		s->n[C2C_NO_PARSE]++;
		return;
	}
	if (!address) {
		s->n[load ? C2C_LD_NO_ADDRESS : C2C_ST_NO_ADDRESS]++;
		return;
	}
	if (load)
		count_load(s, &a);
	else
		count_store(s, &a);
	s->n[C2C_NO_MAP] += !mapped;
}

void c2c_stats_add(struct c2c_stats *s, const struct c2c_stats *other)
{
	c2c_stats_add_times(s, other, 1);
}

void c2c_stats_add_times(struct c2c_stats *s, const struct c2c_stats *other, uint32_t times)
{
	for (int i = 0; i < C2C_STATS; i++)
		s->n[i] += times * other->n[i];
}

uint64_t c2c_stats_get(const struct c2c_stats *s, enum c2c_stat which)
{
	const uint64_t *n = s->n;
	uint64_t misses = n[C2C_LCL_DRAM] + n[C2C_RMT_DRAM] + n[C2C_RMT_HITM] + n[C2C_RMT_HIT];
	uint64_t loads = misses + n[C2C_LD_FB_HIT] + n[C2C_LD_L1_HIT] + n[C2C_LD_L2_HIT] +
			 n[C2C_LD_LLC_HIT] + n[C2C_LCL_HITM];

	if (which < C2C_STATS)
		return n[which];
	if (which == C2C_LLC_MISSES)
		return misses;
	if (which == C2C_LLC_HITS)
		return n[C2C_LD_LLC_HIT] + n[C2C_LCL_HITM];
	if (which == C2C_LOADS)
		return loads;
	return loads + n[C2C_ST_L1_HIT] + n[C2C_ST_L1_MISS] + n[C2C_ST_NA];
}
