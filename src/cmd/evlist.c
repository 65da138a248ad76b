// SPDX-License-Identifier: MIT
#include "cmd/options/opts_input.h"

#include "view/header/header.h"
#include "world/replay/replay.h"

struct evlist_opts {
	struct input_opts input;
	bool freq, group, trace_fields;
	int verbose;
};

static const struct opt options[] = {
	{OPT_BOOL, 'F', "freq", offsetof(struct evlist_opts, freq), NULL,
	 "Show the sample frequency"},
	{OPT_COUNT, 'v', "verbose", offsetof(struct evlist_opts, verbose), NULL,
	 "Show all event attr details"},
	{OPT_BOOL, 'g', "group", offsetof(struct evlist_opts, group), NULL,
	 "Show event group information"},
	{OPT_BOOL, 0, "trace-fields", offsetof(struct evlist_opts, trace_fields), NULL,
	 "Show tracepoint fields"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{input_opts, offsetof(struct evlist_opts, input)}, {options, 0}, {0}};

/* In a pipe the names follow as later records: perf then lists names made from the attributes. */
static void evlist_show_name(const struct recording *rec, const struct event *ev, struct buf *out)
{
	if (rec->is_pipe)
		attr_name(&ev->attr, out);
	else
		buf_str(out, ev->name);
}

static void show_group(const struct recording *rec, const struct event *leader, struct buf *out)
{
	const struct event_set *set = &rec->m.events;

	if (leader->members > 1) {
		buf_str(out, leader->group_name ? leader->group_name : "");
		buf_char(out, '{');
	}
	evlist_show_name(rec, leader, out);
	for (size_t i = leader->index + 1; i < set->events.n; i++) {
		if (set->events.at[i]->leader != leader->index)
			continue;
		buf_char(out, ',');
		evlist_show_name(rec, set->events.at[i], out);
	}
	if (leader->members > 1)
		buf_char(out, '}');
	buf_char(out, '\n');
}

/* Separates details: ':' before the first one, ',' before the others. */
static void separator(bool *first, struct buf *out)
{
	buf_char(out, *first ? ':' : ',');
	*first = false;
}

static void show_fields(const struct event *ev, const struct tp_formats *formats, bool *first,
			struct buf *out)
{
	const struct tp_format *fmt = tp_formats_find(formats, (uint32_t)ev->attr.config);
	size_t shown = 0;

	separator(first, out);
	if (ev->attr.type != TYPE_TRACEPOINT) {
		buf_str(out, " (not a tracepoint)");
		return;
	}
	for (size_t i = 0; fmt && i < fmt->fields.n; i++) {
		if (fmt->fields.at[i].is_common)
			continue;
		buf_str(out, shown++ ? "," : " trace_fields: ");
		buf_safe(out, fmt->fields.at[i].name);
	}
	if (!shown)
		buf_str(out, " (no trace field)");
}

static void evlist_show_event(const struct evlist_opts *o, const struct recording *rec,
			      const struct event *ev, struct buf *out)
{
	bool first = true;

	evlist_show_name(rec, ev, out);
	if (o->verbose) {
		separator(&first, out);
		buf_char(out, ' ');
		attr_show(&ev->attr, out);
	} else if (o->freq) {
		separator(&first, out);
		buf_str(out, ev->attr.flags & ATTR_FREQ ? " sample_freq=" : " sample_period=");
		buf_dec(out, ev->attr.sample_freq);
	}
	if (o->trace_fields)
		show_fields(ev, &rec->m.formats, &first, out);
	buf_char(out, '\n');
}

/* A pipe's events come as records: they are known at its end. */
static int read_to_end(struct recording *rec, struct err *err)
{
	static const struct replay_analysis nothing;
	struct replay rp;
	int failed;

	replay_init(&rp, rec, NULL, &nothing, NULL);
	rp.reading.mode = SOURCE_SIDE_BAND;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	return failed;
}

static int cmd_evlist_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct evlist_opts *o = opts;
	AUTO(recording) *rec = NULL;
	struct buf *out = &env->out->buf;
	bool tracepoints = false;

	if (argc)
		return err_set(err, ERR_USAGE, "evlist takes no argument: '%s' (-i names a file)",
			       argv[0]);
	if (o->group && (o->verbose || o->freq))
		return err_set(err, ERR_USAGE,
			       "--group option is not compatible with other options");
	rec = input_open_recording(&o->input, env->out, err);
	if (!rec || (rec->is_pipe && read_to_end(rec, err)))
		return -1;
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct event *ev = rec->m.events.events.at[i];

		tracepoints |= ev->attr.type == TYPE_TRACEPOINT;
		if (!o->group)
			evlist_show_event(o, rec, ev, out);
		else if (event_is_leader(ev))
			show_group(rec, ev, out);
	}
	header_contained_show(rec, out);
	if (tracepoints && !o->trace_fields)
		buf_str(out,
			"# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint "
			"events\n");
	return input_account_list(rec);
}

static const char *const usage[] = {"evlist [<options>]", NULL};

const struct cmd cmd_evlist = {
	.name = "evlist",
	.summary = "List the event names in a perf.data file",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct evlist_opts),
	.run = cmd_evlist_run,
};
