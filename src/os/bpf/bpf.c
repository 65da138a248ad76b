// SPDX-License-Identifier: MIT
#include "os/bpf/bpf.h"

#include "base/mem.h"
#include "os/machine/cpus.h"
#include "os/rights/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREAD_TOO O_EXCL /* pidfd_open's PIDFD_THREAD */

static int call(int command, union bpf_attr *attr)
{
	long got = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return got < 0 ? -errno : (int)got;
}

bool bpf_allowed(void)
{
	return rights_has("/proc", RIGHT_SYS_ADMIN) ||
	       (rights_has("/proc", RIGHT_BPF) && rights_has("/proc", RIGHT_PERFMON));
}

int bpf_explain(struct err *err, int sys, const char *what)
{
	err_sys(err, sys, "cannot load the BPF program for %s", what);
	if (sys == EPERM && !bpf_allowed()) {
		if (err)
			err->code = ERR_RIGHTS;
		return err_hint(
			err,
			"BPF programs need root, or the capabilities CAP_BPF and CAP_PERFMON.");
	}
	if (sys == ENOENT || sys == ESRCH || sys == EINVAL)
		return err_hint(err, "This needs Linux 5.17 or later with its type information "
				     "(CONFIG_DEBUG_INFO_BTF).");
	return -1;
}

int bpf_map_read(int map, const void *key, void *value)
{
	union bpf_attr a = {
		.map_fd = (uint32_t)map, .key = (uintptr_t)key, .value = (uintptr_t)value};

	return call(BPF_MAP_LOOKUP_ELEM, &a);
}

int bpf_map_write(int map, const void *key, const void *value)
{
	union bpf_attr a = {
		.map_fd = (uint32_t)map, .key = (uintptr_t)key, .value = (uintptr_t)value};

	return call(BPF_MAP_UPDATE_ELEM, &a);
}

int bpf_map_remove(int map, const void *key)
{
	union bpf_attr a = {.map_fd = (uint32_t)map, .key = (uintptr_t)key};

	return call(BPF_MAP_DELETE_ELEM, &a);
}

int bpf_map_next(int map, const void *key, void *next)
{
	union bpf_attr a = {
		.map_fd = (uint32_t)map, .key = (uintptr_t)key, .next_key = (uintptr_t)next};

	return call(BPF_MAP_GET_NEXT_KEY, &a);
}

bool bpf_map_row_next(int map, bool *begun, void *key, size_t key_size, void *value)
{
	uint64_t next[BPF_KEY_MOST / sizeof(uint64_t)];

	if (bpf_map_next(map, *begun ? key : NULL, next) || bpf_map_read(map, next, value))
		return false;
	*begun = true;
	memcpy(key, next, key_size);
	return true;
}

void bpf_want_cpus(uint8_t *wanted, size_t size, const int *cpus, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cpus[i] >= 0 && (size_t)cpus[i] < size)
			wanted[cpus[i]] = 1;
}

int bpf_map_about(int map, struct bpf_map_info *out)
{
	union bpf_attr a = {0};

	memset(out, 0, sizeof(*out));
	a.info.bpf_fd = (uint32_t)map;
	a.info.info_len = sizeof(*out);
	a.info.info = (uintptr_t)out;
	return call(BPF_OBJ_GET_INFO_BY_FD, &a);
}

int bpf_map_by_id(uint32_t id)
{
	union bpf_attr a = {.map_id = id};

	return call(BPF_MAP_GET_FD_BY_ID, &a);
}

int bpf_table_new(const char *name, uint32_t key_size, uint32_t value_size, uint32_t most)
{
	union bpf_attr a = {.map_type = BPF_MAP_TYPE_HASH,
			    .key_size = key_size,
			    .value_size = value_size,
			    .max_entries = most};

	memcpy(a.map_name, name, strnlen(name, sizeof(a.map_name) - 1));
	return call(BPF_MAP_CREATE, &a);
}

int bpf_cpu_table_new(const char *name, uint32_t value_size, uint32_t most)
{
	union bpf_attr a = {.map_type = BPF_MAP_TYPE_PERCPU_ARRAY,
			    .key_size = 4,
			    .value_size = value_size,
			    .max_entries = most};

	memcpy(a.map_name, name, strnlen(name, sizeof(a.map_name) - 1));
	return call(BPF_MAP_CREATE, &a);
}

int bpf_pin(int map, const char *path)
{
	union bpf_attr a = {.pathname = (uintptr_t)path, .bpf_fd = (uint32_t)map};

	return call(BPF_OBJ_PIN, &a);
}

int bpf_pinned(const char *path)
{
	union bpf_attr a = {.pathname = (uintptr_t)path};

	return call(BPF_OBJ_GET, &a);
}

void *bpf_map_memory(int map, size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);

	return p == MAP_FAILED ? NULL : p;
}

int bpf_events_new(void)
{
	union bpf_attr a = {.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY,
			    .key_size = 4,
			    .value_size = 4,
			    .max_entries = bpf_cpus(),
			    .map_flags = BPF_F_PRESERVE_ELEMS,
			    .map_name = BPF_EVENTS_NAME};

	return call(BPF_MAP_CREATE, &a);
}

int bpf_events_put(int events, int cpu, int event_fd)
{
	return bpf_map_write(events, &cpu, &event_fd);
}

int bpf_task_write(int map, int tid, const void *value)
{
	int fd = (int)syscall(SYS_pidfd_open, tid, 0), got;

	if (fd < 0 && (errno == EINVAL || errno == ENOENT))
		fd = (int)syscall(SYS_pidfd_open, tid, THREAD_TOO);
	if (fd < 0)
		return -errno;
	got = bpf_map_write(map, &fd, value);
	close(fd);
	return got;
}

int bpf_program_by_id(uint32_t id)
{
	union bpf_attr a = {.prog_id = id};

	return call(BPF_PROG_GET_FD_BY_ID, &a);
}

int bpf_program_about(int program, struct bpf_prog_info *info)
{
	union bpf_attr a = {0};

	a.info.bpf_fd = (uint32_t)program;
	a.info.info_len = sizeof(*info);
	a.info.info = (uintptr_t)info;
	return call(BPF_OBJ_GET_INFO_BY_FD, &a);
}

int bpf_program_new(const struct bpf_program_parts *p)
{
	union bpf_attr a = {.prog_type = p->type,
			    .expected_attach_type = p->attach_type,
			    .insns = (uintptr_t)p->insns,
			    .insn_cnt = (uint32_t)p->n,
			    .license = (uintptr_t)p->licence,
			    .attach_prog_fd = (uint32_t)p->attach_to,
			    .attach_btf_id = p->attach_entry};

	memcpy(a.prog_name, p->name, strnlen(p->name, sizeof(a.prog_name) - 1));
	return call(BPF_PROG_LOAD, &a);
}

int bpf_attach(int program)
{
	union bpf_attr a = {.raw_tracepoint = {.prog_fd = (uint32_t)program}};

	return call(BPF_RAW_TRACEPOINT_OPEN, &a);
}

int bpf_iterate(int link)
{
	union bpf_attr a = {.iter_create.link_fd = (uint32_t)link};

	return call(BPF_ITER_CREATE, &a);
}

int bpf_run_on(int program, int cpu)
{
	union bpf_attr a = {.test = {.prog_fd = (uint32_t)program,
				     .flags = BPF_F_TEST_RUN_ON_CPU,
				     .cpu = (uint32_t)cpu}};

	return call(BPF_PROG_TEST_RUN, &a);
}

int bpf_run_on_all(int program, const struct cpu_list *cpus)
{
	for (size_t i = 0; i < cpus->n; i++) {
		int got = bpf_run_on(program, cpus->at[i]);

		if (got && got != -ENXIO)
			return got;
	}
	return 0;
}

unsigned int bpf_cpus(void)
{
	return (unsigned int)cpus_possible("/sys");
}
