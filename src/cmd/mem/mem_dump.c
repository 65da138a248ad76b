// SPDX-License-Identifier: MIT
#include "cmd/mem/mem_opts.h"
#include "cmd/options/opts_rows.h"
#include "view/memory_lines.h"
#include "world/replay/replay.h"

static int mem_dump_take_sample(struct replay *rp, const struct record *r)
{
	const struct memory_lines *l = rp->ctx;
	const struct sample *s = &r->sample;
	uint32_t epoch = world_epoch(rp->world, replay_thread(rp, s->pid, s->tid), WORLD_NOW);
	struct place place =
		world_place(rp->world, epoch, r->header.misc & MISC_CPUMODE_MASK, s->ip);

	return memory_line_show(l, s, &place) ? REPLAY_GO : REPLAY_STOP;
}

static int dump_run(struct env *env, const struct mem_opts *o, struct recording *rec,
		    const struct filter *filter, struct err *err)
{
	static const struct replay_handler handlers[] = {{RECORD_SAMPLE, mem_dump_take_sample},
							 {0}};
	static const struct replay_analysis analysis = {.handlers = handlers};
	const struct memory_lines lines = {.out = env->out,
					   .separator = rows_separator(o->separator),
					   .physical = o->memory.physical,
					   .page_size = o->memory.page_size,
					   .hide_unresolved = o->hide_unresolved};
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct replay rp;
	int failed;

	world_present_only(world);
	memory_lines_header(&lines);
	replay_init(&rp, rec, world, &analysis, (void *)&lines);
	rp.filter = filter;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	return failed ? -1 : input_account(rec, "perf: ", false);
}

int mem_dump(struct env *env, const struct mem_opts *o, struct err *err)
{
	AUTO(recording) *rec = NULL;
	struct filter filter = {.socket = -1};
	bool relative;
	int status = -1;

	if (rows_opts_check(o->separator, NULL, &relative, err))
		return -1;
	rec = input_open_recording(&o->input, env->out, err);
	if (rec && (!o->cpus || !number_list_parse(&filter.cpus, o->cpus, "cpus", err)))
		status = dump_run(env, o, rec, &filter, err);
	filter_release(&filter);
	return status;
}
