// SPDX-License-Identifier: MIT
#include "data/record/record_table.h"

#include <stddef.h>

#define AT(member)   offsetof(struct record, member)
#define U16(member)  {FIELD_U16, AT(member)}
#define U32(member)  {FIELD_U32, AT(member)}
#define U64(member)  {FIELD_U64, AT(member)}
#define TEXT(member) {FIELD_TEXT, AT(member)}
#define FIELDS(name) static const struct record_field name[]

FIELDS(mmap_fields) = {U32(mmap.pid), U32(mmap.tid), U64(mmap.addr), U64(mmap.len),
		       U64(mmap.pgoff), TEXT(mmap.filename), {0}};
FIELDS(mmap2_fields) = {
	U32(mmap.pid),
	U32(mmap.tid),
	U64(mmap.addr),
	U64(mmap.len),
	U64(mmap.pgoff),
	{FIELD_U32, AT(mmap.maj), .unless = MISC_MMAP_BUILD_ID},
	{FIELD_U32, AT(mmap.min), .unless = MISC_MMAP_BUILD_ID},
	{FIELD_U64, AT(mmap.ino), .unless = MISC_MMAP_BUILD_ID},
	{FIELD_U64, AT(mmap.ino_generation), .unless = MISC_MMAP_BUILD_ID},
	{FIELD_U8, AT(mmap.build_id_size), .when = MISC_MMAP_BUILD_ID},
	{FIELD_PAD, .arg = 3, .when = MISC_MMAP_BUILD_ID},
	{FIELD_BYTES, AT(mmap.build_id), .arg = 20, .when = MISC_MMAP_BUILD_ID},
	{FIELD_U32, AT(mmap.prot), .newer = true},
	{FIELD_U32, AT(mmap.flags), .newer = true},
	TEXT(mmap.filename),
	{0},
};
FIELDS(lost_fields) = {U64(lost.id), U64(lost.lost), {0}};
FIELDS(comm_fields) = {U32(comm.pid), U32(comm.tid), TEXT(comm.comm), {0}};
FIELDS(task_fields) = {U32(task.pid), U32(task.ppid), U32(task.tid),
		       U32(task.ptid), U64(task.time), {0}};
FIELDS(throttle_fields) = {U64(throttle.time), U64(throttle.id), U64(throttle.stream_id), {0}};
FIELDS(read_fields) = {U32(read.pid), U32(read.tid), {FIELD_READ, AT(read.read)}, {0}};
FIELDS(sample_fields) = {{FIELD_SAMPLE, AT(sample)}, {0}};
FIELDS(aux_fields) = {U64(aux.offset), U64(aux.size), U64(aux.flags), {0}};
FIELDS(itrace_start_fields) = {U32(itrace_start.pid), U32(itrace_start.tid), {0}};
FIELDS(lost_samples_fields) = {U64(lost_samples.lost), {0}};
FIELDS(no_fields) = {{0}};
FIELDS(switch_cpu_wide_fields) = {U32(context_switch.next_prev_pid),
				  U32(context_switch.next_prev_tid), {0}};
FIELDS(namespaces_fields) = {
	U32(namespaces.pid),
	U32(namespaces.tid),
	U64(namespaces.nr),
	{FIELD_WORDS, AT(namespaces.links), .arg = AT(namespaces.nr), .each = 2},
	{0},
};
FIELDS(ksymbol_fields) = {U64(ksymbol.addr), U32(ksymbol.len), U16(ksymbol.ksym_type),
			  U16(ksymbol.flags), TEXT(ksymbol.name), {0}};
FIELDS(bpf_event_fields) = {U16(bpf_event.type), U16(bpf_event.flags), U32(bpf_event.id),
			    {FIELD_BYTES, AT(bpf_event.tag), .arg = 8}, {0}};
FIELDS(cgroup_fields) = {U64(cgroup.id), TEXT(cgroup.path), {0}};
FIELDS(text_poke_fields) = {U64(text_poke.addr), U16(text_poke.old_len), U16(text_poke.new_len),
			    {FIELD_POKE, AT(text_poke.bytes)}, {0}};
FIELDS(aux_output_hw_id_fields) = {U64(aux_output_hw_id.hw_id), {0}};
FIELDS(callchain_deferred_fields) = {
	U64(callchain_deferred.cookie),
	U64(callchain_deferred.nr),
	{FIELD_WORDS, AT(callchain_deferred.ips), .arg = AT(callchain_deferred.nr), .each = 1},
	{0},
};
FIELDS(blob_fields) = {{FIELD_REST, AT(blob.bytes), .arg = AT(blob.size)}, {0}};
FIELDS(event_update_fields) = {
	U64(event_update.kind),
	U64(event_update.id),
	{FIELD_REST, AT(event_update.bytes), .arg = AT(event_update.size)},
	{0},
};
FIELDS(stat_fields) = {U64(stat.id),	  U32(stat.cpu),     U32(stat.thread),
		       U64(stat.value), U64(stat.enabled), U64(stat.running),
		       {0}};
FIELDS(stat_round_fields) = {U64(stat_round.type), U64(stat_round.time), {0}};
FIELDS(stat_config_fields) = {
	U64(stat_config.nr),
	{FIELD_WORDS, AT(stat_config.pairs), .arg = AT(stat_config.nr), .each = 2},
	{0},
};
FIELDS(thread_map_fields) = {
	U64(thread_map.nr),
	{FIELD_REST, AT(thread_map.bytes), .arg = AT(thread_map.size)},
	{0},
};
FIELDS(feature_fields) = {U64(feature.feature),
			  {FIELD_REST, AT(feature.bytes), .arg = AT(feature.size)}, {0}};
FIELDS(build_id_fields) = {U32(build_id.pid), {FIELD_BUILD_ID, AT(build_id.build_id)},
			   TEXT(build_id.filename), {0}};

#define KERNEL(type, its_fields) [RECORD_##type] = {#type, its_fields, false}
#define TOOL(type, its_fields)	  [RECORD_##type] = {#type, its_fields, true}
#define TOOL_AS(type, name, its_fields) [RECORD_##type] = {name, its_fields, true}

static const struct record_kind record_kinds[] = {
	KERNEL(MMAP, mmap_fields),
	KERNEL(LOST, lost_fields),
	KERNEL(COMM, comm_fields),
	KERNEL(EXIT, task_fields),
	KERNEL(THROTTLE, throttle_fields),
	KERNEL(UNTHROTTLE, throttle_fields),
	KERNEL(FORK, task_fields),
	KERNEL(READ, read_fields),
	TOOL(SAMPLE, sample_fields),
	KERNEL(MMAP2, mmap2_fields),
	KERNEL(AUX, aux_fields),
	KERNEL(ITRACE_START, itrace_start_fields),
	KERNEL(LOST_SAMPLES, lost_samples_fields),
	KERNEL(SWITCH, no_fields),
	KERNEL(SWITCH_CPU_WIDE, switch_cpu_wide_fields),
	KERNEL(NAMESPACES, namespaces_fields),
	KERNEL(KSYMBOL, ksymbol_fields),
	KERNEL(BPF_EVENT, bpf_event_fields),
	KERNEL(CGROUP, cgroup_fields),
	KERNEL(TEXT_POKE, text_poke_fields),
	KERNEL(AUX_OUTPUT_HW_ID, aux_output_hw_id_fields),
	KERNEL(CALLCHAIN_DEFERRED, callchain_deferred_fields),
	TOOL_AS(HEADER_ATTR, "ATTR", blob_fields),
	TOOL_AS(HEADER_EVENT_TYPE, "EVENT_TYPE", blob_fields),
	TOOL_AS(HEADER_TRACING_DATA, "TRACING_DATA", blob_fields),
	TOOL_AS(HEADER_BUILD_ID, "BUILD_ID", build_id_fields),
	TOOL(FINISHED_ROUND, blob_fields),
	TOOL(ID_INDEX, blob_fields),
	TOOL(AUXTRACE_INFO, blob_fields),
	TOOL(AUXTRACE, blob_fields),
	TOOL(AUXTRACE_ERROR, blob_fields),
	TOOL(THREAD_MAP, thread_map_fields),
	TOOL(CPU_MAP, blob_fields),
	TOOL(STAT_CONFIG, stat_config_fields),
	TOOL(STAT, stat_fields),
	TOOL(STAT_ROUND, stat_round_fields),
	TOOL(EVENT_UPDATE, event_update_fields),
	TOOL(TIME_CONV, blob_fields),
	TOOL_AS(HEADER_FEATURE, "FEATURE", feature_fields),
	TOOL(COMPRESSED, blob_fields),
	TOOL(FINISHED_INIT, blob_fields),
	TOOL(COMPRESSED2, blob_fields),
	TOOL(BPF_METADATA, blob_fields),
	TOOL(SCHEDSTAT_CPU, blob_fields),
	TOOL(SCHEDSTAT_DOMAIN, blob_fields),
};

const struct record_kind *record_kind(uint32_t type)
{
	if (type >= ARRAY_SIZE(record_kinds) || !record_kinds[type].name)
		return NULL;
	return &record_kinds[type];
}

const char *record_type_name(uint32_t type)
{
	const struct record_kind *kind = record_kind(type);

	return kind ? kind->name : NULL;
}

uint32_t record_min_size(uint32_t type)
{
	const struct record_kind *kind = record_kind(type);
	uint32_t size = sizeof(struct record_header);

	if (!kind)
		return 0;
	for (const struct record_field *f = kind->fields; f->kind; f++) {
		switch (f->kind) {
		case FIELD_U8:
			size += f->when ? 0 : 1;
			break;
		case FIELD_U16:
			size += 2;
			break;
		case FIELD_U32:
			size += 4;
			break;
		case FIELD_U64:
		case FIELD_TEXT:
			size += 8;
			break;
		case FIELD_PAD:
		case FIELD_BYTES:
			size += f->when ? 0 : f->arg;
			break;
		case FIELD_BUILD_ID:
			size += 24;
			break;
		default:
			break;
		}
	}
	return size;
}

#define TRAILER_BITS                                                                               \
	(SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_IDENTIFIER)

/* Counts the bits of a sample type. Called several times a record; few bits are set. The compiler's
 * builtin would be a call into its library. */
static unsigned int words(uint64_t bits)
{
	unsigned int n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

static uint64_t load_u64(const uint8_t *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

static struct record_header load_header(const uint8_t *p, bool swap)
{
	struct record_header h;

	memcpy(&h, p, sizeof(h));
	if (swap) {
		h.type = __builtin_bswap32(h.type);
		h.misc = __builtin_bswap16(h.misc);
		h.size = __builtin_bswap16(h.size);
	}
	return h;
}

static bool has_trailer(const struct record_decode *how, uint32_t type)
{
	return how->sample_id_all && type < RECORD_KERNEL_MAX && type != RECORD_SAMPLE;
}

/* The bytes of a record before its trailer, by its fields. 0: they don't tell, or its type is none
 * of those below. */
static size_t told_length(const uint8_t *p, size_t size, uint32_t type, bool swap)
{
	enum { BPF_EVENT = 24, KSYMBOL_NAME = 24, POKE_LENGTHS = 16, POKE_BYTES = 20 };
	struct cursor c = cursor_over(p, size, swap);
	const uint8_t *end;
	size_t n;

	switch (type) {
	case RECORD_BPF_EVENT:
		n = BPF_EVENT;
		break;
	case RECORD_KSYMBOL:
		end = size > KSYMBOL_NAME ? memchr(p + KSYMBOL_NAME, 0, size - KSYMBOL_NAME) : NULL;
		n = end ? (size_t)(end + 1 - p) : 0;
		break;
	case RECORD_TEXT_POKE:
		cursor_skip(&c, POKE_LENGTHS);
		n = cursor_u16(&c);
		n += POKE_BYTES + cursor_u16(&c);
		break;
	default:
		n = 0;
	}
	return (n + 7) & ~(size_t)7;
}

/*
 * The size of a record up to the end of its trailer. The kernel (6.18 as well as those before)
 * makes one KSYMBOL, BPF_EVENT or TEXT_POKE for all events that take it and adds the size of each
 * one's trailer to it: that of the second recorder on a CPU is a trailer too long. Behind its own
 * trailer is whatever was in the ring.
 */
static size_t size_to_trailer(const struct record_decode *how, const uint8_t *p, size_t size,
			      uint32_t type)
{
	size_t end = told_length(p, size, type, how->swap);

	if (!end || !how->events || !how->events->events.n)
		return size;
	end += 8 * words(how->events->events.at[0]->attr.sample_type & TRAILER_BITS);
	return end < size ? end : size;
}

/* Reads the word of a sample or trailer that comes after those of the fields in before. False when
 * size is too small. */
static bool word_of_sample(const uint8_t *p, size_t size, uint64_t before, bool swap, uint64_t *v)
{
	size_t at = sizeof(struct record_header) + 8 * words(before);

	if (at + 8 > size)
		return false;
	*v = load_u64(p + at, swap);
	return true;
}

static bool word_of_trailer(const uint8_t *p, size_t size, uint64_t after, bool swap, uint64_t *v)
{
	size_t from_end = 8 * (words(after) + 1);

	if (from_end + sizeof(struct record_header) > size)
		return false;
	*v = load_u64(p + size - from_end, swap);
	return true;
}

struct event *record_event(const struct record_decode *how, const void *p, size_t size)
{
	const struct event_set *set = how->events;
	struct event *first;
	uint64_t type, id;
	bool found;
	struct record_header h;

	if (!set || !set->events.n || size < sizeof(h))
		return NULL;
	first = set->events.at[0];
	if (set->events.n == 1)
		return first;
	h = load_header(p, how->swap);
	if (h.type != RECORD_SAMPLE && !has_trailer(how, h.type))
		return first;
	size = size_to_trailer(how, p, size, h.type);
	type = first->attr.sample_type;
	if (!(type & (SAMPLE_ID | SAMPLE_IDENTIFIER)))
		return NULL;
	if (h.type == RECORD_SAMPLE)
		found = word_of_sample(
			p, size,
			type & SAMPLE_IDENTIFIER
				? 0
				: type & (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR),
			how->swap, &id);
	else
		found = word_of_trailer(p, size,
					type & SAMPLE_IDENTIFIER
						? 0
						: type & (SAMPLE_STREAM_ID | SAMPLE_CPU),
					how->swap, &id);
	if (!found)
		return NULL;
	return id ? event_set_find_id(set, id) : first;
}

bool record_raw_time(const struct record_decode *how, const void *p, size_t size, uint64_t *time)
{
	const struct event *ev;
	struct record_header h;
	uint64_t type;
	bool found;

	if (size < sizeof(h))
		return false;
	h = load_header(p, how->swap);
	if (h.type >= RECORD_HEADER_ATTR)
		return false;
	ev = record_event(how, p, size);
	/* a record with a damaged identifier has its trailer decoded as the first event's */
	if (!ev && h.type != RECORD_SAMPLE && how->events && how->events->events.n)
		ev = how->events->events.at[0];
	if (!ev || !(ev->attr.sample_type & SAMPLE_TIME))
		return false;
	type = ev->attr.sample_type;
	size = size_to_trailer(how, p, size, h.type);
	if (h.type == RECORD_SAMPLE)
		found = word_of_sample(p, size, type & (SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID),
				       how->swap, time);
	else
		found = has_trailer(how, h.type) &&
			word_of_trailer(p, size,
					type & (SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU |
						SAMPLE_IDENTIFIER),
					how->swap, time);
	return found && *time && *time != UINT64_MAX;
}

static void decode_trailer(struct cursor c, uint64_t type, struct record_id *id)
{
	id->has = type & (SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU);
	if (type & SAMPLE_TID) {
		id->pid = cursor_u32(&c);
		id->tid = cursor_u32(&c);
	}
	if (type & SAMPLE_TIME)
		id->time = cursor_u64(&c);
	if (type & SAMPLE_ID)
		id->id = cursor_u64(&c);
	if (type & SAMPLE_STREAM_ID)
		id->stream_id = cursor_u64(&c);
	if (type & SAMPLE_CPU) {
		id->cpu = cursor_u32(&c);
		cursor_skip(&c, 4);
	}
	if (type & SAMPLE_IDENTIFIER) {
		id->id = cursor_u64(&c);
		id->has |= SAMPLE_ID;
	}
}

static void decode_build_id(struct cursor *c, struct record *r)
{
	const uint8_t *p = cursor_bytes(c, 24);
	size_t n = 20;

	if (!p)
		return;
	/* before perf 5.11 the size was not written: a build-id was taken to be 20 bytes */
	if (r->header.misc & MISC_EXT_RESERVED && p[20] && p[20] <= 20)
		n = p[20];
	memcpy(r->build_id.build_id, p, 20);
	r->build_id.build_id_size = (uint8_t)n;
}

static void decode_field(const struct record_field *f, struct cursor *c, struct buf *scratch,
			 struct record *r)
{
	uint8_t *to = (uint8_t *)r + f->at;
	uint64_t n;

	switch (f->kind) {
	case FIELD_U8:
		*to = cursor_u8(c);
		break;
	case FIELD_U16:
		*(uint16_t *)to = cursor_u16(c);
		break;
	case FIELD_U32:
		*(uint32_t *)to = cursor_u32(c);
		break;
	case FIELD_U64:
		*(uint64_t *)to = cursor_u64(c);
		break;
	case FIELD_PAD:
		cursor_skip(c, f->arg);
		break;
	case FIELD_BYTES: {
		const void *p = cursor_bytes(c, f->arg);

		if (p)
			memcpy(to, p, f->arg);
		break;
	}
	case FIELD_TEXT:
		r->text_room = (uint16_t)cursor_left(c);
		*(const char **)to = cursor_str(c, cursor_left(c));
		break;
	case FIELD_WORDS:
		n = *(uint64_t *)((uint8_t *)r + f->arg);
		if (n > UINT16_MAX)
			c->bad = true;
		else
			*(const uint64_t **)to = sample_words(c, n * f->each, scratch);
		break;
	case FIELD_POKE:
		*(const uint8_t **)to =
			cursor_bytes(c, (size_t)r->text_poke.old_len + r->text_poke.new_len);
		break;
	case FIELD_READ:
		if (!r->event)
			c->bad = true;
		else
			sample_read_decode(c, r->event->attr.read_format, scratch, &r->read.read);
		break;
	case FIELD_SAMPLE:
		if (!r->event)
			c->bad = true;
		else if (!sample_decode(c, r->event, scratch, &r->sample))
			sample_record_id(&r->sample, &r->id);
		break;
	case FIELD_REST:
		*(uint64_t *)((uint8_t *)r + f->arg) = cursor_left(c);
		*(const uint8_t **)to = cursor_bytes(c, cursor_left(c));
		break;
	case FIELD_BUILD_ID:
		decode_build_id(c, r);
		break;
	case FIELD_END:
		break;
	}
}

/*
 * The first MMAP2 (Linux 3.12, and 3.10 of RHEL 7) had the file name where prot and flags are now:
 * no protection has bits where a name's third character would be.
 */
static bool mmap2_is_old(const struct cursor *c, const struct record *r)
{
	struct cursor at = *c;

	if (r->header.misc & MISC_MMAP_BUILD_ID)
		return false;
	cursor_skip(&at, 56);
	return cursor_u32(&at) > UINT16_MAX;
}

/*
 * True when the record is marked as having a build-id but has device and inode in its place. While
 * one recorder asks for build-ids, the kernel marks the records of all recorders. The size is then
 * too large, or there are more bytes than it says.
 */
static bool is_mark_alone(const uint8_t *p, size_t size)
{
	enum { ID_SIZE = 40, ID = 44, LONGEST = 20 };

	if (size < ID + LONGEST || p[ID_SIZE] > LONGEST)
		return true;
	for (size_t i = p[ID_SIZE]; i < LONGEST; i++)
		if (p[ID + i])
			return true;
	return false;
}

/*
 * Zeroes by a call of memset with a size that the compiler does not know. For a known size it uses
 * one instruction that takes longer to start than all else about a sample.
 */
static void clear(void *p, size_t n)
{
	__asm__("" : "+r"(n));
	memset(p, 0, n);
}

int record_decode(const struct record_decode *how, const void *p, size_t size, struct record *r)
{
	const struct record_kind *kind;
	const struct record_field *f;
	struct cursor c = cursor_over(p, size, how->swap);

	clear(r, offsetof(struct record, mmap));
	r->bytes = p;
	if (size < sizeof(r->header))
		return -1;
	r->header = load_header(p, how->swap);
	c.p += sizeof(r->header);
	if (r->header.type == RECORD_MMAP2 && r->header.misc & MISC_MMAP_BUILD_ID &&
	    is_mark_alone(p, size))
		r->header.misc &= (uint16_t)~MISC_MMAP_BUILD_ID;
	kind = record_kind(r->header.type);
	buf_clear(how->scratch);
	if (!kind) {
		r->blob = (struct rec_blob){.bytes = c.p, .size = cursor_left(&c)};
		return 0;
	}
	if (kind->no_trailer && r->header.type != RECORD_SAMPLE) {
		clear(&r->mmap, sizeof(*r) - offsetof(struct record, mmap));
	} else {
		/* swapped and aligned copies never need more than the record itself, but for
		 * branch flags, read values and words of alignment */
		buf_reserve(how->scratch, size + 64);
		r->event = record_event(how, p, size);
		clear(&r->mmap,
		      r->header.type == RECORD_SAMPLE ? sizeof(r->sample) : sizeof(r->mmap));
	}
	if (has_trailer(how, r->header.type) && how->events && how->events->events.n) {
		const struct event *ev = r->event ? r->event : how->events->events.at[0];
		uint64_t type = ev->attr.sample_type & TRAILER_BITS;
		size_t n = 8 * words(type);

		c.end = r->bytes + size_to_trailer(how, p, size, r->header.type);
		if (n > cursor_left(&c))
			return -1;
		c.end -= n;
		decode_trailer(cursor_over(c.end, n, how->swap), type, &r->id);
	}
	if (r->header.type == RECORD_MMAP2)
		r->mmap.no_prot = mmap2_is_old(&c, r);
	for (f = kind->fields; f->kind && !c.bad; f++)
		if (record_has_field(r, f))
			decode_field(f, &c, how->scratch, r);
	if (r->header.type < RECORD_HEADER_ATTR && !r->text_room)
		r->excess = cursor_left(&c) >= 8;
	return c.bad ? -1 : 0;
}
