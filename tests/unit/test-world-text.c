// SPDX-License-Identifier: MIT
/* The names of a process's executable maps, and of the kernel that it shares with others. */
#include "unit.h"

#include "world/world.h"

#include <string.h>
#include <sys/mman.h>

static uint32_t text_at(struct world *w, uint32_t pid, uint64_t time)
{
	return world_epoch_text(w, world_epoch_then(w, world_thread(w, pid, pid, time), time));
}

static void text_add_mmap(struct world *w, uint32_t pid, uint64_t start, uint64_t len,
			  uint32_t prot, uint64_t time)
{
	const struct record r = {.header = {.type = RECORD_MMAP2, .misc = MISC_USER},
				 .mmap = {.pid = pid,
					  .tid = pid,
					  .addr = start,
					  .len = len,
					  .prot = prot,
					  .filename = prot & PROT_EXEC ? "/a" : "[heap]"}};

	world_add(w, &r, time);
}

/* Data that is mapped, as by a growing heap, leaves it as it is. */
static void maps_of_data_leave_the_text(void **state)
{
	static const struct symbol_options options = {.symfs = "/nonexistent"};
	const struct record fork = {.header = {.type = RECORD_FORK},
				    .task = {.pid = 2, .tid = 2, .ppid = 1, .ptid = 1}};
	struct recording rec = {.m.sample_id_all = true};
	struct world *w = world_of_recording(&rec, &options);
	uint32_t now, text[5];
	struct thread *th;

	(void)state;
	text_add_mmap(w, 1, 0x1000, 0x1000, PROT_READ | PROT_EXEC, 10);
	th = world_thread(w, 1, 1, 10);
	now = world_epoch(w, th, WORLD_NOW);
	text[0] = world_epoch_text(w, now);
	text_add_mmap(w, 1, 0x8000, 0x1000, PROT_READ | PROT_WRITE, 20);
	text_add_mmap(w, 1, 0x8000, 0x3000, PROT_READ | PROT_WRITE, 30);
	assert_int_not_equal(world_epoch(w, th, WORLD_NOW), now);
	assert_int_equal(text_at(w, 1, WORLD_NOW), text[0]);
	/* over a part of the code */
	text_add_mmap(w, 1, 0x1800, 0x100, PROT_READ, 40);
	text[1] = text_at(w, 1, WORLD_NOW);
	assert_int_not_equal(text[1], text[0]);
	text_add_mmap(w, 1, 0x20000, 0x1000, PROT_READ | PROT_EXEC, 50);
	text[2] = text_at(w, 1, WORLD_NOW);
	assert_int_not_equal(text[2], text[1]);
	/* a child has its parent's until it maps code */
	world_add(w, &fork, 60);
	text_add_mmap(w, 2, 0x8000, 0x4000, PROT_READ | PROT_WRITE, 65);
	assert_int_equal(text_at(w, 2, WORLD_NOW), text[2]);
	text_add_mmap(w, 2, 0x30000, 0x1000, PROT_READ | PROT_EXEC, 70);
	assert_int_not_equal(text_at(w, 2, WORLD_NOW), text[2]);
	/* of the past, while records come and when all have come */
	for (int sealed = 0; sealed < 2; sealed++) {
		assert_int_equal(text_at(w, 1, 25), text[0]);
		assert_int_equal(text_at(w, 1, 45), text[1]);
		assert_int_equal(text_at(w, 1, 55), text[2]);
		assert_int_equal(text_at(w, 2, 66), text[2]);
		world_seal(w);
	}
	assert_int_equal(world_epoch_text(w, now), text[0]);
	world_free(w);
	arena_release(&rec.arena);
	vec_release(&rec.build_ids);
}

/* One kernel for all processes, until it changes. */
static void epochs_share_their_kernel(void **state)
{
	static const struct symbol_options options = {.symfs = "/nonexistent"};
	const struct record code = {.header = {.type = RECORD_KSYMBOL},
				    .ksymbol = {.addr = 0xffffffffc1000000,
						.len = 0x100,
						.name = "bpf_prog_1_a"}};
	struct recording rec = {.m.sample_id_all = true};
	struct world *w = world_of_recording(&rec, &options);
	uint32_t first, other, later;

	(void)state;
	text_add_mmap(w, 1, 0x1000, 0x1000, PROT_READ | PROT_EXEC, 10);
	text_add_mmap(w, 2, 0x2000, 0x1000, PROT_READ | PROT_EXEC, 10);
	first = world_epoch(w, world_thread(w, 1, 1, 10), WORLD_NOW);
	other = world_epoch(w, world_thread(w, 2, 2, 10), WORLD_NOW);
	world_add(w, &code, 20);
	later = world_epoch(w, world_thread(w, 2, 2, 20), WORLD_NOW);
	assert_int_not_equal(first, other);
	for (int sealed = 0; sealed < 2; sealed++) {
		assert_int_equal(world_epoch_kernel(w, first), world_epoch_kernel(w, other));
		assert_int_not_equal(world_epoch_kernel(w, first), world_epoch_kernel(w, later));
		world_seal(w);
	}
	assert_int_equal(world_epoch_kernel(w, world_epoch(w, world_thread(w, 1, 1, 20), 20)),
			 world_epoch_kernel(w, later));
	world_free(w);
	arena_release(&rec.arena);
	vec_release(&rec.build_ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(maps_of_data_leave_the_text),
					   cmocka_unit_test(epochs_share_their_kernel)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
