// SPDX-License-Identifier: MIT
#include "analysis/moments.h"

#include "event/print/tp_text.h"
#include "world/replay/replay.h"

struct switch_args {
	int64_t prev_pid, prev_prio, prev_state, next_pid, next_prio;
	struct replay_bytes prev_comm, next_comm;
};

static const struct replay_field switch_fields[] = {
	{"prev_comm", REPLAY_TEXT, offsetof(struct switch_args, prev_comm), .optional = true},
	{"prev_pid", REPLAY_S64, offsetof(struct switch_args, prev_pid)},
	{"prev_prio", REPLAY_S64, offsetof(struct switch_args, prev_prio), .optional = true},
	{"prev_state", REPLAY_S64, offsetof(struct switch_args, prev_state), .optional = true},
	{"next_comm", REPLAY_TEXT, offsetof(struct switch_args, next_comm), .optional = true},
	{"next_pid", REPLAY_S64, offsetof(struct switch_args, next_pid)},
	{"next_prio", REPLAY_S64, offsetof(struct switch_args, next_prio), .optional = true},
	{0}};

/* Tasks on CPUs from there on are not followed. */
#define CPUS_MAX 65536

struct moments_reading {
	struct moments *m;
	const struct filter *filter;
	bool from_tracepoints; /* switches are those of sched:sched_switch, which has each */
	struct idmap tids;     /* of .only */
	struct idmap comms;    /* tid -> its comm in the moments' texts, by side-band */
	bool picks_tids;
	struct tp_text *text;
	struct buf buf;
	VEC(struct on_cpu {
		bool known;
		uint32_t tid;
		uint64_t since;
	})
	cpus;
};

static bool has_tid(const struct moments_reading *r, uint32_t pid, uint32_t tid)
{
	const struct filter *f = r->filter;

	if (r->picks_tids && idmap_find(&r->tids, tid) == HASH_NONE)
		return false;
	return !f || ((!f->tids.given || number_list_has(&f->tids, tid)) &&
		      (!f->pids.given || pid == UINT32_MAX || number_list_has(&f->pids, pid)));
}

static bool has_cpu(const struct moments_reading *r, int32_t cpu)
{
	return !r->filter || !r->filter->cpus.given || cpu < 0 ||
	       number_list_has(&r->filter->cpus, (uint64_t)cpu);
}

static bool has_time(const struct moments_reading *r, uint64_t time)
{
	return !r->filter || filter_has_time(r->filter, time);
}

static void moments_cover(struct moments *m, uint64_t time)
{
	m->first = MIN(m->first, time);
}

/* -- switches -- */

static void moments_add_run(struct moments_reading *r, const struct moment_switch *s)
{
	const uint32_t comm = idmap_find(&r->comms, s->prev_tid);
	struct moment_run run = {
		.to = s->time, .pid = s->prev_pid, .cpu = s->cpu, .preempted = !s->prev_state};
	struct on_cpu *on;

	if (s->cpu < 0 || s->cpu >= CPUS_MAX)
		return;
	while (r->cpus.n <= (size_t)s->cpu)
		vec_add(&r->cpus, (struct on_cpu){0});
	on = &r->cpus.at[s->cpu];
	if (!run.pid) /* of another pid namespace */
		run.pid = UINT32_MAX;
	run.from = on->since;
	run.tid = on->tid;
	run.comm =
		*s->prev_comm || comm == HASH_NONE ? s->prev_comm : intern_text(&r->m->texts, comm);
	if (on->known && on->tid && on->tid == s->prev_tid && on->since <= s->time &&
	    has_tid(r, UINT32_MAX, on->tid))
		vec_add(&r->m->runs, run);
	*on = (struct on_cpu){true, s->next_tid, s->time};
}

static void moments_add_switch(struct moments_reading *r, const struct moment_switch *s)
{
	if (!has_cpu(r, s->cpu) || !has_time(r, s->time))
		return;
	vec_add(&r->m->switches, *s);
	moments_cover(r->m, s->time);
	moments_add_run(r, s);
}

static const char *moments_text(struct moments *m, const char *p, size_t n)
{
	return n ? intern_text(&m->texts, intern_put(&m->texts, p, n)) : "";
}

static int moments_take_tracepoint(struct replay *rp, const struct record *rec, const void *v)
{
	struct moments_reading *r = rp->ctx;
	const struct switch_args *a = v;

	moments_add_switch(r,
			   &(struct moment_switch){
				   .time = rp->time,
				   .cpu = rec->id.has & SAMPLE_CPU ? (int32_t)rec->id.cpu : -1,
				   .prev_pid = rec->id.has & SAMPLE_TID ? rec->id.pid : UINT32_MAX,
				   .prev_tid = (uint32_t)a->prev_pid,
				   .next_tid = (uint32_t)a->next_pid,
				   .prev_prio = (int32_t)a->prev_prio,
				   .next_prio = (int32_t)a->next_prio,
				   .prev_state = (uint64_t)a->prev_state,
				   .prev_comm = moments_text(r->m, a->prev_comm.at, a->prev_comm.n),
				   .next_comm = moments_text(r->m, a->next_comm.at, a->next_comm.n),
			   });
	return REPLAY_GO;
}

/* The kernel's own records come in pairs, one of the task that leaves and one of the task that
 * comes; system-wide ones name both tasks, so that the first of a pair is enough. */
static int moments_take_switch(struct replay *rp, const struct record *rec)
{
	struct moments_reading *r = rp->ctx;
	const bool out = rec->header.misc & MISC_SWITCH_OUT;
	struct moment_switch s = {.time = rp->time,
				  .cpu = -1,
				  .prev_pid = out ? rec->id.pid : UINT32_MAX,
				  .prev_comm = "",
				  .next_comm = ""};

	if (r->from_tracepoints || !(rec->id.has & SAMPLE_TID))
		return REPLAY_GO;
	if (rec->header.type == RECORD_SWITCH_CPU_WIDE && !out)
		return REPLAY_GO;
	if (rec->id.has & SAMPLE_CPU)
		s.cpu = (int32_t)rec->id.cpu;
	*(out ? &s.prev_tid : &s.next_tid) = rec->id.tid;
	if (rec->header.type == RECORD_SWITCH_CPU_WIDE)
		s.next_tid = rec->context_switch.next_prev_tid;
	if (out && !(rec->header.misc & MISC_SWITCH_PREEMPT))
		s.prev_state = 1; /* TASK_INTERRUPTIBLE: the record only says that it waits */
	moments_add_switch(r, &s);
	return REPLAY_GO;
}

/* -- names of tasks that no sample tells of -- */

static int moments_take_comm(struct replay *rp, const struct record *rec)
{
	struct moments_reading *r = rp->ctx;
	const char *comm = rec->comm.comm;

	*idmap_put(&r->comms, rec->comm.tid) = intern_str(&r->m->texts, comm);
	return REPLAY_GO;
}

static int moments_take_fork(struct replay *rp, const struct record *rec)
{
	struct moments_reading *r = rp->ctx;
	const uint32_t comm = idmap_find(&r->comms, rec->task.ptid);

	if (comm != HASH_NONE)
		*idmap_put(&r->comms, rec->task.tid) = comm;
	return REPLAY_GO;
}

/* -- the rest -- */

static int moments_take_sample(struct replay *rp, const struct record *rec)
{
	struct moments_reading *r = rp->ctx;
	const struct sample *s = &rec->sample;
	struct moment_event e = {.time = rp->time, .pid = s->pid, .tid = s->tid, .cpu = -1};

	if (!rec->event || rec->event->attr.type != TYPE_TRACEPOINT)
		return REPLAY_GO;
	if (s->type & SAMPLE_CPU)
		e.cpu = (int32_t)s->cpu;
	if (!has_cpu(r, e.cpu) || !has_time(r, e.time) || !has_tid(r, e.pid, e.tid))
		return REPLAY_GO;
	buf_clear(&r->buf);
	tp_text_show(r->text, (uint32_t)rec->event->attr.config, s->raw, s->raw_size, s->cpu,
		     &r->buf);
	e.text = moments_text(r->m, r->buf.at, r->buf.n);
	for (size_t i = 0; i < rp->rec->m.events.events.n; i++)
		if (rp->rec->m.events.events.at[i] == rec->event)
			e.event = (uint32_t)i;
	vec_add(&r->m->events, e);
	moments_cover(r->m, e.time);
	return REPLAY_GO;
}

static void moments_take_loss(struct replay *rp, const struct replay_loss *loss)
{
	struct moments_reading *r = rp->ctx;
	const int32_t cpu = loss->cpu == REPLAY_ALL_CPUS ? -1 : (int32_t)loss->cpu;

	if (!loss->time || !has_cpu(r, cpu) || !has_time(r, loss->time))
		return;
	vec_add(&r->m->losses, (struct moment_loss){loss->time, loss->events, cpu});
	moments_cover(r->m, loss->time);
}

static bool has_switch_tracepoint(const struct recording *rec)
{
	const struct event *ev = event_set_find_name(&rec->m.events, "sched:sched_switch");

	return ev && attr_records_each(&ev->attr);
}

static bool has_tracepoints(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		if (rec->m.events.events.at[i]->attr.type == TYPE_TRACEPOINT)
			return true;
	return false;
}

int moments_read(struct moments *m, struct recording *rec, const struct filter *filter,
		 const struct stacks *only, struct err *err)
{
	static const struct replay_tracepoint tracepoints[] = {{"sched:sched_switch", switch_fields,
								sizeof(struct switch_args),
								moments_take_tracepoint},
							       {0}};
	static const struct replay_handler handlers[] = {
		{RECORD_SAMPLE, moments_take_sample},
		{RECORD_COMM, moments_take_comm},
		{RECORD_FORK, moments_take_fork},
		{RECORD_SWITCH, moments_take_switch},
		{RECORD_SWITCH_CPU_WIDE, moments_take_switch},
		{0}};
	struct moments_reading r = {.m = m,
				    .filter = filter,
				    .from_tracepoints = has_switch_tracepoint(rec),
				    .picks_tids = only != NULL};
	/* Between two switches of a sampled event may have been others: those are plain events. */
	const struct replay_analysis analysis = {.handlers = handlers,
						 .tracepoints =
							 r.from_tracepoints ? tracepoints : NULL,
						 .lost = moments_take_loss};
	const bool samples = has_tracepoints(rec);
	struct replay rp;
	int failed;

	*m = (struct moments){.first = UINT64_MAX};
	for (size_t i = 0; only && i < only->threads.n; i++)
		*idmap_put(&r.tids, only->threads.at[i].tid) = 1;
	r.text = tp_text_new(&rec->m.formats, &(struct tp_text_options){0});
	replay_init(&rp, rec, NULL, &analysis, &r);
	rp.reading.mode = samples ? SOURCE_ORDERED : SOURCE_SIDE_BAND;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	tp_text_free(r.text);
	idmap_release(&r.tids);
	idmap_release(&r.comms);
	buf_release(&r.buf);
	vec_release(&r.cpus);
	return failed;
}

void moments_release(struct moments *m)
{
	vec_release(&m->events);
	vec_release(&m->switches);
	vec_release(&m->runs);
	vec_release(&m->losses);
	intern_release(&m->texts);
	*m = (struct moments){0};
}
