// SPDX-License-Identifier: MIT
#include "symbol/cache/stored_symbols.h"
#include "symbol/contained/contained_private.h"
#include "symbol/demangle.h"
#include "symbol/disasm/llvm.h"
#include "symbol/dso_private.h"
#include "symbol/lines/lines.h"

#include <stdio.h>
#include <string.h>

static bool dso_starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && !strcmp(s + n - m, suffix);
}

static bool perf_map_pid(const char *name, int *pid)
{
	return sscanf(name, "/tmp/perf-%d.map", pid) == 1;
}

bool dso_is_perf_map(const struct dso *dso)
{
	int pid;

	return dso->kind == DSO_ANON && perf_map_pid(dso->long_name, &pid);
}

static bool is_module_file(const char *name)
{
	return ends(name, ".ko") || ends(name, ".ko.gz") || ends(name, ".ko.xz") ||
	       ends(name, ".ko.zst");
}

static enum dso_kind dso_kind_of(const char *name)
{
	static const struct {
		const char *prefix;
		enum dso_kind kind;
	} prefixes[] = {
		{"[kernel.kallsyms]", DSO_KERNEL},
		{"[guest.kernel.kallsyms", DSO_KERNEL},
		{"[kernel]", DSO_KERNEL},
		{"[vdso", DSO_VDSO},
		{"[vsyscall]", DSO_VSYSCALL},
		{"//anon", DSO_ANON},
		{"[heap]", DSO_ANON},
		{"[stack", DSO_ANON},
		{"[anon", DSO_ANON},
		{"anon_inode:", DSO_ANON},
		{"/anon_hugepage", DSO_ANON},
		{"/memfd:", DSO_ANON},
		{"/dev/zero", DSO_ANON},
		{"/SYSV", DSO_ANON},
		{"[uprobes]", DSO_ANON},
		{"bpf_prog_", DSO_BPF},
	};
	int pid;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (dso_starts(name, prefixes[i].prefix))
			return prefixes[i].kind;
	if (perf_map_pid(name, &pid))
		return DSO_ANON;
	if (is_module_file(name) || (name[0] == '[' && ends(name, "]")))
		return DSO_MODULE;
	return DSO_FILE;
}

enum dso_kind dso_user_kind(const char *long_name)
{
	enum dso_kind kind = dso_kind_of(long_name);

	return kind == DSO_MODULE || kind == DSO_KERNEL || kind == DSO_BPF ? DSO_FILE : kind;
}

/* "/lib/modules/R/kernel/arch/x86/kvm/kvm-intel.ko.xz" is "[kvm_intel]". */
static const char *module_short_name(struct arena *arena, const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	const char *dot = strstr(base, ".ko");
	char *text;

	if (*base == '[')
		return name;
	text = arena_printf(arena, "[%.*s]", (int)(dot ? (size_t)(dot - base) : strlen(base)),
			    base);
	for (char *c = text; *c; c++)
		if (*c == '-')
			*c = '_';
	return text;
}

static const char *short_name_of(struct arena *arena, const struct dso *dso)
{
	const char *name = dso->long_name;
	size_t n = strlen(name), start;
	int pid;

	if (dso->kind == DSO_MODULE)
		return module_short_name(arena, name);
	if (dso->kind == DSO_JITDUMP || perf_map_pid(name, &pid))
		return arena_printf(arena, "[JIT] tid %d", dso->pid);
	while (n > 1 && name[n - 1] == '/')
		n--;
	for (start = n; start && name[start - 1] != '/';)
		start--;
	return start == n ? name : arena_strndup(arena, name + start, n - start);
}

void dso_set_init(struct dso_set *set, const struct symbol_options *options)
{
	const char *home = getenv("HOME");

	*set = (struct dso_set){.private_data = NEW(struct dso_set_private)};
	pthread_mutex_init(&set->private_data->tables_lock, NULL);
	pthread_mutex_init(&set->private_data->noted_lock, NULL);
	if (options)
		set->options = *options;
	set->private_data->buildid_dir = set->options.buildid_dir;
	if (set->options.symfs && *set->options.symfs)
		set->private_data->buildid_dir =
			arena_printf(&set->arena, "%s/.debug", set->options.symfs);
	else if (!set->options.buildid_dir && home)
		set->private_data->buildid_dir = arena_printf(&set->arena, "%s/.debug", home);
}

static void dso_release(struct dso *dso)
{
	struct dso_private *p = dso->private_data;

	dso_unwind_release(dso);
	dso_lines_release(dso);
	contained_note_release_dso(dso);
	idmap_release(&p->odd);
	kernel_table_release(&p->guest_table);
	arena_release(&p->arena);
	buf_release(&p->tried);
	pthread_mutex_destroy(&p->lock);
	symbol_table_release(&dso->symbols);
	vec_release(&p->segments);
	free((void *)p->shown);
	mapped_release(&p->image);
	mapped_release(&p->other_image);
}

void dso_set_give_back(const struct dso_set *set)
{
	for (size_t i = 0; i < set->dsos.n; i++) {
		const struct dso *dso = set->dsos.at[i];
		const struct dso_private *p = dso->private_data;

		mapped_give_back(&p->image);
		mapped_give_back(&p->other_image);
		mapped_give_back(&p->unwind_image);
		if (dso->symbols.stored)
			stored_symbols_give_back(dso->symbols.stored);
	}
}

void dso_set_release(struct dso_set *set)
{
	for (size_t i = 0; i < set->dsos.n; i++)
		dso_release(set->dsos.at[i]);
	vec_release(&set->dsos);
	idmap_release(&set->by_key);
	if (set->private_data) {
		llvm_close(set->private_data->llvm);
		kernel_table_release(&set->private_data->live);
		kernel_table_release(&set->private_data->copy);
		kcore_release(&set->private_data->kcore);
		pthread_mutex_destroy(&set->private_data->tables_lock);
		pthread_mutex_destroy(&set->private_data->noted_lock);
		contained_note_release(set);
		contained_free(set->private_data->contained);
	}
	free(set->private_data);
	arena_release(&set->arena);
	*set = (struct dso_set){0};
}

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	/* some writers pad a short id with zeros to 20 bytes */
	struct build_id x = *a, y = *b;

	memset(x.bytes + x.size, 0, sizeof(x.bytes) - x.size);
	memset(y.bytes + y.size, 0, sizeof(y.bytes) - y.size);
	return !memcmp(x.bytes, y.bytes, sizeof(x.bytes));
}

static void lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t how;

	pthread_mutexattr_init(&how);
	pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(lock, &how);
	pthread_mutexattr_destroy(&how);
}

static struct dso *dso_new(struct dso_set *set, const char *long_name, const struct build_id *id,
			   enum dso_kind kind, int32_t pid)
{
	struct dso *dso = arena_alloc(&set->arena, sizeof(*dso));
	int map_pid;

	dso->set = set;
	dso->index = (uint32_t)set->dsos.n;
	dso->kind = kind;
	dso->long_name = arena_strdup(&set->arena, long_name);
	dso->pid = pid;
	if (pid < 0 && perf_map_pid(long_name, &map_pid))
		dso->pid = map_pid;
	dso->in_kernel =
		kind == DSO_KERNEL || kind == DSO_MODULE || kind == DSO_BPF || kind == DSO_OOL;
	dso->guest = dso_starts(long_name, "[guest.");
	dso->mem_mapped_by_ip =
		(dso->in_kernel && kind != DSO_MODULE) || kind == DSO_ANON || kind == DSO_VSYSCALL;
	dso->is_64_bit = true;
	dso->code_offset = UINT64_MAX;
	dso->process_begun = UINT64_MAX;
	dso->origin = '!';
	dso->short_name = short_name_of(&set->arena, dso);
	dso->private_data = arena_alloc(&set->arena, sizeof(*dso->private_data));
	lock_init(&dso->private_data->lock);
	if (id)
		dso->build_id = *id;
	vec_add(&set->dsos, dso);
	return dso;
}

static uint32_t *slot_of(struct dso_set *set, const char *long_name, const struct build_id *id,
			 enum dso_kind kind, int32_t pid)
{
	struct {
		int32_t pid;
		struct build_id id;
	} key = {.pid = pid};

	if (id && id->size)
		key.id = *id;
	return idmap_put(&set->by_key, hash_bytes(long_name, strlen(long_name),
						  hash_bytes(&key, sizeof(key), kind)));
}

struct dso *dso_set_get(struct dso_set *set, const char *long_name, const struct build_id *id,
			enum dso_kind kind, int32_t pid)
{
	uint32_t *slot;

	if (kind == DSO_UNKNOWN)
		kind = dso_kind_of(long_name);
	slot = slot_of(set, long_name, id, kind, pid);
	if (*slot != HASH_NONE)
		return set->dsos.at[*slot];
	*slot = (uint32_t)set->dsos.n;
	return dso_new(set, long_name, id, kind, pid);
}

/* Machines that trace make such dsos by the thousand: nothing of the dso's own arena is taken. */
static void add_symbol(struct dso *dso, uint64_t start, uint64_t len)
{
	if (start + len < start)
		return;
	vec_add(&dso->symbols,
		(struct symbol){.start = start,
				.end = start + len,
				.name = dso->long_name,
				.binding = STB_LOCAL,
				.type = STT_FUNC});
	dso->source = SYMBOLS_SYNTHETIC;
	dso->origin = 'i';
}

struct dso *dso_set_get_made(struct dso_set *set, const char *name, enum dso_kind kind,
			     uint64_t start, uint64_t len)
{
	struct dso *dso = dso_set_get(set, name, NULL, kind, -1);
	const struct symbol *known = dso->symbols.n ? symbol_table_at(&dso->symbols, 0) : NULL;

	if (known && known->start == start && known->end == start + len)
		return dso;
	if (known) {
		*slot_of(set, name, NULL, kind, -1) = (uint32_t)set->dsos.n;
		dso = dso_new(set, name, NULL, kind, -1);
	}
	add_symbol(dso, start, len);
	return dso;
}

void dso_set_code(struct dso *dso, const struct made_code *code)
{
	struct made_code *own = &dso->private_data->code;
	const size_t size = code->n_lines * sizeof(*code->lines);

	*own = *code;
	if (size)
		own->lines = memcpy(arena_alloc(&dso->set->arena, size), code->lines, size);
}

void dso_set_build_id(struct dso *dso, const struct build_id *id)
{
	dso->build_id = *id;
}

void dso_set_kernel_layout(struct dso *kernel, const struct kernel_layout *layout)
{
	kernel->private_data->layout = *layout;
	kernel->private_data->layout.reference =
		arena_strdup(&kernel->set->arena, layout->reference ? layout->reference : "");
	kernel->private_data->has_layout = true;
}

struct dso *dso_set_get_guest_kernel(struct dso_set *set, const char *long_name,
				     const char *kallsyms, const char *vmlinux)
{
	struct dso *kernel = dso_set_get(set, long_name, NULL, DSO_KERNEL, -1);

	kernel->guest = true;
	kernel->private_data->guest_kallsyms = kallsyms;
	kernel->private_data->guest_vmlinux = vmlinux;
	return kernel;
}

struct dso *dso_set_get_guest_module(struct dso *kernel, const char *long_name)
{
	/* guests have modules of the same names: the kernel's number keeps them apart */
	struct dso *module =
		dso_set_get(kernel->set, long_name, NULL, DSO_MODULE, (int32_t)kernel->index);

	module->guest = true;
	module->guest_kernel = kernel;
	module->origin = 'G';
	return module;
}

static void symbol_dso_load(struct dso *dso)
{
	bool found = false;

	if (dso->source == SYMBOLS_SYNTHETIC || dso->source == SYMBOLS_JITDUMP) {
		symbol_table_seal(&dso->symbols);
		return;
	}
	contained_find(dso);
	if (contained_of(dso)) {
		contained_load(dso);
		return;
	}
	switch (dso->kind) {
	case DSO_FILE:
		found = dso_load_elf(dso);
		break;
	case DSO_KERNEL:
		found = dso_load_kernel(dso);
		break;
	case DSO_MODULE:
		found = dso_load_module(dso);
		break;
	case DSO_VDSO:
		found = dso_load_vdso(dso);
		break;
	case DSO_ANON:
		found = dso_load_perf_map(dso);
		break;
	case DSO_JITDUMP:
	case DSO_VSYSCALL:
	case DSO_BPF:
	case DSO_OOL:
	case DSO_UNKNOWN:
		break;
	}
	if (!found) {
		dso->source = SYMBOLS_NONE;
		dso->origin = dso->guest && dso->kind == DSO_MODULE ? 'G' : '!';
	}
	symbol_table_seal(&dso->symbols);
}

void dso_load(struct dso *dso)
{
	dso_once(dso, &dso->private_data->loaded, symbol_dso_load);
}

uint64_t dso_rva(struct dso *dso, uint64_t file_offset)
{
	dso_load(dso);
	return file_offset + dso->private_data->offset_shift;
}

/* Executable segments take precedence: a page where two segments meet belongs to both. Of others,
 * the one that begins last: zeros behind the bytes of a segment have offsets that the next one has,
 * too. */
uint64_t dso_vaddr(struct dso *dso, uint64_t rva)
{
	const struct dso_private *p = dso->private_data;
	const struct elf_segment *found = NULL;

	dso_load(dso);
	for (size_t i = 0; i < p->segments.n; i++) {
		const struct elf_segment *s = &p->segments.at[i];

		if (rva >= s->offset && rva - s->offset < MAX(s->filesz, s->memsz) &&
		    (!found || (!(found->flags & PF_X) &&
				(s->flags & PF_X || s->offset > found->offset))))
			found = s;
	}
	return found ? rva - found->offset + found->vaddr : rva;
}

uint64_t dso_rva_of_vaddr(struct dso *dso, uint64_t vaddr)
{
	const struct dso_private *p = dso->private_data;

	dso_load(dso);
	for (size_t i = 0; i < p->segments.n; i++) {
		const struct elf_segment *s = &p->segments.at[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < MAX(s->filesz, s->memsz))
			return vaddr - s->vaddr + s->offset;
	}
	return vaddr;
}

uint64_t dso_address(struct dso *dso, uint64_t ip, uint64_t file_offset)
{
	dso_load(dso);
	return dso->mem_mapped_by_ip ? ip : dso_rva(dso, file_offset);
}

const struct symbol *dso_find(struct dso *dso, uint64_t rva)
{
	const struct symbol *sym;

	dso_load(dso);
	if (dso->private_data->has_odd && contained_odd(dso, rva, &sym))
		return sym;
	sym = symbol_table_find(&dso->symbols, rva);
	if (contained_notes(dso))
		contained_note_symbol(dso, rva, sym);
	return sym;
}

bool dso_covers(struct dso *dso, uint64_t rva)
{
	const struct symbol_table *t = &dso->symbols;

	dso_load(dso);
	if (contained_of(dso))
		return rva >= contained_of(dso)->first && rva < contained_of(dso)->last;
	return t->n && rva >= symbol_table_at(t, 0)->start &&
	       rva < symbol_table_at(t, t->n - 1)->end;
}

void dso_find_names(struct dso *dso, const char *const *names, size_t n,
		    const struct symbol **found)
{
	dso_load(dso);
	if (dso->symbols.stored) {
		stored_symbols_named(&dso->symbols, names, n, found);
		return;
	}
	memset(found, 0, n * sizeof(*found));
	for (size_t i = 0, left = n; i < dso->symbols.n && left; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i);

		for (size_t j = 0; j < n; j++)
			if (!found[j] && !strcmp(s->name, names[j])) {
				found[j] = s;
				left--;
			}
	}
}

const struct symbol *dso_find_name(struct dso *dso, const char *name)
{
	const struct symbol *found;

	dso_find_names(dso, &name, 1, &found);
	return found;
}

char *dso_shown_name(void *ctx, const char *name)
{
	const struct dso *dso = ctx;
	const struct symbol_options *o = &dso->set->options;

	if (!(dso->in_kernel ? o->demangle_kernel : o->demangle))
		return NULL;
	return demangle(name, o->verbose > 0);
}

/* Only names from symbol tables are mangled; names of kallsyms and of a JIT's map are shown as they
 * are. */
static bool is_mangled(const struct dso *dso)
{
	return dso->source != SYMBOLS_KALLSYMS && dso->source != SYMBOLS_PERF_MAP &&
	       dso->source != SYMBOLS_SYNTHETIC;
}

/* Formats a name when it is first shown. */
static const char *dso_show_symbol(struct dso *dso, const struct symbol *sym)
{
	struct dso_private *p = dso->private_data;
	const char *shown;

	pthread_mutex_lock(&p->lock);
	if (!p->shown)
		p->shown = mem_zero((dso->symbols.n + 1) * sizeof(*p->shown));
	shown = p->shown[sym->index];
	if (!shown) {
		AUTO_CHAR *name =
			sym->plt || !is_mangled(dso) ? NULL : dso_shown_name(dso, sym->name);

		shown = name ? arena_strdup(&p->arena, name) : sym->name;
		if (!text_is_safe(shown, strlen(shown))) {
			AUTO_BUF safe = {0};

			buf_safe(&safe, shown);
			shown = arena_strdup(&p->arena, buf_text(&safe));
		}
		p->shown[sym->index] = shown;
	}
	pthread_mutex_unlock(&p->lock);
	return shown;
}

const char *dso_symbol_name(struct dso *dso, const struct symbol *sym)
{
	struct dso_private *p = dso->private_data;
	_Atomic(const char *) *all;
	const char *shown;

	if (!is_mangled(dso) && text_is_safe(sym->name, strlen(sym->name)))
		return sym->name;
	all = atomic_load_explicit(&p->shown, memory_order_acquire);
	shown = all ? atomic_load_explicit(&all[sym->index], memory_order_acquire) : NULL;
	return shown ? shown : dso_show_symbol(dso, sym);
}

static bool note_file(void *ctx, const char *path, struct place_kind kind)
{
	struct dso *dso = ctx;
	struct elf_image image;
	struct build_id id;
	bool fits;

	if (kind.source == SYMBOLS_DEBUG_FILE || elf_image_open(&image, path, dso->in_kernel) < 0)
		return false;
	fits = !dso->build_id.size ||
	       (!elf_build_id(&image.elf, &id) && build_id_equal(&id, &dso->build_id));
	elf_image_release(&image);
	if (fits)
		dso->private_data->file = arena_strdup(&dso->private_data->arena, path);
	return fits;
}

static void find_file(struct dso *dso)
{
	if (dso->kind != DSO_ANON && dso->kind != DSO_JITDUMP)
		dso_candidates(dso, note_file, dso);
}

const char *dso_file(struct dso *dso)
{
	dso_once(dso, &dso->private_data->file_known, find_file);
	return dso->private_data->file;
}
