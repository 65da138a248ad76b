// SPDX-License-Identifier: MIT
#include "made_calls.h"

#include "view/trace/call_dump.h"

#define AND (AT + 0x1000) /* more memory */

static void control_messages(void **state)
{
	const struct {
		uint64_t length;
		int32_t level, type;
		int32_t data[4];
	} rights = {24, 1, 1, {5, 6}}, hostile = {1ull << 40, 1, 1, {0}};
	const uint64_t message[7] = {[4] = AND, [5] = 24}, cut[7] = {[4] = AND, [5] = 600};
	struct made m;

	(void)state;
	make(&m, "sendmsg", ARGS(3, AT, 0), 2);
	add(&m, AT, message, sizeof(message));
	add(&m, AND, &rights, 24);
	expect(&m, "sendmsg(fd: 3, msg: {msg_name=NULL, msg_namelen=0, msg_iov=[], msg_iovlen=0, "
		   "msg_control=[{cmsg_len=24, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, "
		   "cmsg_data=[5, 6]}], msg_controllen=24, msg_flags=0}) = 2");

	/* more than was copied */
	make(&m, "sendmsg", ARGS(3, AT, 0), 2);
	add(&m, AT, cut, sizeof(cut));
	add(&m, AND, &rights, 24);
	expect(&m, "sendmsg(fd: 3, msg: {msg_name=NULL, msg_namelen=0, msg_iov=[], msg_iovlen=0, "
		   "msg_control=[{cmsg_len=24, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, "
		   "cmsg_data=[5, 6]}, ...], msg_controllen=600, msg_flags=0}) = 2");

	/* a length that no message can have */
	make(&m, "sendmsg", ARGS(3, AT, 0), -22);
	add(&m, AT, message, sizeof(message));
	add(&m, AND, &hostile, 24);
	expect(&m, "sendmsg(fd: 3, msg: {msg_name=NULL, msg_namelen=0, msg_iov=[], msg_iovlen=0, "
		   "msg_control=[...], msg_controllen=24, msg_flags=0}) = -1 EINVAL (Invalid "
		   "argument)");
}

static void several_messages(void **state)
{
	const struct {
		uint64_t message[7];
		uint32_t bytes, unused;
	} messages[2] = {{{0}, 7, 0}, {{0}, 5, 0}};
	struct made m;

	(void)state;
	make(&m, "recvmmsg", ARGS(3, AT, 2), 1);
	add(&m, AT, messages, 64);
	expect(&m, "recvmmsg(fd: 3, mmsg: [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[], "
		   "msg_iovlen=0, msg_controllen=0, msg_flags=0}, msg_len=7}], vlen: 2) = 1");
	/* the second was not copied; none was sent */
	make(&m, "sendmmsg", ARGS(3, AT, 2), -9);
	add(&m, AT, messages, 64);
	expect(&m, "sendmmsg(fd: 3, mmsg: [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[], "
		   "msg_iovlen=0, msg_controllen=0, msg_flags=0}}, ...], vlen: 2) = -1 EBADF (Bad "
		   "file descriptor)");
	make(&m, "sendmmsg", ARGS(3, AT, 2), 2);
	expect(&m, "sendmmsg(fd: 3, mmsg: 0x7f0000001000, vlen: 2) = 2");
}

static void locks_and_lists(void **state)
{
	const struct {
		int16_t type, whence;
		int32_t unused;
		int64_t start, length;
		int32_t pid, unused_too;
	} lock = {2, 0, 0, 5, 7, 4321, 0};
	const int16_t operations[2][3] = {{0, -1, 0x1000}, {1, 2, 0x800}};
	const uint32_t groups[2] = {4, 100};
	struct made m;

	(void)state;
	make(&m, "fcntl", ARGS(3, 5, AT), 0);
	add(&m, AT, &lock, sizeof(lock));
	expect(&m, "fcntl(fd: 3, cmd: GETLK, arg: {l_type=UNLCK, l_whence=SET, l_start=5, l_len=7, "
		   "l_pid=4321}) = 0");
	/* what the caller has set, of a call that failed */
	make(&m, "fcntl", ARGS(3, 6, AT), -11);
	add(&m, AT, &lock, sizeof(lock));
	expect(&m,
	       "fcntl(fd: 3, cmd: SETLK, arg: {l_type=UNLCK, l_whence=SET, l_start=5, l_len=7}) "
	       "= -1 EAGAIN (Resource temporarily unavailable)");
	make(&m, "fcntl", ARGS(3, 6, AT), 0);
	expect(&m, "fcntl(fd: 3, cmd: SETLK, arg: 0x7f0000001000) = 0");

	make(&m, "semop", ARGS(1, AT, 2), 0);
	add(&m, AT, operations, sizeof(operations));
	expect(&m, "semop(semid: 1, tsops: [{sem_num=0, sem_op=-1, sem_flg=SEM_UNDO}, {sem_num=1, "
		   "sem_op=2, sem_flg=IPC_NOWAIT}], nsops: 2) = 0");
	/* more than was copied */
	make(&m, "semop", ARGS(1, AT, 500), 0);
	add(&m, AT, operations, sizeof(operations[0]));
	expect(&m, "semop(semid: 1, tsops: [{sem_num=0, sem_op=-1, sem_flg=SEM_UNDO}, ...], nsops: "
		   "500) = 0");

	make(&m, "getgroups", ARGS(64, AT), 2);
	add(&m, AT, groups, sizeof(groups));
	expect(&m, "getgroups(gidsetsize: 64, grouplist: [4, 100]) = 2");
	make(&m, "getgroups", ARGS(64, AT), 3);
	add(&m, AT, groups, sizeof(groups));
	expect(&m, "getgroups(gidsetsize: 64, grouplist: [4, 100, ...]) = 3");
	make(&m, "getgroups", ARGS(64, AT), 0);
	expect(&m, "getgroups(gidsetsize: 64, grouplist: []) = 0");
	/* a recording has no memory */
	make(&m, "getgroups", ARGS(64, AT), 0);
	m.call.copies = false;
	expect(&m, "getgroups(gidsetsize: 64, grouplist: 0x7f0000001000) = 0");
}

static void signals_and_objects(void **state)
{
	const int32_t queued[32] = {10, 0, -1, 0, 12, 1000, 77}, polled[32] = {29, 0, 1, 0, 5};
	const uint64_t mask[2] = {AND, 8}, set = 1 << 9, sets[3] = {1 | 3ull << 32, 4, 0x100};
	const uint32_t head[2] = {0x20080522, 7}, odd[2] = {5, 0};
	const struct {
		int64_t type;
		char text[8];
	} message = {3, "hello"};
	uint32_t owner[30] = {9, 1, 2, 3, 4, 0600};
	struct made m;

	(void)state;
	make(&m, "rt_sigqueueinfo", ARGS(12, 10, AT), 0);
	add(&m, AT, queued, sizeof(queued));
	expect(&m, "rt_sigqueueinfo(pid: 12, sig: USR1, uinfo: {si_signo=SIGUSR1, "
		   "si_code=SI_QUEUE, si_pid=12, si_uid=1000, si_int=77, si_ptr=0x4d}) = 0");
	make(&m, "rt_sigtimedwait", ARGS(AND, AT, 0, 8), 29);
	add(&m, AT, polled, sizeof(polled));
	expect(&m, "rt_sigtimedwait(uthese: 0x7f0000002000, uinfo: {si_signo=SIGIO, si_code=1, "
		   "...}, sigsetsize: 8) = 29");
	make(&m, "pselect6", ARGS(0, 0, 0, 0, 0, AT), 0);
	add(&m, AT, mask, sizeof(mask));
	add(&m, AND, &set, sizeof(set));
	expect(&m, "pselect6(sig: {sigmask=[USR1], sigsetsize=8}) = 0 (Timeout)");
	make(&m, "pselect6", ARGS(0, 0, 0, 0, 0, AT), 0);
	add(&m, AT, mask, sizeof(mask));
	expect(&m, "pselect6(sig: {sigmask=0x7f0000002000, sigsetsize=8}) = 0 (Timeout)");

	/* halves of sets: the upper ones are the last three words */
	make(&m, "capset", ARGS(AT, AND), 0);
	add(&m, AT, head, sizeof(head));
	add(&m, AND, sets, sizeof(sets));
	expect(&m, "capset(header: {version=_LINUX_CAPABILITY_VERSION_3, pid=7}, data: "
		   "{effective=1<<CHOWN, permitted=1<<CHOWN|1<<DAC_OVERRIDE|1<<CHECKPOINT_RESTORE, "
		   "inheritable=1<<DAC_READ_SEARCH}) = 0");
	make(&m, "capget", ARGS(AT, AND), -22);
	add(&m, AT, odd, sizeof(odd));
	expect(&m, "capget(header: {version=0x5, pid=0}, dataptr: 0x7f0000002000) = -1 EINVAL "
		   "(Invalid argument)");

	make(&m, "msgrcv", ARGS(1, AT, 8), 5);
	add(&m, AT, &message, 13);
	expect(&m, "msgrcv(msqid: 1, msgp: {mtype=3, mtext=\"hello\"}, msgsz: 8) = 5");
	/* more than was copied */
	make(&m, "msgsnd", ARGS(1, AT, 500), 0);
	add(&m, AT, &message, 12);
	expect(&m, "msgsnd(msqid: 1, msgp: {mtype=3, mtext=\"hell\"...}, msgsz: 500) = 0");
	/* of a queue that is looked at, what the caller has there means nothing */
	make(&m, "msgctl", ARGS(1, 2, AT), -22);
	add(&m, AT, owner, sizeof(owner));
	expect(&m, "msgctl(msqid: 1, cmd: IPC_STAT, buf: 0x7f0000001000) = -1 EINVAL (Invalid "
		   "argument)");
	make(&m, "shmctl", ARGS(1, 1, AT), 0);
	add(&m, AT, owner, sizeof(owner));
	expect(&m, "shmctl(shmid: 1, cmd: IPC_SET, buf: {shm_perm={uid=1, gid=2, mode=0600}}) = 0");
	make(&m, "semctl", ARGS(1, 0, 16, 3), 0);
	expect(&m, "semctl(semid: 1, cmd: SETVAL, arg: 0x3) = 0");
	make(&m, "prctl", ARGS(22, 2, AT, 0, 0), 0);
	add(&m, AT, (const uint64_t[]){1, 0x2000}, 16);
	expect(&m, "prctl(option: SET_SECCOMP, arg2: 2, arg3: {len=1, filter=0x2000}) = 0");
	m.call.abi = CALL_I386;
	expect(&m, "prctl(option: SET_SECCOMP, arg2: 2, arg3: 0x7f0000001000) = 0");
	make(&m, "prctl", ARGS(22, 1, 70000, 0, 0), 0);
	expect(&m, "prctl(option: SET_SECCOMP, arg2: 1, arg3: 70000) = 0");
	make(&m, "shmctl", ARGS(1, 0, 0), 0);
	expect(&m, "shmctl(shmid: 1, cmd: IPC_RMID) = 0");
	make(&m, "shmctl", ARGS(1, 0x102, 0), -22);
	expect(&m, "shmctl(shmid: 1, cmd: 258) = -1 EINVAL (Invalid argument)");
}

static void arguments_of_ioctl(void **state)
{
	const uint16_t window[4] = {24, 80, 0, 0};
	const uint32_t terminal[9] = {0x100, 5, 0xbf, 0x8a3b};
	const int32_t three = 3;
	struct {
		char name[16];
		int32_t number;
		char rest[20];
	} lo = {"lo", 65536, ""};
	struct made m;

	(void)state;
	make(&m, "ioctl", ARGS(1, 0x5413, AT), 0);
	add(&m, AT, window, sizeof(window));
	expect(&m, "ioctl(fd: 1, cmd: TIOCGWINSZ, arg: {ws_row=24, ws_col=80, ws_xpixel=0, "
		   "ws_ypixel=0}) = 0");
	make(&m, "ioctl", ARGS(1, 0x5401, AT), 0);
	add(&m, AT, terminal, sizeof(terminal));
	expect(&m, "ioctl(fd: 1, cmd: TCGETS, arg: {c_iflag=ICRNL, "
		   "c_oflag=NL0|CR0|TAB0|BS0|VT0|FF0|OPOST|ONLCR, c_cflag=B38400|CS8|CREAD, "
		   "c_lflag=ISIG|ICANON|ECHO|ECHOE|ECHOK|IEXTEN|ECHOCTL|ECHOKE, ...}) = 0");
	/* what the kernel did not fill in is a pointer; what it was asked for stays */
	make(&m, "ioctl", ARGS(1, 0x5401, AT), -25);
	add(&m, AT, terminal, sizeof(terminal));
	expect(&m, "ioctl(fd: 1, cmd: TCGETS, arg: 0x7f0000001000) = -1 ENOTTY (Inappropriate "
		   "ioctl for device)");
	make(&m, "ioctl", ARGS(1, 0x8921, AT), 0);
	add(&m, AT, &lo, sizeof(lo));
	expect(&m, "ioctl(fd: 1, cmd: SIOCGIFMTU, arg: {ifr_name=\"lo\", ifr_mtu=65536}) = 0");
	make(&m, "ioctl", ARGS(1, 0x8921, AT), -19);
	add(&m, AT, &lo, sizeof(lo));
	expect(&m, "ioctl(fd: 1, cmd: SIOCGIFMTU, arg: {ifr_name=\"lo\"}) = -1 ENODEV (No such "
		   "device)");
	make(&m, "ioctl", ARGS(1, 0x541b, AT), 0);
	add(&m, AT, &three, sizeof(three));
	expect(&m, "ioctl(fd: 1, cmd: FIONREAD, arg: [3]) = 0");
	/* too few bytes, and no bytes */
	make(&m, "ioctl", ARGS(1, 0x5413, AT), 0);
	add(&m, AT, window, 6);
	expect(&m, "ioctl(fd: 1, cmd: TIOCGWINSZ, arg: 0x7f0000001000) = 0");
	make(&m, "ioctl", ARGS(1, 0x540b, 2), 0);
	expect(&m, "ioctl(fd: 1, cmd: TCFLSH, arg: IOFLUSH) = 0");
	make(&m, "ioctl", ARGS(1, 0x123456, AT), 0);
	expect(&m, "ioctl(fd: 1, cmd: _IO(0x34, 0x56, 0x12), arg: 0x7f0000001000) = 0");
}

static void event_attributes(void **state)
{
	union {
		uint32_t words[34];
		uint64_t longs[17];
	} attr = {.words = {0, 136}};
	struct made m;

	(void)state;
	attr.longs[1] = 1;
	attr.longs[2] = 4000;
	attr.longs[3] = 7;
	attr.longs[5] = 1 | 1 << 10 | 2 << 15 | 1ull << 37 | 1ull << 60;
	attr.words[12] = 1;
	attr.longs[7] = 0x1f;
	attr.words[23] = (uint32_t)-3;
	attr.longs[16] = 9;
	make(&m, "perf_event_open", ARGS(AT, 0, (uint64_t)-1, (uint64_t)-1, 8), 3);
	add(&m, AT, &attr, sizeof(attr));
	expect(&m, "perf_event_open(attr_uptr: {type=HARDWARE, size=136, config=INSTRUCTIONS, "
		   "sample_freq=4000, sample_type=IP|TID|TIME, read_format=0, disabled=1, freq=1, "
		   "precise_ip=2, sigtrap=1, flags=0x1000000000000000, wakeup_events=1, "
		   "config1=0x1f, clockid=-3, config3=0x9}, cpu: -1, group_fd: -1, flags: "
		   "FD_CLOEXEC) = 3");
	/* of the first version of the structure */
	make(&m, "perf_event_open", ARGS(AT, 0, (uint64_t)-1, (uint64_t)-1, 8), 3);
	attr.words[0] = 9;
	add(&m, AT, &attr, 64);
	expect(&m, "perf_event_open(attr_uptr: {type=9, size=136, config=0x1, sample_freq=4000, "
		   "sample_type=IP|TID|TIME, read_format=0, disabled=1, freq=1, precise_ip=2, "
		   "sigtrap=1, flags=0x1000000000000000, wakeup_events=1, config1=0x1f}, cpu: -1, "
		   "group_fd: -1, flags: FD_CLOEXEC) = 3");
	make(&m, "perf_event_open", ARGS(AT, 0, (uint64_t)-1, (uint64_t)-1, 8), -7);
	add(&m, AT, &attr, 32);
	expect(&m, "perf_event_open(attr_uptr: 0x7f0000001000, cpu: -1, group_fd: -1, flags: "
		   "FD_CLOEXEC) = -1 E2BIG (Argument list too long)");
}

static void younger_calls(void **state)
{
	const uint64_t mount[4] = {1, 2, 1 << 18, 4}, rule[2] = {1, 7}, handled[3] = {3, 1, 2};
	const int32_t files[2] = {4, 5};
	const uint64_t wait[3] = {0, 8, 0x1000};
	struct made m;

	(void)state;
	make(&m, "mount_setattr", ARGS(3, AND, 0x8000, AT, 32), 0);
	add(&m, AND, "/mnt", 5);
	add(&m, AT, mount, sizeof(mount));
	expect(&m, "mount_setattr(dfd: 3, path: \"/mnt\", flags: AT_RECURSIVE, uattr: "
		   "{attr_set=RDONLY, attr_clr=NOSUID, propagation=PRIVATE, userns_fd=4}, usize: "
		   "32) = 0");
	make(&m, "landlock_create_ruleset", ARGS(AT, 24, 0), 3);
	add(&m, AT, handled, sizeof(handled));
	expect(&m, "landlock_create_ruleset(attr: {handled_access_fs=EXECUTE|WRITE_FILE, "
		   "handled_access_net=BIND_TCP, scoped=SIGNAL}, size: 24) = 3");
	make(&m, "landlock_add_rule", ARGS(3, 1, AT, 0), 0);
	add(&m, AT, rule, 12);
	expect(&m, "landlock_add_rule(ruleset_fd: 3, rule_type: PATH_BENEATH, rule_attr: "
		   "{allowed_access=EXECUTE, parent_fd=7}) = 0");
	make(&m, "landlock_add_rule", ARGS(3, 2, AT, 0), 0);
	add(&m, AT, (const uint64_t[]){2, 443}, 12);
	expect(&m, "landlock_add_rule(ruleset_fd: 3, rule_type: NET_PORT, rule_attr: "
		   "{allowed_access=CONNECT_TCP, port=443}) = 0");
	make(&m, "fsconfig", ARGS(3, 1, AT, AND, 0), 0);
	add(&m, AT, "size", 5);
	add(&m, AND, "1M", 3);
	expect(&m, "fsconfig(fd: 3, cmd: SET_STRING, _key: \"size\", _value: \"1M\") = 0");
	make(&m, "io_uring_register", ARGS(3, 2, AT, 2), 0);
	add(&m, AT, files, sizeof(files));
	expect(&m, "io_uring_register(fd: 3, opcode: REGISTER_FILES, arg: [4, 5], nr_args: 2) = 0");
	make(&m, "io_uring_enter", ARGS(3, 0, 0, 9, AT, 24), 0);
	add(&m, AT, wait, sizeof(wait));
	expect(&m, "io_uring_enter(fd: 3, flags: GETEVENTS|EXT_ARG, argp: {sigmask=0, "
		   "sigmask_sz=8, ts=0x1000}, argsz: 24) = 0");
}

static void longs_of_32_bits(void **state)
{
	const int32_t time[2] = {-1, 5}, vector[4] = {0x2000, 3, 0x1000, 4};
	const uint32_t limits[2] = {1000, UINT32_MAX}, pointers[2] = {0x2000, 0};
	const int64_t time64[2] = {7, 8};
	struct made m;

	(void)state;
	make(&m, "nanosleep", ARGS(AT, 0), 0);
	m.call.abi = CALL_I386;
	add(&m, AT, time, sizeof(time));
	expect(&m, "nanosleep(rqtp: {tv_sec=-1, tv_nsec=5}) = 0");
	make(&m, "clock_nanosleep_time64", ARGS(0, 0, AT, 0), 0);
	m.call.abi = CALL_I386;
	add(&m, AT, time64, sizeof(time64));
	expect(&m,
	       "clock_nanosleep_time64(which_clock: REALTIME, rqtp: {tv_sec=7, tv_nsec=8}) = 0");
	make(&m, "writev", ARGS(1, AT, 2), 7);
	m.call.abi = CALL_I386;
	add(&m, AT, vector, sizeof(vector));
	add(&m, 0x2000, "one", 3);
	expect(&m, "writev(fd: 1, vec: [{iov_base=\"one\", iov_len=3}, {iov_base=0x1000, "
		   "iov_len=4}], vlen: 2) = 7");
	make(&m, "setrlimit", ARGS(7, AT), 0);
	m.call.abi = CALL_I386;
	add(&m, AT, limits, sizeof(limits));
	expect(&m, "setrlimit(resource: NOFILE, rlim: {rlim_cur=1000, rlim_max=RLIM64_INFINITY}) = "
		   "0");
	make(&m, "execve", ARGS(0, AT, 0), 0);
	m.call.abi = CALL_I386;
	add(&m, AT, pointers, 4);
	add(&m, AT + 4, pointers + 1, 4);
	add(&m, 0x2000, "ls", 3);
	expect(&m, "execve(argv: [\"ls\"]) = 0");
	/* a structure that is not made of longs alone */
	make(&m, "fstat", ARGS(3, AT), 0);
	m.call.abi = CALL_I386;
	add(&m, AT, time, sizeof(time));
	expect(&m, "fstat(fd: 3, statbuf: 0x7f0000001000) = 0");
}

static void a_dump_says_which_message(void **state)
{
	struct trace_record part = {.what = TRACE_DATA, .args = {[3] = 1, [4] = 2, [5] = 3}};
	AUTO_BUF out = {0};

	(void)state;
	call_dump_show(&part, &out);
	assert_string_equal(buf_text(&out), " = 3 buffers in vector 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals_and_objects),
		cmocka_unit_test(control_messages),
		cmocka_unit_test(several_messages),
		cmocka_unit_test(locks_and_lists),
		cmocka_unit_test(arguments_of_ioctl),
		cmocka_unit_test(event_attributes),
		cmocka_unit_test(younger_calls),
		cmocka_unit_test(longs_of_32_bits),
		cmocka_unit_test(a_dump_says_which_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
