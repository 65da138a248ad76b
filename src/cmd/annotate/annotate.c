// SPDX-License-Identifier: MIT
#include "cmd/annotate/annotate_browse.h"
#include "cmd/annotate/annotate_data.h"
#include "cmd/options/opts_debuginfod.h"
#include "profile/samples/read.h"
#include "view/annotate/stdio2.h"

/* One run of the command. */
struct showing {
	const struct annotate_opts *o;
	struct annotate_view view;
	struct idmap missing;	 /* dsos without code, whose error was printed */
	uint64_t samples, exact; /* counts of the shown samples */
	size_t n_shown, n_missing;
	bool broken;		/* code was there, but its disassembler failed */
	struct data_shown data; /* --data-type */
};

static int plan_profile(struct samples_options *samples, struct table_options *table,
			const struct annotate_opts *o, const struct recording *rec, struct err *err)
{
	table->relative = true;
	table->group = o->group;
	table->leader_order = true; /* perf sorts functions before it links the events of a group */
	table->verbose = o->verbose > 0;
	table->layout = (struct layout_options){
		.default_sort = o->data_type ? ANNOTATE_TYPES_SORT : annotate_sort(&rec->m.events),
		.hierarchy = true,
		.events = rec->is_pipe ? NULL : &rec->m.events};
	samples->blocks = samples->passes =
		rec->is_pipe || measurement_samples_any(&rec->m, SAMPLE_BRANCH_STACK);
	samples->no_times = !rec->is_pipe && !measurement_samples_any(&rec->m, SAMPLE_TIME);
	table->filter.socket = -1;
	if (o->filter.cpus && !rec->is_pipe && !measurement_samples_any(&rec->m, SAMPLE_CPU))
		return err_set(err, ERR_INPUT,
			       "File does not contain CPU events. Remove -C option to proceed.");
	if (filter_opts_apply(&o->filter, rec, &table->filter, err))
		return -1;
	/* not a list: the name may contain commas */
	if (o->symbol)
		name_list_add(&table->filter.symbols, o->symbol, "");
	samples->filter = table->filter;
	return 0;
}

/* --group without recorded groups: makes one group of all events. True when it has several. */
static bool force_group(struct event_set *set)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (set->events.at[i]->members > 1)
			return false;
	for (size_t i = 0; i < set->events.n; i++) {
		set->events.at[i]->leader = 0;
		set->events.at[i]->members = 1;
	}
	if (set->events.n)
		set->events.at[0]->members = (uint32_t)set->events.n;
	return set->events.n > 1;
}

/* Counts a function without code, and prints why it is missing; once for each dso. */
static void say_missing(struct showing *show, const struct annotate_symbol *s,
			const struct err *why, struct out *out)
{
	uint32_t *said = idmap_put(&show->missing, s->dso->index);

	show->n_missing++;
	show->broken = show->broken || why->code != ERR_INPUT;
	if (*said != HASH_NONE || show->o->quiet)
		return;
	*said = 0;
	out_flush(out);
	fprintf(stderr, "Error:\nCouldn't annotate %s:\n%s\n", s->name, why->text);
	if (why->hint[0])
		fprintf(stderr, "%s\n", why->hint);
}

static bool annotate_show_symbol(struct showing *show, const struct annotate *a,
				 const struct annotate_symbol *s, struct out *out)
{
	struct disasm d = {0};
	struct err why = {0};
	bool more = true;

	if (disasm_symbol(&d, s->dso, s->sym, &show->o->code.disasm, &why)) {
		if (!show->o->skip_missing)
			say_missing(show, s, &why, out);
	} else {
		struct annotate_lines lines;

		annotate_lines_init(&lines, a, s, &d, show->o->skid);
		more = (show->o->stdio2 ? annotate_show_stdio2 : annotate_show)(&show->view, a, s,
										&lines, out);
		annotate_lines_release(&lines);
		show->n_shown++;
		show->samples += s->samples;
		show->exact += s->exact;
	}
	disasm_release(&d);
	return more;
}

/* Prints how many samples have exact addresses. */
static void say_exact(const struct showing *show, struct out *out)
{
	if (!show->samples || show->exact == show->samples)
		return;
	out_flush(out);
	fprintf(stderr,
		"perf: %.1f %% of the samples are exact, of the others most tell the "
		"instruction after the one that took the time%s\n",
		100.0 * (double)show->exact / (double)show->samples,
		show->o->skid ? "" : " (--skid corrects that where it can)");
}

static bool annotate_show_event(struct showing *show, const struct table *table,
				const struct event_entries *ev, struct out *out)
{
	struct annotate a;
	bool more = true;

	annotate_init(&a, table, ev);
	for (size_t i = 0; i < a.symbols.n && more; i++)
		if (a.symbols.at[i].percent >= show->o->percent_limit &&
		    a.symbols.at[i].sums[0].samples)
			more = annotate_show_symbol(show, &a, &a.symbols.at[i], out);
	annotate_release(&a);
	return more;
}

/* Functions whose files are not here, as the kernel's, are usual beside others that are shown: 0.
 * -1 with *err where there is more behind it: nothing was shown, or a disassembler failed. */
static int check_shown(const struct showing *show, struct err *err)
{
	if (!show->n_missing || (show->n_shown && !show->broken))
		return 0;
	return err_set(err, ERR_INPUT, "%zu of %zu functions could not be shown", show->n_missing,
		       show->n_missing + show->n_shown);
}

/* Returns the exit status; -1 with *err. */
static int show_profile(struct env *env, const struct annotate_opts *o, struct recording *rec,
			const struct symbol_options *symbols, struct samples_options *wanted,
			const struct table_options *opts, struct err *err)
{
	struct samples_reading how = {.parallel_from = SAMPLES_PARALLEL_FROM};
	struct showing show = {.o = o,
			       .view = {.percent_type = o->code.percent_type,
					.look = o->code.look,
					.samples = o->samples,
					.period = o->period,
					.full_paths = o->full_paths,
					.print_lines = o->print_lines,
					.verbose = o->verbose > 0}};
	AUTO(world) *world = world_of_recording(rec, symbols);
	AUTO(table) *table = table_new(opts, err);
	AUTO(samples) *samples = NULL;
	const bool browses = annotate_browses(o, env);
	uint64_t shown = 0;
	bool more = true;
	int status;

	if (!table)
		return -1;
	table_ask(table, wanted);
	samples = samples_new(&rec->m, world, wanted);
	if (samples_read(samples, rec, &how, err))
		return -1;
	if (o->group_given && o->group)
		show.view.forced_group = force_group(&rec->m.events);
	samples_settle(samples);
	if (table_make(table, samples, err))
		return -1;
	losses_add_frames(&rec->m.losses, table->losses.frames);
	for (size_t i = 0; i < table->events.n; i++)
		shown += table->events.at[i].shown_samples;
	if (!shown)
		fprintf(stderr, "Error:\nThe %s data has no samples!\n", rec->path);
	if (shown && browses) {
		out_progress_end(env->out);
		if (annotate_browse(o, env, &show.view, table, err))
			return -1;
	}
	for (size_t i = 0; i < table->events.n && more && !browses; i++)
		if (!o->group || event_is_leader(table->events.at[i].event))
			more = o->data_type ? annotate_show_data(o, &show.view, table,
								 &table->events.at[i], env->out,
								 &show.data)
					    : annotate_show_event(&show, table,
								  &table->events.at[i], env->out);
	if (more && !o->quiet)
		say_exact(&show, env->out);
	annotate_view_release(&show.view);
	idmap_release(&show.missing);
	symbols_explain(world_dsos(world), env->debug);
	status = input_account(rec, "perf: ", o->strict);
	return check_shown(&show, err) || (o->data_type && more && shown &&
					   annotate_check_data(o, &show.data, env->out, err))
		       ? -1
		       : status;
}

static int cmd_annotate_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct annotate_opts *o = v;
	struct samples_options samples = {0};
	struct table_options table = {0};
	struct symbol_options symbols;
	struct debug_files fetched = {0};
	AUTO(recording) *rec = NULL;
	int status;

	if (o->colour && strcmp(o->colour, "auto"))
		env->out->colour = !strcmp(o->colour, "always");
	if (argc > 1)
		return err_set(err, ERR_USAGE, "one word at most, the name of a symbol");
	if (argc)
		o->symbol = argv[0];
	if (annotate_opts_check(o, err))
		return -1;
	if (o->dump)
		return input_dump(&o->input, &o->files, o->strict, env, err);
	rec = input_open_recording(&o->input, env->out, err);
	if (!rec)
		return -1;
	symbols = o->files;
	symbols.force = o->input.force;
	symbols.verbose = o->verbose;
	if (plan_profile(&samples, &table, o, rec, err)) {
		status = -1;
	} else {
		debuginfod_get(&symbols, &fetched, rec, env->debug);
		status = show_profile(env, o, rec, &symbols, &samples, &table, err);
	}
	filter_release(&table.filter);
	debug_files_release(&fetched);
	return status;
}

static const char *const usage[] = {"annotate [<options>]", NULL};

const struct cmd cmd_annotate = {
	.name = "annotate",
	.summary = "Read perf.data (created by perf record) and display annotated code",
	.usage = usage,
	.groups = annotate_opt_groups,
	.opts_size = sizeof(struct annotate_opts),
	.pager = true,
	.defaults = annotate_defaults,
	.variables = annotate_variables,
	.run = cmd_annotate_run,
};
