// SPDX-License-Identifier: MIT
#include "probe/event_probes.h"

#include "os/machine/pmu.h"
#include "os/tracing/probe_events.h"
#include "os/tracing/tracefs.h"
#include "probe/kept_probes.h"
#include "probe/made_probes.h"
#include "probe/target.h"

static struct made_probes *made_of(struct event_set *set, const char *tracefs)
{
	if (!set->made) {
		set->made = made_probes_new(tracefs);
		set->remove_made = made_probes_remove;
	}
	return set->made;
}

/* The kernel copies the name of an event's file from the process that opens it, and would copy it
 * anew from each thread that inherits the event: its fork() would fail. A group is inherited as its
 * leader is. */
static void forbid_inheritance(struct event_set *set, const struct event *ev)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (set->events.at[i]->leader == ev->leader)
			set->events.at[i]->no_inherit = true;
}

/* The kernel's own kind of event for a place without arguments. False: it has none. */
static bool use_pmu(struct event_set *set, struct event *ev, const struct event_host *host,
		    const struct probe_def *d)
{
	const char *name = d->file ? "uprobe" : "kprobe";
	struct arena arena = {0};
	struct pmu pmu;
	const char *place;
	bool found = host->pmu_root && pmu_read(host->pmu_root, name, &arena, &pmu);

	if (found) {
		place = d->file	     ? d->file
			: !d->symbol ? NULL
			: d->module  ? arena_printf(&arena, "%s:%s", d->module, d->symbol)
				     : d->symbol;
		ev->attr.type = pmu.type;
		ev->attr.config = d->retprobe | d->counter << 32;
		/* the kernel reads the text behind the pointer when the event is opened */
		ev->attr.config1 = place ? (uintptr_t)arena_strdup(&set->arena, place) : 0;
		ev->attr.config2 = d->file || !d->symbol ? d->address : d->offset;
		ev->excludes_given = true; /* without the right to the kernel there is no probe */
		ev->pmu = arena_strdup(&set->arena, name);
		forbid_inheritance(set, ev);
		pmu_release(&pmu);
	}
	arena_release(&arena);
	return found;
}

/* Refuses a probe that only tracefs can make, before anything is made of it. */
static int refuse_tracefs(const struct event *ev, const char *tracefs,
			  const struct probe_defs *defs, struct err *err)
{
	const struct probe_def *d = &defs->at[0];

	if (probe_events_may_write(tracefs, d->file ? PROBES_OF_USER : PROBES_OF_KERNEL, err))
		return 0;
	if (err && err->code == ERR_RIGHTS && (defs->n > 1 || d->args.n))
		err_hint(err,
			 "'%s' has %s, so it is made in tracefs, where only root may; a probe of "
			 "one place without arguments is not",
			 ev->name, defs->n > 1 ? "several places" : "arguments");
	return -1;
}

/* All places of a probe are one event of tracefs. */
static int use_tracefs(struct event_set *set, struct event *ev, const char *tracefs,
		       const struct probe_spec *s, struct probe_defs *defs, struct err *err)
{
	struct made_probes *m = made_of(set, tracefs);
	struct probe_spec own = *s;
	struct probe_names names = {0};
	const char *event;
	uint64_t id;
	int got;

	if (defs->n > 1 && !probe_events_can_share(tracefs))
		return err_set(err, ERR_UNSUPPORTED,
			       "'%s' means %zu places, which need Linux 5.5 or later to be one "
			       "event",
			       ev->name, defs->n);
	own.group = made_probes_group(m);
	if (refuse_tracefs(ev, tracefs, defs, err))
		return -1;
	got = probe_names_read(&names, tracefs, err);
	for (size_t i = 0; i < defs->n && !got; i++) {
		struct probe_def *d = &defs->at[i];

		if (!i)
			got = probe_name_def(d, &own, PROBE_NAME_SUFFIX, &names, &defs->arena, err);
		d->group = own.group;
		d->event = defs->at[0].event;
		if (!got)
			got = made_probes_write(m, d, err);
	}
	probe_names_release(&names);
	event = defs->at[0].event;
	if (got || tracefs_id(tracefs, own.group, event, &id, err))
		return -1;
	ev->system = arena_strdup(&set->arena, own.group);
	ev->tracepoint = arena_strdup(&set->arena, event);
	ev->attr.type = TYPE_TRACEPOINT;
	ev->attr.config = id;
	ev->attr.sample_type |= SAMPLE_RAW;
	return 0;
}

static int make_event(struct event_set *set, struct event *ev, const struct event_host *host,
		      const struct probe_spec *s, struct probe_defs *defs, struct buf *notes,
		      struct err *err)
{
	const enum probe_events which = defs->at[0].file ? PROBES_OF_USER : PROBES_OF_KERNEL;
	const bool plain = defs->n == 1 && !defs->at[0].args.n;

	if (plain &&
	    (!host->tracefs_root || !probe_events_may_write(host->tracefs_root, which, NULL)) &&
	    use_pmu(set, ev, host, &defs->at[0])) {
		buf_printf(notes,
			   "'%s' is not seen in children and new threads of a command: that "
			   "needs tracefs, where only root may make it\n",
			   ev->name);
		return 0;
	}
	if (host->tracefs_root)
		return use_tracefs(set, ev, host->tracefs_root, s, defs, err);
	err_set(err, ERR_UNSUPPORTED, "'%s' needs tracefs, which is not mounted", ev->name);
	return err_hint(err, "mount -t tracefs tracefs " TRACEFS_USUAL);
}

#define PLACES_MOST 128

/* The places of a spec: in the program, module or kernel that is named; of a marker without one in
 * all programs of the build-id store that have it. */
static int find_places(const struct event_probe *p, const struct probe_spec *s,
		       const struct symbol_options *options, struct probe_defs *defs,
		       struct err *err)
{
	static const struct probe_wishes wishes = {.max_probes = PLACES_MOST};
	enum probe_kind kind = p->user ? PROBE_FILE : p->file ? PROBE_MODULE : PROBE_KERNEL;
	struct names files = {0};
	AUTO_BUF notes = {0};
	int got = 0;

	if (p->user && !p->file)
		got = kept_marker_files(options->buildid_dir, options->cache_size, s, &defs->arena,
					&files, err);
	else
		vec_add(&files, p->file);
	for (size_t i = 0; i < files.n && !got; i++) {
		struct probe_target t = {0};

		got = probe_target_open(&t, kind, files.at[i], 0, options, err);
		if (!got)
			got = probe_target_defs(&t, s, &wishes, defs, &notes, err);
		probe_target_release(&t);
	}
	vec_release(&files);
	return got;
}

static int make_probe(struct event_set *set, struct event *ev, const struct event_host *host,
		      const struct symbol_options *options, struct buf *notes, struct err *err)
{
	struct probe_defs defs = {0};
	struct probe_spec s = {0};
	int got;

	got = probe_spec_parse(&s, ev->probe->spec, &defs.arena, err);
	if (!got)
		got = find_places(ev->probe, &s, options, &defs, err);
	if (!got)
		got = make_event(set, ev, host, &s, &defs, notes, err);
	if (!got)
		ev->probe = NULL;
	probe_spec_release(&s);
	probe_defs_release(&defs);
	return got;
}

int event_probes_make(struct event_set *set, size_t first, const struct event_host *host,
		      const struct symbol_options *options, struct buf *notes, struct err *err)
{
	for (size_t i = first; i < set->events.n; i++)
		if (set->events.at[i]->probe &&
		    make_probe(set, set->events.at[i], host, options, notes, err))
			return -1;
	return 0;
}
