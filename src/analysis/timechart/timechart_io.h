/* SPDX-License-Identifier: MIT */
/* Private to the folder: system calls of input and output in a time chart. */
#ifndef ANALYSIS_TIMECHART_IO_H
#define ANALYSIS_TIMECHART_IO_H

#include "analysis/timechart/timechart.h"
#include "world/replay/replay.h"

struct timechart_task *timechart_task_of(struct timechart *t, uint32_t tid);
void timechart_note_time(struct timechart *t, const struct record *r);

struct timechart_enter_args {
	int64_t fd;
};
struct timechart_exit_args {
	int64_t ret;
};
extern const struct replay_field timechart_enter_fields[], timechart_exit_fields[];

/* The calls that are drawn, and the kind of each. */
#define TIMECHART_CALLS(CALL)                                                                      \
	CALL(read, read)                                                                           \
	CALL(pread64, read)                                                                        \
	CALL(readv, read)                                                                          \
	CALL(preadv, read)                                                                         \
	CALL(write, write)                                                                         \
	CALL(pwrite64, write)                                                                      \
	CALL(writev, write)                                                                        \
	CALL(pwritev, write)                                                                       \
	CALL(sync, sync)                                                                           \
	CALL(sync_file_range, sync)                                                                \
	CALL(fsync, sync)                                                                          \
	CALL(msync, sync)                                                                          \
	CALL(recvfrom, receive)                                                                    \
	CALL(recvmmsg, receive)                                                                    \
	CALL(recvmsg, receive)                                                                     \
	CALL(sendto, send)                                                                         \
	CALL(sendmsg, send)                                                                        \
	CALL(sendmmsg, send)                                                                       \
	CALL(epoll_pwait, poll)                                                                    \
	CALL(epoll_wait, poll)                                                                     \
	CALL(poll, poll)                                                                           \
	CALL(ppoll, poll)                                                                          \
	CALL(pselect6, poll)                                                                       \
	CALL(select, poll)

/* A function for the beginning and the end of each kind of call. */
#define TIMECHART_TAKE(kind)                                                                       \
	int timechart_begin_##kind(struct replay *rp, const struct record *r, const void *v);      \
	int timechart_end_##kind(struct replay *rp, const struct record *r, const void *v)
TIMECHART_TAKE(read);
TIMECHART_TAKE(write);
TIMECHART_TAKE(sync);
TIMECHART_TAKE(receive);
TIMECHART_TAKE(send);
TIMECHART_TAKE(poll);
#undef TIMECHART_TAKE

#endif
