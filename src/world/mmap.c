// SPDX-License-Identifier: MIT
#include "world/guests.h"

#include <stdio.h>
#include <sys/mman.h>

static bool mmap_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static bool is_anonymous(const char *name, uint32_t flags)
{
	return !strcmp(name, "//anon") || mmap_starts(name, "/dev/zero") ||
	       mmap_starts(name, "/anon_hugepage") || (flags & MAP_HUGETLB);
}

static bool has_no_file(const char *name)
{
	return mmap_starts(name, "[stack") || mmap_starts(name, "/SYSV") || !strcmp(name, "[heap]");
}

static struct dso *user_dso(struct world *w, const char *name, const struct build_id *id,
			    uint32_t pid, const struct map *map)
{
	enum dso_kind kind = dso_user_kind(name);
	struct dso *dso;
	bool may_be_jit;

	if (!id->size) {
		uint32_t i = intern_find(&w->header_names, name, strlen(name));

		if (i != HASH_NONE)
			id = &w->header_ids.at[i];
	}
	/* A JIT may keep its code in a memfd, to map it twice. A file there has a build-id. */
	if (id->size && mmap_starts(name, "/memfd:"))
		kind = DSO_FILE;
	may_be_jit = kind == DSO_ANON && pid && map->prot & PROT_EXEC;
	dso = dso_set_get(&w->dsos, name, id->size ? id : NULL, kind,
			  may_be_jit ? (int32_t)pid : -1);
	if (!dso->mapped_by)
		dso->mapped_by = (int32_t)pid;
	if (!id->size && map->ino)
		dso->inode = (struct dso_inode){map->maj, map->min, map->ino, map->ino_generation};
	dso->mapping = (struct dso_mapping){(int32_t)pid, map->start, map->end};
	if (map->prot & PROT_EXEC)
		dso->code_offset = MIN(dso->code_offset, map->pgoff);
	return dso;
}

/* Executable memory without a file holds JIT code: its symbols are in the map file of that name. */
static struct dso *jit_dso(struct world *w, uint32_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int32_t)pid);
	return dso_set_get(&w->dsos, name, NULL, DSO_ANON, (int32_t)pid);
}

/* The .text id of the process's last version, if the new map leaves the executable maps as they
 * are; else 0. Programs grow their heap and map arenas hundreds of times. */
static uint32_t text_after(const struct process *p, const struct map *map)
{
	const struct map_version *v = p->versions.n ? vec_last(&p->versions) : NULL;

	return v && !v->code && !(map->prot & PROT_EXEC) &&
			       !maps_executable(v->root, map->start, map->end)
		       ? v->text
		       : 0;
}

void world_add_mmap(struct world *w, const struct record *r, uint64_t time)
{
	const struct rec_mmap *m = &r->mmap;
	uint8_t mode = r->header.misc & MISC_CPUMODE_MASK;
	struct build_id id = {0};
	struct map_version *v;
	struct thread *t;
	uint32_t text;
	struct map *map;

	if (r->header.type == RECORD_MMAP2 && r->header.misc & MISC_MMAP_BUILD_ID) {
		id.size = m->build_id_size;
		memcpy(id.bytes, m->build_id, id.size);
	}
	if (mode == MISC_GUEST_KERNEL) {
		guest_add_mmap(w, r, &id);
		return;
	}
	if (mode == MISC_KERNEL) {
		world_add_kernel_mmap(w, r, &id, time);
		return;
	}
	t = thread_get(w, m->pid, m->tid);
	if (w->without_maps)
		return;
	map = arena_alloc(&w->heap.arena, sizeof(*map));
	map->start = m->addr;
	map->end = m->addr + m->len;
	map->pgoff = m->pgoff;
	map->maj = m->maj;
	map->min = m->min;
	map->ino = m->ino;
	map->ino_generation = m->ino_generation;
	if (r->header.type == RECORD_MMAP2) {
		map->prot = m->prot;
		map->flags = m->flags;
	} else {
		map->prot = r->header.misc & MISC_MMAP_DATA ? 0 : PROT_EXEC;
	}
	if (is_anonymous(m->filename, map->flags) || has_no_file(m->filename)) {
		map->absolute = true;
		/* pid 0 has no map file */
		map->dso = t->pid && (map->prot & PROT_EXEC)
				   ? jit_dso(w, t->pid)
				   : dso_set_get(&w->dsos, m->filename, NULL, DSO_ANON, -1);
	} else if (!strcmp(m->filename, "[vdso]")) {
		map->pgoff = 0;
		map->dso = user_dso(w, m->filename, &id, t->pid, map);
	} else {
		map->dso = user_dso(w, m->filename, &id, t->pid, map);
	}
	if (map->dso->kind == DSO_ANON && map->dso->pid > 0)
		map->dso->process_begun =
			MIN(map->dso->process_begun, thread_get(w, t->pid, t->pid)->begun);
	if (!map->absolute && map->prot & PROT_EXEC)
		world_add_jitdump(w, t->process, m->filename, time);
	jit_advance(w, t->process, time);
	text = text_after(t->process, map);
	v = process_change(w, t->process, time);
	v->root = maps_cover(&w->heap, v->root, map, t->process->gen);
	v->text = text ? text : v->text;
}
