/* SPDX-License-Identifier: MIT */
/*
 * The value of --filter, in parsed form. Its language depends on the event:
 *
 *   a tracepoint        an expression over its fields, which the kernel evaluates: "prev_pid == 1"
 *   a tracer            addresses between which it traces: "filter main @ /bin/ls"; the kernel
 *                       takes numbers only, capture/open/filter.h makes them of symbols
 *   anything else       terms over what a sample holds: "ip > 0x1000, cpu == 1 || cpu == 3"; a BPF
 *                       program evaluates them
 *
 * Errors are one sentence, with the text and a caret under the place in the hint, and the nearest
 * name where one is unknown.
 */
#ifndef EVENT_FILTER_H
#define EVENT_FILTER_H

#include "base/err.h"
#include "base/mem.h"
#include "event/event.h"
#include "event/format/format.h"

enum filter_kind { FILTER_FIELDS, FILTER_ADDRESSES, FILTER_SAMPLES };

/* pmu_root: see os/machine/pmu.h; NULL: no event is a tracer's. */
enum filter_kind filter_kind_of(const struct event *ev, const char *pmu_root);

/*
 * Tracepoints. Checks the text by the fields of the format and the names that the kernel has for
 * all events; errors give the event that name. What needs more knowledge (which CPUs there are,
 * ways to read a field) is left to the kernel. 0, or -1 with *err.
 */
int filter_check_fields(const char *text, const char *event, const struct tp_format *format,
			struct err *err);
/* The error of a filter that the kernel refused with that errno. Returns -1. */
int filter_refused(struct err *err, const struct event *ev, int sys);

/*
 * Addresses. The text is a list, separated by blanks or commas, of
 *
 *   filter|start|stop|tracestop START [/ SIZE] [@ FILE]
 *
 * START and SIZE are numbers or symbols, a symbol's name followed by #N where several have it (the
 * Nth in the order of addresses; #0, #g, #G: the global one); START may be * for all of the file.
 * Without FILE the kernel is meant. Symbols and * have blanks around them.
 *
 * Source: perf-record(1), "--filter".
 */
enum address_action { ADDRESS_FILTER, ADDRESS_START, ADDRESS_STOP, ADDRESS_TRACESTOP };
struct address_place {
	const char *symbol; /* NULL: .value */
	uint64_t value;
	bool global;	  /* take the global one of several symbols */
	unsigned int nth; /* take this one of several, from 1; 0: there must be only one */
};
struct address_filter {
	enum address_action action;
	bool whole; /* START is * */
	bool has_size;
	struct address_place start, size; /* a size that is a symbol means up to its end */
	const char *file;		  /* NULL: the kernel */
};
struct address_filters {
	struct arena arena;
	VEC(struct address_filter);
};
int filter_parse_addresses(const char *text, struct address_filters *out, struct err *err);
void address_filters_release(struct address_filters *f);

/*
 * Samples. The text is
 *
 *   terms := any {"," any}      all of them must hold
 *   any   := term {"||" term}   one of them must
 *   term  := NAME OP VALUE      OP: == != > >= < <= and & (some of these bits)
 *
 * A value is a number or one of the words that the field has: "mem_op == load".
 */
enum sample_op { SAMPLE_EQ, SAMPLE_NE, SAMPLE_GT, SAMPLE_GE, SAMPLE_LT, SAMPLE_LE, SAMPLE_AND };

/* The source of the value. FIELD_DATA_SRC: the bits .shift and .width of data_src (union
 * perf_mem_data_src). Fields of a thread: from the task that runs. */
enum sample_field {
	FIELD_IP,
	FIELD_ID,
	FIELD_TID,
	FIELD_PID,
	FIELD_CPU,
	FIELD_TIME,
	FIELD_ADDR,
	FIELD_PERIOD,
	FIELD_TXN,
	FIELD_WEIGHT1, /* the full 64 bits of WEIGHT, or the lower 32 of WEIGHT_STRUCT */
	FIELD_WEIGHT2, /* bits 32-47 of WEIGHT_STRUCT */
	FIELD_WEIGHT3, /* bits 48-63 */
	FIELD_PHYS_ADDR,
	FIELD_CODE_PAGE,
	FIELD_DATA_PAGE,
	FIELD_DATA_SRC,
	FIELD_CGROUP,
	FIELD_UID,
	FIELD_GID,
};

struct sample_term {
	enum sample_field field;
	uint8_t shift, width; /* of FIELD_DATA_SRC */
	enum sample_op op;
	uint64_t value;
	uint32_t any;	  /* neighbouring terms with the same number are joined by || */
	const char *name; /* as the user wrote the field; static */
};

struct sample_filter {
	VEC(struct sample_term);
};

int filter_parse_samples(const char *text, struct sample_filter *out, struct err *err);
void sample_filter_release(struct sample_filter *f);
/* Checks that the event's samples have all fields that the filter needs; the attribute must be as
 * it will be opened. 0, or -1 with *err, whose hint names the option that adds the missing
 * field. */
int filter_check_samples(const struct sample_filter *f, const struct event *ev, struct err *err);
/* The bits of sample_type that provide the field: one of them is enough. 0: it needs none. */
uint64_t sample_field_bits(enum sample_field field);

#endif
