// SPDX-License-Identifier: MIT
#include "analysis/sched/map.h"

#include "analysis/sched/sched_args.h"

static void map_task_init(struct replay *rp, void *state, struct thread *of)
{
	struct sched_map_task *t = state;

	(void)rp;
	t->thread = of;
}

/* A to Z with one digit, then with the next; after Z9 they begin anew. */
static void map_name_task(struct sched_map *m, struct sched_map_task *t, const char *comm)
{
	if (!strcmp(comm, "swapper")) {
		memcpy(t->name, ". ", sizeof(t->name));
		return;
	}
	t->name[0] = m->letter;
	t->name[1] = m->digit;
	if (m->letter++ < 'Z')
		return;
	m->letter = 'A';
	m->digit = m->digit < '9' ? (char)(m->digit + 1) : '0';
}

static bool map_note_cpu(struct sched_map *m, uint32_t cpu)
{
	if (cpu >= m->runs.n)
		(void)vec_extend(&m->runs, cpu + 1 - m->runs.n);
	if (m->runs.at[cpu])
		return false;
	vec_add(&m->order, cpu);
	return true;
}

/* Notes that the row names what runs on all CPUs that are shown. */
static void map_resume(struct replay *rp, struct sched_map *m)
{
	for (uint32_t cpu = 0; cpu < m->runs.n; cpu++) {
		const struct sched_map_task *t = m->runs.at[cpu];
		struct sched_map_task *task = t ? replay_thread_state(rp, t->thread) : NULL;

		if (task && (!m->cpus->given || number_list_has(m->cpus, cpu)))
			task->named_anew = false;
	}
	m->left_out = false;
}

static int map_take_switch(struct replay *rp, const struct record *r, const void *v)
{
	struct sched_map *m = rp->ctx;
	const struct sched_switch *s = v;
	struct sched_map_task *next = replay_task_state(rp, (uint32_t)-1, (uint32_t)s->next_pid);
	const uint32_t cpu = r->sample.cpu;
	struct sched_map_row row = {.time = rp->time, .cpu = cpu, .next = next};
	enum sched_map_shown shown;

	if (!sched_has_cpu(rp, r))
		return REPLAY_GO;
	row.new_cpu = map_note_cpu(m, cpu);
	row.prev = m->runs.at[cpu];
	m->runs.at[cpu] = next;
	row.new_name = !next->name[0] || next->named_anew;
	/* on a CPU that is left out, the name is yet to be explained */
	next->named_anew = row.new_name && m->cpus->given && !number_list_has(m->cpus, cpu);
	if (!next->name[0])
		map_name_task(m, next, world_comm(rp->world, next->thread, WORLD_NOW));
	if (rp->time < m->times.start || rp->time > m->times.end) {
		next->named_anew |= row.new_name;
		m->left_out = true;
		return REPLAY_GO;
	}
	row.resumed = m->left_out;
	row.runs = m->runs.at;
	row.n_cpus = (uint32_t)m->runs.n;
	row.order = m->order.at;
	row.n_order = (uint32_t)m->order.n;
	shown = m->show(m->ctx, &row);
	if (row.resumed && shown == SCHED_MAP_NAMED)
		map_resume(rp, m);
	return shown == SCHED_MAP_STOP ? REPLAY_STOP : REPLAY_GO;
}

static int map_take_lost(struct replay *rp, const struct record *r)
{
	struct sched_map *m = rp->ctx;

	m->lost_events += r->lost.lost;
	m->lost_records++;
	return REPLAY_GO;
}

static int map_take_comm(struct replay *rp, const struct record *r)
{
	struct thread *t = replay_thread(rp, r->comm.pid, r->comm.tid);

	((struct sched_map_task *)replay_thread_state(rp, t))->named_anew = true;
	return REPLAY_GO;
}

static const struct replay_tracepoint map_tracepoints[] = {
	{"sched:sched_switch", sched_switch_next, sizeof(struct sched_switch), map_take_switch,
	 .brief = REPLAY_BRIEF_CHAINS},
	{0},
};

static const struct replay_handler map_handlers[] = {
	{RECORD_COMM, map_take_comm}, {RECORD_LOST, map_take_lost}, {0}};

static const struct replay_analysis map_analysis = {
	.handlers = map_handlers,
	.tracepoints = map_tracepoints,
	.thread = {.size = sizeof(struct sched_map_task), .keep = true, .init = map_task_init},
};

int sched_map_read(struct sched_map *m, struct recording *rec, struct world *world,
		   enum sched_map_shown (*show)(void *ctx, const struct sched_map_row *row),
		   void *ctx, struct err *err)
{
	struct replay rp;
	int failed;

	m->show = show;
	m->ctx = ctx;
	if (!m->times.end)
		m->times.end = UINT64_MAX;
	m->letter = 'A';
	m->digit = '0';
	world_present_only(world);
	world_without_maps(world);
	replay_init(&rp, rec, world, &map_analysis, m);
	failed = replay_run(&rp, err);
	m->records = rp.records;
	replay_release(&rp);
	return failed;
}

void sched_map_release(struct sched_map *m)
{
	vec_release(&m->runs);
	vec_release(&m->order);
}
