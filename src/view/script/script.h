/* SPDX-License-Identifier: MIT */
/*
 * script: every sample as a line (and its call chain below it), in the order of time; on demand the
 * side-band records too. A replay feeds it records one by one.
 */
#ifndef VIEW_SCRIPT_H
#define VIEW_SCRIPT_H

#include "data/source/read_split.h"
#include "event/print/tp_text.h"
#include "profile/samples/line_questions.h"
#include "symbol/code.h"
#include "view/out/out.h"
#include "view/script/script_fields.h"
#include "view/script/script_frames.h"
#include "world/replay/replay.h"

/* Side-band records that are shown. */
enum script_show {
	SHOW_TASK = 1 << 0, SHOW_MMAP = 1 << 1, SHOW_SWITCH = 1 << 2, SHOW_NAMESPACES = 1 << 3,
	SHOW_LOST = 1 << 4, SHOW_ROUND = 1 << 5, SHOW_BPF = 1 << 6, SHOW_CGROUP = 1 << 7,
	SHOW_TEXT_POKE = 1 << 8,
};

/* The output of one event with --per-event-dump. */
struct script_dump {
	struct buf *out;
	uint64_t samples;
};

/* A cache of recently shown texts. */
struct script_memo {
	struct script_who {
		const char *comm;
		uint32_t pid, tid;
		uint64_t fields; /* which of comm, pid and tid the text has */
		bool chain;	 /* a call chain follows: names are not padded */
		uint8_t len;	 /* of the text; 0: none is kept */
		char text[38];
	} who[64]; /* by the low bits of the tid */
	struct script_second {
		uint64_t begins; /* ns */
		size_t len;	 /* 0: none is kept */
		char text[32];
	} second;
	struct script_event {
		const char *name;
		size_t len;
	} events[16]; /* by the low bits of the index */
};

/* A sample's thread as the world has it at the sample's time. It is saved because the world moves
 * on before the sample is shown. */
struct script_moment {
	const char *comm;
	uint32_t pid, tid; /* of the world's thread */
	uint32_t epoch;
};

struct script {
	/* set by the caller before the first record */
	const struct recording *rec;
	struct world *world;
	struct buf *out;
	struct script_fields fields;
	struct script_frames frames;
	struct name_list stop_at; /* --stop-bt */
	struct filter filter; /* its symbols, dsos, comms, pids, tids, cpus and times count */
	VEC(uint64_t) addresses; /* show samples at these too, besides the filter's symbols */
	unsigned int max_blocks; /* 0: all */
	uint64_t address_range;	 /* bytes after each address that count too */
	bool latency, ns, reltime, deltatime, debug;
	unsigned int show; /* enum script_show */
	struct replay_switches switches;
	bool unsorted;	  /* records come in file order */
	struct out *dump; /* all records are dumped here, or NULL; its buffer must be .out */
	struct script_dump *dumps; /* one for each event, or NULL */
	/* private */
	struct tp_text *tp_text;
	struct read_split split;
	struct code_files code;
	uint32_t epoch; /* of the sample at hand */
	size_t name_width, data_src_width, events_seen;
	uint64_t first_time, last_time;
	uint64_t misordered, checked_time; /* -d */
	struct script_memo memo;
};

void script_init(struct script *s, const struct recording *rec, struct world *world,
		 struct buf *out);
void script_release(struct script *s);
/* Shows a record that the world has already taken in. 0, or -1 with *err: an event that a pipe
 * announced lacks a field that the user asked for. */
int script_add(struct script *s, const struct record *r, struct err *err);

/*
 * Showing samples by several threads: each thread has a copy of the script. Copies share the
 * settings and have caches and counts of their own. Only the original handles records that are no
 * samples, and makes the moments of samples. See script_parallel.h.
 */
void script_copy(struct script *copy, const struct script *s);
/* Adds the copy's counts to s, and releases the copy. */
void script_join(struct script *s, struct script *copy);
struct script_moment script_moment(const struct script *s, const struct thread *t, uint8_t cpumode,
				   uint64_t time);
/* Shows a sample that passes the filters. */
void script_show(struct script *s, const struct record *r, const struct script_moment *m,
		 struct buf *out);

/*
 * Source lines can be looked up in batches: script_ask() gathers the line lookups that
 * script_show() will need, for dso_sources(). To find them it may unwind the stack: it then appends
 * the chain's words to words, and returns true. When that sample is shown, .frames.ahead must point
 * to these words. Not for scripts that show no lines, or whose filter needs the sample's place
 * first.
 */
struct script_words {
	VEC(uint64_t);
};
bool script_has_lines(const struct script *s);
bool script_ask(struct script *s, const struct record *r, const struct script_moment *m,
		struct line_questions *q, struct script_words *words);

/* script_sample.c: true when call chains of this event's samples are shown. */
bool script_has_chain(const struct script *s, const struct event *ev);
/* Shows one sample's line and chain; at: the frame of its address, all zero where no field needs
 * it. */
void script_sample(struct script *s, const struct record *r, const struct script_moment *m,
		   const struct script_frame *at, struct buf *out);
/* script_start.c. The beginning of a line: thread, CPU, time, event. comm is the world's, or NULL
 * when the thread is not known. */
void script_start(struct script *s, const struct record *r, const char *comm,
		  const struct event *ev, struct buf *out);
void script_event_name(struct script *s, const struct event *ev, struct buf *out);
/* script_branches.c */
void script_branches(struct script *s, const struct record *r, uint32_t epoch, uint64_t fields,
		     struct buf *out);
/* script_blocks.c: the instructions between the branches. */
void script_blocks(struct script *s, const struct record *r, uint32_t epoch, bool lengths,
		   struct buf *out);
/* script_values.c: fields whose raw values are shown. */
void script_registers(const struct script *s, const struct sample_regs *regs, struct buf *out);
void script_page_size(uint64_t size, struct buf *out);
bool script_is_x86(const struct recording *rec);
void script_insn(struct script *s, const struct place *at, uint64_t fields, struct buf *out);
void script_bpf_output(const struct sample *sample, struct buf *out);
void script_clock_time(const struct recording *rec, uint64_t time, bool ns, struct buf *out);
void script_misc(const struct record *r, struct buf *out);

#endif
