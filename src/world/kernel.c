// SPDX-License-Identifier: MIT
#include "world/state.h"

#include "data/feature/bpf_info.h"

#include <stdio.h>

#define KERNEL_NAME "[kernel.kallsyms]"
#define SHORT_NAME  "[kernel.vmlinux]" /* of a kernel that is named by its vmlinux file */

static bool kernel_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/*
 * True for the name or path of a module. short_name becomes "[name]", with '_' for '-', as the
 * kernel names modules; for anything else, the last part of the path.
 */
static bool module_name(const char *path, char *short_name, size_t size)
{
	static const char *const not_modules[] = {
		"[kernel.kallsyms]", "[guest.kernel.kallsyms", "[vdso]", "[vdso32]", "[vdsox32]",
		"[vsyscall]"};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	snprintf(short_name, size, "%s", name);
	if (name[0] == '[') {
		for (size_t i = 0; i < ARRAY_SIZE(not_modules); i++)
			if (kernel_starts(name, not_modules[i]))
				return false;
		return true;
	}
	if (!dot)
		return false;
	if (!strcmp(dot, ".gz") || !strcmp(dot, ".xz") || !strcmp(dot, ".zst")) {
		if (dot - name < 3)
			return false;
		dot -= 3;
	}
	if (dot <= name || !kernel_starts(dot, ".ko"))
		return false;
	snprintf(short_name, size, "[%.*s]", (int)(dot - name), name);
	for (char *p = short_name; *p; p++)
		if (*p == '-')
			*p = '_';
	return true;
}

static struct dso *module_get(struct world *w, const char *path, const struct build_id *id)
{
	char short_name[256];
	uint32_t i;

	module_name(path, short_name, sizeof(short_name));
	i = intern_put(&w->module_names, short_name, strlen(short_name));
	if (i == w->module_dsos.n)
		vec_add(&w->module_dsos,
			dso_set_get(&w->dsos, path, id->size ? id : NULL, DSO_MODULE, -1));
	else if (id->size)
		dso_set_build_id(w->module_dsos.at[i], id);
	return w->module_dsos.at[i];
}

void world_add_build_id(struct world *w, int32_t pid, uint16_t misc, const struct build_id *id,
			const char *name)
{
	uint8_t mode = misc & MISC_CPUMODE_MASK;
	char short_name[256];
	struct dso *dso;

	if (pid != -1 || !id->size)
		return;
	if (mode == MISC_KERNEL) {
		if (module_name(name, short_name, sizeof(short_name))) {
			dso = module_get(w, name, id);
		} else {
			dso = dso_set_get(&w->dsos, name, id, DSO_KERNEL, -1);
			if (!w->kernel_dso)
				w->kernel_dso = dso;
		}
	} else if (mode == MISC_USER || mode == MISC_GUEST_USER) {
		if (intern_put(&w->header_names, name, strlen(name)) == w->header_ids.n)
			vec_add(&w->header_ids, *id);
		dso = dso_set_get(&w->dsos, name, id, dso_user_kind(name), -1);
	} else {
		return;
	}
	*idmap_put(&w->header_named, dso->index) = 1;
}

const char *world_dso_name(const struct world *w, const struct dso *dso)
{
	bool header = idmap_find(&w->header_named, dso->index) != HASH_NONE;

	if (dso->kind == DSO_MODULE && !header)
		return dso->short_name;
	return dso->long_name;
}

/* The kernel version that a change at that time goes into: the last one, or a new one where an
 * epoch or an earlier time needs the last. */
static struct kernel_version *kernel_change(struct world *w, uint64_t time)
{
	struct kernel_version *last = vec_last(&w->kernel);

	w->kernel_changes++;
	if (!w->present_only && (last->time < time || w->kernel_shown)) {
		struct kernel_version next = {time, last->root, last->text};

		vec_add(&w->kernel, next);
		w->kernel_gen = ++w->gen;
		w->kernel_shown = false;
	}
	return vec_last(&w->kernel);
}

/* The recorded range does not hold the init text, which the kernel frees after boot. kallsyms
 * does. */
static bool in_kernel_text(const struct map *text, uint64_t ip)
{
	if (ip >= text->start && ip < text->end)
		return true;
	if (ip < KERNEL_HALF)
		return false;
	dso_load(text->dso);
	return text->dso->source == SYMBOLS_KALLSYMS && dso_covers(text->dso, ip);
}

/*
 * Since Linux 6.4, the size of a module includes memory that lies elsewhere, so that modules seem
 * to overlap. An address belongs to the map with the nearest start at or below it.
 */
static struct map *recorded_find(const struct kernel_version *k, uint64_t ip)
{
	struct map *m = maps_nearest(k->root, ip);

	return m || !k->text || !in_kernel_text(k->text, ip) ? m : k->text;
}

struct map *kernel_find(const struct world *w, const struct kernel_version *k, uint64_t ip)
{
	struct map *m = maps_nearest(k->root, ip), *bpf = NULL;

	if (m || !(k->text && ip >= k->text->start && ip < k->text->end))
		bpf = maps_find(w->bpf, ip);
	if (bpf && (!m || bpf->start > m->start))
		return bpf;
	return m ? m : recorded_find(k, ip);
}

struct map *kernel_map_new(struct world *w, struct dso *dso, uint64_t start, uint64_t end)
{
	struct map *m = arena_alloc(&w->heap.arena, sizeof(*m));

	m->start = start;
	m->end = end;
	m->dso = dso;
	m->in_kernel = true;
	return m;
}

static void kernel_text(struct world *w, const struct rec_mmap *m, const struct build_id *id,
			uint64_t time)
{
	struct kernel_layout layout = {.text_start = m->addr, .text_end = m->addr + m->len};
	struct kernel_version *k;

	if (!w->kernel_dso)
		w->kernel_dso =
			dso_set_get(&w->dsos, KERNEL_NAME, id->size ? id : NULL, DSO_KERNEL, -1);
	else if (id->size)
		dso_set_build_id(w->kernel_dso, id);
	if (strstr(w->kernel_dso->long_name, "vmlinux"))
		w->kernel_dso->short_name = SHORT_NAME;
	else if (w->kernel_name)
		w->kernel_dso->short_name = w->kernel_name;
	k = kernel_change(w, time);
	k->text = kernel_map_new(w, w->kernel_dso, m->addr, m->addr + m->len);
	k->text->absolute = true;
	/* some recordings have a kernel from 0 to 0: it covers all addresses then */
	if (!k->text->start && !k->text->end)
		k->text->end = UINT64_MAX;
	/* pgoff is the address of the reference symbol; 0: it was hidden from the recorder */
	if (m->pgoff && strlen(m->filename) > strlen(KERNEL_NAME)) {
		layout.reference = arena_strdup(&w->arena, m->filename + strlen(KERNEL_NAME));
		layout.reference_recorded = m->pgoff;
	}
	dso_set_kernel_layout(w->kernel_dso, &layout);
}

void world_add_kernel_mmap(struct world *w, const struct record *r, const struct build_id *id,
			   uint64_t time)
{
	const struct rec_mmap *m = &r->mmap;
	bool is_kernel = !strncmp(m->filename, KERNEL_NAME, strlen(KERNEL_NAME) - 1);
	struct kernel_version *k;
	struct map *map;

	if (m->filename[0] == '/' || (m->filename[0] == '[' && !is_kernel)) {
		map = kernel_map_new(w, module_get(w, m->filename, id), m->addr, m->addr + m->len);
		map->dso->mapping = (struct dso_mapping){0, map->start, map->end};
	} else if (is_kernel) {
		kernel_text(w, m, id, time);
		return;
	} else if (!strcmp(m->filename, "__entry_SYSCALL_64_trampoline") && w->kernel_dso) {
		map = kernel_map_new(w, w->kernel_dso, m->addr, m->addr + m->len);
		map->pgoff = m->pgoff;
	} else {
		return;
	}
	k = kernel_change(w, time);
	k->root = maps_insert(&w->heap, k->root, map, w->kernel_gen);
}

static struct map *made_code_map(struct world *w, enum dso_kind kind, uint64_t start, uint64_t len,
				 const char *name)
{
	struct dso *dso = dso_set_get_made(&w->dsos, name, kind, start, len);
	struct map *map = kernel_map_new(w, dso, start, start + len);

	map->absolute = true;
	return map;
}

void world_learn_bpf(struct world *w)
{
	struct bpf_programs programs = {0};

	if (!w->rec)
		return;
	bpf_programs_read(&programs, w->rec);
	for (size_t i = 0; i < programs.list.n; i++) {
		const struct bpf_program *p = &programs.list.at[i];

		for (size_t k = 0; k < p->n; k++) {
			const struct bpf_function *f = &p->functions[k];
			struct map *map;

			if (f->address < KERNEL_HALF || !f->size ||
			    f->address + f->size < f->address)
				continue;
			map = made_code_map(w, DSO_BPF, f->address, f->size, f->name);
			dso_set_code(map->dso, &(struct made_code){f->code, f->size, w->m->arch,
								   f->lines, f->n_lines});
			w->bpf = maps_cover(&w->heap, w->bpf, map, w->kernel_gen);
		}
	}
	bpf_programs_release(&programs);
}

void world_add_ksymbol(struct world *w, const struct record *r, uint64_t time)
{
	const struct rec_ksymbol *s = &r->ksymbol;
	struct kernel_version *k = vec_last(&w->kernel);
	struct map *map = maps_nearest(k->root, s->addr);
	enum { UNREGISTER = 1, TYPE_OOL = 2 };

	/* such code never lies in init text, so the kernel's symbols need not be read for it */
	if (!map && k->text && s->addr >= k->text->start && s->addr < k->text->end)
		return;

	/* a module that starts below the address may only seem to reach it */
	if (map && map->dso->kind == DSO_MODULE && map->start < s->addr)
		map = NULL;
	if (s->flags & UNREGISTER) {
		if (!map)
			return;
		k = kernel_change(w, time);
		k->root = maps_remove(&w->heap, k->root, map, w->kernel_gen);
		return;
	}
	if (map)
		return;
	map = made_code_map(w, s->ksym_type == TYPE_OOL ? DSO_OOL : DSO_BPF, s->addr, s->len,
			    s->name);
	k = kernel_change(w, time);
	k->root = maps_insert(&w->heap, k->root, map, w->kernel_gen);
}

uint32_t kernel_version_at(const struct world *w, uint64_t time)
{
	size_t low = 0, high = w->kernel.n;

	if (w->one_kernel)
		return (uint32_t)w->kernel.n - 1;
	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (w->kernel.at[mid].time <= time)
			low = mid;
		else
			high = mid;
	}
	return (uint32_t)low;
}
