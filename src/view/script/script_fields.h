/* SPDX-License-Identifier: MIT */
/*
 * The fields that script shows in a line: a set for each event type, made from defaults, from -F,
 * and from what the recording holds.
 */
#ifndef VIEW_SCRIPT_FIELDS_H
#define VIEW_SCRIPT_FIELDS_H

#include "data/recording.h"

#define FIELD_COMM	     (1ull << 0)
#define FIELD_TID	     (1ull << 1)
#define FIELD_PID	     (1ull << 2)
#define FIELD_TIME	     (1ull << 3)
#define FIELD_CPU	     (1ull << 4)
#define FIELD_EVENT	     (1ull << 5)
#define FIELD_TRACE	     (1ull << 6)
#define FIELD_IP	     (1ull << 7)
#define FIELD_SYM	     (1ull << 8)
#define FIELD_DSO	     (1ull << 9)
#define FIELD_ADDR	     (1ull << 10)
#define FIELD_SYMOFF	     (1ull << 11)
#define FIELD_SRCLINE	     (1ull << 12)
#define FIELD_PERIOD	     (1ull << 13)
#define FIELD_IREGS	     (1ull << 14)
#define FIELD_UREGS	     (1ull << 15)
#define FIELD_BRSTACK	     (1ull << 16)
#define FIELD_BRSTACKSYM     (1ull << 17)
#define FIELD_DATA_SRC	     (1ull << 18)
#define FIELD_WEIGHT	     (1ull << 19)
#define FIELD_BPF_OUTPUT     (1ull << 20)
#define FIELD_CALLINDENT     (1ull << 21)
#define FIELD_INSN	     (1ull << 22)
#define FIELD_INSNLEN	     (1ull << 23)
#define FIELD_BRSTACKINSN    (1ull << 24)
#define FIELD_BRSTACKOFF     (1ull << 25)
#define FIELD_SYNTH	     (1ull << 26)
#define FIELD_PHYS_ADDR	     (1ull << 27)
#define FIELD_METRIC	     (1ull << 28)
#define FIELD_MISC	     (1ull << 29)
#define FIELD_SRCCODE	     (1ull << 30)
#define FIELD_IPC	     (1ull << 31)
#define FIELD_TOD	     (1ull << 32)
#define FIELD_DATA_PAGE_SIZE (1ull << 33)
#define FIELD_CODE_PAGE_SIZE (1ull << 34)
#define FIELD_INS_LAT	     (1ull << 35)
#define FIELD_BRSTACKINSNLEN (1ull << 36)
#define FIELD_MACHINE_PID    (1ull << 37)
#define FIELD_VCPU	     (1ull << 38)
#define FIELD_CGROUP	     (1ull << 39)
#define FIELD_RETIRE_LAT     (1ull << 40)
#define FIELD_DSOFF	     (1ull << 41)

/* The fields that make the text of a frame. */
#define FRAME_FIELDS                                                                               \
	(FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_DSOFF | FIELD_SRCLINE)

/* The first six are attr_type; the last two are perf's own kinds. */
enum output_type { OUTPUT_SYNTH = TYPE_MAX, OUTPUT_OTHER, OUTPUT_TYPES };

struct script_type {
	uint64_t fields, invalid;
	uint64_t user_set_fields, user_unset_fields;
	bool user_set, wildcard_set;
};

struct script_fields {
	struct script_type types[OUTPUT_TYPES];
	bool flags;	     /* show the sample's flags */
	bool chains;	     /* show call chains where there are any */
	struct buf warnings; /* lines for stderr */
};

enum output_type output_type(uint32_t attr_type);
void script_fields_init(struct script_fields *f, bool chains);
void script_fields_release(struct script_fields *f);
/* Append the names of all fields, and of all event types ("hw:"), separated by blanks. */
void script_field_names(struct buf *out);
void script_type_names(struct buf *out);
/* Parses the argument of one -F. 0, or -1 with *err. */
int script_fields_parse(struct script_fields *f, const char *text, struct err *err);
/* Checks the fields against the recording's events, before the first record. Drops default fields
 * that an event lacks. 0, or -1 with *err when an event lacks a field that the user asked for. */
int script_fields_check(struct script_fields *f, const struct recording *rec, struct err *err);
/* The same check for one event that a pipe has just announced. */
int script_fields_event(struct script_fields *f, const struct recording *rec,
			const struct event *ev, struct err *err);

#endif
