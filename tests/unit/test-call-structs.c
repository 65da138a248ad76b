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
		cmocka_unit_test(control_messages),
		cmocka_unit_test(several_messages),
		cmocka_unit_test(arguments_of_ioctl),
		cmocka_unit_test(event_attributes),
		cmocka_unit_test(younger_calls),
		cmocka_unit_test(longs_of_32_bits),
		cmocka_unit_test(a_dump_says_which_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
