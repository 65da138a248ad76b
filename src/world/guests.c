// SPDX-License-Identifier: MIT
#include "world/guests.h"

#include "symbol/contained/contained.h"

#include <stdio.h>
#include <unistd.h>

#define GUEST_KERNEL "[guest.kernel.kallsyms"

struct guest {
	struct map_node *root; /* modules */
	struct map *text;
	struct dso *kernel;
};

static struct guest *guest_at(const struct world *w, uint32_t pid)
{
	uint32_t i = idmap_find(&w->guest_pids, pid);

	return i == HASH_NONE ? NULL : w->guests.at[i];
}

/* "[guest.kernel.kallsyms]"; of the guest of a process with its pid. */
static char *guest_name(uint32_t pid)
{
	return pid ? mem_printf(GUEST_KERNEL ".%u]", pid) : mem_printf(GUEST_KERNEL "]");
}

static struct guest *guest_new(struct world *w, uint32_t pid, const char *kallsyms)
{
	const struct guest_options *o = &w->dsos.options.guests;
	struct guest *g = arena_alloc(&w->arena, sizeof(*g));
	AUTO_CHAR *name = guest_name(pid);

	g->kernel = dso_set_get_guest_kernel(&w->dsos, name, pid ? kallsyms : o->kallsyms,
					     pid ? NULL : o->vmlinux);
	*idmap_put(&w->guest_pids, pid) = (uint32_t)w->guests.n;
	vec_add(&w->guests, g);
	return g;
}

/* True when the recording has answers for that guest, and the user names no others. */
static bool guest_is_contained(const struct world *w, uint32_t pid)
{
	const struct guest_options *o = &w->dsos.options.guests;
	AUTO_CHAR *name = guest_name(pid);

	return !o->mount && !o->kallsyms && !o->modules && !o->vmlinux &&
	       contained_knows_guest(&w->dsos, name);
}

/* The guest that a record of that pid speaks of. */
static struct guest *guest_get(struct world *w, uint32_t pid)
{
	const struct guest_options *o = &w->dsos.options.guests;
	struct guest *g = guest_at(w, pid);
	const char *kallsyms = NULL;

	if (g)
		return g;
	if (pid && o->mount) {
		kallsyms = arena_printf(&w->arena, "%s/%u/proc/kallsyms", o->mount, pid);
		if (access(kallsyms, R_OK))
			kallsyms = NULL;
	}
	if (pid && (kallsyms || o->code || guest_is_contained(w, pid)))
		return guest_new(w, pid, kallsyms);
	g = guest_at(w, 0);
	return g ? g : guest_new(w, 0, NULL);
}

static void guest_set_text(struct world *w, struct guest *g, const struct rec_mmap *m)
{
	struct kernel_layout layout = {.text_start = m->addr, .text_end = m->addr + m->len};
	const char *reference = strchr(m->filename, ']');

	g->text = kernel_map_new(w, g->kernel, m->addr, m->addr + m->len);
	g->text->absolute = true;
	if (!g->text->start && !g->text->end)
		g->text->end = UINT64_MAX;
	if (m->pgoff && reference && reference[1]) {
		layout.reference = reference + 1;
		layout.reference_recorded = m->pgoff;
	}
	dso_set_kernel_layout(g->kernel, &layout);
}

void guest_add_mmap(struct world *w, const struct record *r, const struct build_id *id)
{
	const struct rec_mmap *m = &r->mmap;
	struct guest *g;
	struct dso *module;
	struct map *map;

	if (!w->dsos.options.guests.wanted)
		return;
	g = guest_get(w, m->pid == (uint32_t)-1 ? 0 : m->pid);
	if (!strncmp(m->filename, GUEST_KERNEL, strlen(GUEST_KERNEL))) {
		guest_set_text(w, g, m);
		if (id->size)
			dso_set_build_id(g->kernel, id);
		return;
	}
	if (m->filename[0] != '/' && m->filename[0] != '[')
		return;
	module = dso_set_get_guest_module(g->kernel, m->filename);
	if (id->size)
		dso_set_build_id(module, id);
	map = kernel_map_new(w, module, m->addr, m->addr + m->len);
	module->mapping = (struct dso_mapping){0, map->start, map->end};
	g->root = maps_insert(&w->heap, g->root, map, w->kernel_gen);
}

const struct map *guest_find(const struct world *w, uint32_t pid, uint64_t ip)
{
	const struct guest *g = guest_at(w, pid);
	const struct map *m;

	if (!g)
		g = guest_at(w, 0);
	if (!g)
		return NULL;
	m = maps_nearest(g->root, ip);
	if (!m && g->text &&
	    ((ip >= g->text->start && ip < g->text->end) || dso_covers(g->kernel, ip)))
		m = g->text;
	return m;
}

struct thread *world_guest_thread(struct world *w, const struct thread *t)
{
	const struct guest_options *o = &w->dsos.options.guests;
	uint32_t *at = idmap_put(&w->guest_threads, t->index);
	struct thread *made;
	char name[32];

	if (*at != HASH_NONE)
		return w->threads.at[*at];
	*at = (uint32_t)w->threads.n;
	made = thread_make(w, t->pid, t->tid, 0);
	made->process = t->process;
	if (o->code) {
		snprintf(name, sizeof(name), "[guest/%d]", (int32_t)t->pid);
		thread_name(w, made, name, 0, false);
	}
	return made;
}

const struct guest_options *world_guests(const struct world *w)
{
	return &w->dsos.options.guests;
}

bool world_wants_mode(const struct world *w, uint8_t cpumode)
{
	const struct guest_options *o = &w->dsos.options.guests;

	if (cpumode_is_guest(cpumode))
		return o->wanted;
	return !o->without_host || (cpumode != MISC_KERNEL && cpumode != MISC_USER);
}

void guests_release(struct world *w)
{
	vec_release(&w->guests);
	idmap_release(&w->guest_pids);
	idmap_release(&w->guest_threads);
}
