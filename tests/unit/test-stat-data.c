// SPDX-License-Identifier: MIT
/* Recordings of counts: their records, their rounds, and the machine they tell of. */
#include "unit.h"

#include "data/feature/cpu_map.h"
#include "data/feature/feature.h"
#include "data/feature/recording_topology.h"
#include "data/sink.h"
#include "rounds.h"

#include <string.h>

static void put(struct buf *b, const struct record *r)
{
	assert_int_equal(record_encode(r, 0, false, b), 0);
}

static void records_come_back(void **state)
{
	static const uint64_t pairs[] = {STAT_CONFIG_AGGR, STAT_AGGR_CORE, STAT_CONFIG_INTERVAL,
					 50};
	static const uint8_t threads[48] = {7, [8] = 'a', [24] = 9, [32] = 'b'};
	const struct record all[] = {
		{.header.type = RECORD_STAT, .stat = {5, UINT32_MAX, 2, 100, 20, 10}},
		{.header.type = RECORD_STAT_ROUND, .stat_round = {1, 77}},
		{.header.type = RECORD_STAT_CONFIG, .stat_config = {2, pairs}},
		{.header.type = RECORD_THREAD_MAP, .thread_map = {2, threads, sizeof(threads)}},
	};
	static const uint32_t size[] = {48, 24, 48, 64};
	AUTO_BUF scratch = {0}, b = {0}, again = {0};
	struct record_decode how = {.scratch = &scratch};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct record d;

		buf_clear(&b);
		buf_clear(&again);
		put(&b, &all[i]);
		assert_int_equal(b.n, size[i]);
		assert_int_equal(record_decode(&how, b.at, b.n, &d), 0);
		if (all[i].header.type == RECORD_STAT) {
			assert_int_equal((int)d.stat.cpu, -1);
			assert_int_equal(d.stat.thread, 2);
			assert_int_equal(d.stat.running, 10);
		} else if (all[i].header.type == RECORD_STAT_CONFIG) {
			assert_int_equal(d.stat_config.pairs[3], 50);
		} else if (all[i].header.type == RECORD_THREAD_MAP) {
			assert_int_equal(d.thread_map.size, 48);
		} else {
			assert_int_equal(d.stat_round.time, 77);
		}
		put(&again, &d);
		assert_memory_equal(again.at, b.at, b.n);
		/* cut short it is none */
		assert_int_equal(record_decode(&how, b.at, 12, &d), -1);
	}
}

static void cpu_maps_have_three_forms(void **state)
{
	static const struct {
		const char bytes[40];
		size_t n;
		int result;
		int cpus[6];
		size_t n_cpus;
	} forms[] = {
		{"\0\0\3\0\0\0\2\0\7\0", 10, 0, {0, 2, 7}, 3},
		{"\0\0\1\0\xff\xff\0\0", 8, 0, {-1}, 1},
		{"\1\0\2\0\4\0\5\0\0\0\1\0\0\0", 14, 0, {0, 2, 32}, 3},
		{"\1\0\2\0\10\0\0\0\0\0\5\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 26, 0, {0, 2, 64}, 3},
		{"\2\0\0\0\3\0\5\0", 8, 0, {3, 4, 5}, 3},
		{"\2\0\1\0\3\0\4\0", 8, 0, {-1, 3, 4}, 3},
		{"\2\0\0\0\5\0\3\0", 8, 0, {0}, 0},
		{"\0\0\3\0\0\0\2\0", 8, -1, {0, 2}, 2},
		{"\1\0\1\0\3\0\5\0\0\0", 10, -1, {0}, 0},
		{"\1\0\2\0\4\0\1\0\0\0", 10, -1, {0}, 1},
		{"\3\0\1\0\0\0\0\0", 8, -1, {0}, 0},
		{"", 1, -1, {0}, 0},
	};
	struct cpu_list out = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		assert_int_equal(
			cpu_map_decode(cursor_over(forms[i].bytes, forms[i].n, false), &out),
			forms[i].result);
		assert_int_equal(out.n, forms[i].n_cpus);
		for (size_t k = 0; k < out.n; k++)
			assert_int_equal(out.at[k], forms[i].cpus[k]);
	}
	/* the longest there can be is as long as a record lets it be */
	assert_int_equal(cpu_map_decode(cursor_over("\2\0\0\0\0\0\xff\xff", 8, false), &out), 0);
	assert_int_equal(out.n, 65536);
	vec_release(&out);
}

static void cpu_maps_are_written_as_perf_writes_them(void **state)
{
	static const int range[] = {2, 3, 4}, some[] = {0, 2, 3}, none[] = {-1}, one[] = {1};
	AUTO_BUF b = {0};

	(void)state;
	cpu_map_encode(range, 3, &b);
	assert_int_equal(b.n, 8);
	assert_memory_equal(b.at, "\2\0\0\0\2\0\4\0", 8);
	buf_clear(&b);
	cpu_map_encode(one, 1, &b);
	assert_memory_equal(b.at, "\2\0\0\0\1\0\1\0", 8);
	buf_clear(&b);
	cpu_map_encode(none, 1, &b);
	assert_memory_equal(b.at, "\0\0\1\0\xff\xff\0\0", 8);
	buf_clear(&b);
	cpu_map_encode(some, 3, &b);
	assert_int_equal(b.n, 16);
	assert_memory_equal(b.at, "\0\0\3\0\0\0\2\0\3\0\0\0\0\0\0\0", 16);
}

static struct event *add_event(struct event_set *set, const char *name, uint64_t id, int ids)
{
	struct event *ev = event_set_add(set, name);

	ev->attr = (struct attr){.type = TYPE_SOFTWARE, .size = ATTR_SIZE_6_1,
				 .sample_type = SAMPLE_IDENTIFIER};
	for (int i = 0; i < ids; i++)
		event_set_add_id(set, ev, id + (uint64_t)i);
	return ev;
}

static void put_value(struct buf *b, uint64_t id, int cpu, uint32_t thread, uint64_t value)
{
	put(b, &(struct record){.header.type = RECORD_STAT,
				.stat = {id, (uint32_t)cpu, thread, value, 1000, 500}});
}

static void put_round(struct buf *b, uint64_t type, uint64_t time)
{
	put(b, &(struct record){.header.type = RECORD_STAT_ROUND, .stat_round = {type, time}});
}

static void put_maps(struct buf *b, const int *cpus, size_t n_cpus, int threads)
{
	static const uint64_t pairs[] = {STAT_CONFIG_AGGR,
					 STAT_AGGR_SOCKET,
					 STAT_CONFIG_INTERVAL,
					 50,
					 STAT_CONFIG_SCALE,
					 0,
					 99,
					 1};
	uint8_t tasks[3 * 24] = {0};
	AUTO_BUF map = {0};

	for (int i = 0; i < threads; i++) {
		tasks[24 * i] = (uint8_t)(10 + i);
		memset(tasks + 24 * i + 8, 'a' + i, 16); /* a comm without its end */
	}
	put(b, &(struct record){.header.type = RECORD_THREAD_MAP,
				.thread_map = {(uint64_t)threads, tasks, 24u * (unsigned)threads}});
	cpu_map_encode(cpus, n_cpus, &map);
	put(b, &(struct record){.header.type = RECORD_CPU_MAP,
				.blob = {(const uint8_t *)map.at, map.n, 0}});
	put(b, &(struct record){.header.type = RECORD_STAT_CONFIG, .stat_config = {4, pairs}});
}

static void own_cpus(struct buf *b, uint64_t id, const int *cpus, size_t n)
{
	AUTO_BUF map = {0};

	cpu_map_encode(cpus, n, &map);
	put(b, &(struct record){.header.type = RECORD_EVENT_UPDATE,
				.event_update = {3, id, (const uint8_t *)map.at, map.n}});
}

/* A file (or pipe) with these events and records. */
static void make(struct buf *out, bool pipe, struct event_set *set, const struct buf *records)
{
	AUTO(sink) *sink = sink_open_memory(pipe, out);
	struct err e = {0};

	assert_int_equal(sink_begin(sink, set, &e), 0);
	assert_int_equal(sink_put(sink, records->at, records->n, NULL, 0, &e), 0);
	assert_int_equal(sink_end(sink, &e), 0);
}

static void rounds_have_all_the_counts(void **state)
{
	static const int cpus[] = {0, 1, 4}, socket[] = {4};

	for (int pipe = 0; pipe < 2; pipe++) {
		struct event_set set = {0};
		AUTO_BUF b = {0}, out = {0};
		struct stat_rounds rounds;
		struct stat_round round;
		struct counts *c;
		struct err e = {0};

		(void)state;
		add_event(&set, "a", 1, 3);
		add_event(&set, "absent", 4, 0);
		add_event(&set, "own", 5, 1);
		own_cpus(&b, 5, socket, 1);
		put_maps(&b, cpus, 3, 1);
		put_value(&b, 1, 0, 0, 10);
		put_value(&b, 2, 1, 0, 11);
		put_value(&b, 3, 4, 0, 14);
		put_value(&b, 3, 2, 0, 9); /* no such CPU */
		put_round(&b, 0, 100);
		put_value(&b, 2, 1, 0, 21);
		put_value(&b, 5, 4, 0, 5);
		put_round(&b, 1, 200);
		put_value(&b, 5, 4, 0, 6);
		make(&out, pipe, &set, &b);
		AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
		assert_non_null(rec);
		AUTO(source) *src = rounds_open(&rounds, rec);
		assert_int_equal(rounds_next(&rounds, src, &round, &e), 1);
		assert_true(rounds.config.known);
		assert_int_equal(rounds.config.aggr, STAT_AGGR_SOCKET);
		assert_int_equal(rounds.config.interval_ms, 50);
		assert_false(rounds.config.scale);
		assert_int_equal(rounds.config.unknown_tag, 99);
		assert_int_equal(rounds.cpus.n, 3);
		assert_false(round.final);
		assert_int_equal(round.time_ns, 100);
		c = &rounds.counts;
		assert_ptr_equal(round.counts, c);
		assert_int_equal(c->threads.n, 1);
		assert_int_equal(c->threads.at[0].tid, 10);
		assert_string_equal(c->threads.at[0].comm, "aaaaaaaaaaaaaaa");
		assert_int_equal(c->events.n, 3);
		assert_int_equal(counts_at(c, 0, 4, 0)->value, 14);
		assert_int_equal(counts_at(c, 0, 4, 0)->running, 500);
		assert_int_equal(c->events.at[1].state, COUNT_NOT_SUPPORTED);
		assert_int_equal(c->events.at[1].cpus.n, 3);
		assert_int_equal(c->events.at[1].at.n, 0);
		assert_int_equal(c->events.at[2].state, COUNT_NOT_SUPPORTED);
		assert_int_equal(c->events.at[2].cpus.n, 1);
		assert_int_equal(c->events.at[2].cpus.at[0], 4);
		assert_int_equal(rounds_next(&rounds, src, &round, &e), 1);
		assert_true(round.final);
		assert_int_equal(counts_at(c, 0, 0, 0)->value, 10);
		assert_int_equal(counts_at(c, 0, 1, 0)->value, 21);
		assert_int_equal(c->events.at[2].state, COUNT_OPEN);
		assert_int_equal(counts_at(c, 2, 4, 0)->value, 5);
		assert_int_equal(rounds_next(&rounds, src, &round, &e), 0);
		assert_int_equal(rec->m.losses.kind[LOSS_CORRUPT].times, 1);
		stat_rounds_release(&rounds);
		event_set_release(&set);
	}
}

static void threads_have_cells_of_their_own(void **state)
{
	static const int none[] = {-1};
	struct event_set set = {0};
	AUTO_BUF b = {0}, out = {0};
	struct stat_rounds rounds;
	struct stat_round round;
	struct err e = {0};

	(void)state;
	add_event(&set, "a", 1, 3);
	put_maps(&b, none, 1, 3);
	put_maps(&b, none, 1, 1); /* there is one: others are passed over */
	put_value(&b, 3, -1, 2, 7);
	put_value(&b, 1, -1, 0, 5);
	put_value(&b, 1, -1, 3, 1); /* no such thread */
	put_value(&b, 2, 3, 1, 6);  /* on a CPU: a task's all the same */
	put_value(&b, 8, -1, 0, 1); /* no such counter */
	put_round(&b, 1, 9);
	make(&out, false, &set, &b);
	AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
	AUTO(source) *src = rounds_open(&rounds, rec);
	assert_int_equal(rounds_next(&rounds, src, &round, &e), 1);
	assert_int_equal(round.counts->threads.n, 3);
	assert_int_equal(counts_at(&rounds.counts, 0, -1, 2)->value, 7);
	assert_int_equal(counts_at(&rounds.counts, 0, -1, 1)->value, 6);
	assert_int_equal(counts_at(&rounds.counts, 0, -1, 0)->value, 5);
	assert_int_equal(rec->m.losses.kind[LOSS_CORRUPT].times, 2);
	assert_int_equal(rounds_next(&rounds, src, &round, &e), 0);
	stat_rounds_release(&rounds);
	event_set_release(&set);
}

static void aggregations_have_the_numbers_of_their_perf(void **state)
{
	static const struct {
		const char *version;
		uint64_t number, is;
		bool level;
	} all[] = {
		{"6.1.55", 4, STAT_AGGR_CORE, false},	{"6.1.55", 7, STAT_AGGR_NODE, false},
		{"6.5.1", 3, STAT_AGGR_DIE, true},	{"6.5.1", 4, STAT_AGGR_CACHE, true},
		{"6.8.12", 5, STAT_AGGR_CORE, true},	{"6.8.12", 8, STAT_AGGR_NODE, true},
		{"6.9.0", 4, STAT_AGGR_CLUSTER, true},	{"6.12.3", 5, STAT_AGGR_CACHE, true},
		{"7.0.rc1", 6, STAT_AGGR_CORE, true},	{NULL, 9, STAT_AGGR_NODE, true},
		{NULL, 1 << 30, STAT_AGGR_UNSET, true}, {"", 7, STAT_AGGR_THREAD, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const uint64_t pairs[] = {STAT_CONFIG_AGGR, all[i].number, STAT_CONFIG_LEVEL, 2};
		struct event_set set = {0};
		AUTO_BUF b = {0}, out = {0};
		struct stat_rounds rounds;
		struct stat_round round;
		struct err e = {0};

		add_event(&set, "a", 1, 1);
		put(&b, &(struct record){.header.type = RECORD_STAT_CONFIG,
					 .stat_config = {all[i].level ? 2 : 1, pairs}});
		put_round(&b, 1, 9);
		make(&out, false, &set, &b);
		AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
		rec->version = all[i].version;
		AUTO(source) *src = rounds_open(&rounds, rec);
		assert_int_equal(rounds_next(&rounds, src, &round, &e), 1);
		assert_int_equal(rounds.config.aggr, all[i].is);
		assert_int_equal(rounds.config.cache_level, all[i].level ? 2 : 0);
		stat_rounds_release(&rounds);
		event_set_release(&set);
	}
}

static void more_counters_than_the_file_could_hold_are_refused(void **state)
{
	struct event_set set = {0};
	AUTO_BUF b = {0}, out = {0};
	struct stat_rounds rounds;
	struct stat_round round;
	struct err e = {0};

	(void)state;
	for (uint64_t i = 0; i < 17; i++)
		add_event(&set, "a", i + 1, 1);
	put(&b, &(struct record){.header.type = RECORD_CPU_MAP,
				 .blob = {(const uint8_t *)"\2\0\0\0\0\0\xff\xff", 8, 0}});
	put_value(&b, 3, 0, 0, 7);
	put_round(&b, 1, 9);
	make(&out, false, &set, &b);
	AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
	AUTO(source) *src = rounds_open(&rounds, rec);
	assert_int_equal(rounds_next(&rounds, src, &round, &e), -1);
	assert_non_null(strstr(e.text, "more counters"));
	stat_rounds_release(&rounds);
	event_set_release(&set);
}

/* Features */

static void u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, 4);
}

static void string(struct buf *b, const char *s)
{
	u32(b, 64);
	buf_str(b, s);
	buf_fill(b, 0, 64 - strlen(s));
}

static struct recording *features(struct buf *out, const struct buf *topology,
				  const struct buf *nodes, const struct buf *caches, uint32_t cpus)
{
	struct event_set set = {0};
	struct recording *rec;
	struct err e = {0};
	uint32_t nr[2] = {cpus, cpus};
	AUTO_BUF round = {0};

	add_event(&set, "a", 1, 1);
	{
		AUTO(sink) *sink = sink_open_memory(false, out);

		assert_int_equal(sink_begin(sink, &set, &e), 0);
		sink_feature(sink, FEATURE_NRCPUS, nr, sizeof(nr), &e);
		sink_feature(sink, FEATURE_CPU_TOPOLOGY, topology->at, topology->n, &e);
		sink_feature(sink, FEATURE_NUMA_TOPOLOGY, nodes->at, nodes->n, &e);
		sink_feature(sink, FEATURE_CACHE, caches->at, caches->n, &e);
		put_round(&round, 1, 1);
		assert_int_equal(sink_put(sink, round.at, round.n, NULL, 0, &e), 0);
		assert_int_equal(sink_end(sink, &e), 0);
	}
	rec = recording_open_memory(out->at, out->n, &e);
	assert_non_null(rec);
	event_set_release(&set);
	return rec;
}

static void the_machine_is_told_of(void **state)
{
	AUTO_BUF topology = {0}, nodes = {0}, caches = {0}, out = {0};
	struct topology t;

	(void)state;
	/* two sockets of one core with two threads; the last CPU is offline */
	u32(&topology, 2);
	string(&topology, "0,2");
	string(&topology, "1");
	u32(&topology, 2);
	string(&topology, "0,2");
	string(&topology, "1");
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		u32(&topology, cpu == 3 ? UINT32_MAX : 8);
		u32(&topology, cpu == 3 ? UINT32_MAX : cpu & 1);
	}
	u32(&topology, 1);
	string(&topology, "0-2");
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		u32(&topology, cpu == 3 ? UINT32_MAX : 5);
	u32(&nodes, 1);
	u32(&nodes, 3);
	buf_fill(&nodes, 0, 16);
	string(&nodes, "1-2");
	u32(&caches, 1);
	u32(&caches, 2);
	for (uint32_t i = 0; i < 2; i++) {
		u32(&caches, i + 1);
		buf_fill(&caches, 0, 12);
		string(&caches, i ? "Unified" : "Instruction");
		string(&caches, "32K");
		string(&caches, i ? "2,1" : "0");
	}
	AUTO(recording) *rec = features(&out, &topology, &nodes, &caches, 4);
	recording_topology(&t, rec);
	assert_int_equal(t.cpus.n, 4);
	for (int cpu = 0; cpu < 4; cpu++) {
		const struct topology_cpu *c = topology_find(&t, cpu);
		bool on = cpu < 3;

		assert_int_equal(c->online, on);
		assert_int_equal(c->core, on ? 8 : -1);
		assert_int_equal(c->socket, on ? cpu & 1 : -1);
		assert_int_equal(c->die, on ? 5 : -1);
		assert_int_equal(c->cluster, -1);
		assert_int_equal(c->node, cpu == 1 || cpu == 2 ? 3 : -1);
	}
	assert_null(topology_cache_of(topology_find(&t, 0), 0));
	assert_int_equal(topology_cache_of(topology_find(&t, 2), 0)->first_cpu, 1);
	topology_release(&t);
	/* without the dies, as before perf 5.4 */
	topology.n -= 4 + 4 + 64 + 16;
	buf_clear(&out);
	AUTO(recording) *old = features(&out, &topology, &nodes, &caches, 4);
	recording_topology(&t, old);
	assert_int_equal(topology_find(&t, 2)->core, 8);
	assert_int_equal(topology_find(&t, 2)->die, -1);
	topology_release(&t);
}

static void what_is_said_of_a_machine_can_be_damaged(void **state)
{
	AUTO_BUF topology = {0}, nodes = {0}, caches = {0}, out = {0};
	struct topology t;

	(void)state;
	/* the same long list again and again, far more CPUs than bytes, a list that is none */
	u32(&topology, 20000);
	for (int i = 0; i < 20000; i++)
		string(&topology, "0-65535");
	u32(&topology, UINT32_MAX);
	u32(&nodes, UINT32_MAX);
	u32(&nodes, UINT32_MAX);
	buf_fill(&nodes, 0, 16);
	string(&nodes, "1-x");
	u32(&caches, 2);
	AUTO(recording) *rec = features(&out, &topology, &nodes, &caches, UINT32_MAX);
	recording_topology(&t, rec);
	assert_int_equal(t.cpus.n, 65536);
	assert_int_equal(topology_find(&t, 9)->core, -1);
	assert_int_equal(topology_find(&t, 9)->caches.n, 0);
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_back),
		cmocka_unit_test(cpu_maps_have_three_forms),
		cmocka_unit_test(cpu_maps_are_written_as_perf_writes_them),
		cmocka_unit_test(rounds_have_all_the_counts),
		cmocka_unit_test(threads_have_cells_of_their_own),
		cmocka_unit_test(aggregations_have_the_numbers_of_their_perf),
		cmocka_unit_test(more_counters_than_the_file_could_hold_are_refused),
		cmocka_unit_test(the_machine_is_told_of),
		cmocka_unit_test(what_is_said_of_a_machine_can_be_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
