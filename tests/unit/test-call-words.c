// SPDX-License-Identifier: MIT
/* Names of flags, values and small structures of calls that few programs make. */
#include "made_calls.h"

#include "base/mem.h"

static void names_of_numbers(void **state)
{
	const struct {
		const char *call, *text;
		uint64_t args[CALL_ARGS];
	} cases[] = {
		{"fanotify_init",
		 "fanotify_init(flags: CLOEXEC|CLASS_CONTENT, event_f_flags: RDONLY|CLOEXEC) = 0",
		 {5, 02000000}},
		{"fanotify_mark",
		 "fanotify_mark(fanotify_fd: 3, flags: ADD|MOUNT, mask: OPEN|ONDIR, dfd: CWD) = 0",
		 {3, 0x11, 0x40000020, (uint64_t)-100}},
		{"keyctl",
		 "keyctl(option: READ, arg2: SESSION_KEYRING, arg3: 0x7f0000001000, arg4: 64) = 0",
		 {11, 0xfffffffd, AT, 64}},
		{"keyctl", "keyctl(option: REVOKE, arg2: 505551251) = 0", {3, 505551251}},
		{"mbind",
		 "mbind(start: 0x1000, len: 4096, mode: INTERLEAVE|F_STATIC_NODES, flags: "
		 "STRICT|MOVE) = 0",
		 {0x1000, 4096, 0x8003, 0, 0, 3}},
		{"set_mempolicy", "set_mempolicy(mode: LOCAL) = 0", {4}},
		{"personality", "personality(personality: 0xffffffff) = 0", {0xffffffff}},
		{"personality",
		 "personality(personality: LINUX32|ADDR_NO_RANDOMIZE) = 0",
		 {0x40008}},
		{"ioprio_set",
		 "ioprio_set(which: PROCESS, ioprio: IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4)) = 0",
		 {1, 0, 0x4004}},
		{"ioprio_set",
		 "ioprio_set(which: USER, ioprio: IOPRIO_PRIO_VALUE(IOPRIO_CLASS_???, 7)) = 0",
		 {3, 0, 0xe007}},
		{"quotactl", "quotactl(cmd: QCMD(GETINFO, GRPQUOTA)) = 0", {0x80000501}},
		{"quotactl", "quotactl(cmd: QCMD(0x77, 9)) = 0", {0x7709}},
		{"reboot",
		 "reboot(magic1: 0xfee1dead, magic2: 0x28121969, cmd: POWER_OFF) = 0",
		 {0xfee1dead, 0x28121969, 0x4321fedc}},
		{"sched_setscheduler",
		 "sched_setscheduler(pid: 5, policy: FIFO|RESET_ON_FORK) = 0",
		 {5, 0x40000001}},
		{"shmget",
		 "shmget(key: PRIVATE, size: 4096, shmflg: IPC_CREAT|IPC_EXCL|0600) = 0",
		 {0, 4096, 03600}},
		{"semget",
		 "semget(key: 0x1234, nsems: 1, semflg: CREAT|000) = 0",
		 {0x1234, 1, 01000}},
		{"msgrcv",
		 "msgrcv(msqid: 7, msgflg: IPC_NOWAIT|MSG_EXCEPT) = 0",
		 {7, 0, 0, 0, 0x2800}},
		{"preadv2",
		 "preadv2(fd: 3, vec: [], flags: NOWAIT|DONTCACHE) = 0",
		 {3, AT, 0, 0, 0, 0x88}},
		{"rseq",
		 "rseq(rseq: 0x7f0000001000, rseq_len: 32, flags: UNREGISTER, sig: 1392848979) = 0",
		 {AT, 32, 1, 0x53053053}},
		{"socket",
		 "socket(family: PACKET, type: RAW, protocol: htons(IPV6)) = 0",
		 {17, 3, 0xdd86}},
		{"socket",
		 "socket(family: NETLINK, type: RAW, protocol: KOBJECT_UEVENT) = 0",
		 {16, 3, 15}},
		{"setsockopt", "setsockopt(fd: 3, level: IPV6, optname: V6ONLY) = 0", {3, 41, 26}},
		{"setsockopt",
		 "setsockopt(fd: 3, level: PACKET, optname: AUXDATA) = 0",
		 {3, 263, 8}},
		{"setsockopt", "setsockopt(fd: 3, optname: 999) = 0", {3, 0, 999}},
		{"syslog", "syslog(type: CLOSE) = 0", {0}},
		{"open_by_handle_at",
		 "open_by_handle_at(mountdirfd: CWD, flags: RDONLY|CLOEXEC) = 0",
		 {(uint64_t)-100, 0, 02000000}},
	};
	struct made m;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		make(&m, cases[i].call, cases[i].args, 0);
		expect(&m, cases[i].text);
	}
}

/* A call with its second or third argument's bytes. */
static void expect_bytes(const char *call, const uint64_t *args, int64_t result, const void *bytes,
			 size_t n, const char *text)
{
	struct made m;

	make(&m, call, args, result);
	add(&m, AT, bytes, n);
	expect(&m, text);
}

static void small_structures(void **state)
{
	const uint64_t event[4] = {7, 0x1000, 5, (uint64_t)-5}, times[2] = {11, 12};
	const uint64_t queue[4] = {04000, 10, 8192, 3}, nodes = 5, mounts[2] = {0x1a, 0x1b};
	const uint32_t notification[6] = {0, 0, 14, 0}, groups[2] = {4, 100}, policy = 3;
	const uint32_t request[6] = {24, 0, 0x1a, 0, 2, 0}, handle[2] = {8, 1};

	(void)state;
	expect_bytes("io_getevents", ARGS(0x10, 1, 4, AT), 1, event, sizeof(event),
		     "io_getevents(ctx_id: 0x10, min_nr: 1, nr: 4, events: [{data=0x7, obj=0x1000, "
		     "res=5, res2=-5}]) = 1");
	expect_bytes("timer_create", ARGS(0, AT), 0, notification, sizeof(notification),
		     "timer_create(which_clock: REALTIME, timer_event_spec: {sigev_value=0, "
		     "sigev_signo=ALRM, sigev_notify=SIGNAL}) = 0");
	expect_bytes("mq_getsetattr", ARGS(3, 0, AT), 0, queue, sizeof(queue),
		     "mq_getsetattr(mqdes: 3, u_omqstat: {mq_flags=NONBLOCK, mq_maxmsg=10, "
		     "mq_msgsize=8192, mq_curmsgs=3}) = 0");
	expect_bytes("utime", ARGS(0, AT), 0, times, sizeof(times),
		     "utime(times: {actime=11, modtime=12}) = 0");
	expect_bytes("setgroups", ARGS(2, AT), 0, groups, sizeof(groups),
		     "setgroups(gidsetsize: 2, grouplist: [4, 100]) = 0");
	expect_bytes("setgroups", ARGS(3, AT), 0, groups, sizeof(groups),
		     "setgroups(gidsetsize: 3, grouplist: [4, 100, ...]) = 0");
	expect_bytes("set_mempolicy", ARGS(2, AT, 64), 0, &nodes, sizeof(nodes),
		     "set_mempolicy(mode: BIND, nmask: [0 2], maxnode: 64) = 0");
	expect_bytes("get_mempolicy", ARGS(AT), 0, &policy, sizeof(policy),
		     "get_mempolicy(policy: [INTERLEAVE]) = 0");
	expect_bytes("get_mempolicy", ARGS(AT), -22, &policy, sizeof(policy),
		     "get_mempolicy(policy: 0x7f0000001000) = -1 EINVAL (Invalid argument)");
	expect_bytes("listmount", ARGS(0, AT, 8), 2, mounts, sizeof(mounts),
		     "listmount(mnt_ids: [0x1a, 0x1b], nr_mnt_ids: 8) = 2");
	expect_bytes("statmount", ARGS(AT), 0, request, sizeof(request),
		     "statmount(req: {size=24, mnt_id=0x1a, param=0x2}) = 0");
	expect_bytes("name_to_handle_at", ARGS((uint64_t)-100, 0, AT), 0, handle, sizeof(handle),
		     "name_to_handle_at(dfd: CWD, handle: {handle_bytes=8, handle_type=1}) = 0");
	expect_bytes("io_setup", ARGS(8, AT), 0, event + 1, sizeof(event[1]),
		     "io_setup(nr_events: 8, ctxp: [0x1000]) = 0");
}

static void names_of_threads(void **state)
{
	static const char name[16] = "worker";

	(void)state;
	expect_bytes("prctl", ARGS(15, AT), 0, name, sizeof(name),
		     "prctl(option: SET_NAME, arg2: \"worker\") = 0");
	expect_bytes("prctl", ARGS(16, AT), 0, name, sizeof(name),
		     "prctl(option: GET_NAME, arg2: \"worker\") = 0");
	expect_bytes("prctl", ARGS(16, AT), -14, name, sizeof(name),
		     "prctl(option: GET_NAME, arg2: 0x7f0000001000) = -1 EFAULT (Bad address)");
}

static void addresses_and_options(void **state)
{
	const struct {
		uint16_t family, protocol;
		int32_t index;
		uint16_t hardware;
		uint8_t type, length, address[8];
	} packet = {17, 0x0608, 2, 1, 4, 6, {0}};
	const uint32_t vsock[4] = {40, 1024, 2, 0}, any[4] = {40, UINT32_MAX, 77, 0};
	struct {
		uint16_t family;
		char type[14];
		uint32_t features, mask;
		char name[64];
	} algorithm = {38, "hash", 0, 0, "sha1"};
	const int32_t linger[2] = {1, 5}, credentials[3] = {9, 0, 7};
	const int64_t time[2] = {1, 500};

	(void)state;
	expect_bytes(
		"bind", ARGS(3, AT, 20), 0, &packet, sizeof(packet),
		"bind(fd: 3, umyaddr: {sa_family=AF_PACKET, sll_protocol=htons(ARP), "
		"sll_ifindex=2, sll_hatype=1, sll_pkttype=OUTGOING, sll_halen=6}, addrlen: 20) "
		"= 0");
	expect_bytes("connect", ARGS(3, AT, 16), 0, vsock, sizeof(vsock),
		     "connect(fd: 3, uservaddr: {sa_family=AF_VSOCK, svm_cid=VMADDR_CID_HOST, "
		     "svm_port=0x400}, addrlen: 16) = 0");
	expect_bytes("connect", ARGS(3, AT, 16), 0, any, sizeof(any),
		     "connect(fd: 3, uservaddr: {sa_family=AF_VSOCK, svm_cid=0x4d, "
		     "svm_port=VMADDR_PORT_ANY}, addrlen: 16) = 0");
	expect_bytes("bind", ARGS(3, AT, 88), 0, &algorithm, sizeof(algorithm),
		     "bind(fd: 3, umyaddr: {sa_family=AF_ALG, salg_type=\"hash\", salg_feat=0, "
		     "salg_mask=0, salg_name=\"sha1\"}, addrlen: 88) = 0");
	/* too short for its family */
	expect_bytes("bind", ARGS(3, AT, 4), 0, vsock, 4,
		     "bind(fd: 3, umyaddr: {sa_family=AF_VSOCK, sa_data=\"\\0\\0\"}, addrlen: 4) = "
		     "0");
	expect_bytes("setsockopt", ARGS(3, 1, 13, AT, 8), 0, linger, sizeof(linger),
		     "setsockopt(fd: 3, level: SOCKET, optname: LINGER, optval: {l_onoff=1, "
		     "l_linger=5}, optlen: 8) = 0");
	expect_bytes("setsockopt", ARGS(3, 1, 20, AT, 16), 0, time, sizeof(time),
		     "setsockopt(fd: 3, level: SOCKET, optname: RCVTIMEO, optval: {tv_sec=1, "
		     "tv_usec=500}, optlen: 16) = 0");
	expect_bytes("setsockopt", ARGS(3, 1, 17, AT, 12), 0, credentials, sizeof(credentials),
		     "setsockopt(fd: 3, level: SOCKET, optname: PEERCRED, optval: {pid=9, uid=0, "
		     "gid=7}, optlen: 12) = 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_numbers),
		cmocka_unit_test(small_structures),
		cmocka_unit_test(names_of_threads),
		cmocka_unit_test(addresses_and_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
