// SPDX-License-Identifier: MIT
/* The copy of the kernel's code: which memory of a core file is in it. */
#include "folder.h"

#include "symbol/store/store.h"

#include <elf.h>
#include <unistd.h>

#define TEXT	0xffffffff81000000ull
#define MODULES 0xffffffffc0000000ull
#define DATA	0x1000
#define SIZE	0x100000

static char root[] = "/tmp/store-kcore-XXXXXX";

/* A core file of two segments, each page of which begins with its address. */
static void put_core(void)
{
	static const uint64_t starts[] = {TEXT, MODULES};
	const Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
				   .e_type = ET_CORE,
				   .e_machine = EM_X86_64,
				   .e_version = 1,
				   .e_phoff = sizeof(header),
				   .e_ehsize = sizeof(header),
				   .e_phentsize = sizeof(Elf64_Phdr),
				   .e_phnum = 2};
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/kcore", root);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(&header, sizeof(header), 1, f), 1);
	for (uint64_t i = 0; i < 2; i++) {
		const Elf64_Phdr segment = {.p_type = PT_LOAD,
					    .p_offset = DATA + i * SIZE,
					    .p_vaddr = starts[i],
					    .p_filesz = SIZE,
					    .p_memsz = SIZE};

		assert_int_equal(fwrite(&segment, sizeof(segment), 1, f), 1);
	}
	for (uint64_t i = 0; i < 2; i++)
		for (uint64_t at = 0; at < SIZE; at += 4096) {
			const uint64_t address = starts[i] + at;

			fseek(f, (long)(DATA + i * SIZE + at), SEEK_SET);
			assert_int_equal(fwrite(&address, sizeof(address), 1, f), 1);
		}
	assert_int_equal(ftruncate(fileno(f), DATA + 2 * SIZE), 0);
	fclose(f);
}

/* Reads the segments of the copy; each must hold its own pages. Returns how many there are. */
static int read_copy(Elf64_Phdr segments[8])
{
	Elf64_Ehdr header;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/copy/kcore", root);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fread(&header, sizeof(header), 1, f), 1);
	assert_true(header.e_phnum <= 8);
	assert_int_equal(fread(segments, sizeof(*segments), header.e_phnum, f), header.e_phnum);
	for (int i = 0; i < header.e_phnum; i++)
		for (uint64_t at = 0; at < segments[i].p_filesz; at += 4096) {
			uint64_t address;

			fseek(f, (long)(segments[i].p_offset + at), SEEK_SET);
			assert_int_equal(fread(&address, sizeof(address), 1, f), 1);
			assert_int_equal(address, segments[i].p_vaddr + at);
		}
	fclose(f);
	return header.e_phnum;
}

static void assert_range(const Elf64_Phdr *segment, uint64_t start, uint64_t end)
{
	assert_int_equal(segment->p_vaddr, start);
	assert_int_equal(segment->p_vaddr + segment->p_filesz, end);
}

static void text_modules_and_made_code_are_copied(void **state)
{
	Elf64_Phdr segments[8];
	struct err err = {0};
	char proc[64], copy[64];

	(void)state;
	/* the second module's size reaches into the program of BPF behind it, whose end is not
	 * known: 64 KiB; the trampoline ends at the third module */
	folder_put(root, "proc/kallsyms",
		   "ffffffff81000000 T _stext\n"
		   "ffffffff81002345 T _etext\n"
		   "ffffffff81080000 d some_data\n"
		   "ffffffffc0000010 t init\t[first]\n"
		   "ffffffffc0012040 t bpf_prog_0123\t[bpf]\n"
		   "ffffffffc0012840 t bpf_prog_4567\t[bpf]\n"
		   "ffffffffc0040000 t ftrace_trampoline\t[__builtin__ftrace]\n");
	folder_put(root, "proc/modules",
		   "third 8192 0 - Live 0xffffffffc0042000\n"
		   "first 8192 0 - Live 0xffffffffc0000000\n"
		   "second 32768 1 first, Live 0xffffffffc0010000\n");
	put_core();
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(copy, sizeof(copy), "%s/copy", root);
	assert_int_equal(store_copy_kcore(proc, copy, &err), 0);
	assert_int_equal(read_copy(segments), 4);
	assert_range(&segments[0], TEXT, TEXT + 0x3000);
	assert_range(&segments[1], MODULES, MODULES + 0x2000);
	assert_range(&segments[2], MODULES + 0x10000, MODULES + 0x23000);
	assert_range(&segments[3], MODULES + 0x40000, MODULES + 0x44000);
}

static void a_core_file_without_that_code_is_refused(void **state)
{
	struct err err = {0};
	char proc[64], copy[64];

	(void)state;
	folder_put(root, "proc/kallsyms", "ffffffff91000000 T _stext\nffffffff91002345 T _etext\n");
	folder_put(root, "proc/modules", "");
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(copy, sizeof(copy), "%s/none", root);
	assert_int_equal(store_copy_kcore(proc, copy, &err), -1);
	assert_non_null(strstr(err.text, "holds no code of the kernel"));
	assert_int_equal(access(copy, F_OK), -1);
}

static int make_root(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	(void)state;
	return folder_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_modules_and_made_code_are_copied),
		cmocka_unit_test(a_core_file_without_that_code_is_refused),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
