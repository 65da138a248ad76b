// SPDX-License-Identifier: MIT
#include "cmd/options/opts_debuginfod.h"
#include "cmd/report/report_browse.h"
#include "cmd/report/report_lists.h"
#include "cmd/report/report_opts.h"
#include "cmd/report/report_shown.h"
#include "cmd/report/report_tip.h"
#include "profile/table/blocks.h"
#include "view/dump/dump.h"
#include "view/report/folded.h"
#include "view/header/header.h"
#include "view/report/read_values.h"

#include <stdio.h>
#include <string.h>

struct showing {
	const struct report_opts *o;
	struct recording *rec;
	struct out *out;
	struct report_browsing *browsing;
	struct read_values reads;
};

/* Shows records that are no samples: the header of a pipe comes as such records. */
static void show_other(void *ctx, const struct record *r)
{
	struct showing *s = ctx;

	if (s->o->threads)
		read_values_add(&s->reads, r);
	if (r->header.type == RECORD_HEADER_FEATURE && s->rec->is_pipe &&
	    (s->o->header || s->o->header_only || s->o->show_info))
		header_feature_show(s->rec, (unsigned int)r->feature.feature, s->o->show_info,
				    s->out);
}

static void show_tip(const struct report_opts *o, const struct table *table, struct out *out)
{
	if (!o->quiet)
		buf_printf(&out->buf, "#\n# (Tip: %s)\n#\n", report_tip(o, table));
}

static void show_elided(const struct layout *l, const struct report_opts *o, struct out *out)
{
	for (size_t i = 0; i < l->sort.n; i++) {
		const char *name, *value;

		if (!l->sort.at[i].elided)
			continue;
		name = l->keys.at[l->sort.at[i].key].key->name;
		value = name[0] == 'c'	 ? o->filter.comms
			: name[0] == 'd' ? o->filter.dsos
					 : o->filter.symbols;
		buf_printf(&out->buf, "# %s: %s\n", name, value);
	}
}

/* True when the output is a list of records instead of a profile. */
static bool shows_records(const struct report_opts *o)
{
	return o->dump || o->stats || o->tasks || o->mmaps;
}

static void show_beginning(const struct report_opts *o, const struct recording *rec,
			   struct out *out)
{
	if (o->header || o->header_only)
		header_show(rec, o->show_info, out);
	else if (!o->quiet && (o->dump || !shows_records(o)))
		buf_str(&out->buf, "# To display the perf.data header info, please use "
				   "--header/--header-only options.\n#\n");
}

static void show_folded(const struct table *table, const struct report_opts *o, struct out *out)
{
	const struct event *ev = folded_show(table, !strcmp(o->folded, "samples"), out);

	if (ev)
		fprintf(stderr,
			"perf: several events were recorded, these are the stacks of '%s'\n",
			ev->name);
}

static void show_table(const struct report_opts *o, struct report_plan *plan,
		       const struct table *table, struct showing *showing)
{
	struct out *out = showing->out;
	struct blocks blocks = {0};

	if (plan->samples.blocks) {
		blocks_init(&blocks, table);
		plan->view.blocks = &blocks;
	}
	plan->view.table = table;
	if (o->folded)
		show_folded(table, o, out);
	else if (report_show(&plan->view, out))
		show_tip(o, table, out);
	if (o->threads)
		read_values_show(&showing->reads, o->pretty && !strcmp(o->pretty, "raw"), out);
	blocks_release(&blocks);
}

/* Shows the table, or writes the files that the samples are exported to. */
static int show_samples(struct env *env, struct report_plan *plan, struct samples *samples,
			const struct table *table, struct showing *showing, struct err *err)
{
	const struct report_opts *o = showing->o;
	struct recording *rec = showing->rec;

	if (export_wanted(&o->exports)) {
		const struct export_side side = {NULL, rec, samples, &plan->table.filter,
						 &o->code.disasm,
						 o->wall ? &plan->lanes : NULL};

		return export_write(&o->exports, &side, 1, env->out, err);
	}
	if (!table->all.n) {
		fprintf(stderr, "Error:\nThe %s data has no samples!\n", rec->path);
		return 0;
	}
	show_table(o, plan, table, showing);
	symbols_explain(world_dsos(samples->world), env->debug);
	return 0;
}

static int show_profile(struct env *env, const struct report_opts *o, struct recording *rec,
			struct report_plan *plan, struct report_browsing *browsing, struct err *err)
{
	struct showing showing = {.o = o, .rec = rec, .out = env->out, .browsing = browsing};
	struct report_reading reading = {.o = o,
					 .plan = plan,
					 .rec = rec,
					 .how = {.switch_on = o->switch_on,
						 .switch_off = o->switch_off,
						 .show_switches = o->show_switches,
						 .parallel_from = SAMPLES_PARALLEL_FROM,
						 .other = show_other,
						 .ctx = &showing}};
	AUTO(world) *world = world_of_recording(rec, &plan->symbols);
	AUTO(table) *table = NULL;
	AUTO(samples) *samples = NULL;
	int status = -1;

	if (!browsing->wanted)
		report_plan_latency(plan, o, rec);
	table = table_new(&plan->table, err);
	if (!table)
		return -1;
	if (!o->folded && !export_wanted(&o->exports) && !browsing->wanted)
		show_elided(&table->layout, o, env->out);
	table_ask(table, &plan->samples);
	export_ask(&o->exports, rec, &plan->samples);
	if (browsing->wanted) {
		report_browse_ask(plan, rec);
		/* columns of the browser of code */
		plan->samples.blocks |= measurement_samples_any(&rec->m, SAMPLE_BRANCH_STACK);
		plan->samples.passes |= plan->samples.blocks;
	}
	if (o->saved_samples)
		report_samples_ask(&plan->samples);
	reading.samples = samples = samples_new(&rec->m, world, &plan->samples);
	if (o->wall && export_wanted(&o->exports))
		wait_lanes_init(&plan->lanes, &plan->wall, world, &rec->m, &plan->table.filter);
	if (browsing->wanted) {
		status = report_browse(browsing, &reading, env->out, err);
	} else if (!report_read(&reading, err) &&
		   !report_drop_latency(plan, samples, &table, err) &&
		   !table_make(table, samples, err)) {
		report_account(rec, &table->losses);
		status = show_samples(env, plan, samples, table, &showing, err);
	}
	wait_lanes_release(&plan->lanes);
	read_values_release(&showing.reads);
	return status;
}

/* Reports one recording with one set of options. */
static int report_recording(struct env *env, const struct report_opts *o,
			    struct report_browsing *browsing, struct err *err)
{
	struct report_plan plan = {0};
	struct debug_files fetched = {0};
	AUTO(recording) *rec = NULL;
	int status = -1;

	rec = input_open_recording(&o->input, env->out, err);
	if (!rec)
		return -1;
	if (o->dump && !o->header_only)
		dump_begin(rec, env->out);
	if (!shows_records(o) && report_plan(&plan, o, rec, err))
		goto out;
	if (!o->folded && !export_wanted(&o->exports) && !browsing->wanted)
		show_beginning(o, rec, env->out);
	if (o->header_only) {
		status = rec->is_pipe ? report_pipe_header(rec, o, env->out, err) : 0;
	} else if (o->dump) {
		status = report_dump(rec, o, env->out, err);
	} else if (o->stats) {
		status = report_stats(rec, o, env->out, err);
	} else if (o->tasks || o->mmaps) {
		status = report_tasks(rec, o, env->out, err);
	} else {
		debuginfod_get(&plan.symbols, &fetched, rec, env->debug);
		status = show_profile(env, o, rec, &plan, browsing, err);
	}
	if (!status)
		status = input_account(rec, "perf: ", o->strict);
out:
	report_plan_release(&plan);
	debug_files_release(&fetched);
	return status;
}

static int report_one_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct report_browsing none = {0};
	struct report_opts *o = v;

	if (o->colour && strcmp(o->colour, "auto"))
		env->out->colour = !strcmp(o->colour, "always");
	if (argc > 1)
		return err_set(err, ERR_USAGE, "one word at most, part of the symbols' names");
	if (argc)
		o->symbol_filter = argv[0];
	if (export_check(&o->exports, err) || report_refuse(o, err) ||
	    (o->folded && report_fold_opts(o, err)))
		return -1;
	if (symbol_opts_check(&o->files, err))
		return -1;
	if (export_wanted(&o->exports))
		report_export_opts(o);
	if (o->saved_samples && !report_browses(o, env))
		return err_set(err, ERR_USAGE, "'--samples' is for the browser, on a terminal");
	if (report_browses(o, env))
		return report_browse_recordings(env, o, report_recording, err);
	return report_recording(env, o, &none, err);
}

static const char *const usage[] = {"report [<options>]", NULL};

const struct cmd cmd_report = {
	.name = "report",
	.summary = "Read perf.data (created by perf record) and display the profile",
	.usage = usage,
	.groups = report_opt_groups,
	.opts_size = sizeof(struct report_opts),
	.pager = true,
	.defaults = report_defaults,
	.variables = report_variables,
	.run = report_one_run,
};
