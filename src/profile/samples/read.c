// SPDX-License-Identifier: MIT
#include "profile/samples/read.h"

#include "profile/samples/reading/read_parallel.h"
#include "world/replay/replay.h"

#define PAUSE_EVERY 4096 /* records, a few ms */

/* The threads that run: their number is the parallelism. A context switch says whether its thread
 * starts or stops to run; a sampled thread runs. */
struct running {
	struct idmap tids; /* 1: runs */
	uint32_t n;
	bool wanted;
};

static void set_running(struct running *s, uint32_t tid, bool runs)
{
	uint32_t *at;

	if (!tid)
		return; /* the idle task */
	at = idmap_put(&s->tids, tid);
	if (*at == HASH_NONE)
		*at = 0;
	s->n += (uint32_t)runs - *at;
	*at = runs;
}

static void note_running(struct running *s, const struct record *r)
{
	switch (r->header.type) {
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		set_running(s, r->id.tid, !(r->header.misc & MISC_SWITCH_OUT));
		break;
	case RECORD_EXIT:
		set_running(s, r->task.tid, false);
		break;
	case RECORD_SAMPLE:
		set_running(s, r->sample.tid, true);
		break;
	}
}

static int no_switches(struct err *err)
{
	err_set(err, ERR_UNSUPPORTED, "the recording doesn't say when threads ran");
	return err_hint(err, "record it with --latency");
}

/* The source may drop samples of other times, unless the wanted ones depend on them (switches,
 * parallelism). */
static struct source_options samples_source_options(const struct samples *samples,
						    const struct samples_reading *how)
{
	struct source_options reading = {
		.mode = SOURCE_ORDERED, .join_chains = true, .split_reads = true};

	if (!how->switch_on && !how->switch_off && !samples->opts.parallelism)
		reading.times = filter_source_times(&samples->opts.filter);
	return reading;
}

static void pull_record(struct samples *samples, const struct record *r,
			struct replay_switches *switches, struct samples_reading *how)
{
	if (r->header.type == RECORD_LOST_SAMPLES)
		how->lost_samples += r->lost_samples.lost;
	if (r->header.type == RECORD_SAMPLE) {
		if (!replay_switched_off(switches, r->event))
			samples_add(samples, r);
		return;
	}
	world_add(samples->world, r, record_time(samples->m, r));
	if (how->other)
		how->other(how->ctx, r);
}

int samples_pull(struct samples *samples, struct source *src, struct samples_reading *how,
		 struct err *err)
{
	struct measurement *m = source_measurement(src);
	struct replay_switches switches = {.show = how->show_switches};
	struct running running = {.wanted = samples->opts.parallelism};
	uint32_t pulled = 0;
	struct record r;
	int got;

	if (replay_switches_find(&switches, &m->events, how->switch_on, how->switch_off, err))
		return -1;
	how->adding = samples;
	while ((got = source_next(src, &r, err)) > 0) {
		if (running.wanted) {
			note_running(&running, &r);
			samples->parallelism = MAX(running.n, 1u);
		}
		pull_record(samples, &r, &switches, how);
		if (how->pause && ++pulled % PAUSE_EVERY == 0)
			how->pause(how->pause_ctx);
		if (samples->rec && samples->rec->stop)
			break;
	}
	how->adding = NULL;
	unwound_losses(&samples->words.unwound, &m->losses);
	idmap_release(&running.tids);
	return MIN(got, 0);
}

struct samples *samples_so_far(const struct samples_reading *how)
{
	return how->parallel ? parallel_so_far(how->parallel) : how->adding;
}

int samples_read(struct samples *samples, struct recording *rec, struct samples_reading *how,
		 struct err *err)
{
	const struct source_options reading = samples_source_options(samples, how);
	const bool in_order = how->switch_on || how->switch_off || samples->opts.parallelism ||
			      samples->opts.block_first || world_guests(samples->world)->wanted;
	AUTO(source) *src = NULL;
	int got;

	samples->rec = rec;
	if (samples->opts.parallelism && !rec->is_pipe && !measurement_has_switches(&rec->m))
		return no_switches(err);
	if (!in_order && rec->file_data_size >= how->parallel_from && read_parallel_can(rec))
		return read_parallel(samples, rec, how, err);
	src = source_open(rec, &reading, err);
	if (!src)
		return -1;
	got = samples_pull(samples, src, how, err);
	unwound_before(rec);
	return got;
}
