// SPDX-License-Identifier: MIT
/* perf stat report: shows recorded counts, with stat's or with another aggregation. */
#include "cmd/stat/stat_opts.h"

#include "data/feature/recording_topology.h"
#include "data/stat_rounds.h"
#include "world/replay/replay.h"

#include <locale.h>
#include <stdio.h>
#include <unistd.h>

struct report {
	const struct stat_opts *opts;
	struct recording *rec;
	struct stat_rounds rounds;
	struct topology topology;
	struct stat *rows;
	uint64_t shown; /* rounds */
	struct counts before, part; /* up to the last interval; in this interval */
	struct stat_view view;
	struct stat_pages pages;
	char **words;
	struct out out;
};

static enum stat_aggr shown_as(uint64_t recorded)
{
	static const enum stat_aggr aggr[] = {
		[STAT_AGGR_NONE] = STAT_CPU,	  [STAT_AGGR_GLOBAL] = STAT_GLOBAL,
		[STAT_AGGR_SOCKET] = STAT_SOCKET, [STAT_AGGR_DIE] = STAT_DIE,
		[STAT_AGGR_CORE] = STAT_CORE,	  [STAT_AGGR_THREAD] = STAT_THREAD,
		[STAT_AGGR_UNSET] = STAT_GLOBAL,  [STAT_AGGR_NODE] = STAT_NODE};

	if (recorded >= STAT_AGGR_CLUSTER)
		return recorded == STAT_AGGR_CLUSTER ? STAT_CLUSTER : STAT_CACHE;
	return recorded < ARRAY_SIZE(aggr) ? aggr[recorded] : STAT_GLOBAL;
}

static enum stat_aggr stat_report_choose(const struct report *r)
{
	const struct stat_rounds *s = &r->rounds;

	if (!r->opts->aggr_option)
		return shown_as(s->config.aggr);
	if (s->cpus.at[0] >= 0)
		return r->opts->aggr;
	fputs("warning: processing task data, aggregation mode not set\n", stderr);
	return shown_as(s->config.aggr);
}

/* Sets the title to the recorded command. A pipe does not record it: the title is "pipe". */
static void set_title(struct report *r)
{
	static char *const none[] = {(char *)"pipe", NULL};
	size_t n = r->rec->is_pipe ? 0 : r->rec->cmdline.n;

	r->words = mem_zero((n + 1) * sizeof(*r->words));
	for (size_t i = 0; i < n; i++)
		r->words[i] = (char *)r->rec->cmdline.at[i];
	r->view.command = n ? r->words : none;
}

/* Called at the first round, when the recording's configuration is known. */
static void stat_report_start(struct report *r)
{
	const struct stat_opts *o = r->opts;
	const struct stat_config *c = &r->rounds.config;
	struct stat_options rows = {.aggr = stat_report_choose(r),
				    .no_scale = !c->scale,
				    .cache_level = o->aggr_option ? o->cache_level
								  : (int)MIN(c->cache_level, 99u),
				    .no_merge = o->no_merge,
				    .hybrid_merge = o->hybrid_merge,
				    .percore_show_thread = o->percore_show_thread,
				    .metric_only = o->metric_only,
				    .topdown_level = o->topdown_level};

	if (c->unknown_tag)
		fprintf(stderr, "unknown stat config term %llu\n",
			(unsigned long long)c->unknown_tag);
	recording_topology(&r->topology, r->rec);
	if (!recording_has(r->rec, FEATURE_CPU_TOPOLOGY) && r->rec->is_pipe)
		topology_read(&r->topology, "/sys");
	r->rows = stat_new(&r->rec->m.events, &r->topology, &rows);
	stat_add_cpus(r->rows, r->rounds.cpus.at, r->rounds.cpus.n);
	r->view = (struct stat_view){
		.form = stat_opts_form(o),
		.separator = stat_separator(o), .big_numbers = o->big_numbers && !o->separator,
		.metric_only = o->metric_only, .no_csv_summary = o->no_csv_summary,
		.interval_clear = o->interval_clear, .interval = c->interval_ms > 0,
		.aggr = rows.aggr, .runs = 1, .recorded = true};
	set_title(r);
	if (r->view.form == STAT_TEXT)
		setlocale(LC_NUMERIC, "");
}

static void stat_report_show(struct report *r, const struct stat_round *round)
{
	struct stat_times times = {.elapsed_ns = (double)round->time_ns};

	r->view.counts = round->counts;
	stat_reset(r->rows);
	if (!r->view.interval) {
		stat_add(r->rows, round->counts, &times);
		stat_show(&r->out, &r->view, r->rows);
		return;
	}
	counts_copy(&r->part, round->counts);
	counts_subtract(&r->part, &r->before);
	counts_copy(&r->before, round->counts);
	/* no length, no rates: perf's reports of intervals show none either */
	times.elapsed_ns = 0;
	stat_add(r->rows, &r->part, &times);
	stat_show_interval(&r->out, &r->view, r->rows, &r->pages, round->time_ns);
}

static int stat_report_take(struct replay *rp, const struct record *record)
{
	struct report *r = rp->ctx;
	struct stat_round round;
	int got = stat_rounds_take(&r->rounds, record, &round, rp->err);

	if (got <= 0)
		return got;
	if (!r->rows)
		stat_report_start(r);
	stat_report_show(r, &round);
	r->shown++;
	return out_ready(&r->out) ? REPLAY_GO : REPLAY_STOP;
}

static int stat_report_show_all(struct report *r, struct err *err)
{
	static const struct replay_analysis analysis = {.any = stat_report_take};
	struct replay rp;
	int failed;

	stat_rounds_init(&r->rounds, r->rec);
	replay_init(&rp, r->rec, NULL, &analysis, r);
	rp.reading.mode = SOURCE_FILE_ORDER;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	if (failed || r->shown)
		return failed;
	err_set(err, ERR_INPUT, "'%s' holds no counts", r->rec->path);
	return err_hint(err, "'perf stat record' makes a recording of counts");
}

static int stat_report_leave(struct report *r, int got, struct err *err)
{
	AUTO_BUF line = {0};

	if (out_end(&r->out, got ? NULL : err))
		got = -1;
	if (r->rec)
		losses_show(&r->rec->m.losses, &line);
	if (line.n)
		fprintf(stderr, "perf: %s\n", buf_text(&line));
	if (!got && losses_damage(&r->rec->m.losses))
		got = EXIT_DAMAGE;
	stat_free(r->rows);
	stat_rounds_release(&r->rounds);
	topology_release(&r->topology);
	counts_release(&r->before);
	counts_release(&r->part);
	free(r->words);
	out_release(&r->out);
	recording_free(r->rec);
	return got;
}

static int cmd_stat_report_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct stat_opts *o = v;
	struct report r = {.opts = o};

	(void)env;
	if (argc)
		return err_set(err, ERR_USAGE,
			       "stat report takes no argument: '%s' (-i names a file)", argv[0]);
	if (stat_opts_check_form(o, err))
		return -1;
	out_init(&r.out, STDERR_FILENO);
	r.rec = input_open_recording(&o->input, &r.out, err);
	return stat_report_leave(&r, r.rec ? stat_report_show_all(&r, err) : -1, err);
}

static const struct opt_group groups[] = {
	{input_opts, offsetof(struct stat_opts, input)}, {stat_aggr_opts, 0}, {0}};

static const char *const usage[] = {"stat report [<options>]", NULL};

const struct cmd cmd_stat_report = {
	.name = "report",
	.usage = usage,
	.groups = groups,
	.run = cmd_stat_report_run,
};
