// SPDX-License-Identifier: MIT
#include "world/state.h"

#include <stdio.h>

#define NO_PID ((uint32_t)-1)

static struct process *process_new(struct world *w, uint32_t pid)
{
	struct process *p = arena_alloc(&w->arena, sizeof(*p));

	p->pid = pid;
	p->index = (uint32_t)w->processes.n;
	p->gen = ++w->gen;
	p->epoch = NO_EPOCH;
	vec_add(&w->processes, p);
	return p;
}

struct map_version *process_change(struct world *w, struct process *p, uint64_t time)
{
	const uint32_t epoch = p->epoch;

	p->epoch = NO_EPOCH;
	if (!p->versions.n) {
		vec_add(&p->versions, (struct map_version){.time = time});
	} else if (!w->present_only && vec_last(&p->versions)->time < time) {
		struct map_version next = {.time = time,
					   .root = vec_last(&p->versions)->root,
					   .code = vec_last(&p->versions)->code};

		vec_last(&p->versions)->epoch = epoch == NO_EPOCH ? 0 : epoch;
		vec_add(&p->versions, next);
		p->gen = ++w->gen;
	}
	vec_last(&p->versions)->text = ++w->texts;
	return vec_last(&p->versions);
}

struct thread *thread_latest(const struct world *w, uint32_t tid)
{
	struct thread *t = w->recent[tid % WORLD_RECENT];
	uint32_t i;

	if (t && t->tid == tid)
		return t;
	i = idmap_find(&w->by_tid, tid);
	return i == HASH_NONE ? NULL : w->threads.at[i];
}

struct thread *thread_make(struct world *w, uint32_t pid, uint32_t tid, uint64_t born)
{
	struct thread *t = arena_alloc(&w->arena, sizeof(*t));
	char name[16];

	snprintf(name, sizeof(name), ":%d", (int32_t)tid);
	t->unnamed = intern_str(&w->comms, name);
	t->pid = pid;
	t->tid = tid;
	t->ppid = NO_PID;
	t->index = (uint32_t)w->threads.n;
	t->born = born;
	t->died = UINT64_MAX;
	vec_add(&w->threads, t);
	return t;
}

static void join_process(struct world *w, struct thread *t)
{
	if (t->pid == t->tid || t->pid == NO_PID)
		t->process = process_new(w, t->pid);
	else
		t->process = thread_get(w, t->pid, t->pid)->process;
}

/* Makes a thread, which becomes the latest of its tid. */
static struct thread *thread_new(struct world *w, uint32_t pid, uint32_t tid, uint64_t born)
{
	struct thread *older = w->present_only ? NULL : thread_latest(w, tid),
		      *t = thread_make(w, pid, tid, born);

	t->older = older;
	*idmap_put(&w->by_tid, tid) = t->index;
	w->recent[tid % WORLD_RECENT] = t;
	join_process(w, t);
	return t;
}

/* A thread that was known by its tid alone learns its pid, and with it whose maps it shares. */
static void learn_pid(struct world *w, struct thread *t, uint32_t pid)
{
	t->pid = pid;
	if (pid != t->tid)
		t->process = thread_get(w, pid, pid)->process;
	else
		t->process->pid = pid;
}

struct thread *thread_get(struct world *w, uint32_t pid, uint32_t tid)
{
	struct thread *t = thread_latest(w, tid);

	if (!t)
		return thread_new(w, pid, tid, 0);
	if (t->pid != pid && t->pid == NO_PID)
		learn_pid(w, t, pid);
	return t;
}

void thread_name(struct world *w, struct thread *t, const char *comm, uint64_t time, bool exec)
{
	AUTO_BUF safe = {0};
	struct comm_span span = {.time = time, .exec = exec};

	if (!text_is_safe(comm, strlen(comm))) {
		buf_safe(&safe, comm);
		comm = buf_text(&safe);
	}
	span.comm = intern_str(&w->comms, comm);
	/* a repeated name changes nothing */
	if (t->comms.n && !exec && vec_last(&t->comms)->comm == span.comm &&
	    vec_last(&t->comms)->time <= time)
		return;
	if (w->present_only)
		vec_clear(&t->comms);
	vec_add(&t->comms, span);
}

/* The record's own time, which may be before the time at which it takes effect; 0: it has none. */
static uint64_t clock_time(const struct world *w, const struct record *r)
{
	const bool told =
		w->m->sample_id_all && r->id.has & SAMPLE_TIME && r->id.time != UINT64_MAX;

	return told ? r->id.time : 0;
}

void world_add_comm(struct world *w, const struct record *r, uint64_t time)
{
	struct thread *t = thread_get(w, r->comm.pid, r->comm.tid);
	const bool exec = r->header.misc & MISC_COMM_EXEC;

	thread_name(w, t, r->comm.comm, time, exec);
	if (exec)
		t->begun = clock_time(w, r);
}

static struct map_node *current_root(const struct process *p)
{
	return p->versions.n ? vec_last(&p->versions)->root : NULL;
}

static void copy_maps(struct world *w, struct process *to, struct process *from, uint64_t time)
{
	struct map_version *v;

	if (to == from || !current_root(from) || current_root(to) || (!from->pid && w->outside))
		return;
	jit_advance(w, from, time);
	v = process_change(w, to, time);
	v->root = current_root(from);
	v->code = vec_last(&from->versions)->code;
	v->text = vec_last(&from->versions)->text;
	/* the two share nodes: each must copy what it changes */
	to->gen = ++w->gen;
	from->gen = ++w->gen;
}

void world_add_fork(struct world *w, const struct record *r, uint64_t time)
{
	const struct rec_task *f = &r->task;
	struct thread *old = thread_latest(w, f->tid), *parent, *t;

	if (old && old->pid != f->pid && old->pid == NO_PID)
		learn_pid(w, old, f->pid);
	parent = thread_get(w, f->ppid, f->ptid);
	/* the tid is that of an older thread, whose EXIT is missing */
	if (parent->pid != f->ppid)
		parent = thread_new(w, f->ppid, f->ptid, time);
	t = thread_new(w, f->pid, f->tid, time);
	t->forked = true;
	t->begun = clock_time(w, r);
	t->ppid = parent->tid;
	if (parent->comms.n) {
		uint32_t comm = vec_last(&parent->comms)->comm;

		vec_add(&t->comms, (struct comm_span){.time = time, .comm = comm});
	}
	/* a synthesized FORK has MMAP records of its own after it */
	if (t->pid != parent->pid && !(r->header.misc & MISC_FORK_EXEC))
		copy_maps(w, t->process, parent->process, time);
}

void world_add_exit(struct world *w, const struct record *r, uint64_t time)
{
	struct thread *t = thread_latest(w, r->task.tid);

	/* pid 0: known by a wakeup alone, which names no process */
	if (t && (t->pid == r->task.pid || !t->pid))
		t->died = time;
}

void world_add_namespaces(struct world *w, const struct record *r, uint64_t time)
{
	struct thread *t = thread_get(w, r->namespaces.pid, r->namespaces.tid);
	struct namespaces ns = {.time = time};
	const uint8_t *p = r->namespaces.links;
	const uint32_t max = ARRAY_SIZE(ns.dev);

	ns.n = r->namespaces.nr < max ? (uint32_t)r->namespaces.nr : max;
	for (uint32_t i = 0; i < ns.n; i++, p += 16) {
		memcpy(&ns.dev[i], p, 8);
		memcpy(&ns.ino[i], p + 8, 8);
	}
	if (w->present_only)
		vec_clear(&t->namespaces);
	vec_add(&t->namespaces, ns);
}

struct thread *world_thread(struct world *w, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct thread *t;

	if (!w->sealed && (time == WORLD_NOW || w->present_only)) {
		t = thread_get(w, pid, tid);
		w->recent[tid % WORLD_RECENT] = t;
		return t;
	}
	t = thread_latest(w, tid);
	if (!t)
		return w->sealed ? NULL : thread_get(w, pid, tid);
	while (t->born > time && t->older)
		t = t->older;
	return t;
}

struct thread *const *world_recent(const struct world *w)
{
	return w->recent;
}

/* How many names the thread had got by that time. */
static size_t comms_by(const struct thread *t, uint64_t time)
{
	size_t n = t->comms.n;

	while (n && t->comms.at[n - 1].time > time)
		n--;
	return n;
}

void world_add_seen(struct world *w, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct thread *t = thread_get(w, pid, tid);

	while (t->older)
		t = t->older;
	if (!t->forked || t->born <= time)
		return;
	t->older = thread_make(w, pid, tid, 0);
	join_process(w, t->older);
}

void thread_state_who(const struct world *w, uint32_t tid, uint64_t time, struct thread_state *s)
{
	struct thread *t = thread_latest(w, tid);

	s->from = 0;
	s->to = UINT64_MAX;
	while (t && t->born > time && t->older) {
		s->to = t->born - 1;
		t = t->older;
	}
	s->thread = t;
	if (!t)
		return;
	/* the answers before its birth may differ from those after it */
	if (t->born > time)
		s->to = MIN(s->to, t->born - 1);
	else
		s->from = t->born;
}

void thread_state_comm(const struct world *w, uint64_t time, struct thread_state *s)
{
	const struct thread *t = s->thread;
	size_t n = comms_by(t, time);

	s->comm = world_comm_id(w, t, time);
	if (n)
		s->from = MAX(s->from, t->comms.at[n - 1].time);
	if (n < t->comms.n)
		s->to = MIN(s->to, t->comms.at[n].time - 1);
}

bool world_comm_holds(const struct thread *t, uint64_t from, uint64_t to)
{
	return comms_by(t, from) == comms_by(t, to) && (from < t->born) == (to < t->born);
}

uint32_t world_comm_id(const struct world *w, const struct thread *t, uint64_t time)
{
	size_t n = comms_by(t, time);

	(void)w;
	if (n)
		return t->comms.at[n - 1].comm;
	/* the first known name also holds for the time before it, but not before a fork */
	return t->comms.n && !(t->forked && time < t->born) ? t->comms.at[0].comm : t->unnamed;
}

uint32_t world_comm_learnt(const struct thread *t, uint32_t comm_id)
{
	return comm_id == t->unnamed && t->comms.n ? t->comms.at[0].comm : comm_id;
}

const char *world_comm_text(const struct world *w, uint32_t comm_id)
{
	return intern_text(&w->comms, comm_id);
}

const char *world_comm(const struct world *w, const struct thread *t, uint64_t time)
{
	return world_comm_text(w, world_comm_id(w, t, time));
}

const struct namespaces *world_namespaces(const struct thread *t, uint64_t time)
{
	size_t n = t->namespaces.n;

	while (n && t->namespaces.at[n - 1].time > time)
		n--;
	return n ? &t->namespaces.at[n - 1] : NULL;
}

size_t world_threads(const struct world *w, struct thread *const **threads)
{
	*threads = w->threads.at;
	return w->threads.n;
}
