// SPDX-License-Identifier: MIT
/* Records for perf calls: sets probes, and runs perf record on them. */
#include "cmd/calls/calls_opts.h"

#include "cmd/options/words/pair_words.h"
#include "os/tracing/probe_events.h"
#include "os/tracing/tracefs.h"
#include "probe/function_probes.h"

#include <stdio.h>
#include <string.h>

static char *calls_file(const struct calls_opts *o, char **argv, struct err *err)
{
	return measured_file(o->exec, argv, o->common.pids, err);
}

/* Entries have call chains. */
static void add_part(struct command_words *w, struct function_probes *probes, const char *group,
		     unsigned int part, const char *chains)
{
	static const char *const exits[] = {CALL_RETURN, CALL_JUMP};

	command_words_add(w, "-e");
	vec_add(&w->words, arena_printf(&w->arena, "%s:%s/call-graph=%s/", group,
					function_probes_event(probes, CALL_ENTRY, part), chains));
	for (size_t i = 0; i < ARRAY_SIZE(exits); i++) {
		const char *event = function_probes_event(probes, exits[i], part);

		if (event)
			command_words_add_event(w, group, event);
	}
}

/* What all recordings have: context switches, whose call chains show why a thread waits. */
static void calls_add_first(struct command_words *w)
{
	static const char *const first[] = {"--switch-events", "-c", "1"};

	attend_words(w);
	command_words_add_all(w, first, ARRAY_SIZE(first));
}

static void calls_add_switches(struct command_words *w, const char *chains)
{
	if (strcmp(chains, "no") != 0 && command_words_has_event(w, "sched", "sched_switch"))
		vec_add(&w->words,
			arena_printf(&w->arena, "-esched:sched_switch/call-graph=%s/", chains));
}

static const char *calls_chains(const struct calls_opts *o)
{
	return strcmp(o->common.call_graph, "none") ? o->common.call_graph : "no";
}

static int record_events(struct calls_opts *o, struct function_probes *probes, const char *group,
			 char **argv, int *status, struct err *err)
{
	const char *chains = calls_chains(o);
	struct command_words w = {0};

	calls_add_first(&w);
	command_words_add_option(&w, "--probe-budget", o->budget);
	if (!probes->parts)
		add_part(&w, probes, group, 0, chains);
	for (unsigned int part = 1; part <= probes->parts; part++)
		add_part(&w, probes, group, part, chains);
	calls_add_switches(&w, chains);
	return attend_run(&o->common, &w, argv, status, err);
}

static int record_with_probes(struct calls_opts *o, struct function_probes *probes,
			      const char *tracefs, char **argv, int *status, struct err *err)
{
	struct made_probes *made;
	int got = -1;

	if (probes->functions.n > 1 && !probe_events_can_share(tracefs))
		return err_set(err, ERR_UNSUPPORTED,
			       "several functions need Linux 5.5 or later: name one");
	if (o->budget)
		function_probes_split(probes);
	made = made_probes_new(tracefs);
	if (!function_probes_make(probes, made, err))
		got = record_events(o, probes, made_probes_group(made), argv, status, err);
	made_probes_remove(made);
	return got;
}

int calls_record(struct calls_opts *o, char **argv, int *status, struct err *err)
{
	AUTO_CHAR *file = calls_file(o, argv, err);
	struct function_probes probes = {0};
	struct arena arena = {0};
	AUTO_BUF notes = {0};
	const char *tracefs;
	int got = -1;

	if (!file)
		return -1;
	tracefs = tracefs_find(NULL, &arena);
	if (!tracefs && tracefs_is_mounted(TRACEFS_USUAL)) {
		err_set(err, ERR_RIGHTS, "functions cannot be probed: tracefs is not yours to use");
		err_hint(err, "only root may make and remove probes; '--source samples' estimates "
			      "how long calls take without them");
	} else if (!tracefs) {
		err_set(err, ERR_UNSUPPORTED, "probes need tracefs, which is not mounted");
		err_hint(err, "mount -t tracefs tracefs " TRACEFS_USUAL);
	} else if (!function_probes_find(&probes, file, o->functions, &o->common.symbols, &notes,
					 err)) {
		fputs(buf_text(&notes), stderr);
		got = record_with_probes(o, &probes, tracefs, argv, status, err);
	}
	function_probes_release(&probes);
	arena_release(&arena);
	return got;
}

int calls_record_pairs(struct calls_opts *o, const struct durations *d, char **argv, int *status,
		       struct err *err)
{
	struct err none = {0};
	AUTO_CHAR *file = calls_file(o, argv, o->exec ? err : &none);
	const char *chains = calls_chains(o);
	struct sdt_markers markers = {0};
	struct command_words w = {0};

	if (!file && o->exec)
		return -1;
	if (file)
		(void)sdt_markers_read(&markers, file);
	calls_add_first(&w);
	if (strcmp(chains, "no") != 0)
		command_words_add_option(&w, "--call-graph", chains);
	for (size_t i = 0; i < d->pairs.n; i++) {
		const struct event_pair *p = &d->pairs.at[i];

		command_words_add_option(&w, "-e",
					 pair_event_word(&markers, file, p->begin, &w.arena));
		command_words_add_option(&w, "-e",
					 pair_event_word(&markers, file, p->end, &w.arena));
	}
	calls_add_switches(&w, chains);
	sdt_markers_release(&markers);
	return attend_run(&o->common, &w, argv, status, err);
}
