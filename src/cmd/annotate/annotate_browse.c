// SPDX-License-Identifier: MIT
#include "cmd/annotate/annotate_browse.h"

#include "cmd/options/output/output_scripts.h"
#include "view/browser/code.h"

#include <string.h>

bool annotate_browses(const struct annotate_opts *o, const struct env *env)
{
	if (o->data_type || o->stdio || o->stdio2 || o->dump || o->print_lines || o->quiet)
		return false;
	if (!o->tui && !config_bool(env->config, "tui.annotate", true))
		return false;
	return strcmp(input_path(&o->input), "-") != 0 && screen_possible();
}

/* The functions of all events, event by event. */
struct functions {
	struct annotate *events; /* one for each shown event */
	size_t n_events;
	VEC(struct function {
		const struct annotate *a;
		const struct annotate_symbol *s;
	})
	all;
};

static void functions_init(struct functions *f, const struct annotate_opts *o,
			   const struct table *table)
{
	*f = (struct functions){.events = mem_zero((table->events.n + 1) * sizeof(*f->events))};
	for (size_t i = 0; i < table->events.n; i++) {
		struct annotate *a = &f->events[f->n_events];

		if (o->group && !event_is_leader(table->events.at[i].event))
			continue;
		f->n_events++;
		annotate_init(a, table, &table->events.at[i]);
		for (size_t k = 0; k < a->symbols.n; k++)
			if (a->symbols.at[k].percent >= o->percent_limit &&
			    a->symbols.at[k].sums[0].samples)
				vec_add(&f->all, ((struct function){a, &a->symbols.at[k]}));
	}
}

static void functions_release(struct functions *f)
{
	for (size_t i = 0; i < f->n_events; i++)
		annotate_release(&f->events[i]);
	free(f->events);
	vec_release(&f->all);
}

/* Browses the functions, and skips those without code. -1 with *err when none has code. */
static int browse_functions(struct screen *screen, const struct functions *f,
			    const struct code_options *options, struct err *err)
{
	bool shown = false, back = false;
	size_t at = 0, missing = 0;

	while (missing < f->all.n) {
		const struct function *function = &f->all.at[at];
		const int key = code_browse(screen, options, function->a, function->s->dso,
					    function->s->sym, err);

		if (key && key != '<' && key != '>')
			return 0;
		missing = key ? 0 : missing + 1;
		shown |= key != 0;
		back = key ? key == '<' : back;
		at = (at + (back ? f->all.n - 1 : 1)) % f->all.n;
	}
	return shown ? 0 : -1;
}

int annotate_browse(const struct annotate_opts *o, const struct env *env,
		    const struct annotate_view *view, const struct table *table, struct err *err)
{
	struct output_scripts scripts = {env->config, &o->input, &o->filter, &o->files};
	const struct code_options options = {.view = *view,
					     .disasm = o->code.disasm,
					     .skid = o->skid,
					     .functions = true,
					     .run_script = output_scripts_run_function,
					     .ctx = &scripts};
	struct screen *screen;
	struct functions f;
	int failed = -1;

	functions_init(&f, o, table);
	if (!f.all.n)
		err_set(err, ERR_INPUT, "no function has samples, or as many as --percent-limit");
	screen = f.all.n ? screen_open(err) : NULL;
	if (screen) {
		failed = browse_functions(screen, &f, &options, err);
		screen_close(screen);
	}
	functions_release(&f);
	return failed;
}
