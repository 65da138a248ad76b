// SPDX-License-Identifier: MIT
#include "os/preload/preload.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x10 /* Linux 6.3 */
#endif

static const unsigned char library[] = {
#include <locks-preload.inc>
};

static int preload_memory(const char *name)
{
	const int fd = memfd_create(name, MFD_CLOEXEC | MFD_EXEC);

	return fd >= 0 || errno != EINVAL ? fd : memfd_create(name, MFD_CLOEXEC);
}

static int preload_write(int fd)
{
	size_t done = 0;

	while (done < sizeof(library)) {
		const ssize_t n = write(fd, library + done, sizeof(library) - done);

		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

static void preload_set_environment(const struct lock_preload *p)
{
	const char *others = getenv("LD_PRELOAD");
	AUTO_CHAR *path = mem_printf("/proc/%d/fd/%d%s%s", (int)getpid(), p->library,
				     others && *others ? ":" : "", others ? others : "");
	AUTO_CHAR *memory = mem_printf("/proc/%d/fd/%d", (int)getpid(), p->memory);

	setenv("LD_PRELOAD", path, 1);
	setenv(LOCK_TABLE_VARIABLE, memory, 1);
}

int lock_preload_open(struct lock_preload *p, struct err *err)
{
	void *at;

	*p = (struct lock_preload){.library = preload_memory("perf-locks.so"),
				   .memory = preload_memory("perf-locks")};
	if (p->library < 0 || p->memory < 0 || preload_write(p->library) ||
	    ftruncate(p->memory, sizeof(struct lock_table)))
		return err_sys(err, errno, "no memory to count locks in");
	at = mmap(NULL, sizeof(struct lock_table), PROT_READ | PROT_WRITE, MAP_SHARED, p->memory,
		  0);
	if (at == MAP_FAILED)
		return err_sys(err, errno, "no memory to count locks in");
	p->table = at;
	preload_set_environment(p);
	return 0;
}

void lock_preload_release(struct lock_preload *p)
{
	if (p->table)
		munmap(p->table, sizeof(struct lock_table));
	if (p->library >= 0)
		close(p->library);
	if (p->memory >= 0)
		close(p->memory);
}
