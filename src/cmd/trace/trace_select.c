// SPDX-License-Identifier: MIT
/* Selects calls and events by -e: names, globs and groups; with '!' all calls but these. */
#include "cmd/trace/trace_events.h"

#include <string.h>

struct chosen {
	bool by_row[1024]; /* by index in call_all() */
	bool calls;	   /* a call was named */
};

static bool is_chosen(const struct call_desc *call, const char *word)
{
	return glob_match(word, call->name) || glob_match(word, call->tracepoint);
}

static const char *nearest_call(const char *word)
{
	size_t n;
	const struct call_desc *all = call_all(&n);
	const char *names[1024];

	for (size_t i = 0; i < n; i++)
		names[i] = all[i].name;
	return nearest_name(word, names, n);
}

static int unknown(const char *word, struct err *err)
{
	const char *near = nearest_call(word);

	err_set(err, ERR_USAGE, "no system call is called '%s'", word);
	return near ? err_hint(err, "Is '%s' meant?", near) : -1;
}

/* Chooses the calls that a word names. False: it names none. */
static bool choose(struct chosen *c, const char *word)
{
	size_t n;
	const struct call_desc *all = call_all(&n);
	bool everything = !strcmp(word, "all") || !strcmp(word, "%all");
	bool class = call_class_exists(word), found = false;

	/* "stat" is a call, "%stat" and "file" are groups */
	if (class && *word != '%' && call_find_name(word))
		class = false;
	for (size_t i = 0; i < n; i++) {
		if (!(everything ||
		      (class ? call_in_class(&all[i], word) : is_chosen(&all[i], word))))
			continue;
		c->by_row[i] = found = true;
	}
	c->calls |= found;
	return found;
}

/* True for an event, such as "page-faults". */
static bool is_event(const char *word, const struct event_host *host)
{
	struct event_set set = {0};
	bool is = !event_parse(&set, word, host, NULL);

	event_set_release(&set);
	return is;
}

static void add_event(struct trace_events *events, const char *name)
{
	vec_add(&events->selects, (struct event_select){SELECT_EVENTS, name});
	events->any = true;
}

/* Length up to the next comma outside of groups, arguments and terms of events. */
static size_t trace_select_word_length(const char *p)
{
	bool file = !strncmp(p, "uprobe:", 7) || !strncmp(p, "uretprobe:", 10);
	unsigned int depth = 0;
	bool terms = false;
	size_t n = 0;

	for (; p[n] && (p[n] != ',' || depth || terms); n++) {
		depth += p[n] == '(' || p[n] == '{';
		depth -= depth && (p[n] == ')' || p[n] == '}');
		terms ^= p[n] == '/' && !file;
	}
	return n;
}

static int choose_list(struct chosen *c, const char *list, const struct event_host *host,
		       struct trace_events *events, struct err *err)
{
	const bool negated = *list == '!';
	AUTO_BUF together = {0}; /* one list of events, so that a filter after it applies to all */

	for (list += negated; *list;) {
		size_t n = trace_select_word_length(list);
		const char *word = arena_strndup(&events->arena, list, n);

		list += n + (list[n] == ',');
		if (!n || choose(c, word))
			continue;
		if (negated || (!strpbrk(word, ":/{") && !is_event(word, host)))
			return unknown(word, err);
		vec_add(&events->named, word);
		buf_printf(&together, "%s%s", together.n ? "," : "", word);
	}
	if (together.n)
		add_event(events, arena_strdup(&events->arena, buf_text(&together)));
	return 0;
}

static int select_words(const struct trace_opts *o, const struct event_host *host, struct chosen *c,
			struct trace_events *events, struct err *err)
{
	const char *first = NULL;

	for (size_t i = 0; i < o->selects.n; i++) {
		const struct event_select *s = &o->selects.at[i];

		if (s->kind != SELECT_EVENTS) {
			if (s->kind == SELECT_FILTER && !events->any)
				return err_set(err, ERR_USAGE,
					       "--filter '%s' stands behind no event", s->text);
			vec_add(&events->selects, *s);
			continue;
		}
		if (first && (*s->text == '!') != (*first == '!'))
			return err_set(err, ERR_USAGE,
				       "-e cannot both name calls and leave out others: '%s'",
				       s->text);
		first = s->text;
		if (choose_list(c, s->text, host, events, err))
			return -1;
	}
	if (o->faults && strcmp(o->faults, "min"))
		add_event(events, "major-faults");
	if (o->faults && strcmp(o->faults, "maj"))
		add_event(events, "minor-faults");
	if (o->sched)
		add_event(events, "sched:sched_stat_runtime");
	return 0;
}

static int check_cgroup(const struct trace_opts *o, struct trace_events *events, struct err *err)
{
	for (size_t i = 0; i < events->selects.n; i++)
		if (events->selects.at[i].kind == SELECT_CGROUPS)
			events->cgroup = events->selects.at[i].text;
	if (!events->cgroup)
		return 0;
	if (o->input.path)
		return err_set(err, ERR_USAGE, "-G is of what happens, not of a recording");
	if (!o->target.system_wide) {
		err_set(err, ERR_USAGE, "-G is of all CPUs only");
		return err_hint(err, "perf trace -a -G GROUP");
	}
	if (events->calls && strchr(events->cgroup, ','))
		return err_set(err, ERR_USAGE, "-G names one group of system calls: '%s'",
			       events->cgroup);
	return 0;
}

/* Refuses a selection of nothing, and options that need events. */
static int trace_select_check(const struct trace_opts *o, struct trace_events *events,
			      struct err *err)
{
	if (!events->calls && !events->any)
		return err_set(err, ERR_USAGE,
			       "--no-syscalls leaves nothing: -e and -F name events");
	if (check_cgroup(o, events, err))
		return -1;
	if (o->input.path || events->any)
		return 0;
	if (o->switch_on || o->switch_off)
		return err_set(err, ERR_USAGE, "--switch-on and --switch-off name events of -e");
	return 0;
}

/* Makes a filter of raw_syscalls:sys_exit from ranges of call numbers. Where a number means
 * different calls to 32-bit and 64-bit programs, it passes both. NULL for too many ranges: no
 * filter. */
static const char *exits_filter(struct arena *arena, const struct call_selection *calls)
{
	enum { RANGES_MOST = 100 };
	AUTO_BUF text = {0};
	unsigned int ranges = 0;
	bool before = false;

	buf_printf(&text, "id >= %u", CALL_X32_BIT);
	for (int n = 0, from = 0; n <= CALL_NUMBERS; n++) {
		bool on = false;

		for (int abi = 0; n < CALL_NUMBERS && abi < CALL_ABIS; abi++)
			on |= calls->on[abi][n];
		if (on && !before)
			from = n;
		if (!on && before && ++ranges <= RANGES_MOST)
			buf_printf(&text, " || (id >= %d && id <= %d)", from, n - 1);
		before = on;
	}
	return ranges <= RANGES_MOST ? arena_strdup(arena, buf_text(&text)) : NULL;
}

/* Adds the event whose samples hold the chains of calls; calls NULL: of all calls. */
static void add_call_chains(struct trace_events *events, const struct call_selection *calls)
{
	const char *filter = calls ? exits_filter(&events->arena, calls) : NULL;

	events->call_chains = true;
	add_event(events, "raw_syscalls:sys_exit");
	if (filter)
		vec_add(&events->selects, (struct event_select){SELECT_FILTER, filter});
}

int trace_select(const struct trace_opts *o, const struct config *config,
		 struct call_selection *out, struct trace_events *events, struct err *err)
{
	struct chosen c = {0};
	bool negated = false, named;
	struct event_source source;
	size_t n;
	const struct call_desc *all = call_all(&n);
	int got = event_source_open(&source, NULL, config, err);

	if (!got)
		got = select_words(o, &source.host, &c, events, err);
	event_source_release(&source);
	if (got)
		return -1;
	for (size_t i = 0; i < o->selects.n; i++)
		negated |= o->selects.at[i].kind == SELECT_EVENTS && *o->selects.at[i].text == '!';
	/* with -F alone, a recording still shows its calls */
	named = events->named.n || (o->faults && !o->input.path);
	events->calls =
		o->syscalls == YES || (o->syscalls == UNSET && (c.calls || !named || o->sched));
	memset(out->on, !c.calls || negated, sizeof(out->on));
	for (int abi = 0; abi < CALL_ABIS; abi++)
		for (size_t i = 0; i < n; i++)
			if (all[i].numbers[abi] >= 0 && c.by_row[i])
				out->on[abi][all[i].numbers[abi]] = !negated;
	if (!events->calls)
		memset(out->on, false, sizeof(out->on));
	if (trace_select_check(o, events, err))
		return -1;
	if (events->calls && o->chains.callgraph != CALLGRAPH_NONE && !o->input.path)
		add_call_chains(events, c.calls ? out : NULL);
	return 0;
}
