/* SPDX-License-Identifier: MIT */
/*
 * Records: what the kernel and the tools put into rings and files, decoded.
 *
 * A struct record borrows the bytes it was decoded from (strings, callchains, raw data point into
 * them, or, when a foreign byte order had to be undone, into the source's scratch buffer): it is
 * valid until the next pull from the same source.
 *
 * One table (record_kinds, record.c) has a row for each type: its name, and the list of its fields.
 * Decoding, encoding, byte swapping, sizes and the -D dump are all driven by it.
 *
 * Source: include/uapi/linux/perf_event.h for types below 64; tools/perf's perf.data-file-format
 * documentation for the types from 64 on (facts only).
 */
#ifndef DATA_RECORD_H
#define DATA_RECORD_H

#include "event/event.h"

#include <stdbool.h>
#include <stdint.h>

enum record_type {
	RECORD_MMAP = 1, RECORD_LOST, RECORD_COMM, RECORD_EXIT, RECORD_THROTTLE,
	RECORD_UNTHROTTLE, RECORD_FORK, RECORD_READ, RECORD_SAMPLE, RECORD_MMAP2, RECORD_AUX,
	RECORD_ITRACE_START, RECORD_LOST_SAMPLES, RECORD_SWITCH, RECORD_SWITCH_CPU_WIDE,
	RECORD_NAMESPACES, RECORD_KSYMBOL, RECORD_BPF_EVENT, RECORD_CGROUP, RECORD_TEXT_POKE,
	RECORD_AUX_OUTPUT_HW_ID, RECORD_CALLCHAIN_DEFERRED, RECORD_KERNEL_MAX,
	RECORD_HEADER_ATTR = 64, RECORD_HEADER_EVENT_TYPE, RECORD_HEADER_TRACING_DATA,
	RECORD_HEADER_BUILD_ID, RECORD_FINISHED_ROUND, RECORD_ID_INDEX, RECORD_AUXTRACE_INFO,
	RECORD_AUXTRACE, RECORD_AUXTRACE_ERROR, RECORD_THREAD_MAP, RECORD_CPU_MAP,
	RECORD_STAT_CONFIG, RECORD_STAT, RECORD_STAT_ROUND, RECORD_EVENT_UPDATE, RECORD_TIME_CONV,
	RECORD_HEADER_FEATURE, RECORD_COMPRESSED, RECORD_FINISHED_INIT, RECORD_COMPRESSED2,
	RECORD_BPF_METADATA, RECORD_SCHEDSTAT_CPU, RECORD_SCHEDSTAT_DOMAIN, RECORD_TOOL_MAX,
};

/* header.misc */
#define MISC_CPUMODE_MASK	7
#define MISC_CPUMODE_UNKNOWN	0
#define MISC_KERNEL		1
#define MISC_USER		2
#define MISC_HYPERVISOR		3
#define MISC_GUEST_KERNEL	4
#define MISC_GUEST_USER		5
#define MISC_PROC_MAP_TIMEOUT	(1 << 12)
#define MISC_MMAP_DATA		(1 << 13) /* MMAP */
#define MISC_COMM_EXEC		(1 << 13) /* COMM */
#define MISC_FORK_EXEC		(1 << 13) /* FORK */
#define MISC_SWITCH_OUT		(1 << 13) /* SWITCH */
#define MISC_EXACT_IP		(1 << 14) /* SAMPLE */
#define MISC_SWITCH_PREEMPT	(1 << 14) /* SWITCH out */
#define MISC_MMAP_BUILD_ID	(1 << 14) /* MMAP2 */
#define MISC_EXT_RESERVED	(1 << 15)

struct record_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
};

struct rec_mmap { /* MMAP and MMAP2 */
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;	   /* MMAP2 without a build-id */
	uint64_t ino, ino_generation;
	uint8_t build_id[20];	   /* MMAP2 with MISC_MMAP_BUILD_ID */
	uint8_t build_id_size;	   /* up to 20 */
	uint32_t prot, flags;	   /* MMAP2 */
	bool no_prot;		   /* an MMAP2 of before 3.16: it has neither prot nor flags */
	const char *filename;
};
struct rec_comm {
	uint32_t pid, tid;
	const char *comm;
};
struct rec_task { /* FORK and EXIT */
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};
struct rec_lost {
	uint64_t id, lost;
};
struct rec_lost_samples {
	uint64_t lost;
};
struct rec_throttle {
	uint64_t time, id, stream_id;
};
struct rec_aux {
	uint64_t offset, size, flags;
};
struct rec_itrace_start {
	uint32_t pid, tid;
};
struct rec_switch { /* SWITCH_CPU_WIDE has both, SWITCH none */
	uint32_t next_prev_pid, next_prev_tid;
};
struct rec_namespaces {
	uint32_t pid, tid;
	uint64_t nr;
	const void *links; /* nr times { u64 dev, u64 ino }, this machine's order */
};
struct rec_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type, flags; /* flag 1: unregister */
	const char *name;
};
struct rec_bpf_event {
	uint16_t type, flags;
	uint32_t id;
	uint8_t tag[8];
};
struct rec_cgroup {
	uint64_t id;
	const char *path;
};
struct rec_text_poke {
	uint64_t addr;
	uint16_t old_len, new_len;
	const uint8_t *bytes; /* old then new */
};
struct rec_aux_output_hw_id {
	uint64_t hw_id;
};
struct rec_callchain_deferred {
	uint64_t cookie, nr;
	const uint64_t *ips;
};
struct rec_blob { /* tool records whose payload the users decode */
	const uint8_t *bytes; /* after the header, as in the file (foreign order not undone) */
	uint64_t size;
	uint64_t following; /* AUXTRACE, TRACING_DATA: bytes that follow the record in the file */
	const uint8_t *follows; /* those bytes; NULL: not read (see source_keep_following), or cut
				 * off */
};
enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME, UPDATE_CPUS };
struct rec_event_update {
	uint64_t kind; /* UPDATE_* */
	uint64_t id;
	const uint8_t *bytes;
	uint64_t size;
};
struct rec_stat { /* what a counter held */
	uint64_t id;
	uint32_t cpu, thread; /* cpu ~0: bound to none; thread: its place in the THREAD_MAP */
	uint64_t value, enabled, running;
};
struct rec_stat_round { /* ends the STAT records of one interval, or of all */
	uint64_t type;	/* 0 interval, 1 final */
	uint64_t time;	/* ns since the start */
};
struct rec_stat_config {
	uint64_t nr;
	const uint64_t *pairs; /* nr times { tag, value }: STAT_CONFIG_* */
};
#define STAT_CONFIG_AGGR     0 /* how it was shown: STAT_AGGR_* */
#define STAT_CONFIG_INTERVAL 1 /* ms */
#define STAT_CONFIG_SCALE    2
#define STAT_CONFIG_LEVEL    3 /* of caches; since perf 6.5 */
/* The numbers of perf up to 6.4; later ones moved: stat_rounds.c. The last two have none. */
enum {
	STAT_AGGR_NONE,
	STAT_AGGR_GLOBAL,
	STAT_AGGR_SOCKET,
	STAT_AGGR_DIE,
	STAT_AGGR_CORE,
	STAT_AGGR_THREAD,
	STAT_AGGR_UNSET,
	STAT_AGGR_NODE,
	STAT_AGGR_CLUSTER = 100,
	STAT_AGGR_CACHE
};
struct rec_thread_map {
	uint64_t nr;
	const uint8_t *bytes; /* nr times { u64 tid, char comm[16] }, as in the file */
	uint64_t size;
};
struct rec_header_feature {
	uint64_t feature;
	const uint8_t *bytes;
	uint64_t size;
};
struct rec_build_id {
	int32_t pid;
	uint8_t build_id[20];
	uint8_t build_id_size;
	const char *filename;
};

/* One counter's value in a READ record or a sample's SAMPLE_READ part. */
struct read_value {
	uint64_t value, id, lost;
};
struct sample_read {
	uint64_t format; /* READ_* */
	uint64_t time_enabled, time_running;
	uint64_t nr;
	const uint64_t *values; /* nr entries of .stride words: value, [id], [lost] */
	uint32_t stride;
};
struct rec_read {
	uint32_t pid, tid;
	struct sample_read read;
};

struct branch_entry {
	uint64_t from, to;
	uint64_t flags; /* bit 0 mispred, 1 predicted, 2 in_tx, 3 abort, 4-19 cycles, 20-23 type,
			 * 24-25 spec, 26-29 new_type, 30-32 priv; this order whatever the file's */
};
#define BRANCH_PREDICTED (1ull << 1)
static inline uint16_t branch_cycles(uint64_t flags)
{
	return (uint16_t)(flags >> 4);
}
struct sample_regs {
	uint64_t abi;  /* 0 none, 1 32 bit, 2 64 bit */
	uint64_t mask; /* from the attribute */
	const uint64_t *regs; /* popcount(mask) values */
};

struct sample {
	uint64_t type; /* SAMPLE_* that this sample has */
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, addr, id, stream_id;
	uint32_t cpu;
	uint64_t period; /* the event's fixed period when the sample has none */
	struct sample_read read;
	uint64_t callchain_nr;
	const uint64_t *callchain; /* contexts included */
	uint32_t raw_size;
	const uint8_t *raw; /* not swapped */
	uint64_t branch_nr, branch_hw_idx;
	bool branch_has_hw_idx;
	const struct branch_entry *branches; /* aligned or not: copy out with memcpy */
	const uint64_t *branch_counters;     /* or NULL */
	struct sample_regs user_regs, intr_regs;
	uint64_t user_stack_size, user_stack_dyn; /* dumped, and valid of it */
	const uint8_t *user_stack;
	uint64_t weight; /* with SAMPLE_WEIGHT; with WEIGHT_STRUCT the three below */
	uint32_t weight1;
	uint16_t weight2, weight3; /* ins_lat, p_stage_cyc / retire_lat */
	uint64_t data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	uint64_t aux_size;
	const uint8_t *aux;
};

/* The id fields of a record: from the trailer that sample_id_all adds, or from a sample's own
 * fields. */
struct record_id {
	uint64_t has; /* SAMPLE_TID, _TIME, _ID, _STREAM_ID, _CPU as far as known */
	uint32_t pid, tid;
	uint64_t time, id, stream_id;
	uint32_t cpu;
};

struct record {
	struct record_header header; /* this machine's order */
	uint64_t offset;  /* of the header in the file; in decompressed data that of its chunk */
	uint32_t part;	 /* of a directory: 0 is "data", n is "data.<n - 1>" */
	uint64_t seq;	  /* 0, 1, ... in file order */
	const uint8_t *bytes; /* the whole record, header included, as in the file */
	uint16_t text_room; /* bytes that its string took, padding included; 0 for another string */
	bool excess;	      /* it is longer than its contents: its type is probably wrong */
	struct event *event;  /* the event that it belongs to, or NULL when that isn't known */
	struct record_id id;
	union {
		struct rec_mmap mmap;
		struct rec_comm comm;
		struct rec_task task;
		struct rec_lost lost;
		struct rec_lost_samples lost_samples;
		struct rec_throttle throttle;
		struct rec_read read;
		struct sample sample;
		struct rec_aux aux;
		struct rec_itrace_start itrace_start;
		struct rec_switch context_switch;
		struct rec_namespaces namespaces;
		struct rec_ksymbol ksymbol;
		struct rec_bpf_event bpf_event;
		struct rec_cgroup cgroup;
		struct rec_text_poke text_poke;
		struct rec_aux_output_hw_id aux_output_hw_id;
		struct rec_callchain_deferred callchain_deferred;
		struct rec_event_update event_update;
		struct rec_stat stat;
		struct rec_stat_round stat_round;
		struct rec_stat_config stat_config;
		struct rec_thread_map thread_map;
		struct rec_header_feature feature;
		struct rec_build_id build_id;
		struct rec_blob blob;
	};
};

/* The cpumode of the addresses that follow a context word of a call chain; 0: not a context word of
 * call chains. */
uint8_t chain_context_mode(uint64_t word);

/* A walk over the n words of a call chain, which are borrowed. mode: that of the address given
 * last; MISC_CPUMODE_UNKNOWN before the first context word. */
struct raw_chain {
	const uint64_t *words;
	uint64_t n, at;
	uint8_t mode;
};
/* The next address. False at the end of the chain, or where it goes on in another record. */
bool raw_chain_next(struct raw_chain *w, uint64_t *ip);

/* "MMAP2", "SAMPLE", ... as `report -D` names them ("PERF_RECORD_" not included); NULL: unknown. */
const char *record_type_name(uint32_t type);

/*
 * How to decode: filled by the caller once a thread; all-zero is valid and means a recording
 * without events. scratch (needed) takes what must be swapped or aligned, and is emptied by each
 * call.
 */
struct record_decode {
	bool swap;
	bool sample_id_all;
	struct buf *scratch;
	const struct event_set *events;
};
/*
 * Decodes one record of size bytes at p, of any alignment. Returns 0, or -1 when it is too short
 * for its fields, or is a sample of no known event (r then has only header, bytes, event). Sets
 * neither offset nor seq.
 */
int record_decode(const struct record_decode *how, const void *p, size_t size, struct record *r);

/* The event that a raw record belongs to, from its id fields; NULL when none matches. The offset of
 * the id is that of the first event: it must be the same for all events of a recording. An id of
 * zero (in records made by the recorder itself) means the first event. */
struct event *record_event(const struct record_decode *how, const void *p, size_t size);

/* The time of a raw record without decoding the rest: false when it has none (or it is 0 or ~0,
 * which the tools use for "none"). */
bool record_raw_time(const struct record_decode *how, const void *p, size_t size, uint64_t *time);

/* The smallest size of a record of this type, header included, trailer not; 0: type unknown. */
uint32_t record_min_size(uint32_t type);

/*
 * Encodes r in this machine's order, id trailer included when trailer_type (an attribute's
 * sample_type) has any of its fields and sample_id_all is set. Appends to out; sets header.size.
 * A record decoded from a well-formed file encodes to the same bytes.
 * Returns 0, or -1 when it would not fit 64 KiB.
 */
int record_encode(const struct record *r, uint64_t trailer_type, bool sample_id_all,
		  struct buf *out);

#endif
