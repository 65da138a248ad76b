// SPDX-License-Identifier: MIT
/* perf balance: which threads make other threads wait, when, and the effect of making code
 * faster. */
#include "view/balance/balance.h"

#include "base/options/options.h"
#include "cmd/options/opts_attend.h"

struct balance_opts {
	struct attend_opts common;
	const char *less;
};

#define AT(field) offsetof(struct balance_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 0, "less", AT(less), "function[=percent][,...]",
	 "guess how long the program takes when these functions take so much less"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{attend_opts, AT(common)}, {attend_stack_opts, AT(common)}, {options, 0}, {0}};

struct balance_page {
	const struct attend_opts *o;
	struct env *env;
	struct arena names;
	struct {
		VEC(struct balance_less);
	} less;
};

/* Parses --less: "work=30,load" is 30 % less of work() and 50 % less of load(). */
static int balance_parse_less(struct balance_page *p, const char *text, struct err *err)
{
	for (size_t n; text && *text; text += n + (text[n] == ',')) {
		const char *equals;
		struct balance_less less = {.percent = 50};
		uint64_t percent;

		n = strcspn(text, ",");
		equals = memchr(text, '=', n);
		less.function =
			arena_strndup(&p->names, text, equals ? (size_t)(equals - text) : n);
		if (equals) {
			const char *digits = arena_strndup(&p->names, equals + 1,
							   n - (size_t)(equals + 1 - text));

			if (parse_u64(digits, &percent) || !percent || percent > 100)
				return err_set(err, ERR_USAGE,
					       "'--less' takes 1 to 100 percent, not '%s'", digits);
			less.percent = (unsigned int)percent;
		}
		if (!*less.function)
			return err_set(err, ERR_USAGE, "'--less' needs the name of a function");
		vec_add(&p->less, less);
	}
	return 0;
}

static int balance_present(void *ctx, struct recording *rec, struct world *world, struct err *err)
{
	const struct balance_page *p = ctx;
	struct balance_view view = {.out = p->env->out, .rows = p->o->rows};
	struct form_output form;
	struct balance b;
	int status = balance_read(&b, rec, world, p->less.at, p->less.n, err);

	if (!status)
		status = form_begin(&form, &p->o->form, p->env, p->env->out, err);
	if (!status) {
		view.out = form.out;
		if (p->o->form.json)
			balance_show_json(&view, &b);
		else if (form_is_rows(&p->o->form))
			balance_show_rows(&view, &b, &form.rows);
		else
			balance_show(&view, &b);
		status = form_end(&form, err);
	}
	balance_release(&b);
	return status;
}

static int cmd_balance_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct balance_opts *o = v;
	struct balance_page page = {.o = &o->common, .env = env};
	int status = balance_parse_less(&page, o->less, err);

	if (!status)
		status = attend_wall(&o->common, env, argc, argv, balance_present, &page, err);
	vec_release(&page.less);
	arena_release(&page.names);
	return status;
}

static void balance_defaults(void *v, const struct env *env)
{
	struct balance_opts *o = v;

	attend_defaults(&o->common, env);
	o->common.rows = 15;
}

static const char *const usage[] = {"balance [<options>] [<command>]",
				    "balance [-i <file>] [<options>]", NULL};

const struct cmd cmd_balance = {
	.name = "balance",
	.summary = "Which threads keep the others waiting, when, and what faster code would change",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct balance_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = balance_defaults,
	.run = cmd_balance_run,
};
