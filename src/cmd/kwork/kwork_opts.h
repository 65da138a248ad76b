/* SPDX-License-Identifier: MIT */
/* kwork's options as typed: one struct for all its commands. */
#ifndef CMD_KWORK_OPTS_H
#define CMD_KWORK_OPTS_H

#include "analysis/kwork/kwork.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/opts_form.h"
#include "world/filter.h"

struct kwork_opts {
	struct input_opts input;
	struct symbol_options symbols;
	struct form_opts form; /* report, latency, top */
	const char *classes;   /* -k; NULL: the command's default */
	bool dump, strict;
	const char *sort; /* NULL: the command's default */
	const char *cpus, *name, *time;
	bool summary, chains, use_bpf;
	char **command; /* for -b */
	unsigned int max_stack;
};

/* -f -v -D --strict, shared by all commands; -k, shared by all but timehist. */
extern const struct opt kwork_opts[], kwork_class_opts[];
extern const struct cmd cmd_kwork_report, cmd_kwork_latency, cmd_kwork_timehist, cmd_kwork_top;

/* What -k is by default; of top. */
#define KWORK_CLASSES	  "irq, softirq, workqueue"
#define KWORK_TOP_CLASSES "sched, irq, softirq"

/* What may take the place of an analysis of perf.data. With a command: runs it, and this analysis
 * of what `kwork record` records meanwhile (classes: without -k); with -D: prints the records. True
 * when it did; *status is then the exit status, or -1 with *err. */
bool kwork_instead(const struct kwork_opts *o, const char *classes, struct env *env, int argc,
		   char **argv, int *status, struct err *err);
/* Opens the recording of -i, and sets the filter by -C and --time. NULL with *err. */
struct recording *kwork_open(const struct kwork_opts *o, struct env *env, struct filter *filter,
			     struct err *err);
/* Refuses a recording that cannot have works of any class: -1 with *err. Of a pipe that is known
 * when it was read. */
int kwork_check(const struct recording *rec, struct err *err);
/* measure.c, for -b: measures live while the target runs, and fills k, which the caller has
 * initialised. Returns the command's exit status, or -1 with *err. */
int kwork_measure(struct kwork *k, const struct kwork_opts *o, struct err *err);
/* measure_top.c: like kwork_measure(), fills t with the run time of tasks. */
struct kwork_top;
int kwork_top_measure(struct kwork_top *t, const struct kwork_opts *o, struct err *err);
/* -b: prints that measuring has begun, and without a command how to end it. */
void kwork_say_begun(const struct kwork_opts *o);
/* Called at a command's end: prints the losses, and how many works they may have falsified: n, of
 * ns in all. Returns the exit status. */
int kwork_account(const struct kwork_opts *o, const struct recording *rec, uint64_t n, uint64_t ns);

#endif
