// SPDX-License-Identifier: MIT
#include "unit.h"

#include "base/buf.h"
#include "world/clock.h"
#include "world/covered.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EXEC 4

struct test {
	struct recording rec;
	struct world *w;
};

static void begin(struct test *t)
{
	static const struct symbol_options options = {.symfs = "/nonexistent"};

	memset(t, 0, sizeof(*t));
	t->rec.m.sample_id_all = true;
	t->w = world_of_recording(&t->rec, &options);
}

static void end(struct test *t)
{
	world_free(t->w);
	arena_release(&t->rec.arena);
	vec_release(&t->rec.build_ids);
}

static void add_mmap(struct test *t, uint32_t pid, uint64_t start, uint64_t len, uint64_t pgoff,
		     const char *name, uint64_t time)
{
	struct record r = {.header = {.type = RECORD_MMAP2, .misc = MISC_USER},
			   .mmap = {.pid = pid, .tid = pid, .addr = start, .len = len,
				    .pgoff = pgoff, .prot = EXEC, .filename = name}};

	if (name[0] == '[' && strcmp(name, "[vdso]") && strcmp(name, "[heap]"))
		r.header.misc = MISC_KERNEL;
	world_add(t->w, &r, time);
}

static void add_comm(struct test *t, uint32_t pid, uint32_t tid, const char *comm, uint64_t time)
{
	struct record r = {.header = {.type = RECORD_COMM},
			   .comm = {.pid = pid, .tid = tid, .comm = comm}};

	world_add(t->w, &r, time);
}

static void add_fork(struct test *t, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid,
		     uint64_t time)
{
	struct record r = {.header = {.type = RECORD_FORK},
			   .task = {.pid = pid, .tid = tid, .ppid = ppid, .ptid = ptid}};

	world_add(t->w, &r, time);
}

static void add_exit(struct test *t, uint32_t pid, uint32_t tid, uint64_t time)
{
	world_add(t->w, &(struct record){.header.type = RECORD_EXIT, .task = {pid, .tid = tid}},
		  time);
}

static void add_ksymbol(struct test *t, uint64_t addr, const char *name, bool gone, uint64_t time)
{
	struct record r = {.header = {.type = RECORD_KSYMBOL},
			   .ksymbol = {.addr = addr, .len = 0x100, .ksym_type = 1, .flags = gone,
				       .name = name}};

	world_add(t->w, &r, time);
}

static const char *comm_at(struct test *t, uint32_t pid, uint32_t tid, uint64_t time)
{
	return world_comm(t->w, world_thread(t->w, pid, tid, time), time);
}

/* "NAME+OFFSET" of where ip lay for the process at that time. */
static const char *lies(struct test *t, uint32_t pid, uint64_t ip, uint8_t mode, uint64_t time)
{
	static char text[4][128];
	static int turn;
	uint32_t epoch = world_epoch(t->w, world_thread(t->w, pid, pid, time), time);
	struct place p = world_place(t->w, epoch, mode, ip);
	char *s = text[turn++ % 4];

	if (p.map)
		snprintf(s, sizeof(text[0]), "%s+%llx", world_dso_name(t->w, p.dso),
			 (unsigned long long)p.offset);
	else
		snprintf(s, sizeof(text[0]), "nowhere");
	return s;
}

static const char *name_in(struct test *t, uint32_t epoch, uint8_t mode, uint64_t ip)
{
	struct place p = world_place(t->w, epoch, mode, ip);

	return p.map ? p.dso->long_name : "";
}

static void threads_end_with_their_exit(void **state)
{
	struct test t;

	(void)state;
	begin(&t); /* a wakeup tells of a thread without its process */
	assert_int_equal(world_thread(t.w, 0, 31, WORLD_NOW)->died, UINT64_MAX);
	add_exit(&t, 30, 31, 25);
	assert_int_equal(world_thread(t.w, 0, 31, WORLD_NOW)->died, 25);
	end(&t);
}

static void comms_hold_for_their_time(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	add_comm(&t, 10, 10, "sh", 5);
	add_fork(&t, 11, 11, 10, 10, 20);
	add_comm(&t, 11, 11, "ls", 30);
	add_fork(&t, 11, 12, 11, 11, 40);
	/* the pid is used again */
	add_fork(&t, 11, 11, 10, 10, 100);
	world_seal(t.w);
	assert_string_equal(comm_at(&t, 0, 0, 1), "swapper");
	assert_string_equal(comm_at(&t, 10, 10, 1), "sh");
	assert_string_equal(comm_at(&t, 11, 11, 19), ":11");
	assert_string_equal(comm_at(&t, 11, 11, 20), "sh");
	assert_string_equal(comm_at(&t, 11, 11, 99), "ls");
	assert_string_equal(comm_at(&t, 11, 12, 50), "ls");
	assert_string_equal(comm_at(&t, 11, 11, 100), "sh");
	assert_null(world_thread(t.w, 77, 77, 1));
	end(&t);
}

static void later_maps_trim_older_ones(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	add_comm(&t, 1, 1, "a", 0);
	add_mmap(&t, 1, 0x1000, 0x9000, 0, "/a", 10);
	add_mmap(&t, 1, 0x3000, 0x1000, 0x500, "/b", 20);
	add_mmap(&t, 1, 0x3800, 0x4000, 0, "/c", 30);
	world_seal(t.w);
	assert_string_equal(lies(&t, 1, 0x3100, MISC_USER, 9), "nowhere");
	assert_string_equal(lies(&t, 1, 0x3100, MISC_USER, 10), "/a+2100");
	assert_string_equal(lies(&t, 1, 0x3100, MISC_USER, 20), "/b+600");
	assert_string_equal(lies(&t, 1, 0x2fff, MISC_USER, 20), "/a+1fff");
	assert_string_equal(lies(&t, 1, 0x4000, MISC_USER, 25), "/a+3000");
	assert_string_equal(lies(&t, 1, 0x37ff, MISC_USER, 30), "/b+cff");
	assert_string_equal(lies(&t, 1, 0x3800, MISC_USER, 30), "/c+0");
	assert_string_equal(lies(&t, 1, 0x7800, MISC_USER, 30), "/a+6800");
	assert_string_equal(lies(&t, 1, 0xa000, MISC_USER, 30), "nowhere");
	end(&t);
}

static void forks_share_until_one_changes(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	add_comm(&t, 1, 1, "a", 0);
	add_mmap(&t, 1, 0x1000, 0x1000, 0, "/a", 0);
	add_fork(&t, 2, 2, 1, 1, 10);
	add_mmap(&t, 2, 0x1000, 0x800, 0, "/child", 20);
	add_mmap(&t, 1, 0x1800, 0x800, 0, "/parent", 20);
	add_fork(&t, 1, 3, 1, 1, 30);
	world_seal(t.w);
	assert_string_equal(lies(&t, 2, 0x1000, MISC_USER, 15), "/a+0");
	assert_string_equal(lies(&t, 2, 0x1000, MISC_USER, 20), "/child+0");
	assert_string_equal(lies(&t, 2, 0x1900, MISC_USER, 20), "/a+900");
	assert_string_equal(lies(&t, 1, 0x1000, MISC_USER, 20), "/a+0");
	assert_string_equal(lies(&t, 1, 0x1900, MISC_USER, 20), "/parent+100");
	assert_ptr_equal(world_thread(t.w, 1, 3, 30)->process,
			 world_thread(t.w, 1, 1, 30)->process);
	end(&t);
}

static void the_kernel_has_versions_too(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	add_comm(&t, 1, 1, "a", 0);
	add_mmap(&t, (uint32_t)-1, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		 "[kernel.kallsyms]_text", 0);
	add_mmap(&t, (uint32_t)-1, 0xffffffffc0000000, 0x1000, 0, "[kvm]", 0);
	add_ksymbol(&t, 0xffffffffc1000000, "bpf_prog_1_a", false, 10);
	add_mmap(&t, 1, 0x1000, 0x1000, 0, "/a", 15);
	add_ksymbol(&t, 0xffffffffc1000000, "bpf_prog_1_a", true, 20);
	add_ksymbol(&t, 0xffffffffc1000000, "bpf_prog_2_b", false, 30);
	world_seal(t.w);
	assert_string_equal(lies(&t, 1, 0xffffffff81000010, MISC_KERNEL, 5),
			    "[kernel.kallsyms]+ffffffff81000010");
	assert_string_equal(lies(&t, 1, 0xffffffff81000010, MISC_USER, 5), "nowhere");
	assert_string_equal(lies(&t, 1, 0xffffffff81000010, MISC_GUEST_KERNEL, 5), "nowhere");
	assert_string_equal(lies(&t, 1, 0xffffffffc0000010, MISC_KERNEL, 5), "[kvm]+10");
	assert_string_equal(lies(&t, 1, 0xffffffffc1000010, MISC_KERNEL, 5), "nowhere");
	for (uint64_t time = 10; time < 20; time++)
		assert_string_equal(lies(&t, 1, 0xffffffffc1000010, MISC_KERNEL, time),
				    "bpf_prog_1_a+ffffffffc1000010");
	assert_string_equal(lies(&t, 1, 0x1010, MISC_USER, 19), "/a+10");
	assert_string_equal(lies(&t, 1, 0xffffffffc1000010, MISC_KERNEL, 25), "nowhere");
	assert_string_equal(lies(&t, 1, 0xffffffffc1000010, MISC_KERNEL, 30),
			    "bpf_prog_2_b+ffffffffc1000010");
	end(&t);
}

static void names_are_those_of_perf(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	add_mmap(&t, 7, 0x1000, 0x1000, 0, "//anon", 0);
	add_mmap(&t, 7, 0x2000, 0x1000, 0x123000, "[vdso]", 0);
	add_mmap(&t, 7, 0x3000, 0x1000, 0, "[heap]", 0);
	assert_string_equal(lies(&t, 7, 0x1010, MISC_USER, WORLD_NOW), "/tmp/perf-7.map+1010");
	assert_string_equal(lies(&t, 7, 0x3010, MISC_USER, WORLD_NOW), "/tmp/perf-7.map+3010");
	assert_non_null(strstr(lies(&t, 7, 0x2010, MISC_USER, WORLD_NOW), "+10"));
	/* a memfd keeps its name; whose JIT's map may tell of it is known */
	add_mmap(&t, 7, 0x5000, 0x1000, 0x2000, "/memfd:jit (deleted)", 0);
	add_mmap(&t, 8, 0x5000, 0x1000, 0x2000, "/memfd:jit (deleted)", 0);
	for (uint32_t pid = 7; pid < 9; pid++) {
		uint32_t epoch =
			world_epoch(t.w, world_thread(t.w, pid, pid, WORLD_NOW), WORLD_NOW);
		struct place p = world_place(t.w, epoch, MISC_USER, 0x5010);

		assert_string_equal(p.dso->long_name, "/memfd:jit (deleted)");
		assert_int_equal(p.dso->pid, pid);
	}
	assert_string_equal(comm_at(&t, 7, 7, WORLD_NOW), ":7");
	end(&t);
}

/* What the present only is asked about, and epochs that stay while nothing changes. */
static void stream_mode_knows_the_present(void **state)
{
	struct test t;
	struct thread *th;
	uint32_t before;

	(void)state;
	begin(&t);
	world_present_only(t.w);
	for (unsigned int i = 0; i < 5000; i++)
		add_mmap(&t, 1, 0x1000 * (1 + (i * 7919) % 5000), 0x1000, 0, i % 2 ? "/a" : "/b",
			 i);
	th = world_thread(t.w, 1, 1, WORLD_NOW);
	before = world_epoch(t.w, th, WORLD_NOW);
	assert_int_equal(world_epoch(t.w, th, WORLD_NOW), before);
	for (unsigned int i = 0; i < 5000; i++)
		assert_string_equal(lies(&t, 1, 0x1000 * (1 + (i * 7919) % 5000) + 8, MISC_USER,
					 WORLD_NOW), i % 2 ? "/a+8" : "/b+8");
	add_ksymbol(&t, 0xffffffffc1000000, "bpf_prog_1_a", false, 10);
	assert_int_not_equal(world_epoch(t.w, th, WORLD_NOW), before);
	end(&t);
}

/* Epochs that were handed out go on to name the state of their time. */
static void epochs_stay_what_they_were(void **state)
{
	struct test t;
	struct thread *th;
	uint32_t first, second, third;

	(void)state;
	begin(&t);
	/* all at one time: no time tells the states apart */
	add_mmap(&t, 1, 0x1000, 0x1000, 0, "/a", 5);
	add_ksymbol(&t, 0xffffffffc1000000, "bpf_prog_1_a", false, 5);
	th = world_thread(t.w, 1, 1, WORLD_NOW);
	first = world_epoch(t.w, th, WORLD_NOW);
	add_mmap(&t, 1, 0x1000, 0x1000, 0, "/b", 5);
	second = world_epoch(t.w, th, WORLD_NOW);
	add_ksymbol(&t, 0xffffffffc1000000, "bpf_prog_1_a", true, 5);
	third = world_epoch(t.w, th, WORLD_NOW);
	for (int sealed = 0; sealed < 2; sealed++) {
		assert_string_equal(name_in(&t, first, MISC_USER, 0x1000), "/a");
		assert_string_equal(name_in(&t, second, MISC_USER, 0x1000), "/b");
		assert_string_equal(name_in(&t, third, MISC_USER, 0x1000), "/b");
		assert_string_equal(name_in(&t, first, MISC_KERNEL, 0xffffffffc1000000),
				    "bpf_prog_1_a");
		assert_string_equal(name_in(&t, second, MISC_KERNEL, 0xffffffffc1000000),
				    "bpf_prog_1_a");
		assert_string_equal(name_in(&t, third, MISC_KERNEL, 0xffffffffc1000000), "");
		world_seal(t.w);
	}
	assert_string_equal(lies(&t, 1, 0x1000, MISC_USER, 5), "/b+0");
	end(&t);
}

static const char *lay_then(struct test *t, uint64_t ip, uint64_t time)
{
	return name_in(t, world_epoch_then(t->w, world_thread(t->w, 1, 1, time), time), MISC_USER,
		       ip);
}

/* While records are still added: what is asked late is answered as of its own time. */
static void a_growing_world_knows_its_past(void **state)
{
	const uint64_t program = 0xffffffffc1000000;
	struct test t;
	struct thread *th;
	uint32_t past;

	(void)state;
	begin(&t);
	add_mmap(&t, 1, 0x1000, 0x1000, 0, "/a", 10);
	th = world_thread(t.w, 1, 1, 10);
	past = world_epoch_then(t.w, th, 10);
	add_mmap(&t, 1, 0x1000, 0x1000, 0, "/b", 20);
	add_mmap(&t, 1, 0x1000, 0x1000, 0, "/c", 30);
	add_mmap(&t, 1, 0x5000, 0x1000, 0, "/d", 30);
	for (int round = 0; round < 2; round++) {
		assert_string_equal(lay_then(&t, 0x1000, 10), "/a");
		assert_string_equal(lay_then(&t, 0x1000, 19), "/a");
		assert_string_equal(lay_then(&t, 0x1000, 29), "/b");
		assert_string_equal(lay_then(&t, 0x5000, 29), "");
		assert_string_equal(lay_then(&t, 0x1000, 30), "/c");
		assert_string_equal(lay_then(&t, 0x5000, WORLD_NOW), "/d");
		/* nothing is known of before the first ones: they may have been there */
		assert_string_equal(lay_then(&t, 0x1000, 9), "/a");
		/* the kernel as it was then, too */
		add_ksymbol(&t, program, "bpf_prog_1_a", false, 30);
	}
	/* one name for each state, also for what had one while it was the present */
	assert_int_equal(world_epoch_then(t.w, th, 10), past);
	assert_int_equal(world_epoch_then(t.w, th, 15), past);
	assert_int_equal(world_epoch_then(t.w, th, 25), world_epoch_then(t.w, th, 21));
	assert_int_not_equal(world_epoch_then(t.w, th, 25), past);
	assert_int_equal(world_epoch_then(t.w, th, 40), world_epoch(t.w, th, WORLD_NOW));
	assert_string_equal(name_in(&t, world_epoch_then(t.w, th, 25), MISC_KERNEL, program), "");
	assert_string_equal(name_in(&t, world_epoch_then(t.w, th, 35), MISC_KERNEL, program),
			    "bpf_prog_1_a");
	world_seal(t.w);
	assert_string_equal(name_in(&t, past, MISC_USER, 0x1000), "/a");
	assert_string_equal(lay_then(&t, 0x1000, 25), "/b");
	end(&t);
}

/* Against a plain list of pages: each mmap overwrites what lay there. */
static void what_is_mapped_is_covered(void **state)
{
	struct covered c;
	struct test t;
	uint32_t epoch;
	unsigned int others = 0;

	(void)state;
	begin(&t);
	/* one that begins and ends within 2 MiB, and one of several */
	add_mmap(&t, 1, 0x555555554000, 0x3000, 0, "/a", 5);
	add_mmap(&t, 1, 0x7ffff5100000, 0x700000, 0, "/b", 5);
	epoch = world_epoch(t.w, world_thread(t.w, 1, 1, WORLD_NOW), WORLD_NOW);
	world_epoch_covered(t.w, epoch, &c);
	assert_true(covered_may_hold(&c, 0x555555554000));
	assert_true(covered_may_hold(&c, 0x555555556fff));
	for (uint64_t at = 0; at < 0x700000; at += 0xfff)
		assert_true(covered_may_hold(&c, 0x7ffff5100000 + at));
	/* hashes of few others are equal */
	for (uint64_t at = 0; at < 4096; at++)
		others += covered_may_hold(&c, at << 21);
	assert_in_range(others, 0, 40);
	/* a map of half the address space, of a damaged record */
	add_mmap(&t, 1, 0x1000, 1ull << 62, 0, "/c", 6);
	epoch = world_epoch(t.w, world_thread(t.w, 1, 1, WORLD_NOW), WORLD_NOW);
	world_epoch_covered(t.w, epoch, &c);
	for (uint64_t at = 0; at < 4096; at++)
		assert_true(covered_may_hold(&c, at << 21));
	end(&t);
}

static void maps_are_what_a_page_table_would_say(void **state)
{
	enum { PAGES = 64, STEPS = 2000 };
	unsigned int owner[PAGES] = {0}, seed = 1;
	struct test t;
	char name[32];

	(void)state;
	begin(&t);
	for (unsigned int step = 1; step <= STEPS; step++) {
		unsigned int first, n;

		seed = seed * 1103515245 + 12345;
		first = seed >> 16 & (PAGES - 1);
		n = 1 + (seed >> 8) % 9;
		snprintf(name, sizeof(name), "/%u", step);
		add_mmap(&t, 1, first * 0x1000, n * 0x1000, 0, name, step);
		for (unsigned int p = first; p < first + n && p < PAGES; p++)
			owner[p] = step;
		for (unsigned int p = 0; p < PAGES; p += 5) {
			snprintf(name, sizeof(name), "/%u+", owner[p]);
			if (owner[p])
				assert_memory_equal(lies(&t, 1, p * 0x1000 + 1, MISC_USER,
							 WORLD_NOW), name, strlen(name));
		}
	}
	end(&t);
}

static void put(struct buf *b, uint64_t v, size_t n, bool swap)
{
	for (size_t i = 0; i < n; i++)
		buf_char(b, (char)(v >> 8 * (swap ? n - 1 - i : i)));
}

static void put_dump_header(struct buf *b, bool swap)
{
	put(b, 0x4a695444, 4, swap);
	put(b, 1, 4, swap);
	put(b, 48, 4, swap); /* 8 bytes more than there are fields */
	put(b, 62, 4, swap);
	put(b, 0, 4, swap);
	put(b, 5, 4, swap);
	put(b, 1, 8, swap);
	put(b, 0, 8, swap);
	put(b, 0, 8, swap);
}

static void put_load(struct buf *b, uint64_t time, uint64_t start, uint64_t size, uint64_t number,
		     const char *name, bool swap)
{
	put(b, 0, 4, swap);
	put(b, 16 + 40 + strlen(name) + 1 + size, 4, swap);
	put(b, time, 8, swap);
	put(b, 0, 8, swap);
	put(b, start, 8, swap);
	put(b, start, 8, swap);
	put(b, size, 8, swap);
	put(b, number, 8, swap);
	buf_add(b, name, strlen(name) + 1);
	buf_fill(b, '\x90', size);
}

static void put_move(struct buf *b, uint64_t time, uint64_t start, uint64_t size, uint64_t number,
		     bool swap)
{
	put(b, 1, 4, swap);
	put(b, 64, 4, swap);
	put(b, time, 8, swap);
	put(b, 0, 8, swap);
	put(b, start, 8, swap);
	put(b, 0, 8, swap);
	put(b, start, 8, swap);
	put(b, size, 8, swap);
	put(b, number, 8, swap);
}

/* A world in which process 5 mapped a dump of these bytes, then memory for code. */
static void begin_with_dump(struct test *t, const struct buf *dump, bool timed)
{
	const struct symbol_options options = {.jitdump = true};
	char path[64] = "/tmp/test-world-XXXXXX";
	FILE *f;

	memset(t, 0, sizeof(*t));
	t->rec.m.sample_id_all = true;
	if (timed) {
		struct event *e = event_set_add(&t->rec.m.events, "cycles");

		e->attr.flags |= ATTR_USE_CLOCKID;
		e->attr.clockid = 1;
		e->attr.sample_type = SAMPLE_TIME;
	}
	t->w = world_of_recording(&t->rec, &options);
	assert_non_null(mkdtemp(path));
	strcat(path, "/jit-5.dump");
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(dump->at, 1, dump->n, f), dump->n);
	fclose(f);
	add_comm(t, 5, 5, "java", 0);
	add_mmap(t, 5, 0x1000, 0x1000, 0, path, 10);
	add_mmap(t, 5, 0x10000, 0x10000, 0, "//anon", 10);
	unlink(path);
	*strrchr(path, '/') = 0;
	rmdir(path);
}

static void end_with_dump(struct test *t)
{
	end(t);
	event_set_release(&t->rec.m.events);
}

static const char *runs(struct test *t, uint64_t ip, uint64_t time)
{
	struct place p = world_place(
		t->w, world_epoch(t->w, world_thread(t->w, 5, 5, time), time), MISC_USER, ip);
	const struct symbol *s = place_symbol(&p);

	return s ? s->name : "nothing";
}

static void code_of_a_jit_holds_for_its_time(void **state)
{
	(void)state;
	for (int kind = 0; kind < 8; kind++) {
		const bool swap = kind & 1, timed = kind & 2, sealed = kind & 4;
		struct buf dump = {0};
		struct test t;

		put_dump_header(&dump, swap);
		put_load(&dump, 20, 0x10000, 0x40, 1, "first()", swap);
		put_load(&dump, 21, 0x10040, 0, 2, "empty", swap);
		put_load(&dump, 22, 0x11000, 0x100, 3, "_Z5otherv", swap);
		put_load(&dump, 30, 0x10020, 0x40, 4, "second", swap);
		put_move(&dump, 40, 0x12000, 0x40, 1, swap);
		put_load(&dump, 50, 0x10000, 0x100, 5, "third", swap);
		put_load(&dump, 60, 0x1000, 0x100, 6, "in a file", swap);
		begin_with_dump(&t, &dump, timed);
		if (sealed)
			world_seal(t.w);
		assert_string_equal(runs(&t, 0x10000, 25), timed ? "first()" : "third");
		assert_string_equal(runs(&t, 0x1003f, 25), timed ? "first()" : "third");
		assert_string_equal(runs(&t, 0x10040, 25), timed ? "nothing" : "third");
		assert_string_equal(runs(&t, 0x110ff, 25), "_Z5otherv");
		assert_string_equal(runs(&t, 0x11100, 25), "nothing");
		assert_string_equal(runs(&t, 0x1001f, 35), timed ? "first()" : "third");
		assert_string_equal(runs(&t, 0x10020, 35), timed ? "second" : "third");
		assert_string_equal(runs(&t, 0x12000, 45), "first()");
		assert_string_equal(runs(&t, 0x10020, 55), "third");
		assert_string_equal(runs(&t, 0x110ff, 55), "_Z5otherv");
		/* a file is what it is, whatever a dump says */
		assert_string_equal(runs(&t, 0x1000, 65), "nothing");
		end_with_dump(&t);
		buf_release(&dump);
	}
}

static void damaged_dumps_give_what_they_can(void **state)
{
	struct buf dump = {0};
	struct test t;
	size_t whole;

	(void)state;
	put_dump_header(&dump, false);
	put_load(&dump, 20, 0x10000, 0x40, 1, "good", false);
	/* more code than the record has room for; a name without an end; moved, but never loaded */
	put_load(&dump, 20, 0x11000, 0x40, 2, "long", false);
	dump.at[dump.n - 0x40 - 5 - 16] = 0x7f;
	put_load(&dump, 20, 0x12000, 0, 3, "endless", false);
	dump.at[dump.n - 1] = 's';
	put_move(&dump, 20, 0x13000, 0x40, 9, false);
	/* moved, and grown */
	put_move(&dump, 20, 0x13000, 0x41, 1, false);
	/* around the end of all addresses */
	put_load(&dump, 20, UINT64_MAX - 8, 0x40, 4, "beyond", false);
	put(&dump, 4, 4, false); /* of a kind that is passed over */
	put(&dump, 24, 4, false);
	buf_fill(&dump, 0, 16);
	put_load(&dump, 20, 0x14000, 0x40, 5, "last", false);
	whole = dump.n;
	begin_with_dump(&t, &dump, true);
	assert_string_equal(runs(&t, 0x10000, 30), "good");
	assert_string_equal(runs(&t, 0x11000, 30), "nothing");
	assert_string_equal(runs(&t, 0x12000, 30), "nothing");
	assert_string_equal(runs(&t, 0x13000, 30), "nothing");
	assert_string_equal(runs(&t, 0x14000, 30), "last");
	end_with_dump(&t);
	/* cut anywhere: what was complete stays; the code's own bytes aren't needed */
	for (dump.n = 0; dump.n < whole; dump.n += dump.n < 200 ? 1 : 13) {
		begin_with_dump(&t, &dump, true);
		assert_string_equal(runs(&t, 0x10000, 30),
				    dump.n >= 48 + 56 + 5 ? "good" : "nothing");
		end_with_dump(&t);
	}
	dump.n = whole;
	dump.at[0] ^= 1;
	begin_with_dump(&t, &dump, true);
	assert_string_equal(runs(&t, 0x10000, 30), "nothing");
	end_with_dump(&t);
	buf_release(&dump);
}

static void a_pipe_tells_of_its_kernel_on_the_way(void **state)
{
	const struct record feature = {.header.type = RECORD_HEADER_FEATURE};
	struct test t;

	(void)state;
	begin(&t);
	assert_false(world_dsos(t.w)->options.no_live);
	t.rec.m.osrelease = "2.6.32-of-another-machine";
	world_add(t.w, &feature, 0);
	assert_true(world_dsos(t.w)->options.no_live);
	assert_string_equal(world_dsos(t.w)->options.osrelease, t.rec.m.osrelease);
	end(&t);
}

/* At each time the state is what the three questions say, and it holds as long as it says, and no
 * longer than that. */
static void a_threads_state_tells_how_long_it_holds(void **state)
{
	struct test t;
	struct thread_state s;
	uint32_t seed = 7;

	(void)state;
	begin(&t);
	add_mmap(&t, 0, 0xffffffff81000000, 0x1000000, 0, "[kernel.kallsyms]_text", 0);
	for (uint64_t time = 10; time < 2000; time += 1 + seed % 5) {
		uint32_t tid = 1 + (seed >> 16) % 4;

		seed = seed * 1103515245 + 12345;
		switch (seed >> 8 & 3) {
		case 0:
			add_comm(&t, tid, tid, seed & 0x1000 ? "a" : "b", time);
			break;
		case 1:
			add_mmap(&t, tid, 0x1000 * (seed >> 12 & 15), 0x2000, 0, "/f", time);
			break;
		case 2:
			add_fork(&t, tid, tid, 1, 1, time);
			break;
		case 3:
			add_ksymbol(&t, 0xffffffffa0000000 + (seed >> 4 & 0xf00), "p",
				    seed & 0x2000, time);
			break;
		}
	}
	world_seal(t.w);
	assert_false(world_thread_state(t.w, 99, 5, &s));
	for (uint32_t tid = 1; tid <= 4; tid++)
		for (uint64_t from = 0; from < 2010; from = s.to + 1) {
			assert_true(world_thread_state(t.w, tid, from, &s));
			assert_true(s.from <= from && from <= s.to);
			for (uint64_t time = from; time <= s.to && time < 2010; time++) {
				struct thread *thread = world_thread(t.w, tid, tid, time);

				assert_ptr_equal(thread, s.thread);
				assert_int_equal(world_comm_id(t.w, thread, time), s.comm);
				assert_int_equal(world_epoch(t.w, thread, time), s.epoch);
			}
			if (s.to == UINT64_MAX)
				break;
		}
	end(&t);
}

/* Idle tasks neither exec nor map files: in a pid namespace pid 0 is everybody outside of it. */
static void pid_0_may_be_all_outside_of_a_namespace(void **state)
{
	const struct record exec = {.header = {.type = RECORD_COMM, .misc = MISC_COMM_EXEC},
				    .comm = {.comm = "cc1"}};
	struct place p;
	struct test t;

	(void)state;
	begin(&t);
	add_mmap(&t, (uint32_t)-1, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		 "[kernel.kallsyms]_text", 0);
	assert_string_equal(comm_at(&t, 0, 0, 4), "swapper");
	world_add(t.w, &exec, 5);
	add_mmap(&t, 0, 0x1000, 0x1000, 0, "/bin/cc1", 6);
	add_comm(&t, 0, 0, "renamed", 7);
	add_fork(&t, 0, 0, 0, 0, 8);
	add_fork(&t, 3, 3, 0, 0, 9);
	world_seal(t.w);
	assert_string_equal(comm_at(&t, 0, 0, 4), "swapper");
	assert_string_equal(comm_at(&t, 0, 0, 8), "[outside]");
	assert_string_equal(lies(&t, 0, 0x1010, MISC_USER, 8), "[outside]+1010");
	assert_string_equal(lies(&t, 3, 0x1010, MISC_USER, 9), "nowhere");
	assert_string_equal(lies(&t, 0, 0xffffffff81000010, MISC_KERNEL, 8),
			    "[kernel.kallsyms]+ffffffff81000010");
	p = world_place(t.w, world_epoch(t.w, world_thread(t.w, 0, 0, 8), 8), MISC_USER, 0x1010);
	assert_int_equal(world_nameless(t.w, 0, &p), NAMELESS_OUTSIDE);
	end(&t);
}

#define S 1000000000ll

/* A recording whose file was written last 5000 s after the epoch, on a machine that is up for 3000
 * s at 6000 s. */
static void the_clock_of_samples_becomes_that_of_files(void **state)
{
	const struct host_clocks up = {6000 * S, 3000 * S, 3000 * S};
	const struct host_clocks slept = {6000 * S, 2998 * S, 3000 * S};
	const struct host_clocks booted = {6000 * S, 900 * S, 900 * S};
	struct recording rec = {.mtime_ns = 5000 * S, .first_sample_time = 7};
	struct recorded_clock c;
	struct event *ev;

	(void)state;
	c = recorded_clock(&rec, &up);
	assert_true(c.known);
	assert_int_equal(c.to_wall, 3000 * S);
	assert_int_equal(c.first, 7);
	assert_int_equal(c.margin, 10 * S + S * 3 / 10);
	assert_false(recorded_clock(&rec, &slept).known);
	assert_false(recorded_clock(&rec, &booted).known);
	/* it cannot have ended after its file */
	rec.last_sample_time = 1999 * S;
	assert_int_equal(recorded_clock(&rec, &up).to_wall, 3000 * S);
	rec.last_sample_time = 2001 * S;
	assert_int_equal(recorded_clock(&rec, &up).to_wall, 2999 * S);
	rec.last_sample_time = UINT64_MAX;
	assert_int_equal(recorded_clock(&rec, &up).to_wall, 3000 * S);
	/* another clock, of which the recording tells, or doesn't */
	ev = event_set_add(&rec.m.events, "cycles");
	assert_true(recorded_clock(&rec, &up).known);
	ev->attr.flags |= ATTR_USE_CLOCKID;
	assert_false(recorded_clock(&rec, &up).known);
	rec.m.clock.wall_ns = 4000 * S;
	rec.m.clock.clock_ns = 5500 * S;
	c = recorded_clock(&rec, &booted);
	assert_true(c.known);
	assert_int_equal(c.to_wall, -1500 * S);
	assert_int_equal(c.margin, 10 * S);
	event_set_release(&rec.m.events);
}

/* What a process mapped to run code in is known to be its own since its fork, or the
 * exec before. */
static void memory_of_a_process_knows_when_it_began(void **state)
{
	struct record fork = {.header = {.type = RECORD_FORK},
			      .id = {.has = SAMPLE_TIME, .time = 20},
			      .task = {.pid = 5, .tid = 5, .ppid = 4, .ptid = 4}};
	struct record exec = {.header = {.type = RECORD_COMM, .misc = MISC_COMM_EXEC},
			      .id = {.has = SAMPLE_TIME, .time = 30},
			      .comm = {.pid = 5, .tid = 5, .comm = "jit"}};
	struct test t;
	struct dso *dso;

	(void)state;
	begin(&t);
	/* it takes effect later than it was */
	world_add(t.w, &fork, 25);
	add_mmap(&t, 5, 0x1000, 0x1000, 0, "//anon", 26);
	dso = dso_set_get(world_dsos(t.w), "/tmp/perf-5.map", NULL, DSO_ANON, 5);
	assert_int_equal(dso->process_begun, 20);
	/* the memory of before has names as well */
	world_add(t.w, &exec, 31);
	add_mmap(&t, 5, 0x3000, 0x1000, 0, "//anon", 32);
	assert_int_equal(dso->process_begun, 20);
	fork.task.pid = fork.task.tid = exec.comm.pid = exec.comm.tid = 6;
	world_add(t.w, &fork, 33);
	world_add(t.w, &exec, 34);
	add_mmap(&t, 6, 0x1000, 0x1000, 0, "/memfd:code (deleted)", 35);
	dso = dso_set_get(world_dsos(t.w), "/memfd:code (deleted)", NULL, DSO_ANON, 6);
	assert_int_equal(dso->process_begun, 30);
	/* one that ran before */
	add_mmap(&t, 7, 0x1000, 0x1000, 0, "//anon", 0);
	exec.comm.pid = exec.comm.tid = 7;
	world_add(t.w, &exec, 40);
	add_mmap(&t, 7, 0x2000, 0x1000, 0, "//anon", 41);
	dso = dso_set_get(world_dsos(t.w), "/tmp/perf-7.map", NULL, DSO_ANON, 7);
	assert_int_equal(dso->process_begun, 0);
	/* no clock: places in the file */
	fork.id.has = 0;
	fork.task.pid = fork.task.tid = 8;
	world_add(t.w, &fork, 42);
	add_mmap(&t, 8, 0x1000, 0x1000, 0, "//anon", 43);
	dso = dso_set_get(world_dsos(t.w), "/tmp/perf-8.map", NULL, DSO_ANON, 8);
	assert_int_equal(dso->process_begun, 0);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comms_hold_for_their_time),
		cmocka_unit_test(threads_end_with_their_exit),
		cmocka_unit_test(later_maps_trim_older_ones),
		cmocka_unit_test(forks_share_until_one_changes),
		cmocka_unit_test(the_kernel_has_versions_too),
		cmocka_unit_test(a_pipe_tells_of_its_kernel_on_the_way),
		cmocka_unit_test(names_are_those_of_perf),
		cmocka_unit_test(pid_0_may_be_all_outside_of_a_namespace),
		cmocka_unit_test(the_clock_of_samples_becomes_that_of_files),
		cmocka_unit_test(memory_of_a_process_knows_when_it_began),
		cmocka_unit_test(epochs_stay_what_they_were),
		cmocka_unit_test(a_growing_world_knows_its_past),
		cmocka_unit_test(stream_mode_knows_the_present),
		cmocka_unit_test(what_is_mapped_is_covered),
		cmocka_unit_test(maps_are_what_a_page_table_would_say),
		cmocka_unit_test(code_of_a_jit_holds_for_its_time),
		cmocka_unit_test(damaged_dumps_give_what_they_can),
		cmocka_unit_test(a_threads_state_tells_how_long_it_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
