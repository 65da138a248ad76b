// SPDX-License-Identifier: MIT
/* Makes a function at run time, tells of it in a dump as JITs do, and calls it. */
#include "selftest/workload.h"

#include "base/monotonic.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME "jit_workload"

/* A loop of some thousand turns, which returns 0. */
#if defined(__x86_64__)
#define MACHINE EM_X86_64
static const uint8_t code[] = {
	0xb8, 0xff, 0xff, 0x00, 0x00, /* mov $0xffff,%eax */
	0xff, 0xc8,		      /* dec %eax */
	0x75, 0xfc,		      /* jne to the dec */
	0xc3,			      /* ret */
};
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
static const uint32_t code[] = {
	0x529fffe0, /* mov w0, #0xffff */
	0x71000400, /* subs w0, w0, #1 */
	0x54ffffe1, /* b.ne to the subs */
	0xd65f03c0, /* ret */
};
#elif defined(__riscv)
#define MACHINE EM_RISCV
static const uint32_t code[] = {
	0x7ff00513, /* li a0, 2047 */
	0xfff50513, /* addi a0, a0, -1 */
	0xfe051ee3, /* bnez a0, to the addi */
	0x00008067, /* ret */
};
#else
#define MACHINE EM_NONE
static const uint8_t code[1];
#endif

/* All times of a dump are of CLOCK_MONOTONIC. */
struct jit_file_header {
	uint32_t magic, version, size, machine, reserved, pid;
	uint64_t time, flags;
};

struct jit_file_load {
	uint32_t id, size;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t vma, address, code_size, number;
	char name[sizeof(NAME)];
	uint8_t code[sizeof(code)];
} __attribute__((packed));

/* Writes the dump, and maps it as recorders look for it: a page that may be executed. */
static int dump_write(int fd, const char *name, const void *at, struct err *err)
{
	const long page = sysconf(_SC_PAGESIZE);
	const struct jit_file_header header = {
		.magic = 0x4a695444,
		.version = 1,
		.size = sizeof(header),
		.machine = MACHINE,
		.pid = (uint32_t)getpid(),
		.time = monotonic_ns(),
	};
	struct jit_file_load load = {
		.size = sizeof(load),
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)syscall(SYS_gettid),
		.vma = (uintptr_t)at,
		.address = (uintptr_t)at,
		.code_size = sizeof(code),
		.name = NAME,
	};
	void *marker = mmap(NULL, (size_t)page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (marker == MAP_FAILED)
		return err_sys(err, errno, "cannot map '%s'", name);
	munmap(marker, (size_t)page);
	load.time = monotonic_ns();
	memcpy(load.code, code, sizeof(code));
	if (write(fd, &header, sizeof(header)) != sizeof(header) ||
	    write(fd, &load, sizeof(load)) != sizeof(load))
		return err_sys(err, errno, "cannot write '%s'", name);
	return 0;
}

static int dump_make(const void *at, struct err *err)
{
	char name[40];
	int fd, status;

	snprintf(name, sizeof(name), "jit-%d.dump", (int)getpid());
	fd = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_sys(err, errno, "cannot make '%s' in this folder", name);
	status = dump_write(fd, name, at, err);
	close(fd);
	return status;
}

int workload_jitdump(int argc, char **argv, struct err *err)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int (*run)(void);
	uint64_t end;
	void *at;
	int status;

	if (workload_end(argc, argv, &end, err))
		return -1;
	if (MACHINE == EM_NONE)
		return err_set(err, ERR_UNSUPPORTED, "jitdump has no code for this processor");
	at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return err_sys(err, errno, "cannot map memory for code");
	memcpy(at, code, sizeof(code));
	if (mprotect(at, page, PROT_READ | PROT_EXEC)) {
		munmap(at, page);
		return err_sys(err, errno, "may not execute code made at run time");
	}
	__builtin___clear_cache(at, (char *)at + sizeof(code));
	status = dump_make(at, err);
	memcpy(&run, &at, sizeof(run));
	while (!status && monotonic_ns() < end)
		status = run();
	munmap(at, page);
	return status;
}
