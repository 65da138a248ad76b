// SPDX-License-Identifier: MIT
#include "analysis/futex/futexes.h"

/* <linux/futex.h> */
enum {
	OP_WAIT = 0,
	OP_WAKE = 1,
	OP_REQUEUE = 3,
	OP_CMP_REQUEUE = 4,
	OP_WAKE_OP = 5,
	OP_LOCK_PI = 6,
	OP_UNLOCK_PI = 7,
	OP_WAIT_BITSET = 9,
	OP_WAKE_BITSET = 10,
	OP_WAIT_REQUEUE_PI = 11,
	OP_CMP_REQUEUE_PI = 12,
	OP_LOCK_PI2 = 13,
	OP_MASK = 0x7f
};
#define RETRY (-11) /* EAGAIN: the word had another value */
/* The word of a mutex of glibc that others wait for (nptl/lowlevellock.h); Rust has the same. */
#define CONTENDED 2

/* A wait for a mutex that has ended. */
struct futex_past {
	uint32_t lock, stack; /* lock: 1 + its index; 0: none */
	uint64_t begin, end;
};

#define PASTS 4

/* A thread that waits now; .lock is 1 + its index, 0: it doesn't wait. */
struct futex_thread {
	struct thread *thread;
	uint32_t lock, stack, comm, holder; /* holder: 1 + the index of a thread; 0: not known */
	uint32_t holder_stack, holder_comm;
	uint64_t since, losses;
	struct futex_past pasts[PASTS]; /* the last ones */
	uint32_t n_pasts;
};

struct futexes_reading {
	struct futexes *f;
	uint64_t last;
};

static struct futexes *futexes_of(struct replay *rp)
{
	return ((struct futexes_reading *)rp->ctx)->f;
}

static void futexes_see_record(struct replay *rp)
{
	struct futexes_reading *reading = rp->ctx;

	if (!rp->time)
		return;
	if (!reading->f->begin)
		reading->f->begin = rp->time;
	reading->last = MAX(reading->last, rp->time);
}

struct futex_args {
	uint64_t uaddr, op, val;
};

static const struct replay_field futex_fields[] = {
	{"uaddr", REPLAY_U64, offsetof(struct futex_args, uaddr)},
	{"op", REPLAY_U64, offsetof(struct futex_args, op)},
	{"val", REPLAY_U64, offsetof(struct futex_args, val)},
	{0},
};

struct futex_result {
	int64_t ret;
};

static const struct replay_field futex_result_fields[] = {
	{"ret", REPLAY_S64, offsetof(struct futex_result, ret)},
	{0},
};

/* -- locks -- */

static enum futex_kind futex_kind_of(uint32_t op, uint32_t val)
{
	switch (op) {
	case OP_LOCK_PI:
	case OP_LOCK_PI2:
		return FUTEX_PI_MUTEX;
	case OP_WAIT:
		return val == CONTENDED ? FUTEX_MUTEX : FUTEX_OTHER;
	default:
		return FUTEX_OTHER;
	}
}

/* The symbol of a variable, and the distance of the address from its beginning. Zeroed variables
 * may lie in anonymous memory behind the file's map. */
static const struct symbol *variable_at(const struct world *w, uint32_t epoch, uint64_t address,
					struct dso **dso, uint64_t *distance)
{
	struct place place = world_place_data(w, epoch, MISC_USER, address);
	uint64_t rva;
	const struct symbol *sym;

	if (place.map && place.dso->kind != DSO_FILE && place.map->start)
		place = world_place_data(w, epoch, MISC_USER, place.map->start - 1);
	if (!place.map || place.dso->kind != DSO_FILE)
		return NULL;
	rva = dso_rva(place.dso, address - place.map->start + place.map->pgoff);
	sym = dso_find(place.dso, rva);
	*dso = place.dso;
	*distance = sym ? rva - sym->start : 0;
	return sym;
}

static const char *lock_name(struct replay *rp, const struct thread *t, uint64_t address)
{
	const uint32_t epoch = world_epoch(rp->world, t, WORLD_NOW);
	struct arena *arena = &futexes_of(rp)->arena;
	struct dso *dso;
	uint64_t distance;
	const struct symbol *sym = variable_at(rp->world, epoch, address, &dso, &distance);
	const char *name = sym ? dso_symbol_name(dso, sym) : NULL;

	if (!name)
		return NULL;
	if (!distance)
		return arena_strdup(arena, name);
	return arena_printf(arena, "%s+0x%llx", name, (unsigned long long)distance);
}

static uint32_t lock_of(struct replay *rp, const struct thread *t, uint64_t address)
{
	struct futexes *f = futexes_of(rp);
	const struct {
		uint64_t address, pid;
	} key = {address, t->pid};
	uint32_t *id = idmap_put(&f->by_lock, hash_bytes(&key, sizeof(key), 0));

	if (*id == HASH_NONE) {
		*id = (uint32_t)f->locks.n;
		vec_add(&f->locks, (struct futex_lock){.pid = t->pid,
						       .address = address,
						       .name = lock_name(rp, t, address)});
	}
	return *id;
}

/* -- waits -- */

static uint64_t thread_key(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

static bool same_words(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct futex_row *futex_row_get(struct futexes *f, uint32_t lock, const char *comm,
				       const char *function)
{
	const struct {
		uint64_t lock, comm, function;
	} key = {lock, hash_bytes(comm, strlen(comm), 0),
		 function ? hash_bytes(function, strlen(function), 0) : 0};
	const uint64_t hash = hash_bytes(&key, sizeof(key), 0);
	uint32_t at = id_slots_begin(&f->rows_by, hash), id;

	while ((id = id_slots_next(&f->rows_by, hash, &at)) != HASH_NONE)
		if (f->rows.at[id].lock == lock && same_words(f->rows.at[id].comm, comm) &&
		    same_words(f->rows.at[id].function, function))
			return &f->rows.at[id];
	id_slots_add(&f->rows_by, (uint32_t)f->rows.n, hash);
	vec_add(&f->rows, (struct futex_row){.lock = lock, .comm = comm, .function = function});
	return vec_last(&f->rows);
}

static bool futex_is_mutex(const struct futexes *f, uint32_t lock)
{
	const enum futex_kind kind = f->locks.at[lock].kind;

	return kind == FUTEX_MUTEX || kind == FUTEX_PI_MUTEX;
}

static void futex_note_past(struct replay *rp, struct futex_thread *t)
{
	if (!futex_is_mutex(futexes_of(rp), t->lock - 1))
		return;
	t->pasts[t->n_pasts++ % PASTS] =
		(struct futex_past){t->lock, t->stack, t->since, MAX(rp->time, t->since)};
}

static void wait_end(struct replay *rp, struct futex_thread *t, int64_t ret)
{
	struct futexes *f = futexes_of(rp);
	const uint64_t ns = rp->time > t->since ? rp->time - t->since : 0;
	struct futex_row *row;
	const char *holder;

	f->locks.at[t->lock - 1].waiting--;
	row = futex_row_get(f, t->lock - 1, world_comm_text(rp->world, t->comm),
			    wait_stacks_function(&f->stacks, t->stack));
	if (t->losses == f->losses)
		futex_note_past(rp, t);
	t->lock = 0;
	if (t->losses != f->losses) {
		f->uncertain++;
		return;
	}
	if (ret == RETRY) {
		row->retries++;
		return;
	}
	row->n++;
	row->ns += ns;
	row->max_ns = MAX(row->max_ns, ns);
	f->waits++;
	f->ns += ns;
	if (!t->holder)
		return;
	holder = world_comm_text(rp->world, t->holder_comm);
	row->holders |= row->holder && strcmp(row->holder, holder);
	row->holder = holder;
	row->holder_function = wait_stacks_function(&f->stacks, t->holder_stack);
}

static struct futex_thread *futex_thread_of(struct replay *rp, uint32_t pid, uint32_t tid)
{
	return tid && tid != UINT32_MAX ? replay_thread_state(rp, replay_thread(rp, pid, tid))
					: NULL;
}

static void wait_begin(struct replay *rp, struct futex_thread *t, const struct record *r,
		       const struct futex_args *args, uint32_t op)
{
	struct futexes *f = futexes_of(rp);
	const uint32_t lock = lock_of(rp, t->thread, args->uaddr), val = (uint32_t)args->val;
	enum futex_kind kind = futex_kind_of(op, val);

	/* pthread_join() waits until the kernel clears the thread's tid */
	if (kind == FUTEX_OTHER && val > CONTENDED &&
	    idmap_find(&f->tids, thread_key(t->thread->pid, val)) != HASH_NONE)
		kind = FUTEX_THREAD_END;
	if (kind != FUTEX_OTHER)
		f->locks.at[lock].kind = kind;
	f->locks.at[lock].waiting++;
	t->lock = lock + 1;
	t->stack = wait_stacks_add(&f->stacks, t->thread, &r->sample);
	t->comm = world_comm_id(rp->world, t->thread, rp->time);
	t->holder = 0;
	t->holder_stack = NO_STACK;
	t->since = rp->time;
	t->losses = f->losses;
}

static uint32_t futex_ordered(struct futexes *f, uint32_t lock)
{
	struct futex_lock *l = &f->locks.at[lock];

	if (!l->ordered) {
		const struct ordered_lock o = {l->pid, l->address, futex_kind_name(l->kind),
					       l->name};

		vec_add(&f->order.locks, o);
		l->ordered = (uint32_t)f->order.locks.n;
	}
	return l->ordered - 1;
}

static void futex_order_add(struct replay *rp, const struct futex_thread *holder, uint32_t held,
			    const struct futex_past *wait)
{
	struct futexes *f = futexes_of(rp);
	const uint32_t from = futex_ordered(f, held), to = futex_ordered(f, wait->lock - 1);
	uint32_t *id = idmap_put(&f->orders_by, (uint64_t)from << 32 | to);
	const uint32_t tid = holder->thread->tid;
	struct lock_edge *e;

	if (*id == HASH_NONE) {
		const uint32_t comm = world_comm_id(rp->world, holder->thread, rp->time);
		const struct lock_edge first = {
			.from = from,
			.to = to,
			.tid = tid,
			.comm = world_comm_text(rp->world, comm),
			.to_function = wait_stacks_function(&f->stacks, wait->stack)};

		*id = (uint32_t)f->order.edges.n;
		vec_add(&f->order.edges, first);
	}
	e = &f->order.edges.at[*id];
	e->n++;
	e->several |= e->tid != tid;
}

/* The holder of a mutex gives it back, for which a thread has waited since a time. Waits of the
 * holder for other mutexes meanwhile were those of a thread that held it. */
static void futex_order_note(struct replay *rp, const struct futex_thread *holder, uint32_t lock,
			     uint64_t since)
{
	if (!futex_is_mutex(futexes_of(rp), lock))
		return;
	for (size_t i = 0; i < PASTS; i++) {
		const struct futex_past *p = &holder->pasts[i];

		if (p->lock && p->lock != lock + 1 && p->end > since)
			futex_order_add(rp, holder, lock, p);
	}
}

/* Sets the holder of all waits for the lock that have none yet: the waker. */
static void wake_up(struct replay *rp, const struct futex_thread *waker, const struct record *r,
		    uint64_t address)
{
	struct futexes *f = futexes_of(rp);
	const uint32_t lock = lock_of(rp, waker->thread, address);
	const uint32_t comm = world_comm_id(rp->world, waker->thread, rp->time);
	void *const *states;
	const size_t n = replay_thread_states(rp, &states);
	uint32_t stack = NO_STACK;
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < n && f->locks.at[lock].waiting; i++) {
		struct futex_thread *t = states[i];

		if (!t || t->lock != lock + 1 || t->holder)
			continue;
		if (stack == NO_STACK)
			stack = wait_stacks_add(&f->stacks, waker->thread, &r->sample);
		t->holder = waker->thread->index + 1;
		t->holder_comm = comm;
		t->holder_stack = stack;
		if (t->losses == f->losses)
			first = MIN(first, t->since);
	}
	if (first != UINT64_MAX)
		futex_order_note(rp, waker, lock, first);
}

static int futexes_take_call(struct replay *rp, const struct record *r, const void *v)
{
	const struct futex_args *args = v;
	struct futex_thread *t = futex_thread_of(rp, r->sample.pid, r->sample.tid);
	const uint32_t op = args->op & OP_MASK;

	futexes_see_record(rp);
	futexes_of(rp)->calls++;
	if (!t)
		return REPLAY_GO;
	if (t->lock)
		wait_end(rp, t, 0); /* the return was not recorded */
	switch (op) {
	case OP_WAIT:
	case OP_WAIT_BITSET:
	case OP_LOCK_PI:
	case OP_LOCK_PI2:
	case OP_WAIT_REQUEUE_PI:
		wait_begin(rp, t, r, args, op);
		break;
	case OP_WAKE:
	case OP_WAKE_BITSET:
	case OP_WAKE_OP:
	case OP_UNLOCK_PI:
	case OP_REQUEUE:
	case OP_CMP_REQUEUE:
	case OP_CMP_REQUEUE_PI:
		wake_up(rp, t, r, args->uaddr);
		break;
	}
	return REPLAY_GO;
}

static int futexes_take_return(struct replay *rp, const struct record *r, const void *v)
{
	const struct futex_result *result = v;
	struct futex_thread *t = futex_thread_of(rp, r->sample.pid, r->sample.tid);

	futexes_see_record(rp);
	if (t && t->lock)
		wait_end(rp, t, result->ret);
	return REPLAY_GO;
}

static void futex_stuck_add(struct replay *rp, const struct futex_thread *t)
{
	struct futexes *f = futexes_of(rp);

	f->locks.at[t->lock - 1].waiting--;
	vec_add(&f->stuck,
		(struct futex_stuck){.thread = t->thread,
				     .lock = t->lock - 1,
				     .ns = rp->time > t->since ? rp->time - t->since : 0,
				     .function = wait_stacks_function(&f->stacks, t->stack)});
}

static int futexes_take_exit(struct replay *rp, const struct record *r)
{
	struct futex_thread *t = futex_thread_of(rp, r->task.pid, r->task.tid);

	futexes_see_record(rp);
	if (t && t->lock)
		futex_stuck_add(rp, t);
	if (t)
		t->lock = 0;
	return REPLAY_GO;
}

static int futexes_take_fork(struct replay *rp, const struct record *r)
{
	futexes_see_record(rp);
	*idmap_put(&futexes_of(rp)->tids, thread_key(r->task.pid, r->task.tid)) = 1;
	return REPLAY_GO;
}

static int futexes_take_comm(struct replay *rp, const struct record *r)
{
	futexes_see_record(rp);
	*idmap_put(&futexes_of(rp)->tids, thread_key(r->comm.pid, r->comm.tid)) = 1;
	return REPLAY_GO;
}

static int futexes_take_other(struct replay *rp, const struct record *r)
{
	(void)r;
	futexes_see_record(rp);
	return REPLAY_GO;
}

static void futexes_lost(struct replay *rp, const struct replay_loss *loss)
{
	(void)loss;
	futexes_of(rp)->losses++;
}

static void futex_thread_init(struct replay *rp, void *state, struct thread *of)
{
	struct futex_thread *t = state;

	t->thread = of;
	*idmap_put(&futexes_of(rp)->tids, thread_key(of->pid, of->tid)) = 1;
}

static void futex_thread_end(struct replay *rp, void *state)
{
	const struct futexes_reading *reading = rp->ctx;
	const struct futex_thread *t = state;

	rp->time = MAX(rp->time, reading->last);
	if (t->lock)
		futex_stuck_add(rp, t);
}

static const struct replay_tracepoint futex_tracepoints[] = {
	{"syscalls:sys_enter_futex", futex_fields, sizeof(struct futex_args), futexes_take_call},
	{"syscalls:sys_exit_futex", futex_result_fields, sizeof(struct futex_result),
	 futexes_take_return},
	{0},
};

static const struct replay_handler futex_handlers[] = {
	{RECORD_EXIT, futexes_take_exit},
	{RECORD_FORK, futexes_take_fork},
	{RECORD_COMM, futexes_take_comm},
	{0},
};

static const struct replay_analysis futex_analysis = {
	.handlers = futex_handlers,
	.tracepoints = futex_tracepoints,
	.any = futexes_take_other,
	.lost = futexes_lost,
	.thread = {.size = sizeof(struct futex_thread),
		   .init = futex_thread_init,
		   .end = futex_thread_end},
};

/* -- reading -- */

static int futex_compare_rows(const void *a, const void *b)
{
	const struct futex_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->lock != y->lock ? (x->lock < y->lock ? -1 : 1) : strcmp(x->comm, y->comm);
}

int futexes_read(struct futexes *f, struct recording *rec, struct world *world, struct err *err)
{
	struct futexes_reading reading = {.f = f};
	struct replay rp;
	int failed;

	*f = (struct futexes){0};
	wait_stacks_init(&f->stacks, world, &rec->m);
	if (!rec->is_pipe && !event_set_find_name(&rec->m.events, "syscalls:sys_enter_futex")) {
		err_set(err, ERR_INPUT, "the recording has no calls of futex");
		return err_hint(err, "'perf locks COMMAND' records them");
	}
	replay_init(&rp, rec, world, &futex_analysis, &reading);
	failed = replay_run(&rp, err);
	replay_release(&rp);
	unwound_losses(&f->stacks.unwound, &rec->m.losses);
	f->end = reading.last;
	lock_order_find(&f->order);
	if (f->rows.n)
		qsort(f->rows.at, f->rows.n, sizeof(*f->rows.at), futex_compare_rows);
	return failed ? -1 : 0;
}

void futexes_release(struct futexes *f)
{
	vec_release(&f->locks);
	vec_release(&f->rows);
	vec_release(&f->stuck);
	idmap_release(&f->by_lock);
	idmap_release(&f->tids);
	idmap_release(&f->orders_by);
	lock_order_release(&f->order);
	id_slots_release(&f->rows_by);
	wait_stacks_release(&f->stacks);
	arena_release(&f->arena);
}

const char *futex_kind_name(enum futex_kind kind)
{
	static const char *const names[] = {[FUTEX_OTHER] = "futex",
					    [FUTEX_MUTEX] = "mutex",
					    [FUTEX_PI_MUTEX] = "PI mutex",
					    [FUTEX_THREAD_END] = "thread's end"};

	return names[kind];
}
