// SPDX-License-Identifier: MIT
/*
 * Copies the running kernel's code: the text, modules, BPF programs and trampolines of /proc/kcore,
 * as a new ELF core file, with the lists of symbols and modules of that moment beside it. Memory
 * between modules, which perf copies, is left out.
 */
#include "symbol/store/store.h"

#include "os/files/files.h"
#include "os/machine/host.h"
#include "os/machine/kallsyms.h"
#include "symbol/elf/elf_file.h"
#include "symbol/store/store_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE	  4096ull
#define HEADERS	  65536 /* bytes of the core file that are read for its headers */
#define MOST_CODE (1ull << 30)
#define MADE_CODE 65536 /* bytes that a BPF program may have: kallsyms says no sizes */

struct piece {
	uint64_t vaddr, from, size;
};
struct pieces {
	VEC(struct piece) at;
	uint64_t size;
};

/* Adds the parts of an address range that the core file's segments hold. */
static void store_kcore_take(struct pieces *out, const struct elf_file *core, uint64_t start,
			     uint64_t end)
{
	for (size_t i = 0; i < core->segments.n; i++) {
		const struct elf_segment *s = &core->segments.at[i];
		const uint64_t low = MAX(start, s->vaddr), high = MIN(end, s->vaddr + s->filesz);
		struct piece *last = out->at.n ? vec_last(&out->at) : NULL;

		if (s->type != PT_LOAD || s->vaddr + s->filesz < s->vaddr || low >= high)
			continue;
		out->size += high - low;
		if (last && last->vaddr + last->size == low &&
		    last->from + last->size == low - s->vaddr + s->offset)
			last->size += high - low;
		else
			vec_add(&out->at,
				(struct piece){low, low - s->vaddr + s->offset, high - low});
	}
}

/* Address ranges that hold code. Ends are guesses that may reach into the next range. */
struct store_ranges {
	VEC(struct store_range { uint64_t start, end; });
};

static int store_range_compare(const void *a, const void *b)
{
	const struct store_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void store_range_add(struct store_ranges *r, uint64_t start, uint64_t end)
{
	if (start && start < end)
		vec_add(r,
			(struct store_range){start & ~(PAGE - 1), (end + PAGE - 1) & ~(PAGE - 1)});
}

/* True for code that no module holds: BPF programs, trampolines, copied instructions of probes. */
static bool store_kcore_is_made(const struct kallsyms *k, const struct kallsym *s)
{
	const char *owner = k->modules.at[s->module];

	return !strcmp(owner, "bpf") || !strncmp(owner, "__builtin__", strlen("__builtin__"));
}

/* Adds the kernel's text, and code that it made while it ran. */
static void store_kcore_add_symbols(struct store_ranges *r, const char *proc)
{
	AUTO_CHAR *path = mem_printf("%s/kallsyms", proc);
	struct kallsyms k = {0};

	if (!kallsyms_read(&k, path, NULL)) {
		store_range_add(r, kallsyms_address(&k, "_stext"), kallsyms_address(&k, "_etext"));
		for (size_t i = 0; i < k.symbols.n; i++) {
			const uint64_t start = k.symbols.at[i].address;

			if (store_kcore_is_made(&k, &k.symbols.at[i]))
				store_range_add(r, start, start + MADE_CODE);
		}
	}
	kallsyms_release(&k);
}

/* Finds all code, by the lists beside the core file. */
static void store_kcore_find_code(struct pieces *out, const struct elf_file *core, const char *proc)
{
	struct store_ranges r = {0};
	struct kernel_modules m = {0};

	store_kcore_add_symbols(&r, proc);
	kernel_modules_read(&m, proc);
	/* since Linux 6.4 a module's size includes memory that lies elsewhere */
	for (size_t i = 0; i < m.n; i++)
		store_range_add(&r, m.at[i].start, m.at[i].start + m.at[i].size);
	kernel_modules_release(&m);
	if (r.n)
		qsort(r.at, r.n, sizeof(*r.at), store_range_compare);
	for (size_t i = 0; i < r.n; i++) {
		const uint64_t end = r.at[i].end;

		store_kcore_take(out, core, r.at[i].start,
				 i + 1 < r.n ? MIN(end, r.at[i + 1].start) : end);
	}
	vec_release(&r);
}

static int copy(int from, int to, uint64_t at, const struct piece *p)
{
	char bytes[65536];

	for (uint64_t done = 0; done < p->size;) {
		const size_t n = MIN(sizeof(bytes), p->size - done);
		const ssize_t got = pread(from, bytes, n, (off_t)(p->from + done));

		if (got <= 0 || pwrite(to, bytes, (size_t)got, (off_t)(at + done)) != got) {
			errno = got ? errno : EIO;
			return -1;
		}
		done += (uint64_t)got;
	}
	return 0;
}

/* Writes an ELF core file of the pieces. */
static int write_core(int from, int to, const struct elf_file *core, const struct pieces *pieces)
{
	Elf64_Ehdr header = {.e_type = ET_CORE,
			     .e_machine = core->machine,
			     .e_version = EV_CURRENT,
			     .e_phoff = sizeof(header),
			     .e_ehsize = sizeof(header),
			     .e_phentsize = sizeof(Elf64_Phdr),
			     .e_phnum = (Elf64_Half)pieces->at.n};
	uint64_t at = (sizeof(header) + pieces->at.n * sizeof(Elf64_Phdr) + PAGE - 1) & ~(PAGE - 1);

	memcpy(header.e_ident, core->p, EI_NIDENT);
	if (pwrite(to, &header, sizeof(header), 0) != sizeof(header))
		return -1;
	for (size_t i = 0; i < pieces->at.n; i++) {
		const struct piece *p = &pieces->at.at[i];
		const Elf64_Phdr segment = {.p_type = PT_LOAD,
					    .p_flags = PF_R | PF_W | PF_X,
					    .p_offset = at,
					    .p_vaddr = p->vaddr,
					    .p_filesz = p->size,
					    .p_memsz = p->size,
					    .p_align = PAGE};

		if (pwrite(to, &segment, sizeof(segment),
			   (off_t)(sizeof(header) + i * sizeof(segment))) != sizeof(segment) ||
		    copy(from, to, at, p))
			return -1;
		at += (p->size + PAGE - 1) & ~(PAGE - 1);
	}
	return 0;
}

static int extract(const char *path, const char *proc, const char *file, struct err *err)
{
	uint8_t *headers = mem_zero(HEADERS);
	struct pieces pieces = {0};
	struct elf_file core = {0};
	int failed = -1, to = -1, from = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = from < 0 ? -1 : pread(from, headers, HEADERS, 0);

	if (n < 0) {
		err_sys(err, errno, "cannot read '%s'", path);
		goto out;
	}
	if (elf_file_init(&core, headers, (size_t)n) || core.type != ET_CORE || !core.is_64_bit ||
	    core.swap) {
		err_set(err, ERR_INPUT, "'%s' is not a core file of this kernel", path);
		goto out;
	}
	store_kcore_find_code(&pieces, &core, proc);
	if (!pieces.at.n || pieces.at.n > HEADERS / sizeof(Elf64_Phdr) || pieces.size > MOST_CODE) {
		err_set(err, ERR_INPUT, "'%s' holds no code of the kernel that '%s/kallsyms' names",
			path, proc);
		goto out;
	}
	to = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);
	failed = to < 0 || write_core(from, to, &core, &pieces) || close(to) ? -1 : 0;
	if (failed)
		err_sys(err, errno, "cannot write '%s'", file);
out:
	if (from >= 0)
		close(from);
	vec_release(&pieces.at);
	elf_file_release(&core);
	free(headers);
	return failed;
}

int store_check_kcore(const char *proc_root, struct err *err)
{
	AUTO_CHAR *path = mem_printf("%s/kcore", proc_root);
	char first;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, &first, 1, 0);
	const int why = got ? errno : EIO;

	if (fd >= 0)
		close(fd);
	if (got == 1)
		return 0;
	return err_sys(err, why, "the kernel's code is not readable: '%s'", path);
}

int store_copy_kcore(const char *proc_root, const char *to, struct err *err)
{
	static const char *const beside[] = {"kallsyms", "modules"};
	AUTO_CHAR *core = mem_printf("%s/kcore", proc_root);
	AUTO_CHAR *copy_of_core = mem_printf("%s/kcore", to);
	int failed = 0;

	if (files_make_dir(to))
		return err_sys(err, errno, "cannot make '%s'", to);
	for (size_t i = 0; i < ARRAY_SIZE(beside) && !failed; i++) {
		AUTO_CHAR *from = mem_printf("%s/%s", proc_root, beside[i]);
		AUTO_CHAR *file = mem_printf("%s/%s", to, beside[i]);

		if (files_copy(from, file) || chmod(file, 0400))
			failed = err_sys(err, errno, "cannot copy '%s'", from);
	}
	if (!failed)
		failed = extract(core, proc_root, copy_of_core, err);
	if (failed)
		files_remove_tree(to);
	return failed;
}

int store_add_kcore(const char *dir, const char *path, char entry[PATH_MAX], struct err *err)
{
	char real[PATH_MAX], from[PATH_MAX + 16], stamp[32], text[41], below[160];
	struct build_id id = {0};
	struct timespec now;
	struct tm tm;

	if (!realpath(path, real))
		return err_sys(err, errno, "cannot read '%s'", path);
	*strrchr(real, '/') = 0;
	snprintf(from, sizeof(from), "%s/../sys", real);
	id.size = (uint8_t)host_kernel_build_id(from, NULL, id.bytes);
	if (!id.size)
		return err_set(err, ERR_INPUT, "'%s/kernel/notes' tells no build-id", from);
	build_id_text(&id, text);
	clock_gettime(CLOCK_REALTIME, &now);
	strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", localtime_r(&now.tv_sec, &tm));
	snprintf(below, sizeof(below), "[kernel.kcore]/%s/%s%02ld", text, stamp,
		 now.tv_nsec / 10000000);
	if (snprintf(entry, PATH_MAX, "%s/%s", dir, below) >= PATH_MAX)
		return err_sys(err, ENAMETOOLONG, "cannot store '%s'", path);
	if (!store_may_read_path(dir, below))
		return err_set(err, ERR_INPUT, "cannot make '%s': a link is in the way", entry);
	return store_copy_kcore(real, entry, err);
}
