// SPDX-License-Identifier: MIT
#include "cmd/options/opts_debuginfod.h"
#include "cmd/script/dump_files.h"
#include "cmd/script/script_opts.h"

#include "view/dump/dump.h"
#include "view/header/header.h"
#include "view/script/script_parallel.h"
#include "view/script/script_rounds.h"

#include <stdio.h>

static const char *const usage[] = {"script [<options>]", NULL};

/* Smallest input in bytes for several workers. Each worker resolves addresses and chains anew,
 * which is half of the work for so many bytes. */
#define PARALLEL_FROM (4 << 20)
/* More workers would wait for the reading thread. */
#define WORKERS_MAX 8

struct showing {
	struct env *env;
	const struct script_opts *o;
	struct script *s;
	struct dump_files *dumps;
	struct script_rounds rounds;
};

static int script_take(struct replay *rp, const struct record *r)
{
	struct showing *w = rp->ctx;
	const struct script_opts *o = w->o;

	if (o->per_event_dump && dumps_open(w->s, w->dumps, rp->err))
		return -1;
	if ((o->header || o->info) && rp->rec->is_pipe && r->header.type == RECORD_HEADER_FEATURE)
		header_feature_show(rp->rec, (unsigned int)r->feature.feature, o->info,
				    w->env->out);
	if (script_add(w->s, r, rp->err) || script_rounds_add(&w->rounds, r, w->s->out, rp->err))
		return -1;
	return out_ready(w->env->out) && dumps_ready(w->dumps) ? REPLAY_GO : REPLAY_STOP;
}

static const struct replay_analysis script_analysis = {.any = script_take};

static int show_in_parallel(struct env *env, struct script *s, struct replay *rp, struct pool *pool,
			    struct pool *line_pool, struct err *err)
{
	const struct script_parallel how = {.s = s, .replay = rp, .out = env->out,
					    .losses = &rp->rec->m.losses, .line_pool = line_pool};

	return script_parallel(&how, pool, err);
}

/* Refuses scripts and filters before anything is read. */
static int check_supported(const struct script_opts *o, int n_words, char **words, struct err *err)
{
	if (o->script || o->generate || o->list || o->list_filters || n_words) {
		err_set(err, ERR_UNSUPPORTED, "scripts and filters ('%s') are not supported",
			o->script     ? o->script
			: o->generate ? o->generate
			: n_words     ? words[0]
				      : "list");
		return err_hint(err, "pipe the text of 'perf script' into the script instead");
	}
	return 0;
}

static int script_show_recording(struct env *env, const struct script_opts *o,
				 struct recording *rec, struct script *s, struct err *err)
{
	AUTO(pool) *pool = NULL, *line_pool = NULL;
	bool large;
	struct dump_files dumps = {0};
	struct showing showing = {.env = env, .o = o, .s = s, .dumps = &dumps};
	struct replay rp;
	int failed;

	failed = script_configure(o, s, err);
	if (s->fields.warnings.n)
		fputs(buf_text(&s->fields.warnings), stderr);
	if (failed)
		return -1;
	if (o->header)
		header_show(rec, o->info, env->out);
	if (o->dump || o->dump_unsorted)
		s->dump = env->out;
	s->unsorted = o->dump_unsorted || o->show_round;
	replay_init(&rp, rec, s->world, &script_analysis, &showing);
	rp.reading.mode = s->unsorted ? SOURCE_FILE_ORDER : SOURCE_ORDERED;
	/* a dump shows the parts of a deferred chain where they are recorded */
	rp.reading.join_chains = !s->dump;
	if (!s->dump)
		rp.reading.times = filter_source_times(&s->filter);
	rp.reading.without_rounds = !(s->show & SHOW_ROUND);
	script_rounds_start(&showing.rounds, rec);
	if (!replay_open(&rp, err) || (o->per_event_dump && dumps_open(s, &dumps, err)))
		failed = -1;
	large = !failed && source_bytes(rp.src) >= PARALLEL_FROM && script_parallel_pays(s);
	if (!failed && pool_cpus() > 1 && (large || script_has_lines(s)) &&
	    script_parallel_can(s)) {
		pool = pool_new(large ? MIN(pool_cpus(), WORKERS_MAX) : 1);
		line_pool = large ? NULL : pool_new(0);
	} else {
		world_present_only(s->world);
	}
	if (!failed && pool)
		failed = show_in_parallel(env, s, &rp, pool, line_pool ? line_pool : pool, err);
	else if (!failed)
		failed = replay_run(&rp, err);
	replay_release(&rp);
	script_rounds_release(&showing.rounds);
	unwound_losses(&s->frames.unwound, &rec->m.losses);
	unwound_before(rec);
	failed |= dumps_close(s, &dumps, &env->out->buf, failed ? NULL : err);
	if (o->debug)
		fprintf(stderr, "Misordered timestamps: %llu\n", (unsigned long long)s->misordered);
	return failed ? -1 : input_account(rec, "", o->strict);
}

static int run_script(struct env *env, struct script_opts *o, struct err *err)
{
	AUTO(recording) *rec = NULL;
	AUTO(world) *world = NULL;
	struct debug_files fetched = {0};
	struct script s;
	int status;

	rec = input_open_recording(&o->input, env->out, err);
	if (!rec)
		return -1;
	if (o->header_only) {
		header_show(rec, o->info, env->out);
		return 0;
	}
	if (o->dump || o->dump_unsorted)
		dump_begin(rec, env->out);
	o->symbols.force = o->input.force;
	o->symbols.verbose += o->verbose;
	debuginfod_get(&o->symbols, &fetched, rec, env->debug);
	world = world_of_recording(rec, &o->symbols);
	script_init(&s, rec, world, &env->out->buf);
	status = script_show_recording(env, o, rec, &s, err);
	script_release(&s);
	symbols_explain(world_dsos(world), env->debug);
	debug_files_release(&fetched);
	return status;
}

static int cmd_script_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct script_opts *o = opts;
	int status = -1, writes = 1;

	if (!check_supported(o, argc, argv, err) && !symbol_opts_check(&o->symbols, err)) {
		if (o->tui)
			writes = script_tui(o, env, &status, err);
		if (writes > 0)
			status = o->html ? script_html(o, env, err) : run_script(env, o, err);
	}
	vec_release(&o->fields);
	return status;
}

static const struct cmd_variable variables[] = {DEBUGINFOD_VARIABLE, {NULL, NULL}};

const struct cmd cmd_script = {
	.name = "script",
	.summary = "Read perf.data (created by perf record) and display trace output",
	.usage = usage,
	.groups = script_opt_groups,
	.opts_size = sizeof(struct script_opts),
	.pager = true,
	.defaults = script_defaults,
	.variables = variables,
	.run = cmd_script_run,
};
