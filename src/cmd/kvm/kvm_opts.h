/* SPDX-License-Identifier: MIT */
/* perf kvm's options: one struct for all its commands. */
#ifndef CMD_KVM_OPTS_H
#define CMD_KVM_OPTS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"

#define KVM_FILE "perf.data.guest" /* default recording of guests, as in perf */

struct kvm_opts {
	struct input_opts input;
	struct symbol_options symbols;
	const char *output;
	int verbose;
	/* stat report */
	const char *event, *key, *pids;
	int vcpu;
	bool vcpu_given, strict;
};

extern const struct cmd cmd_kvm_stat, cmd_kvm_stat_report;

#endif
