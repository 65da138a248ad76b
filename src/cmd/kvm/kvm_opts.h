/* SPDX-License-Identifier: MIT */
/* perf kvm's options: one struct for all its commands. */
#ifndef CMD_KVM_OPTS_H
#define CMD_KVM_OPTS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"

struct kvm_opts {
	struct input_opts input;
	struct symbol_options symbols;
	const char *file; /* -i or -o before the word, or NULL */
	bool host;
	int verbose;
	/* stat report */
	const char *event, *key, *pids;
	int vcpu;
	bool vcpu_given, strict;
};

/* The recording that is written or read: by -i or -o, else by --guest and --host, as in perf. */
const char *kvm_file(const struct kvm_opts *o);

extern const struct cmd cmd_kvm_stat, cmd_kvm_stat_report;

#endif
