/* SPDX-License-Identifier: MIT */
/* Makes calls with structures of younger calls, control messages and terminals, for what shows
 * them. Structures are given as their words, so that old headers do. What a kernel lacks fails, and
 * is shown all the same. */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <termios.h>
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

int main(void)
{
	rings();
	mounts();
	events_and_scheduling();
	messages();
	packets();
	terminals();
	return 0;
}
