// SPDX-License-Identifier: MIT
/* Traces a recording: its system calls (raw_syscalls:sys_enter and sys_exit, or those of
 * syscalls:*) and its other events. */
#include "cmd/trace/trace_events.h"

#include <string.h>

struct enter_args {
	int64_t id;
	uint64_t args[CALL_ARGS];
};
static const struct replay_field enter_fields[] = {
	{"id", REPLAY_S64, offsetof(struct enter_args, id)},
	{"args", REPLAY_WORDS, offsetof(struct enter_args, args), CALL_ARGS},
	{0},
};

struct exit_args {
	int64_t id, ret;
};
static const struct replay_field exit_fields[] = {
	{"id", REPLAY_S64, offsetof(struct exit_args, id)},
	{"ret", REPLAY_S64, offsetof(struct exit_args, ret)},
	{0},
};

static enum call_abi abi_of(const struct replay *rp, int64_t *number)
{
	const char *machine = rp->rec->m.arch;
	int abi = call_abi_of_machine(machine ? machine : "x86_64");

	/* the return from a signal handler has the number -1 */
	if (abi == CALL_X86_64 && *number >= 0 && *number & CALL_X32_BIT) {
		*number &= ~(int64_t)CALL_X32_BIT;
		return CALL_X32;
	}
	return abi < 0 ? CALL_GENERIC : (enum call_abi)abi;
}

static void fill(struct replay *rp, const struct record *r, int64_t number, struct call *c)
{
	struct thread *t = replay_thread(rp, r->sample.pid, r->sample.tid);

	*c = (struct call){.pid = r->sample.pid,
			   .tid = r->sample.tid,
			   .cpu = r->sample.cpu,
			   .comm = world_comm(rp->world, t, WORLD_NOW)};
	c->abi = abi_of(rp, &number);
	c->number = (int)number;
	c->desc = call_find(c->abi, c->number);
}

static int take_call(struct trace_show *s, const struct record *r, const struct call *c)
{
	struct trace_below_text *below;

	trace_show_sample(s, c, r->event->name, r->sample.time);
	if (c->returned && r->sample.type & SAMPLE_CALLCHAIN && !s->opts->summary) {
		trace_below_take(&s->below, c->tid, NULL);
		below = trace_below_of(&s->below, c->tid);
		below->frames = event_chain_show(&s->events->lines, r, &below->chain);
		below->has_chain = true;
	}
	trace_show_comm(s, c->tid, c->comm);
	trace_show_add(s, c);
	return out_ready(&s->out) && !trace_show_full(s) ? REPLAY_GO : REPLAY_STOP;
}

static int take_enter(struct replay *rp, const struct record *r, const void *v)
{
	struct trace_show *s = rp->ctx;
	const struct enter_args *a = v;
	struct call c;

	fill(rp, r, a->id, &c);
	c.entered = true;
	c.enter_ns = r->sample.time;
	memcpy(c.args, a->args, sizeof(c.args));
	return take_call(s, r, &c);
}

static int take_exit(struct replay *rp, const struct record *r, const void *v)
{
	struct trace_show *s = rp->ctx;
	const struct exit_args *a = v;
	struct call c;

	fill(rp, r, a->id, &c);
	c.returned = true;
	c.exit_ns = r->sample.time;
	c.result = a->ret;
	return take_call(s, r, &c);
}

/* True for events that -e names; without -e, for all tracepoints. Page faults are selected by
 * -F. */
static bool trace_replay_is_wanted(const struct trace_events *e, const struct event *ev)
{
	const char *faults = e->show->opts->faults;

	if (faults && event_is_fault(ev))
		return !strcmp(faults, "all") || !strncmp(ev->name, faults, 3);
	for (size_t i = 0; i < e->named.n; i++)
		if (glob_match(e->named.at[i], ev->name))
			return true;
	return !e->named.n && ev->attr.type == TYPE_TRACEPOINT;
}

/* Adds a sample of syscalls:sys_enter_NAME, whose fields are the arguments, or sys_exit_NAME. False
 * for other samples. */
static bool add_call(struct replay *rp, const struct record *r)
{
	const struct tp_formats *formats = &rp->rec->m.formats;
	const struct event *ev = r->event;
	const struct tp_format *fmt;
	unsigned int n = 0;
	struct call c;
	bool enter;

	if (ev->attr.type != TYPE_TRACEPOINT || !ev->system || strcmp(ev->system, "syscalls"))
		return false;
	enter = !strncmp(ev->tracepoint, "sys_enter_", 10);
	fmt = tp_formats_find(formats, (uint32_t)ev->attr.config);
	if (!fmt || (!enter && strncmp(ev->tracepoint, "sys_exit_", 9)))
		return false;
	c.number = -1;
	for (size_t i = 0; i < fmt->fields.n; i++) {
		const struct tp_field *f = &fmt->fields.at[i];
		uint64_t v = f->is_common
				     ? 0
				     : tp_field_u64(formats, f, r->sample.raw, r->sample.raw_size);

		if (f->is_common)
			continue;
		if (!strcmp(f->name, "__syscall_nr")) {
			fill(rp, r, (int64_t)v, &c);
			c.entered = enter;
			c.returned = !enter;
			*(enter ? &c.enter_ns : &c.exit_ns) = r->sample.time;
		} else if (enter && n < CALL_ARGS) {
			c.args[n++] = v;
		} else if (!enter) {
			c.result = (int64_t)v;
		}
	}
	if (c.number < 0)
		return true;
	take_call(rp->ctx, r, &c);
	return true;
}

static int take_sample(struct replay *rp, const struct record *r)
{
	struct trace_show *s = rp->ctx;

	if (r->event && !(s->events->calls && add_call(rp, r)) &&
	    trace_replay_is_wanted(s->events, r->event))
		trace_events_add(s->events, r);
	return out_ready(&s->out) && !trace_show_full(s) ? REPLAY_GO : REPLAY_STOP;
}

static const struct replay_handler handlers[] = {{RECORD_SAMPLE, take_sample}, {0}};

static const struct replay_tracepoint tracepoints[] = {
	{"raw_syscalls:sys_enter", enter_fields, sizeof(struct enter_args), take_enter},
	{"raw_syscalls:sys_exit", exit_fields, sizeof(struct exit_args), take_exit},
	{0},
};

static const struct replay_analysis analysis = {.handlers = handlers, .tracepoints = tracepoints};

int trace_replay(struct trace_show *s, struct err *err)
{
	AUTO(recording) *rec = input_open_recording(&s->opts->input, &s->out, err);
	AUTO(world) *world = NULL;
	struct symbol_options symbols = {.demangle = true, .use_modules = true};
	struct replay rp;
	int got;

	if (!rec)
		return -1;
	world = world_of_recording(rec, &symbols);
	world_present_only(world);
	replay_init(&rp, rec, world, &analysis, s);
	got = trace_events_begin(s->events, &rec->m, world, recording_has(rec, FEATURE_CHAINS),
				 err);
	if (!got)
		got = replay_run(&rp, err);
	replay_release(&rp);
	trace_events_close(s->events);
	if (got)
		return -1;
	call_pairs_end(s->pairs);
	trace_show_end(s);
	out_flush(&s->out);
	return input_account(rec, "", false);
}
