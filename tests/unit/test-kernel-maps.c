// SPDX-License-Identifier: MIT
#include "folder.h"

#include "os/machine/modules.h"
#include "symbol/dso_private.h"
#include "world/world.h"

#define MODULES	  0xffffffffc0000000ull
#define KERNEL	  0xffffffff81000000ull
#define KERNEL_OF "[kernel.kallsyms]_text"

struct test {
	struct recording rec;
	struct world *w;
};

/* kernel: the name for which the table of build-ids has one, or NULL */
static void begin(struct test *t, const char *kernel)
{
	static const struct symbol_options options = {.symfs = "/nonexistent"};

	memset(t, 0, sizeof(*t));
	t->rec.m.sample_id_all = true;
	if (kernel)
		vec_add(&t->rec.build_ids,
			(struct build_id_entry){
				.pid = -1, .misc = MISC_KERNEL, .size = 20, .filename = kernel});
	t->w = world_of_recording(&t->rec, &options);
}

static void end(struct test *t)
{
	world_free(t->w);
	arena_release(&t->rec.arena);
	vec_release(&t->rec.build_ids);
}

static void add_map(struct test *t, uint64_t start, uint64_t len, const char *name)
{
	const struct record r = {.header = {.type = RECORD_MMAP, .misc = MISC_KERNEL},
				 .mmap = {.pid = (uint32_t)-1,
					  .addr = start,
					  .len = len,
					  .pgoff = start,
					  .filename = name}};

	world_add(t->w, &r, 0);
}

static void add_ksymbol(struct test *t, uint64_t addr, const char *name, bool gone)
{
	const struct record r = {
		.header = {.type = RECORD_KSYMBOL},
		.ksymbol = {
			.addr = addr, .len = 0x100, .ksym_type = 1, .flags = gone, .name = name}};

	world_add(t->w, &r, 1);
}

static struct place place_of(struct test *t, uint64_t ip)
{
	const uint32_t epoch = world_epoch(t->w, world_thread(t->w, 0, 0, WORLD_NOW), WORLD_NOW);

	return world_place(t->w, epoch, MISC_KERNEL, ip);
}

static const char *lies_in(struct test *t, uint64_t ip)
{
	struct place p = place_of(t, ip);

	return p.map ? world_dso_name(t->w, p.dso) : "nowhere";
}

/* Since Linux 6.4 the size that /proc/modules tells includes parts that lie elsewhere. */
static void the_nearest_start_answers_where_modules_overlap(void **state)
{
	(void)state;
	/* whatever the order in which they come, which decides the shape of the tree */
	for (unsigned int order = 0; order < 25; order++) {
		struct test t;
		char name[32];

		begin(&t, NULL);
		for (unsigned int i = 0; i < 25; i++) {
			unsigned int m = (i * 7 + order) % 25;

			snprintf(name, sizeof(name), "[m%u]", m);
			add_map(&t, MODULES + m * 0x1000, 0x4800, name);
		}
		add_map(&t, MODULES + 0x10000, 0x200, "[again]");
		for (unsigned int m = 0; m < 25; m++) {
			snprintf(name, sizeof(name), m == 16 ? "[again]" : "[m%u]", m);
			assert_string_equal(lies_in(&t, MODULES + m * 0x1000), name);
			assert_string_equal(lies_in(&t, MODULES + m * 0x1000 + 0x1ff), name);
			if (m == 16)
				snprintf(name, sizeof(name), "nowhere");
			assert_string_equal(lies_in(&t, MODULES + m * 0x1000 + 0xfff), name);
		}
		assert_string_equal(lies_in(&t, MODULES - 1), "nowhere");
		assert_string_equal(lies_in(&t, MODULES + 24 * 0x1000 + 0x4800), "nowhere");
		end(&t);
	}
}

static void a_short_module_ends_the_long_one_before_it(void **state)
{
	struct test t;

	(void)state;
	begin(&t, NULL);
	add_map(&t, KERNEL, 0x1000000, KERNEL_OF);
	add_map(&t, MODULES, 0x8000, "[long]");
	add_map(&t, MODULES + 0x2000, 0x1000, "[short]");
	assert_string_equal(lies_in(&t, MODULES + 0x1fff), "[long]");
	assert_string_equal(lies_in(&t, MODULES + 0x2fff), "[short]");
	assert_string_equal(lies_in(&t, MODULES + 0x3000), "nowhere");
	assert_string_equal(lies_in(&t, KERNEL + 0xffffff), "[kernel.kallsyms]");
	end(&t);
}

static void a_program_of_bpf_lies_in_what_a_module_seems_to_cover(void **state)
{
	struct test t;

	(void)state;
	begin(&t, NULL);
	add_map(&t, KERNEL, 0x1000000, KERNEL_OF);
	add_map(&t, MODULES, 0x8000, "[long]");
	add_ksymbol(&t, MODULES + 0x4000, "bpf_prog_1_a", false);
	add_ksymbol(&t, MODULES + 0x4000, "bpf_prog_1_a", false);
	add_ksymbol(&t, MODULES + 0x9000, "bpf_prog_3_c", false);
	/* the kernel's symbols, which take 60 ms to read, are not needed for that */
	assert_false(dso_set_kernel(world_dsos(t.w))->private_data->loaded);
	assert_string_equal(lies_in(&t, MODULES + 0x3fff), "[long]");
	assert_string_equal(lies_in(&t, MODULES + 0x40ff), "bpf_prog_1_a");
	add_ksymbol(&t, MODULES + 0x4000, "bpf_prog_1_a", true);
	assert_string_equal(lies_in(&t, MODULES + 0x40ff), "[long]");
	/* the end of what was never seen to begin */
	add_ksymbol(&t, MODULES + 0x5000, "bpf_prog_2_b", true);
	assert_string_equal(lies_in(&t, MODULES + 0x40ff), "[long]");
	end(&t);
}

static void modules_of_the_machine_do_not_overlap(void **state)
{
	char proc[] = "/tmp/test-kernel-maps-XXXXXX";
	struct modules m;

	(void)state;
	assert_non_null(mkdtemp(proc));
	folder_put(proc, "modules",
		   "last 8192 0 - Live 0xffffffffc0009000\n"
		   "first 40960 1 last, Live 0xffffffffc0001000\n"
		   "apart 4096 1 last, Live 0xffffffffc0005000\n"
		   "hidden 4096 0 - Live 0x0000000000000000\n");
	modules_read(&m, proc, "/nonexistent", "6.4");
	assert_int_equal(m.all.n, 3);
	assert_string_equal(m.all.at[0].name, "first");
	assert_int_equal(m.all.at[0].start, MODULES + 0x1000);
	assert_int_equal(m.all.at[0].size, 0x4000);
	assert_string_equal(m.all.at[1].name, "apart");
	assert_int_equal(m.all.at[1].size, 0x1000);
	assert_string_equal(m.all.at[2].name, "last");
	assert_int_equal(m.all.at[2].size, 0x2000);
	modules_release(&m);
	assert_int_equal(folder_remove(proc), 0);
}

static void a_kernel_that_was_a_vmlinux_has_a_short_name(void **state)
{
	static const char *const names[][2] = {
		{"/usr/lib/debug/lib/modules/5.3.0/vmlinux", "[kernel.vmlinux]"},
		{"/boot/vmlinux-5.3.0", "[kernel.vmlinux]"},
		{"[kernel.kallsyms]", "[kernel.kallsyms]"},
		{"/boot/kernel", "kernel"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct test t;
		struct place p;

		begin(&t, names[i][0]);
		add_map(&t, KERNEL, 0x1000000, KERNEL_OF);
		p = place_of(&t, KERNEL);
		assert_non_null(p.map);
		assert_string_equal(p.dso->short_name, names[i][1]);
		assert_string_equal(world_dso_name(t.w, p.dso), names[i][0]);
		end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_start_answers_where_modules_overlap),
		cmocka_unit_test(a_short_module_ends_the_long_one_before_it),
		cmocka_unit_test(a_program_of_bpf_lies_in_what_a_module_seems_to_cover),
		cmocka_unit_test(modules_of_the_machine_do_not_overlap),
		cmocka_unit_test(a_kernel_that_was_a_vmlinux_has_a_short_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
