// SPDX-License-Identifier: MIT
#include "view/script/script.h"

#include "view/dump/dump.h"
#include "view/record_text.h"

/* Returns the kernel function at an address, for tracepoints that print a function. */
static const char *kernel_function(void *ctx, uint64_t address, uint64_t *start)
{
	struct script *s = ctx;
	struct place p = world_place(s->world, s->epoch, MISC_KERNEL, address);
	const struct symbol *sym = place_symbol(&p);

	if (!sym)
		return NULL;
	*start = address - (place_rva(&p) - sym->start);
	return dso_symbol_name(p.dso, sym);
}

void script_init(struct script *s, const struct recording *rec, struct world *world,
		 struct buf *out)
{
	*s = (struct script){.rec = rec, .world = world, .out = out};
	script_frames_init(&s->frames, world, rec);
	s->frames.stop_at = &s->stop_at;
	s->tp_text = tp_text_new(&rec->m.formats, &(struct tp_text_options){kernel_function, s});
}

void script_release(struct script *s)
{
	tp_text_free(s->tp_text);
	script_frames_release(&s->frames);
	script_fields_release(&s->fields);
	filter_release(&s->filter);
	read_split_release(&s->split);
	code_files_release(&s->code);
	intern_release(&s->stop_at.names);
	vec_release(&s->addresses);
}

void script_copy(struct script *copy, const struct script *s)
{
	*copy = *s;
	script_frames_copy(&copy->frames, &s->frames);
	copy->tp_text =
		tp_text_new(&s->rec->m.formats, &(struct tp_text_options){kernel_function, copy});
	copy->code = (struct code_files){0};
	copy->split = (struct read_split){0};
	copy->out = NULL;
}

void script_join(struct script *s, struct script *copy)
{
	for (int end = 0; end < UNWIND_ENDS; end++)
		s->frames.unwound.ends[end] += copy->frames.unwound.ends[end];
	s->frames.unwound.cut += copy->frames.unwound.cut;
	tp_text_free(copy->tp_text);
	script_frames_release(&copy->frames);
	code_files_release(&copy->code);
}

static bool wanted_cpu(const struct script *s, bool known, uint32_t cpu)
{
	return !s->filter.cpus.given || !known || number_list_has(&s->filter.cpus, cpu);
}

static bool wanted_thread(const struct script *s, const struct script_moment *m)
{
	const struct filter *f = &s->filter;

	return (!f->comms.given || name_list_has(&f->comms, m->comm)) &&
	       (!f->pids.given || number_list_has(&f->pids, m->pid)) &&
	       (!f->tids.given || number_list_has(&f->tids, m->tid));
}

static bool wanted_address(const struct script *s, uint64_t ip)
{
	for (size_t i = 0; i < s->addresses.n; i++)
		if (ip - s->addresses.at[i] <= s->address_range)
			return true;
	return false;
}

static bool wanted_place(const struct script *s, const struct script_frame *at)
{
	const struct filter *f = &s->filter;

	if (f->dsos.given && (!at->place.map ||
			      (!name_list_has(&f->dsos, at->place.dso->short_name) &&
			       !name_list_has(&f->dsos, at->place.dso->long_name))))
		return false;
	if (!f->symbols.given)
		return true;
	return (at->sym && name_list_has(&f->symbols, at->name)) ||
	       (at->place.map && wanted_address(s, at->place.ip));
}

/* True when the line or a filter needs the place of the sample's own address. A chain that is shown
 * has that address as its first frame. */
static bool place_needed(const struct script *s, const struct event *ev, uint64_t fields)
{
	const uint64_t code = FIELD_INSN | FIELD_INSNLEN;

	return s->filter.dsos.given || s->filter.symbols.given || (fields & code) ||
	       ((fields & FIELD_IP) && !script_has_chain(s, ev));
}

static void check_order(struct script *s, const struct record *r)
{
	if (r->sample.time < s->checked_time)
		s->misordered++;
	s->checked_time = r->sample.time;
}

static uint8_t cpumode_of(const struct record *r)
{
	return r->header.misc & MISC_CPUMODE_MASK;
}

static void dump_place(struct script *s, const struct record *r, const struct script_moment *m)
{
	struct place p = world_place(s->world, m->epoch, cpumode_of(r), r->sample.ip);

	dump_sample_place(m->comm, m->tid,
			  p.map ? p.dso->long_name
				: p.level == 'H' ? "[hypervisor]" : "<not found>",
			  s->dump);
}

struct script_moment script_moment(const struct script *s, const struct thread *t, uint8_t cpumode,
				   uint64_t time)
{
	if (cpumode_is_guest(cpumode) && world_guests(s->world)->wanted)
		t = world_guest_thread(s->world, t);
	return (struct script_moment){.comm = world_comm(s->world, t, WORLD_NOW),
				      .pid = t->pid,
				      .tid = t->tid,
				      .epoch = world_epoch(s->world, t, time)};
}

/* True when the sample's time and CPU pass the filters. With .debug no sample is shown: only the
 * order of times is checked. */
static bool wanted(struct script *s, const struct record *r)
{
	if (!r->event)
		return false;
	/* a sample without a time counts as later than all others */
	if (!filter_has_time(&s->filter,
			     r->sample.type & SAMPLE_TIME ? r->sample.time : UINT64_MAX))
		return false;
	if (s->debug) {
		check_order(s, r);
		return false;
	}
	return wanted_cpu(s, r->sample.type & SAMPLE_CPU, r->sample.cpu);
}

/* True when the sample is of a machine that is shown, and its thread passes the filters. */
static bool wanted_world(const struct script *s, const struct record *r,
			 const struct script_moment *m)
{
	return world_wants_mode(s->world, cpumode_of(r)) && wanted_thread(s, m);
}

static void show_sample(struct script *s, const struct record *r, const struct script_moment *m,
			struct buf *out)
{
	static const struct script_frame nowhere;
	const struct script_frame *at = &nowhere;
	uint8_t cpumode = cpumode_of(r);
	uint64_t fields;

	if (!wanted_world(s, r, m))
		return;
	fields = s->fields.types[output_type(r->event->attr.type)].fields;
	s->epoch = m->epoch;
	script_frames_bound(&s->frames);
	if (place_needed(s, r->event, fields))
		at = script_frame(&s->frames, m->epoch, cpumode, r->sample.ip,
				  (fields & FRAME_FIELDS) |
					  (s->filter.symbols.given ? SCRIPT_FRAME_SYMBOL : 0));
	if (!wanted_place(s, at) || replay_switched_off(&s->switches, r->event) || !fields)
		return;
	if (s->dumps) {
		out = s->dumps[r->event->index].out;
		s->dumps[r->event->index].samples++;
	}
	script_sample(s, r, m, at, out);
}

void script_show(struct script *s, const struct record *r, const struct script_moment *m,
		 struct buf *out)
{
	if (wanted(s, r))
		show_sample(s, r, m, out);
}

bool script_has_lines(const struct script *s)
{
	const struct event_set *set = &s->rec->m.events;

	if (s->filter.dsos.given || s->filter.symbols.given)
		return false;
	for (size_t i = 0; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];
		uint64_t fields = s->fields.types[output_type(ev->attr.type)].fields;
		bool copies = (ev->attr.sample_type & SAMPLE_REGS_USER) &&
			      (ev->attr.sample_type & SAMPLE_STACK_USER);

		if (!(fields & FIELD_IP))
			continue;
		if (fields & FIELD_SRCLINE)
			return true;
		if (script_has_chain(s, ev) && !s->frames.no_inlines &&
		    (copies || s->frames.chains_made))
			return true;
	}
	return false;
}

bool script_ask(struct script *s, const struct record *r, const struct script_moment *m,
		struct line_questions *q, struct script_words *words)
{
	const struct sample *sample = &r->sample;
	const uint64_t *chain = sample->callchain;
	uint64_t n = sample->callchain_nr, fields;
	bool unwound;

	if (!wanted(s, r) || !wanted_world(s, r, m))
		return false;
	fields = s->fields.types[output_type(r->event->attr.type)].fields;
	if (!(fields & FIELD_IP))
		return false;
	if (!script_has_chain(s, r->event)) {
		if (script_fields_have_lines(fields))
			line_questions_add(q, m->epoch, cpumode_of(r), sample->ip);
		return false;
	}
	unwound = unwound_chain(&s->frames.unwound, m->epoch, sample, &chain, &n);
	for (uint64_t i = 0; unwound && i < n; i++)
		vec_add(words, chain[i]);
	if (script_fields_have_lines(script_chain_fields(&s->frames, sample, fields)))
		line_questions_chain(q, m->epoch, chain, n,
				     unwound ? UINT32_MAX : s->frames.max_stack);
	return unwound;
}

static void add_sample(struct script *s, const struct record *r)
{
	struct script_moment m;

	if (!wanted(s, r))
		return;
	m = script_moment(s, world_thread(s->world, r->sample.pid, r->sample.tid, WORLD_NOW),
			  cpumode_of(r), record_time(&s->rec->m, r));
	if (s->dump)
		dump_place(s, r, &m);
	show_sample(s, r, &m, s->out);
}

/* Shows a sample; one that carries counter values is shown once for each of them. */
static void add_samples(struct script *s, const struct record *r)
{
	struct record one;
	uint64_t i = 0;

	if (!read_split_needed(r->event)) {
		add_sample(s, r);
		return;
	}
	one = *r;
	while (read_split_next(&s->split, &s->rec->m.events, r, &i, &one.event, &one.sample.period))
		add_sample(s, &one);
}

static unsigned int show_kind(const struct record *r)
{
	switch (r->header.type) {
	case RECORD_COMM:
	case RECORD_FORK:
	case RECORD_EXIT:
		return SHOW_TASK;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return SHOW_MMAP;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		return SHOW_SWITCH;
	case RECORD_NAMESPACES:
		return SHOW_NAMESPACES;
	case RECORD_LOST:
		return SHOW_LOST;
	case RECORD_FINISHED_ROUND:
		return SHOW_ROUND;
	case RECORD_KSYMBOL:
		return SHOW_BPF | SHOW_TEXT_POKE;
	case RECORD_BPF_EVENT:
		return SHOW_BPF;
	case RECORD_CGROUP:
		return SHOW_CGROUP;
	case RECORD_TEXT_POKE:
		return SHOW_TEXT_POKE;
	default:
		return 0;
	}
}

/* The thread that a side-band record is about; false: none. */
static bool subject(const struct record *r, uint32_t *pid, uint32_t *tid)
{
	switch (r->header.type) {
	case RECORD_COMM:
		*pid = r->comm.pid;
		*tid = r->comm.tid;
		return true;
	case RECORD_FORK:
	case RECORD_EXIT:
		*pid = r->task.pid;
		*tid = r->task.tid;
		return true;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		*pid = r->mmap.pid;
		*tid = r->mmap.tid;
		return true;
	case RECORD_NAMESPACES:
		*pid = r->namespaces.pid;
		*tid = r->namespaces.tid;
		return true;
	default:
		*pid = r->id.pid;
		*tid = r->id.tid;
		return r->id.has & SAMPLE_TID;
	}
}

/* The event whose name and fields begin the line of a side-band record. */
static const struct event *side_band_event(const struct script *s, const struct record *r)
{
	if (r->event)
		return r->event;
	if (s->rec->m.events.events.n == 1 || !r->id.id)
		return s->rec->m.events.events.n ? s->rec->m.events.events.at[0] : NULL;
	return NULL;
}

static void show_side_band(struct script *s, const struct record *r)
{
	const struct event *ev = side_band_event(s, r);
	const char *comm = NULL;
	struct record shown;
	uint32_t pid, tid;

	if (r->header.type == RECORD_FINISHED_ROUND) {
		record_text(r, s->world, s->out);
		return;
	}
	if (!wanted_cpu(s, r->id.has & SAMPLE_CPU, r->id.cpu))
		return;
	if (subject(r, &pid, &tid) && tid != (uint32_t)-1)
		comm = world_comm(s->world, world_thread(s->world, pid, tid, WORLD_NOW), WORLD_NOW);
	if (ev && !s->rec->m.sample_id_all) {
		shown = *r;
		shown.id = (struct record_id){
			.has = SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU, .pid = pid, .tid = tid};
		if (r->header.type == RECORD_FORK || r->header.type == RECORD_EXIT)
			shown.id.time = r->task.time;
		script_start(s, &shown, comm, ev, s->out);
	} else if (ev) {
		script_start(s, r, comm, ev, s->out);
	}
	record_text(r, s->world, s->out);
}

/* Checks the fields of events that a pipe has announced since the last record. */
static int new_events(struct script *s, struct err *err)
{
	const struct event_set *set = &s->rec->m.events;

	for (; s->events_seen < set->events.n; s->events_seen++)
		if (script_fields_event(&s->fields, s->rec, set->events.at[s->events_seen], err))
			return -1;
	return 0;
}

int script_add(struct script *s, const struct record *r, struct err *err)
{
	if (s->rec->is_pipe && s->events_seen < s->rec->m.events.events.n && new_events(s, err))
		return -1;
	if (s->dump)
		dump_record(s->rec, r, s->unsorted ? DUMP_UNSORTED : DUMP_SCRIPT, s->dump);
	if (r->header.type == RECORD_SAMPLE)
		add_samples(s, r);
	else if (s->show & show_kind(r))
		show_side_band(s, r);
	return 0;
}
