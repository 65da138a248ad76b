// SPDX-License-Identifier: MIT
/* Layouts: tools/perf's perf.data-file-format, checked against files of perf 6.1. */
#include "capture/record/features.h"

#include "event/format/tracing_data.h"
#include "os/machine/host.h"
#include "os/tracing/tracefs.h"

#include <time.h>

struct writer {
	struct sink *sink;
	struct buf b;
	struct err *err;
	int failed;
};

static void u32(struct writer *w, uint32_t v)
{
	buf_u32(&w->b, v);
}

static void u64(struct writer *w, uint64_t v)
{
	buf_u64(&w->b, v);
}

/* A length that is a multiple of 64, then so many bytes. */
static void string(struct writer *w, const char *s)
{
	size_t n = strlen(s), room = (n + 64) & ~(size_t)63;

	u32(w, (uint32_t)room);
	buf_add(&w->b, s, n);
	buf_fill(&w->b, 0, room - n);
}

static void features_send(struct writer *w, enum feature f)
{
	if (!w->failed)
		w->failed = sink_feature(w->sink, f, w->b.at, w->b.n, w->err);
	buf_clear(&w->b);
}

static void one_string(struct writer *w, enum feature f, const char *s)
{
	if (!s)
		return;
	string(w, s);
	features_send(w, f);
}

static void strings(struct writer *w, const char *const *at, size_t n)
{
	u32(w, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		string(w, at[i]);
}

static void command_line(struct writer *w, const struct feature_facts *f)
{
	u32(w, (uint32_t)f->argc);
	for (int i = 0; i < f->argc; i++)
		string(w, f->argv[i]);
	features_send(w, FEATURE_CMDLINE);
}

void features_event_desc(const struct event_set *set, struct buf *out)
{
	struct writer to = {0}, *w = &to;

	u32(w, (uint32_t)set->events.n);
	u32(w, ATTR_SIZE_6_1);
	for (size_t i = 0; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];
		struct attr a = ev->attr;
		uint8_t bytes[sizeof(a)] = {0};

		a.size = ATTR_SIZE_6_1;
		attr_encode(&a, bytes);
		buf_add(&w->b, bytes, ATTR_SIZE_6_1);
		u32(w, (uint32_t)ev->ids.n);
		string(w, ev->name);
		buf_add(&w->b, ev->ids.at, 8 * ev->ids.n);
	}
	buf_add(out, w->b.at, w->b.n);
	buf_release(&w->b);
}

static void group_desc(struct writer *w, const struct event_set *set)
{
	uint32_t groups = 0;

	for (size_t i = 0; i < set->events.n; i++)
		groups += event_is_leader(set->events.at[i]) && set->events.at[i]->members > 1;
	if (!groups)
		return;
	u32(w, groups);
	for (size_t i = 0; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];

		if (!event_is_leader(ev) || ev->members < 2)
			continue;
		string(w, ev->group_name ? ev->group_name : "{anon_group}");
		u32(w, ev->index);
		u32(w, ev->members);
	}
	features_send(w, FEATURE_GROUP_DESC);
}

static void topology(struct writer *w, const struct host *h)
{
	if (h->packages.n) {
		strings(w, h->packages.at, h->packages.n);
		strings(w, h->cores.at, h->cores.n);
		for (size_t i = 0; i < h->cpus.n; i++) {
			u32(w, h->cpus.at[i].core);
			u32(w, h->cpus.at[i].package);
		}
		if (h->dies.n) {
			strings(w, h->dies.at, h->dies.n);
			for (size_t i = 0; i < h->cpus.n; i++)
				u32(w, h->cpus.at[i].die);
		}
		features_send(w, FEATURE_CPU_TOPOLOGY);
	}
	if (h->nodes.n) {
		u32(w, (uint32_t)h->nodes.n);
		for (size_t i = 0; i < h->nodes.n; i++) {
			u32(w, h->nodes.at[i].node);
			u64(w, h->nodes.at[i].total_kb);
			u64(w, h->nodes.at[i].free_kb);
			string(w, h->nodes.at[i].cpus);
		}
		features_send(w, FEATURE_NUMA_TOPOLOGY);
	}
}

static void hardware(struct writer *w, const struct host *h)
{
	if (h->pmus.n) {
		u32(w, (uint32_t)h->pmus.n);
		for (size_t i = 0; i < h->pmus.n; i++) {
			u32(w, h->pmus.at[i].type);
			string(w, h->pmus.at[i].name);
		}
		features_send(w, FEATURE_PMU_MAPPINGS);
	}
	if (h->caches.n) {
		u32(w, 1);
		u32(w, (uint32_t)h->caches.n);
		for (size_t i = 0; i < h->caches.n; i++) {
			const struct host_cache *c = &h->caches.at[i];

			u32(w, c->level);
			u32(w, c->line_size);
			u32(w, c->sets);
			u32(w, c->ways);
			string(w, c->type);
			string(w, c->size);
			string(w, c->cpus);
		}
		features_send(w, FEATURE_CACHE);
	}
	if (h->memory.n) {
		u64(w, 1);
		u64(w, h->memory_block);
		u64(w, h->memory.n);
		for (size_t i = 0; i < h->memory.n; i++) {
			const struct host_memory *m = &h->memory.at[i];

			u64(w, m->node);
			u64(w, m->n_bits);
			u64(w, m->n_bits); /* again: of the bitmap that follows */
			buf_add(&w->b, m->bits.at, 8 * m->bits.n);
		}
		features_send(w, FEATURE_MEM_TOPOLOGY);
	}
}

static void machine(struct writer *w, const struct feature_facts *f)
{
	struct host h;

	host_read(&h, f->proc_root, f->sys_root);
	one_string(w, FEATURE_HOSTNAME, h.hostname);
	one_string(w, FEATURE_OSRELEASE, h.osrelease);
	one_string(w, FEATURE_VERSION, f->version);
	one_string(w, FEATURE_ARCH, h.arch);
	u32(w, h.cpus_possible);
	u32(w, h.cpus_online);
	features_send(w, FEATURE_NRCPUS);
	one_string(w, FEATURE_CPUDESC, h.cpudesc);
	one_string(w, FEATURE_CPUID, h.cpuid);
	u64(w, h.memory_kb);
	features_send(w, FEATURE_TOTAL_MEM);
	topology(w, &h);
	hardware(w, &h);
	host_release(&h);
}

static void clocks(struct writer *w, const struct feature_facts *f)
{
	struct timespec res;

	if (!f->use_clockid)
		return;
	if (!clock_getres(f->clockid, &res)) {
		u64(w, (uint64_t)res.tv_sec * 1000000000u + (uint64_t)res.tv_nsec);
		features_send(w, FEATURE_CLOCKID);
	}
	u32(w, 1);
	u32(w, (uint32_t)f->clockid);
	u64(w, f->wall_ns);
	u64(w, f->clock_ns);
	features_send(w, FEATURE_CLOCK_DATA);
}

static void tracing(struct writer *w, const struct event_set *set)
{
	struct arena arena = {0};
	const char *root;
	bool any = false;

	for (size_t i = 0; i < set->events.n; i++)
		any |= set->events.at[i]->attr.type == TYPE_TRACEPOINT;
	if (!any)
		return;
	root = tracefs_find(NULL, &arena);
	if (!root)
		w->failed =
			err_set(w->err, ERR_RIGHTS,
				"the formats of tracepoints cannot be read: tracefs is not there");
	else if (tracing_data_build(set, root, &w->b, w->err))
		w->failed = -1;
	else
		features_send(w, FEATURE_TRACING_DATA);
	arena_release(&arena);
}

int features_put(struct sink *sink, const struct feature_facts *f, struct err *err)
{
	struct writer w = {.sink = sink, .err = err};
	struct bpf_seen none = {0};

	machine(&w, f);
	command_line(&w, f);
	features_event_desc(f->events, &w.b);
	features_send(&w, FEATURE_EVENT_DESC);
	if (f->branch_stack)
		features_send(&w, FEATURE_BRANCH_STACK);
	group_desc(&w, f->events);
	if (f->counts)
		features_send(&w, FEATURE_STAT);
	clocks(&w, f);
	if (!w.failed)
		w.failed = bpf_seen_send(f->programs ? f->programs : &none, sink, err);
	u32(&w, 0);
	features_send(&w, FEATURE_PMU_CAPS);
	if (!w.failed)
		w.failed = sink_features_done(sink, err);
	if (!f->no_formats)
		tracing(&w, f->events);
	buf_release(&w.b);
	return w.failed;
}

int features_put_chains(struct sink *sink, const uint64_t ends[UNWIND_ENDS], struct err *err)
{
	struct buf b = {0};
	uint32_t words[] = {1, UNWIND_ENDS}; /* version */
	int got;

	buf_add(&b, words, sizeof(words));
	buf_add(&b, ends, UNWIND_ENDS * sizeof(*ends));
	got = sink_feature(sink, FEATURE_CHAINS, b.at, b.n, err);
	buf_release(&b);
	return got;
}

int features_put_times(struct sink *sink, uint64_t first, uint64_t last, struct err *err)
{
	uint64_t times[2] = {first, last};

	return sink_feature(sink, FEATURE_SAMPLE_TIME, times, sizeof(times), err);
}
