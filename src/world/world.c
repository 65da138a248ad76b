// SPDX-License-Identifier: MIT
#include "world/guests.h"

#include "base/sorted.h"
#include "data/feature/feature.h"
#include "os/machine/host.h"
#include "symbol/contained/contained.h"
#include "world/clock.h"
#include "world/covered.h"

#include <sys/mman.h>
#include <unistd.h>

/* Tells the dsos when the recording was made, to compare with the times of this machine's files. */
static void learn_clock(struct world *w)
{
	const struct host_clocks now = host_clocks_now();

	w->dsos.options.recorded_ns = w->rec->mtime_ns;
	w->dsos.options.clock = recorded_clock(w->rec, &now);
}

/* The running kernel must not stand for one of another release; where there are build-ids they
 * decide. A pipe names its kernel in a record. */
static void learn_kernel(struct world *w)
{
	if (w->m->osrelease && !host_runs(w->m->osrelease))
		w->dsos.options.no_live = true;
	w->dsos.options.osrelease = w->m->osrelease;
	if (!w->dsos.options.no_live && w->rec && w->rec->hostname &&
	    host_is_named(w->rec->hostname))
		learn_clock(w);
}

/* A recording that brings its kernel's list of symbols along: nothing else fits better. */
static void learn_kallsyms(struct world *w)
{
	struct symbol_options *o = &w->dsos.options;
	AUTO_CHAR *path = mem_printf("%s/kcore_dir/kallsyms", w->rec->path);

	if (w->rec->is_directory && !o->kallsyms && !o->vmlinux && !access(path, R_OK))
		o->kallsyms = arena_strdup(&w->dsos.arena, path);
}

/* A self-contained recording answers from itself. */
static void learn_contained(struct world *w)
{
	size_t n;
	const uint8_t *p = feature_payload(w->rec, FEATURE_CONTAINED, &n);

	if (p)
		contained_attach(&w->dsos, contained_open(p, n, w->m->swap));
}

struct world *world_new(const struct measurement *m, const struct symbol_options *symbols)
{
	struct world *w = NEW(struct world);

	w->m = m;
	dso_set_init(&w->dsos, symbols);
	learn_kernel(w);
	vec_add(&w->kernel, (struct kernel_version){0});
	w->kernel_gen = ++w->gen;
	/* epoch 0 is an empty state, for threads whose maps are not known (yet) */
	vec_add(&w->live_epochs, (struct live_epoch){0});
	/* the idle tasks are the only ones that have no COMM of their own */
	thread_name(w, thread_get(w, 0, 0), "swapper", 0, false);
	return w;
}

struct world *world_of_recording(const struct recording *rec, const struct symbol_options *symbols)
{
	struct world *w = world_new(&rec->m, symbols);

	w->rec = rec;
	learn_kernel(w);
	learn_kallsyms(w);
	learn_contained(w);
	world_learn_bpf(w);
	for (size_t i = 0; i < rec->build_ids.n; i++) {
		const struct build_id_entry *e = &rec->build_ids.at[i];
		struct build_id id = {.size = MIN(e->size, sizeof(id.bytes))};

		memcpy(id.bytes, e->id, id.size);
		world_add_build_id(w, e->pid, e->misc, &id, e->filename);
	}
	return w;
}

size_t world_bytes(const struct world *w)
{
	return w->arena.total + w->heap.arena.total + w->dsos.arena.total +
	       w->live_epochs.cap * sizeof(*w->live_epochs.at) +
	       w->threads.n * sizeof(**w->threads.at);
}

void world_free(struct world *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->threads.n; i++) {
		vec_release(&w->threads.at[i]->comms);
		vec_release(&w->threads.at[i]->namespaces);
	}
	for (size_t i = 0; i < w->processes.n; i++) {
		vec_release(&w->processes.at[i]->versions);
		jit_release(w->processes.at[i]->jit);
	}
	vec_release(&w->threads);
	vec_release(&w->processes);
	vec_release(&w->kernel);
	vec_release(&w->module_dsos);
	vec_release(&w->header_ids);
	vec_release(&w->live_epochs);
	vec_release(&w->sealed_versions);
	guests_release(w);
	idmap_release(&w->by_tid);
	idmap_release(&w->cgroups);
	idmap_release(&w->header_named);
	intern_release(&w->comms);
	intern_release(&w->cgroup_paths);
	intern_release(&w->module_names);
	intern_release(&w->header_names);
	dso_set_release(&w->dsos);
	arena_release(&w->heap.arena);
	arena_release(&w->arena);
	free(w);
}

struct dso_set *world_dsos(struct world *w)
{
	return &w->dsos;
}

void world_name_kernel(struct world *w, const char *name)
{
	w->kernel_name = name;
}

void world_present_only(struct world *w)
{
	w->present_only = true;
}

void world_without_maps(struct world *w)
{
	w->without_maps = true;
}

static void add_cgroup(struct world *w, const struct record *r)
{
	*idmap_put(&w->cgroups, r->cgroup.id) = intern_str(&w->cgroup_paths, r->cgroup.path);
}

static void add_pipe_build_id(struct world *w, const struct record *r)
{
	struct build_id id = {.size = MIN(r->build_id.build_id_size, sizeof(id.bytes))};

	memcpy(id.bytes, r->build_id.build_id, id.size);
	world_add_build_id(w, r->build_id.pid, r->header.misc, &id, r->build_id.filename);
}

void world_add(struct world *w, const struct record *r, uint64_t time)
{
	/* a late record takes effect when it is added */
	time = MAX(time, w->now);
	w->now = time;
	if (world_take_outside(w, r, time))
		return;
	switch (r->header.type) {
	case RECORD_SAMPLE:
		thread_get(w, r->sample.pid, r->sample.tid);
		break;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		world_add_mmap(w, r, time);
		break;
	case RECORD_COMM:
		world_add_comm(w, r, time);
		break;
	case RECORD_FORK:
		world_add_fork(w, r, time);
		break;
	case RECORD_EXIT:
		world_add_exit(w, r, time);
		break;
	case RECORD_NAMESPACES:
		world_add_namespaces(w, r, time);
		break;
	case RECORD_KSYMBOL:
		world_add_ksymbol(w, r, time);
		break;
	case RECORD_CGROUP:
		add_cgroup(w, r);
		break;
	case RECORD_HEADER_FEATURE:
		learn_kernel(w);
		if (r->feature.feature == FEATURE_BPF_PROG_INFO ||
		    r->feature.feature == FEATURE_BPF_BTF)
			world_learn_bpf(w);
		break;
	case RECORD_HEADER_BUILD_ID:
		add_pipe_build_id(w, r);
		break;
	default:
		break;
	}
}

const char *world_cgroup(const struct world *w, uint64_t id)
{
	uint32_t i = idmap_find(&w->cgroups, id);

	return i == HASH_NONE ? NULL : intern_text(&w->cgroup_paths, i);
}

/* One epoch for each version of the kernel that this version of maps meets. */
static uint64_t seal_version(struct world *w, uint32_t pid, const struct map_version *m,
			     uint64_t to, uint64_t base)
{
	uint32_t first = kernel_version_at(w, m->time);
	struct sealed_version v = {.root = m->root,
				   .code = m->code,
				   .text = m->text,
				   .pid = pid,
				   .base = (uint32_t)base,
				   .kernel = first};

	vec_add(&w->sealed_versions, v);
	return base + (w->one_kernel ? 1 : kernel_version_at(w, to) - first + 1);
}

static uint64_t seal_versions(struct world *w)
{
	/* live epochs stay valid */
	uint64_t base = seal_version(w, 0, &(struct map_version){0}, UINT64_MAX, w->live_epochs.n);

	for (size_t i = 0; i < w->processes.n; i++) {
		struct process *p = w->processes.at[i];

		p->first_version = (uint32_t)w->sealed_versions.n;
		for (size_t v = 0; v < p->versions.n; v++) {
			uint64_t to =
				v + 1 < p->versions.n ? p->versions.at[v + 1].time : UINT64_MAX;

			base = seal_version(w, p->pid, &p->versions.at[v], to, base);
		}
	}
	return base;
}

void world_seal(struct world *w)
{
	for (size_t i = 0; i < w->processes.n; i++)
		jit_advance(w, w->processes.at[i], UINT64_MAX);
	if (seal_versions(w) >= NO_EPOCH) {
		w->one_kernel = true;
		vec_clear(&w->sealed_versions);
		seal_versions(w);
	}
	w->sealed = true;
}

/* How many of its versions a process had got by that time. */
static size_t versions_by(const struct process *p, uint64_t time)
{
	return SORTED_UNTIL(p->versions.at, p->versions.n, time, time);
}

static uint32_t sealed_epoch(const struct world *w, const struct process *p, uint64_t time)
{
	const struct sealed_version *v = w->sealed_versions.at;
	size_t n = versions_by(p, time);

	if (n)
		v += p->first_version + n - 1;
	return v->base + (kernel_version_at(w, time) - v->kernel);
}

static void thread_state_epoch(const struct world *w, uint64_t time, struct thread_state *s)
{
	const struct process *p = s->thread->process;
	size_t n = versions_by(p, time), k = kernel_version_at(w, time);

	s->epoch = sealed_epoch(w, p, time);
	if (n)
		s->from = MAX(s->from, p->versions.at[n - 1].time);
	if (n < p->versions.n)
		s->to = MIN(s->to, p->versions.at[n].time - 1);
	if (w->one_kernel)
		return;
	if (k)
		s->from = MAX(s->from, w->kernel.at[k].time);
	if (k + 1 < w->kernel.n)
		s->to = MIN(s->to, w->kernel.at[k + 1].time - 1);
}

bool world_thread_state(const struct world *w, uint32_t tid, uint64_t time, struct thread_state *s)
{
	thread_state_who(w, tid, time, s);
	if (!s->thread)
		return false;
	thread_state_comm(w, time, s);
	thread_state_epoch(w, time, s);
	return true;
}

/* From now on the kernel's last version must not change. */
static void show_kernel(struct world *w)
{
	w->kernel_gen = ++w->gen;
	w->kernel_shown = true;
}

/* Makes an epoch of the present state. Where the past is kept, that state must not change from now
 * on. */
static struct live_epoch live_epoch(struct world *w, struct process *p)
{
	struct live_epoch e = {.kernel = (uint32_t)w->kernel.n - 1, .pid = p->pid};

	if (w->present_only) {
		e.process = p;
		return e;
	}
	if (p->versions.n) {
		e.root = vec_last(&p->versions)->root;
		e.code = vec_last(&p->versions)->code;
		e.text = vec_last(&p->versions)->text;
	}
	p->gen = ++w->gen;
	show_kernel(w);
	return e;
}

uint32_t world_epoch(struct world *w, const struct thread *t, uint64_t time)
{
	struct process *p = t->process;

	if (w->sealed)
		return sealed_epoch(w, p, time);
	jit_advance(w, p, time == WORLD_NOW ? w->now : time);
	if (p->epoch == NO_EPOCH || p->epoch_kernel != w->kernel_changes) {
		p->epoch = (uint32_t)w->live_epochs.n;
		p->epoch_kernel = w->kernel_changes;
		vec_add(&w->live_epochs, live_epoch(w, p));
	}
	return p->epoch;
}

uint32_t world_epoch_then(struct world *w, const struct thread *t, uint64_t time)
{
	struct process *p = t->process;
	size_t n = versions_by(p, time), at = n ? n - 1 : 0;
	uint32_t kernel = kernel_version_at(w, time);
	struct map_version *v;

	if (w->sealed || at + 1 >= p->versions.n)
		return world_epoch(w, t, time);
	v = &p->versions.at[at];
	if (v->epoch && w->live_epochs.at[v->epoch].kernel == kernel)
		return v->epoch;
	v->epoch = (uint32_t)w->live_epochs.n;
	vec_add(&w->live_epochs, (struct live_epoch){.pid = p->pid,
						     .root = v->root,
						     .code = v->code,
						     .kernel = kernel,
						     .text = v->text});
	show_kernel(w);
	return v->epoch;
}

/* The states that an epoch names. */
struct states {
	const struct map_node *user, *code;
	const struct kernel_version *kernel;
	uint32_t text;
	uint32_t pid; /* whose guest holds */
};

static struct states epoch_states(const struct world *w, uint32_t epoch)
{
	struct states s;

	if (w->sealed && epoch >= w->live_epochs.n) {
		const struct sealed_version *v = w->sealed_versions.at;
		size_t low = 0, high = w->sealed_versions.n;
		uint32_t k;

		while (high - low > 1) {
			size_t mid = (low + high) / 2;

			if (v[mid].base <= epoch)
				low = mid;
			else
				high = mid;
		}
		k = v[low].kernel + (epoch - v[low].base);
		s.user = v[low].root;
		s.code = v[low].code;
		s.text = v[low].text;
		s.pid = v[low].pid;
		s.kernel = &w->kernel.at[MIN(k, w->kernel.n - 1)];
	} else {
		const struct live_epoch e = w->live_epochs.at[epoch < w->live_epochs.n ? epoch : 0];

		s.user = e.root;
		s.code = e.code;
		s.text = e.text;
		s.pid = e.process ? e.process->pid : e.pid;
		s.kernel = &w->kernel.at[e.kernel];
		if (e.process && e.process->versions.n) {
			s.user = vec_last(&e.process->versions)->root;
			s.code = vec_last(&e.process->versions)->code;
			s.text = vec_last(&e.process->versions)->text;
		}
		/* epoch 0 has the kernel's last version */
		if (w->present_only || !epoch)
			s.kernel = vec_last(&w->kernel);
	}
	return s;
}

uint32_t world_epoch_text(const struct world *w, uint32_t epoch)
{
	return epoch_states(w, epoch).text;
}

uint32_t world_epoch_kernel(const struct world *w, uint32_t epoch)
{
	/* these have the kernel's last version, which may still change */
	if (!epoch || w->present_only)
		return ~epoch;
	return (uint32_t)(epoch_states(w, epoch).kernel - w->kernel.at);
}

/* JIT code lies in memory without a file. A file's map comes first: the code's memory may have been
 * unmapped and used for the file since. */
static const struct map *user_find(const struct states *s, uint64_t ip)
{
	const struct map *map = maps_find(s->user, ip), *code;

	if (!s->code || (map && map->dso->kind != DSO_ANON))
		return map;
	code = maps_find(s->code, ip);
	return code ? code : map;
}

struct place world_place(const struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip)
{
	struct place p = {.ip = ip, .offset = ip, .cpumode = cpumode, .level = 'H'};
	const struct states s = epoch_states(w, epoch);

	if (cpumode == MISC_KERNEL) {
		p.level = 'k';
		p.map = kernel_find(w, s.kernel, ip);
		/* the recorded range is that of the text; boot code lies outside of it */
		if (!p.map && s.kernel->text && dso_covers(s.kernel->text->dso, ip))
			p.map = s.kernel->text;
	} else if (cpumode == MISC_USER) {
		p.level = '.';
		p.map = user_find(&s, ip);
	} else if (cpumode_is_guest(cpumode) && world_guests(w)->wanted) {
		p.level = cpumode == MISC_GUEST_KERNEL ? 'g' : 'u';
		if (cpumode == MISC_GUEST_KERNEL)
			p.map = guest_find(w, s.pid, ip);
		else if (world_guests(w)->code)
			p.map = user_find(&s, ip);
	}
	if (p.map) {
		p.dso = p.map->dso;
		if (!p.map->absolute)
			p.offset = ip - p.map->start + p.map->pgoff;
	}
	return p;
}

enum nameless world_nameless(const struct world *w, uint32_t epoch, const struct place *p)
{
	const struct states s = epoch_states(w, epoch);

	if (p->cpumode == MISC_KERNEL && p->ip >= KERNEL_HALF && !p->map && !s.kernel->text)
		return NAMELESS_HIDDEN;
	if (p->cpumode == MISC_USER && (p->map ? !(p->map->prot & PROT_EXEC) : s.user != NULL))
		return NAMELESS_NO_CODE;
	return dso_nameless(p->map ? p->dso : NULL);
}

struct place world_place_any(const struct world *w, uint32_t epoch, uint64_t ip)
{
	struct place p = world_place(w, epoch, MISC_USER, ip);

	return p.map ? p : world_place(w, epoch, MISC_KERNEL, ip);
}

/* All addresses above 2^63 are the kernel's on 64-bit machines; elsewhere only a kernel with
 * symbols tells where it begins. */
static uint64_t kernel_start(const struct world *w, const struct kernel_version *k)
{
	bool x86_64 = !w->m->arch || !strcmp(w->m->arch, "x86_64");

	return !x86_64 && k->text && k->text->dso->symbols.n ? k->text->start : KERNEL_HALF;
}

struct place world_place_data(const struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip)
{
	if (cpumode == MISC_KERNEL || cpumode == MISC_USER) {
		const struct states s = epoch_states(w, epoch);

		cpumode = ip >= kernel_start(w, s.kernel) ? MISC_KERNEL : MISC_USER;
	}
	return world_place(w, epoch, cpumode, ip);
}

struct dso *world_dso_of_data(const struct world *w, uint32_t epoch, const struct map *map,
			      uint64_t ip, uint64_t *rva)
{
	const struct place place = {
		.map = map, .dso = map->dso, .offset = map->pgoff + (ip - map->start), .ip = ip};

	*rva = place_rva(&place);
	if (map->dso->kind != DSO_ANON)
		return map->dso;
	map = map->start ? maps_find(epoch_states(w, epoch).user, map->start - 1) : NULL;
	if (!map || map->dso->kind != DSO_FILE)
		return NULL;
	*rva = dso_rva(map->dso, map->pgoff + (ip - map->start));
	return map->dso;
}

size_t world_maps(const struct world *w, const struct thread *t, uint64_t time,
		  const struct map ***maps)
{
	const struct kernel_version *k = &w->kernel.at[kernel_version_at(w, time)];
	const struct map_node *root = t ? NULL : k->root;
	const struct map **list;
	size_t n;

	if (t)
		for (size_t i = 0; i < t->process->versions.n; i++)
			if (t->process->versions.at[i].time <= time)
				root = t->process->versions.at[i].root;
	n = maps_count(root);
	list = *maps = mem_alloc((n + 1) * sizeof(*list));
	if (!t && k->text)
		*list++ = k->text;
	return (size_t)(maps_list(root, list) - *maps);
}

static void covered_add_maps(struct covered *c, const struct map_node *root)
{
	const struct map **maps = mem_alloc((maps_count(root) + 1) * sizeof(*maps));
	const size_t n = (size_t)(maps_list(root, maps) - maps);

	for (size_t i = 0; i < n; i++) {
		const uint64_t first = maps[i]->start >> COVERED_SHIFT,
			       last = (maps[i]->end - 1) >> COVERED_SHIFT;

		/* a map that is so large, or damaged, sets all bits */
		if (last < first || last - first >= COVERED_BITS)
			memset(c, 0xff, sizeof(*c));
		else
			for (uint64_t at = first; at <= last; at++) {
				const uint32_t bit = covered_bit(at << COVERED_SHIFT);

				c->bits[bit / 64] |= 1ull << bit % 64;
			}
	}
	free(maps);
}

void world_epoch_covered(const struct world *w, uint32_t epoch, struct covered *c)
{
	const struct states s = epoch_states(w, epoch);

	*c = (struct covered){0};
	covered_add_maps(c, s.user);
	covered_add_maps(c, s.code);
}

size_t world_epoch_maps(const struct world *w, uint32_t epoch, const struct map ***maps)
{
	const struct states s = epoch_states(w, epoch);

	*maps = mem_alloc((maps_count(s.user) + 1) * sizeof(**maps));
	return (size_t)(maps_list(s.user, *maps) - *maps);
}
