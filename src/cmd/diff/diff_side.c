// SPDX-License-Identifier: MIT
#include "cmd/diff/diff_side.h"
#include "analysis/annotate/annotate.h"
#include "analysis/resample.h"
#include "cmd/options/opts_input.h"
#include "profile/samples/read.h"
#include "view/dump/dump.h"

#define DEFAULT_SORT "dso,symbol"

void diff_sides_release(struct diff_side *sides, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		streams_free(sides[i].streams);
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

/* Sets *length of the time slices, in ns, that --confidence resamples deltas by. */
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

/* Sets the options of a recording's samples and table. They borrow from the side. */
static int diff_side_plan(struct diff_side *s, const struct diff_opts *o, size_t index,
			  struct samples_options *samples, struct table_options *table,
			  struct err *err)
{
	struct filter_opts filter = o->filter;
	AUTO_BUF times = {0};

	*samples = (struct samples_options){.time_quantum = 100000000};
	*table = (struct table_options){
		.relative = o->relative, .verbose = o->verbose > 0, .separated = o->separator};
	buf_printf(&s->sort, "%s%s", o->sort ? o->sort : DEFAULT_SORT,
		   o->how.confidence ? ",time" : "");
	if (o->how.confidence && slice_length(s->rec, &samples->time_quantum, err))
		return -1;
	filter.time = diff_opts_time(o, index, &times);
	s->filter.socket = -1;
	if (filter_opts_apply(&filter, s->rec, &s->filter, err))
		return -1;
	filter_elided(&s->filter, s->elided);
	samples->blocks = o->how.method == DIFF_CYCLES;
	samples->block_first = o->cycles_hist;
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

static int diff_side_check_branches(const struct recording *rec, const struct diff_opts *o,
				    struct err *err)
{
	if ((o->how.method != DIFF_CYCLES && !o->stream) || rec->is_pipe ||
	    measurement_samples_any(&rec->m, SAMPLE_BRANCH_STACK))
		return 0;
	err_set(err, ERR_INPUT, "'%s' has no branches, '%s' needs them", rec->path,
		o->stream ? "--stream" : "-c cycles");
	return err_hint(err, "record them with -b or -j");
}

/* -D: prints all records of a file. */
static int diff_side_dump(const struct diff_opts *o, const struct input_opts *input,
			  struct env *env, struct err *err)
{
	AUTO(recording) *rec = input_open_recording(input, env->out, err);
	AUTO(world) *w = NULL;

	if (!rec)
		return -1;
	if (rec->is_pipe)
		return err_set(err, ERR_UNSUPPORTED, "'-D' reads files twice, and '%s' is a pipe",
			       rec->path);
	w = world_new(&rec->m, &o->symbols);
	world_present_only(w);
	return dump_all(rec, w, &(struct dump_how){.for_diff = true}, env->out, err);
}

struct table *diff_side_code_table(const struct diff_side *s, struct err *err)
{
	return annotate_table_new(&s->rec->m.events, &s->filter, NULL, MODE_NORMAL, err);
}

/* Asks for what the side's tables need of samples. */
static int diff_side_ask(const struct diff_side *s, const struct diff_opts *o,
			 struct samples_options *samples, struct err *err)
{
	AUTO(table) *code = o->browsed && !s->rec->is_pipe ? diff_side_code_table(s, err) : NULL;

	table_ask(s->table, samples);
	if (code)
		table_ask(code, samples);
	if (samples->blocks)
		samples->columns |= COL_BIT(COL_IP) | COL_BIT(COL_SPACE);
	export_ask(&o->exports, s->rec, samples);
	return o->browsed && !s->rec->is_pipe && !code ? -1 : 0;
}

int diff_side_read(struct diff_side *s, const struct diff_opts *o, const char *path, size_t index,
		   struct env *env, struct err *err)
{
	const struct input_opts input = {.path = path, .force = o->force};
	struct samples_reading how = {.parallel_from = SAMPLES_PARALLEL_FROM};
	struct samples_options samples;
	struct table_options table;

	if (o->dump && diff_side_dump(o, &input, env, err))
		return -1;
	s->rec = input_open_recording(&input, env->out, err);
	if (!s->rec || diff_side_check_branches(s->rec, o, err) ||
	    diff_side_plan(s, o, index, &samples, &table, err))
		return -1;
	debuginfod_get(&s->symbols, &s->fetched, s->rec, env->debug);
	s->world = world_of_recording(s->rec, &s->symbols);
	if (o->stream) {
		s->streams = streams_read(s->rec, s->world, &s->filter, err);
		return s->streams ? 0 : -1;
	}
	s->table = table_new(&table, err);
	if (!s->table || diff_side_ask(s, o, &samples, err))
		return -1;
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
