// SPDX-License-Identifier: MIT
#include "analysis/sched/latency.h"

#include "analysis/sched/sched_args.h"

enum latency_state { LATENCY_RUNS, LATENCY_SLEEPS, LATENCY_WAITS };

/* Of a task. */
struct latency_task {
	struct thread *thread;
	enum latency_state state;
	bool known;	/* it was switched, woken up or told to have run */
	bool uncertain; /* records were lost since it began to wait */
	uint64_t out_time, ready_time;
	uint64_t runtime_ns, switches, wait_ns, max_ns, max_start, max_end;
};

struct latency_cpu {
	bool known;
	int64_t runs; /* pid */
};

static void latency_task_init(struct replay *rp, void *state, struct thread *of)
{
	struct latency_task *t = state;

	(void)rp;
	t->thread = of;
}

/* The task, by a tid that a tracepoint names. It is ready in the moment when it is first heard of,
 * unless it sleeps. */
static inline struct latency_task *latency_task_of(struct replay *rp, int64_t pid, bool sleeps)
{
	struct latency_task *t = replay_task_state(rp, (uint32_t)-1, (uint32_t)pid);

	if (t->known)
		return t;
	t->known = true;
	t->state = sleeps ? LATENCY_SLEEPS : LATENCY_WAITS;
	t->out_time = rp->time;
	t->ready_time = rp->time;
	return t;
}

/* True when what ends for this task in this record is wanted. */
static bool latency_counts(const struct replay *rp, const struct latency_task *t,
			   const struct record *r)
{
	const struct sched_latency *l = rp->ctx;
	const struct filter *f = &l->opts->filter;

	return (!f->cpus.given || number_list_has(&f->cpus, r->sample.cpu)) &&
	       (!f->pids.given || number_list_has(&f->pids, t->thread->pid)) &&
	       (!f->tids.given || number_list_has(&f->tids, t->thread->tid)) &&
	       (!f->comms.given ||
		name_list_has(&f->comms, world_comm(rp->world, t->thread, WORLD_NOW))) &&
	       filter_has_time(f, rp->time);
}

static void latency_task_out(struct replay *rp, struct latency_task *t, uint64_t prev_state)
{
	t->known = true;
	t->uncertain = false;
	t->out_time = t->ready_time = rp->time;
	t->state = sched_state_runs(prev_state) ? LATENCY_WAITS : LATENCY_SLEEPS;
}

static void latency_task_in(struct replay *rp, struct latency_task *t, const struct record *r)
{
	struct sched_latency *l = rp->ctx;
	const uint64_t waited = rp->time - t->ready_time;
	const bool waits = t->state == LATENCY_WAITS;

	if (waits)
		t->state = LATENCY_RUNS;
	if (!waits || rp->time < t->ready_time || !(l->counts_all || latency_counts(rp, t, r)))
		return;
	if (l->opts->by_histogram && t->thread->tid)
		histogram_add(&l->waits, waited);
	t->wait_ns += waited;
	t->switches++;
	if (waited > t->max_ns) {
		t->max_ns = waited;
		t->max_start = t->ready_time;
		t->max_end = rp->time;
	}
	if (t->uncertain) {
		l->uncertain++;
		l->uncertain_ns += waited;
	}
}

static int latency_take_switch(struct replay *rp, const struct record *r, const void *v)
{
	struct sched_latency *l = rp->ctx;
	const struct sched_switch *s = v;
	struct latency_task *prev;
	struct latency_cpu *cpu;

	if (!sched_has_cpu(rp, r))
		return REPLAY_GO;
	prev = replay_task_state(rp, (uint32_t)-1, (uint32_t)s->prev_pid);
	cpu = replay_cpu_state(rp, r->sample.cpu);
	if (cpu->known && cpu->runs != s->prev_pid)
		l->wrong_switches++;
	*cpu = (struct latency_cpu){.known = true, .runs = s->next_pid};
	latency_task_out(rp, prev, s->prev_state);
	latency_task_in(rp, latency_task_of(rp, s->next_pid, false), r);
	return REPLAY_GO;
}

static int latency_take_wakeup(struct replay *rp, const struct record *r, const void *v)
{
	struct sched_latency *l = rp->ctx;
	const struct sched_wakeup *w = v;
	struct latency_task *t;

	(void)r;
	t = latency_task_of(rp, w->pid, true);
	/* a task that runs, or waits already, is woken up in vain */
	if (t->state != LATENCY_SLEEPS)
		return REPLAY_GO;
	l->wakeups++;
	if (t->out_time > rp->time) {
		l->unordered++;
		return REPLAY_GO;
	}
	t->state = LATENCY_WAITS;
	t->ready_time = rp->time;
	return REPLAY_GO;
}

static int latency_take_runtime(struct replay *rp, const struct record *r, const void *v)
{
	const struct sched_latency *l = rp->ctx;
	const struct sched_runtime *s = v;
	struct latency_task *t = latency_task_of(rp, s->pid, false);

	if (l->counts_all || latency_counts(rp, t, r))
		t->runtime_ns += s->runtime;
	return REPLAY_GO;
}

static int latency_take_lost(struct replay *rp, const struct record *r)
{
	struct sched_latency *l = rp->ctx;

	l->lost_events += r->lost.lost;
	l->lost_records++;
	return REPLAY_GO;
}

static void latency_lost(struct replay *rp, const struct replay_loss *loss)
{
	void *const *at;

	(void)loss; /* a wake-up may be on any CPU */
	for (size_t i = 0, n = replay_thread_states(rp, &at); i < n; i++)
		if (at[i])
			((struct latency_task *)at[i])->uncertain = true;
}

static const struct replay_tracepoint latency_tracepoints[] = {
	{"sched:sched_switch", sched_switch_numbers, sizeof(struct sched_switch),
	 latency_take_switch, .brief = REPLAY_BRIEF_CHAINS},
	{"sched:sched_stat_runtime", sched_runtime_fields, sizeof(struct sched_runtime),
	 latency_take_runtime, .brief = REPLAY_BRIEF_CHAINS},
	{"sched:sched_wakeup", sched_wakeup_fields, sizeof(struct sched_wakeup),
	 latency_take_wakeup, .unless = SCHED_WAKING, .brief = REPLAY_BRIEF_CHAINS},
	{SCHED_WAKING, sched_wakeup_fields, sizeof(struct sched_wakeup), latency_take_wakeup,
	 .brief = REPLAY_BRIEF_CHAINS},
	{"sched:sched_wakeup_new", sched_wakeup_fields, sizeof(struct sched_wakeup),
	 latency_take_wakeup, .brief = REPLAY_BRIEF_CHAINS},
	{0},
};

static const struct replay_handler latency_handlers[] = {{RECORD_LOST, latency_take_lost}, {0}};

static const struct replay_analysis latency_analysis = {
	.handlers = latency_handlers,
	.tracepoints = latency_tracepoints,
	.lost = latency_lost,
	.thread = {.size = sizeof(struct latency_task), .keep = true, .init = latency_task_init},
	.cpu = {.size = sizeof(struct latency_cpu)},
};

static const struct {
	const char *name;
	enum sched_latency_key key;
} latency_keys[] = {{"avg", LATENCY_AVG},
		    {"max", LATENCY_MAX},
		    {"switch", LATENCY_SWITCH},
		    {"runtime", LATENCY_RUNTIME},
		    {"pid", LATENCY_PID}};

static int sort_add(struct sched_latency_options *o, const char *name, size_t n, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(latency_keys); i++)
		if (strlen(latency_keys[i].name) == n && !strncmp(latency_keys[i].name, name, n)) {
			vec_add(&o->sort, latency_keys[i].key);
			return 0;
		}
	return err_set(err, ERR_USAGE, "Unknown --sort key: `%.*s'", (int)n, name);
}

int sched_latency_sort_parse(struct sched_latency_options *o, const char *text, struct err *err)
{
	for (size_t n; *text; text += n) {
		text += strspn(text, ", ");
		n = strcspn(text, ", ");
		if (n && sort_add(o, text, n, err))
			return -1;
	}
	return 0;
}

static int latency_compare_numbers(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int latency_compare_key(enum sched_latency_key key, const struct sched_latency_row *a,
			       const struct sched_latency_row *b)
{
	switch (key) {
	case LATENCY_AVG:
		return latency_compare_numbers(a->wait_ns / a->switches, b->wait_ns / b->switches);
	case LATENCY_MAX:
		return latency_compare_numbers(a->max_ns, b->max_ns);
	case LATENCY_SWITCH:
		return latency_compare_numbers(a->switches, b->switches);
	case LATENCY_RUNTIME:
		return latency_compare_numbers(a->runtime_ns, b->runtime_ns);
	case LATENCY_PID:
	default:
		return (a->tid < b->tid) - (a->tid > b->tid);
	}
}

static int latency_compare(const void *a, const void *b, void *ctx)
{
	const struct sched_latency_options *o = ctx;
	int got = 0;

	for (size_t i = 0; i < o->sort.n && !got; i++)
		got = latency_compare_key(o->sort.at[i], a, b);
	return got;
}

/* Rows that are equal stay as they come: the greatest tid, or the last name, first. */
static int latency_compare_tids(const void *a, const void *b, void *ctx)
{
	(void)ctx;
	return latency_compare_key(LATENCY_PID, a, b);
}

static int latency_compare_comms(const void *a, const void *b, void *ctx)
{
	(void)ctx;
	return strcmp(((const struct sched_latency_row *)b)->comm,
		      ((const struct sched_latency_row *)a)->comm);
}

/* Stable, as qsort_r need not be. */
static void latency_sort(struct sched_latency *l,
			 int (*compare)(const void *, const void *, void *))
{
	struct sched_latency_row *from = l->rows.at, *to = mem_alloc((l->rows.n + 1) * sizeof(*to)),
				 *swap;
	struct sched_latency_row *const room = to;
	const size_t n = l->rows.n;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t at = 0; at < n; at += 2 * width) {
			const size_t middle = MIN(at + width, n), end = MIN(at + 2 * width, n);
			size_t a = at, b = middle;

			for (size_t i = at; i < end; i++)
				to[i] = a < middle && (b == end || compare(&from[a], &from[b],
									   (void *)l->opts) <= 0)
						? from[a++]
						: from[b++];
		}
		swap = from;
		from = to;
		to = swap;
	}
	if (from == room)
		memcpy(l->rows.at, from, n * sizeof(*from));
	free(room);
}

static void latency_merge_comms(struct sched_latency *l)
{
	size_t kept = 0;

	latency_sort(l, latency_compare_comms);
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct sched_latency_row *row = &l->rows.at[i];
		struct sched_latency_row *to = kept ? &l->rows.at[kept - 1] : NULL;

		if (!to || strcmp(to->comm, row->comm)) {
			l->rows.at[kept++] = *row;
			continue;
		}
		to->tasks++;
		to->runtime_ns += row->runtime_ns;
		to->switches += row->switches;
		to->wait_ns += row->wait_ns;
		if (to->max_ns < row->max_ns) {
			to->max_ns = row->max_ns;
			to->max_start = row->max_start;
			to->max_end = row->max_end;
		}
	}
	l->rows.n = kept;
}

static void latency_gather(struct sched_latency *l, const struct replay *rp)
{
	void *const *at;

	for (size_t i = 0, n = replay_thread_states(rp, &at); i < n; i++) {
		const struct latency_task *t = at[i];

		if (!t || !t->known)
			continue;
		vec_add(&l->rows, (struct sched_latency_row){
					  .comm = world_comm(rp->world, t->thread, WORLD_NOW),
					  .tid = (int32_t)t->thread->tid,
					  .tasks = 1,
					  .runtime_ns = t->runtime_ns,
					  .switches = t->switches,
					  .wait_ns = t->wait_ns,
					  .max_ns = t->max_ns,
					  .max_start = t->max_start,
					  .max_end = t->max_end});
	}
	latency_sort(l, latency_compare_tids);
}

static void latency_drop_empty(struct sched_latency *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->rows.n; i++) {
		if (!l->rows.at[i].switches || !strcmp(l->rows.at[i].comm, "swapper"))
			continue;
		l->runtime_ns += l->rows.at[i].runtime_ns;
		l->switches += l->rows.at[i].switches;
		l->rows.at[kept++] = l->rows.at[i];
	}
	l->rows.n = kept;
}

void sched_latency_init(struct sched_latency *l, const struct sched_latency_options *opts)
{
	*l = (struct sched_latency){.opts = opts,
				    .counts_all = filter_wants_all_tasks(&opts->filter)};
}

int sched_latency_read(struct sched_latency *l, struct recording *rec, struct world *world,
		       struct err *err)
{
	struct replay rp;
	int failed;

	world_present_only(world);
	world_without_maps(world);
	replay_init(&rp, rec, world, &latency_analysis, l);
	failed = replay_run(&rp, err);
	l->records = rp.records;
	if (!failed)
		latency_gather(l, &rp);
	replay_release(&rp);
	if (failed)
		return -1;
	if (!l->opts->by_task)
		latency_merge_comms(l);
	latency_drop_empty(l);
	latency_sort(l, latency_compare);
	return 0;
}

void sched_latency_release(struct sched_latency *l)
{
	histogram_release(&l->waits);
	vec_release(&l->rows);
}
