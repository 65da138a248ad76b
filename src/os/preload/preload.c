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

static const unsigned char locks_library[] = {
#include <locks-preload.inc>
};
static const unsigned char calls_library[] = {
#include <calls-preload.inc>
};

static const struct preload_kind {
	const unsigned char *library;
	size_t size, table;
	const char *variable, *name;
} kinds[] = {
	[PRELOAD_LOCKS] = {locks_library, sizeof(locks_library), sizeof(struct lock_table),
			   LOCK_TABLE_VARIABLE, "perf-locks.so"},
	[PRELOAD_CALLS] = {calls_library, sizeof(calls_library), sizeof(struct call_table),
			   CALL_TABLE_VARIABLE, "perf-calls.so"},
};

static int preload_memory(const char *name)
{
	const int fd = memfd_create(name, MFD_CLOEXEC | MFD_EXEC);

	return fd >= 0 || errno != EINVAL ? fd : memfd_create(name, MFD_CLOEXEC);
}

static int preload_write(int fd, const struct preload_kind *kind)
{
	size_t done = 0;

	while (done < kind->size) {
		const ssize_t n = write(fd, kind->library + done, kind->size - done);

		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

static void preload_set_environment(const struct preload *p)
{
	const char *others = getenv("LD_PRELOAD");
	AUTO_CHAR *path = mem_printf("/proc/%d/fd/%d%s%s", (int)getpid(), p->library,
				     others && *others ? ":" : "", others ? others : "");
	AUTO_CHAR *memory = mem_printf("/proc/%d/fd/%d", (int)getpid(), p->memory);

	setenv("LD_PRELOAD", path, 1);
	setenv(kinds[p->what].variable, memory, 1);
}

int preload_open(struct preload *p, enum preload_what what, struct err *err)
{
	const struct preload_kind *kind = &kinds[what];
	void *at;

	*p = (struct preload){.what = what,
			      .library = preload_memory(kind->name),
			      .memory = preload_memory("perf-counts")};
	if (p->library < 0 || p->memory < 0 || preload_write(p->library, kind) ||
	    ftruncate(p->memory, (off_t)kind->table))
		return err_sys(err, errno, "no memory to count in");
	at = mmap(NULL, kind->table, PROT_READ | PROT_WRITE, MAP_SHARED, p->memory, 0);
	if (at == MAP_FAILED)
		return err_sys(err, errno, "no memory to count in");
	p->table = at;
	preload_set_environment(p);
	return 0;
}

void preload_release(struct preload *p)
{
	if (p->table)
		munmap(p->table, kinds[p->what].table);
	if (p->library >= 0)
		close(p->library);
	if (p->memory >= 0)
		close(p->memory);
}
