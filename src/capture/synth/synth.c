// SPDX-License-Identifier: MIT
#include "capture/synth/synth.h"

#include "capture/record/build_ids.h"
#include "capture/rings/capture.h"
#include "capture/synth/bpf_seen.h"
#include "os/machine/cgroup.h"
#include "os/machine/modules.h"
#include "world/world.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>

void synth_release(struct synth *s)
{
	vec_release(&s->todo);
}

struct map_walk {
	struct synth *s;
	uint32_t pid;
};

static bool synth_take_map(void *ctx, const struct proc_map *m)
{
	struct map_walk *w = ctx;
	struct proc_map copy = *m;
	bool exec = m->prot & PROT_EXEC;

	if (!strncmp(m->name, "/anon_hugepage", 14))
		copy.name = "//anon";
	record_write_mmap2(&w->s->writer, (uint16_t)(MISC_USER | (exec ? 0 : MISC_MMAP_DATA)),
			   w->pid, &copy);
	if (w->s->seen && exec && m->build_id_size)
		build_ids_add(w->s->seen, MISC_USER, m->build_id, m->build_id_size, m->name);
	return true;
}

static void maps(struct synth *s, int pid)
{
	struct proc_maps_options o = {.data = s->opts->data_maps,
				      .build_ids = s->opts->build_ids,
				      .timeout_ms = s->opts->map_timeout_ms};
	struct map_walk w = {s, (uint32_t)pid};

	if (s->opts->maps && proc_maps(s->opts->proc_root, pid, &o, synth_take_map, &w) == 1)
		s->late++;
}

static void namespaces(struct synth *s, int pid, int tid)
{
	struct proc_ns ns[PROC_NAMESPACES];

	if (s->opts->namespaces && proc_namespaces(s->opts->proc_root, tid, ns))
		record_write_namespaces(&s->writer, (uint32_t)pid, (uint32_t)tid, ns);
}

void synth_process(struct synth *s, int pid)
{
	struct proc_ids tasks = {0};
	bool kernel_thread = true;

	if (!s->opts->tasks && !s->opts->maps)
		return;
	if (proc_tasks(s->opts->proc_root, pid, &tasks))
		return;
	for (size_t i = 0; i < tasks.n; i++) {
		int tid = tasks.at[i];
		uint32_t parent;
		struct proc_status st;

		if (proc_status(s->opts->proc_root, pid, tid, &st))
			continue;
		if (tid == pid)
			kernel_thread = st.kernel_thread;
		if (!s->opts->tasks)
			continue;
		/* The parent of the other threads is not known: takes the first thread. */
		parent = (uint32_t)(tid == st.tgid ? st.ppid : st.tgid);
		record_write_fork(&s->writer, (uint32_t)st.tgid, (uint32_t)tid, parent, parent);
		namespaces(s, pid, tid);
		record_write_comm(&s->writer, (uint32_t)st.tgid, (uint32_t)tid, st.comm);
	}
	vec_release(&tasks);
	if (!kernel_thread)
		maps(s, pid);
}

void synth_family(struct synth *s, int pid, bool family)
{
	struct proc_ids tasks = {0};

	synth_process(s, pid);
	if (!family || proc_tasks(s->opts->proc_root, pid, &tasks))
		return;
	for (size_t i = 0; i < tasks.n; i++) {
		AUTO_CHAR *path = mem_printf("%s/%d/task/%d/children", s->opts->proc_root, pid,
					     tasks.at[i]);
		AUTO_CHAR *text = proc_file(path, NULL);

		for (char *p = text, *end; p; p = end) {
			long child = strtol(p, &end, 10);

			if (end == p || child <= pid)
				break; /* never a loop: children are made after their parents */
			synth_family(s, (int)child, true);
		}
	}
	vec_release(&tasks);
}

void synth_wakers(struct synth *s)
{
	struct proc_ids pids = {0};
	struct proc_status st;

	if (s->opts->tasks && !proc_pids(s->opts->proc_root, &pids))
		for (size_t i = 0; i < pids.n; i++)
			if (!proc_status(s->opts->proc_root, pids.at[i], pids.at[i], &st))
				record_write_comm(&s->writer, (uint32_t)st.tgid, (uint32_t)st.pid,
						  st.comm);
	vec_release(&pids);
}

void synth_bpf(struct synth *s)
{
	struct bpf_seen own = {0}, *seen = s->programs ? s->programs : &own;
	struct bpf_programs programs = {0};

	bpf_seen_add_new(seen);
	bpf_seen_parse(seen, &programs);
	for (size_t i = 0; i < programs.list.n; i++) {
		const struct bpf_program *p = &programs.list.at[i];

		for (size_t k = 0; k < p->n; k++)
			if (p->functions[k].address)
				record_write_ksymbol(&s->writer, p->functions[k].address,
						     p->functions[k].size, p->functions[k].name);
		record_write_bpf_load(&s->writer, p->id, p->tag);
	}
	bpf_programs_release(&programs);
	bpf_seen_release(&own);
}

static void take_cgroup(void *ctx, const char *path, uint64_t id)
{
	struct synth *s = ctx;

	record_write_cgroup(&s->writer, id, path);
}

void synth_cgroups(struct synth *s)
{
	cgroup_each(s->opts->sys_root, take_cgroup, s);
}

void synth_command(struct synth *s, int pid)
{
	if (!s->opts->tasks)
		return;
	record_write_comm(&s->writer, (uint32_t)pid, (uint32_t)pid, "perf-exec");
	namespaces(s, pid, pid);
}

void synth_outside(struct synth *s)
{
	record_write_comm(&s->writer, 0, 0, WORLD_OUTSIDE);
}

int synth_all(struct synth *s)
{
	s->next = 0;
	vec_clear(&s->todo);
	return s->opts->tasks || s->opts->maps ? proc_pids(s->opts->proc_root, &s->todo) : 0;
}

bool synth_step(struct synth *s, unsigned int processes)
{
	while (processes-- && s->next < s->todo.n)
		synth_process(s, s->todo.at[s->next++]);
	return s->next < s->todo.n;
}

static void modules(struct synth *s)
{
	struct modules all;
	struct utsname u;

	modules_read(&all, s->opts->proc_root, "/lib/modules", uname(&u) ? "" : u.release);
	for (size_t i = 0; i < all.all.n; i++) {
		const struct module *m = &all.all.at[i];
		uint8_t id[20];
		uint32_t n = 0;

		if (s->seen)
			n = host_kernel_build_id(s->opts->sys_root, m->name, id);
		if (n)
			build_ids_add(s->seen, MISC_KERNEL, id, n, m->path);
		record_write_kernel_mmap(&s->writer, m->start, m->size, 0, m->path);
	}
	modules_release(&all);
}

#define GIB	   (1ull << 30)
#define X86_KERNEL 0xffffffff80000000ull /* the lowest address of the kernel's text on x86 */

bool synth_kernel(struct synth *s)
{
	struct host_kernel k;
	uint8_t id[20];
	bool known = host_kernel_text(s->opts->proc_root, &k);
	uint32_t n;

	if (known) {
		AUTO_CHAR *name = mem_printf("[kernel.kallsyms]%s", k.reference);
		/* The end of the text is not known without rights. On x86 modules lie above the
		 * kernel's gigabyte; elsewhere they may lie anywhere. */
		uint64_t size = k.text >= X86_KERNEL ? GIB - k.text % GIB : GIB;

		record_write_kernel_mmap(&s->writer, k.text, k.etext ? k.etext - k.text : size,
					 k.text, name);
	}
	n = s->seen ? host_kernel_build_id(s->opts->sys_root, NULL, id) : 0;
	if (n)
		build_ids_add(s->seen, MISC_KERNEL, id, n, "[kernel.kallsyms]");
	modules(s);
	return known;
}

static void header(struct buf *b, uint32_t type, size_t size)
{
	struct record_header h = {.type = type, .size = (uint16_t)size};

	buf_add(b, &h, sizeof(h));
}

static void cpu_map(struct buf *b, const struct target *t)
{
	size_t size = (8 + 4 + 2 * t->cpus.n + 7) & ~(size_t)7, at = b->n;

	if (size > 65528)
		return;
	header(b, RECORD_CPU_MAP, size);
	buf_u16(b, 0); /* a plain list */
	buf_u16(b, (uint16_t)t->cpus.n);
	for (size_t i = 0; i < t->cpus.n; i++)
		buf_u16(b, (uint16_t)t->cpus.at[i]);
	buf_fill(b, 0, at + size - b->n);
}

void synth_index(struct record_writer *w, const struct capture *c, const struct target *t)
{
	size_t most = (65528 - 16) / 32, n = c->counters.n;

	for (size_t first = 0; first < n; first += most) {
		size_t some = MIN(most, n - first);

		header(w->b, RECORD_ID_INDEX, 16 + 32 * some);
		buf_u64(w->b, some);
		for (size_t i = first; i < first + some; i++) {
			const struct counter *k = &c->counters.at[i];

			buf_u64(w->b, k->id);
			buf_u64(w->b, k->slot);
			buf_u64(w->b, (uint64_t)(int64_t)k->cpu);
			buf_u64(w->b, (uint64_t)(int64_t)k->tid);
		}
	}
	most = (65528 - 16) / 24;
	n = MIN(most, t->tids.n);
	header(w->b, RECORD_THREAD_MAP, 16 + 24 * n);
	buf_u64(w->b, n);
	for (size_t i = 0; i < n; i++) {
		buf_u64(w->b, (uint64_t)(int64_t)t->tids.at[i]);
		buf_fill(w->b, 0, 16);
	}
	cpu_map(w->b, t);
}
