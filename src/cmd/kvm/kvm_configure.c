// SPDX-License-Identifier: MIT
/* The options that stat report and stat live share. */
#include "cmd/kvm/kvm_opts.h"

#include <string.h>

#define AT(field) offsetof(struct kvm_opts, field)

const struct opt kvm_event_opts[] = {
	{OPT_STRING, 'k', "key", AT(key), "sort-key",
	 "key for sorting: sample (number of samples), time and mean_t (average time), "
	 "percent_time (sum of times), ...:",
	 .words = "sample time percent_sample percent_time min_t max_t mean_t"},
	{OPT_STRING, 0, "event", AT(event), "report event",
	 "event for reporting:", .words = "vmexit mmio ioport"},
	{OPT_INT, 0, "vcpu", AT(vcpu), "n", "vcpu id to report", .given_offset = AT(vcpu_given)},
	{OPT_END},
};

struct kvm_word {
	const char *word;
	int value;
};

static const struct kvm_word kvm_events[] = {
	{"vmexit", KVM_EXITS}, {"mmio", KVM_MMIO}, {"ioport", KVM_PORTS}};
static const struct kvm_word kvm_keys[] = {
	{"sample", KVM_BY_SAMPLES},    {"time", KVM_BY_MEAN},	{"percent_sample", KVM_BY_SAMPLES},
	{"percent_time", KVM_BY_TIME}, {"min_t", KVM_BY_LEAST}, {"max_t", KVM_BY_MOST},
	{"mean_t", KVM_BY_MEAN}};

/* Returns the value of one of n words, or -1. */
static int kvm_value_of(const char *word, const struct kvm_word *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(word, words[i].word))
			return words[i].value;
	return -1;
}

int kvm_configure(const struct kvm_opts *o, struct kvm_options *how, struct err *err)
{
	const int event = kvm_value_of(o->event, kvm_events, ARRAY_SIZE(kvm_events));
	const int key = kvm_value_of(o->key, kvm_keys, ARRAY_SIZE(kvm_keys));

	if (event < 0)
		return err_set(err, ERR_USAGE, "Unknown report event:%s", o->event);
	if (key < 0)
		return err_set(err, ERR_USAGE, "Unknown compare key:%s", o->key);
	if (o->vcpu_given && o->vcpu < 0)
		return err_set(err, ERR_USAGE, "Invalid vcpu:%d.", o->vcpu);
	*how = (struct kvm_options){
		.event = (enum kvm_event)event, .key = (enum kvm_key)key, .vcpu = o->vcpu};
	return 0;
}
