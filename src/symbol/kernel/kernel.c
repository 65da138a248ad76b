// SPDX-License-Identifier: MIT
/* Loads the symbols of the kernel and its modules: from vmlinux, or from a kallsyms file. */
#include "symbol/cache/entry.h"
#include "symbol/cache/kernel_cache.h"
#include "symbol/dso_private.h"
#include "symbol/elf/elf_symbols.h"

#include <limits.h>
#include <stdio.h>
#include <sys/utsname.h>

#define PAGE 4096ull

/* The functions that perf's reports count as the idle task at rest. */
static const char *const idle_names[] = {
	"acpi_idle_do_entry",
	"acpi_processor_ffh_cstate_enter",
	"arch_cpu_idle",
	"cpu_idle",
	"cpu_startup_entry",
	"idle_cpu",
	"intel_idle",
	"default_idle",
	"native_safe_halt",
	"enter_idle",
	"exit_idle",
	"mwait_idle",
	"mwait_idle_with_hints",
	"mwait_idle_with_hints.constprop.0",
	"poll_idle",
	"ppc64_runlatch_off",
	"pseries_dedicated_idle_sleep",
	"psw_idle",
	"psw_idle_exit",
};

/* Called for each of the kernel's 100,000 symbols: the first two letters reject nearly all. */
bool symbol_is_idle(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(idle_names); i++)
		if (idle_names[i][0] == name[0] && idle_names[i][1] == name[1] &&
		    !strcmp(idle_names[i], name))
			return true;
	return false;
}

static void mark_idle(struct symbol_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->at[i].idle = symbol_is_idle(t->at[i].name);
}

static bool is_shown_type(char type)
{
	return type && strchr("TtWwDdBb", type);
}

/* Makes a symbol. Modules don't move with the kernel: their addresses are those of the table's
 * boot. */
static struct symbol kernel_symbol_of(const struct kallsym *k, uint64_t delta)
{
	const char type = (char)(k->type & ~32);
	const uint64_t address = k->address - (k->module ? 0 : delta);

	return (struct symbol){
		.start = address,
		.end = address,
		.name = k->name,
		.binding = type == 'W'	     ? STB_WEAK
			   : k->type == type ? STB_GLOBAL
					     : STB_LOCAL,
		.type = type == 'T' || type == 'W' ? STT_FUNC : STT_OBJECT,
		.index = k->module,
	};
}

/* Moves a module's symbols to its recorded address: the table may be of another boot than the
 * recording. A module begins with its code, at a page. Its data may have moved by another distance,
 * so those symbols are dropped. */
static void move_module(struct dso *dso)
{
	const struct dso_mapping *m = &dso->mapping;
	struct symbol_table *t = &dso->symbols;
	uint64_t lowest = UINT64_MAX, moved;
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->at[i].type == STT_FUNC)
			lowest = MIN(lowest, t->at[i].start);
	if (!m->start || lowest == UINT64_MAX || lowest - m->start < PAGE)
		return;
	moved = m->start - (lowest & ~(PAGE - 1));
	for (size_t i = 0; i < t->n; i++) {
		struct symbol s = t->at[i];

		s.start += moved;
		s.end += moved;
		if (s.type == STT_FUNC && s.start < s.end)
			t->at[kept++] = s;
	}
	t->n = kept;
}

static void note_kallsyms(struct dso *dso, const char *path)
{
	dso->source = SYMBOLS_KALLSYMS;
	dso->origin = dso->guest ? 'g' : 'k';
	dso->source_path = path;
	dso->mem_mapped_by_ip = true;
}

/* Takes the symbols of one module (0: the kernel). All symbols of the table are used to find where
 * each ends; then the others are dropped. */
static void take_module(struct dso *dso, const struct kernel_table *table, uint32_t module)
{
	struct symbol_table *t = &dso->symbols;
	size_t kept = 0;

	vec_reserve(t, table->kallsyms.symbols.n);
	for (size_t i = 0; i < table->kallsyms.symbols.n; i++) {
		const struct kallsym *k = &table->kallsyms.symbols.at[i];

		if (is_shown_type(k->type) && k->address)
			vec_add(t, kernel_symbol_of(k, table->delta));
	}
	symbol_table_finish(t, ENDS_BY_MODULE, NULL, NULL);
	for (size_t i = 0; i < t->n; i++)
		if (t->at[i].index == module)
			t->at[kept++] = t->at[i];
	t->n = kept;
	if (module)
		move_module(dso);
	note_kallsyms(dso, table->path);
	mark_idle(t);
}

/* How far the recorded kernel's reference symbol was moved from its address in the table. False:
 * not known. */
static bool find_reference(const struct dso *kernel, const struct symbol_table *t, uint64_t *moved)
{
	const struct dso_private *p = kernel->private_data;
	bool found = false;

	*moved = 0;
	if (p->has_layout && p->layout.reference_recorded)
		for (size_t i = 0; i < t->n; i++)
			if (!strcmp(t->at[i].name, p->layout.reference)) {
				*moved = p->layout.reference_recorded - t->at[i].start;
				found = true;
			}
	return found;
}

/* Loads vmlinux, whose addresses are those that the kernel was linked for. */
static bool load_vmlinux(struct dso *kernel, const char *path)
{
	struct symbol_table *t = &kernel->symbols;
	struct elf_image image;
	struct build_id id;
	uint64_t moved;

	if (elf_image_open(&image, path, true) < 0) {
		dso_tried(kernel, path, "no such file, or not an ELF file");
		return false;
	}
	if ((kernel->build_id.size &&
	     (elf_build_id(&image.elf, &id) < 0 || !build_id_equal(&id, &kernel->build_id))) ||
	    !elf_has_symbols(&image.elf, SHT_SYMTAB)) {
		dso_tried(kernel, path, "is of another kernel, or has no symbols");
		elf_image_release(&image);
		return false;
	}
	elf_symbols_add(&image.elf, NULL, SHT_SYMTAB, t);
	find_reference(kernel, t, &moved);
	for (size_t i = 0; i < t->n; i++) {
		t->at[i].start += moved;
		t->at[i].end += moved;
	}
	symbol_table_finish(t, ENDS_BY_NEXT, dso_shown_name, kernel);
	mark_idle(t);
	kernel->is_64_bit = image.elf.is_64_bit;
	kernel->source = SYMBOLS_VMLINUX;
	kernel->origin = kernel->guest ? 'V' : 'v';
	kernel->source_path = arena_strdup(&kernel->private_data->arena, path);
	kernel->private_data->image = image.bytes;
	image.bytes = (struct mapped){0};
	elf_image_release(&image);
	return true;
}

static const struct place_kind VMLINUX = {SYMBOLS_VMLINUX, 'v'};

/* Calls fn with the places where distributions put vmlinux. True when fn accepted one. */
static bool installed_vmlinux(struct dso *kernel, candidate_fn fn, void *ctx)
{
	static const char *const by_release[][2] = {
		{"/boot/vmlinux-", ""},
		{"/usr/lib/debug/boot/vmlinux-", ""},
		{"/lib/modules/", "/build/vmlinux"},
		{"/usr/lib/debug/lib/modules/", "/vmlinux"},
		{"/usr/lib/debug/boot/vmlinux-", ".debug"},
	};
	const struct dso_set *set = kernel->set;
	const char *symfs = set->options.symfs ? set->options.symfs : "";
	const char *release = set->options.osrelease;
	struct utsname host;
	char path[PATH_MAX];

	/* without a build-id the file cannot be checked, unless the recorded kernel runs now */
	if ((!kernel->build_id.size && !kernel_is_live(kernel)) || uname(&host) < 0)
		return false;
	if (!release)
		release = host.release;
	snprintf(path, sizeof(path), "%s/boot/vmlinux", symfs);
	if (fn(ctx, path, VMLINUX))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(by_release); i++) {
		AUTO_CHAR *file =
			mem_printf("%s%s%s%s", symfs, by_release[i][0], release, by_release[i][1]);

		if (fn(ctx, file, VMLINUX))
			return true;
	}
	return false;
}

static bool take_vmlinux(void *ctx, const char *path, struct place_kind kind)
{
	(void)kind;
	return load_vmlinux(ctx, path);
}

static bool load_installed_vmlinux(struct dso *kernel)
{
	const struct dso_set *set = kernel->set;
	char path[PATH_MAX];

	if (kernel->build_id.size && set->private_data->buildid_dir) {
		if (build_id_cache_path(kernel, "/elf", path, sizeof(path)) &&
		    load_vmlinux(kernel, path))
			return true;
		if (build_id_cache_path(kernel, "/vmlinux", path, sizeof(path)) &&
		    load_vmlinux(kernel, path))
			return true;
	}
	return installed_vmlinux(kernel, take_vmlinux, kernel);
}

void kernel_debug_candidates(struct dso *kernel, candidate_fn fn, void *ctx)
{
	const struct symbol_options *o = &kernel->set->options;

	if (kernel->source == SYMBOLS_VMLINUX && fn(ctx, kernel->source_path, VMLINUX))
		return;
	if (kernel->build_id.size && !o->kallsyms && !o->ignore_vmlinux &&
	    !installed_vmlinux(kernel, fn, ctx))
		dso_candidates(kernel, fn, ctx);
}

bool kernel_moved(struct dso *kernel, const struct elf_file *f, uint64_t *moved)
{
	struct symbol_table t = {0};
	bool known;

	elf_symbols_add(f, NULL, SHT_SYMTAB, &t);
	known = find_reference(kernel, &t, moved);
	symbol_table_release(&t);
	return known || kernel->source == SYMBOLS_VMLINUX;
}

/* True when the cached symbols of the running kernel are valid for the recorded one, at the same
 * addresses. Sets *key. */
static bool is_kept(struct dso *kernel, struct kernel_key *key)
{
	const struct symbol_options *o = &kernel->set->options;
	const struct kernel_layout *layout = &kernel->private_data->layout;
	uint64_t now;

	if (!o->cache_size || o->kallsyms || (o->symfs && *o->symfs) || !kernel_is_live(kernel) ||
	    !kernel_key_now("/proc", key))
		return false;
	if (!layout->reference_recorded)
		return true;
	now = !strcmp(layout->reference, "_text")    ? key->text
	      : !strcmp(layout->reference, "_stext") ? key->stext
						     : 0;
	return now == layout->reference_recorded;
}

static bool load_kept(struct dso *kernel, const char *dir, const struct kernel_key *key)
{
	const struct dso_private *p = kernel->private_data;

	if (!kernel_cache_load(&kernel->symbols, dir, key))
		return false;
	note_kallsyms(kernel, kallsyms_live);
	if (!p->layout.reference_recorded && p->has_layout)
		kernel_tell_unplaced(kernel, kallsyms_live);
	return true;
}

static bool load_kallsyms(struct dso *kernel)
{
	const struct kernel_table *table;
	struct kernel_key key;
	AUTO_CHAR *dir = is_kept(kernel, &key) ? cache_dir() : NULL;

	if (dir && load_kept(kernel, dir, &key))
		return true;
	/* to fill the cache, the live table is read once even where there is a copy */
	table = kernel_table_get(kernel, dir != NULL);
	if (!table)
		return false;
	take_module(kernel, table, 0);
	if (dir && !table->delta && !strcmp(table->path, kallsyms_live))
		kernel_cache_store(dir, &key, &kernel->symbols, kernel->set->options.cache_size);
	return true;
}

static bool load_guest_kernel(struct dso *kernel)
{
	const char *vmlinux = kernel->private_data->guest_vmlinux;

	if (vmlinux)
		return load_vmlinux(kernel, vmlinux);
	return load_kallsyms(kernel) || (kernel->build_id.size && load_installed_vmlinux(kernel));
}

bool dso_load_kernel(struct dso *kernel)
{
	const struct symbol_options *o = &kernel->set->options;

	if (kernel->guest)
		return load_guest_kernel(kernel);
	if (o->vmlinux && !o->kallsyms && !o->ignore_vmlinux)
		return load_vmlinux(kernel, o->vmlinux);
	if (!o->kallsyms && !o->ignore_vmlinux && load_installed_vmlinux(kernel))
		return true;
	return load_kallsyms(kernel);
}

struct dso *dso_set_kernel(struct dso_set *set)
{
	for (size_t i = 0; i < set->dsos.n; i++)
		if (set->dsos.at[i]->kind == DSO_KERNEL && !set->dsos.at[i]->guest)
			return set->dsos.at[i];
	return NULL;
}

/* True when the module was replaced since, in a kernel that is still the same. */
static bool is_replaced(struct dso *dso, const char *module, const struct kernel_table *table)
{
	struct build_id now = {0};

	if (!dso->build_id.size || strcmp(table->path, kallsyms_live) ||
	    build_id_of_module(module, &now) || build_id_equal(&now, &dso->build_id))
		return false;
	dso_tried(dso, kallsyms_live, "the module has another build-id now");
	return true;
}

/* Loads the module's file when one fits; else the symbols of "[name]" in kallsyms. */
bool dso_load_module(struct dso *dso)
{
	struct dso *kernel = dso->guest ? dso->guest_kernel : dso_set_kernel(dso->set);
	const struct kernel_table *table = NULL;
	size_t n = strlen(dso->short_name);

	if ((!dso->guest || dso->build_id.size) && dso_load_elf(dso))
		return true;
	if (dso->set->options.use_modules && kernel && n >= 3)
		table = kernel_table_get(kernel, true);
	for (uint32_t i = 1; table && i < table->kallsyms.modules.n; i++) {
		const char *name = table->kallsyms.modules.at[i];

		if (strlen(name) != n - 2 || memcmp(name, dso->short_name + 1, n - 2))
			continue;
		if (is_replaced(dso, name, table))
			return false;
		take_module(dso, table, i);
		return true;
	}
	return false;
}
