// SPDX-License-Identifier: MIT
#include "view/header/header.h"

#include "base/mem.h"
#include "data/feature/feature.h"
#include "data/feature/schedstat.h"
#include "symbol/contained/contained.h"
#include "symbol/unwind/unwind.h"

#include <stdio.h>
#include <time.h>

/* The last feature that perf 6.1 knows: later ones are not shown, and not listed as missing. */
#define HEADER_LAST FEATURE_PMU_CAPS

#define NSEC_PER_SEC 1000000000ull

typedef void (*feature_show)(const struct recording *rec, struct cursor c, struct buf *b);

static const char *or_null(const char *s)
{
	return s ? s : "(null)";
}

static void show_hostname(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# hostname : %s\n", or_null(rec->hostname));
}
static void show_osrelease(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# os release : %s\n", or_null(rec->m.osrelease));
}
static void show_version(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# perf version : %s\n", or_null(rec->version));
}
static void show_arch(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# arch : %s\n", or_null(rec->m.arch));
}
static void show_nrcpus(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# nrcpus online : %u\n# nrcpus avail : %u\n", rec->nr_cpus_online,
		   rec->nr_cpus_avail);
}
static void show_cpudesc(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# cpudesc : %s\n", or_null(rec->cpudesc));
}
static void show_cpuid(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# cpuid : %s\n", or_null(rec->cpuid));
}
static void show_total_mem(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# total memory : %llu kB\n", (unsigned long long)rec->total_mem_kb);
}

static void show_cmdline(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_str(b, "# cmdline : ");
	for (size_t i = 0; i < rec->cmdline.n; i++) {
		for (const char *p = rec->cmdline.at[i]; *p; p++) {
			if (*p == '\'')
				buf_char(b, '\\');
			buf_char(b, *p);
		}
		buf_char(b, ' ');
	}
	buf_char(b, '\n');
}

static void show_event_desc(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint32_t n = cursor_u32(&c), size = cursor_u32(&c);

	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *encoded = cursor_bytes(&c, size);
		uint32_t nr_ids = cursor_u32(&c);
		const char *name = feature_string(&c);
		struct cursor ids = cursor_sub(&c, (size_t)nr_ids * 8);
		struct attr attr;

		if (!encoded || !name || ids.bad || attr_decode(&attr, encoded, size, rec->m.swap))
			return;
		buf_printf(b, "# event : name = %s, ", name);
		if (nr_ids) {
			buf_str(b, ", id = {");
			for (uint32_t j = 0; j < nr_ids; j++) {
				buf_str(b, j ? ", " : " ");
				buf_dec(b, cursor_u64(&ids));
			}
			buf_str(b, " }");
		}
		attr_show_as(&attr, " = ", false, b);
		buf_char(b, '\n');
	}
}

static uint32_t show_siblings(struct cursor *c, const char *what, struct buf *b)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const char *list = feature_string(c);

		if (list)
			buf_printf(b, "# sibling %s : %s\n", what, list);
	}
	return n;
}

/* Sockets, threads and CPUs; newer recorders add dies at the end, but they are shown second. */
static void show_cpu_topology(const struct recording *rec, struct cursor c, struct buf *b)
{
	AUTO_BUF threads = {0}, dies = {0};
	struct cursor cpus, die_ids;
	uint32_t n = rec->nr_cpus_avail;
	bool has_dies, has_ids;

	show_siblings(&c, "sockets", b);
	show_siblings(&c, "threads", &threads);
	cpus = cursor_sub(&c, (size_t)n * 8);
	has_ids = n && !cpus.bad;
	die_ids = c;
	has_dies = has_ids && cursor_left(&c) >= 4 && show_siblings(&die_ids, "dies   ", &dies) &&
		   cursor_left(&die_ids) >= (size_t)n * 4;
	if (has_dies)
		buf_add(b, dies.at, dies.n);
	buf_add(b, threads.at, threads.n);
	if (!has_ids) {
		buf_str(b, "# Core ID and Socket ID information is not available\n");
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		int core = (int)cursor_u32(&cpus), socket = (int)cursor_u32(&cpus);

		if (has_dies)
			buf_printf(b, "# CPU %u: Core ID %d, Die ID %d, Socket ID %d\n", i, core,
				   (int)cursor_u32(&die_ids), socket);
		else
			buf_printf(b, "# CPU %u: Core ID %d, Socket ID %d\n", i, core, socket);
	}
}

static void show_numa_topology(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint32_t n = cursor_u32(&c);

	(void)rec;
	for (uint32_t i = 0; i < n && !c.bad; i++) {
		uint32_t node = cursor_u32(&c);
		uint64_t total = cursor_u64(&c), unused = cursor_u64(&c);
		const char *list = feature_string(&c);

		if (!list)
			return;
		buf_printf(b, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node,
			   (unsigned long long)total, (unsigned long long)unused);
		buf_printf(b, "# node%u cpu list : %s\n", node, list);
	}
}

static void show_branch_stack(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)rec;
	(void)c;
	buf_str(b, "# contains samples with branch stack\n");
}
static void show_auxtrace(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)rec;
	(void)c;
	buf_str(b, "# contains AUX area data (e.g. instruction trace)\n");
}
static void show_stat(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)rec;
	(void)c;
	buf_str(b, "# contains stat data\n");
}

static void show_pmu_mappings(const struct recording *rec, struct cursor c, struct buf *b)
{
	const char *comma = "# pmu mappings: ";

	(void)c;
	if (!rec->pmus.n) {
		buf_str(b, "# pmu mappings: not available\n");
		return;
	}
	for (size_t i = 0; i < rec->pmus.n; i++) {
		buf_printf(b, "%s%s = %u", comma, rec->pmus.at[i].name, rec->pmus.at[i].type);
		comma = ", ";
	}
	buf_char(b, '\n');
}

static void show_group_desc(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint32_t left = 0;

	(void)c;
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct event *ev = rec->m.events.events.at[i];

		if (event_is_leader(ev) && ev->members > 1) {
			buf_printf(b, "# group: %s{%s", ev->group_name ? ev->group_name : "",
				   ev->name);
			left = ev->members - 1;
		} else if (left) {
			buf_printf(b, ",%s", ev->name);
			if (!--left)
				buf_str(b, "}\n");
		}
	}
}

static void show_cache(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint32_t version = cursor_u32(&c), n = cursor_u32(&c);

	(void)rec;
	buf_str(b, "# CPU cache info:\n");
	for (uint32_t i = 0; i < n && version == 1; i++) {
		uint32_t level = cursor_u32(&c);
		const char *type, *size, *map;

		cursor_skip(&c, 12); /* line size, sets, ways */
		type = feature_string(&c);
		size = feature_string(&c);
		map = feature_string(&c);
		if (!type || !size || !map)
			return;
		buf_printf(b, "#  L%d %-15s %8s [%s]\n", (int)level, type, size, map);
	}
}

static void show_sample_time(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint64_t first = rec->first_sample_time, last = rec->last_sample_time;

	(void)c;
	buf_printf(b, "# time of first sample : %llu.%06llu\n",
		   (unsigned long long)(first / NSEC_PER_SEC),
		   (unsigned long long)(first % NSEC_PER_SEC / 1000));
	buf_printf(b, "# time of last sample : %llu.%06llu\n",
		   (unsigned long long)(last / NSEC_PER_SEC),
		   (unsigned long long)(last % NSEC_PER_SEC / 1000));
	buf_printf(b, "# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

/* "0-17,32-269" of a bit map; perf cuts it at 99 characters. */
static uint64_t show_bits(struct cursor *c, uint64_t n, struct buf *out)
{
	uint64_t word = 0, from = 0, set = 0;
	bool inside = false;
	size_t start = out->n;

	for (uint64_t i = 0; i <= n; i++) {
		bool bit;

		if (i < n && i % 64 == 0)
			word = cursor_u64(c);
		bit = i < n && word >> (i % 64) & 1;
		set += bit;
		if (bit == inside)
			continue;
		inside = bit;
		if (bit) {
			from = i;
		} else {
			buf_printf(out, from == i - 1 ? "%s%llu" : "%s%llu-%llu",
				   out->n == start ? "" : ",", (unsigned long long)from,
				   (unsigned long long)(i - 1));
		}
	}
	if (out->n - start > 99)
		out->n = start + 99;
	return set;
}

static void show_mem_topology(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint64_t version = cursor_u64(&c), block = cursor_u64(&c), n = cursor_u64(&c);

	(void)rec;
	if (c.bad || version != 1)
		return;
	buf_printf(b, "# memory nodes (nr %d, block size 0x%llx):\n", (int)n,
		   (unsigned long long)block);
	for (uint64_t i = 0; i < n; i++) {
		AUTO_BUF map = {0};
		uint64_t node = cursor_u64(&c), size, bytes;
		unsigned int unit = 0;

		cursor_skip(&c, 8); /* the bit map's size: said again before it */
		size = cursor_u64(&c);
		if (c.bad || size / 64 > cursor_left(&c) / 8)
			return;
		bytes = block * show_bits(&c, size, &map);
		while (bytes / 1024 > 1 && unit < 3) {
			bytes /= 1024;
			unit++;
		}
		buf_printf(b, "#  %3llu [%llu%c]: %s\n", (unsigned long long)node,
			   (unsigned long long)bytes, "BKMG"[unit], buf_text(&map));
	}
}

static void show_clockid(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	buf_printf(b, "# clockid frequency: %llu MHz\n",
		   (unsigned long long)rec->m.clock.res_ns * 1000);
}

static void show_dir_format(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)rec;
	buf_printf(b, "# directory data version : %llu\n", (unsigned long long)cursor_u64(&c));
}

static void show_compressed(const struct recording *rec, struct cursor c, struct buf *b)
{
	cursor_skip(&c, 4);
	buf_printf(b, "# compressed : %s, level = %d, ratio = %d\n",
		   cursor_u32(&c) == 1 ? "Zstd" : "Unknown", (int)rec->compress_level,
		   (int)rec->compress_ratio);
}

/* key=value pairs of one PMU. */
static bool show_caps(struct cursor *c, const char *pmu, struct buf *out)
{
	AUTO_BUF caps = {0};
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n; i++) {
		const char *key = feature_string(c), *value = feature_string(c);

		if (!key || !value)
			return false;
		buf_printf(&caps, "%s%s=%s", i ? ", " : "", key, value);
	}
	if (!pmu)
		pmu = feature_string(c);
	if (!pmu || c->bad)
		return false;
	if (!n)
		buf_printf(out, "# %s pmu capabilities: not available\n", pmu);
	else
		buf_printf(out, "# %s pmu capabilities: %s\n", pmu, buf_text(&caps));
	return true;
}

static void show_cpu_pmu_caps(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)rec;
	show_caps(&c, "cpu", b);
}

static void show_pmu_caps(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint32_t n = cursor_u32(&c);

	(void)rec;
	while (n-- && show_caps(&c, NULL, b))
		;
}

static const char *clock_name(uint32_t id)
{
	switch (id) {
	case CLOCK_REALTIME:
		return "realtime";
	case CLOCK_MONOTONIC:
		return "monotonic";
	case CLOCK_MONOTONIC_RAW:
		return "monotonic_raw";
	case CLOCK_BOOTTIME:
		return "boottime";
	case CLOCK_TAI:
		return "tai";
	default:
		return "(not found)";
	}
}

static void show_clock_data(const struct recording *rec, struct cursor c, struct buf *b)
{
	const char *name = clock_name(rec->m.clock.id);
	uint64_t wall = rec->m.clock.wall_ns, clock = rec->m.clock.clock_ns;
	time_t sec = (time_t)(wall / NSEC_PER_SEC);
	int usec = (int)(wall % NSEC_PER_SEC / 1000);
	struct tm tm;
	char date[64] = "<error>";

	(void)c;
	if (localtime_r(&sec, &tm)) {
		size_t n = strftime(date, sizeof(date), "%F %T", &tm);

		snprintf(date + n, sizeof(date) - n, ".%06d", usec);
	}
	buf_printf(b, "# clockid: %s (%u)\n", name, rec->m.clock.id);
	buf_printf(b, "# reference time: %s = %lld.%06d (TOD) = %llu.%09llu (%s)\n", date,
		   (long long)sec, usec, (unsigned long long)(clock / NSEC_PER_SEC),
		   (unsigned long long)(clock % NSEC_PER_SEC), name);
}

static void show_hybrid_topology(const struct recording *rec, struct cursor c, struct buf *b)
{
	uint32_t n = cursor_u32(&c);

	(void)rec;
	buf_str(b, "# hybrid cpu system:\n");
	while (n-- && !c.bad) {
		const char *pmu = feature_string(&c), *cpus = feature_string(&c);

		if (pmu && cpus)
			buf_printf(b, "# %s cpu list : %s\n", pmu, cpus);
	}
}

static void show_bpf_programs(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	header_bpf_programs(rec, b);
}
static void show_bpf_types(const struct recording *rec, struct cursor c, struct buf *b)
{
	(void)c;
	header_bpf_types(rec, b);
}

/* The scheduling domains of each CPU. perf 6.1 does not know the feature: it is not listed as
 * missing. */
static void show_cpu_domains(const struct recording *rec, bool full, struct buf *b)
{
	struct schedstat_domains domains = {0};
	const size_t start = b->n;
	uint32_t version, most = 0, n = 0;

	if (!recording_has(rec, FEATURE_CPU_DOMAIN_INFO))
		return;
	if (!full) {
		buf_str(b, "# CPU_DOMAIN_INFO info available, use -I to display\n");
		return;
	}
	schedstat_domains_decode(rec, &version, &domains);
	for (size_t i = 0; i < domains.n; i++) {
		n = i && domains.at[i - 1].cpu == domains.at[i].cpu ? n + 1 : 1;
		most = MAX(most, n);
	}
	buf_printf(b, "# schedstat version\t: %u\n# Maximum sched domains\t: %u\n", version, most);
	for (size_t i = 0; i < domains.n; i++) {
		const struct schedstat_domain *d = &domains.at[i];

		if (!i || d[-1].cpu != d->cpu) {
			for (n = 0; i + n < domains.n && d[n].cpu == d->cpu;)
				n++;
			buf_printf(b, "# cpu\t\t: %u\n# nr_domains\t: %u\n", d->cpu, n);
		}
		buf_printf(b, "# Domain\t\t: %u\n", d->domain);
		if (d->name)
			buf_printf(b, "# Domain name      : %s\n", d->name);
		buf_printf(b, "# Domain cpu map   : %s\n# Domain cpu list  : %s\n", d->mask,
			   d->list);
	}
	buf_make_lines_safe(b, start);
	vec_release(&domains);
}

/* How each feature is shown. Long features need -I. */
static const struct {
	feature_show show;
	bool is_long;
} shows[HEADER_LAST + 1] = {
	[FEATURE_HOSTNAME] = {show_hostname},
	[FEATURE_OSRELEASE] = {show_osrelease},
	[FEATURE_VERSION] = {show_version},
	[FEATURE_ARCH] = {show_arch},
	[FEATURE_NRCPUS] = {show_nrcpus},
	[FEATURE_CPUDESC] = {show_cpudesc},
	[FEATURE_CPUID] = {show_cpuid},
	[FEATURE_TOTAL_MEM] = {show_total_mem},
	[FEATURE_CMDLINE] = {show_cmdline},
	[FEATURE_EVENT_DESC] = {show_event_desc},
	[FEATURE_CPU_TOPOLOGY] = {show_cpu_topology, true},
	[FEATURE_NUMA_TOPOLOGY] = {show_numa_topology, true},
	[FEATURE_BRANCH_STACK] = {show_branch_stack},
	[FEATURE_PMU_MAPPINGS] = {show_pmu_mappings},
	[FEATURE_GROUP_DESC] = {show_group_desc},
	[FEATURE_AUXTRACE] = {show_auxtrace},
	[FEATURE_STAT] = {show_stat},
	[FEATURE_CACHE] = {show_cache, true},
	[FEATURE_SAMPLE_TIME] = {show_sample_time},
	[FEATURE_MEM_TOPOLOGY] = {show_mem_topology, true},
	[FEATURE_CLOCKID] = {show_clockid},
	[FEATURE_DIR_FORMAT] = {show_dir_format},
	[FEATURE_BPF_PROG_INFO] = {show_bpf_programs},
	[FEATURE_BPF_BTF] = {show_bpf_types},
	[FEATURE_COMPRESSED] = {show_compressed},
	[FEATURE_CPU_PMU_CAPS] = {show_cpu_pmu_caps},
	[FEATURE_CLOCK_DATA] = {show_clock_data},
	[FEATURE_HYBRID_TOPOLOGY] = {show_hybrid_topology, true},
	[FEATURE_PMU_CAPS] = {show_pmu_caps},
};

void header_feature_show(const struct recording *rec, unsigned int bit, bool full, struct out *out)
{
	const size_t start = out->buf.n;

	if (bit > HEADER_LAST || !shows[bit].show || !recording_has(rec, bit))
		return;
	if (shows[bit].is_long && !full)
		buf_printf(&out->buf, "# %s info available, use -I to display\n",
			   feature_name(bit));
	else
		shows[bit].show(rec, feature_cursor(rec, bit), &out->buf);
	buf_make_lines_safe(&out->buf, start);
	out_ready(out);
}

/* How complete the call chains are that the recorder made. */
static void show_chains(const struct recording *rec, struct buf *b)
{
	const uint64_t all = unwind_ends_sum(rec->chain_ends);

	if (!all)
		return;
	buf_printf(b, "# call chains made of stacks while recording: %llu\n",
		   (unsigned long long)all);
	for (int end = UNWIND_OUTERMOST + 1; end < UNWIND_ENDS; end++)
		if (rec->chain_ends[end])
			buf_printf(b, "#   %llu end early: %s\n",
				   (unsigned long long)rec->chain_ends[end],
				   unwind_end_text((enum unwind_end)end));
}

void header_contained_show(const struct recording *rec, struct buf *b)
{
	size_t n;
	const uint8_t *p = feature_payload(rec, FEATURE_CONTAINED, &n);

	if (p)
		buf_printf(b, "# self-contained: has names, lines and code of %u files\n",
			   contained_count(p, n, rec->m.swap));
}

void header_show(const struct recording *rec, bool full, struct out *out)
{
	struct buf *b = &out->buf;
	time_t when = rec->mtime;
	char date[64];

	buf_str(b, "# ========\n");
	if (ctime_r(&when, date))
		buf_printf(b, "# captured on    : %s", date);
	buf_printf(b, "# header version : %d\n", !rec->is_v1);
	buf_printf(b, "# data offset    : %llu\n",
		   (unsigned long long)(rec->is_pipe ? 0 : rec->data_offset));
	buf_printf(b, "# data size      : %llu\n", (unsigned long long)rec->data_size);
	buf_printf(b, "# feat offset    : %llu\n", (unsigned long long)rec->feature_offset);
	if (!rec->is_pipe) {
		for (unsigned int bit = 1; bit <= HEADER_LAST; bit++)
			header_feature_show(rec, bit, full, out);
		show_cpu_domains(rec, full, b);
		buf_str(b, "# missing features: ");
		for (unsigned int bit = 1; bit <= HEADER_LAST; bit++)
			if (!recording_has(rec, bit))
				buf_printf(b, "%s ", feature_name(bit));
		buf_char(b, '\n');
	}
	if (full)
		show_chains(rec, b);
	header_contained_show(rec, b);
	buf_str(b, "# ========\n#\n");
	out_ready(out);
}
