// SPDX-License-Identifier: MIT
#include "os/rights/seccomp.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of Linux 6.6, which the headers here may not know. */
#define NOTIF_SET_FLAGS	   _IOW('!', 4, uint64_t)
#define NOTIF_SYNC_WAKE_UP 1ul

int seccomp_listen(int call_number)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call_number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof(steps) / sizeof(steps[0]), .filter = steps};
	long fd;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
		     &filter);
	return fd < 0 ? -errno : (int)fd;
}

int seccomp_listen_in_turn(int fd)
{
	return ioctl(fd, NOTIF_SET_FLAGS, NOTIF_SYNC_WAKE_UP) ? -errno : 0;
}

int seccomp_take_call(int fd, uint64_t *id)
{
	struct seccomp_notif call = {0};

	if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return -errno;
	*id = call.id;
	return 0;
}

int seccomp_answer_call(int fd, uint64_t id, int64_t value)
{
	struct seccomp_notif_resp answer = {.id = id, .val = value};

	return ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answer) ? -errno : 0;
}
