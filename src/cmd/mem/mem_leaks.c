// SPDX-License-Identifier: MIT
/* perf mem leaks: allocations that a process never frees. */
#include "cmd/mem/leak_probes.h"
#include "cmd/mem/mem_opts.h"
#include "view/leaks/leaks.h"

#include <stdio.h>

#define LEAKS offsetof(struct mem_opts, leaks)

static const struct opt_group groups[] = {{attend_opts, LEAKS}, {attend_stack_opts, LEAKS}, {0}};

struct leaks_page {
	const struct attend_opts *o;
	struct env *env;
};

static int leaks_present(void *ctx, struct recording *rec, struct world *world, struct err *err)
{
	const struct leaks_page *p = ctx;
	struct heap_view view = {.out = p->env->out, .rows = p->o->rows};
	struct form_output form;
	struct heap h;
	int status = heap_read(&h, rec, world, err);

	if (!status)
		status = form_begin(&form, &p->o->form, p->env, p->env->out, err);
	if (!status) {
		view.out = form.out;
		if (p->o->form.json)
			heap_show_json(&view, &h);
		else if (form_is_rows(&p->o->form))
			heap_show_rows(&view, &h, &form.rows);
		else
			heap_show(&view, &h);
		status = form_end(&form, err);
	}
	if (!status && h.losses)
		fprintf(stderr,
			"perf: records were lost %llu times: what was freed there seems to be "
			"still "
			"allocated, and sums are too small\n",
			(unsigned long long)h.losses);
	heap_release(&h);
	return status;
}

/* Records probes on the heap's functions. Returns like attend_run(). */
static int leaks_record(struct attend_opts *o, char **argv, int *status, struct err *err)
{
	struct command_words w = {0};

	attend_words(&w);
	command_words_add_option(&w, "--call-graph", o->call_graph);
	if (leak_probes_add(&w, o->pids, &o->symbols, err)) {
		command_words_release(&w);
		return -1;
	}
	return attend_run(o, &w, argv, status, err);
}

static int cmd_mem_leaks_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct attend_opts *o = &((struct mem_opts *)v)->leaks;
	struct leaks_page page = {o, env};
	int status, got;

	if (attend_check(o, argc, 'x', err))
		return -1;
	if (o->system_wide || (argc && !o->pids)) {
		err_set(err, ERR_USAGE, "'mem leaks' follows processes that run: '-p PID'");
		return err_hint(err, "a command after '-p PID' says how long: -- sleep 10");
	}
	if (o->pids) {
		got = leaks_record(o, argv, &status, err);
		if (got <= 0)
			return got ? got : status;
	}
	return attend_show(o, env, leaks_present, &page, err);
}

void mem_leaks_defaults(struct attend_opts *o, const struct env *env)
{
	attend_defaults(o, env);
	o->call_graph = "fp";
	o->mmap_pages = "1024";
	o->rows = 20;
}

static const char *const usage[] = {"mem leaks -p <pid> [<options>] [-- <command>]",
				    "mem leaks [-i <file>] [<options>]", NULL};

const struct cmd cmd_mem_leaks = {
	.name = "leaks",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.run = cmd_mem_leaks_run,
};
