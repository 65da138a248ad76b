/* SPDX-License-Identifier: MIT */
/*
 * Probes at the entry and at all exits of functions of a program: what is needed to know how long
 * each call takes.
 *
 * Exits are probed where they are, not by uretprobes: those put an address of their own into the
 * stack, which ends a program that throws an exception through the function.
 *
 * The events are perf_PID_COMMAND:call_entry, call_return and call_jump. Each has the field sp, the
 * stack pointer; the function is that at the sample's address. Functions may be spread over several
 * parts with events of their own, which can be closed separately: call_entry_1, call_entry_2, ...
 */
#ifndef PROBE_FUNCTION_PROBES_H
#define PROBE_FUNCTION_PROBES_H

#include "base/buf.h"
#include "probe/made_probes.h"
#include "symbol/dso.h"

#define CALL_ENTRY  "call_entry"
#define CALL_RETURN "call_return"
#define CALL_JUMP   "call_jump"

struct probed_function {
	const char *name;     /* as people know it */
	uint64_t start;	      /* offset in the file */
	uint32_t exit, exits; /* the first in .exits, how many */
	unsigned int part;    /* from 1; 0: functions are not split */
};

struct function_probes {
	const char *file;
	VEC(struct probed_function) functions; /* by offset */
	VEC(struct probed_exit {
		uint64_t at;
		bool jump;
	})
	exits;
	unsigned int parts; /* 0: all functions share the same events */
	struct arena arena;
	struct dso_set dsos;
};

/* True when one of the globs, separated by commas, matches the name. */
bool function_globs_match(const char *globs, const char *name);
/* More functions than that are refused: each costs the kernel a breakpoint for each exit. */
#define PROBED_FUNCTIONS_MAX 1000

/*
 * Finds the functions of an ELF file whose name, as the symbol table or people have it, one of the
 * globs (separated by commas) matches. Functions that can't be probed are left out; a line for each
 * goes to notes. 0, or -1 with *err: none is left, or the machine is not known. Release it in both
 * cases.
 */
int function_probes_find(struct function_probes *f, const char *file, const char *globs,
			 const struct symbol_options *options, struct buf *notes, struct err *err);
/* The most parts that functions are spread over: each has an event a CPU. */
#define FUNCTION_PARTS_MAX 16
/* Sets how many parts the functions found are spread over: each has its own, up to the limit. */
void function_probes_split(struct function_probes *f);
/* The name of an event of a part, such as CALL_ENTRY of part 1 (its first). NULL: the part has no
 * such event. Lives as long as f. */
const char *function_probes_event(struct function_probes *f, const char *kind, unsigned int part);
/* The part of a tracepoint's name ("call_entry_3"), 0 when functions are not split. False: it is no
 * event of function_probes_make(). *kind (unless NULL): CALL_ENTRY, CALL_RETURN or CALL_JUMP. */
bool function_probes_part(const char *tracepoint, const char **kind, unsigned int *part);
/* Makes the events. 0, or -1 with *err. */
int function_probes_make(struct function_probes *f, struct made_probes *m, struct err *err);
void function_probes_release(struct function_probes *f);

#endif
