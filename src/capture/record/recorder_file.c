// SPDX-License-Identifier: MIT
/* The recorder's files: features before the records, the records, features after them. */
#include "capture/record/recorder_state.h"

#include "base/monotonic.h"
#include "os/files/files.h"
#include "symbol/store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int recorder_put(void *ctx, const struct ring_bytes *b, struct err *err)
{
	struct recorder *r = ctx;
	int got;

	if (r->result->size_reached)
		return 0;
	r->put_since_round = true;
	got = sink_put(r->sink, b->a, b->a_len, b->b, b->b_len, err);
	if (got != SINK_FULL)
		return got;
	r->result->size_reached = r->session.stop = true;
	return 0;
}

int recorder_mark_round(void *ctx, struct err *err)
{
	struct recorder *r = ctx;
	int got;

	if (!r->synth_done || r->result->size_reached || !r->put_since_round)
		return 0;
	record_write_empty(&r->session.synthesized, RECORD_FINISHED_ROUND);
	got = session_put_synthesized(&r->session, err);
	r->put_since_round = false;
	return got;
}

static int put_kcore(const struct recorder_options *o, struct err *err)
{
	AUTO_CHAR *dir = mem_printf("%s/kcore_dir", o->path);

	return o->kcore ? store_copy_kcore(o->session.synth.proc_root, dir, err) : 0;
}

/* The number of ids that the file leaves room for: events reopened on a CPU get new ones. */
static unsigned int spare_ids(const struct session *s)
{
	return s->hotplug.fd > 0 ? MIN((unsigned int)s->capture.slots.n, 16) * session_ids_a_cpu(s)
				 : 0;
}

void recorder_release_programs(struct recorder *r)
{
	struct recorder_result *res = r->result;

	res->bpf_programs_left_out =
		MAX(res->bpf_programs_left_out, r->programs.programs_left_out);
	res->bpf_types_left_out = MAX(res->bpf_types_left_out, r->programs.types_left_out);
	bpf_seen_release(&r->programs);
}

int recorder_begin_file(struct recorder *r, bool first, struct err *err)
{
	const struct recorder_options *o = r->opts;
	const struct sampling *sampling = &o->session.sampling;
	struct session *s = &r->session;
	struct sink_options so = {.path = o->path, .compress = o->compress,
				  .max_size = o->max_size, .as_pipe = o->as_pipe,
				  .as_directory = o->kcore, .queue = r->queue,
				  .spare_ids = spare_ids(s)};
	struct feature_facts f = {.events = r->events, .argc = o->argc, .argv = o->argv,
				  .version = o->version,
				  .branch_stack = sampling->branch != 0,
				  .use_clockid = sampling->use_clockid,
				  .clockid = sampling->clockid,
				  .proc_root = o->session.synth.proc_root,
				  .sys_root = o->session.synth.sys_root,
				  .programs = &r->programs};

	f.wall_ns = clock_ns(CLOCK_REALTIME);
	f.clock_ns = clock_ns(sampling->clockid);
	r->sink = sink_open(&so, err);
	if (!r->sink)
		return -1;
	r->result->written = true;
	r->file_samples = s->capture.samples;
	r->file_lost = 0;
	r->synth_done = false;
	r->file_ms = r->synced_ms = r->safe_ms = session_now_ms();
	recorder_release_programs(r);
	if (put_kcore(o, err) || sink_begin(r->sink, r->events, err))
		return -1;
	/* finds the BPF programs, which are among the features */
	session_synth_first(s, first);
	return features_put(r->sink, &f, err) || session_put_synthesized(s, err) ? -1 : 0;
}

static void lost(void *ctx, const struct counter *k, uint64_t n)
{
	struct recorder *r = ctx;

	if (k->side) {
		r->result->lost_side += n;
		return;
	}
	r->result->lost_samples += n;
	r->file_lost += n;
	record_write_lost_samples(&r->session.synthesized, n, k->event->attr.sample_type, k->id,
				  k->cpu);
}

/* YYYYMMDDhhmmss and hundredths, as every perf names such files. */
static char *stamped(const char *path, const struct timespec *t)
{
	struct tm tm;
	char text[64];

	localtime_r(&t->tv_sec, &tm);
	strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm);
	return mem_printf("%s.%s%02ld", path, text, t->tv_nsec / 10000000);
}

/* Files that end in the same hundredth, or when the clock was put back, must not replace each
 * other: the next hundredth that is free is taken. */
static int rename_file(struct recorder *r, struct err *err)
{
	struct timespec t;
	char *name;

	clock_gettime(CLOCK_REALTIME, &t);
	for (;;) {
		name = stamped(r->opts->path, &t);
		if (!files_rename_new(r->opts->path, name))
			break;
		if (errno != EEXIST) {
			err_sys(err, errno, "cannot rename '%s' to '%s'", r->opts->path, name);
			free(name);
			return -1;
		}
		free(name);
		t.tv_nsec += 10000000;
		if (t.tv_nsec >= 1000000000) {
			t.tv_nsec -= 1000000000;
			t.tv_sec++;
		}
	}
	vec_add(&r->old_files, name);
	while (r->opts->rotation_keep && r->old_files.n > r->opts->rotation_keep) {
		files_remove_tree(r->old_files.at[0]);
		free(r->old_files.at[0]);
		r->old_files.n--;
		memmove(r->old_files.at, r->old_files.at + 1, r->old_files.n * sizeof(char *));
	}
	return 0;
}

/* Writes how the chains of this file end. */
static int tell_chains(struct recorder *r, struct err *err)
{
	uint64_t ends[UNWIND_ENDS];

	for (int end = 0; end < UNWIND_ENDS; end++) {
		uint64_t all = chains_ended(&r->session.chains, (enum unwind_end)end);

		ends[end] = all - r->ends_told[end];
		r->ends_told[end] = all;
	}
	return features_put_chains(r->sink, ends, err);
}

/* Writes the BPF programs that were loaded since the file was begun. Those of tasks that are not
 * recorded have no BPF_EVENT. */
static int tell_programs(struct recorder *r, struct err *err)
{
	if (!r->opts->session.sampling.bpf_events)
		return 0;
	bpf_seen_add_new(&r->programs);
	return bpf_seen_send(&r->programs, r->sink, err);
}

/* Prepares the LOST_SAMPLES record for samples that do not fit into the file: all count for the
 * first event. */
static void recorder_file_count_samples(struct recorder *r)
{
	const struct event *ev = r->events->events.at[0];
	struct buf b = {0};

	record_write_lost_samples(&b, r->file_lost, ev->attr.sample_type,
				  ev->ids.n ? ev->ids.at[0] : 0, -1);
	sink_lost_record(r->sink, b.at, b.n);
	sink_samples(r->sink, r->session.capture.samples - r->file_samples);
	buf_release(&b);
}

void recorder_tell_lost(struct recorder *r)
{
	capture_lost(&r->session.capture, lost, r);
}

int recorder_end_file(struct recorder *r, struct err *err)
{
	struct recorder_result *res = r->result;
	struct session *s = &r->session;
	int got;

	r->synth_done = true;
	got = session_finish(s, err);
	/* The user is told of lost records even when the file cannot be written any more. */
	recorder_tell_lost(r);
	if (!(sampling_tracker(r->events)->attr.read_format & READ_LOST)) {
		/* A kernel that doesn't count (before 6.0) tells in LOST records. */
		res->lost_side = s->capture.side_lost;
		res->lost_samples = s->capture.lost_events - s->capture.side_lost;
	}
	if (!got)
		got = session_put_synthesized(s, err);
	if (!got && r->build_ids.payload.n && !r->opts->no_build_ids)
		got = sink_feature(r->sink, FEATURE_BUILD_ID, r->build_ids.payload.at,
				   r->build_ids.payload.n, err);
	if (!got)
		got = tell_programs(r, err);
	if (!got && s->unwinds && !r->opts->as_pipe)
		got = tell_chains(r, err);
	if (!got && s->capture.time_at)
		got = features_put_times(r->sink, s->capture.first_time, s->capture.last_time, err);
	recorder_file_count_samples(r);
	if (sink_end(r->sink, got ? NULL : err))
		got = -1;
	res->cut_samples += sink_samples_missing(r->sink);
	res->bytes = sink_bytes(r->sink);
	res->plain = sink_bytes_plain(r->sink);
	res->packed = sink_bytes_packed(r->sink);
	sink_free(r->sink);
	r->sink = NULL;
	if (r->opts->rotation.on || r->opts->timestamp_filename)
		if (rename_file(r, got ? NULL : err))
			got = -1;
	return got;
}

int recorder_rotate(struct recorder *r, struct err *err)
{
	struct capture *c = &r->session.capture;

	session_tell(&r->session, "[ perf record: dump data: Woken up %llu times ]\n",
		      (unsigned long long)r->session.wakeups);
	if (recorder_end_file(r, err))
		return -1;
	session_tell(&r->session, "[ perf record: Dump %s ]\n", *vec_last(&r->old_files));
	c->first_time = c->last_time = 0;
	return recorder_begin_file(r, false, err);
}
