// SPDX-License-Identifier: MIT
#include "profile/table/key/wait_reason.h"

#include <string.h>

static const char disk[] = "disk", page_fault[] = "page fault", kernel_lock[] = "kernel lock",
		  futex[] = "futex", parked[] = "parked";

/*
 * Functions in which threads wait, by the beginnings of their names. Those of the kernel come first
 * in a stack; those of libc decide where the kernel's part was not recorded. The names are from the
 * kernel: Linux 4.19 to 6.18; and from libc: glibc 2.28 to 2.41 and musl 1.2.
 */
static const struct wait_function {
	const char *begin, *reason;
} in_kernel[] = {
	{"futex_wait", futex},
	{"futex_lock_pi", futex},
	{"rt_mutex_", kernel_lock},
	{"__rt_mutex_", kernel_lock},
	{"rwsem_", kernel_lock},
	{"__down_read", kernel_lock},
	{"__down_write", kernel_lock},
	{"__mutex_lock", kernel_lock},
	{"mutex_lock", kernel_lock},
	{"__down", kernel_lock},
	{"percpu_rwsem_wait", kernel_lock},
	{"do_sys_poll", "poll"},
	{"do_select", "poll"},
	{"do_epoll_wait", "poll"},
	{"ep_poll", "poll"},
	{"io_cqring_wait", "io_uring"},
	{"io_wq_worker", "io_uring"},
	{"read_events", "disk"},
	{"do_nanosleep", "sleep"},
	{"hrtimer_nanosleep", "sleep"},
	{"do_sigtimedwait", "signal"},
	{"sigsuspend", "signal"},
	{"__do_sys_pause", "signal"},
	{"__x64_sys_pause", "signal"},
	{"do_signal_stop", "stopped"},
	{"ptrace_stop", "stopped"},
	{"do_jobctl_trap", "stopped"},
	{"do_wait", "child"},
	{"kernel_wait4", "child"},
	{"wait_for_vfork_done", "child"},
	{"pipe_read", "pipe"},
	{"pipe_write", "pipe"},
	{"anon_pipe_read", "pipe"},
	{"anon_pipe_write", "pipe"},
	{"pipe_wait", "pipe"},
	{"wait_for_partner", "pipe"},
	{"fifo_open", "pipe"},
	{"eventfd_read", "eventfd"},
	{"eventfd_write", "eventfd"},
	{"timerfd_read", "timer"},
	{"signalfd_", "signal"},
	{"inotify_read", "poll"},
	{"unix_stream_", "socket"},
	{"unix_dgram_", "socket"},
	{"unix_wait_for_peer", "socket"},
	{"__skb_wait_for_more_packets", "socket"},
	{"sk_stream_wait_", "socket"},
	{"sk_wait_data", "socket"},
	{"sock_alloc_send_pskb", "socket"},
	{"inet_csk_accept", "socket"},
	{"inet_stream_connect", "socket"},
	{"inet_wait_for_connect", "socket"},
	{"tcp_", "socket"},
	{"__tcp_", "socket"},
	{"udp_", "socket"},
	{"vsock_", "socket"},
	{"sock_recvmsg", "socket"},
	{"sock_sendmsg", "socket"},
	{"n_tty_", "terminal"},
	{"tty_", "terminal"},
	{"do_msgrcv", "message queue"},
	{"do_msgsnd", "message queue"},
	{"wq_sleep", "message queue"},
	{"do_semtimedop", "semaphore"},
	{"__do_semtimedop", "semaphore"},
	{"io_schedule", disk},
	{"folio_wait_", disk},
	{"wait_on_page_bit", disk},
	{"blk_", disk},
	{"submit_bio_wait", disk},
	{"jbd2_log_wait_commit", disk},
	{"balance_dirty_pages", disk},
	{"fcntl_setlk", "file lock"},
	{"locks_lock_inode_wait", "file lock"},
	{"flock_lock_inode_wait", "file lock"},
	{"throttle_cfs_rq", "cgroup"},
	{"mem_cgroup_handle_over_high", "cgroup"},
	{"handle_userfault", page_fault},
	{"handle_mm_fault", page_fault},
	{"do_user_addr_fault", page_fault},
	{"exc_page_fault", page_fault},
	{"do_page_fault", page_fault},
	{"do_mem_abort", page_fault},
	{"synchronize_rcu", "rcu"},
	{"__wait_rcu_gp", "rcu"},
	{"synchronize_sched", "rcu"},
	{"worker_thread", "idle"},
	{"kthreadd", "idle"},
	{"smpboot_thread_fn", "idle"},
	{"rcu_gp_kthread", "idle"},
	{"rcu_gp_fqs_loop", "idle"},
	{"kswapd", "idle"},
	{"kcompactd", "idle"},
	{NULL}},
  in_user_space[] = {
	/* Threads that a runtime has no work for: OpenJDK 8 to 23, Go 1.14 to 1.23, Rust's library,
	 * Tokio 1. */
	{"Unsafe_Park", parked},
	{"runtime.mPark", parked},
	{"runtime.stopm", parked},
	{"std::thread::park", parked},
	{"std::sys::sync::thread_parking", parked},
	{"std::sys_common::thread_parking", parked},
	{"tokio::runtime::park::", parked},
	{"tokio::runtime::scheduler::multi_thread::park::", parked},
	{"__futex_abstimed_wait", futex},
	{"futex_wait", futex},
	{"__lll_lock_wait", futex},
	{"pthread_mutex_lock", futex},
	{"__pthread_mutex_lock", futex},
	{"pthread_cond_", futex},
	{"__pthread_cond_", futex},
	{"pthread_barrier_wait", futex},
	{"__pthread_barrier_wait", futex},
	{"pthread_join", futex},
	{"__pthread_join", futex},
	{"__pthread_clockjoin", futex},
	{"sem_wait", futex},
	{"__new_sem_wait", futex},
	{"epoll_", "poll"},
	{"__poll", "poll"},
	{"poll", "poll"},
	{"ppoll", "poll"},
	{"select", "poll"},
	{"__select", "poll"},
	{"pselect", "poll"},
	{"clock_nanosleep", "sleep"},
	{"__clock_nanosleep", "sleep"},
	{"nanosleep", "sleep"},
	{"__nanosleep", "sleep"},
	{"recv", "socket"},
	{"__libc_recv", "socket"},
	{"send", "socket"},
	{"__libc_send", "socket"},
	{"accept", "socket"},
	{"__libc_accept", "socket"},
	{"connect", "socket"},
	{"__libc_connect", "socket"},
	{"waitpid", "child"},
	{"__waitpid", "child"},
	{"wait4", "child"},
	{"__wait4", "child"},
	{"sigsuspend", "signal"},
	{"__sigsuspend", "signal"},
	{"pause", "signal"},
	{"__libc_pause", "signal"},
	{"fsync", disk},
	{"fdatasync", disk},
	{NULL}};

static const char *function_reason(bool in_the_kernel, const char *name)
{
	const struct wait_function *f = in_the_kernel ? in_kernel : in_user_space;

	if (!name)
		return NULL;
	for (; f->begin; f++)
		if (!strncmp(name, f->begin, strlen(f->begin)))
			return f->reason;
	return NULL;
}

bool wait_reason_next(const char **found, bool in_the_kernel, const char *name)
{
	const char *reason = function_reason(in_the_kernel, name);

	if (!*found)
		*found = reason;
	else if ((reason == page_fault && *found == disk) || (reason == parked && *found == futex))
		*found = reason;
	return !*found || *found == disk || *found == futex;
}

/* System calls, where the function in which a thread waits says nothing: it is one for many uses,
 * as schedule_timeout() and wait_woken() are. By the beginnings of their names. */
static const struct wait_function calls[] = {{"futex", futex},
					     {"poll", "poll"},
					     {"ppoll", "poll"},
					     {"select", "poll"},
					     {"pselect6", "poll"},
					     {"epoll_", "poll"},
					     {"nanosleep", "sleep"},
					     {"clock_nanosleep", "sleep"},
					     {"wait4", "child"},
					     {"waitid", "child"},
					     {"vfork", "child"},
					     {"pause", "signal"},
					     {"rt_sigsuspend", "signal"},
					     {"rt_sigtimedwait", "signal"},
					     {"recv", "socket"},
					     {"send", "socket"},
					     {"accept", "socket"},
					     {"connect", "socket"},
					     {"fsync", disk},
					     {"fdatasync", disk},
					     {"sync", disk},
					     {"io_uring_", "io_uring"},
					     {"flock", "file lock"},
					     {"msgrcv", "message queue"},
					     {"msgsnd", "message queue"},
					     {"semop", "semaphore"},
					     {"semtimedop", "semaphore"},
					     {NULL}};

uint32_t wait_reason_recorded(const char *function, const char *call)
{
	const char *word = *function ? function_reason(true, function) : NULL;

	for (const struct wait_function *f = calls; !word && *call && f->begin; f++)
		if (!strncmp(call, f->begin, strlen(f->begin)))
			word = f->reason;
	for (uint32_t i = 0; word && in_kernel[i].begin; i++)
		if (!strcmp(in_kernel[i].reason, word))
			return i + 1;
	return 0;
}

static const char *chain_reason(const struct frames *frames, uint32_t chain)
{
	const struct chain_set *set = &frames->chains;
	const uint32_t n = chain == HASH_NONE ? 0 : chain_set_length(set, chain);
	const char *found = NULL;

	for (uint32_t i = 0; i < n; i++) {
		const struct frame *frame = frames_at(frames, chain_set_frame(set, chain, i));

		if (!wait_reason_next(&found, frame->level == 'k', frame->where->name))
			break;
	}
	return found;
}

/* Linux 6.18 stops a task whose control group has used up its time on the way back to user space,
 * in a work of the task (kernel/sched/fair.c: throttle_cfs_rq_work). Older kernels do so
 * anywhere. */
static const char *const throttled_frames[WAIT_THROTTLED_FRAMES] = {"__schedule", "__cond_resched",
								    "task_work_run"};
static const char throttled[] = "throttled", preempted[] = "preempted";

const char *wait_reason_word(uint32_t recorded)
{
	if (recorded == WAIT_RECORDED_PREEMPTED)
		return preempted;
	if (recorded == WAIT_RECORDED_THROTTLED)
		return throttled;
	return recorded ? in_kernel[recorded - 1].reason : NULL;
}

bool wait_frame_throttled(uint32_t i, const char *name)
{
	return i < WAIT_THROTTLED_FRAMES && name && !strcmp(name, throttled_frames[i]);
}

const char *wait_reason_throttled(void)
{
	return throttled;
}

static bool chain_is_throttled(const struct frames *frames, uint32_t chain)
{
	const struct chain_set *set = &frames->chains;
	const uint32_t n = chain == HASH_NONE ? 0 : chain_set_length(set, chain);

	if (n < WAIT_THROTTLED_FRAMES)
		return false;
	for (uint32_t i = 0; i < WAIT_THROTTLED_FRAMES; i++) {
		const struct frame *frame = frames_at(frames, chain_set_frame(set, chain, i));

		if (frame->level != 'k' || !wait_frame_throttled(i, frame->where->name))
			return false;
	}
	return true;
}

const char *wait_state_reason(enum wall_state state, const char *by_stack)
{
	switch (state) {
	case WALL_PREEMPTED:
		return by_stack == throttled ? throttled : preempted;
	case WALL_WOKEN:
		return "woken";
	case WALL_NEW:
		return "new";
	case WALL_STOPPED:
		return "stopped";
	default:
		return by_stack ? by_stack : "-";
	}
}

const char *wait_reason(const struct frames *frames, uint32_t chain, enum wall_state state,
			uint8_t cpumode, uint32_t recorded)
{
	const char *found = NULL;

	if (recorded)
		found = wait_reason_word(recorded);
	else if (state == WALL_ON_CPU)
		found = cpumode == MISC_USER ? "user" : cpumode == MISC_KERNEL ? "kernel" : NULL;
	else if (state == WALL_BLOCKED || state == WALL_OFF_CPU)
		found = chain_reason(frames, chain);
	else if (state == WALL_PREEMPTED && chain_is_throttled(frames, chain))
		found = throttled;
	return wait_state_reason(state, found);
}

void wait_text(const struct frames *frames, uint32_t chain, enum wall_state state, uint8_t cpumode,
	       uint32_t recorded, struct buf *out)
{
	const char *reason = wait_reason(frames, chain, state, cpumode, recorded);
	const bool known = strcmp(reason, "-") != 0;

	buf_printf(out, "[%s%s%s]", wall_state_name(state), known ? ": " : "",
		   known ? reason : "");
}
