// SPDX-License-Identifier: MIT
#include "analysis/timechart/timechart_io.h"

#define NAME(name, kind) #name,
const char *const timechart_calls[] = {TIMECHART_CALLS(NAME) NULL};
#undef NAME

const struct replay_field timechart_enter_fields[] = {
	{"fd", REPLAY_S64, offsetof(struct timechart_enter_args, fd), .optional = true},
	{0},
};
const struct replay_field timechart_exit_fields[] = {
	{"ret", REPLAY_S64, offsetof(struct timechart_exit_args, ret)},
	{0},
};

/* The task's current comm; one without a name is made where it has none. */
static struct timechart_comm *io_comm(struct timechart *t, uint32_t tid)
{
	struct timechart_task *task = timechart_task_of(t, tid);

	if (task->current == HASH_NONE) {
		task->current = (uint32_t)t->comms.n;
		vec_add(&task->comms, task->current);
		vec_add(&t->comms, (struct timechart_comm){.name = intern_str(&t->names, "")});
	}
	return &t->comms.at[task->current];
}

static int io_begin(struct replay *rp, const struct record *r, const void *v,
		    enum timechart_io_kind kind)
{
	struct timechart *t = rp->ctx;
	const struct timechart_enter_args *args = v;
	struct timechart_comm *comm = io_comm(t, r->sample.tid);
	const uint64_t now = r->sample.time;

	timechart_note_time(t, r);
	if (comm->ios.n && vec_last(&comm->ios)->start && !vec_last(&comm->ios)->end) {
		/* the end of the call before was lost */
		comm->ios.n--;
		return REPLAY_GO;
	}
	vec_add(&comm->ios, (struct timechart_io){.start = now, .kind = kind, .fd = (int)args->fd});
	if (!comm->start || comm->start > now)
		comm->start = now;
	return REPLAY_GO;
}

/* Joins a call with the one before when they are alike and near to each other. */
static void io_merge(struct timechart *t, struct timechart_comm *comm)
{
	struct timechart_io *io = vec_last(&comm->ios), *prev = io - 1;

	if (prev->kind != io->kind || prev->error != io->error || prev->fd != io->fd ||
	    prev->end + t->opts->io_merge_dist < io->start)
		return;
	prev->bytes += io->bytes;
	prev->merges += io->merges + 1;
	prev->end = io->end;
	comm->ios.n--;
	if (!prev->error)
		comm->max_bytes = MAX(comm->max_bytes, prev->bytes);
}

static int io_end(struct replay *rp, const struct record *r, const void *v,
		  enum timechart_io_kind kind)
{
	struct timechart *t = rp->ctx;
	const struct timechart_exit_args *args = v;
	struct timechart_comm *comm = io_comm(t, r->sample.tid);
	struct timechart_io *io = comm->ios.n ? vec_last(&comm->ios) : NULL;
	struct timechart_io *prev = comm->ios.n > 1 ? io - 1 : NULL;

	timechart_note_time(t, r);
	if (!io || io->end || io->kind != kind)
		return REPLAY_GO;
	io->end = r->sample.time;
	/* short calls are drawn longer, but do not overlap */
	if (io->end - io->start < t->opts->io_min_time)
		io->end = io->start + t->opts->io_min_time;
	if (prev && io->start < prev->end) {
		if (prev->error)
			io->start = prev->end;
		else
			prev->end = io->start;
	}
	if (args->ret < 0) {
		io->error = (int)args->ret;
	} else if (kind != TIMECHART_SYNC && kind != TIMECHART_POLL) {
		io->bytes = (uint64_t)args->ret;
		comm->max_bytes = MAX(comm->max_bytes, io->bytes);
		comm->bytes += io->bytes;
	}
	if (prev)
		io_merge(t, comm);
	t->io_events++;
	return REPLAY_GO;
}

#define TAKE(name, kind)                                                                           \
	int timechart_begin_##name(struct replay *rp, const struct record *r, const void *v)       \
	{                                                                                          \
		return io_begin(rp, r, v, kind);                                                   \
	}                                                                                          \
	int timechart_end_##name(struct replay *rp, const struct record *r, const void *v)         \
	{                                                                                          \
		return io_end(rp, r, v, kind);                                                     \
	}
TAKE(read, TIMECHART_READ)
TAKE(write, TIMECHART_WRITE)
TAKE(sync, TIMECHART_SYNC)
TAKE(receive, TIMECHART_RECEIVE)
TAKE(send, TIMECHART_SEND)
TAKE(poll, TIMECHART_POLL)
