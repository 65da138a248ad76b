// SPDX-License-Identifier: MIT
#include "view/sched/sched.h"

void workload_show_clock(const struct workload_clock *c, struct out *out)
{
	buf_printf(&out->buf,
		   "run measurement overhead: %llu nsecs\nsleep measurement overhead: %llu nsecs\n"
		   "the run test took %llu nsecs\nthe sleep test took %llu nsecs\n",
		   (unsigned long long)c->run_overhead, (unsigned long long)c->sleep_overhead,
		   (unsigned long long)c->run_test, (unsigned long long)c->sleep_test);
	out_flush(out);
}

void workload_show(const struct workload *w, struct out *out)
{
	struct buf *b = &out->buf;

	buf_printf(b,
		   "nr_run_events:        %llu\nnr_sleep_events:      %llu\nnr_wakeup_events:     "
		   "%llu\n",
		   (unsigned long long)w->runs, (unsigned long long)w->sleeps,
		   (unsigned long long)w->wakeups);
	if (w->vain_wakeups)
		buf_printf(b, "target-less wakeups:  %llu\n", (unsigned long long)w->vain_wakeups);
	if (w->double_wakeups)
		buf_printf(b, "multi-target wakeups: %llu\n",
			   (unsigned long long)w->double_wakeups);
	if (w->merged_runs)
		buf_printf(b, "run atoms optimized: %llu\n", (unsigned long long)w->merged_runs);
	for (size_t i = 0; i < w->tasks.n; i++) {
		const struct workload_task *t = &w->tasks.at[i];

		buf_printf(b, "task %6zu (%20s:%10d), nr_events: %zu\n", i, t->comm, (int)t->tid,
			   t->atoms.n);
	}
	buf_str(b, "------------------------------------------------------------\n");
	out_flush(out);
}

int workload_show_time(void *view, uint64_t took, uint64_t cpu)
{
	struct workload_view *v = view;

	v->mean_took = v->times ? (v->mean_took * 9 + took) / 10 : took;
	v->mean_cpu = v->times ? (v->mean_cpu * 9 + cpu) / 10 : cpu;
	v->times++;
	buf_printf(&v->out->buf, "#%-3llu: %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n",
		   (unsigned long long)v->times, (double)took / 1e6, (double)v->mean_took / 1e6,
		   (double)cpu / 1e6, (double)v->mean_cpu / 1e6);
	return !out_flush(v->out);
}
