// SPDX-License-Identifier: MIT
#include "view/kvm.h"

#include <stdio.h>

/* The width of the first column: perf's for that processor. */
static int name_width(const struct kvm *k)
{
	return k->isa == KVM_PPC || k->isa == KVM_S390 || k->isa == KVM_RISCV ? 40 : 20;
}

static void show_heading(const struct kvm *k, const char *pids, struct buf *out)
{
	static const char *const titles[] = {[KVM_EXITS] = "VM-EXIT",
					     [KVM_MMIO] = "MMIO Access",
					     [KVM_PORTS] = "IO Port Access"};

	buf_str(out, "\n\nAnalyze events for ");
	if (pids)
		buf_printf(out, "pid(s) %s, ", pids);
	else
		buf_str(out, "all VMs, ");
	if (k->opts.vcpu < 0)
		buf_str(out, "all VCPUs:\n\n");
	else
		buf_printf(out, "VCPU %d:\n\n", k->opts.vcpu);
	buf_printf(out, "%*s %10s %9s %9s %11s %11s %16s \n\n", name_width(k),
		   titles[k->opts.event], "Samples", "Samples%", "Time%", "Min Time", "Max Time",
		   "Avg time");
}

static void show_key(const struct kvm *k, const struct kvm_row *row, struct buf *out)
{
	unsigned long long key = row->key;
	const char *name;
	char text[40];

	switch (k->opts.event) {
	case KVM_EXITS:
		name = kvm_exit_name(k->isa, row->key);
		snprintf(text, sizeof(text), "%s", name ? name : "UNKNOWN");
		break;
	case KVM_MMIO:
		snprintf(text, sizeof(text), "%#llx:%s", key, row->info ? "W" : "R");
		break;
	case KVM_PORTS:
		snprintf(text, sizeof(text), "%#llx:%s", key, row->info ? "POUT" : "PIN");
		break;
	}
	buf_printf(out, "%*s ", name_width(k), text);
}

static double kvm_percent(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all * 100 : 0;
}

void kvm_show(const struct kvm *k, const char *pids, struct out *to)
{
	struct buf *out = &to->buf;

	show_heading(k, pids, out);
	for (size_t i = 0; i < k->rows.n && out_ready(to); i++) {
		const struct kvm_row *row = &k->rows.at[i];

		show_key(k, row, out);
		buf_printf(out, "%10llu %8.2f%% %8.2f%% ", (unsigned long long)row->count,
			   kvm_percent(row->count, k->count),
			   kvm_percent(row->time_ns, k->time_ns));
		buf_printf(out, "%9.2fus %9.2fus %9.2fus ( +-%7.2f%% )\n",
			   (double)row->min_ns / 1000, (double)row->max_ns / 1000,
			   (double)row->time_ns / (double)row->count / 1000, kvm_row_spread(row));
	}
	buf_printf(out, "\nTotal Samples:%llu, Total events handled time:%.2fus.\n\n",
		   (unsigned long long)k->count, (double)k->time_ns / 1000);
	if (k->lost)
		buf_printf(out, "\nLost events: %llu\n\n", (unsigned long long)k->lost);
}
