// SPDX-License-Identifier: MIT
#include "cmd/options/opts_memory.h"

#include "cmd/options/words/command_words.h"
#include "os/machine/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#define AT(member) offsetof(struct memory_opts, member)

/* A command line under construction, and the events of this machine. */
struct memory_words {
	struct command_words words;
	struct memory_event events[MEMORY_KINDS];
};

static int type_call(void *place, const struct opt *opt, const char *value, bool unset,
		     struct err *err)
{
	struct memory_opts *o = (struct memory_opts *)((char *)place - AT(loads));
	const char *at = value;

	(void)opt;
	o->loads = o->stores = false;
	while (!unset && at && *at) {
		size_t n = strcspn(at, ",");

		if (n == 4 && !strncmp(at, "load", n))
			o->loads = true;
		else if (n == 5 && !strncmp(at, "store", n))
			o->stores = true;
		else
			return err_set(err, ERR_USAGE, "Invalid type: %.*s", (int)n, at);
		at += n + (at[n] == ',');
	}
	return 0;
}

const struct opt memory_opts[] = {
	{OPT_STRING, 'e', "event", AT(events), "event",
	 "event selector. use 'perf mem record -e list' to list available events"},
	{OPT_UINT, 0, "ldlat", AT(latency), "n", "mem-loads latency"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show counter open errors, etc)"},
	{OPT_END},
};

const struct opt memory_type_opts[] = {
	{OPT_CALL, 't', "type", AT(loads), "type",
	 "memory operations(load,store) Default load,store:", .words = "load store", .joined = ",",
	 .call = type_call},
	{OPT_BOOL, 'p', "phys-data", AT(physical), NULL, "Record/Report sample physical addresses"},
	{OPT_BOOL, 0, "data-page-size", AT(page_size), NULL,
	 "Record/Report sample data address page size"},
	{OPT_END},
};

static void list_events(const struct memory_words *w, bool verbose)
{
	for (int i = 0; i < MEMORY_KINDS; i++) {
		const struct memory_event *e = &w->events[i];

		if (!e->tag)
			continue;
		fprintf(stderr, "%-13s", e->tag);
		if (verbose)
			fprintf(stderr, "%-25s", e->texts.n ? e->texts.at[0] : e->wanted);
		fputs(e->texts.n ? ": available\n" : "\n", stderr);
	}
}

/* Sets chosen[] for the events whose tags contain a word of the list. */
static int choose_by_tag(const struct memory_words *w, const char *all, bool chosen[MEMORY_KINDS],
			 struct err *err)
{
	for (const char *text = all; *text;) {
		size_t n = strcspn(text, ",");
		AUTO_CHAR *word = mem_printf("%.*s", (int)n, text);
		bool found = false;

		for (int i = 0; i < MEMORY_KINDS; i++)
			if (w->events[i].tag && strstr(w->events[i].tag, word))
				chosen[i] = found = true;
		if (!found)
			return err_set(err, ERR_USAGE,
				       "failed: event '%s' not found, use '-e list' to get list "
				       "of available events",
				       all);
		text += n + (text[n] == ',');
	}
	return 0;
}

static void choose_by_type(const struct memory_words *w, const struct memory_opts *o,
			   bool chosen[MEMORY_KINDS])
{
	bool all = o->loads == o->stores;

	if (all && w->events[MEMORY_BOTH].tag) {
		chosen[MEMORY_BOTH] = true;
		return;
	}
	chosen[MEMORY_LOADS] = all || o->loads;
	chosen[MEMORY_STORES] = all || o->stores;
}

static int add_events(struct memory_words *w, const bool chosen[MEMORY_KINDS], struct err *err)
{
	for (int i = 0; i < MEMORY_KINDS; i++) {
		const struct memory_event *e = &w->events[i];

		if (!chosen[i])
			continue;
		if (!e->tag) {
			err_set(err, ERR_UNSUPPORTED,
				"failed: no event of this machine is %s alone",
				i == MEMORY_LOADS ? "of loads" : "of stores");
			return err_hint(err, "-e %s samples both", w->events[MEMORY_BOTH].tag);
		}
		if (!e->texts.n)
			return err_set(err, ERR_UNSUPPORTED, "failed: event '%s' not supported",
				       e->wanted);
		for (size_t j = 0; j < e->texts.n; j++) {
			command_words_add(&w->words, "-e");
			command_words_add(&w->words, e->texts.at[j]);
		}
	}
	return 0;
}

/* Warns when --ldlat changes nothing: none of the chosen events can filter by it. */
static void memory_warn_of_latency(const struct memory_words *w, const struct memory_opts *o,
				   const bool chosen[MEMORY_KINDS])
{
	const char *tag = NULL;

	if (o->latency == MEMORY_LATENCY_USUAL)
		return;
	for (int i = 0; i < MEMORY_KINDS; i++) {
		if (chosen[i] && w->events[i].by_latency)
			return;
		if (chosen[i])
			tag = w->events[i].tag;
	}
	if (tag)
		fprintf(stderr,
			"perf: --ldlat %u has no effect: '%s' of this machine samples accesses of "
			"any latency\n",
			o->latency, tag);
}

/* Starts the line with "record" and its options, then adds "-e EVENT" for each event. 1: -e list
 * was answered on standard error. 0, or -1 with *err. */
static int memory_record_words(struct memory_words *w, const struct memory_opts *o, bool all_fields,
			       struct err *err)
{
	struct memory_machine m = {.pmu_root = PMU_ROOT, .is_amd = host_is_amd()};
	bool chosen[MEMORY_KINDS] = {false};
	struct utsname host;

	memset(w, 0, sizeof(*w));
	m.arch = uname(&host) ? "" : host.machine;
	if (memory_events_find(w->events, &m, o->latency, &w->words.arena, err))
		return -1;
	if (o->events && !strcmp(o->events, "list")) {
		list_events(w, o->verbose > 0);
		return 1;
	}
	if (!o->events)
		choose_by_type(w, o, chosen);
	else if (choose_by_tag(w, o->events, chosen, err))
		return -1;
	command_words_add(&w->words, "record");
	if (chosen[MEMORY_LOADS] || chosen[MEMORY_BOTH])
		command_words_add(&w->words, "-W");
	command_words_add(&w->words, "-d");
	if (all_fields || o->physical)
		command_words_add(&w->words, "--phys-data");
	if (all_fields)
		command_words_add(&w->words, "--sample-cpu");
	if (o->page_size)
		command_words_add(&w->words, "--data-page-size");
	if (add_events(w, chosen, err))
		return -1;
	memory_warn_of_latency(w, o, chosen);
	if (o->all_user)
		command_words_add(&w->words, "--all-user");
	if (o->all_kernel)
		command_words_add(&w->words, "--all-kernel");
	return 0;
}

static void memory_show_words(const struct memory_words *w, int argc, char **argv)
{
	fputs("calling: ", stderr);
	for (size_t i = 0; i < w->words.words.n; i++)
		fprintf(stderr, "%s ", w->words.words.at[i]);
	for (int i = 0; i < argc; i++)
		fprintf(stderr, "%s ", argv[i]);
	fputc('\n', stderr);
}

int memory_record(struct env *env, const struct memory_opts *o, bool all_fields, int argc,
		  char **argv, struct err *err)
{
	struct memory_words w;
	int got = memory_record_words(&w, o, all_fields, err);

	if (got > 0) {
		got = 0;
	} else if (!got) {
		if (o->verbose)
			memory_show_words(&w, argc, argv);
		got = command_words_run(&w.words, env, argc, argv);
	}
	memory_events_release(w.events);
	command_words_release(&w.words);
	return got;
}
