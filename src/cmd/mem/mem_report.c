// SPDX-License-Identifier: MIT
#include "cmd/mem/mem_opts.h"
#include "cmd/options/words/command_words.h"

#include <string.h>

#define AT(field) offsetof(struct mem_opts, field)

static const struct opt_group groups[] = {
	{input_opts, AT(input)}, {memory_type_opts, AT(memory)}, {mem_opts, 0}, {0}};

static void add_option(struct command_words *w, const char *name, const char *value)
{
	if (value)
		vec_add(&w->words, arena_printf(&w->arena, "%s=%s", name, value));
}

/* Adds sort keys: none of latency for stores, which have no weight, and those of the fields that -p
 * and --data-page-size record. */
static void add_sort(struct command_words *w, const struct memory_opts *o)
{
	bool no_loads = o->stores && !o->loads;

	if (no_loads || o->physical || o->page_size)
		vec_add(&w->words,
			arena_printf(&w->arena, "--sort=%s%s%s",
				     no_loads ? "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked"
					      : "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,"
						"snoop,tlb,locked,blocked",
				     o->physical ? ",phys_daddr" : "",
				     o->page_size ? ",data_page_size" : ""));
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
	add_sort(&w, &o->memory);
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
