// SPDX-License-Identifier: MIT
#include "view/kwork/kwork.h"

#define BAR_WIDTH  30
#define RULE_WIDTH 52

static double kwork_top_percent(uint64_t part, uint64_t all)
{
	return all ? (double)part * 100 / (double)all : 0;
}

static void top_show_load(const struct kwork_cpu *c, uint32_t cpu, struct buf *b)
{
	const uint64_t ratio = (uint64_t)((double)c->load * 10000 / (double)c->total);
	const size_t bars = MIN(BAR_WIDTH * ratio / 10000, BAR_WIDTH);

	buf_printf(b, "%%Cpu%-4u[", cpu);
	buf_fill(b, '|', bars);
	buf_fill(b, ' ', BAR_WIDTH - bars);
	buf_printf(b, " %6.2f%%]\n", (double)ratio / 100);
}

static void top_show_cpus(const struct kwork_top *t, struct buf *b)
{
	const struct kwork_cpu *all = &t->all;

	buf_printf(b, "\nTotal  : %10.3f ms, %u cpus\n", (double)all->total / 1e6, t->n_cpus);
	buf_printf(b, "%%Cpu(s): %6.2f%% id, %6.2f%% hi, %6.2f%% si\n",
		   kwork_top_percent(all->idle, all->total),
		   kwork_top_percent(all->irq, all->total),
		   kwork_top_percent(all->softirq, all->total));
	for (uint32_t i = 0; i < t->cpus.n; i++)
		if (t->cpus.at[i].total)
			top_show_load(&t->cpus.at[i], i, b);
}

static void top_show_task(const struct kwork_top *t, const struct kwork_task *task, struct buf *b)
{
	const size_t start = b->n;

	buf_printf(b, "  %7u ", task->tid);
	if (t->knows_processes)
		buf_printf(b, " %7u ", task->tgid);
	buf_printf(b, " %6.2f  %13.3f ms  ", (double)task->rate / 100, (double)task->ns / 1e6);
	if (t->knows_processes) {
		buf_str(b, task->is_kthread ? "[" : "");
		buf_safe(b, intern_text(&t->names, task->comm));
		buf_str(b, task->is_kthread ? "]\n" : "\n");
		return;
	}
	buf_safe(b, intern_text(&t->names, task->comm));
	if (b->n - start < RULE_WIDTH + 1)
		buf_fill(b, ' ', RULE_WIDTH + 1 - (b->n - start));
	buf_char(b, '\n');
}

void kwork_top_show(const struct kwork_top *t, struct out *out)
{
	struct buf *b = &out->buf;

	top_show_cpus(t, b);
	buf_printf(b, "\n  %7s ", "PID");
	if (t->knows_processes)
		buf_printf(b, " %7s ", "SPID");
	buf_printf(b, " %6s  %16s  %-16s\n  ", "%CPU", "RUNTIME", "COMMAND");
	buf_fill(b, '-', RULE_WIDTH + (t->knows_processes ? 9 : 0));
	buf_char(b, '\n');
	for (size_t i = 0; i < t->tasks.n && out_ready(out); i++)
		top_show_task(t, &t->tasks.at[i], b);
	buf_char(b, '\n');
}
