// SPDX-License-Identifier: MIT
#include "cmd/report/report_browse.h"
#include "view/browser/code.h"

#include <string.h>

bool report_browses(const struct report_opts *o, const struct env *env)
{
	const bool text = o->stdio || o->dump || o->header || o->header_only || o->show_info ||
			  o->stats || o->tasks || o->mmaps || o->threads || o->folded ||
			  o->separator || o->hierarchy || o->total_cycles ||
			  export_wanted(&o->exports);

	if (text || !(o->tui || config_bool(env->config, "tui.report", true)))
		return false;
	return strcmp(input_path(&o->input), "-") != 0 && screen_possible();
}

/* A table of the instructions that were sampled; NULL: *err. */
static struct table *code_table(const struct report_plan *plan, const struct recording *rec,
				const struct zoom *zoom, struct err *err)
{
	struct table_options opts = {.filter = plan->table.filter, .relative = true};

	if (zoom)
		opts.zoom = *zoom;
	opts.zoom.counted = false;
	opts.layout = (struct layout_options){.default_sort = annotate_sort(&rec->m.events),
					      .hierarchy = true,
					      .mode = plan->samples.mode,
					      .events = &rec->m.events};
	return table_new(&opts, err);
}

void report_browse_ask(struct report_plan *plan, const struct recording *rec)
{
	struct samples_options *wanted = &plan->samples;
	struct err err = {0};
	struct table *table;

	wanted->columns |=
		COL_BIT(COL_THREAD) | COL_BIT(COL_COMM) | COL_BIT(COL_IP) | COL_BIT(COL_SPACE);
	/* sockets are told apart by CPUs, and one socket needs no telling */
	for (uint32_t i = 1; i < rec->m.n_sockets; i++)
		if (rec->m.socket_of_cpu[i] != rec->m.socket_of_cpu[0])
			wanted->columns |= COL_BIT(COL_CPU);
	table = code_table(plan, rec, NULL, &err);
	if (table)
		table_ask(table, wanted);
	table_free(table);
}

/* The samples, and the table that is shown. */
struct browsed {
	const struct report_opts *o;
	const struct report_plan *plan;
	const struct recording *rec;
	const struct samples *samples;
	struct table *table;
	const struct config *config;
	bool shown; /* the first table is */
};

static const struct table *make_table(void *ctx, const struct table_options *opts, struct err *err)
{
	struct browsed *b = ctx;
	struct table *table;

	if (!b->shown) {
		b->shown = true;
		return b->table;
	}
	table = table_new(opts, err);
	if (!table)
		return NULL;
	if (table_make(table, b->samples, err)) {
		table_free(table);
		return NULL;
	}
	table_free(b->table);
	b->table = table;
	return table;
}

static int show_code(void *ctx, struct hist *h, struct dso *dso, const struct symbol *sym,
		     struct err *err)
{
	const struct browsed *b = ctx;
	const struct code_options options = {
		.view = {.percent_type = b->o->code.percent_type, .verbose = b->o->verbose > 0},
		.disasm = b->o->code.disasm,
	};
	AUTO(table) *table = code_table(b->plan, b->rec, &h->opts.zoom, err);
	struct annotate a;
	int key;

	if (!table || table_make(table, b->samples, err))
		return 0;
	annotate_init(&a, table, &table->events.at[h->event]);
	key = code_browse(h->browse.screen, &options, &a, dso, sym, err);
	annotate_release(&a);
	return key;
}

static bool take_key(void *ctx, struct hist *h, int key)
{
	const struct browsed *b = ctx;

	if (key != 'r')
		return false;
	report_run_script(h, b->o, b->config);
	return true;
}

int report_browse(struct report_browsing *b, const struct report_opts *o, struct report_plan *plan,
		  const struct recording *rec, struct table **table, struct err *err)
{
	struct browsed browsed = {.o = o,
				  .plan = plan,
				  .rec = rec,
				  .samples = (*table)->samples,
				  .table = *table,
				  .config = b->config};
	const struct hist_source source = {
		.make = make_table,
		/* of branches, samples are not where the instruction is */
		.annotate = plan->samples.mode == MODE_BRANCH ? NULL : show_code,
		.key = take_key,
		.help = "r\tthe samples, as perf script or a script of yours prints them\n",
		.ctx = &browsed};
	struct screen *screen = screen_open(err);
	struct hist hist;
	int failed;

	if (!screen)
		return -1;
	*table = NULL;
	plan->view.quiet = true;
	failed = hist_init(&hist, screen, &source, &plan->table, &plan->view, err);
	hist.rec = rec;
	hist.with_dsos = o->verbose > 0;
	if (!failed) {
		b->end = hist_browse(&hist);
		buf_clear(&b->answer);
		buf_add(&b->answer, hist.answer.at, hist.answer.n);
	}
	hist_release(&hist);
	screen_close(screen);
	table_free(browsed.table);
	return failed;
}

int report_browse_recordings(struct env *env, struct report_opts *o, report_recording_fn *report,
			     struct err *err)
{
	struct report_browsing b = {.wanted = true, .config = env->config};
	struct arena answers = {0};
	int status;

	do {
		b.end = HIST_LEAVE;
		status = report(env, o, &b, err);
		if (b.end == HIST_OTHER_FILE)
			o->input.path = arena_printf(&answers, "%s", buf_text(&b.answer));
		if (b.end == HIST_OTHER_KEYS) {
			o->sort = arena_printf(&answers, "%s", buf_text(&b.answer));
			o->fields = NULL;
		}
	} while (status >= 0 && b.end != HIST_LEAVE);
	buf_release(&b.answer);
	arena_release(&answers);
	return status;
}
