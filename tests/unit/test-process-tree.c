// SPDX-License-Identifier: MIT
/* Which records belong to a process tree. */
#include "unit.h"

#include "base/buf.h"
#include "capture/session/process_tree.h"
#include "data/record/record.h"

#include <sys/wait.h>
#include <unistd.h>

/* Side-band records of an event with TID, TIME and CPU behind them. */
static void end_record(struct buf *b, size_t at, uint64_t time)
{
	uint64_t trailer[3] = {0, time, 0};
	uint16_t size;

	buf_add(b, trailer, sizeof(trailer));
	size = (uint16_t)(b->n - at);
	memcpy(b->at + at + 6, &size, sizeof(size));
}

static const uint8_t *fork_record(struct buf *b, uint32_t pid, uint32_t parent, uint64_t time)
{
	struct record_header h = {.type = RECORD_FORK};
	uint32_t ids[4] = {pid, parent, pid, parent};

	buf_clear(b);
	buf_add(b, &h, sizeof(h));
	buf_add(b, ids, sizeof(ids));
	buf_add(b, &time, sizeof(time));
	end_record(b, 0, time);
	return (const uint8_t *)b->at;
}

static const uint8_t *comm_record(struct buf *b, uint32_t pid, bool exec, uint64_t time)
{
	struct record_header h = {.type = RECORD_COMM, .misc = exec ? MISC_COMM_EXEC : 0};
	uint32_t ids[2] = {pid, pid};

	buf_clear(b);
	buf_add(b, &h, sizeof(h));
	buf_add(b, ids, sizeof(ids));
	buf_add(b, "name\0\0\0", 8);
	end_record(b, 0, time);
	return (const uint8_t *)b->at;
}

static const uint8_t *sample_record(struct buf *b, uint32_t pid, uint64_t time)
{
	struct record_header h = {.type = RECORD_SAMPLE, .size = 40};
	uint64_t ip = 0x1000;
	uint32_t ids[2] = {pid, pid};

	buf_clear(b);
	buf_add(b, &h, sizeof(h));
	buf_add(b, &ip, sizeof(ip));
	buf_add(b, ids, sizeof(ids));
	buf_add(b, &time, sizeof(time));
	buf_fill(b, 0, 8);
	return (const uint8_t *)b->at;
}

static void a_tree_is_what_the_command_forked(void **state)
{
	struct process_tree t;
	struct buf b = {0};

	(void)state;
	process_tree_init(&t, SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU);
	process_tree_add_command(&t, 100);
	assert_false(process_tree_keeps(&t, sample_record(&b, 100, 50))); /* no exec seen yet */
	/* The grandchild's fork is seen before the child's: they ran on different CPUs. */
	process_tree_see(&t, fork_record(&b, 102, 101, 120));
	process_tree_see(&t, fork_record(&b, 201, 200, 115));
	process_tree_see(&t, comm_record(&b, 100, true, 105));
	process_tree_see(&t, fork_record(&b, 101, 100, 110));
	process_tree_settle(&t);
	assert_false(process_tree_keeps(&t, sample_record(&b, 100, 104)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 100, 106)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 101, 130)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 102, 130)));
	assert_false(process_tree_keeps(&t, sample_record(&b, 201, 130)));
	assert_false(process_tree_keeps(&t, sample_record(&b, 0, 130)));
	assert_false(process_tree_keeps(&t, sample_record(&b, UINT32_MAX, 130)));
	assert_true(process_tree_keeps(&t, comm_record(&b, 102, false, 131)));
	assert_false(process_tree_keeps(&t, comm_record(&b, 7, false, 131)));
	assert_true(process_tree_keeps(&t, comm_record(&b, 100, true, 105)));
	assert_false(process_tree_keeps(&t, comm_record(&b, 100, false, 100)));
	/* A pid that comes back in another family. */
	process_tree_see(&t, fork_record(&b, 101, 200, 900));
	process_tree_settle(&t);
	assert_false(process_tree_keeps(&t, sample_record(&b, 101, 901)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 102, 901)));
	process_tree_release(&t);
	buf_release(&b);
}

static void a_tree_begins_with_its_first_exec(void **state)
{
	struct process_tree t;
	struct buf b = {0};

	(void)state;
	process_tree_init(&t, SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU);
	process_tree_add_command(&t, 100);
	/* All within a pass: they were on two CPUs, so they are seen out of order. */
	process_tree_see(&t, comm_record(&b, 100, true, 300));
	process_tree_see(&t, comm_record(&b, 100, true, 105));
	process_tree_see(&t, comm_record(&b, 100, true, 200));
	process_tree_settle(&t);
	assert_false(process_tree_keeps(&t, sample_record(&b, 100, 104)));
	assert_true(process_tree_keeps(&t, comm_record(&b, 100, true, 105)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 100, 106)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 100, 250)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 100, 301)));
	/* And one in a later pass. */
	process_tree_see(&t, comm_record(&b, 100, true, 400));
	process_tree_settle(&t);
	assert_true(process_tree_keeps(&t, sample_record(&b, 100, 399)));
	process_tree_release(&t);
	buf_release(&b);
}

static const uint8_t *thread_record(struct buf *b, uint32_t pid, uint32_t tid, uint64_t time)
{
	fork_record(b, pid, pid, time);
	memcpy(b->at + 16, &tid, sizeof(tid));
	return (const uint8_t *)b->at;
}

static void threads_belong_with_their_processes(void **state)
{
	struct process_tree t;
	struct buf b = {0};

	(void)state;
	process_tree_init(&t, SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU);
	process_tree_add(&t, 100);
	process_tree_add_thread(&t, 150);
	process_tree_see(&t, thread_record(&b, 100, 101, 10));
	process_tree_see(&t, thread_record(&b, 200, 201, 10));
	process_tree_settle(&t);
	assert_true(process_tree_has_task(&t, 100, 20));
	assert_true(process_tree_has_task(&t, 101, 20));
	assert_true(process_tree_has_task(&t, 150, 20));
	assert_false(process_tree_has_task(&t, 201, 20));
	assert_false(process_tree_has_task(&t, 0, 20));
	/* tids that come back, in other processes */
	process_tree_see(&t, thread_record(&b, 200, 101, 30));
	process_tree_see(&t, fork_record(&b, 150, 200, 30));
	process_tree_settle(&t);
	assert_false(process_tree_has_task(&t, 101, 40));
	assert_false(process_tree_has_task(&t, 150, 40));
	process_tree_release(&t);
	buf_release(&b);
}

static void a_tree_of_what_runs_has_several_roots(void **state)
{
	struct process_tree t;
	struct buf b = {0};

	(void)state;
	process_tree_init(&t, SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU);
	process_tree_add(&t, 100);
	process_tree_add(&t, 300);
	/* no exec is waited for, and one that comes changes nothing */
	assert_true(process_tree_keeps(&t, sample_record(&b, 100, 1)));
	process_tree_see(&t, comm_record(&b, 100, true, 105));
	process_tree_see(&t, fork_record(&b, 101, 100, 110));
	process_tree_see(&t, fork_record(&b, 301, 300, 110));
	process_tree_see(&t, fork_record(&b, 201, 200, 110));
	/* a root's pid is given to somebody else */
	process_tree_see(&t, fork_record(&b, 300, 200, 120));
	process_tree_settle(&t);
	assert_true(process_tree_keeps(&t, sample_record(&b, 100, 104)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 101, 130)));
	assert_true(process_tree_keeps(&t, sample_record(&b, 301, 130)));
	assert_false(process_tree_keeps(&t, sample_record(&b, 201, 130)));
	assert_false(process_tree_keeps(&t, sample_record(&b, 300, 130)));
	process_tree_release(&t);
	buf_release(&b);
}

static void count_living(void *ctx, int fd)
{
	++*(int *)ctx;
	close(fd);
}

/* One that runs, one that has ended but was not waited for, and one that there is not. */
static void the_dead_are_not_among_the_living(void **state)
{
	pid_t child = fork();
	siginfo_t info;
	struct process_tree t;
	int n = 0;

	(void)state;
	if (!child)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	process_tree_init(&t, SAMPLE_TID | SAMPLE_TIME);
	process_tree_living(&t, count_living, &n);
	assert_int_equal(n, 0);
	process_tree_add(&t, (uint32_t)child);
	process_tree_add(&t, 1u << 30);
	process_tree_living(&t, count_living, &n);
	assert_int_equal(n, 0);
	process_tree_add(&t, (uint32_t)getpid());
	process_tree_living(&t, count_living, &n);
	assert_int_equal(n, 1);
	waitpid(child, NULL, 0);
	process_tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_what_the_command_forked),
		cmocka_unit_test(a_tree_begins_with_its_first_exec),
		cmocka_unit_test(a_tree_of_what_runs_has_several_roots),
		cmocka_unit_test(threads_belong_with_their_processes),
		cmocka_unit_test(the_dead_are_not_among_the_living),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
