// SPDX-License-Identifier: MIT
#include "view/tasks.h"

#include <sys/mman.h>

#define BUCKETS	  256 /* of the reference's thread table: its hash order shows in the output */
#define NO_PARENT UINT32_MAX

struct task {
	const struct thread *thread;
	struct task *above, *first, *last, *next;
	bool listed;
};

struct tasks {
	struct task *at;
	size_t n;
	struct idmap by_tid;
	struct task top; /* its children are the tasks without a parent */
};

static int by_bucket(const void *x, const void *y)
{
	uint32_t a = ((const struct task *)x)->thread->tid;
	uint32_t b = ((const struct task *)y)->thread->tid;

	if (a % BUCKETS != b % BUCKETS)
		return a % BUCKETS < b % BUCKETS ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Collects the threads; where several threads had one tid, only the last of them. */
static void tasks_collect(struct tasks *t, const struct world *w)
{
	struct thread *const *threads;
	size_t n = world_threads(w, &threads);

	t->at = mem_zero((n + 1) * sizeof(*t->at));
	for (size_t i = 0; i < n; i++) {
		uint32_t *at = idmap_put(&t->by_tid, threads[i]->tid);

		if (*at == HASH_NONE)
			*at = (uint32_t)t->n++;
		t->at[*at].thread = threads[i];
	}
	qsort(t->at, t->n, sizeof(*t->at), by_bucket);
	for (uint32_t i = 0; i < t->n; i++)
		*idmap_put(&t->by_tid, t->at[i].thread->tid) = i;
}

static void put_below(struct task *above, struct task *task)
{
	task->above = above;
	task->listed = true;
	if (above->last)
		above->last->next = task;
	else
		above->first = task;
	above->last = task;
}

/* Puts the task below its parent, the parent below its own, up to a task that is listed already. */
static int list_up(struct tasks *t, struct task *task, struct err *err)
{
	while (!task->listed) {
		uint32_t parent;

		if (task->thread->ppid == NO_PARENT) {
			put_below(&t->top, task);
			return 0;
		}
		parent = idmap_find(&t->by_tid, task->thread->ppid);
		if (parent == HASH_NONE)
			return err_set(err, ERR_INPUT, "failed to process tasks: no process %u",
				       task->thread->ppid);
		put_below(&t->at[parent], task);
		task = &t->at[parent];
	}
	return 0;
}

static void show_maps(const struct world *w, const struct thread *thread, size_t indent,
		      struct out *out)
{
	const struct map **maps;
	size_t n = world_maps(w, thread, WORLD_NOW, &maps);
	struct buf *b = &out->buf;

	for (size_t i = 0; i < n; i++) {
		const struct map *m = maps[i];

		buf_fill(b, ' ', indent + 2);
		buf_hex(b, m->start);
		buf_char(b, '-');
		buf_hex(b, m->end);
		buf_printf(b, " %c%c%c%c ", m->prot & PROT_READ ? 'r' : '-',
			   m->prot & PROT_WRITE ? 'w' : '-', m->prot & PROT_EXEC ? 'x' : '-',
			   m->flags & MAP_SHARED ? 's' : 'p');
		buf_hex_zero(b, m->pgoff, 8);
		buf_char(b, ' ');
		buf_dec(b, m->ino);
		buf_char(b, ' ');
		buf_safe(b, m->dso->long_name);
		buf_char(b, '\n');
		out_ready(out);
	}
	free(maps);
}

static void show_task(const struct world *w, const struct task *task, size_t level, bool maps,
		      struct out *out)
{
	const struct thread *thread = task->thread;
	size_t start = out->buf.n, indent;

	buf_printf(&out->buf, "  %8d %8d %8d |", (int)thread->pid, (int)thread->tid,
		   (int)thread->ppid);
	buf_fill(&out->buf, ' ', level);
	indent = out->buf.n - start;
	buf_str(&out->buf, world_comm(w, thread, WORLD_NOW));
	buf_char(&out->buf, '\n');
	if (maps)
		show_maps(w, thread, indent, out);
}

/* Walks the tree without recursion: a damaged recording may have chains of parents of any
 * length. */
static void tasks_show_all(const struct tasks *t, const struct world *w, bool maps, struct out *out)
{
	const struct task *task = t->top.first;
	size_t level = 0;

	while (task && out_ready(out)) {
		show_task(w, task, level, maps, out);
		if (task->first) {
			task = task->first;
			level++;
			continue;
		}
		while (task != &t->top && !task->next) {
			task = task->above;
			level--;
		}
		task = task == &t->top ? NULL : task->next;
	}
}

int tasks_show(const struct world *w, bool maps, struct out *out, struct err *err)
{
	struct tasks t = {0};
	int got = 0;

	tasks_collect(&t, w);
	for (size_t i = 0; i < t.n && !got; i++)
		got = list_up(&t, &t.at[i], err);
	if (!got) {
		buf_printf(&out->buf, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
		tasks_show_all(&t, w, maps, out);
	}
	free(t.at);
	idmap_release(&t.by_tid);
	return got;
}
