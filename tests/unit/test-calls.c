// SPDX-License-Identifier: MIT
#include "made_calls.h"

#include "analysis/calls/pair.h"
#include "analysis/calls/sums.h"
#include "base/mem.h"
#include "capture/calls/early_call.h"
#include "os/bpf/state/trace_record.h"
#include "view/trace/call_dump.h"
#include "view/trace/call_line.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_table_has_numbers_and_arguments(void **state)
{
	static const struct {
		enum call_abi abi;
		int number;
		const char *name;
	} known[] = {
		{CALL_X86_64, 0, "read"},
		{CALL_X86_64, 257, "openat"},
		{CALL_X86_64, 5, "fstat"},
		{CALL_X86_64, 451, "cachestat"},
		{CALL_X86_64, 462, "mseal"},
		{CALL_X86_64, 469, "file_setattr"},
		{CALL_I386, 3, "read"},
		{CALL_I386, 5, "open"},
		{CALL_I386, 102, "socketcall"},
		{CALL_I386, 192, "mmap2"},
		{CALL_I386, 403, "clock_gettime64"},
		{CALL_X32, 0, "read"},
		{CALL_X32, 520, "execve"},
		{CALL_GENERIC, 56, "openat"},
		{CALL_GENERIC, 63, "read"},
		{CALL_GENERIC, 221, "execve"},
		{CALL_GENERIC, 80, "fstat"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct call_desc *c = call_find(known[i].abi, known[i].number);

		assert_non_null(c);
		assert_string_equal(c->name, known[i].name);
	}
	assert_null(call_find(CALL_X86_64, 1000));
	assert_null(call_find(CALL_X86_64, -1));
	assert_null(call_find(CALL_X86_64, 1 << 20));
	assert_int_equal(call_find_name("newfstat")->numbers[CALL_X86_64], 5);
	assert_string_equal(call_error_name(2), "ENOENT");
	assert_null(call_error_name(4000));
}

static void groups_are_those_of_strace(void **state)
{
	static const struct {
		const char *call, *in, *not ;
	} known[] = {
		{"openat", "file", "network"},	   {"openat", "%desc", "memory"},
		{"read", "desc", "file"},	   {"connect", "network", "file"},
		{"mmap", "memory", "process"},	   {"kill", "process", "file"},
		{"rt_sigaction", "signal", "ipc"}, {"shmat", "ipc", "file"},
		{"getcwd", "file", "desc"},	   {"clone", "process", "desc"},
		{"getpid", "pure", "file"},	   {"rename", "%file", "desc"},
		{"send", "network", "file"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct call_desc *c = call_find_name(known[i].call);

		if (!c)
			continue;
		assert_true(call_in_class(c, known[i].in));
		assert_false(call_in_class(c, known[i].not ));
	}
	assert_true(call_class_exists("%network"));
	assert_false(call_class_exists("nothing"));
}

static void strings_are_written_as_in_c(void **state)
{
	struct made m;

	(void)state;
	make(&m, "openat", ARGS((uint64_t)-100, AT, 02000000), 3);
	add(&m, AT, "/etc/\"a\"\n", 10);
	expect(&m, "openat(dfd: CWD, filename: \"/etc/\\\"a\\\"\\n\", flags: RDONLY|CLOEXEC) = 3");

	/* a path that is also a word of exec was copied twice, and cut the second time */
	make(&m, "openat", ARGS((uint64_t)-100, AT, 02000000), 3);
	add(&m, AT, "/etc/passwd", 12);
	add(&m, AT, "/etc", 5);
	expect(&m, "openat(dfd: CWD, filename: \"/etc/passwd\", flags: RDONLY|CLOEXEC) = 3");

	make(&m, "write", ARGS(1, AT, 4), 4);
	add(&m, AT, "\0011\377x", 4);
	expect(&m, "write(fd: 1, buf: \"\\0011\\377x\", count: 4) = 4");

	/* 8 and 9 are no octal digits */
	make(&m, "write", ARGS(1, AT, 4), 4);
	add(&m, AT, "\0018\0009", 4);
	expect(&m, "write(fd: 1, buf: \"\\18\\09\", count: 4) = 4");

	make(&m, "write", ARGS(1, AT, 100), 100);
	add(&m, AT, "0123456789012345678901234567890123456789", 40);
	expect(&m, "write(fd: 1, buf: \"01234567890123456789012345678901\"..., count: 100) = 100");

	/* read: as many as came, not as were asked for */
	make(&m, "read", ARGS(3, AT, 100), 2);
	add(&m, AT, "ab", 2);
	expect(&m, "read(fd: 3, buf: \"ab\", count: 100) = 2");
	make(&m, "read", ARGS(3, AT, 100), 0);
	expect(&m, "read(fd: 3, buf: \"\", count: 100) = 0");
	make(&m, "read", ARGS(3, AT, 100), -9);
	expect(&m, "read(fd: 3, buf: 0x7f0000001000, count: 100) = -1 EBADF (Bad file descriptor)");
}

static void what_was_not_copied_is_a_pointer(void **state)
{
	struct made m;

	(void)state;
	make(&m, "openat", ARGS((uint64_t)-100, AT, 0101, 0644), -2);
	m.call.copies = false;
	expect(&m, "openat(dfd: CWD, filename: 0x7f0000001000, flags: CREAT|WRONLY, mode: "
		   "IRUGO|IWUSR) = -1 ENOENT (No such file or "
		   "directory)");
	make(&m, "nanosleep", ARGS(AT, AT + 64), 0);
	expect(&m, "nanosleep(rqtp: 0x7f0000001000, rmtp: 0x7f0000001040) = 0");
}

static void vectors_and_words_are_followed(void **state)
{
	uint64_t vector[4] = {AT + 256, 3, AT + 512, 2}, words[3] = {AT + 256, AT + 512, 0};
	struct made m;

	(void)state;
	make(&m, "writev", ARGS(1, AT, 2), 5);
	add(&m, AT, vector, sizeof(vector));
	add(&m, AT + 256, "abc", 3);
	add(&m, AT + 512, "de", 2);
	expect(&m, "writev(fd: 1, vec: [{iov_base=\"abc\", iov_len=3}, {iov_base=\"de\", "
		   "iov_len=2}], vlen: 2) = 5");

	/* of what is read, no more than came */
	make(&m, "readv", ARGS(1, AT, 2), 4);
	add(&m, AT, vector, sizeof(vector));
	add(&m, AT + 256, "abc", 3);
	add(&m, AT + 512, "d", 1);
	expect(&m, "readv(fd: 1, vec: [{iov_base=\"abc\", iov_len=3}, {iov_base=\"d\", "
		   "iov_len=2}], vlen: 2) = 4");

	make(&m, "execve", ARGS(AT + 256, AT, 0x1000), 0);
	add(&m, AT, words, 8);
	add(&m, AT + 8, words + 1, 8);
	add(&m, AT + 16, words + 2, 8);
	add(&m, AT + 256, "ls", 3);
	add(&m, AT + 512, "-l", 3);
	expect(&m, "execve(filename: \"ls\", argv: [\"ls\", \"-l\"], envp: 0x1000) = 0");
}

static void addresses_of_sockets(void **state)
{
	struct sockaddr_in in = {
		.sin_family = AF_INET, .sin_port = htons(53), .sin_addr.s_addr = htonl(0x7f000001)};
	uint32_t length = sizeof(in);
	struct made m;

	(void)state;
	make(&m, "connect", ARGS(3, AT, sizeof(in)), -115);
	add(&m, AT, &in, sizeof(in));
	expect(&m, "connect(fd: 3, uservaddr: {sa_family=AF_INET, sin_port=htons(53), "
		   "sin_addr=inet_addr(\"127.0.0.1\")}, "
		   "addrlen: 16) = -1 EINPROGRESS (Operation now in progress)");
	make(&m, "accept4", ARGS(3, AT, AT + 64, 02004000), 4);
	add(&m, AT + 64, &length, 4);
	add(&m, AT, &in, sizeof(in));
	expect(&m, "accept4(fd: 3, upeer_sockaddr: {sa_family=AF_INET, sin_port=htons(53), "
		   "sin_addr=inet_addr(\"127.0.0.1\")}, "
		   "upeer_addrlen: [16], flags: CLOEXEC|NONBLOCK) = 4");
	make(&m, "bind", ARGS(3, AT, 7), 0);
	add(&m, AT, "\1\0/sock", 8);
	expect(&m, "bind(fd: 3, umyaddr: {sa_family=AF_UNIX, sun_path=\"/sock\"}, addrlen: 7) = 0");
}

static void structures(void **state)
{
	int64_t time[2] = {1, 500};
	uint64_t limits[2] = {8192 * 1024, UINT64_MAX}, set = 1 << 1 | 1 << 14,
		 action[4] = {1, 0x10000000, 0, 1 << 1};
	uint16_t polls[4] = {3, 0, 1, 1}; /* fd (two halves), events, revents */
	int status = 3 << 8, pair[2] = {3, 4};
	struct made m;

	(void)state;
	make(&m, "nanosleep", ARGS(AT), 0);
	add(&m, AT, time, sizeof(time));
	expect(&m, "nanosleep(rqtp: {tv_sec=1, tv_nsec=500}) = 0");
	make(&m, "prlimit64", ARGS(0, 3, 0, AT), 0);
	add(&m, AT, limits, sizeof(limits));
	expect(&m, "prlimit64(resource: STACK, old_rlim: {rlim_cur=8192*1024, "
		   "rlim_max=RLIM64_INFINITY}) = 0");
	make(&m, "rt_sigprocmask", ARGS(0, AT, 0, 8), 0);
	add(&m, AT, &set, 8);
	expect(&m, "rt_sigprocmask(how: BLOCK, nset: [INT TERM], sigsetsize: 8) = 0");
	make(&m, "rt_sigaction", ARGS(17, AT, 0, 8), 0);
	add(&m, AT, action, sizeof(action));
	expect(&m, "rt_sigaction(sig: CHLD, act: {sa_handler=SIG_IGN, sa_mask=[INT], "
		   "sa_flags=RESTART}, sigsetsize: 8) = 0");
	make(&m, "poll", ARGS(AT, 1, 100), 1);
	add(&m, AT, polls, sizeof(polls));
	expect(&m, "poll(ufds: [{fd=3, events=IN, revents=IN}], nfds: 1, timeout_msecs: 100) = 1");
	make(&m, "wait4", ARGS((uint64_t)-1, AT, 1), 12);
	add(&m, AT, &status, 4);
	expect(&m, "wait4(upid: -1, stat_addr: [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], options: "
		   "NOHANG) = 12");
	make(&m, "pipe2", ARGS(AT, 02000000), 0);
	add(&m, AT, pair, sizeof(pair));
	expect(&m, "pipe2(fildes: [3, 4], flags: CLOEXEC) = 0");
	make(&m, "futex", ARGS(AT, 128 | 9, 1, 0, 0, 0xffffffff), -110);
	expect(&m, "futex(uaddr: 0x7f0000001000, op: WAIT_BITSET|PRIVATE_FLAG, val: 1, val3: "
		   "MATCH_ANY) = -1 ETIMEDOUT (Connection "
		   "timed out)");
}

static void reports_of_the_kernel(void **state)
{
	uint64_t fs[15] = {0xef53, 4096, 100, 50, 40, 20, 10, 0, 255, 4096, 0x1020},
		 info[14] = {60, 1, 2, 3, 4096, 1024, 0, 0, 0, 0, 7, 0, 0, 1};
	int64_t usage[18] = {1, 20, 3, 40, 5};
	int32_t exited[32] = {17, 0, 1, 0, 12, 1000, 3}, killed[32] = {17, 0, 2, 0, 12, 0, 9},
		none[32] = {0};
	struct made m;

	(void)state;
	make(&m, "fstatfs", ARGS(3, AT), 0);
	add(&m, AT, fs, sizeof(fs));
	expect(&m, "fstatfs(fd: 3, buf: {f_type=EXT2_SUPER_MAGIC, f_bsize=4096, f_blocks=100, "
		   "f_bfree=50, f_bavail=40, f_files=20, f_ffree=10, f_fsid={val=[0, 0]}, "
		   "f_namelen=255, f_frsize=4096, f_flags=VALID|RELATIME}) = 0");
	make(&m, "sysinfo", ARGS(AT), 0);
	add(&m, AT, info, sizeof(info));
	expect(&m, "sysinfo(info: {uptime=60, loads=[1, 2, 3], totalram=4096, freeram=1024, "
		   "sharedram=0, bufferram=0, totalswap=0, freeswap=0, procs=7, totalhigh=0, "
		   "freehigh=0, mem_unit=1}) = 0");
	make(&m, "getrusage", ARGS(0, AT), 0);
	add(&m, AT, usage, sizeof(usage));
	expect(&m, "getrusage(ru: {ru_utime={tv_sec=1, tv_usec=20}, ru_stime={tv_sec=3, "
		   "tv_usec=40}, ...}) = 0");
	make(&m, "waitid", ARGS(0, 0, AT, 4), 0);
	add(&m, AT, exited, sizeof(exited));
	expect(&m, "waitid(infop: {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=12, "
		   "si_uid=1000, si_status=3}, options: EXITED) = 0");
	make(&m, "waitid", ARGS(0, 0, AT, 4), 0);
	add(&m, AT, killed, sizeof(killed));
	expect(&m, "waitid(infop: {si_signo=SIGCHLD, si_code=CLD_KILLED, si_pid=12, "
		   "si_uid=0, si_status=SIGKILL}, options: EXITED) = 0");
	make(&m, "waitid", ARGS(0, 0, AT, 5), 0);
	add(&m, AT, none, sizeof(none));
	expect(&m, "waitid(infop: {}, options: NOHANG|EXITED) = 0");
}

static void entries_of_folders(void **state)
{
	uint8_t entries[72] = {0};
	struct made m;

	(void)state;
	entries[16] = entries[40] = entries[64] = 24;
	memcpy(entries + 19, ".", 1);
	memcpy(entries + 43, "a\nb", 3);
	for (unsigned int cut = 0; cut < 2; cut++) {
		make(&m, "getdents64", ARGS(3, AT, 4096), 72);
		add(&m, AT, entries, cut ? 71 : 48);
		expect(&m, "getdents64(fd: 3, dirent: [\".\", \"a\\nb\", ...], count: 4096) = 72");
	}
	entries[40] = 0; /* as no kernel writes it */
	make(&m, "getdents64", ARGS(3, AT, 4096), 72);
	add(&m, AT, entries, 72);
	expect(&m, "getdents64(fd: 3, dirent: [\".\", ...], count: 4096) = 72");
	make(&m, "getdents64", ARGS(3, AT, 4096), 24);
	add(&m, AT, entries, 24);
	expect(&m, "getdents64(fd: 3, dirent: [\".\"], count: 4096) = 24");
	make(&m, "getdents64", ARGS(3, AT, 4096), 0);
	expect(&m, "getdents64(fd: 3, dirent: [], count: 4096) = 0");
}

static void commands_of_bpf(void **state)
{
	uint32_t map[12] = {1, 4, 8, 16, 0, 0, 0}, element[8] = {5, 0, 0x10, 0, 0x20},
		 program[16] = {5, 2, 0x1000};
	struct made m;

	(void)state;
	memcpy(map + 7, "counts", 6);
	memcpy(program + 12, "on_enter", 8);
	make(&m, "bpf", ARGS(0, AT, sizeof(map)), 3);
	add(&m, AT, map, sizeof(map));
	expect(&m, "bpf(cmd: MAP_CREATE, uattr: {map_type=HASH, key_size=4, value_size=8, "
		   "max_entries=16, map_flags=0, map_name=\"counts\"}, size: 48) = 3");
	make(&m, "bpf", ARGS(1, AT, sizeof(element)), -2);
	add(&m, AT, element, sizeof(element));
	expect(&m, "bpf(cmd: MAP_LOOKUP_ELEM, uattr: {map_fd=5, key=0x10, value=0x20}, size: 32) = "
		   "-1 ENOENT (No such file or directory)");
	make(&m, "bpf", ARGS(5, AT, sizeof(program)), 4);
	add(&m, AT, program, sizeof(program));
	expect(&m, "bpf(cmd: PROG_LOAD, uattr: {prog_type=TRACEPOINT, insn_cnt=2, insns=0x1000, "
		   "log_level=0, prog_flags=0, prog_name=\"on_enter\"}, size: 64) = 4");
	/* a short attribute, and a command whose attributes are not known */
	make(&m, "bpf", ARGS(3, AT, 4), -22);
	add(&m, AT, element, 4);
	expect(&m, "bpf(cmd: MAP_DELETE_ELEM, uattr: {map_fd=5, key=0}, size: 4) = -1 EINVAL "
		   "(Invalid argument)");
	make(&m, "bpf", ARGS(10, AT, 16), 0);
	add(&m, AT, element, 16);
	expect(&m, "bpf(cmd: PROG_RUN, uattr: 0x7f0000001000, size: 16) = 0");
}

/* What listeners are told: letters for what, and the name. */
struct told {
	struct buf text;
};
static void tell(void *ctx, const struct call *c, enum call_told what)
{
	struct told *t = ctx;

	buf_printf(&t->text, "%c%u:%s ", "wbcen"[what], c -> tid,
		   c -> desc ? c -> desc -> name : "?");
}

static struct call part(uint32_t tid, const char *name, bool entered, bool returned, uint64_t ns)
{
	const struct call_desc *d = call_find_name(name);

	return (struct call){.desc = d,
			     .abi = CALL_X86_64,
			     .number = d->numbers[CALL_X86_64],
			     .pid = 1,
			     .tid = tid,
			     .comm = "x",
			     .entered = entered,
			     .returned = returned,
			     .enter_ns = ns,
			     .exit_ns = ns};
}

static void beginnings_and_ends_are_paired(void **state)
{
	struct told told = {0};
	struct call_listener to = {tell, &told};
	struct call_pairs *p = call_pairs_new(&to);
	struct call c[] = {
		part(1, "read", true, false, 10),
		part(1, "read", false, true, 20), /* whole */
		part(1, "futex", true, false, 30),
		part(2, "read", true, true, 35),    /* begun, for another thread's came */
		part(1, "futex", false, true, 40),  /* continued */
		part(3, "execve", false, true, 50), /* its beginning was not seen */
		part(2, "exit", true, false, 60),
		part(1, "pause", true, false, 70), /* endless; never returns */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		call_pairs_add(p, &c[i]);
	c[0] = part(1, "rt_sigreturn", true, false, 80);
	c[1] = part(1, "read", false, true, 90);
	c[1].number = -1; /* of a return from a handler */
	call_pairs_add(p, &c[0]);
	call_pairs_add(p, &c[1]);
	call_pairs_add(p, &(struct call){.tid = 4, .number = -1, .returned = true, .comm = ""});
	c[0] = part(5, "pause", true, false, 95);
	call_pairs_add(p, &c[0]);
	call_pairs_idle(p);
	call_pairs_idle(p);
	call_pairs_end(p);
	assert_string_equal(
		buf_text(&told.text),
		"w1:read b1:futex w2:read c1:futex c3:execve e2:exit w1:rt_sigreturn b5:pause ");
	call_pairs_free(p);
	buf_release(&told.text);
}

static void a_thread_that_execs_gets_the_process_id(void **state)
{
	struct told told = {0};
	struct call_listener to = {tell, &told};
	struct call_pairs *p = call_pairs_new(&to);
	struct call c[] = {
		part(1, "futex", true, false, 10),  part(6, "execve", true, false, 20),
		part(1, "futex", false, true, 30),  part(1, "execve", false, true, 40),
		part(7, "execve", true, false, 50), /* one that failed stays where it was */
		part(1, "execve", false, true, 60), part(7, "execve", false, true, 70),
	};

	(void)state;
	c[5].result = -2;
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		call_pairs_add(p, &c[i]);
	assert_string_equal(buf_text(&told.text),
			    "b1:futex c1:futex w1:execve c1:execve w7:execve ");
	call_pairs_free(p);
	buf_release(&told.text);
}

static void calls_that_were_refused(void **state)
{
	struct told told = {0};
	struct call_listener to = {tell, &told};
	struct call_pairs *p = call_pairs_new(&to);
	struct call answered = part(1, "chdir", true, true, 10);
	struct call trapped = part(1, "chdir", true, false, 20);
	struct call next = part(1, "read", true, true, 30);

	(void)state;
	answered.refused = trapped.refused = true;
	assert_false(call_is_timed(&answered));
	call_pairs_add(p, &answered);
	call_pairs_add(p, &trapped);
	call_pairs_add(p, &next);
	call_pairs_end(p);
	assert_string_equal(buf_text(&told.text), "w1:chdir e1:chdir w1:read ");
	call_pairs_free(p);
	buf_release(&told.text);
}

static struct call early(uint32_t tid, const char *name, bool returned, uint64_t ns)
{
	struct call c = part(tid, name, true, returned, ns);

	c.early = true;
	return c;
}

static void calls_that_began_before_the_trace(void **state)
{
	struct told told = {0};
	struct call_listener to = {tell, &told};
	struct call_pairs *p = call_pairs_new(&to);
	struct call c[] = {
		early(1, "read", false, 10), early(2, "poll", false, 11),
		early(1, "read", true, 20),  early(2, "poll", true, 21),
		early(3, "futex", true, 30), /* nobody has seen that it began */
		early(4, "read", false, 31), part(1, "close", true, true, 40),
		early(4, "futex", true, 50), /* another call than the one that was looked at */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		call_pairs_add(p, &c[i]);
	call_pairs_end(p);
	assert_string_equal(buf_text(&told.text),
			    "b1:read b2:poll c1:read c2:poll n3:futex b4:read w1:close "
			    "n4:futex ");
	call_pairs_free(p);
	buf_release(&told.text);
}

/* A folder that stands for /proc, with a thread 9 that waits in openat. */
static void write_text(const char *path, const void *text, size_t n, off_t at)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, text, n, at), n);
	close(fd);
}

static void a_call_that_a_thread_waits_in(void **state)
{
	const char *status = "Name:\twaits\nTgid:\t8\nPid:\t9\nPPid:\t1\nUid:\t0\t0\t0\t0\n";
	const struct trace_plan plan = {.n = 1,
					.steps = {{.arg = 1, .how = TRACE_STRING, .enter = 1}}};
	unsigned char elf[20] = {127, 'E', 'L', 'F', [4] = 2, [18] = 62};
	char root[] = "/tmp/early-XXXXXX", path[64];
	struct early_call c;
	struct trace_piece piece;
	const char *const files[] = {"syscall", "status", "exe", "mem"};

	(void)state;
	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/9", root);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(early_call_find(&c, root, 9), -1);
	snprintf(path, sizeof(path), "%s/9/status", root);
	write_text(path, status, strlen(status), 0);
	snprintf(path, sizeof(path), "%s/9/exe", root);
	write_text(path, elf, sizeof(elf), 0);
	snprintf(path, sizeof(path), "%s/9/mem", root);
	write_text(path, "fifo\0rest", 9, 0x1000);
	snprintf(path, sizeof(path), "%s/9/syscall", root);
	write_text(path, "running\n", 8, 0);
	assert_int_equal(early_call_find(&c, root, 9), -1);
	write_text(path, "5 0x3 0x1000 0x80000 0x0 0x0 0x77 0x7ffd 0x7f01\n", 48, 0);
	assert_int_equal(early_call_find(&c, root, 9), 0);
	assert_int_equal(c.record.what, TRACE_EARLY_ENTER);
	assert_int_equal(c.record.number, 5);
	assert_int_equal(c.record.pid, 8);
	assert_int_equal(c.record.tid, 9);
	assert_string_equal(c.record.comm, "waits");
	assert_int_equal(c.record.args[0], 3);
	assert_int_equal(c.record.args[5], 0x77);
	assert_int_equal(c.record.bytes, 0);
	early_call_copy(&c, root, &plan, 32);
	memcpy(&piece, c.bytes, sizeof(piece));
	assert_int_equal(c.record.bytes, sizeof(piece) + 8);
	assert_int_equal(piece.address, 0x1000);
	assert_int_equal(piece.n, 5);
	assert_string_equal((char *)c.bytes + sizeof(piece), "fifo");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/9/%s", root, files[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/9", root);
	rmdir(path);
	rmdir(root);
}

static void sums_have_means_and_deviations(void **state)
{
	struct call_sums s = {0};
	struct call c = part(1, "read", true, true, 0);
	const struct call_sum *row;

	(void)state;
	for (uint64_t ns = 1000; ns <= 3000; ns += 1000) {
		c.exit_ns = ns;
		c.result = ns == 3000 ? -2 : 1;
		call_sums_add(&s, &c);
	}
	call_sums_sort(&s);
	assert_int_equal(s.threads.n, 1);
	assert_int_equal(s.threads.at[0]->events, 6);
	row = &s.threads.at[0]->calls.at[0];
	assert_int_equal(row->calls, 3);
	assert_int_equal(row->errors, 1);
	assert_int_equal(row->by_error.at[0].number, 2);
	assert_int_equal(row->min_ns, 1000);
	assert_int_equal(row->max_ns, 3000);
	assert_true(call_sum_mean(row) == 2000);
	/* of 1, 2, 3: variance 1, error of the mean sqrt(1/3) = 0.57735, over 2 */
	assert_int_equal((int)(call_sum_deviation(row) * 1000), 28867);
	call_sums_release(&s);
}

static void lines_stand_in_columns(void **state)
{
	struct call_lines l = {.style = {.strings = 32}, .align = CALL_LINES_ALIGN};
	struct made m;
	AUTO_BUF b = {0};

	(void)state;
	make(&m, "close", ARGS(3), 0);
	call_line_show(&l, &m.call, CALL_WHOLE, &b);
	assert_string_equal(buf_text(&b), "     0.000 ( 0.500 ms): prog/7 close(fd: 3)             "
					  "                              "
					  "               = 0\n");
	buf_clear(&b);
	call_line_show(&l, &m.call, CALL_CONTINUED, &b);
	assert_string_equal(buf_text(&b), "     0.000 ( 0.500 ms): prog/7  ... [continued]: "
					  "close())                              "
					  "              = 0\n");
	buf_clear(&b);
	m.call.returned = false;
	call_line_show(&l, &m.call, CALL_BEGUN, &b);
	assert_string_equal(buf_text(&b), "     0.000 (         ): prog/7 close(fd: 3)             "
					  "                              "
					  "               ...\n");
}

static void bytes_are_dumped_16_a_line(void **state)
{
	struct {
		struct trace_record r;
		char bytes[18];
	} part = {{.bytes = 18, .number = 1, .args = {0x800, 4000, 18}}, "0123456789\n\0\377~ghi"};
	AUTO_BUF out = {0};

	(void)state;
	call_dump_show(&part.r, &out);
	assert_string_equal(buf_text(&out),
			    " | 00800  30 31 32 33 34 35 36 37  38 39 0a 00 ff 7e 67 68  "
			    "0123456789...~gh |\n"
			    " | 00810  69 00                                             "
			    "i.               |\n");
	/* of a vector's element, which could not be read */
	part.r.args[0] = part.r.bytes = 0;
	part.r.args[3] = 1;
	buf_clear(&out);
	call_dump_show(&part.r, &out);
	assert_string_equal(buf_text(&out), " * 4000 bytes in buffer 1\n"
					    " | 00000  18 bytes could not be read\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_has_numbers_and_arguments),
		cmocka_unit_test(groups_are_those_of_strace),
		cmocka_unit_test(strings_are_written_as_in_c),
		cmocka_unit_test(what_was_not_copied_is_a_pointer),
		cmocka_unit_test(vectors_and_words_are_followed),
		cmocka_unit_test(addresses_of_sockets),
		cmocka_unit_test(structures),
		cmocka_unit_test(reports_of_the_kernel),
		cmocka_unit_test(entries_of_folders),
		cmocka_unit_test(commands_of_bpf),
		cmocka_unit_test(beginnings_and_ends_are_paired),
		cmocka_unit_test(a_thread_that_execs_gets_the_process_id),
		cmocka_unit_test(calls_that_were_refused),
		cmocka_unit_test(calls_that_began_before_the_trace),
		cmocka_unit_test(a_call_that_a_thread_waits_in),
		cmocka_unit_test(sums_have_means_and_deviations),
		cmocka_unit_test(bytes_are_dumped_16_a_line),
		cmocka_unit_test(lines_stand_in_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
