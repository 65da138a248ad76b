// SPDX-License-Identifier: MIT
/* Signals that are read from a descriptor. */
#include "unit.h"

#include "os/process/signals.h"

#include <sys/wait.h>
#include <unistd.h>

static const int ends[] = {SIGINT, SIGTERM, 0};

/* timeout(1) sends a signal to its child and then to its group: the second one must not end what
 * the first one asked to finish. */
static void a_second_one_does_not_end_the_result(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		struct signals s;

		if (signals_open(&s, ends, NULL) || raise(SIGINT) || signals_next(&s) != SIGINT ||
		    raise(SIGINT) || raise(SIGTERM))
			_exit(1);
		signals_close(&s);
		_exit(signals_end_asked() ? 2 : 7);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

/* Once closed, a signal does what it did before. */
static void later_ones_end_the_program(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		struct signals s;

		signal(SIGTERM, SIG_DFL);
		if (signals_open(&s, ends, NULL))
			_exit(1);
		signals_close(&s);
		raise(SIGTERM);
		_exit(3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_one_does_not_end_the_result),
		cmocka_unit_test(later_ones_end_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
