// SPDX-License-Identifier: MIT
#include "cmd/test/test_run.h"

#include "cmd/test/test_child.h"
#include "os/files/files.h"
#include "selftest/doctor/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct selftest *const all_groups[] = {selftests_inside, selftests_symbols,
						    selftests_machine, selftests_whole};

static bool test_run_is_number(const char *word)
{
	return *word && word[strspn(word, "0123456789")] == 0;
}

static bool is_chosen(const struct numbered *t, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (test_run_is_number(argv[i]) ? atoi(argv[i]) == t->number
						: strcasestr(t->test->name, argv[i]) != NULL)
			return true;
	return !argc;
}

static bool is_skipped(const struct numbered *t, const char *skip)
{
	AUTO_CHAR *copy = skip ? mem_strdup(skip) : NULL;

	for (char *save = NULL, *word = copy ? strtok_r(copy, ",", &save) : NULL; word;
	     word = strtok_r(NULL, ",", &save))
		if (atoi(word) == t->number)
			return true;
	return false;
}

void test_list_choose(struct test_list *list, int argc, char **argv)
{
	int number = 0;

	for (size_t g = 0; g < ARRAY_SIZE(all_groups); g++)
		for (const struct selftest *t = all_groups[g]; t->name; t++) {
			struct numbered n = {.test = t, .number = ++number};

			if (is_chosen(&n, argc, argv))
				vec_add(list, n);
		}
}

static enum selftest_verdict run_here(const struct test_opts *o, struct numbered *t,
				      const char *program, struct selftest_run *r)
{
	enum selftest_verdict verdict = SELFTEST_FAILED;

	if (test_folder_make(t->run.folder))
		return selftest_fail(r, "no folder can be made: %s", strerror(errno));
	r->program = program;
	r->folder = t->run.folder;
	r->dso = o->dso;
	r->objdump = o->objdump;
	verdict = t->test->try(r);
	files_remove_tree(t->run.folder);
	return verdict;
}

static void show_result(const struct test_opts *o, const struct numbered *t,
			enum selftest_verdict verdict, struct selftest_run *r, struct buf *out)
{
	static const char *const words[] = {"Ok", "FAILED!", "Skip"};

	buf_printf(out, "%3d: %-38s:", t->number, t->test->name);
	if (o->verbose) {
		size_t from;

		buf_str(out, "\n--- start ---\n");
		from = out->n;
		buf_add(out, r->said.at, r->said.n);
		buf_make_lines_safe(out, from);
		buf_printf(out, "---- end ----\n%s:", t->test->name);
	}
	buf_printf(out, " %s", words[verdict]);
	if (verdict != SELFTEST_OK) {
		buf_str(out, " (");
		buf_safe(out, r->why);
		buf_char(out, ')');
	}
	buf_char(out, '\n');
}

/* Starts the tests up to, not including, the number `end` of the list. */
static int start_tests(const struct test_opts *o, struct test_list *list, const char *program,
		       struct signals *signals, size_t end, struct err *err)
{
	for (; list->started < list->n && list->started < end; list->started++)
		if (!is_skipped(&list->at[list->started], o->skip) &&
		    test_child_start(o, &list->at[list->started], program, signals, err))
			return -1;
	return 0;
}

/* Runs all tests and shows their results. Returns 0, -1 with *err, or a signal that ended it. */
static int run_tests(struct env *env, const struct test_opts *o, struct test_list *list,
		     const char *program, struct signals *signals, unsigned int n[3],
		     struct err *err)
{
	size_t at_once = o->one_by_one ? 1 : (size_t)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1L);

	for (; list->ended < list->n; list->ended++) {
		struct numbered *t = &list->at[list->ended];
		struct selftest_run r = {0};
		enum selftest_verdict verdict;
		int sig = 0;

		if (!o->here &&
		    start_tests(o, list, program, signals, list->ended + at_once, err))
			return -1;
		if (is_skipped(t, o->skip))
			verdict = selftest_skip(&r, "user override");
		else if (o->here)
			verdict = run_here(o, t, program, &r);
		else
			sig = test_child_wait(t, signals, &r, &verdict);
		if (!sig) {
			show_result(o, t, verdict, &r, &env->out->buf);
			n[verdict]++;
		}
		buf_release(&r.said);
		if (sig)
			return sig;
		if (!out_flush(env->out)) {
			list->ended++;
			return 0;
		}
	}
	return 0;
}

int test_list_run(struct env *env, const struct test_opts *o, struct test_list *list,
		  const char *program, struct err *err)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP, 0};
	struct signals signals = {0};
	unsigned int n[3] = {0};
	int status;

	list->started = list->ended = 0;
	if (o->verbose)
		doctor_show_machine(&env->out->buf);
	if (!o->here && signals_open(&signals, caught, err))
		return -1;
	status = run_tests(env, o, list, program, &signals, n, err);
	for (size_t i = list->ended; i < list->started; i++)
		if (!is_skipped(&list->at[i], o->skip))
			test_child_end(&list->at[i]);
	if (!o->here)
		signals_close(&signals);
	if (status < 0)
		return -1;
	buf_printf(&env->out->buf, "%u ok, %u failed, %u skipped\n", n[SELFTEST_OK],
		   n[SELFTEST_FAILED], n[SELFTEST_SKIPPED]);
	if (!status)
		return n[SELFTEST_FAILED] ? 1 : 0;
	out_flush(env->out);
	signals_die(status, false);
	return err_set(err, ERR_INTERRUPTED, "interrupted, with %zu tests to go",
		       list->n - list->ended);
}
