// SPDX-License-Identifier: MIT
/*
 * refused ERRNO|trap|kill: calls chdir("/refused"), which a seccomp filter answers with that error
 * (a number), with a signal, or with the end of the process.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* the number of the call */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_chdir, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
	const char *how = argc > 1 ? argv[1] : "1";

	filter[2].k = !strcmp(how, "trap")   ? SECCOMP_RET_TRAP
		      : !strcmp(how, "kill") ? SECCOMP_RET_KILL_PROCESS
					     : SECCOMP_RET_ERRNO | (unsigned int)atoi(how);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("seccomp");
		return 126;
	}
	return chdir("/refused") ? 0 : 1;
}
