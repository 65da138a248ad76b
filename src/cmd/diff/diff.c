// SPDX-License-Identifier: MIT
#include "cmd/diff/diff_browse.h"
#include "cmd/options/opts_input.h"
#include "view/streams.h"

/* The exit status by the losses of all recordings. */
static int account(const struct diff_side *sides, const char *const *paths, size_t n, bool strict)
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

/* Shows all events: as text, or in the browser. */
static int diff_show_events(const struct diff_side *sides, const char *const *paths, size_t n,
			    const struct diff_opts *o, const struct env *env, struct err *err)
{
	struct out *out = env->out;
	const struct table **tables = mem_alloc(n * sizeof(*tables));
	const struct diff_view view = {.opts = &o->how,
				       .paths = paths,
				       .separator = o->separator,
				       .quiet = o->quiet,
				       .list_paths = o->verbose > 0,
				       .periods = o->periods,
				       .formulas = o->formulas,
				       .block_history = o->cycles_hist};
	bool more = !o->browsed;
	int failed = 0;

	for (size_t i = 0; i < n; i++)
		tables[i] = sides[i].table;
	if (o->browsed) {
		out_progress_end(out);
		failed = diff_browse_sides(sides, tables, n, &view, env, err);
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

static int export(const struct diff_side *sides, const char *const *paths, size_t n,
		  const struct diff_opts *o, struct out *out, struct err *err)
{
	struct export_side compared[STACK_SIDES];

	for (size_t i = 0; i < n; i++)
		compared[i] = (struct export_side){paths[i], sides[i].rec, sides[i].samples,
						   &sides[i].filter};
	return export_write(&o->exports, compared, n, out, err);
}

/* --stream: the hot streams of each event that both recordings have. */
static void diff_show_streams(const struct diff_side *sides, struct out *out)
{
	struct streams *old = sides[0].streams, *new = sides[1].streams;

	for (size_t i = 0; i < old->events->events.n; i++) {
		const struct event *same =
			diff_match_event(new->events, old->events->events.at[i]);

		if (!same)
			continue;
		streams_match(old, i, new, same->index);
		if (!streams_show(old, i, new, same->index, out))
			return;
	}
}

/* Shows the sides as the options ask. */
static int diff_show_sides(const struct diff_side *sides, const char *const *paths, size_t n,
			   const struct diff_opts *o, struct env *env, struct err *err)
{
	if (export_wanted(&o->exports))
		return export(sides, paths, n, o, env->out, err);
	if (!o->stream)
		return diff_show_events(sides, paths, n, o, env, err);
	diff_show_streams(sides, env->out);
	return 0;
}

static int cmd_diff_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	static const char *const usual[] = {"perf.data.old", "perf.data"};
	const char *const one[] = {usual[0], argv[0]};
	static const char *const guests[] = {"perf.data.host", "perf.data.guest"};
	const char *const *paths = argc == 0   ? env->guests ? guests : usual
				   : argc == 1 ? one
					       : (const char *const *)argv;
	const size_t n = argc < 2 ? 2 : (size_t)argc;
	struct diff_opts *o = v;
	struct diff_side *sides;
	int status = -1;

	if (diff_opts_check(o, n, err))
		return -1;
	o->browsed = diff_browses(o, env);
	sides = mem_zero(n * sizeof(*sides));
	for (size_t i = 0; i < n; i++)
		if (diff_side_read(&sides[i], o, paths[i], i, env, err))
			goto out;
	if (diff_show_sides(sides, paths, n, o, env, err))
		goto out;
	status = account(sides, paths, n, o->strict);
out:
	diff_sides_release(sides, n);
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
