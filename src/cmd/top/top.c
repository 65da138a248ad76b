// SPDX-License-Identifier: MIT
/* perf top: a live profile, refreshed every few seconds. */
#include "cmd/options/output/export_live.h"
#include "cmd/top/top_opts.h"
#include "cmd/options/opts_symbols.h"
#include "os/rights/rights.h"
#include "view/top/symbol_lists.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define COLUMNS_DEFAULT 80
#define ROWS_DEFAULT	25
#define MIN_PERCENT_DEFAULT 5 /* % of a function's samples; fewer: no line */

/* Prints on standard error: messages from before the first screen stay readable there. */
static void tell_user(void *ctx, const char *text)
{
	(void)ctx;
	fputs(text, stderr);
}

/* LINES and COLUMNS take precedence over the terminal's size, as in perf. */
static void find_size(struct top_screen *s)
{
	const char *lines = getenv("LINES"), *columns = getenv("COLUMNS");
	uint64_t rows = 0, width = 0;

	if (lines && columns && !parse_u64(lines, &rows) && !parse_u64(columns, &width) && rows &&
	    width && rows < 10000 && width < 10000) {
		s->rows = (unsigned int)rows;
		s->columns = (unsigned int)width;
	} else if (!terminal_size(STDOUT_FILENO, &s->columns, &s->rows)) {
		s->rows = ROWS_DEFAULT;
		s->columns = COLUMNS_DEFAULT;
	}
}

static void begin_screen(struct top *t, const struct top_opts *o, const struct top_plan *plan)
{
	const struct event_set *set = &t->source->m.events;

	t->screen = (struct top_screen){.entries = o->entries,
					.target = &plan->recorder.session.target,
					.n_cpus = t->source->session.target.cpus.n,
					.view = t->view};
	for (size_t i = set->events.n; i--;)
		if (!set->events.at[i]->side_band) {
			t->screen.event = set->events.at[i];
			t->screen.n_events++;
		}
	t->code.how = o->code.disasm;
	t->code.percent_type = o->code.percent_type;
	t->code.look = o->code.look;
	top_code_choose(&t->code, o->annotated);
	t->settings = (struct top_settings){.delay = o->delay,
					    .min_percent = MIN_PERCENT_DEFAULT,
					    .least_samples = o->least_samples,
					    .zero = o->zero,
					    .hide_kernel = o->hide_kernel,
					    .hide_user = o->hide_user};
}

void top_apply_settings(struct top *t)
{
	const struct top_settings *s = &t->settings;

	t->profile->zero = s->zero;
	t->profile->hidden_modes =
		(s->hide_kernel ? 1u << MISC_KERNEL : 0) | (s->hide_user ? 1u << MISC_USER : 0);
	t->view->least_samples = s->least_samples;
}

/* Shows a screen per refresh until top ends. */
static int show_screens(struct top *t, struct err *err)
{
	struct session *s = &t->source->session;
	uint64_t shown_ms = session_now_ms();

	while (!s->stop && !t->quit && !t->out->failed) {
		uint64_t now;

		top_apply_settings(t);
		find_size(&t->screen);
		now = session_now_ms();
		t->screen.seconds = (double)(now - shown_ms) / 1000;
		shown_ms = now;
		if (live_profile_refresh(t->profile, err))
			return -1;
		if (t->code.symbol && live_profile_find_code(t->profile, t->code.symbol, err))
			return -1;
		if (t->code.symbol)
			top_code_show(&t->code, &t->screen, t->profile, t->settings.min_percent,
				      t->out);
		else
			top_screen_show(&t->screen, t->profile, t->out);
		out_flush(t->out);
		if (live_profile_fade(t->profile, err) ||
		    live_profile_pull(t->profile, session_now_ms() + 1000ull * t->settings.delay,
				      err) ||
		    top_handle_keys(t, err))
			return -1;
	}
	return 0;
}

/* Prints perf top's own CPU time, and what it lost. */
static void say_cost(const struct top *t, uint64_t start_ms)
{
	double seconds = (double)(session_now_ms() - start_ms) / 1000, used;
	const struct live_counts *c = &t->profile->all;
	struct rusage self;

	if (getrusage(RUSAGE_SELF, &self))
		return;
	used = (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec) +
	       (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1e6;
	fprintf(stderr,
		"[ perf top: %llu samples, %llu lost; perf top itself used %.2f s of CPU in %.1f s "
		"(%.2f %%) ]\n",
		(unsigned long long)c->samples, (unsigned long long)t->source->lost_samples, used,
		seconds, seconds > 0 ? 100 * used / seconds : 0);
	if (t->source->lost_side)
		fprintf(stderr,
			"[ perf top: Lost %llu records of names and maps: some samples may have "
			"none ]\n",
			(unsigned long long)t->source->lost_side);
}

/* Writes the page of --html, also with the samples that came after the last screen. */
static int write_last_page(struct top *t, struct err *err)
{
	if (live_profile_refresh(t->profile, err) || top_write_page(t, t->page, err))
		return -1;
	export_tell(t->page);
	return 0;
}

static int run_top(struct top *t, const struct top_opts *o, struct top_plan *plan, struct env *env,
		   struct err *err)
{
	const bool browses = top_browses(o, env);
	uint64_t start_ms = session_now_ms();
	int got;

	if (browses)
		top_browse_ask(&plan->profile);
	if (o->html || browses)
		export_live_ask(&plan->profile.samples);
	t->profile = live_profile_new(t->source, &plan->profile, err);
	if (!t->profile)
		return -1;
	plan->view.table = t->profile->table;
	begin_screen(t, o, plan);
	t->reads_keys = session_watch_input(&t->source->session, STDIN_FILENO);
	if (t->reads_keys && !browses)
		terminal_keys_begin(&t->keys, STDIN_FILENO);
	got = browses ? top_browse(t, plan, err) : show_screens(t, err);
	live_source_stop(t->source);
	terminal_keys_end(&t->keys);
	out_flush(t->out);
	if (!got && t->page)
		got = write_last_page(t, err);
	if (!got)
		say_cost(t, start_ms);
	if (o->dump_symbols)
		symbol_lists_show(world_dsos(t->profile->world), stderr);
	if (o->record.verbose > 0)
		symbols_explain(world_dsos(t->profile->world), env->debug);
	top_code_release(&t->code);
	live_profile_free(t->profile);
	return got;
}

static int cmd_top_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	AUTO(live_source) *source = live_source_new();
	struct top_opts *o = v;
	struct top_plan plan = {0};
	struct top t = {.source = source, .view = &plan.view, .out = env->out, .page = o->html};
	int got;

	if (argc)
		return err_set(err, ERR_USAGE, "perf top takes no words: '%s'", argv[0]);
	got = top_plan_session(&plan, o, env, &source->m.events, err);
	if (!got)
		got = live_source_open(source, &plan.recorder.session, tell_user, NULL, err);
	if (!got)
		got = top_plan_profile(&plan, o, &source->m, err);
	if (!got)
		got = run_top(&t, o, &plan, env, err);
	top_plan_release(&plan);
	vec_release(&o->record.selects);
	return got;
}

static const char *const usage[] = {"top [<options>]", NULL};

const struct cmd cmd_top = {
	.name = "top",
	.summary = "System profiling tool.",
	.usage = usage,
	.groups = top_opt_groups,
	.opts_size = sizeof(struct top_opts),
	.defaults = top_defaults,
	.variables = top_variables,
	.run = cmd_top_run,
};
