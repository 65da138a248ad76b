// SPDX-License-Identifier: MIT
#include "cmd/options/opts_code.h"
#include "cmd/test/test_run.h"

#include "os/process/self.h"
#include "selftest/workloads.h"

#include <string.h>

#define AT(field) offsetof(struct test_opts, field)

static void offer_workloads(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	for (const struct workload *w = workloads; w->name; w++)
		buf_printf(out, "%s ", w->name);
}

static const struct opt options[] = {
	{OPT_STRING, 's', "skip", AT(skip), "tests", "tests to skip"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_BOOL, 'F', "dont-fork", AT(here), NULL, "Do not fork for testcase"},
	{OPT_BOOL, 'S', "sequential", AT(one_by_one), NULL,
	 "Run the tests one after another rather than in parallel"},
	{OPT_BOOL, 'p', "parallel", AT(parallel), NULL, "Run the tests in parallel"},
	{OPT_UINT, 'r', "runs-per-test", AT(runs), "n",
	 "Run each test the given number of times, default 1"},
	{OPT_STRING, 'w', "workload", AT(workload), "work",
	 "workload to run for testing, use '--list-workloads' to list the available ones.",
	 .offer = offer_workloads},
	{OPT_BOOL, 0, "list-workloads", AT(list_workloads), NULL,
	 "List the available builtin workloads to use with -w/--workload"},
	{OPT_STRING, 0, "dso", AT(dso), "dso", "dso to test"},
	{OPT_STRING, 0, "objdump", AT(objdump), "path",
	 "objdump binary to use for disassembly and annotations"},
	{OPT_END},
};

static const struct cmd_variable variables[] = {OBJDUMP_VARIABLE, {0}};

static const struct opt_group groups[] = {{options, 0}, {0}};

static int list_tests(struct env *env, const struct test_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		buf_printf(&env->out->buf, "%3d: %s\n", list->at[i].number, list->at[i].test->name);
	return 0;
}

static int list_workloads(struct env *env)
{
	for (const struct workload *w = workloads; w->name; w++)
		buf_printf(&env->out->buf, "%s\n", w->name);
	return 0;
}

static int run_workload(const char *name, int argc, char **argv, struct err *err)
{
	const struct workload *w = workload_find(name);

	if (w)
		return w->work(argc, argv, err);
	err_set(err, ERR_USAGE, "No workload found: %s", name);
	return err_hint(err, "'perf test --list-workloads' lists them");
}

static int run_all(struct env *env, const struct test_opts *o, int argc, char **argv,
		   struct err *err)
{
	AUTO_CHAR *program = self_program();
	struct test_list list = {0};
	int status = 0;

	if (!program)
		return err_set(err, ERR_SYSTEM,
			       "where this program lies is unknown: there is no /proc here");
	test_list_choose(&list, argc, argv);
	if (!list.n)
		status = err_set(err, ERR_USAGE,
				 "no test is called so ('perf test list' lists them)");
	for (unsigned int i = 0; i < o->runs && status >= 0 && list.n; i++) {
		int got = test_list_run(env, o, &list, program, err);

		status = got ? got : status;
	}
	vec_release(&list);
	return status;
}

static int run_test(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct test_opts *o = v;

	if (o->list_workloads)
		return list_workloads(env);
	if (o->workload)
		return run_workload(o->workload, argc, argv, err);
	if (o->skip && o->skip[strspn(o->skip, "0123456789,")])
		return err_set(err, ERR_USAGE,
			       "-s '%s': numbers of tests, with commas between them", o->skip);
	if (o->one_by_one && o->parallel)
		return err_set(err, ERR_USAGE, "one after another (-S) or in parallel (-p)?");
	if (argc && !strcmp(argv[0], "list")) {
		struct test_list list = {0};

		test_list_choose(&list, argc - 1, argv + 1);
		list_tests(env, &list);
		vec_release(&list);
		return 0;
	}
	return run_all(env, o, argc, argv, err);
}

static void set_defaults(void *v, const struct env *env)
{
	(void)env;
	((struct test_opts *)v)->runs = 1;
}

static void offer_tests(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	buf_str(out, "list");
}

static const char *const usage[] = {
	"test [<options>] [{list <test-name-fragment>|[<test-name-fragments>|<test-numbers>]}]",
	NULL};

const struct cmd cmd_test = {
	.name = "test",
	.summary = "Runs sanity tests.",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct test_opts),
	.defaults = set_defaults,
	.variables = variables,
	.list_words = offer_tests,
	.run = run_test,
};
