// SPDX-License-Identifier: MIT
#include "analysis/durations/durations.h"

#include "analysis/durations/durations_private.h"
#include "probe/function_probes.h"

struct durations_reading {
	struct durations *d;
	uint64_t last; /* ns */
};

/* Calls deeper in a recursion keep no stack: the slowest calls are the outer ones. */
#define STACKS_DEPTH 256
/* bytes: stack pointers that are farther apart are of two stacks */
#define STACK_MOST (64ull << 20)

struct durations *durations_of(struct replay *rp)
{
	return ((struct durations_reading *)rp->ctx)->d;
}

static void durations_see_record(struct replay *rp)
{
	struct durations_reading *reading = rp->ctx;

	if (!rp->time)
		return;
	if (!reading->d->begin)
		reading->d->begin = rp->time;
	reading->last = MAX(reading->last, rp->time);
}

/* -- functions -- */

/* The length of a name without ".cold" and what follows: a cold part belongs to its function. */
static size_t function_name_length(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold ? (size_t)(cold - name) : strlen(name);
}

static uint32_t function_add(struct durations *d, const struct place *place,
			     const struct symbol *sym, uint64_t ip)
{
	AUTO_BUF key = {0};
	uint32_t id;

	/* the raw name: functions that differ in their parameters are shown alike */
	buf_printf(&key, "%u ", place->dso ? place->dso->index : UINT32_MAX);
	if (sym)
		buf_add(&key, sym->name, function_name_length(sym->name));
	else
		buf_printf(&key, "[%llx]", (unsigned long long)ip);
	id = intern_put(&d->names, key.at, key.n);
	if (id == d->functions.n) {
		struct duration_function *f = vec_extend(&d->functions, 1);

		f->dso = place->dso;
		f->name =
			sym ? arena_strndup(&d->arena, dso_symbol_name(place->dso, sym),
					    function_name_length(dso_symbol_name(place->dso, sym)))
			    : "[unknown]";
	}
	return id;
}

static uint32_t durations_function_of(struct replay *rp, const struct record *r,
				      const struct thread *t)
{
	struct durations *d = durations_of(rp);
	const uint32_t epoch = world_epoch(rp->world, t, WORLD_NOW);
	const struct {
		uint64_t epoch, ip;
	} key = {epoch, r->sample.ip};
	const uint64_t hash = hash_bytes(&key, sizeof(key), 0);
	uint32_t id = idmap_find(&d->by_place, hash);

	if (id == HASH_NONE) {
		const struct place place = world_place(rp->world, epoch, MISC_USER, r->sample.ip);

		id = function_add(d, &place, place_symbol(&place), r->sample.ip);
		*idmap_put(&d->by_place, hash) = id;
	}
	return id;
}

/* -- the slowest calls -- */

static void slowest_add(struct replay *rp, const struct durations_thread *t,
			const struct open_call *call, uint64_t ns)
{
	struct durations *d = durations_of(rp);
	struct wall_stack stack = {0};
	size_t at = d->slowest.n;

	if (!d->slowest_max || (at == d->slowest_max && d->slowest.at[at - 1].ns >= ns))
		return;
	if (at < d->slowest_max)
		(void)vec_extend(&d->slowest, 1);
	else
		stack = d->slowest.at[--at].stack;
	for (; at && d->slowest.at[at - 1].ns < ns; at--)
		d->slowest.at[at] = d->slowest.at[at - 1];
	if (call->stack.r.header.type)
		wall_stack_keep(&stack, &call->stack.r);
	else
		wall_stack_forget(&stack);
	d->slowest.at[at] = (struct slow_call){
		.function = call->function,
		.thread = t->thread,
		.begin = call->begin,
		.ns = ns,
		.waiting_ns = t->waiting - call->waiting,
		.ready_ns = t->ready - call->ready,
		.elsewhere = call->elsewhere,
		.waits = call->waits,
		.epoch = world_epoch(rp->world, t->thread, WORLD_NOW),
		.stack = stack,
	};
}

/* -- calls -- */

static void call_waits_add(struct call_waits *waits, const char *reason, uint64_t ns)
{
	size_t i = 0;

	while (i < CALL_REASONS - 1 && waits->by[i].reason &&
	       strcmp(waits->by[i].reason, reason) != 0)
		i++;
	if (!waits->by[i].reason)
		waits->by[i].reason = i < CALL_REASONS - 1 ? reason : "others";
	waits->by[i].ns += ns;
}

void durations_count_call(struct replay *rp, const struct durations_thread *t,
			  const struct open_call *call, uint64_t ns, enum call_end how)
{
	struct durations *d = durations_of(rp);
	struct duration_function *f = &d->functions.at[call->function];

	/* its return is not in the recording */
	if (f->closed && how == CALL_LEFT)
		how = CALL_OPEN;
	if (call->losses != d->losses) {
		f->uncertain++;
		return;
	}
	switch (how) {
	case CALL_LEFT:
		f->left++;
		return;
	case CALL_CUT:
		f->cut++;
		return;
	case CALL_OPEN:
		f->open++;
		return;
	case CALL_ENDED:
		break;
	}
	histogram_add(&f->calls, ns);
	f->elsewhere += call->elsewhere;
	f->self_ns += ns - MIN(ns, call->inner_ns);
	if (!call->outer) {
		f->total_ns += ns;
		f->waiting_ns += t->waiting - call->waiting;
		f->ready_ns += t->ready - call->ready;
	}
	slowest_add(rp, t, call, ns);
}

void durations_end_call(struct replay *rp, struct durations_thread *t, enum call_end how)
{
	struct open_call *call = &t->calls.at[t->depth - 1];
	uint64_t end = rp->time, ns;

	if (call->left_at && how != CALL_ENDED) {
		end = call->left_at;
		how = CALL_ENDED;
	}
	ns = end > call->begin ? end - call->begin : 0;
	t->depth--;
	t->innermost.at[call->function] = call->outer;
	if (t->depth)
		t->calls.at[t->depth - 1].inner_ns += ns;
	for (size_t i = 0; t->depth && i < CALL_REASONS && call->waits.by[i].reason; i++)
		call_waits_add(&t->calls.at[t->depth - 1].waits, call->waits.by[i].reason,
			       call->waits.by[i].ns);
	durations_count_call(rp, t, call, ns, how);
}

/* True when a call is gone: its stack frame is below sp. */
static bool call_is_gone(const struct open_call *call, uint64_t sp)
{
	return call->sp <= sp && sp - call->sp < STACK_MOST;
}

struct durations_thread *durations_thread_of(struct replay *rp, uint32_t pid, uint32_t tid)
{
	return tid && tid != UINT32_MAX ? replay_thread_state(rp, replay_thread(rp, pid, tid))
					: NULL;
}

void durations_count_hit(struct replay *rp, struct durations_thread *t)
{
	struct durations *d = durations_of(rp);

	durations_see_record(rp);
	d->probes_hit++;
	if (!t)
		return;
	if (t->hit_at && rp->time > t->hit_at)
		d->hit_ns = d->hit_ns ? MIN(d->hit_ns, rp->time - t->hit_at) : rp->time - t->hit_at;
	t->hit_at = rp->time;
}

struct call_args {
	uint64_t sp;
};

static const struct replay_field call_fields[] = {
	{"sp", REPLAY_U64, offsetof(struct call_args, sp)},
	{0},
};

struct open_call *durations_open_call(struct replay *rp, struct durations_thread *t,
				      uint32_t function, const struct record *r)
{
	struct durations *d = durations_of(rp);
	struct open_call *call;

	d->functions.at[function].entries = r->event;
	if (function >= t->innermost.n)
		(void)vec_extend(&t->innermost, function + 1 - t->innermost.n);
	if (t->depth == t->calls.n)
		(void)vec_extend(&t->calls, 1);
	call = &t->calls.at[t->depth++];
	*call = (struct open_call){.function = function,
				   .outer = t->innermost.at[function],
				   .begin = rp->time,
				   .waiting = t->waiting,
				   .ready = t->ready,
				   .losses = d->losses,
				   .stack = call->stack};
	t->innermost.at[function] = (uint32_t)t->depth;
	if (t->depth <= STACKS_DEPTH && d->slowest_max)
		wall_stack_keep(&call->stack, r);
	else
		wall_stack_forget(&call->stack);
	return call;
}

static int durations_take_entry(struct replay *rp, const struct record *r, const void *v)
{
	const struct call_args *args = v;
	struct durations_thread *t = durations_thread_of(rp, r->sample.pid, r->sample.tid);

	durations_count_hit(rp, t);
	if (!t)
		return REPLAY_GO;
	while (t->depth && call_is_gone(&t->calls.at[t->depth - 1], args->sp))
		durations_end_call(rp, t, CALL_LEFT);
	durations_open_call(rp, t, durations_function_of(rp, r, t->thread), r)->sp = args->sp;
	return REPLAY_GO;
}

/* Finds the call of a function that had this stack pointer at its entry. Returns 1 + its index, or
 * 0: there is none. */
static size_t call_find(const struct durations_thread *t, uint32_t function, uint64_t sp)
{
	const size_t first = function < t->innermost.n ? t->innermost.at[function] : 0;

	for (size_t i = first; i; i = t->calls.at[i - 1].outer)
		if (t->calls.at[i - 1].sp == sp)
			return i;
	return 0;
}

static int durations_take_return(struct replay *rp, const struct record *r, const void *v)
{
	const struct call_args *args = v;
	struct durations_thread *t = durations_thread_of(rp, r->sample.pid, r->sample.tid);
	uint32_t function;
	size_t place;

	durations_count_hit(rp, t);
	if (!t)
		return REPLAY_GO;
	function = durations_function_of(rp, r, t->thread);
	place = call_find(t, function, args->sp);
	if (!place) {
		/* entries are closed before returns */
		durations_of(rp)->functions.at[function].before +=
			!durations_of(rp)->functions.at[function].closed;
		return REPLAY_GO;
	}
	while (t->depth > place)
		durations_end_call(rp, t, CALL_LEFT);
	durations_end_call(rp, t, CALL_ENDED);
	return REPLAY_GO;
}

static int durations_take_jump(struct replay *rp, const struct record *r, const void *v)
{
	const struct call_args *args = v;
	struct durations_thread *t = durations_thread_of(rp, r->sample.pid, r->sample.tid);
	size_t place;

	durations_count_hit(rp, t);
	place = t ? call_find(t, durations_function_of(rp, r, t->thread), args->sp) : 0;
	if (place)
		t->calls.at[place - 1].left_at = rp->time;
	return REPLAY_GO;
}

/* -- other records -- */

static int durations_take_switch(struct replay *rp, const struct record *r)
{
	struct durations_thread *t = durations_thread_of(rp, r->id.pid, r->id.tid);

	durations_see_record(rp);
	durations_of(rp)->has_switches = true;
	if (!t)
		return REPLAY_GO;
	if (r->header.misc & MISC_SWITCH_OUT) {
		t->off_since = rp->time;
		t->hit_at = 0;
		t->preempted = r->header.misc & MISC_SWITCH_PREEMPT;
	} else if (t->off_since) {
		*(t->preempted ? &t->ready : &t->waiting) += rp->time - t->off_since;
		if (!t->preempted && t->depth)
			call_waits_add(&t->calls.at[t->depth - 1].waits,
				       t->reason ? t->reason : "-", rp->time - t->off_since);
		t->off_since = 0;
		t->reason = NULL;
	}
	return REPLAY_GO;
}

/* Takes the reason and stack of a thread's switch. The context switch record comes next and counts
 * the time. */
static int durations_take_reason(struct replay *rp, const struct record *r, const void *v)
{
	struct durations *d = durations_of(rp);
	struct durations_thread *t = durations_thread_of(rp, r->sample.pid, r->sample.tid);

	(void)v;
	durations_see_record(rp);
	d->has_reasons = true;
	if (t && t->depth)
		t->reason = wait_stacks_reason(&d->stacks,
					       wait_stacks_add(&d->stacks, t->thread, &r->sample));
	return REPLAY_GO;
}

static int durations_take_exit(struct replay *rp, const struct record *r)
{
	struct durations_thread *t = durations_thread_of(rp, r->task.pid, r->task.tid);

	durations_see_record(rp);
	while (t && t->depth)
		durations_end_call(rp, t, CALL_CUT);
	return REPLAY_GO;
}

/* The recorder has closed an event (perf record --probe-budget). */
static int durations_take_throttle(struct replay *rp, const struct record *r)
{
	struct durations *d = durations_of(rp);
	const struct event *ev = event_set_find_id(&rp->rec->m.events, r->throttle.id);

	durations_see_record(rp);
	for (size_t i = 0; ev && i < d->functions.n; i++)
		if (d->functions.at[i].entries == ev)
			d->functions.at[i].closed = rp->time ? rp->time : d->begin;
	return REPLAY_GO;
}

static int durations_take_other(struct replay *rp, const struct record *r)
{
	(void)r;
	durations_see_record(rp);
	return REPLAY_GO;
}

static void durations_lost(struct replay *rp, const struct replay_loss *loss)
{
	(void)loss;
	durations_of(rp)->losses++;
}

static void durations_thread_init(struct replay *rp, void *state, struct thread *of)
{
	struct durations_thread *t = state;

	(void)rp;
	t->thread = of;
}

static void durations_thread_end(struct replay *rp, void *state)
{
	struct durations_thread *t = state;

	durations_of(rp)->threads += t->innermost.n != 0;
	while (t->depth)
		durations_end_call(rp, t, CALL_OPEN);
}

static void durations_thread_release(void *state)
{
	struct durations_thread *t = state;

	for (size_t i = 0; i < t->calls.n; i++)
		wall_stack_release(&t->calls.at[i].stack);
	vec_release(&t->calls);
	vec_release(&t->innermost);
}

static const struct replay_field durations_no_fields[] = {{0}};

static const struct replay_handler durations_handlers[] = {
	{RECORD_SWITCH, durations_take_switch},
	{RECORD_SWITCH_CPU_WIDE, durations_take_switch},
	{RECORD_EXIT, durations_take_exit},
	{RECORD_THROTTLE, durations_take_throttle},
	{0},
};

/* -- reading -- */

/* The kind of an event "perf_PID:call_entry_2", whatever the PID; NULL: it is none of ours. */
static const char *event_kind_of(const struct event *ev)
{
	const char *colon = strchr(ev->name, ':'), *kind;
	unsigned int part;

	return !strncmp(ev->name, "perf_", 5) && colon &&
			       function_probes_part(colon + 1, &kind, &part)
		       ? kind
		       : NULL;
}

bool durations_can_read(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const char *kind = event_kind_of(rec->m.events.events.at[i]);

		if (kind && !strcmp(kind, CALL_ENTRY))
			return true;
	}
	return false;
}

/* A row for each event of each part and pair, one for switches, and the end. */
#define ROWS_MAX (3 * FUNCTION_PARTS_MAX + 2 * EVENT_PAIRS_MAX + 2)

/* Fills the table. Returns the number of rows. */
static size_t tracepoints_add(struct replay_tracepoint *table, const struct recording *rec)
{
	size_t n = 0;

	for (size_t i = 0; i < rec->m.events.events.n && n < ROWS_MAX - 2; i++) {
		const struct event *ev = rec->m.events.events.at[i];
		const char *kind = event_kind_of(ev);

		if (kind)
			table[n++] = (struct replay_tracepoint){
				ev->name, call_fields, sizeof(struct call_args),
				!strcmp(kind, CALL_ENTRY)    ? durations_take_entry
				: !strcmp(kind, CALL_RETURN) ? durations_take_return
							     : durations_take_jump};
	}
	return n;
}

int durations_read(struct durations *d, struct recording *rec, struct world *world, struct err *err)
{
	struct durations_reading reading = {.d = d};
	struct replay_tracepoint tracepoints[ROWS_MAX] = {{0}};
	const struct replay_analysis analysis = {
		.handlers = durations_handlers,
		.tracepoints = tracepoints,
		.any = durations_take_other,
		.lost = durations_lost,
		.thread = {.size = sizeof(struct durations_thread),
			   .init = durations_thread_init,
			   .end = durations_thread_end,
			   .release = durations_thread_release},
	};
	struct replay rp;
	size_t n;
	int failed;

	if (d->pairs.n) {
		if (duration_pairs_bind(d, rec, tracepoints, err))
			return -1;
		n = 2 * d->pairs.n;
	} else {
		n = tracepoints_add(tracepoints, rec);
	}
	if (!n) {
		err_set(err, ERR_INPUT, "the recording has no calls of functions");
		return err_hint(err, "'perf calls -f FUNCTION' records them; '--pair BEGIN,END' "
				     "reads those between two events");
	}
	tracepoints[n] = (struct replay_tracepoint){"sched:sched_switch", durations_no_fields, 0,
						    durations_take_reason};
	wait_stacks_init(&d->stacks, world, &rec->m);
	replay_init(&rp, rec, world, &analysis, &reading);
	failed = replay_run(&rp, err);
	duration_pairs_end(&rp);
	replay_release(&rp);
	d->end = MAX(reading.last, d->begin);
	return failed ? -1 : 0;
}

static uint64_t order_value(const struct duration_function *f, enum durations_order by)
{
	switch (by) {
	case DURATIONS_TOTAL:
		return f->total_ns;
	case DURATIONS_SELF:
		return f->self_ns;
	case DURATIONS_WAITING:
		return f->waiting_ns;
	case DURATIONS_CALLS:
		return f->calls.n;
	case DURATIONS_P99:
		return histogram_at(&f->calls, 990);
	case DURATIONS_MAX:
		return f->calls.max;
	case DURATIONS_NAME:
		break;
	}
	return 0;
}

struct sorting {
	const struct durations *d;
	enum durations_order by;
};

static int durations_compare(const void *a, const void *b, void *v)
{
	const struct sorting *sorting = v;
	const struct duration_function *x = &sorting->d->functions.at[*(const uint32_t *)a],
				       *y = &sorting->d->functions.at[*(const uint32_t *)b];
	const uint64_t one = order_value(x, sorting->by), other = order_value(y, sorting->by);

	if (one != other)
		return one > other ? -1 : 1;
	return strcmp(x->name, y->name);
}

void durations_sort(struct durations *d, enum durations_order by)
{
	const size_t n = d->functions.n;
	uint32_t *order = mem_alloc(n * sizeof(*order) + 1), *place = mem_alloc(n * 4 + 1);
	struct duration_function *sorted = mem_alloc(n * sizeof(*sorted) + 1);
	struct sorting sorting = {d, by};

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (n)
		qsort_r(order, n, sizeof(*order), durations_compare, &sorting);
	for (uint32_t i = 0; i < n; i++) {
		sorted[i] = d->functions.at[order[i]];
		place[order[i]] = i;
	}
	if (n)
		memcpy(d->functions.at, sorted, n * sizeof(*sorted));
	for (size_t i = 0; i < d->slowest.n; i++)
		d->slowest.at[i].function = place[d->slowest.at[i].function];
	free(order);
	free(place);
	free(sorted);
}

void durations_release(struct durations *d)
{
	for (size_t i = 0; i < d->functions.n; i++)
		histogram_release(&d->functions.at[i].calls);
	for (size_t i = 0; i < d->slowest.n; i++)
		wall_stack_release(&d->slowest.at[i].stack);
	vec_release(&d->functions);
	vec_release(&d->slowest);
	duration_pairs_release(d);
	idmap_release(&d->by_place);
	intern_release(&d->names);
	wait_stacks_release(&d->stacks);
	arena_release(&d->arena);
}
