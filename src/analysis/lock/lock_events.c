// SPDX-License-Identifier: MIT
/* The events of locks, as rows: contention_* of any kernel, lock_* of one with lockdep. */
#include "analysis/lock/locks.h"

#include "world/replay/replay.h"

struct contention_args { /* lock:contention_begin, contention_end */
	uint64_t address, flags;
};
struct lockdep_args { /* lock:lock_acquire, lock_acquired, lock_contended, lock_release */
	uint64_t address, flags;
	struct replay_bytes name;
};

enum { SEQUENCE_NONE, SEQUENCE_ACQUIRING, SEQUENCE_ACQUIRED, SEQUENCE_READERS, SEQUENCE_CONTENDED,
       SEQUENCE_RELEASED };
/* Flags of lock_acquire. */
enum { LOCKDEP_TRY = 1, LOCKDEP_READ = 2 };

/* The most sequences of tasks and locks that are kept. Beyond it, those without a waiting task are
 * dropped. */
#define SEQUENCES_MOST (1u << 20)

static bool sequence_is_of(const struct locks_sequence *s, uint32_t tid, uint64_t address)
{
	return s->tid == tid && s->address == address;
}

static struct locks_sequence *sequence_find(struct locks *l, uint32_t tid, uint64_t address)
{
	const uint64_t hash = hash_pair(address, tid);
	uint32_t i = id_slots_begin(&l->sequence_slots, hash), id;

	while ((id = id_slots_next(&l->sequence_slots, hash, &i)) != HASH_NONE) {
		if (!sequence_is_of(&l->sequences.at[id], tid, address))
			continue;
		l->recent[tid % LOCKS_RECENT] = id;
		return &l->sequences.at[id];
	}
	return NULL;
}

/* As sequence_find(): mostly, a task ends the wait that it began last. */
static struct locks_sequence *sequence_find_last(struct locks *l, uint32_t tid, uint64_t address)
{
	const uint32_t id = l->recent[tid % LOCKS_RECENT];

	if (id < l->sequences.n && sequence_is_of(&l->sequences.at[id], tid, address))
		return &l->sequences.at[id];
	return sequence_find(l, tid, address);
}

static void sequences_drop_idle(struct locks *l)
{
	size_t kept = 0;

	id_slots_release(&l->sequence_slots);
	for (size_t i = 0; i < l->sequences.n; i++) {
		const struct locks_sequence s = l->sequences.at[i];

		if (s.state != SEQUENCE_CONTENDED)
			continue;
		id_slots_add(&l->sequence_slots, (uint32_t)kept, hash_pair(s.address, s.tid));
		l->sequences.at[kept++] = s;
	}
	l->sequences.n = kept;
}

static struct locks_sequence *sequence_get(struct locks *l, uint32_t tid, uint64_t address)
{
	struct locks_sequence *s = sequence_find_last(l, tid, address);

	if (s)
		return s;
	if (l->sequences.n >= SEQUENCES_MOST)
		sequences_drop_idle(l);
	*idmap_put(&l->tasks, tid) = tid;
	l->recent[tid % LOCKS_RECENT] = (uint32_t)l->sequences.n;
	id_slots_add(&l->sequence_slots, (uint32_t)l->sequences.n, hash_pair(address, tid));
	vec_add(&l->sequences, (struct locks_sequence){.address = address, .tid = tid});
	return vec_last(&l->sequences);
}

static void sequence_break(struct locks *l, struct locks_row *row, struct locks_sequence *s,
			   enum locks_bad kind)
{
	if (!row->broken)
		l->bad[kind]++;
	row->broken = true;
	s->state = SEQUENCE_NONE;
}

static uint32_t sample_chain(struct replay *rp, const struct record *r)
{
	return locks_chain(rp->ctx, rp->world, r->header.misc & MISC_CPUMODE_MASK,
			   r->sample.callchain, r->sample.callchain_nr);
}

static uint64_t contention_key(const struct locks *l, const struct record *r,
			       const struct contention_args *args)
{
	return l->opts->by == LOCKS_BY_TASK ? r->sample.tid : args->address;
}

/* The row of the sample; HASH_NONE when the filter does not want it. */
static uint32_t contention_row(struct replay *rp, const struct record *r,
			       const struct contention_args *args)
{
	struct locks *l = rp->ctx;
	const struct lock_filter *f = &l->opts->filter;
	const struct locks_sequence *s;
	struct locks_chain *c;
	uint32_t chain, row;
	uint64_t key;

	if ((f->types && !(f->types & 1ull << (args->flags & LOCK_F_ALL))) ||
	    !locks_wants_address(l, rp->world, args->address, NULL))
		return HASH_NONE;
	/* only a new row needs to know who waits */
	if (l->opts->by != LOCKS_BY_CALLER && !f->callers.n) {
		s = sequence_find(l, r->sample.tid, args->address);
		if (s && s->waited)
			return s->row;
		row = locks_find(l, contention_key(l, r, args));
		if (row != HASH_NONE)
			return row;
	}
	chain = sample_chain(rp, r);
	c = &l->of_chain.at[chain];
	if (f->callers.n && !c->wanted)
		return HASH_NONE;
	if (l->opts->by == LOCKS_BY_CALLER && c->row != HASH_NONE)
		return c->row;
	key = l->opts->by == LOCKS_BY_CALLER ? c->key : contention_key(l, r, args);
	row = locks_find(l, key);
	if (row == HASH_NONE) {
		row = locks_add(l, key,
				l->opts->names_of_lock
					? locks_symbol_of_lock(rp->world, args->address)
					: intern_text(&l->names, c->name));
		l->rows.at[row].flags = args->flags;
		l->rows.at[row].address = args->address;
		l->rows.at[row].chain = chain;
	}
	c->row = row;
	return row;
}

static int locks_take_begin(struct replay *rp, const struct record *r, const void *v)
{
	struct locks *l = rp->ctx;
	const struct contention_args *args = v;
	const uint32_t row = contention_row(rp, r, args);
	struct locks_sequence *s;

	if (row == HASH_NONE)
		return REPLAY_GO;
	s = sequence_get(l, r->sample.tid, args->address);
	/* contention of a mutex that is spun on begins twice: the first begin counts */
	if (s->state == SEQUENCE_CONTENDED)
		return REPLAY_GO;
	if (s->state != SEQUENCE_NONE && s->state != SEQUENCE_ACQUIRED) {
		sequence_break(l, &l->rows.at[row], s, LOCKS_BAD_CONTENDED);
		return REPLAY_GO;
	}
	s->state = SEQUENCE_CONTENDED;
	s->since = rp->time;
	s->row = row;
	s->waited = true;
	s->losses = l->losses;
	l->rows.at[row].value[LOCKS_CONTENDED]++;
	return REPLAY_GO;
}

static void sequence_end_wait(struct locks *l, struct locks_row *row,
			      const struct locks_sequence *s, uint64_t now)
{
	const uint64_t ns = now > s->since ? now - s->since : 0;

	locks_add_wait(row, ns);
	if (s->losses == l->losses)
		return;
	l->uncertain++;
	l->uncertain_ns += ns;
}

static int locks_take_end(struct replay *rp, const struct record *r, const void *v)
{
	struct locks *l = rp->ctx;
	const struct contention_args *args = v;
	struct locks_sequence *s = sequence_find_last(l, r->sample.tid, args->address);
	struct locks_row *row;

	if (!s || s->state == SEQUENCE_NONE)
		return REPLAY_GO;
	row = &l->rows.at[s->row];
	if (s->state != SEQUENCE_CONTENDED) {
		sequence_break(l, row, s, LOCKS_BAD_ACQUIRED);
		return REPLAY_GO;
	}
	sequence_end_wait(l, row, s, rp->time);
	s->state = SEQUENCE_ACQUIRED;
	row->value[LOCKS_ACQUIRED]++;
	row->value[LOCKS_AVG_WAIT] = row->value[LOCKS_WAIT_TOTAL] / row->value[LOCKS_ACQUIRED];
	return REPLAY_GO;
}

static struct locks_row *lockdep_row(struct replay *rp, const struct record *r,
				     const struct lockdep_args *args)
{
	struct locks *l = rp->ctx;
	const uint64_t key = l->opts->by == LOCKS_BY_TASK ? r->sample.tid : args->address;
	uint32_t row = locks_find(l, key);
	char name[128];

	if (row == HASH_NONE) {
		const size_t n = MIN(args->name.n, sizeof(name) - 1);

		if (n)
			memcpy(name, args->name.at, n);
		name[n] = 0;
		row = locks_add(l, key, name);
		l->rows.at[row].address = args->address;
	}
	return &l->rows.at[row];
}

static int locks_take_acquire(struct replay *rp, const struct record *r, const void *v)
{
	struct locks *l = rp->ctx;
	const struct lockdep_args *args = v;
	struct locks_row *row = lockdep_row(rp, r, args);
	struct locks_sequence *s = sequence_get(l, r->sample.tid, args->address);

	if (s->state == SEQUENCE_READERS && args->flags & LOCKDEP_READ) {
		s->readers++;
		row->value[LOCKS_ACQUIRED]++;
		return REPLAY_GO;
	}
	if (s->state != SEQUENCE_NONE && s->state != SEQUENCE_RELEASED) {
		sequence_break(l, row, s, LOCKS_BAD_ACQUIRE);
		return REPLAY_GO;
	}
	s->state = SEQUENCE_ACQUIRING;
	s->since = rp->time;
	s->losses = l->losses;
	if (args->flags) {
		s->state = SEQUENCE_READERS;
		s->readers = 1;
		row->value[LOCKS_ACQUIRED]++;
	}
	return REPLAY_GO;
}

static void row_average(struct locks_row *row)
{
	const uint64_t n = row->value[LOCKS_CONTENDED];

	row->value[LOCKS_AVG_WAIT] = n ? row->value[LOCKS_WAIT_TOTAL] / n : 0;
}

static int locks_take_acquired(struct replay *rp, const struct record *r, const void *v)
{
	struct locks *l = rp->ctx;
	const struct lockdep_args *args = v;
	struct locks_row *row = lockdep_row(rp, r, args);
	struct locks_sequence *s = sequence_get(l, r->sample.tid, args->address);

	if (s->state == SEQUENCE_NONE)
		return REPLAY_GO;
	if (s->state != SEQUENCE_ACQUIRING && s->state != SEQUENCE_CONTENDED) {
		sequence_break(l, row, s, LOCKS_BAD_ACQUIRED);
		return REPLAY_GO;
	}
	if (s->state == SEQUENCE_CONTENDED)
		sequence_end_wait(l, row, s, rp->time);
	s->state = SEQUENCE_ACQUIRED;
	s->since = rp->time;
	row->value[LOCKS_ACQUIRED]++;
	row_average(row);
	return REPLAY_GO;
}

static int locks_take_contended(struct replay *rp, const struct record *r, const void *v)
{
	struct locks *l = rp->ctx;
	const struct lockdep_args *args = v;
	struct locks_row *row = lockdep_row(rp, r, args);
	struct locks_sequence *s = sequence_get(l, r->sample.tid, args->address);

	if (s->state == SEQUENCE_NONE)
		return REPLAY_GO;
	if (s->state != SEQUENCE_ACQUIRING) {
		sequence_break(l, row, s, LOCKS_BAD_CONTENDED);
		return REPLAY_GO;
	}
	s->state = SEQUENCE_CONTENDED;
	s->since = rp->time;
	s->losses = l->losses;
	row->value[LOCKS_CONTENDED]++;
	row_average(row);
	return REPLAY_GO;
}

static int locks_take_release(struct replay *rp, const struct record *r, const void *v)
{
	struct locks *l = rp->ctx;
	const struct lockdep_args *args = v;
	struct locks_row *row = lockdep_row(rp, r, args);
	struct locks_sequence *s = sequence_get(l, r->sample.tid, args->address);

	if (s->state == SEQUENCE_READERS && --s->readers)
		return REPLAY_GO;
	if (s->state == SEQUENCE_ACQUIRING || s->state == SEQUENCE_CONTENDED)
		sequence_break(l, row, s, LOCKS_BAD_RELEASE);
	s->state = SEQUENCE_NONE;
	return REPLAY_GO;
}

static void locks_lost(struct replay *rp, const struct replay_loss *loss)
{
	(void)loss; /* a task may go on on any CPU */
	((struct locks *)rp->ctx)->losses++;
}

static const struct replay_field begin_fields[] = {
	{"lock_addr", REPLAY_U64, offsetof(struct contention_args, address)},
	{"flags", REPLAY_U64, offsetof(struct contention_args, flags)},
	{0},
};
static const struct replay_field end_fields[] = {
	{"lock_addr", REPLAY_U64, offsetof(struct contention_args, address)},
	{0},
};
static const struct replay_field acquire_fields[] = {
	{"lockdep_addr", REPLAY_U64, offsetof(struct lockdep_args, address)},
	{"flags", REPLAY_U64, offsetof(struct lockdep_args, flags)},
	{"name", REPLAY_TEXT, offsetof(struct lockdep_args, name)},
	{0},
};
static const struct replay_field lockdep_fields[] = {
	{"lockdep_addr", REPLAY_U64, offsetof(struct lockdep_args, address)},
	{"name", REPLAY_TEXT, offsetof(struct lockdep_args, name)},
	{0},
};

static const struct replay_tracepoint locks_tracepoints[] = {
	{"lock:contention_begin", begin_fields, sizeof(struct contention_args), locks_take_begin,
	 .brief = REPLAY_BRIEF_CHAINS},
	{"lock:contention_end", end_fields, sizeof(struct contention_args), locks_take_end,
	 .brief = REPLAY_BRIEF_CHAINS},
	{"lock:lock_acquire", acquire_fields, sizeof(struct lockdep_args), locks_take_acquire},
	{"lock:lock_acquired", lockdep_fields, sizeof(struct lockdep_args), locks_take_acquired},
	{"lock:lock_contended", lockdep_fields, sizeof(struct lockdep_args), locks_take_contended},
	{"lock:lock_release", lockdep_fields, sizeof(struct lockdep_args), locks_take_release},
	{0},
};

static const struct replay_analysis locks_analysis = {.tracepoints = locks_tracepoints,
						      .lost = locks_lost};

int locks_read(struct locks *l, struct recording *rec, struct world *world,
	       const struct filter *filter, struct err *err)
{
	struct replay rp;
	int failed;

	world_present_only(world);
	replay_init(&rp, rec, world, &locks_analysis, l);
	rp.filter = filter;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	return failed;
}
