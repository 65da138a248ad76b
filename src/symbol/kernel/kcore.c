// SPDX-License-Identifier: MIT
#include "symbol/kernel/kcore.h"

#include "os/files/text.h"
#include "symbol/dso_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define HEADERS	 65536	     /* bytes of the core file that are read for its headers */
#define CODE_MAX (16u << 20) /* bytes of a function */

struct kcore_file {
	int fd;
	struct elf_file elf; /* its headers alone */
	uint8_t *headers;
	uint64_t delta; /* to add to an address of the recorded kernel */
	struct kernel_modules modules;
};

static void kcore_file_free(struct kcore_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	elf_file_release(&f->elf);
	kernel_modules_release(&f->modules);
	free(f->headers);
	free(f);
}

void kcore_release(struct kcore *k)
{
	if (k->file)
		kcore_file_free(k->file);
	*k = (struct kcore){0};
}

static bool kcore_open(struct kcore_file *f, struct dso *kernel, const char *path)
{
	ssize_t n;

	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	f->headers = mem_zero(HEADERS);
	n = f->fd < 0 ? -1 : pread(f->fd, f->headers, HEADERS, 0);
	if (n < 0) {
		dso_tried(kernel, path, errno == ENOENT ? "no such file" : "not readable");
		return false;
	}
	if (!elf_file_init(&f->elf, f->headers, (size_t)n) && f->elf.type == ET_CORE)
		return true;
	dso_tried(kernel, path, "not a core file");
	return false;
}

/* Sets how far the core file's kernel lies from the recorded one. False: not known, or the list of
 * symbols is of another kernel. */
static bool kcore_place(struct kcore_file *f, struct dso *kernel, const char *kallsyms,
			bool same_boot)
{
	const struct kernel_layout *layout = &kernel->private_data->layout;
	struct kallsyms k = {0};
	uint64_t reference = 0;

	if (!layout->reference_recorded)
		return same_boot;
	if (!kallsyms_read(&k, kallsyms, NULL))
		reference = kallsyms_address(&k, layout->reference);
	kallsyms_release(&k);
	f->delta = reference - layout->reference_recorded;
	if (!reference)
		dso_tried(kernel, kallsyms, "does not say where the code beside it lay");
	return reference;
}

/* Opens DIR/kcore. same_boot: its addresses are the recorded ones, whatever else is known. */
static bool kcore_try(struct kcore *k, struct dso *kernel, const char *dir, bool same_boot)
{
	AUTO_CHAR *path = mem_printf("%s/kcore", dir);
	AUTO_CHAR *kallsyms = mem_printf("%s/kallsyms", dir);
	struct kcore_file *f = NEW(struct kcore_file);

	if (!kcore_open(f, kernel, path) || !kcore_place(f, kernel, kallsyms, same_boot)) {
		kcore_file_free(f);
		return false;
	}
	kernel_modules_read(&f->modules, dir);
	k->file = f;
	return true;
}

/* Tries the copies that `perf buildid-cache -k` made, the newest first. */
static bool kcore_try_copies(struct kcore *k, struct dso *kernel)
{
	struct arena arena = {0};
	struct names names = {0};
	char text[41], folder[PATH_MAX];
	bool found = false;

	if (!kernel->build_id.size || !kernel->set->private_data->buildid_dir)
		return false;
	build_id_text(&kernel->build_id, text);
	AUTO_CHAR *below = mem_printf("[kernel.kcore]/%s", text);
	if (build_id_cache_named(kernel, below, folder, sizeof(folder)))
		text_names(folder, NULL, true, true, &arena, &names);
	for (size_t i = names.n; i-- && !found;) {
		AUTO_CHAR *entry = mem_printf("%s/%s", below, names.at[i]);
		AUTO_CHAR *core = mem_printf("%s/kcore", entry);
		char path[PATH_MAX];

		found = build_id_cache_named(kernel, core, path, sizeof(path)) &&
			build_id_cache_named(kernel, entry, path, sizeof(path)) &&
			kcore_try(k, kernel, path, false);
	}
	vec_release(&names);
	arena_release(&arena);
	return found;
}

static bool kcore_find(struct kcore *k, struct dso *kernel)
{
	const struct symbol_options *o = &kernel->set->options;
	const char *slash = o->kallsyms ? strrchr(o->kallsyms, '/') : NULL;

	if (o->kallsyms) {
		AUTO_CHAR *dir =
			slash ? mem_strndup(o->kallsyms, (size_t)(slash - o->kallsyms)) : NULL;

		if (kcore_try(k, kernel, dir ? dir : ".", true))
			return true;
	}
	if (o->symfs && *o->symfs)
		return false;
	return kcore_try_copies(k, kernel) ||
	       (kernel_is_live(kernel) && kcore_try(k, kernel, "/proc", true));
}

/* The address of a module's symbol in the core file; 0: it has no such module. */
static uint64_t kcore_module_address(const struct kcore_file *f, const struct dso *dso,
				     const struct symbol *sym)
{
	const char *name = dso->short_name;
	const size_t n = strlen(name);

	if (n < 3 || !dso->mapping.start || !dso->mem_mapped_by_ip)
		return 0;
	for (size_t i = 0; i < f->modules.n; i++)
		if (strlen(f->modules.at[i].name) == n - 2 &&
		    !memcmp(f->modules.at[i].name, name + 1, n - 2))
			return sym->start - dso->mapping.start + f->modules.at[i].start;
	return 0;
}

static size_t kcore_read_at(const struct kcore_file *f, uint64_t address, uint64_t size,
			    uint8_t **p)
{
	for (size_t i = 0; i < f->elf.segments.n; i++) {
		const struct elf_segment *s = &f->elf.segments.at[i];
		const uint64_t at = address - s->vaddr;
		size_t n, got;

		if (s->type != PT_LOAD || address < s->vaddr || at >= s->filesz)
			continue;
		n = (size_t)MIN(MIN(size, s->filesz - at), CODE_MAX);
		*p = mem_alloc(n + 1);
		got = file_read_at(f->fd, s->offset + at, *p, n);
		if (got)
			return got;
		free(*p);
		*p = NULL;
	}
	return 0;
}

size_t kcore_read(struct dso *dso, const struct symbol *sym, uint8_t **p, uint16_t *machine)
{
	struct dso *kernel = dso->kind == DSO_KERNEL ? dso : dso_set_kernel(dso->set);
	struct dso_set_private *set = dso->set->private_data;
	const struct kcore_file *f;
	uint64_t address;

	if (dso->guest || !kernel)
		return 0;
	pthread_mutex_lock(&set->tables_lock);
	if (!set->kcore.tried)
		kcore_find(&set->kcore, kernel);
	set->kcore.tried = true;
	f = set->kcore.file;
	pthread_mutex_unlock(&set->tables_lock);
	if (!f)
		return 0;
	address = dso == kernel ? sym->start + f->delta : kcore_module_address(f, dso, sym);
	*machine = f->elf.machine;
	return address ? kcore_read_at(f, address, sym->end - sym->start, p) : 0;
}
