/* SPDX-License-Identifier: MIT */
/* Makes calls with structures of younger calls, control messages and terminals, for what shows
 * them. Structures are given as their words, so that old headers do. What a kernel lacks fails, and
 * is shown all the same. */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
	SETUP = 425,
	ENTER,
	REGISTER,
	FSOPEN = 430,
	FSCONFIG,
	MOUNT_SETATTR = 442,
	RULESET = 444,
	RULE
};

static void rings(void)
{
	uint32_t params[30] = {[1] = 16, [2] = 8 /* CQSIZE */}, none[30] = {0};
	int files[2] = {0, 1};
	int fd = (int)syscall(SETUP, 4, params);

	syscall(SETUP, 0, none);
	syscall(ENTER, fd, 0, 0, 1 /* GETEVENTS */, NULL, 8);
	syscall(REGISTER, fd, 4, files, 1);
	syscall(REGISTER, fd, 2, files, 2);
}

static void mounts(void)
{
	uint64_t attr[4] = {1, 2, 1 << 18, 0}, handled[1] = {1 | 2}, rule[2] = {1, 7};
	int fd;

	syscall(MOUNT_SETATTR, -1, "", 0x9000, attr, sizeof(attr));
	syscall(RULESET, handled, sizeof(handled), 0);
	syscall(RULESET, NULL, 0, 1);
	syscall(RULE, -1, 1, rule, 0);
	fd = (int)syscall(FSOPEN, "tmpfs", 1);
	syscall(FSCONFIG, fd, 1, "size", "1M", 0);
	syscall(FSCONFIG, fd, 3, "path", "/tmp", AT_FDCWD);
	close(fd);
}

static void events_and_scheduling(void)
{
	union {
		uint32_t words[32];
		uint64_t longs[16];
	} attr = {.words = {1, 128}};
	uint32_t sched[14] = {0};

	attr.longs[2] = 4000;	   /* sample_freq */
	attr.longs[3] = 1 | 2 | 4; /* sample_type */
	attr.longs[5] = 1 | 1 << 1 | 1 << 5 | 1 << 10 /* disabled, inherit, exclude_kernel, freq */;
	syscall(298, &attr, 0, -1, -1, 8);
	attr.words[0] = 0, attr.longs[1] = 1, attr.longs[4] = 3;
	attr.longs[5] = 1 << 8 | 1 << 18 | 1 << 23 /* mmap, sample_id_all, mmap2 */;
	attr.longs[3] = 1ull << 40; /* no such flag */
	syscall(298, &attr, 0, -1, -1, 8);
	syscall(315, 0, sched, sizeof(sched), 0);
	sched[0] = sizeof(sched);
	syscall(314, 0, sched, 0);
}

static void control_send(int fd, int type, const int *data, size_t n)
{
	union {
		struct cmsghdr head;
		char room[64];
	} control = {.head = {CMSG_LEN(n * sizeof(int)), SOL_SOCKET, type}};
	char text[] = "xy";
	struct iovec v = {text, 2};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = CMSG_SPACE(n * sizeof(int))};

	memcpy(CMSG_DATA(&control.head), data, n * sizeof(int));
	sendmsg(fd, &m, 0);
}

static void control_receive(int fd)
{
	uint64_t control[32];
	char room[16];
	struct iovec v = {room, sizeof(room)};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};

	recvmsg(fd, &m, 0);
}

static void messages(void)
{
	int pair[2], one = 1, files[2] = {0, 1}, who[3] = {getpid(), (int)getuid(), (int)getgid()};
	char one_text[] = "one", two[] = "two!", three[] = "three";
	struct iovec v[3] = {{one_text, 3}, {two, 4}, {three, 5}};
	struct mmsghdr many[2] = {{.msg_hdr = {.msg_iov = v, .msg_iovlen = 2}},
				  {.msg_hdr = {.msg_iov = v + 2, .msg_iovlen = 1}}};
	char first[16], second[16];
	struct iovec r[2] = {{first, 16}, {second, 16}};
	struct mmsghdr both[2] = {{.msg_hdr = {.msg_iov = r, .msg_iovlen = 1}},
				  {.msg_hdr = {.msg_iov = r + 1, .msg_iovlen = 1}}};

	socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
	control_send(pair[0], SCM_RIGHTS, files, 2);
	control_receive(pair[1]);
	setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &one, sizeof(one));
	control_send(pair[0], 2 /* SCM_CREDENTIALS */, who, 3);
	control_receive(pair[1]);
	sendmmsg(pair[0], many, 2, 0);
	recvmmsg(pair[1], both, 2, 0, NULL);
}

static void packets(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t n = sizeof(at);
	int fd = socket(AF_INET, SOCK_DGRAM, 0), one = 1;
	struct ifreq lo = {.ifr_name = "lo"};

	bind(fd, (struct sockaddr *)&at, sizeof(at));
	getsockname(fd, (struct sockaddr *)&at, &n);
	setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof(one));
	setsockopt(fd, IPPROTO_IP, IP_RECVTTL, &one, sizeof(one));
	sendto(fd, "q", 1, 0, (struct sockaddr *)&at, sizeof(at));
	control_receive(fd);
	ioctl(fd, SIOCGIFINDEX, &lo);
	ioctl(fd, SIOCGIFADDR, &lo);
	ioctl(fd, SIOCGIFFLAGS, &lo);
	ioctl(fd, SIOCGIFMTU, &lo);
	strcpy(lo.ifr_name, "no-such");
	ioctl(fd, SIOCGIFINDEX, &lo);
}

static void terminals(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY), on = 1, n;
	uint32_t line[9];
	struct winsize w = {24, 80, 0, 0};

	ioctl(fd, 0x5401, line);     /* TCGETS */
	line[0] &= ~(uint32_t)0x500; /* ICRNL, IXON */
	line[3] &= ~(uint32_t)0xb;
	ioctl(fd, 0x5402, line);
	ioctl(fd, TIOCSWINSZ, &w);
	ioctl(fd, TIOCGWINSZ, &w);
	ioctl(fd, FIONREAD, &n);
	ioctl(fd, FIONBIO, &on);
	ioctl(fd, TCFLSH, TCIOFLUSH);
	ioctl(fd, TIOCGPTN, &n);
	ioctl(fd, 0x5999, 0);
}

/* Locks, semaphores, futexes waited for together, an alternate stack, a queue of messages. */
static void locks(void)
{
	static char stack[16384];
	int fd = memfd_create("locked", 0), set = semget(IPC_PRIVATE, 2, 0600 | IPC_CREAT), i;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 5, .l_len = 7};
	struct sembuf ops[2] = {{0, 1, SEM_UNDO}, {1, 2, IPC_NOWAIT}};
	const struct {
		uint64_t value, address;
		uint32_t flags, unused;
	} futexes[2] = {{1, (uintptr_t)&set, 2, 0}, {2, (uintptr_t)&fd, 2 | 128, 0}};
	const struct timespec soon = {5, 7}, never = {0, 7};
	stack_t s = {.ss_sp = stack, .ss_size = sizeof(stack)}, old;
	unsigned int id, priority;
	char text[8192];

	fcntl(fd, F_SETLK, &lock);
	lock.l_type = F_RDLCK;
	fcntl(fd, F_GETLK, &lock);
	lock.l_pid = 0;
	fcntl(fd, F_OFD_SETLK, &lock);
	semop(set, ops, 2);
	semctl(set, 0, IPC_RMID);
	syscall(449, futexes, 2, 0, &soon, CLOCK_MONOTONIC); /* futex_waitv */
	sigaltstack(&s, &old);
	s.ss_flags = SS_DISABLE;
	sigaltstack(&s, &old);
	syscall(SYS_getresuid, &id, &id, &id);
	i = (int)syscall(SYS_mq_open, "call-structs", O_RDWR | O_CREAT, 0600, NULL);
	syscall(SYS_mq_timedsend, i, "hello", 5, 3, NULL);
	syscall(SYS_mq_timedreceive, i, text, sizeof(text), &priority, NULL);
	syscall(SYS_mq_timedreceive, i, text, sizeof(text), &priority, &never);
	syscall(SYS_mq_unlink, "call-structs");
}

static void capabilities_and_clock(void)
{
	uint32_t head[2] = {0x20080522, 0}, old[2] = {0x19980330, 0}, bad[2] = {1, 0}, sets[6];
	struct timex clock = {0};

	syscall(SYS_capget, head, NULL);
	syscall(SYS_capget, head, sets);
	syscall(SYS_capset, head, sets);
	syscall(SYS_capget, old, sets);
	syscall(SYS_capget, bad, sets);
	syscall(SYS_adjtimex, &clock);
	syscall(SYS_clock_adjtime, CLOCK_REALTIME, &clock);
	syscall(SYS_clock_adjtime, CLOCK_BOOTTIME, &clock);
}

static void system_v_objects(void)
{
	int queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT),
	    set = semget(IPC_PRIVATE, 2, 0600 | IPC_CREAT),
	    memory = shmget(IPC_PRIVATE, 4096, 0600 | IPC_CREAT);
	struct {
		long type;
		char text[8];
	} message = {3, "hello"};
	struct msqid_ds queue_state;
	struct semid_ds set_state;
	struct shmid_ds memory_state;

	msgctl(queue, IPC_STAT, &queue_state);
	msgctl(queue, IPC_SET, &queue_state);
	msgsnd(queue, &message, 5, 0);
	msgrcv(queue, &message, 5, 0, 0);
	msgrcv(queue, &message, 5, 0, IPC_NOWAIT);
	msgctl(queue, IPC_RMID, NULL);
	semctl(set, 0, IPC_STAT, &set_state);
	semctl(set, 0, IPC_SET, &set_state);
	semctl(set, 0, SETVAL, 3);
	semctl(set, 0, IPC_RMID);
	shmctl(memory, IPC_STAT, &memory_state);
	shmctl(memory, IPC_SET, &memory_state);
	shmctl(memory, IPC_RMID, NULL);
}

static void timer_signal(void)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 5};
	const struct itimerspec soon = {{0, 0}, {0, 1000}};
	const struct timespec ms = {0, 1000000};
	sigset_t pending;
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &soon, NULL);
	do {
		nanosleep(&ms, NULL);
		sigpending(&pending);
	} while (!sigismember(&pending, SIGUSR1));
}

/* Signals that are pending are taken, so that no call of these has to wait. */
static void signals(void)
{
	const struct timespec none = {0, 0};
	siginfo_t info = {.si_signo = SIGUSR1, .si_code = SI_QUEUE};
	const pid_t self = getpid();
	sigset_t set;
	struct {
		const sigset_t *set;
		size_t size;
	} mask = {&set, 8};

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(self, SIGUSR1);
	syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8);
	syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8);
	info.si_signo = SIGUSR1;
	info.si_code = SI_QUEUE;
	info.si_value.sival_int = 77;
	syscall(SYS_rt_sigqueueinfo, self, SIGUSR1, &info);
	syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8);
	syscall(SYS_rt_tgsigqueueinfo, self, self, SIGUSR1, &info);
	syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8);
	syscall(SYS_tgkill, self, self, SIGUSR1);
	syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8);
	timer_signal();
	syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8);
	if (!fork())
		_exit(3);
	waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
	syscall(SYS_rt_sigtimedwait, &set, &info, &none, 8);
	waitid(P_ALL, 0, &info, WEXITED);
	syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, &mask);
	mask.set = NULL;
	syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, &mask);
}

/* Memory of a process as if it were another; filters of calls, which let all pass. */
static void others(void)
{
	char from[8] = "abcd", to[4];
	const struct iovec local = {to, 4}, remote[2] = {{from, 2}, {from + 2, 2}};
	const struct {
		uint16_t code;
		uint8_t yes, no;
		uint32_t value;
	} allow = {6, 0, 0, 0x7fff0000};
	const struct {
		uint16_t n;
		const void *code;
	} filter = {1, &allow};
	uint32_t action = 0x80000000;
	uint16_t sizes[3];

	syscall(SYS_process_vm_readv, getpid(), &local, 1, remote, 2, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, 1, 0, &filter);
	prctl(PR_SET_SECCOMP, 2, &filter);
	syscall(SYS_seccomp, 2, 0, &action);
	syscall(SYS_seccomp, 3, 0, sizes);
}

int main(void)
{
	locks();
	capabilities_and_clock();
	system_v_objects();
	signals();
	rings();
	mounts();
	events_and_scheduling();
	messages();
	packets();
	terminals();
	others();
	return 0;
}
