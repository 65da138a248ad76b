// SPDX-License-Identifier: MIT
#include "event/calls/calls.h"

#include "base/mem.h"

#include <string.h>

#include <call_tables.h>

const struct call_desc *call_all(size_t *n)
{
	*n = ARRAY_SIZE(all_calls);
	return all_calls;
}

const struct call_desc *call_find(enum call_abi abi, int number)
{
	uint16_t row;

	if (number < 0 || number >= CALL_NUMBERS)
		return NULL;
	row = call_rows[abi][number];
	return row ? &all_calls[row - 1] : NULL;
}

const struct call_desc *call_find_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_calls); i++)
		if (!strcmp(all_calls[i].name, name))
			return &all_calls[i];
	for (size_t i = 0; i < ARRAY_SIZE(all_calls); i++)
		if (!strcmp(all_calls[i].tracepoint, name))
			return &all_calls[i];
	return NULL;
}

const struct call_kind *call_kind(enum call_kind_id kind)
{
	return &all_kinds[kind];
}

const struct words *call_words(enum words_group group)
{
	return &all_words[group];
}

bool call_is_narrow(const struct call_desc *call, enum call_abi abi, enum call_kind_id kind)
{
	const enum call_layout layout = all_kinds[kind].layout;
	const size_t n = strlen(call->name);

	if (abi != CALL_I386)
		return false;
	return layout == LAYOUT_LONGS ||
	       (layout == LAYOUT_TIMES && !(n > 2 && !strcmp(call->name + n - 2, "64")));
}

const char *words_name(const struct words *w, uint64_t value)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->at[i].value == value)
			return w->at[i].name;
	return NULL;
}

const char *call_error_name(int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_errors); i++)
		if (all_errors[i].value == (uint64_t)number)
			return all_errors[i].name;
	return NULL;
}

static const struct class
{
	const char *name;
	const char *calls; /* names with blanks around; calls that have one of the kinds below are
			    * added by that */
} classes[] = {
	{"file", " getcwd execve execveat chroot pivot_root quotactl "},
	{"desc", " select _newselect pselect6 poll ppoll close_range "},
	{"network", " socket socketpair bind listen accept accept4 connect getsockname getpeername "
		    "send sendto sendmsg "
		    "sendmmsg recv recvfrom recvmsg recvmmsg shutdown getsockopt setsockopt "
		    "socketcall getpmsg putpmsg "},
	{"memory", " brk mmap mmap2 munmap mprotect mremap msync mincore madvise mlock mlock2 "
		   "munlock mlockall munlockall "
		   "remap_file_pages mbind set_mempolicy get_mempolicy migrate_pages move_pages "
		   "pkey_mprotect shmat shmdt "
		   "process_madvise set_mempolicy_home_node map_shadow_stack mseal "},
	{"process", " fork vfork clone clone3 execve execveat exit exit_group wait4 waitid waitpid "
		    "kill tkill tgkill "
		    "rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal unshare setns "
		    "process_mrelease "
		    "arch_prctl prctl "},
	{"signal", " kill tkill tgkill pause rt_sigaction rt_sigpending rt_sigprocmask "
		   "rt_sigqueueinfo rt_sigreturn "
		   "rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sigaltstack signalfd signalfd4 "
		   "sigaction signal "
		   "sigpending sigprocmask sigreturn sigsuspend pidfd_send_signal "},
	{"ipc", " msgctl msgget msgrcv msgsnd semctl semget semop semtimedop shmat shmctl shmdt "
		"shmget ipc "},
	{"clock", " adjtimex clock_adjtime clock_getres clock_gettime clock_settime gettimeofday "
		  "settimeofday time stime "},
	{"creds", " capget capset getegid geteuid getgid getgroups getresgid getresuid getuid "
		  "setfsgid setfsuid setgid "
		  "setgroups setregid setresgid setresuid setreuid setuid prctl "},
	{"pure",
	 " getegid geteuid getgid getpgrp getpid getppid getresgid getresuid gettid getuid "},
	{"stat", " stat stat64 oldstat "},
	{"lstat", " lstat lstat64 oldlstat "},
	{"fstat", " fstat fstat64 oldfstat newfstatat fstatat64 statx "},
	{"statfs", " statfs statfs64 fstatfs fstatfs64 ustat "},
	{"string", ""},
};

static const struct class *class_find(const char *name)
{
	name += *name == '%';
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (!strcmp(classes[i].name, name))
			return &classes[i];
	return NULL;
}

bool call_class_exists(const char *name)
{
	return class_find(name) != NULL;
}

static bool has_kind(const struct call_desc *call, unsigned int a, unsigned int b)
{
	for (size_t i = 0; i < call->n; i++)
		if (call->args[i].kind == a || call->args[i].kind == b)
			return true;
	return false;
}

bool call_in_class(const struct call_desc *call, const char *name)
{
	const struct class *c = class_find(name);
	size_t n = strlen(call->name);

	if (!c)
		return false;
	for (const char *at = c->calls; (at = strstr(at, call->name)) != NULL; at++)
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
	if (!strcmp(c->name, "file"))
		return has_kind(call, KIND_path, KIND_path);
	if (!strcmp(c->name, "string"))
		return has_kind(call, KIND_path, KIND_str);
	if (!strcmp(c->name, "desc"))
		return has_kind(call, KIND_fd, KIND_dfd) || call->result == KIND_fd;
	return false;
}

int call_abi_of_machine(const char *machine)
{
	static const char *const generic[] = {"aarch64", "arm64", "riscv64", "loongarch64"};

	if (!strcmp(machine, "x86_64"))
		return CALL_X86_64;
	if (strlen(machine) == 4 && machine[0] == 'i' && !strcmp(machine + 2, "86"))
		return CALL_I386;
	for (size_t i = 0; i < ARRAY_SIZE(generic); i++)
		if (!strcmp(machine, generic[i]))
			return CALL_GENERIC;
	return -1;
}
