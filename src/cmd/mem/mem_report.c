// SPDX-License-Identifier: MIT
#include "cmd/mem/mem_opts.h"
#include "cmd/options/words/command_words.h"

#include <string.h>

#define AT(field) offsetof(struct mem_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'T', "type-profile", AT(types), NULL,
	 "Show the types of the data instead of symbols of the code"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{input_opts, AT(input)}, {memory_type_opts, AT(memory)}, {mem_opts, 0}, {options, 0}, {0}};

static void add_option(struct command_words *w, const char *name, const char *value)
{
	if (value)
		vec_add(&w->words, arena_printf(&w->arena, "%s=%s", name, value));
}

/* The keys that -t and -T choose; NULL: the usual ones. Stores have no latency. */
static const char *mem_report_keys(const struct mem_opts *o)
{
	const struct memory_opts *m = &o->memory;

	if (o->types)
		return "mem,snoop,tlb,type";
	if (m->stores && !m->loads)
		return "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked";
	if (m->physical || m->page_size)
		return "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked";
	return NULL;
}

/* Adds sort keys, with those of the fields that -p and --data-page-size record. */
static void add_sort(struct command_words *w, const struct mem_opts *o)
{
	const char *keys = mem_report_keys(o);

	if (keys)
		vec_add(&w->words, arena_printf(&w->arena, "--sort=%s%s%s", keys,
						o->memory.physical ? ",phys_daddr" : "",
						o->memory.page_size ? ",data_page_size" : ""));
}

static int mem_report(struct env *env, const struct mem_opts *o, int argc, char **argv)
{
	struct command_words w = {0};

	command_words_add(&w, "report");
	command_words_add(&w, "--mem-mode");
	command_words_add(&w, "-n");
	add_option(&w, "--input", o->input.path);
	add_option(&w, "--cpu", o->cpus);
	add_option(&w, "--field-separator", o->separator);
	if (o->input.force)
		command_words_add(&w, "--force");
	if (o->hide_unresolved)
		command_words_add(&w, "--hide-unresolved");
	add_sort(&w, o);
	return command_words_run(&w, env, argc, argv);
}

static int cmd_mem_report_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct mem_opts *o = v;

	if (!o->dump)
		return mem_report(env, o, argc, argv);
	if (argc)
		return err_set(err, ERR_USAGE, "mem report -D takes no '%s'", argv[0]);
	return mem_dump(env, o, err);
}

static const char *const usage[] = {"mem report [<options>]", NULL};

extern const struct cmd cmd_report;

const struct cmd cmd_mem_report = {
	.name = "report",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.hands_on_to = &cmd_report,
	.run = cmd_mem_report_run,
};
