// SPDX-License-Identifier: MIT
#include "cmd/report/report_shown.h"

#include "base/monotonic.h"
#include "view/browser/code.h"

struct samples *report_shown_samples(const struct report_shown *b)
{
	struct samples *samples = b->some ? b->some : b->reading->samples;

	/* samples so far grow, so new ones need resolving */
	if (b->reading->baton)
		samples_resolve(samples);
	return samples;
}

static void forget_some(struct report_shown *b, struct samples *some)
{
	if (some != b->reading->samples)
		samples_free(some);
}

const struct table *report_shown_make(void *ctx, const struct table_options *opts, struct err *err)
{
	struct report_shown *b = ctx;
	const struct report_reading *r = b->reading;
	struct samples *before = b->some, *more;
	struct table *table;

	if (b->made) {
		b->made = false;
		return b->table;
	}
	table = table_new(opts, err);
	if (!table)
		return NULL;
	more = b->renews && r->baton ? samples_so_far(&r->how) : NULL;
	if (more || !r->baton)
		b->some = more;
	if (table_make(table, report_shown_samples(b), err)) {
		table_free(table);
		if (b->some != before)
			forget_some(b, b->some);
		b->some = before;
		return NULL;
	}
	table_free(b->table);
	b->table = table;
	if (b->some != before)
		forget_some(b, before);
	return table;
}

int report_shown_code(void *ctx, struct hist *h, struct dso *dso, const struct symbol *sym,
		      struct err *err)
{
	const struct report_shown *b = ctx;
	const struct report_opts *o = b->reading->o;
	struct output_scripts scripts = report_scripts(b);
	const struct code_options options = {
		.view = {.percent_type = o->code.percent_type,
			 .look = o->code.look,
			 .verbose = o->verbose > 0},
		.disasm = o->code.disasm,
		.run_script = output_scripts_run_function,
		.ctx = &scripts,
	};
	const struct report_plan *plan = b->reading->plan;
	AUTO(table) *table =
		annotate_table_new(&b->reading->rec->m.events, &plan->table.filter, &h->opts.zoom,
				   plan->samples.mode, err);
	struct annotate a;
	int key;

	if (!table || table_make(table, report_shown_samples(b), err))
		return 0;
	annotate_init(&a, table, &table->events.at[h->event]);
	key = code_browse(h->browse.screen, &options, &a, dso, sym, err);
	annotate_release(&a);
	return key;
}

bool report_shown_take_some(struct report_shown *b)
{
	b->some = samples_so_far(&b->reading->how);
	if (b->some && !b->some->cells.n) {
		forget_some(b, b->some);
		b->some = NULL;
	}
	return b->some;
}

int report_shown_renew(struct report_shown *b, struct hist *h, struct err *err)
{
	const uint64_t begin = monotonic_ns();
	int got;

	b->renews = true;
	got = hist_refresh(h, err);
	b->renews = false;
	b->due_ns = begin + MAX(10 * (monotonic_ns() - begin), REPORT_SHOWN_LEAST_NS);
	return got;
}

void report_shown_release(struct report_shown *b)
{
	table_free(b->table);
	if (b->some)
		forget_some(b, b->some);
}
