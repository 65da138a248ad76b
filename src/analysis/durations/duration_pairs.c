// SPDX-License-Identifier: MIT
/* Calls between two events that the user has named. */
#include "analysis/durations/durations_private.h"

#include <string.h>

/* More values than that share a row. */
#define VALUES_MAX 4096
/* Pairs that are open at the same time: further ones keep no stack. */
#define STACKS_MAX 4096

/* One that began and has not ended; .used is false where the place is free. */
struct open_pair {
	bool used;
	struct open_call call;
	struct thread *thread; /* where it began */
	uint64_t key;
};

struct pair_args {
	uint64_t value;
};

int durations_add_pair(struct durations *d, const char *typed, struct err *err)
{
	struct duration_pair p = {0};
	const char *comma = strchr(typed, ','), *second;

	if (d->pairs.n == DURATION_PAIRS_MAX)
		return err_set(err, ERR_USAGE, "more than %d pairs", DURATION_PAIRS_MAX);
	if (!*typed || comma == typed)
		return err_set(err, ERR_USAGE, "'%s' is no pair: BEGIN,END[,FIELD]", typed);
	if (!comma) {
		p.begin = arena_printf(&d->arena, "%s__entry", typed);
		p.end = arena_printf(&d->arena, "%s__return", typed);
	} else {
		p.begin = arena_strndup(&d->arena, typed, (size_t)(comma - typed));
		second = strchr(comma + 1, ',');
		p.end = second ? arena_strndup(&d->arena, comma + 1, (size_t)(second - comma - 1))
			       : comma + 1;
		p.field = second ? second + 1 : NULL;
	}
	if (!*p.end || (p.field && (!*p.field || strchr(p.field, ','))))
		return err_set(err, ERR_USAGE, "'%s' is no pair: BEGIN,END[,FIELD]", typed);
	vec_add(&d->pairs, p);
	return 0;
}

const char *duration_marker_name(const char *name)
{
	name += *name == '%';
	return !strncmp(name, "sdt_", 4) ? name + 4 : name;
}

/* True when an event has the name, or is a probe at the marker of this name. */
static bool pair_event_is(const struct event *ev, const char *name)
{
	const char *marker = strstr(ev->name, ":%sdt_");

	return !strcmp(ev->name, name) ||
	       !strcmp(duration_marker_name(ev->name), duration_marker_name(name)) ||
	       (marker && !strcmp(marker + strlen(":%sdt_"), duration_marker_name(name)));
}

static const struct event *pair_event(const struct recording *rec, const char *name,
				      struct err *err)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		if (pair_event_is(rec->m.events.events.at[i], name))
			return rec->m.events.events.at[i];
	err_set(err, ERR_INPUT, "the recording has no event '%s'", name);
	return NULL;
}

/* -- calls -- */

static uint32_t pair_function(struct durations *d, const struct duration_pair *p, uint64_t value)
{
	const bool by_value = d->by_value && p->field;
	AUTO_BUF key = {0};
	uint32_t id;

	buf_printf(&key, "%s .. %s", p->begin, p->end);
	if (by_value && d->functions.n < VALUES_MAX)
		buf_printf(&key, " %s=%llu", p->field, (unsigned long long)value);
	else if (by_value)
		buf_str(&key, " (other values)");
	id = intern_put(&d->names, key.at, key.n);
	if (id == d->functions.n) {
		struct duration_function *f = vec_extend(&d->functions, 1);

		f->name = arena_strndup(&d->arena, key.at, key.n);
	}
	return id;
}

/* Ends the innermost call of a function in the thread. Others that began later and have not ended
 * stay open: pairs may overlap. */
static void pair_end_inside(struct replay *rp, struct durations_thread *t, uint32_t function)
{
	const size_t place = t->innermost.at[function];
	struct open_call ended = t->calls.at[place - 1];

	for (size_t i = place; i < t->depth; i++) {
		struct open_call *call = &t->calls.at[i];

		call->outer -= call->outer > place;
		/* the innermost of its function, or an outer one that the next round changes */
		t->innermost.at[call->function] = (uint32_t)i;
		t->calls.at[i - 1] = *call;
	}
	t->innermost.at[function] = ended.outer;
	t->calls.at[--t->depth] = (struct open_call){.stack = ended.stack};
	durations_count_call(rp, t, &ended, rp->time > ended.begin ? rp->time - ended.begin : 0,
			     CALL_ENDED);
}

static void pair_end_in_thread(struct replay *rp, struct durations_thread *t, uint32_t function)
{
	const size_t place = function < t->innermost.n ? t->innermost.at[function] : 0;

	if (!place)
		durations_of(rp)->functions.at[function].before++;
	else if (place == t->depth)
		durations_end_call(rp, t, CALL_ENDED);
	else
		pair_end_inside(rp, t, function);
}

/* -- calls by the value of a field -- */

static uint64_t pair_key(const struct durations *d, const struct duration_pair *p,
			 const struct durations_thread *t, uint64_t value)
{
	const struct {
		uint64_t pair, pid, value;
	} key = {(uint64_t)(p - d->pairs.at), t->thread->pid, value};

	return hash_bytes(&key, sizeof(key), 0);
}

/* Counts an open pair, and frees its place. t: the thread that ended it; NULL: none. */
static void open_pair_close(struct replay *rp, struct open_pair *o,
			    const struct durations_thread *t, enum call_end how)
{
	struct durations *d = durations_of(rp);
	const uint32_t place = (uint32_t)(o - d->open_pairs.at);
	/* what a thread waited meanwhile that did not end it says nothing */
	const struct durations_thread other = {
		.thread = o->thread, .waiting = o->call.waiting, .ready = o->call.ready};

	o->call.elsewhere = !t || t->thread != o->thread;
	durations_count_call(rp, o->call.elsewhere ? &other : t, &o->call,
			     rp->time > o->call.begin ? rp->time - o->call.begin : 0, how);
	o->used = false;
	*idmap_put(&d->open_by_value, o->key) = HASH_NONE;
	vec_add(&d->free_pairs, place);
}

static struct open_pair *open_pair_find(struct durations *d, uint64_t key)
{
	const uint32_t at = idmap_find(&d->open_by_value, key);

	return at == HASH_NONE ? NULL : &d->open_pairs.at[at];
}

static void open_pair_add(struct replay *rp, struct durations_thread *t, uint64_t key,
			  uint32_t function, const struct record *r)
{
	struct durations *d = durations_of(rp);
	struct open_pair *o;
	struct wall_stack stack;

	if (d->free_pairs.n)
		o = &d->open_pairs.at[d->free_pairs.at[--d->free_pairs.n]];
	else
		o = vec_extend(&d->open_pairs, 1);
	stack = o->call.stack;
	d->functions.at[function].entries = r->event;
	*o = (struct open_pair){.used = true,
				.thread = t->thread,
				.key = key,
				.call = {.function = function,
					 .begin = rp->time,
					 .waiting = t->waiting,
					 .ready = t->ready,
					 .losses = d->losses,
					 .stack = stack}};
	*idmap_put(&d->open_by_value, key) = (uint32_t)(o - d->open_pairs.at);
	if (d->slowest_max && d->open_pairs.n - d->free_pairs.n <= STACKS_MAX)
		wall_stack_keep(&o->call.stack, r);
	else
		wall_stack_forget(&o->call.stack);
}

static void pair_take(struct replay *rp, const struct duration_pair *p, struct durations_thread *t,
		      const struct record *r, uint64_t value)
{
	struct durations *d = durations_of(rp);
	const bool begins = r->event == p->begin_event;
	const uint32_t function = pair_function(d, p, value);
	const uint64_t key = pair_key(d, p, t, value);
	struct open_pair *o = p->field ? open_pair_find(d, key) : NULL;

	if (!p->field && begins)
		durations_open_call(rp, t, function, r);
	else if (!p->field)
		pair_end_in_thread(rp, t, function);
	else if (!begins && !o)
		d->functions.at[function].before++;
	else if (o)
		open_pair_close(rp, o, t, begins ? CALL_LEFT : CALL_ENDED);
	if (p->field && begins)
		open_pair_add(rp, t, key, function, r);
}

static int durations_take_pair(struct replay *rp, const struct record *r, const void *v)
{
	const struct pair_args *args = v;
	struct durations *d = durations_of(rp);
	struct durations_thread *t = durations_thread_of(rp, r->sample.pid, r->sample.tid);

	durations_count_hit(rp, t);
	for (size_t i = 0; t && i < d->pairs.n; i++) {
		const struct duration_pair *p = &d->pairs.at[i];

		if (r->event == p->begin_event || r->event == p->end_event)
			pair_take(rp, p, t, r, p->field ? args->value : 0);
	}
	return REPLAY_GO;
}

/* -- all of them -- */

/* Replay names a tracepoint as its format does: a probe's event has another name. */
static struct replay_tracepoint pair_row(struct durations *d, const struct recording *rec,
					 const struct duration_pair *p, const struct event *ev)
{
	const struct tp_format *format =
		ev->format ? ev->format
			   : tp_formats_find(&rec->m.formats, (uint32_t)ev->attr.config);

	return (struct replay_tracepoint){
		format ? arena_printf(&d->arena, "%s:%s", format->system, format->name) : ev->name,
		p->fields, sizeof(struct pair_args), durations_take_pair};
}

int duration_pairs_bind(struct durations *d, const struct recording *rec,
			struct replay_tracepoint *rows, struct err *err)
{
	for (size_t i = 0; i < d->pairs.n; i++) {
		struct duration_pair *p = &d->pairs.at[i];

		p->begin_event = pair_event(rec, p->begin, err);
		p->end_event = p->begin_event ? pair_event(rec, p->end, err) : NULL;
		if (!p->end_event)
			return -1;
		if (p->begin_event == p->end_event)
			return err_set(err, ERR_USAGE, "'%s' cannot begin and end a pair",
				       p->begin);
		if (p->field)
			p->fields[0] = (struct replay_field){p->field, REPLAY_U64,
							     offsetof(struct pair_args, value)};
		rows[2 * i] = pair_row(d, rec, p, p->begin_event);
		rows[2 * i + 1] = pair_row(d, rec, p, p->end_event);
	}
	return 0;
}

void duration_pairs_end(struct replay *rp)
{
	struct durations *d = durations_of(rp);

	for (size_t i = 0; i < d->open_pairs.n; i++)
		if (d->open_pairs.at[i].used)
			open_pair_close(rp, &d->open_pairs.at[i], NULL, CALL_OPEN);
}

void duration_pairs_release(struct durations *d)
{
	for (size_t i = 0; i < d->open_pairs.n; i++)
		wall_stack_release(&d->open_pairs.at[i].call.stack);
	vec_release(&d->open_pairs);
	vec_release(&d->free_pairs);
	vec_release(&d->pairs);
	idmap_release(&d->open_by_value);
}
