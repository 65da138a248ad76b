/* SPDX-License-Identifier: MIT */
/* kwork's options, as typed: those of all its commands in one struct. */
#ifndef CMD_KWORK_OPTS_H
#define CMD_KWORK_OPTS_H

#include "analysis/kwork/kwork.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "world/filter.h"

struct kwork_opts {
	struct input_opts input;
	struct symbol_options symbols;
	const char *classes; /* -k; NULL: the command's own */
	bool dump, strict;
	const char *sort; /* NULL: the command's own */
	const char *cpus, *name, *time;
	bool summary, chains, use_bpf;
	char **command; /* of -b */
	unsigned int max_stack;
};

/* -f -v -D --strict, which all have; and -k, which timehist has not. */
extern const struct opt kwork_opts[], kwork_class_opts[];
extern const struct cmd cmd_kwork_report, cmd_kwork_latency, cmd_kwork_timehist, cmd_kwork_top;

/* Opens the recording of -i, and sets what samples are about from -C and --time. NULL with *err. */
struct recording *kwork_open(const struct kwork_opts *o, struct env *env, int argc, char **argv,
			     struct filter *filter, struct err *err);
/* measure.c: fills k, which is made for it, with works as they happen while what was asked for
 * runs. The command's exit status, or -1 with *err. */
int kwork_measure(struct kwork *k, const struct kwork_opts *o, struct err *err);
/* measure_top.c: fills t with the time of tasks, as kwork_measure() fills k with works. */
struct kwork_top;
int kwork_top_measure(struct kwork_top *t, const struct kwork_opts *o, struct err *err);
/* What -b says when it has begun: how it can be ended, unless a command's end ends it. */
void kwork_say_begun(const struct kwork_opts *o);
/* Ends as the commands do: the ledger, and what it may have falsified: n works, of ns in all. */
int kwork_account(const struct kwork_opts *o, const struct recording *rec, uint64_t n, uint64_t ns);

#endif
