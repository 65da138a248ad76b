/* SPDX-License-Identifier: MIT */
/*
 * The contents and the rate of samples: the options of record and top that become attributes, and
 * their translation.
 */
#ifndef CAPTURE_SAMPLING_H
#define CAPTURE_SAMPLING_H

#include "base/err.h"
#include "event/event.h"

#include <stdbool.h>
#include <stdint.h>

enum unset_or { UNSET, YES, NO }; /* an option that may not have been given */

struct sampling {
	uint64_t frequency;	 /* Hz; 0: by period */
	uint64_t period;	 /* events a sample; 0: by frequency */
	bool rate_given;	 /* by the user: overrides an event's own default */
	bool no_samples;	 /* -n: count only */
	bool strict_frequency;
	bool inherit;		 /* children and new threads are measured, too */
	bool inherit_stat;	 /* -s */
	bool running_time;
	enum callgraph_mode callgraph;
	uint32_t stack_dump;	 /* bytes, CALLGRAPH_DWARF */
	bool stack_auto;	 /* stack_dump is the first size; dumps may grow */
	bool keep_stack; /* dumps go into the file as they are; else chains are made of them */
	bool defer;		 /* CALLGRAPH_FP: the kernel unwinds the user part at the return to
				    user space */
	uint16_t max_stack;	 /* 0: the kernel's */
	bool user_callchains, kernel_callchains; /* only these */
	bool address, data_src, phys_addr, data_page_size, code_page_size;
	bool weight, raw, transaction, identifier;
	enum unset_or time, sample_period;
	bool cpu;
	bool switch_events, namespaces, cgroups, bpf_events, text_poke, build_ids;
	bool all_user, all_kernel;
	bool no_buffering;
	bool overwrite;
	bool group;		 /* all events in one group */
	uint64_t branch;	 /* PERF_SAMPLE_BRANCH_*, 0: none */
	uint64_t intr_regs, user_regs;
	uint64_t all_user_regs;  /* what CALLGRAPH_DWARF takes on this machine */
	bool use_clockid;
	int clockid;
	/* what decides besides the options */
	bool system_wide;	 /* -a or -C: samples tell their CPU */
	bool per_thread;	 /* no event is bound to a CPU */
	bool starts_command;	 /* the target is a command of ours alone: enable on exec */
	bool delayed;		 /* -D: the side-band starts before the samples */
	uint64_t max_frequency;	 /* sysctl kernel.perf_event_max_sample_rate */
	size_t aux_size;	 /* bytes of each AUX area; 0: the usual size */
	const char *pmu_root;	 /* of processor traces; NULL: this machine's */
};

/*
 * Fills the attributes of the set's events, as they are to be opened and written. Adds the
 * side-band event "dummy:HG" where tracking cannot be part of the first event. Frequencies above
 * the system's limit are lowered, which notices then say, or refused (strict_frequency).
 */
int sampling_apply(const struct sampling *s, struct event_set *events, struct buf *notices,
		   struct err *err);
/* The event that carries mmap, comm and task records: the first, or the one added for it. */
struct event *sampling_tracker(struct event_set *events);

/* The attribute bits that ask for side-band records. */
#define SIDE_BAND_FLAGS                                                                            \
	(ATTR_MMAP | ATTR_MMAP_DATA | ATTR_MMAP2 | ATTR_COMM | ATTR_COMM_EXEC | ATTR_TASK |        \
	 ATTR_KSYMBOL | ATTR_BPF_EVENT | ATTR_NAMESPACES | ATTR_CGROUP | ATTR_TEXT_POKE |          \
	 ATTR_BUILD_ID | ATTR_CONTEXT_SWITCH | ATTR_DEFER_OUTPUT)
/* The sample fields that are also in the trailer of other records. */
#define SAMPLE_ID_FIELDS                                                                           \
	(SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_IDENTIFIER)

#endif
