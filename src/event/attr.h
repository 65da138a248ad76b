/* SPDX-License-Identifier: MIT */
/*
 * The kernel's description of one event: struct perf_event_attr of <linux/perf_event.h>, kept as
 * our own type so that recordings of newer kernels can be read on older headers.
 *
 * Always held in this machine's byte order and in full: fields that a shorter ABI version lacks are
 * zero. The 40 one-bit flags (and the two-bit precise_ip) are one word, bit i of it being the i-th
 * bit field of the kernel's definition on a little-endian machine.
 *
 * Source: include/uapi/linux/perf_event.h (the syscall ABI) up to Linux 6.19.
 */
#ifndef EVENT_ATTR_H
#define EVENT_ATTR_H

#include <stdbool.h>
#include <stdint.h>

struct attr {
	uint32_t type;
	uint32_t size; /* as found in the file, or as it will be passed to the kernel */
	uint64_t config;
	union {
		uint64_t sample_period;
		uint64_t sample_freq; /* with ATTR_FREQ */
	};
	uint64_t sample_type; /* SAMPLE_* */
	uint64_t read_format; /* READ_* */
	uint64_t flags;	      /* ATTR_* */
	union {
		uint32_t wakeup_events;
		uint32_t wakeup_watermark; /* with ATTR_WATERMARK, bytes */
	};
	uint32_t bp_type;
	uint64_t config1; /* or bp_addr, kprobe_func, uprobe_path */
	uint64_t config2; /* or bp_len, kprobe_addr, probe_offset */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user; /* bytes */
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size;
	uint32_t aux_action; /* bit 0 start paused, 1 pause, 2 resume */
	uint64_t sig_data;
	uint64_t config3;
	uint64_t config4;
};
_Static_assert(sizeof(struct attr) == 144, "the ABI's size");

#define ATTR_SIZE_VER0 64
#define ATTR_SIZE_6_1  128 /* the longest that perf 6.1 reads */

enum attr_type {
	TYPE_HARDWARE,
	TYPE_SOFTWARE,
	TYPE_TRACEPOINT,
	TYPE_HW_CACHE,
	TYPE_RAW,
	TYPE_BREAKPOINT,
	TYPE_MAX
};

#define ATTR_DISABLED		      (1ull << 0)
#define ATTR_INHERIT		      (1ull << 1)
#define ATTR_PINNED		      (1ull << 2)
#define ATTR_EXCLUSIVE		      (1ull << 3)
#define ATTR_EXCLUDE_USER	      (1ull << 4)
#define ATTR_EXCLUDE_KERNEL	      (1ull << 5)
#define ATTR_EXCLUDE_HV		      (1ull << 6)
#define ATTR_EXCLUDE_IDLE	      (1ull << 7)
#define ATTR_MMAP		      (1ull << 8)
#define ATTR_COMM		      (1ull << 9)
#define ATTR_FREQ		      (1ull << 10)
#define ATTR_INHERIT_STAT	      (1ull << 11)
#define ATTR_ENABLE_ON_EXEC	      (1ull << 12)
#define ATTR_TASK		      (1ull << 13)
#define ATTR_WATERMARK		      (1ull << 14)
#define ATTR_PRECISE_SHIFT	      15
#define ATTR_PRECISE_MASK	      (3ull << 15)
#define ATTR_MMAP_DATA		      (1ull << 17)
#define ATTR_SAMPLE_ID_ALL	      (1ull << 18)
#define ATTR_EXCLUDE_HOST	      (1ull << 19)
#define ATTR_EXCLUDE_GUEST	      (1ull << 20)
#define ATTR_EXCLUDE_CALLCHAIN_KERNEL (1ull << 21)
#define ATTR_EXCLUDE_CALLCHAIN_USER   (1ull << 22)
#define ATTR_MMAP2		      (1ull << 23)
#define ATTR_COMM_EXEC		      (1ull << 24)
#define ATTR_USE_CLOCKID	      (1ull << 25)
#define ATTR_CONTEXT_SWITCH	      (1ull << 26)
#define ATTR_WRITE_BACKWARD	      (1ull << 27)
#define ATTR_NAMESPACES		      (1ull << 28)
#define ATTR_KSYMBOL		      (1ull << 29)
#define ATTR_BPF_EVENT		      (1ull << 30)
#define ATTR_AUX_OUTPUT		      (1ull << 31)
#define ATTR_CGROUP		      (1ull << 32)
#define ATTR_TEXT_POKE		      (1ull << 33)
#define ATTR_BUILD_ID		      (1ull << 34)
#define ATTR_INHERIT_THREAD	      (1ull << 35)
#define ATTR_REMOVE_ON_EXEC	      (1ull << 36)
#define ATTR_SIGTRAP		      (1ull << 37)
#define ATTR_DEFER_CALLCHAIN	      (1ull << 38)
#define ATTR_DEFER_OUTPUT	      (1ull << 39)

/* True when each occurrence of the event is recorded: no period or frequency leaves some out. */
static inline bool attr_records_each(const struct attr *a)
{
	return !(a->flags & ATTR_FREQ) && a->sample_period <= 1;
}

/* sample_type */
#define SAMPLE_IP	      (1ull << 0)
#define SAMPLE_TID	      (1ull << 1)
#define SAMPLE_TIME	      (1ull << 2)
#define SAMPLE_ADDR	      (1ull << 3)
#define SAMPLE_READ	      (1ull << 4)
#define SAMPLE_CALLCHAIN      (1ull << 5)
#define SAMPLE_ID	      (1ull << 6)
#define SAMPLE_CPU	      (1ull << 7)
#define SAMPLE_PERIOD	      (1ull << 8)
#define SAMPLE_STREAM_ID      (1ull << 9)
#define SAMPLE_RAW	      (1ull << 10)
#define SAMPLE_BRANCH_STACK   (1ull << 11)
#define SAMPLE_REGS_USER      (1ull << 12)
#define SAMPLE_STACK_USER     (1ull << 13)
#define SAMPLE_WEIGHT	      (1ull << 14)
#define SAMPLE_DATA_SRC	      (1ull << 15)
#define SAMPLE_IDENTIFIER     (1ull << 16)
#define SAMPLE_TRANSACTION    (1ull << 17)
#define SAMPLE_REGS_INTR      (1ull << 18)
#define SAMPLE_PHYS_ADDR      (1ull << 19)
#define SAMPLE_AUX	      (1ull << 20)
#define SAMPLE_CGROUP	      (1ull << 21)
#define SAMPLE_DATA_PAGE_SIZE (1ull << 22)
#define SAMPLE_CODE_PAGE_SIZE (1ull << 23)
#define SAMPLE_WEIGHT_STRUCT  (1ull << 24)

/* read_format */
#define READ_TOTAL_TIME_ENABLED (1ull << 0)
#define READ_TOTAL_TIME_RUNNING (1ull << 1)
#define READ_ID			(1ull << 2)
#define READ_GROUP		(1ull << 3)
#define READ_LOST		(1ull << 4)

/* branch_sample_type: the bits whose presence changes the record */
#define BRANCH_CALL_STACK (1ull << 11) /* changes the meaning of the record, not its form */
#define BRANCH_HW_INDEX	  (1ull << 17)
#define BRANCH_COUNTERS	  (1ull << 19)

/* Markers in call chains: words from these values on are contexts, not addresses. */
#define CONTEXT_HV	      ((uint64_t)-32)
#define CONTEXT_KERNEL	      ((uint64_t)-128)
#define CONTEXT_USER	      ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define CONTEXT_GUEST	      ((uint64_t)-2048)
#define CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define CONTEXT_GUEST_USER    ((uint64_t)-2560)
#define CONTEXT_MAX	      ((uint64_t)-4095)

/*
 * attr <-> its bytes in files and system calls. size bytes at p hold an attribute of that ABI size;
 * longer ones than ours are cut (the rest is not needed to read records), shorter ones are filled
 * with zeros. attr_decode undoes a foreign byte order, the order of bit fields included. Returns 0,
 * or -1 when size is below ATTR_SIZE_VER0.
 */
int attr_decode(struct attr *a, const void *p, uint32_t size, bool swap);
/* Writes a->size bytes (at most 144) at p, in this machine's order. */
void attr_encode(const struct attr *a, void *p);

static inline unsigned int attr_precise(const struct attr *a)
{
	return (unsigned int)(a->flags >> ATTR_PRECISE_SHIFT) & 3;
}

#endif
