// SPDX-License-Identifier: MIT
/*
 * confine [-u UID] [-c NAME,NAME...] [-s ERRNO] COMMAND...: runs COMMAND as that user with those
 * capabilities (perfmon, sys_ptrace, syslog, ipc_lock, sys_admin, dac_read_search, sys_nice) and no
 * others, and with a seccomp filter that answers perf_event_open with that error (a number). Wants
 * to be started as root.
 */
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	int number;
} capabilities[] = {{"perfmon", 38},	{"sys_ptrace", CAP_SYS_PTRACE}, {"syslog", CAP_SYSLOG},
		    {"ipc_lock", CAP_IPC_LOCK}, {"sys_admin", CAP_SYS_ADMIN},
		    {"dac_read_search", CAP_DAC_READ_SEARCH}, {"sys_nice", CAP_SYS_NICE}};

static int give_up(const char *what)
{
	perror(what);
	return 126;
}

static unsigned long long find(char *list)
{
	unsigned long long bits = 0;

	for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		size_t i = 0;

		while (i < sizeof(capabilities) / sizeof(*capabilities) &&
		       strcmp(capabilities[i].name, name))
			i++;
		if (i == sizeof(capabilities) / sizeof(*capabilities)) {
			fprintf(stderr, "no capability %s\n", name);
			exit(126);
		}
		bits |= 1ULL << capabilities[i].number;
	}
	return bits;
}

static int filter(unsigned int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(*code), code};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int become(uid_t uid, unsigned long long caps)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};

	for (int half = 0; half < 2; half++)
		data[half].effective = data[half].permitted = data[half].inheritable =
			(unsigned int)(caps >> 32 * half);
	if (prctl(PR_SET_KEEPCAPS, 1) || setgroups(0, NULL) || setgid(uid) || setuid(uid) ||
	    syscall(SYS_capset, &head, data))
		return -1;
	for (int c = 0; c < 64; c++)
		if (caps >> c & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, c, 0, 0))
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long long caps = 0;
	unsigned int error = 0;
	uid_t uid = 0;
	int opt;

	while ((opt = getopt(argc, argv, "+u:c:s:")) != -1) {
		if (opt == 'u')
			uid = (uid_t)atol(optarg);
		else if (opt == 'c')
			caps = find(optarg);
		else if (opt == 's')
			error = (unsigned int)atoi(optarg);
		else
			return 126;
	}
	if (optind == argc)
		return 126;
	if (error && filter(error))
		return give_up("seccomp");
	if (uid && become(uid, caps))
		return give_up("capabilities");
	execvp(argv[optind], argv + optind);
	return give_up(argv[optind]);
}
