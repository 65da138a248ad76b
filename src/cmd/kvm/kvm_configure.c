// SPDX-License-Identifier: MIT
/* The options that stat report and stat live share. */
#include "cmd/kvm/kvm_opts.h"

#include <string.h>

#define AT(field) offsetof(struct kvm_opts, field)

const struct opt kvm_event_opts[] = {
	{OPT_STRING, 'k', "key", AT(key), "sort-key",
	 "key for sorting: sample(sort by samples number) time (sort by avg time):",
	 .words = "sample time"},
	{OPT_STRING, 0, "event", AT(event), "report event",
	 "event for reporting:", .words = "vmexit mmio ioport"},
	{OPT_INT, 0, "vcpu", AT(vcpu), "n", "vcpu id to report", .given_offset = AT(vcpu_given)},
	{OPT_END},
};

/* Returns the index of word among n words, or -1. */
static int place_of(const char *word, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(word, words[i]))
			return i;
	return -1;
}

int kvm_configure(const struct kvm_opts *o, struct kvm_options *how, struct err *err)
{
	static const char *const events[] = {
		[KVM_EXITS] = "vmexit", [KVM_MMIO] = "mmio", [KVM_PORTS] = "ioport"};
	static const char *const keys[] = {[KVM_BY_SAMPLES] = "sample", [KVM_BY_TIME] = "time"};
	int event = place_of(o->event, events, ARRAY_SIZE(events));
	int key = place_of(o->key, keys, ARRAY_SIZE(keys));

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
