// SPDX-License-Identifier: MIT
#include "view/kwork/kwork.h"
#include "view/out/rows.h"

void kwork_show_rows(const struct kwork *k, struct out *out, const struct rows_form *form)
{
	static const char *const runtimes[] = {"name",	 "cpu",		 "count",     "runtime_ns",
					       "max_ns", "max_start_ns", "max_end_ns"},
				 *const delays[] = {"name",	 "cpu",	   "count",
						    "delay_ns",	 "max_ns", "max_start_ns",
						    "max_end_ns"};
	AUTO_BUF name = {0};
	struct rows r;

	rows_begin(&r, out, form);
	rows_table(&r, "works", k->opts->question == KWORK_DELAY ? delays : runtimes,
		   ARRAY_SIZE(runtimes));
	for (size_t i = 0; i < k->order.n; i++) {
		const struct kwork_work *w = &k->works.at[k->order.at[i]];

		buf_clear(&name);
		kwork_name(k, w, &name);
		rows_text(&r, buf_text(&name));
		rows_number(&r, w->cpu);
		rows_number(&r, w->count);
		rows_number(&r, w->total_ns);
		rows_number(&r, w->max_ns);
		rows_number(&r, w->max_start);
		rows_number(&r, w->max_end);
	}
	rows_end(&r);
}

void kwork_top_show_rows(const struct kwork_top *t, struct out *out, const struct rows_form *form)
{
	static const char *const tasks[] = {"tid", "pid", "runtime_ns", "comm"},
				 *const cpus[] = {"cpu", "total_ns", "idle_ns", "irq_ns",
						  "softirq_ns"};
	struct rows r;

	rows_begin(&r, out, form);
	rows_table(&r, "tasks", tasks, ARRAY_SIZE(tasks));
	for (size_t i = 0; i < t->tasks.n; i++) {
		const struct kwork_task *task = &t->tasks.at[i];

		rows_number(&r, task->tid);
		if (t->knows_processes)
			rows_number(&r, task->tgid);
		else
			rows_text(&r, NULL);
		rows_number(&r, task->ns);
		rows_text(&r, intern_text(&t->names, task->comm));
	}
	rows_table(&r, "cpus", cpus, ARRAY_SIZE(cpus));
	for (uint32_t i = 0; i < t->cpus.n; i++) {
		const struct kwork_cpu *c = &t->cpus.at[i];

		if (!c->total)
			continue;
		rows_number(&r, i);
		rows_number(&r, c->total);
		rows_number(&r, c->idle);
		rows_number(&r, c->irq);
		rows_number(&r, c->softirq);
	}
	rows_end(&r);
}
