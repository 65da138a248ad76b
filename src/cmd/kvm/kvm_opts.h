/* SPDX-License-Identifier: MIT */
/* perf kvm's options: one struct for all its commands. */
#ifndef CMD_KVM_OPTS_H
#define CMD_KVM_OPTS_H

#include "analysis/kvm/kvm.h"
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/opts_form.h"

struct kvm_opts {
	struct input_opts input;
	struct symbol_options symbols;
	const char *file; /* -i or -o before the word, or NULL */
	bool host;
	int verbose;
	/* stat report and stat live */
	const char *event, *key;
	int vcpu;
	bool vcpu_given;
	struct filter_opts filter;
	/* stat report */
	struct form_opts form;
	bool strict;
	/* stat live */
	const char *ring;
	bool system_wide;
	unsigned int delay_s, slow_us, map_timeout;
};

/* The recording that is written or read: by -i or -o, else by --guest and --host, as in perf. */
const char *kvm_file(const struct kvm_opts *o);

/* Runs another command with these words, for samples or counts of guests. file_option: how it is
 * told of the recording; NULL: the words do. */
int kvm_hand_on(struct env *env, struct kvm_opts *o, const char *command, const char *file_option,
		int argc, char **argv, struct err *err);

/* --event -k --vcpu: 0, or -1 with *err. Sets these members of *how, which is zeroed first. */
int kvm_configure(const struct kvm_opts *o, struct kvm_options *how, struct err *err);

extern const struct opt kvm_event_opts[]; /* --event -k --vcpu */
extern const struct cmd cmd_kvm_stat, cmd_kvm_stat_report, cmd_kvm_stat_live;

#endif
