// SPDX-License-Identifier: MIT
#include "world/replay/bound.h"

#include "world/state.h"

bool replay_switched_off(struct replay_switches *s, const struct event *ev)
{
	if (s->on && s->discarding) {
		if (ev != s->on)
			return true;
		s->discarding = false;
		return !s->show;
	}
	if (s->off && !s->discarding && ev == s->off) {
		s->discarding = true;
		return !s->show;
	}
	return false;
}

static int switch_find(const struct event_set *set, const char *name, const char *which,
		       const struct event **ev, struct err *err)
{
	*ev = name ? event_set_find_name(set, name) : NULL;
	if (*ev || !name)
		return 0;
	err_set(err, ERR_INPUT, "ERROR: switch-%s event not found (%s)", which, name);
	return err_hint(err, "HINT:  use 'perf evlist' to see the available event names");
}

int replay_switches_find(struct replay_switches *s, const struct event_set *set, const char *on,
			 const char *off, struct err *err)
{
	if (switch_find(set, on, "on", &s->on, err) || switch_find(set, off, "off", &s->off, err))
		return -1;
	s->discarding = s->on != NULL;
	return 0;
}

void replay_init_live(struct replay *rp, struct measurement *m, struct world *world,
		      const struct replay_analysis *how, void *ctx)
{
	*rp = (struct replay){.m = m,
			      .world = world,
			      .how = how,
			      .recent = world ? world_recent(world) : NULL,
			      .ctx = ctx,
			      .reading.mode = SOURCE_ORDERED,
			      .threads = {.how = &how->thread},
			      .cpus = {.how = &how->cpu},
			      .processes = {.how = &how->process}};
	for (size_t i = 0; i < RECORD_TOOL_MAX; i++)
		rp->by_type[i] = how->any;
	for (const struct replay_handler *h = how->handlers; h && h->take; h++)
		rp->by_type[h->type] = h->take;
}

void replay_init(struct replay *rp, struct recording *rec, struct world *world,
		 const struct replay_analysis *how, void *ctx)
{
	replay_init_live(rp, &rec->m, world, how, ctx);
	rp->rec = rec;
}

void replay_release(struct replay *rp)
{
	replay_states_release(&rp->threads);
	replay_states_release(&rp->cpus);
	replay_states_release(&rp->processes);
	replay_bound_release(rp);
	source_free(rp->src);
	*rp = (struct replay){0};
}

/* True when the source may drop samples outside the filter's times, since no switch has to see
 * them. */
static bool can_skip_times(const struct replay *rp)
{
	return rp->filter && rp->filter->times_given && !rp->switches.on && !rp->switches.off;
}

uint64_t replay_damage_seen(const struct losses *l)
{
	return l->kind[LOSS_CORRUPT].times + l->kind[LOSS_SKIPPED_BYTES].times +
	       l->kind[LOSS_DECOMPRESS].times + l->kind[LOSS_CHECKSUM].times;
}

struct source *replay_open(struct replay *rp, struct err *err)
{
	rp->err = err;
	rp->damage = replay_damage_seen(&rp->m->losses);
	if (can_skip_times(rp))
		rp->reading.times = filter_source_times(rp->filter);
	if (!rp->by_type[RECORD_FINISHED_ROUND])
		rp->reading.without_rounds = true;
	rp->src = source_open(rp->rec, &rp->reading, err);
	return rp->src;
}

static bool filter_has_thread(struct replay *rp, const struct sample *s)
{
	const struct filter *f = rp->filter;
	const struct thread *t;

	if (!f->pids.given && !f->tids.given && !f->comms.given)
		return true;
	t = replay_thread(rp, s->pid, s->tid);
	return (!f->pids.given || number_list_has(&f->pids, t->pid)) &&
	       (!f->tids.given || number_list_has(&f->tids, t->tid)) &&
	       (!f->comms.given || name_list_has(&f->comms, world_comm(rp->world, t, WORLD_NOW)));
}

bool replay_wants_sample(struct replay *rp, const struct record *r)
{
	const struct filter *f = rp->filter;
	const struct sample *s = &r->sample;

	/* a sample without a time is later than all times */
	if (f && (!filter_has_time(f, s->type & SAMPLE_TIME ? s->time : UINT64_MAX) ||
		  (f->cpus.given && s->type & SAMPLE_CPU && !number_list_has(&f->cpus, s->cpu)) ||
		  !filter_has_thread(rp, s)))
		return false;
	return !replay_switched_off(&rp->switches, r->event);
}

static int replay_sample(struct replay *rp, const struct record *r)
{
	const struct replay_bound *b = NULL;

	if ((rp->filter || rp->switches.on || rp->switches.off) && !replay_wants_sample(rp, r))
		return REPLAY_GO;
	if (rp->how->tracepoints && r->event) {
		b = replay_bound_of(rp, r->event);
		if (!b)
			return -1;
		if (b->row)
			return replay_bound_take(rp, b, r);
	}
	return rp->by_type[RECORD_SAMPLE] ? rp->by_type[RECORD_SAMPLE](rp, r) : REPLAY_GO;
}

/* A fork may give the tid to another task: the state of the task that had it ends. */
static void replay_fork(struct replay *rp, const struct record *r)
{
	const struct thread *old = thread_latest(rp->world, r->task.tid);

	world_add(rp->world, r, rp->time);
	rp->tasks[r->task.tid % REPLAY_TASKS].state = NULL;
	rp->tasks[r->task.ptid % REPLAY_TASKS].state = NULL;
	if (!old || old == thread_latest(rp->world, r->task.tid))
		return;
	replay_end_state(rp, &rp->threads, old->index);
	if (old->process && old->pid == old->tid)
		replay_end_state(rp, &rp->processes, old->process->index);
}

static void replay_tell_world(struct replay *rp, const struct record *r)
{
	if (r->header.type == RECORD_FORK)
		replay_fork(rp, r);
	else
		world_add(rp->world, r, rp->time);
}

static void replay_tell_losses(struct replay *rp, const struct record *r)
{
	const uint64_t damage = replay_damage_seen(&rp->m->losses);
	struct replay_loss loss = {.time = rp->time, .cpu = REPLAY_ALL_CPUS};

	if (damage != rp->damage) {
		rp->damage = damage;
		rp->how->lost(rp, &loss);
	}
	if (r->header.type != RECORD_LOST && r->header.type != RECORD_LOST_SAMPLES)
		return;
	loss.events = r->header.type == RECORD_LOST ? r->lost.lost : r->lost_samples.lost;
	if (r->id.has & SAMPLE_CPU && r->id.cpu < REPLAY_CPUS_MAX)
		loss.cpu = r->id.cpu;
	if (loss.events)
		rp->how->lost(rp, &loss);
}

int replay_add(struct replay *rp, const struct record *r)
{
	const uint32_t type = r->header.type;
	replay_record_fn take = type < RECORD_TOOL_MAX ? rp->by_type[type] : rp->how->any;

	rp->records++;
	rp->time = record_time(rp->m, r);
	if (rp->how->lost)
		replay_tell_losses(rp, r);
	if (type == RECORD_SAMPLE)
		return replay_sample(rp, r);
	if (rp->world)
		replay_tell_world(rp, r);
	return take ? take(rp, r) : REPLAY_GO;
}

void replay_end(struct replay *rp)
{
	replay_states_end(rp, &rp->threads);
	replay_states_end(rp, &rp->cpus);
	replay_states_end(rp, &rp->processes);
}

static int replay_run_raw(struct replay *rp, struct err *err)
{
	struct span span;
	int got;

	while ((got = source_next_span(rp->src, &span, err)) > 0) {
		rp->how->raw(rp, &span);
		span_release(&span);
	}
	return got;
}

/* True when samples may be taken several at once. Switches are looked at for each record. */
static bool replay_takes_batches(const struct replay *rp)
{
	return rp->src->ops->batch && !rp->switches.on && !rp->switches.off;
}

static bool replay_handles(void *ctx, const struct event *ev)
{
	struct replay *rp = ctx;
	const struct replay_bound *b = replay_bound_of(rp, ev);

	/* what is wrong with its fields is told when its first sample comes */
	return rp->by_type[RECORD_SAMPLE] || !b || b->row;
}

int replay_run(struct replay *rp, struct err *err)
{
	struct record r;
	int got = 0, stop;
	bool batches;

	if (rp->how->raw)
		rp->reading.mode = SOURCE_FILE_ORDER;
	if (!rp->src && !replay_open(rp, err))
		return -1;
	if (rp->how->raw)
		return replay_run_raw(rp, err);
	if (rp->filter && filter_wants_all_tasks(rp->filter))
		rp->filter = NULL;
	batches = replay_takes_batches(rp);
	if (batches)
		rp->src->ops->leave_out(rp->src, replay_handles, rp);
	do {
		stop = batches ? replay_take_batches(rp) : REPLAY_GO;
		if (stop)
			break;
		got = source_next(rp->src, &r, err);
		if (got > 0)
			stop = replay_add(rp, &r);
	} while (got > 0 && !stop);
	if (got < 0 || stop < 0)
		return -1;
	rp->records += rp->src->left_out;
	replay_end(rp);
	return 0;
}
