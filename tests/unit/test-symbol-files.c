// SPDX-License-Identifier: MIT
/* Where symbols are looked for: symfs, the build-id cache, kallsyms files, maps of JITs. */
#include "folder.h"

#include "os/files/files.h"
#include "os/files/mapped.h"
#include "symbol/dso.h"
#include "symbol/perf_map.h"

#include <elf.h>
#include <fcntl.h>
#include <lzma.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

int signpost(int x);
__attribute__((noinline)) int signpost(int x)
{
	return x * 5 + 2;
}

static char box[64], self[4096];

static int make_box(void **state)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	(void)state;
	strcpy(box, "/tmp/test-symbol-XXXXXX");
	return n > 0 && mkdtemp(box) ? 0 : -1;
}

static int remove_box(void **state)
{
	(void)state;
	return folder_remove(box);
}

/* BOX/PATH, with the folders above it. */
static char *in_box(const char *path)
{
	char *full = mem_printf("%s/%s", box, path);

	for (char *p = full + strlen(box) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(full, 0755);
		*p = '/';
	}
	return full;
}

static void write_file(const char *path, const char *text)
{
	AUTO_CHAR *full = in_box(path);
	FILE *f = fopen(full, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static const char *name_at(struct dso *dso, uint64_t rva)
{
	const struct symbol *s = dso_find(dso, rva);

	return s ? s->name : "none";
}

static void symfs_stands_for_the_root(void **state)
{
	struct symbol_options options = {.symfs = box, .buildid_dir = "/nonexistent"};
	AUTO_CHAR *there = in_box("opt/app/bin/program");
	struct dso_set set;
	struct dso *dso;

	(void)state;
	assert_int_equal(symlink(self, there), 0);
	dso_set_init(&set, &options);
	dso = dso_set_get(&set, "/opt/app/bin/program", NULL, DSO_FILE, -1);
	assert_non_null(dso_find_name(dso, "signpost"));
	assert_string_equal(dso->source_path, there);
	assert_string_equal(dso_file(dso), there);
	/* the file of that name outside of symfs isn't meant */
	dso = dso_set_get(&set, self, NULL, DSO_FILE, -1);
	assert_null(dso_find_name(dso, "signpost"));
	assert_int_equal(dso->source, SYMBOLS_NONE);
	dso_set_release(&set);
}

static void the_cache_is_asked_by_build_id(void **state)
{
	struct symbol_options options = {.buildid_dir = box};
	struct build_id id, other;
	struct dso_set set;
	struct dso *dso;
	char text[41];

	(void)state;
	assert_int_equal(build_id_of_file(self, &id), 0);
	build_id_text(&id, text);
	for (int directory = 0; directory < 2; directory++) {
		AUTO_CHAR *path =
			mem_printf(".build-id/%.2s/%s%s", text, text + 2, directory ? "/elf" : "");
		AUTO_CHAR *there = in_box(path);

		assert_int_equal(files_copy(self, there), 0);
		dso_set_init(&set, &options);
		dso = dso_set_get(&set, "/gone/program", &id, DSO_FILE, -1);
		assert_non_null(dso_find_name(dso, "signpost"));
		assert_int_equal(dso->source, SYMBOLS_BUILD_ID_CACHE);
		assert_string_equal(dso->source_path, there);
		/* the same name with another id is another dso, and has nothing */
		other = id;
		other.bytes[0] ^= 1;
		assert_ptr_not_equal(dso_set_get(&set, "/gone/program", &other, DSO_FILE, -1), dso);
		dso = dso_set_get(&set, "/gone/program", &other, DSO_FILE, -1);
		assert_int_equal(dso->symbols.n, (dso_load(dso), 0));
		/* without an id nothing says which file it was */
		dso = dso_set_get(&set, "/gone/program", NULL, DSO_FILE, -1);
		assert_null(dso_find_name(dso, "signpost"));
		dso_set_release(&set);
		assert_int_equal(unlink(there), 0);
	}
}

static void it_is_told_why_there_is_no_name(void **state)
{
	struct symbol_options options = {.buildid_dir = "/nonexistent", .verbose = 1};
	struct build_id id, other;
	struct buf text = {0};
	struct dso_set set;

	(void)state;
	assert_int_equal(build_id_of_file(self, &id), 0);
	other = id;
	other.bytes[0] ^= 1;
	dso_set_init(&set, &options);
	dso_load(dso_set_get(&set, "/gone/program", NULL, DSO_FILE, -1));
	dso_load(dso_set_get(&set, self, &other, DSO_FILE, -1));
	dso_load(dso_set_get(&set, self, &id, DSO_FILE, -1));
	dso_set_get(&set, "/never/asked", NULL, DSO_FILE, -1);
	dso_set_explain(&set, &text);
	assert_non_null(strstr(buf_text(&text), "/gone/program: no symbols\n"));
	assert_non_null(strstr(buf_text(&text), "  /gone/program: no such file\n"));
	assert_non_null(strstr(buf_text(&text), ": has another build-id\n"));
	assert_non_null(strstr(buf_text(&text), " symbols from its symbol table: /"));
	assert_null(strstr(buf_text(&text), "/never/asked"));
	buf_release(&text);
	dso_set_release(&set);
}

static size_t compress_with(int method, const struct mapped *m, uint8_t *out, size_t room)
{
	size_t n = 0;
	z_stream z = {.next_in = (uint8_t *)m->p, .avail_in = (uInt)m->n};

	if (method == 0)
		return ZSTD_compress(out, room, m->p, m->n, 1);
	if (method == 1)
		return lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, m->p, m->n, out, &n, room)
			       ? 0
			       : n;
	z.next_out = out;
	z.avail_out = (uInt)room;
	if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END)
		return 0;
	n = z.total_out;
	deflateEnd(&z);
	return n;
}

static void compressed_modules_are_expanded(void **state)
{
	static const char *const endings[] = {"zst", "xz", "gz"};
	struct symbol_options options = {.symfs = box, .buildid_dir = "/nonexistent"};
	struct mapped m;
	uint8_t *out;
	size_t room;

	(void)state;
	assert_int_equal(mapped_open(&m, self, NULL), 0);
	room = m.n * 2 + 4096;
	out = mem_alloc(room);
	for (int method = 0; method < 3; method++) {
		size_t n = compress_with(method, &m, out, room);

		assert_true(n > 1000);
		for (int whole = 0; whole < 2; whole++) {
			AUTO_CHAR *name =
				mem_printf("/lib/m%d/my-mod.ko.%s", whole, endings[method]);
			AUTO_CHAR *path = in_box(name + 1);
			FILE *f = fopen(path, "w");
			struct dso_set set;
			struct dso *dso;

			assert_non_null(f);
			assert_int_equal(fwrite(out, whole ? n : n / 2, 1, f), 1);
			fclose(f);
			dso_set_init(&set, &options);
			dso = dso_set_get(&set, name, NULL, DSO_UNKNOWN, -1);
			assert_string_equal(dso->short_name, "[my_mod]");
			assert_int_equal(dso_find_name(dso, "signpost") != NULL, whole);
			dso_set_release(&set);
		}
	}
	free(out);
	mapped_release(&m);
}

static const char kallsyms[] = "0000000000000000 A fixed_percpu_data\n"
			       "ffffffff81000000 T _stext\n"
			       "ffffffff81000000 T _text\n"
			       "not a line\n"
			       "ffffffff81000100 t alpha\n"
			       "ffffffff81000100 T alpha_alias\n"
			       "ffffffff81000200 W weak_one\n"
			       "ffffffff81000280 r read_only\n"
			       "ffffffff81000300 D some_data\n"
			       "ffffffff81000400 t mwait_idle\n"
			       "ffffffffc0100000 t first\t[kvm]\n"
			       "ffffffffc0100100 T second\t[kvm]\n"
			       "ffffffffc0201000 t third\t[kvm_intel]\n";

static void expect_kernel(struct dso_set *set, struct dso *kernel, uint64_t moved)
{
	struct dso *kvm = dso_set_get(set, "/lib/modules/6/kernel/kvm.ko", NULL, DSO_MODULE, -1);
	const uint64_t text = 0xffffffff81000000 + moved;

	assert_string_equal(name_at(kernel, text), "_text");
	assert_string_equal(name_at(kernel, text + 0x1ff), "alpha_alias");
	assert_string_equal(name_at(kernel, text + 0x2ff), "weak_one");
	assert_int_equal(dso_find(kernel, text + 0x200)->binding, STB_WEAK);
	assert_int_equal(dso_find(kernel, text + 0x300)->type, STT_OBJECT);
	assert_true(dso_find(kernel, text + 0x400)->idle);
	assert_false(dso_find(kernel, text + 0x200)->idle);
	/* the last one ends a page after the page it is in */
	assert_string_equal(name_at(kernel, text + 0x1fff), "mwait_idle");
	assert_string_equal(name_at(kernel, text + 0x2000), "none");
	assert_true(dso_covers(kernel, text + 0x1fff));
	assert_false(dso_covers(kernel, text + 0x2000));
	assert_string_equal(kvm->short_name, "[kvm]");
	assert_string_equal(name_at(kvm, 0xffffffffc0100123), "second");
	assert_true(kvm->mem_mapped_by_ip);
	assert_int_equal(dso_address(kvm, 0xffffffffc0100123, 0x123), 0xffffffffc0100123);
	kvm = dso_set_get(set, "[kvm_intel]", NULL, DSO_UNKNOWN, -1);
	assert_string_equal(name_at(kvm, 0xffffffffc0201000), "third");
	assert_string_equal(name_at(kvm, 0xffffffffc0100123), "none");
}

static void kallsyms_names_kernel_and_modules(void **state)
{
	AUTO_CHAR *path = in_box("k/kallsyms");
	struct symbol_options options = {.kallsyms = path, .buildid_dir = box, .use_modules = true};

	(void)state;
	write_file("k/kallsyms", kallsyms);
	for (uint64_t moved = 0; moved <= 0x2000000; moved += 0x2000000) {
		struct kernel_layout layout = {.reference = "_text",
					       .reference_recorded = 0xffffffff81000000 + moved};
		struct dso_set set;
		struct dso *kernel;

		dso_set_init(&set, &options);
		kernel = dso_set_get(&set, "[kernel.kallsyms]", NULL, DSO_UNKNOWN, -1);
		dso_set_kernel_layout(kernel, &layout);
		expect_kernel(&set, kernel, moved);
		assert_int_equal(kernel->source, SYMBOLS_KALLSYMS);
		assert_string_equal(kernel->source_path, path);
		dso_set_release(&set);
	}
}

/* A table of another boot, in which modules lay elsewhere. */
static void modules_are_named_where_they_lay_when_recorded(void **state)
{
	AUTO_CHAR *path = in_box("k/kallsyms");
	struct symbol_options options = {.kallsyms = path, .buildid_dir = box, .use_modules = true};
	struct dso_set set;
	struct dso *kvm;

	(void)state;
	write_file("k/kallsyms", kallsyms);
	dso_set_init(&set, &options);
	dso_set_get(&set, "[kernel.kallsyms]", NULL, DSO_UNKNOWN, -1);
	kvm = dso_set_get(&set, "[kvm]", NULL, DSO_UNKNOWN, -1);
	kvm->mapping = (struct dso_mapping){0, 0xffffffffc0080000, 0xffffffffc0180000};
	assert_string_equal(name_at(kvm, 0xffffffffc0080010), "first");
	assert_string_equal(name_at(kvm, 0xffffffffc0080123), "second");
	/* where the table has them something else lay in that boot */
	assert_string_equal(name_at(kvm, 0xffffffffc0181000), "none");
	dso_set_release(&set);
}

static void another_kernels_kallsyms_is_in_the_cache_or_nowhere(void **state)
{
	struct symbol_options options = {.buildid_dir = box, .use_modules = true};
	struct build_id id = {.bytes = {0xab, 0xcd, 0xef}, .size = 20};
	struct dso_set set;
	struct dso *kernel;

	(void)state;
	write_file("[kernel.kallsyms]/abcdef0000000000000000000000000000000000/kallsyms", kallsyms);
	dso_set_init(&set, &options);
	kernel = dso_set_get(&set, "[kernel.kallsyms]", &id, DSO_UNKNOWN, -1);
	expect_kernel(&set, kernel, 0);
	dso_set_release(&set);
	id.bytes[5] = 1;
	dso_set_init(&set, &options);
	kernel = dso_set_get(&set, "[kernel.kallsyms]", &id, DSO_UNKNOWN, -1);
	assert_null(dso_find_name(kernel, "_text"));
	assert_int_equal(kernel->source, SYMBOLS_NONE);
	dso_set_release(&set);
	/* nor does this machine answer for a recording of another one */
	options.no_live = true;
	dso_set_init(&set, &options);
	kernel = dso_set_get(&set, "[kernel.kallsyms]", NULL, DSO_UNKNOWN, -1);
	assert_null(dso_find_name(kernel, "_text"));
	dso_set_release(&set);
}

static void hidden_addresses_name_nothing(void **state)
{
	AUTO_CHAR *path = in_box("hidden");
	struct symbol_options options = {.kallsyms = path};
	struct dso_set set;
	struct dso *kernel;

	(void)state;
	write_file("hidden", "0000000000000000 T _stext\n0000000000000000 T _text\n");
	dso_set_init(&set, &options);
	kernel = dso_set_get(&set, "[kernel.kallsyms]", NULL, DSO_UNKNOWN, -1);
	assert_null(dso_find(kernel, 0));
	assert_int_equal(kernel->source, SYMBOLS_NONE);
	dso_set_release(&set);
}

static void of_a_jits_lines_the_last_holds(void **state)
{
	static const struct {
		uint64_t address;
		const char *name;
	} want[] = {
		{0x1000, "third()"}, {0x100f, "third()"}, {0x1010, "none"},  {0x2000, "fourth one"},
		{0x3000, "none"},    {0x4000, "upper"},	  {0x5000, "a b c"}, {0x6000, "none"},
	};
	char text[] = "1000 20 first()\n"
		      "1008 40 second()\n"
		      "1000 10 third()\n"
		      "0x2000 0x100 fourth one\n"
		      "3000 zz bad\n"
		      "4000 A upper\n"
		      "\n"
		      "junk\n"
		      "5000 1 a b c\n"
		      "6000 10\n"
		      "ffffffffffffffff ff beyond\n";
	struct symbol_table t = {0};

	(void)state;
	perf_map_parse(text, strlen(text), &t);
	symbol_table_seal(&t);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct symbol *s = symbol_table_find(&t, want[i].address);

		assert_string_equal(s ? s->name : "none", want[i].name);
	}
	symbol_table_release(&t);
}

/* Whoever shows the name of a function shows one that a terminal does not obey. */
static void names_of_functions_are_harmless(void **state)
{
	static const struct {
		uint64_t address;
		const char *name;
	} want[] = {
		{0x1000, "\\x1b]52;c;QQ==\\x07x"},
		{0x2000, "a\\x0db"},
		{0x3000, "\\xc2\\x9b31m"},
		{0x4000, "\\x9b31m"},
		{0x5000, "na\xc3\xafve::plain(char)"},
	};
	const int pid = 2147483001;
	AUTO_CHAR *path = mem_printf("/tmp/perf-%d.map", pid);
	struct symbol_options options = {.demangle = true};
	struct dso_set set;
	struct dso *dso;
	FILE *f = fopen(path, "w");

	(void)state;
	assert_non_null(f);
	fputs("1000 10 \x1b]52;c;QQ==\x07x\n2000 10 a\rb\n3000 10 \xc2\x9b"
	      "31m\n4000 10 \x9b"
	      "31m\n"
	      "5000 10 na\xc3\xafve::plain(char)\n",
	      f);
	fclose(f);
	dso_set_init(&set, &options);
	dso = dso_set_get(&set, path, NULL, DSO_UNKNOWN, -1);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_string_equal(dso_symbol_name(dso, dso_find(dso, want[i].address)),
				    want[i].name);
	dso_set_release(&set);
	unlink(path);
}

static void maps_of_others_are_not_believed(void **state)
{
	const int pid = 2147483000;
	AUTO_CHAR *path = mem_printf("/tmp/perf-%d.map", pid);
	FILE *f = fopen(path, "w");
	struct rusage usage;

	(void)state;
	assert_non_null(f);
	fputs("1000 10 _ZN3fooEv\n", f);
	fclose(f);
	for (int force = 0; force < 2; force++) {
		struct symbol_options options = {.demangle = true, .force = force};
		struct dso_set set;
		struct dso *dso;

		/* nor are they read: it is large then, with little on the disk */
		if (chown(path, 12345, -1) < 0 || truncate(path, force ? 20 : 900 << 20)) {
			unlink(path);
			skip();
		}
		dso_set_init(&set, &options);
		dso = dso_set_get(&set, path, NULL, DSO_UNKNOWN, -1);
		assert_int_equal(dso->pid, pid);
		assert_string_equal(name_at(dso, 0x1000), force ? "_ZN3fooEv" : "none");
		assert_int_equal(dso_nameless(dso), force ? NAMELESS_BETWEEN : NAMELESS_FOREIGN);
		getrusage(RUSAGE_SELF, &usage);
		assert_true(usage.ru_maxrss < 500 << 10);
		if (force) /* a JIT's names are never mangled */
			assert_string_equal(dso_symbol_name(dso, dso_find(dso, 0x1000)),
					    "_ZN3fooEv");
		dso_set_release(&set);
	}
	unlink(path);
}

/* A map of 1000 s after the epoch, of a process that began then or later. */
static void maps_older_than_their_process_are_not_believed(void **state)
{
	const int64_t second = 1000000000;
	const struct {
		int64_t to_wall; /* in s, as the next */
		uint64_t begun;
		bool known, here, force;
		enum nameless is;
	} cases[] = {
		{900, 109, true, true, false, NAMELESS_BETWEEN},
		{900, 111, true, true, false, NAMELESS_STALE},
		{-1000, 2011, true, true, false, NAMELESS_STALE},
		{-1000, 500, true, true, false, NAMELESS_BETWEEN},
		{900, 111, true, true, true, NAMELESS_BETWEEN},
		{900, 111, false, true, false, NAMELESS_BETWEEN},
		{900, 111, true, false, false, NAMELESS_BETWEEN},
		{900, 0, true, true, false, NAMELESS_BETWEEN},
	};
	const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	AUTO_CHAR *path = mem_printf("/tmp/perf-%d.map", 2147483001);
	FILE *f = fopen(path, "w");

	(void)state;
	assert_non_null(f);
	fputs("1000 10 stale\n", f);
	fclose(f);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct symbol_options options = {
			.force = cases[i].force,
			.recorded_ns = cases[i].here ? 2000 * second : 0,
			.clock = {cases[i].known, cases[i].to_wall * second, 10 * second,
				  .first = 1},
		};
		struct dso_set set;
		struct dso *dso;

		dso_set_init(&set, &options);
		dso = dso_set_get(&set, path, NULL, DSO_UNKNOWN, -1);
		assert_int_equal(dso->process_begun, UINT64_MAX);
		dso->process_begun = cases[i].begun * (uint64_t)second;
		assert_string_equal(name_at(dso, 0x1000),
				    cases[i].is == NAMELESS_STALE ? "none" : "stale");
		assert_int_equal(dso_nameless(dso), cases[i].is);
		dso_set_release(&set);
	}
	unlink(path);
}

static void programs_of_the_kernel_have_one_symbol(void **state)
{
	struct dso_set set;
	struct dso *dso;

	(void)state;
	dso_set_init(&set, NULL);
	dso = dso_set_get_made(&set, "bpf_prog_6deef7357e7b4530_x", DSO_BPF, 0xffffffffc0300000,
			       0x100);
	assert_string_equal(name_at(dso, 0xffffffffc03000ff), "bpf_prog_6deef7357e7b4530_x");
	assert_string_equal(name_at(dso, 0xffffffffc0300100), "none");
	assert_int_equal(dso->source, SYMBOLS_SYNTHETIC);
	assert_true(dso->in_kernel);
	dso_set_release(&set);
}

/* Each use of BPF on the machine makes some more of them while top runs. */
static void programs_of_the_kernel_are_small(void **state)
{
	enum { PROGRAMS = 1000, MOST = 2048 /* bytes of each */ };
	size_t before = mallinfo2().uordblks;
	struct dso_set set;

	(void)state;
	dso_set_init(&set, NULL);
	for (uint64_t i = 0; i < PROGRAMS; i++)
		assert_non_null(dso_set_get_made(&set, "bpf_prog_6deef7357e7b4530_x", DSO_BPF,
						 0xffffffffc0300000 + i * 0x100, 0x100));
	assert_int_equal(set.dsos.n, PROGRAMS);
	assert_in_range(mallinfo2().uordblks - before, 0, PROGRAMS * MOST);
	dso_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symfs_stands_for_the_root),
		cmocka_unit_test(the_cache_is_asked_by_build_id),
		cmocka_unit_test(it_is_told_why_there_is_no_name),
		cmocka_unit_test(compressed_modules_are_expanded),
		cmocka_unit_test(kallsyms_names_kernel_and_modules),
		cmocka_unit_test(modules_are_named_where_they_lay_when_recorded),
		cmocka_unit_test(another_kernels_kallsyms_is_in_the_cache_or_nowhere),
		cmocka_unit_test(hidden_addresses_name_nothing),
		cmocka_unit_test(of_a_jits_lines_the_last_holds),
		cmocka_unit_test(names_of_functions_are_harmless),
		cmocka_unit_test(maps_of_others_are_not_believed),
		cmocka_unit_test(maps_older_than_their_process_are_not_believed),
		cmocka_unit_test(programs_of_the_kernel_have_one_symbol),
		cmocka_unit_test(programs_of_the_kernel_are_small),
	};

	return cmocka_run_group_tests(tests, make_box, remove_box);
}
