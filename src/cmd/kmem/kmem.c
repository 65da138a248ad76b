// SPDX-License-Identifier: MIT
/* perf kmem: allocations of the kernel. */
#include "cmd/kmem/kmem_opts.h"

#include "base/digits.h"
#include "cmd/options/words/command_words.h"
#include "cmd/subcommand.h"

#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct kmem_opts, field)

enum { GIVE_CALLER, GIVE_ALLOC, GIVE_SLAB, GIVE_PAGE };

static int give(void *place, const struct opt *opt, const char *value, bool unset, struct err *err)
{
	struct kmem_opts *o = place;

	(void)value;
	(void)err;
	switch (opt->value) {
	case GIVE_CALLER:
		o->caller = unset ? 0 : o->alloc + 1;
		break;
	case GIVE_ALLOC:
		o->alloc = unset ? 0 : o->caller + 1;
		break;
	case GIVE_SLAB:
		o->slab = unset ? 0 : o->page + 1;
		break;
	case GIVE_PAGE:
	default:
		o->page = unset ? 0 : o->slab + 1;
	}
	return 0;
}

static int set_sort(void *place, const struct opt *opt, const char *value, bool unset,
		    struct err *err)
{
	struct kmem_opts *o = place;
	struct kmem_view *v = &o->view;
	const bool callers = o->caller > o->alloc,
		   pages = o->page > o->slab || (!o->page && !o->slab && o->pages_by_default);

	(void)opt;
	if (unset || !value)
		return err_set(err, ERR_USAGE, "--sort needs keys");
	return kmem_sort_parse(pages	 ? callers ? &v->page_callers : &v->pages
			       : callers ? &v->slab_callers
					 : &v->slab_objects,
			       value, pages, err);
}

static int set_lines(void *place, const struct opt *opt, const char *value, bool unset,
		     struct err *err)
{
	struct kmem_opts *o = place;
	char *end;
	long lines;

	(void)opt;
	if (unset || !value)
		return err_set(err, ERR_USAGE, "--line needs a number");
	lines = strtol(value, &end, 10);
	if (*end || end == value || lines < 0 || lines > INT32_MAX)
		return err_set(err, ERR_USAGE, "no number of lines: '%s'", value);
	if (o->caller >= o->alloc)
		o->view.caller_lines = lines;
	if (o->alloc >= o->caller)
		o->view.object_lines = lines;
	return 0;
}

const struct opt kmem_opts[] = {
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_CALL, 'l', "line", 0, "num", "show n lines", .call = set_lines},
	{OPT_CALL, 's', "sort", 0, "key[,key2...]",
	 "sort by keys:", .words = "ptr callsite bytes hit pingpong frag page order migtype gfp",
	 .joined = ",", .call = set_sort},
	{OPT_COUNT, 'v', "verbose", AT(symbols.verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_CALL, 0, "alloc", 0, NULL, "show per-allocation statistics", OPT_NO_VALUE,
	 .value = GIVE_ALLOC, .call = give},
	{OPT_CALL, 0, "caller", 0, NULL, "show per-callsite statistics", OPT_NO_VALUE,
	 .value = GIVE_CALLER, .call = give},
	{OPT_STRING, 0, "kallsyms", AT(symbols.kallsyms), "file", "kallsyms pathname"},
	{OPT_BOOL, 0, "leaks", AT(leaks), NULL, "show what is not freed at the end, by call chain"},
	{OPT_BOOL, 0, "live", AT(live), NULL, "Show live page stat"},
	{OPT_CALL, 0, "page", 0, NULL, "Analyze page allocator", OPT_NO_VALUE, .value = GIVE_PAGE,
	 .call = give},
	{OPT_BOOL, 0, "raw-ip", AT(view.raw_ip), NULL, "show raw ip instead of symbol"},
	{OPT_CALL, 0, "slab", 0, NULL, "Analyze slab allocator", OPT_NO_VALUE, .value = GIVE_SLAB,
	 .call = give},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span of interest (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{kmem_opts, 0}, {form_opts, offsetof(struct kmem_opts, form)}, {0}};

/* Takes --slab and --page after "record". False for another word. */
static bool record_took(struct kmem_opts *o, const char *word)
{
	if (!strcmp(word, "--slab"))
		o->slab = 1;
	else if (!strcmp(word, "--page"))
		o->page = 1;
	else
		return false;
	return true;
}

/* Newer kernels lack the _node events. */
static void add_slab_events(struct command_words *w)
{
	static const char *const names[] = {
		"kmalloc",	    "kmalloc_node",	     "kfree",
		"kmem_cache_alloc", "kmem_cache_alloc_node", "kmem_cache_free"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strstr(names[i], "_node") || command_words_has_event(w, "kmem", names[i]))
			command_words_add_event(w, "kmem", names[i]);
}

static int kmem_record(struct env *env, struct kmem_opts *o, int argc, char **argv)
{
	static const char *const first[] = {"record", "-a", "-R", "-c", "1"};
	struct command_words w = {0};
	int from = 1;

	while (from < argc && record_took(o, argv[from]))
		from++;
	if (!o->slab && !o->page) {
		o->slab = !o->pages_by_default;
		o->page = o->pages_by_default;
	}
	command_words_add_all(&w, first, ARRAY_SIZE(first));
	if (o->page)
		command_words_add(&w, "-g");
	if (o->slab)
		add_slab_events(&w);
	if (o->page) {
		command_words_add_event(&w, "kmem", "mm_page_alloc");
		command_words_add_event(&w, "kmem", "mm_page_free");
	}
	return command_words_run(&w, env, argc - from, argv + from);
}

void kmem_opts_release(struct kmem_opts *o)
{
	vec_release(&o->view.slab_callers.keys);
	vec_release(&o->view.slab_objects.keys);
	vec_release(&o->view.page_callers.keys);
	vec_release(&o->view.pages.keys);
}

static const char *const usage[] = {"kmem [<options>] {record|stat}", NULL};
static const struct cmd *const subcommands[] = {&cmd_kmem_stat, NULL};

static int cmd_kmem_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct kmem_opts *o = v;
	int status;

	if (argc && subcommand_is(argv[0], "record"))
		status = kmem_record(env, o, argc, argv);
	else
		status = subcommand_refuse(env->cmd, "kmem", argv[0], err);
	kmem_opts_release(o);
	return status;
}

static void kmem_defaults(void *v, const struct env *env)
{
	struct kmem_opts *o = v;
	const char *usual = config_find(env->config, "kmem.default");

	o->pages_by_default = usual && !strcmp(usual, "page");
	o->view.caller_lines = o->view.object_lines = -1;
	symbol_opts_defaults(&o->symbols, env);
}

const struct cmd cmd_kmem = {
	.name = "kmem",
	.summary = "Tool to trace/measure kernel memory properties",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct kmem_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = kmem_defaults,
	.subcommands = subcommands,
	.words = "record stat",
	.run = cmd_kmem_run,
};
