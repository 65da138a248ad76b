// SPDX-License-Identifier: MIT
#include "cmd/report/report_browse.h"

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

void report_browse_ask(const struct recording *rec, struct samples_options *wanted)
{
	wanted->columns |=
		COL_BIT(COL_THREAD) | COL_BIT(COL_COMM) | COL_BIT(COL_IP) | COL_BIT(COL_SPACE);
	/* sockets are told apart by CPUs, and one socket needs no telling */
	for (uint32_t i = 1; i < rec->m.n_sockets; i++)
		if (rec->m.socket_of_cpu[i] != rec->m.socket_of_cpu[0])
			wanted->columns |= COL_BIT(COL_CPU);
}

/* The samples, and the table that is shown. */
struct browsed {
	const struct samples *samples;
	struct table *table;
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

int report_browse(struct report_browsing *b, const struct report_opts *o, struct report_plan *plan,
		  const struct recording *rec, struct table **table, struct err *err)
{
	struct browsed browsed = {.samples = (*table)->samples, .table = *table};
	const struct hist_source source = {.make = make_table, .ctx = &browsed};
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
	struct report_browsing b = {.wanted = true};
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
