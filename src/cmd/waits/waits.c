// SPDX-License-Identifier: MIT
/* perf waits: what threads waited for, and which waits delayed the program. */
#include "cmd/options/opts_attend.h"
#include "view/waits/waits.h"

static const struct opt_group groups[] = {{attend_opts, 0}, {attend_stack_opts, 0}, {0}};

struct waits_page {
	const struct attend_opts *o;
	struct env *env;
};

static int waits_present(void *ctx, struct recording *rec, struct world *world, struct err *err)
{
	const struct waits_page *p = ctx;
	struct waits_view view = {.out = p->env->out, .rows = p->o->rows};
	struct form_output form;
	struct waits w;
	int status = waits_read(&w, rec, world, err);

	if (!status)
		status = form_begin(&form, &p->o->form, p->env, p->env->out, err);
	if (!status) {
		view.out = form.out;
		if (p->o->form.json)
			waits_show_json(&view, &w);
		else if (form_is_rows(&p->o->form))
			waits_show_rows(&view, &w, &form.rows);
		else
			waits_show(&view, &w);
		status = form_end(&form, err);
	}
	waits_release(&w);
	return status;
}

static int waits_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct attend_opts *o = v;
	struct waits_page page = {o, env};

	return attend_wall(o, env, argc, argv, waits_present, &page, err);
}

static void waits_defaults(void *v, const struct env *env)
{
	struct attend_opts *o = v;

	attend_defaults(o, env);
	o->rows = 15;
}

static const char *const usage[] = {"waits [<options>] [<command>]",
				    "waits [-i <file>] [<options>]", NULL};

const struct cmd cmd_waits = {
	.name = "waits",
	.summary = "What threads wait for, who wakes them up, and which waits delay the program",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct attend_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = waits_defaults,
	.run = waits_run,
};
