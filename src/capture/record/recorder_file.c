// SPDX-License-Identifier: MIT
/* The recorder's files: what stands in front of the records, the records, what comes after. */
#include "capture/record/recorder_state.h"

#include "os/files.h"
#include "os/process/proc.h"
#include "os/process/process.h"
#include "os/process/rights.h"
#include "symbol/store/store.h"
#include "world/world.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int put(void *ctx, const struct ring_bytes *b, struct err *err)
{
	struct recorder *r = ctx;
	int got;

	if (r->result->size_reached)
		return 0;
	r->put = true;
	got = sink_put(r->sink, b->a, b->a_len, b->b, b->b_len, err);
	if (got != SINK_FULL)
		return got;
	r->result->size_reached = r->stop = true;
	return 0;
}

int recorder_put_synthesized(struct recorder *r, struct err *err)
{
	struct ring_bytes b = {.a = (const uint8_t *)r->synthesized.at, .a_len = r->synthesized.n};
	int got;

	if (r->unwinds)
		chains_see_all(&r->chains, r->synthesized.at, r->synthesized.n);
	got = r->synthesized.n ? put(r, &b, err) : 0;
	buf_clear(&r->synthesized);
	return got;
}

/* Samples that were made here, into the file. */
static int put_made(struct recorder *r, struct err *err)
{
	struct ring_bytes b = {.a = (const uint8_t *)r->made.at, .a_len = r->made.n};
	int got = r->made.n ? put(r, &b, err) : 0;

	buf_clear(&r->made);
	return got;
}

static enum capture_verdict keep(void *ctx, const uint8_t *record, bool side, bool may_wait)
{
	struct recorder *r = ctx;
	struct record_header h;

	if (r->restricted && !tree_keeps(&r->tree, record))
		return CAPTURE_DROP;
	if (side && !r->opts->no_build_ids)
		build_ids_see(&r->build_ids, record);
	if (!r->unwinds)
		return CAPTURE_KEEP;
	memcpy(&h, record, sizeof(h));
	if (h.type != RECORD_SAMPLE) {
		chains_see(&r->chains, record);
		return CAPTURE_KEEP;
	}
	return chains_unwind(&r->chains, record, may_wait, &r->made);
}

static void peek(void *ctx, const uint8_t *record)
{
	struct recorder *r = ctx;

	tree_see(&r->tree, record);
}

static void settle(void *ctx)
{
	struct recorder *r = ctx;

	tree_settle(&r->tree);
}

/* Larger copies of stacks, when these turn out to be too short. */
static int grow_stacks(struct recorder *r, struct err *err)
{
	struct stack_watch *w = &r->chains.watch;

	if (!r->unwinds || !capture_grows(&r->capture) || !stack_watch_short(w))
		return 0;
	if (capture_grow(&r->capture, err))
		return -1;
	*w = (struct stack_watch){.size = capture_stack_size(NULL, r->capture.level)};
	r->result->stack_size = w->size;
	r->result->stack_after = r->capture.samples;
	return 0;
}

static int pass(struct recorder *r, bool finish, struct err *err)
{
	struct capture_take take = {.put = put, .keep = keep, .ctx = r};
	int got;

	if (r->restricted) {
		take.filter = true;
		take.peek = peek;
		take.settle = settle;
	}
	take.filter |= r->unwinds;
	got = finish ? capture_finish(&r->capture, &take, err)
		     : capture_pass(&r->capture, &take, err);
	if (got >= 0 && put_made(r, err))
		return -1;
	if (got > 0 && r->unwinds)
		chains_settle(&r->chains);
	if (r->restricted && r->capture.side_lost != r->side_lost) {
		r->side_lost = r->capture.side_lost;
		tree_rescan(&r->tree, r->opts->synth.proc_root);
	}
	if (got <= 0 || !r->synth_done || r->result->size_reached || !r->put)
		return got;
	record_write_empty(&r->synthesized, RECORD_FINISHED_ROUND);
	got = recorder_put_synthesized(r, err);
	r->put = false;
	return got;
}

int recorder_pass(struct recorder *r, struct err *err)
{
	int got = pass(r, false, err);

	return got < 0 || grow_stacks(r, err) ? -1 : got;
}

static uint64_t clock_ns(int clock)
{
	struct timespec t;

	return clock_gettime(clock, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool samples_kernel(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		if (!ev->side_band && !(ev->attr.flags & ATTR_EXCLUDE_KERNEL))
			return true;
	}
	return false;
}

/* Everything that already holds; the whole machine's processes come later, in steps. */
static void tell_first(struct recorder *r, bool first)
{
	const struct recorder_options *o = r->opts;

	synth_index(&r->synth.writer, &r->capture, &r->target);
	if (!synth_kernel(&r->synth) && first && samples_kernel(r->events)) {
		char why[128];

		rights_kernel_unseen(o->synth.proc_root, why, sizeof(why));
		recorder_tell(r, "Kernel addresses are %s: kernel samples will have no names.\n", why);
	}
	if (r->target.system_wide && !process_sees_all(o->synth.proc_root)) {
		synth_outside(&r->synth);
		if (first)
			recorder_tell(r, "Processes outside of this pid namespace cannot be told "
					 "apart: all of them are pid 0, '" WORLD_OUTSIDE "'.\n");
	}
	if (first && r->target.system_wide && !proc_mounted(o->synth.proc_root))
		recorder_tell(r, "Without %s the names of what already runs are not known.\n",
			      o->synth.proc_root);
	if (o->sampling.bpf_events)
		synth_bpf(&r->synth);
	if (o->synth.cgroup_paths)
		synth_cgroups(&r->synth);
	if (first && target_is_command(&o->target))
		synth_command(&r->synth, r->command.pid);
	else if (!r->target.system_wide)
		for (size_t i = 0; i < r->target.pids.n; i++)
			synth_family(&r->synth, r->target.pids.at[i], !first);
}

static int put_kcore(const struct recorder_options *o, struct err *err)
{
	AUTO_CHAR *dir = mem_printf("%s/kcore_dir", o->path);

	return o->kcore ? store_copy_kcore(o->synth.proc_root, dir, err) : 0;
}

int recorder_begin_file(struct recorder *r, bool first, struct err *err)
{
	const struct recorder_options *o = r->opts;
	struct sink_options so = {.path = o->path, .compress = o->compress,
				  .max_size = o->max_size, .as_pipe = o->as_pipe,
				  .as_directory = o->kcore, .queue = r->queue,
				  .spare_ids = r->hotplug.fd > 0 ? MIN((unsigned int)r->capture.slots.n, 16) * recorder_ids_a_cpu(r) : 0};
	struct feature_facts f = {.events = r->events, .argc = o->argc, .argv = o->argv,
				  .version = o->version,
				  .branch_stack = o->sampling.branch != 0,
				  .use_clockid = o->sampling.use_clockid,
				  .clockid = o->sampling.clockid,
				  .proc_root = o->synth.proc_root, .sys_root = o->synth.sys_root};

	f.wall_ns = clock_ns(CLOCK_REALTIME);
	f.clock_ns = clock_ns(o->sampling.clockid);
	r->sink = sink_open(&so, err);
	if (!r->sink)
		return -1;
	r->result->written = true;
	r->file_samples = r->capture.samples;
	r->file_lost = 0;
	r->synth_done = false;
	r->file_ms = r->synced_ms = r->safe_ms = recorder_now_ms();
	if (put_kcore(o, err) || sink_begin(r->sink, r->events, err) || features_put(r->sink, &f, err))
		return -1;
	tell_first(r, first);
	return recorder_put_synthesized(r, err);
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
	record_write_lost_samples(&r->synthesized, n, k->event->attr.sample_type, k->id, k->cpu);
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

/* Files that end in the same hundredth, or when the clock was put back, must not replace each other: the
 * next hundredth that is free is taken. */
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

/* How the chains of this file end. */
static int tell_chains(struct recorder *r, struct err *err)
{
	uint64_t ends[UNWIND_ENDS];

	for (int end = 0; end < UNWIND_ENDS; end++) {
		uint64_t all = chains_ended(&r->chains, (enum unwind_end)end);

		ends[end] = all - r->ends_told[end];
		r->ends_told[end] = all;
	}
	return features_put_chains(r->sink, ends, err);
}

/* If the file turns out to be too small, it says how much is missing: all of it for the first event. */
static void count_samples(struct recorder *r)
{
	const struct event *ev = r->events->events.at[0];
	struct buf b = {0};

	record_write_lost_samples(&b, r->file_lost, ev->attr.sample_type, ev->ids.n ? ev->ids.at[0] : 0, -1);
	sink_lost_record(r->sink, b.at, b.n);
	sink_samples(r->sink, r->capture.samples - r->file_samples);
	buf_release(&b);
}

int recorder_end_file(struct recorder *r, struct err *err)
{
	struct recorder_result *res = r->result;
	struct capture_take take = {.put = put, .ctx = r};
	int got = 0;

	if (capture_snapshot(&r->capture, &take, err))
		got = -1;
	if (!got) {
		r->synth_done = true;
		got = pass(r, true, err) < 0 ? -1 : 0;
	}
	/* Also told when it cannot be written any more. */
	capture_lost(&r->capture, lost, r);
	if (!(sampling_tracker(r->events)->attr.read_format & READ_LOST)) {
		/* A kernel that doesn't count (before 6.0) tells in LOST records. */
		res->lost_side = r->capture.side_lost;
		res->lost_samples = r->capture.lost_events - r->capture.side_lost;
	}
	if (!got)
		got = recorder_put_synthesized(r, err);
	if (!got && r->build_ids.payload.n && !r->opts->no_build_ids)
		got = sink_feature(r->sink, FEATURE_BUILD_ID, r->build_ids.payload.at,
				   r->build_ids.payload.n, err);
	if (!got && r->unwinds && !r->opts->as_pipe)
		got = tell_chains(r, err);
	if (!got && r->capture.time_at)
		got = features_put_times(r->sink, r->capture.first_time, r->capture.last_time, err);
	count_samples(r);
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
	r->rotate = false;
	recorder_tell(r, "[ perf record: dump data: Woken up %llu times ]\n",
		      (unsigned long long)r->result->wakeups);
	if (recorder_end_file(r, err))
		return -1;
	recorder_tell(r, "[ perf record: Dump %s ]\n", *vec_last(&r->old_files));
	r->capture.first_time = r->capture.last_time = 0;
	return recorder_begin_file(r, false, err);
}
