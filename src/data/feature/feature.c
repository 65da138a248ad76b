// SPDX-License-Identifier: MIT
#include "data/feature/feature.h"

#include "data/feature/cpu_sockets.h"
#include "data/recording_file.h"
#include "symbol/contained/contained.h"

struct feature_store {
	struct arena arena;
	struct {
		const uint8_t *p;
		size_t n;
	} at[FEATURE_MAX];
};

const char *event_name_kept(struct recording *rec, const char *name)
{
	AUTO_BUF safe = {0};

	buf_safe(&safe, name);
	return arena_strdup(&rec->m.events.arena, buf_text(&safe));
}

const char *feature_string(struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	return cursor_str(c, n);
}

static const char *feature_keep(struct recording *rec, const char *s)
{
	return s ? arena_strdup(&rec->arena, s) : NULL;
}

typedef void (*feature_reader)(struct recording *rec, struct cursor *c);

static void read_hostname(struct recording *rec, struct cursor *c)
{
	rec->hostname = feature_keep(rec, feature_string(c));
}
static void read_osrelease(struct recording *rec, struct cursor *c)
{
	rec->m.osrelease = feature_keep(rec, feature_string(c));
}
static void read_version(struct recording *rec, struct cursor *c)
{
	rec->version = feature_keep(rec, feature_string(c));
}
static void read_arch(struct recording *rec, struct cursor *c)
{
	rec->m.arch = feature_keep(rec, feature_string(c));
}
static void read_cpudesc(struct recording *rec, struct cursor *c)
{
	rec->cpudesc = feature_keep(rec, feature_string(c));
}
static void read_cpuid(struct recording *rec, struct cursor *c)
{
	rec->cpuid = feature_keep(rec, feature_string(c));
}
static void read_nrcpus(struct recording *rec, struct cursor *c)
{
	rec->nr_cpus_avail = cursor_u32(c);
	rec->nr_cpus_online = cursor_u32(c);
}
static void read_total_mem(struct recording *rec, struct cursor *c)
{
	rec->total_mem_kb = cursor_u64(c);
}

static void read_cmdline(struct recording *rec, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	vec_clear(&rec->cmdline);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const char *word = feature_string(c);

		if (word)
			vec_add(&rec->cmdline, feature_keep(rec, word));
	}
}

static void read_event_desc(struct recording *rec, struct cursor *c)
{
	uint32_t n = cursor_u32(c), size = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const uint8_t *encoded = cursor_bytes(c, size);
		uint32_t nr_ids = cursor_u32(c);
		const char *name = feature_string(c);
		struct cursor ids = cursor_sub(c, (size_t)nr_ids * 8);
		struct event *ev;

		if (!encoded || !name || ids.bad)
			break;
		if (i < rec->m.events.events.n) {
			ev = rec->m.events.events.at[i];
			/* in a pipe an EVENT_UPDATE may have named it already */
			if (!(ev->fixed & FIXED_NAME))
				ev->name = event_name_kept(rec, name);
			if (!rec->is_pipe)
				ev->fixed |= FIXED_NAME;
		}
	}
}

static void read_group_desc(struct recording *rec, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const char *name = feature_string(c);
		uint32_t leader = cursor_u32(c), members = cursor_u32(c);
		struct event *ev;

		if (!name || c->bad || leader >= rec->m.events.events.n || !members ||
		    members > rec->m.events.events.n - leader) {
			c->bad = true;
			return;
		}
		ev = rec->m.events.events.at[leader];
		ev->members = members;
		/* the recorder's word for a group without a name */
		if (strcmp(name, "{anon_group}"))
			ev->group_name = event_name_kept(rec, name);
		for (uint32_t m = 1; m < members; m++) {
			rec->m.events.events.at[leader + m]->leader = leader;
			rec->m.events.events.at[leader + m]->members = 0;
		}
	}
}

static void read_pmu_mappings(struct recording *rec, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	vec_clear(&rec->pmus);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t type = cursor_u32(c);
		const char *name = feature_string(c);

		if (name)
			vec_add(&rec->pmus, (struct pmu_mapping){type, feature_keep(rec, name)});
	}
}

void feature_add_build_id(struct recording *rec, const struct record *r)
{
	struct build_id_entry e = {
		.pid = r->build_id.pid,
		.misc = r->header.misc,
		.size = r->build_id.build_id_size,
		.filename = feature_keep(rec, r->build_id.filename),
	};

	memcpy(e.id, r->build_id.build_id, sizeof(e.id));
	vec_add(&rec->build_ids, e);
}

/* Entries of perf before 2.6.34 have no pid: their names then seem to lack the first four bytes. */
static bool read_build_ids(struct recording *rec, struct cursor *c, bool without_pid)
{
	AUTO_BUF scratch = {0};
	struct record_decode how = {.swap = rec->m.swap, .scratch = &scratch};
	struct record r;

	vec_clear(&rec->build_ids);
	while (cursor_left(c) >= sizeof(r.header) && !c->bad) {
		struct cursor peek = *c;
		uint32_t type = cursor_u32(&peek);
		uint16_t misc = cursor_u16(&peek), size = cursor_u16(&peek);
		const uint8_t *p = cursor_bytes(c, size);
		uint8_t copy[64 + 4096] = {0};

		if (!p || size < 36 || size > sizeof(copy) - 4) {
			c->bad = true;
			break;
		}
		/* the record's type field means nothing: set it, and insert the missing pid */
		memcpy(copy, p, 8);
		memcpy(copy + (without_pid ? 12 : 8), p + 8, size - 8u);
		type = RECORD_HEADER_BUILD_ID;
		how.swap = false;
		memcpy(copy, &type, 4);
		memcpy(copy + 4, &misc, 2);
		if (rec->m.swap) {
			uint32_t pid;

			memcpy(&pid, copy + 8, 4);
			pid = __builtin_bswap32(pid);
			memcpy(copy + 8, &pid, 4);
		}
		if (record_decode(&how, copy, size + (without_pid ? 4u : 0u), &r)) {
			c->bad = true;
			break;
		}
		if (without_pid)
			r.build_id.pid = -1;
		else if (!strcmp(r.build_id.filename, "nel.kallsyms]"))
			return false;
		feature_add_build_id(rec, &r);
	}
	return true;
}

static void read_build_id(struct recording *rec, struct cursor *c)
{
	struct cursor again = *c;

	if (!read_build_ids(rec, c, false))
		read_build_ids(rec, &again, true);
}

static void read_sample_time(struct recording *rec, struct cursor *c)
{
	rec->first_sample_time = cursor_u64(c);
	rec->last_sample_time = cursor_u64(c);
}

static void read_chains(struct recording *rec, struct cursor *c)
{
	uint32_t version = cursor_u32(c), n = cursor_u32(c);

	rec->m.chains_made = true;
	for (uint32_t i = 0; version == 1 && i < n && i < UNWIND_ENDS; i++)
		rec->chain_ends[i] = cursor_u64(c);
}

static void read_clockid(struct recording *rec, struct cursor *c)
{
	rec->m.clock.res_ns = (uint32_t)cursor_u64(c);
}

static void read_clock_data(struct recording *rec, struct cursor *c)
{
	if (cursor_u32(c) != 1) /* version */
		return;
	rec->m.clock.id = cursor_u32(c);
	rec->m.clock.wall_ns = cursor_u64(c);
	rec->m.clock.clock_ns = cursor_u64(c);
}

static void read_compressed(struct recording *rec, struct cursor *c)
{
	cursor_u32(c); /* version */
	cursor_u32(c); /* type: 1 is zstd, and there is no other */
	rec->compress_level = cursor_u32(c);
	rec->compress_ratio = cursor_u32(c);
	rec->compress_mmap_len = cursor_u32(c);
}

/* A damaged payload counts as absent: what it says of addresses would be believed. */
static void read_contained(struct recording *rec, struct cursor *c)
{
	if (contained_is_sound(c->p, cursor_left(c), c->swap))
		return;
	c->bad = true;
	rec->features->at[FEATURE_CONTAINED].p = NULL;
	rec->features->at[FEATURE_CONTAINED].n = 0;
	rec->feature_bits[FEATURE_CONTAINED / 64] &= ~(1ull << FEATURE_CONTAINED % 64);
}

/*
 * The shape describes a payload's layout, to detect damage. 4 and 8 are numbers of so many bytes, s
 * is a string, m a bit map. (...) is repeated as often as the u32 before it says, [...] as often as
 * the u64 before it says. * is any rest. NULL: the layout is not checked.
 */
static const struct {
	const char *name;
	feature_reader read;
	const char *shape;
} features[] = {
	[FEATURE_TRACING_DATA] = {"TRACING_DATA", NULL, NULL},
	[FEATURE_BUILD_ID] = {"BUILD_ID", read_build_id, NULL},
	[FEATURE_HOSTNAME] = {"HOSTNAME", read_hostname, "s"},
	[FEATURE_OSRELEASE] = {"OSRELEASE", read_osrelease, "s"},
	[FEATURE_VERSION] = {"VERSION", read_version, "s"},
	[FEATURE_ARCH] = {"ARCH", read_arch, "s"},
	[FEATURE_NRCPUS] = {"NRCPUS", read_nrcpus, "44"},
	[FEATURE_CPUDESC] = {"CPUDESC", read_cpudesc, "s"},
	[FEATURE_CPUID] = {"CPUID", read_cpuid, "s"},
	[FEATURE_TOTAL_MEM] = {"TOTAL_MEM", read_total_mem, "8"},
	[FEATURE_CMDLINE] = {"CMDLINE", read_cmdline, "(s)"},
	[FEATURE_EVENT_DESC] = {"EVENT_DESC", read_event_desc, NULL},
	[FEATURE_CPU_TOPOLOGY] = {"CPU_TOPOLOGY", NULL, "(s)(s)*"},
	[FEATURE_NUMA_TOPOLOGY] = {"NUMA_TOPOLOGY", NULL, "(488s)"},
	[FEATURE_BRANCH_STACK] = {"BRANCH_STACK", NULL, ""},
	[FEATURE_PMU_MAPPINGS] = {"PMU_MAPPINGS", read_pmu_mappings, "(4s)"},
	[FEATURE_GROUP_DESC] = {"GROUP_DESC", read_group_desc, "(s44)"},
	[FEATURE_AUXTRACE] = {"AUXTRACE", NULL, NULL},
	[FEATURE_STAT] = {"STAT", NULL, ""},
	[FEATURE_CACHE] = {"CACHE", NULL, "4(4444sss)"},
	[FEATURE_SAMPLE_TIME] = {"SAMPLE_TIME", read_sample_time, "88"},
	[FEATURE_MEM_TOPOLOGY] = {"MEM_TOPOLOGY", NULL, "88[88m]"},
	[FEATURE_CLOCKID] = {"CLOCKID", read_clockid, "8"},
	[FEATURE_DIR_FORMAT] = {"DIR_FORMAT", NULL, "8"},
	[FEATURE_BPF_PROG_INFO] = {"BPF_PROG_INFO", NULL, NULL},
	[FEATURE_BPF_BTF] = {"BPF_BTF", NULL, NULL},
	[FEATURE_COMPRESSED] = {"COMPRESSED", read_compressed, "44444"},
	[FEATURE_CPU_PMU_CAPS] = {"CPU_PMU_CAPS", NULL, "(ss)"},
	[FEATURE_CLOCK_DATA] = {"CLOCK_DATA", read_clock_data, "4488"},
	[FEATURE_HYBRID_TOPOLOGY] = {"HYBRID_TOPOLOGY", NULL, "(ss)"},
	[FEATURE_PMU_CAPS] = {"PMU_CAPS", NULL, "((ss)s)"},
	[FEATURE_CPU_DOMAIN_INFO] = {"CPU_DOMAIN_INFO", NULL, NULL},
	[FEATURE_E_MACHINE] = {"E_MACHINE", NULL, NULL},
	[FEATURE_CLN_SIZE] = {"CLN_SIZE", NULL, NULL},
	[FEATURE_CHAINS] = {"CHAINS", read_chains, "4(8)"},
	[FEATURE_TIME_INDEX] = {"TIME_INDEX", NULL, NULL},
	[FEATURE_CONTAINED] = {"SELF_CONTAINED", read_contained, NULL},
};

const char *feature_name(unsigned int bit)
{
	return bit < ARRAY_SIZE(features) ? features[bit].name : NULL;
}

const uint8_t *feature_payload(const struct recording *rec, unsigned int bit, size_t *n)
{
	*n = 0;
	if (!rec->features || bit >= FEATURE_MAX)
		return NULL;
	*n = rec->features->at[bit].n;
	return rec->features->at[bit].p;
}

struct cursor feature_cursor(const struct recording *rec, unsigned int bit)
{
	struct cursor c = {.swap = rec->m.swap, .bad = true};
	size_t n;
	const uint8_t *p = feature_payload(rec, bit, &n);

	return p ? cursor_over(p, n, rec->m.swap) : c;
}

bool feature_known(unsigned int bit)
{
	return bit < ARRAY_SIZE(features) && features[bit].name;
}

static const char *shape_group_end(const char *shape)
{
	int depth = 0;

	for (;; shape++) {
		depth += (*shape == '(' || *shape == '[') - (*shape == ')' || *shape == ']');
		if (!depth)
			return shape;
	}
}

/* Reads a payload by its shape; c->bad: it does not fit. */
static void shape_walk(const char *shape, const char *end, struct cursor *c)
{
	for (; shape < end; shape++) {
		uint64_t n;

		switch (*shape) {
		case '4':
			cursor_u32(c);
			break;
		case '8':
			cursor_u64(c);
			break;
		case 's':
			feature_string(c);
			break;
		case 'm':
			n = cursor_u64(c);
			cursor_skip(c, n / 64 > cursor_left(c) ? SIZE_MAX : (n + 63) / 64 * 8);
			break;
		case '*':
			c->p = c->end;
			break;
		default:
			n = *shape == '(' ? cursor_u32(c) : cursor_u64(c);
			for (; n && !c->bad; n--)
				shape_walk(shape + 1, shape_group_end(shape), c);
			shape = shape_group_end(shape);
		}
	}
}

static bool shape_fits(const char *shape, struct cursor c)
{
	shape_walk(shape, shape + strlen(shape), &c);
	/* records are padded */
	return !c.bad && cursor_left(&c) < 8;
}

void feature_take(struct recording *rec, unsigned int bit, const uint8_t *p, size_t n,
		  uint64_t offset)
{
	struct cursor c;
	bool bad;

	if (bit >= FEATURE_MAX)
		return;
	if (!rec->features)
		rec->features = NEW(struct feature_store);
	if (!recording_bytes_stay(rec, p))
		p = arena_copy(&rec->features->arena, p, n);
	rec->features->at[bit].p = p ? p : (const uint8_t *)"";
	rec->features->at[bit].n = n;
	rec->feature_bits[bit / 64] |= 1ull << (bit % 64);
	/* some recorders write nothing where they know nothing */
	if (bit >= ARRAY_SIZE(features) || !n)
		return;
	c = cursor_over(rec->features->at[bit].p, n, rec->m.swap);
	bad = features[bit].shape && !shape_fits(features[bit].shape, c);
	if (features[bit].read)
		features[bit].read(rec, &c);
	if (bit == FEATURE_CPU_TOPOLOGY || (bit == FEATURE_NRCPUS && !rec->m.socket_of_cpu))
		recording_take_sockets(rec);
	if (bad || c.bad)
		losses_add(&rec->m.losses, LOSS_FEATURE, 1, offset);
}

void feature_store_free(struct feature_store *store)
{
	if (!store)
		return;
	arena_release(&store->arena);
	free(store);
}
