// SPDX-License-Identifier: MIT
#include "analysis/resample.h"
#include "cmd/diff/diff_opts.h"
#include "cmd/options/opts_debuginfod.h"
#include "cmd/options/opts_input.h"
#include "profile/samples/read.h"
#include "view/browser/diff_screen.h"

#define DEFAULT_SORT "dso,symbol"

/* A recording that is compared. */
struct side {
	struct recording *rec;
	struct world *world;
	struct samples *samples;
	struct table *table;
	struct filter filter;
	struct symbol_options symbols;
	struct debug_files fetched;
	struct buf sort;       /* its keys */
	const char *elided[4]; /* filter_elided() */
};

static void sides_release(struct side *sides, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		table_free(sides[i].table);
		samples_free(sides[i].samples);
		world_free(sides[i].world);
		filter_release(&sides[i].filter);
		debug_files_release(&sides[i].fetched);
		recording_free(sides[i].rec);
		buf_release(&sides[i].sort);
	}
	free(sides);
}

/* How long one of the slices of time is that deltas are resampled by. */
static int slice_length(const struct recording *rec, uint64_t *length, struct err *err)
{
	if (rec->last_sample_time <= rec->first_sample_time) {
		err_set(err, ERR_INPUT,
			"'%s' doesn't say when it begins and ends, --confidence needs that",
			rec->path);
		return err_hint(err, "times are in files that 'perf record' wrote, not in pipes");
	}
	*length = (rec->last_sample_time - rec->first_sample_time) / RESAMPLE_SLICES + 1;
	return 0;
}

/* What is asked of a recording's samples and table: both borrow from the side. */
static int plan_side(struct side *s, const struct diff_opts *o, size_t index,
		     struct samples_options *samples, struct table_options *table, struct err *err)
{
	struct filter_opts filter = o->filter;
	AUTO_BUF times = {0};

	*samples = (struct samples_options){.time_quantum = 100000000};
	*table = (struct table_options){.relative = o->relative,
					.verbose = o->verbose > 0,
					.separated = o->separator};
	buf_printf(&s->sort, "%s%s", o->sort ? o->sort : DEFAULT_SORT,
		   o->how.confidence ? ",time" : "");
	if (o->how.confidence && slice_length(s->rec, &samples->time_quantum, err))
		return -1;
	filter.time = diff_opts_time(o, index, &times);
	s->filter.socket = -1;
	if (filter_opts_apply(&filter, s->rec, &s->filter, err))
		return -1;
	filter_elided(&s->filter, s->elided);
	samples->filter = table->filter = s->filter;
	table->layout =
		(struct layout_options){.default_sort = buf_text(&s->sort),
					.elided = s->elided,
					.events = s->rec->is_pipe ? NULL : &s->rec->m.events};
	samples->no_times = !s->rec->is_pipe && !measurement_samples_any(&s->rec->m, SAMPLE_TIME);
	if (export_wanted(&o->exports)) {
		samples->inlines = true;
		samples->max_stack = MAX_STACK_DEFAULT;
	}
	s->symbols = o->symbols;
	s->symbols.force = o->force;
	s->symbols.verbose = o->verbose;
	return 0;
}

static int read_side(struct side *s, const struct diff_opts *o, const char *path, size_t index,
		     struct env *env, struct err *err)
{
	const struct input_opts input = {.path = path, .force = o->force};
	struct samples_reading how = {.parallel_from = SAMPLES_PARALLEL_FROM};
	struct samples_options samples;
	struct table_options table;

	s->rec = input_open_recording(&input, env->out, err);
	if (!s->rec || plan_side(s, o, index, &samples, &table, err))
		return -1;
	debuginfod_get(&s->symbols, &s->fetched, s->rec, env->debug);
	s->world = world_of_recording(s->rec, &s->symbols);
	s->table = table_new(&table, err);
	if (!s->table)
		return -1;
	table_ask(s->table, &samples);
	export_ask(&o->exports, s->rec, &samples);
	s->samples = samples_new(&s->rec->m, s->world, &samples);
	if (samples_read(s->samples, s->rec, &how, err))
		return -1;
	samples_settle(s->samples);
	if (table_make(s->table, s->samples, err))
		return -1;
	symbols_explain(world_dsos(s->world), env->debug);
	losses_add_frames(&s->rec->m.losses, s->table->losses.frames);
	return 0;
}

/* The exit status that the ledgers of all recordings call for. */
static int account(const struct side *sides, const char *const *paths, size_t n, bool strict)
{
	struct buf prefix = {0};
	int status = 0;

	for (size_t i = 0; i < n; i++) {
		int told;

		buf_clear(&prefix);
		buf_printf(&prefix, "perf: '%s': ", paths[i]);
		told = input_account(sides[i].rec, buf_text(&prefix), strict);
		status = MAX(status, told);
	}
	buf_release(&prefix);
	return status;
}

static bool diff_browses(const struct diff_opts *o, const struct env *env)
{
	if (o->stdio || o->separator || o->quiet || export_wanted(&o->exports))
		return false;
	return (o->tui || config_bool(env->config, "tui.diff", true)) && screen_possible();
}

static int browse_sides(const struct table *const *tables, size_t n, const struct diff_view *view,
			struct err *err)
{
	struct screen *screen = screen_open(err);

	if (!screen)
		return -1;
	diff_browse(screen, tables, n, view);
	screen_close(screen);
	return 0;
}

/* Shows all events; with browsed in the browser. */
static int show(const struct side *sides, const char *const *paths, size_t n,
		const struct diff_opts *o, struct out *out, bool browsed, struct err *err)
{
	const struct table **tables = mem_alloc(n * sizeof(*tables));
	const struct diff_view view = {.opts = &o->how,
				       .paths = paths,
				       .separator = o->separator,
				       .quiet = o->quiet,
				       .list_paths = o->verbose > 0,
				       .periods = o->periods,
				       .formulas = o->formulas};
	bool more = !browsed;
	int failed = 0;

	for (size_t i = 0; i < n; i++)
		tables[i] = sides[i].table;
	if (browsed) {
		out_progress_end(out);
		failed = browse_sides(tables, n, &view, err);
	}
	for (size_t i = 0; i < tables[0]->events.n && more; i++) {
		struct diff d;

		diff_make(&d, tables, n, i, &o->how);
		more = diff_show(&view, &d, !i, out);
		diff_release(&d);
	}
	free(tables);
	return failed;
}

static int export(const struct side *sides, const char *const *paths, size_t n,
		  const struct diff_opts *o, struct out *out, struct err *err)
{
	struct export_side compared[STACK_SIDES];

	for (size_t i = 0; i < n; i++)
		compared[i] = (struct export_side){paths[i], sides[i].rec, sides[i].samples,
						   &sides[i].filter};
	return export_write(&o->exports, compared, n, out, err);
}

static int cmd_diff_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	static const char *const usual[] = {"perf.data.old", "perf.data"};
	const char *const one[] = {usual[0], argv[0]};
	const char *const *paths = argc == 0 ? usual : argc == 1 ? one : (const char *const *)argv;
	const size_t n = argc < 2 ? 2 : (size_t)argc;
	struct diff_opts *o = v;
	struct side *sides;
	int status = -1;

	if (diff_opts_check(o, n, err))
		return -1;
	sides = mem_zero(n * sizeof(*sides));
	for (size_t i = 0; i < n; i++)
		if (read_side(&sides[i], o, paths[i], i, env, err))
			goto out;
	if (export_wanted(&o->exports)
		    ? export(sides, paths, n, o, env->out, err)
		    : show(sides, paths, n, o, env->out, diff_browses(o, env), err))
		goto out;
	status = account(sides, paths, n, o->strict);
out:
	sides_release(sides, n);
	return status;
}

static const char *const usage[] = {"diff [<options>] [old_file] [new_file]", NULL};

const struct cmd cmd_diff = {
	.name = "diff",
	.summary = "Read perf.data files and display the differential profile",
	.usage = usage,
	.groups = diff_opt_groups,
	.opts_size = sizeof(struct diff_opts),
	.pager = true,
	.defaults = diff_defaults,
	.variables = diff_variables,
	.run = cmd_diff_run,
};
