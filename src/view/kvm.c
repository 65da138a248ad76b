// SPDX-License-Identifier: MIT
#include "view/kvm.h"

#include "view/out/rows.h"

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

void kvm_key_text(const struct kvm *k, uint64_t key, uint64_t info, struct buf *out)
{
	const char *name;

	if (k->opts.event == KVM_EXITS) {
		name = kvm_exit_name(k->isa, key);
		buf_str(out, name ? name : "UNKNOWN");
		return;
	}
	buf_printf(out, "%#llx:", (unsigned long long)key);
	if (k->opts.event == KVM_MMIO)
		buf_str(out, info ? "W" : "R");
	else
		buf_str(out, info ? "POUT" : "PIN");
}

static double kvm_percent(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all * 100 : 0;
}

void kvm_show(const struct kvm *k, const char *pids, struct out *to)
{
	struct buf *out = &to->buf;
	AUTO_BUF text = {0};

	show_heading(k, pids, out);
	for (size_t i = 0; i < k->rows.n && out_ready(to); i++) {
		const struct kvm_row *row = &k->rows.at[i];

		buf_clear(&text);
		kvm_key_text(k, row->key, row->info, &text);
		buf_printf(out, "%*s ", name_width(k), buf_text(&text));
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

void kvm_show_rows(const struct kvm *k, struct out *out, const struct rows_form *form)
{
	static const char *const keys[] = {
		[KVM_EXITS] = "exit", [KVM_MMIO] = "mmio", [KVM_PORTS] = "ioport"};
	const char *const columns[] = {
		keys[k->opts.event], "samples", "time_ns", "min_ns", "max_ns", "mean_ns"};
	AUTO_BUF text = {0};
	struct rows r;

	rows_begin(&r, out, form);
	rows_table(&r, "exits", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < k->rows.n && out_ready(out); i++) {
		const struct kvm_row *row = &k->rows.at[i];

		buf_clear(&text);
		kvm_key_text(k, row->key, row->info, &text);
		rows_text(&r, buf_text(&text));
		rows_number(&r, row->count);
		rows_number(&r, row->time_ns);
		rows_number(&r, row->min_ns);
		rows_number(&r, row->max_ns);
		rows_number(&r, row->time_ns / row->count);
	}
	rows_end(&r);
}
