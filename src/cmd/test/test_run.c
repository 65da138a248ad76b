// SPDX-License-Identifier: MIT
#include "cmd/test/test_run.h"

#include "os/files/files.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_SECONDS 120 /* limit of one test */

static const struct selftest *const all_groups[] = {selftests_inside, selftests_machine,
						    selftests_whole};

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

static int folder_make(char folder[64])
{
	const char *root = getenv("TMPDIR");

	snprintf(folder, 64, "%.40s/perf-test-XXXXXX", root && *root ? root : "/tmp");
	return mkdtemp(folder) ? 0 : -1;
}

/* Sends the verdict, the reason and the output of a test. */
static void answer_send(int fd, enum selftest_verdict verdict, const struct selftest_run *r)
{
	struct buf all = {0};

	buf_char(&all, (char)verdict);
	buf_add(&all, r->why, sizeof(r->why));
	buf_add(&all, r->said.at, r->said.n);
	for (size_t sent = 0; sent < all.n;) {
		ssize_t more = write(fd, all.at + sent, all.n - sent);

		if (more <= 0)
			break;
		sent += (size_t)more;
	}
	buf_release(&all);
}

static enum selftest_verdict answer_read(int fd, struct selftest_run *r)
{
	struct buf all = {0};
	enum selftest_verdict verdict = SELFTEST_FAILED;
	ssize_t got;

	do {
		buf_reserve(&all, 65536);
		got = read(fd, all.at + all.n, 65536);
		all.n += got > 0 ? (size_t)got : 0;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (all.n > sizeof(r->why)) {
		verdict = (enum selftest_verdict)all.at[0];
		memcpy(r->why, all.at + 1, sizeof(r->why));
		buf_add(&r->said, all.at + 1 + sizeof(r->why), all.n - 1 - sizeof(r->why));
	}
	buf_release(&all);
	return verdict;
}

static int start_test(struct numbered *t, const char *program, struct err *err)
{
	int ends[2];

	if (folder_make(t->run.folder) || pipe(ends))
		return err_sys(err, errno, "cannot make room for a test");
	t->run.pid = fork();
	if (t->run.pid < 0)
		return err_sys(err, errno, "cannot start a test");
	if (!t->run.pid) {
		struct selftest_run r = {.program = program, .folder = t->run.folder};

		close(ends[0]);
		signal(SIGPIPE, SIG_DFL);
		alarm(MOST_SECONDS);
		answer_send(ends[1], t->test->try(&r), &r);
		_exit(0);
	}
	close(ends[1]);
	t->run.fd = ends[0];
	return 0;
}

static enum selftest_verdict end_test(struct numbered *t, struct selftest_run *r)
{
	enum selftest_verdict verdict = answer_read(t->run.fd, r);
	int status = 0;

	close(t->run.fd);
	waitpid(t->run.pid, &status, 0);
	files_remove_tree(t->run.folder);
	if (!WIFSIGNALED(status))
		return verdict;
	if (WTERMSIG(status) == SIGALRM)
		return selftest_fail(r, "not done after %d s", MOST_SECONDS);
	return selftest_fail(r, "ended by signal %d (%s)", WTERMSIG(status),
			     strsignal(WTERMSIG(status)));
}

static enum selftest_verdict run_here(struct numbered *t, const char *program,
				      struct selftest_run *r)
{
	enum selftest_verdict verdict = SELFTEST_FAILED;

	if (folder_make(t->run.folder))
		return selftest_fail(r, "no folder can be made: %s", strerror(errno));
	r->program = program;
	r->folder = t->run.folder;
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

int test_list_run(struct env *env, const struct test_opts *o, struct test_list *list,
		  const char *program, struct err *err)
{
	size_t at_once = o->one_by_one ? 1 : (size_t)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1L),
	       started = 0;
	unsigned int n[3] = {0};

	for (size_t i = 0; i < list->n; i++) {
		struct selftest_run r = {0};
		enum selftest_verdict verdict;

		for (; !o->here && started < list->n && started < i + at_once; started++)
			if (!is_skipped(&list->at[started], o->skip) &&
			    start_test(&list->at[started], program, err))
				return -1;
		if (is_skipped(&list->at[i], o->skip))
			verdict = selftest_skip(&r, "user override");
		else
			verdict = o->here ? run_here(&list->at[i], program, &r)
					  : end_test(&list->at[i], &r);
		show_result(o, &list->at[i], verdict, &r, &env->out->buf);
		n[verdict]++;
		buf_release(&r.said);
		if (!out_flush(env->out))
			break;
	}
	buf_printf(&env->out->buf, "%u ok, %u failed, %u skipped\n", n[SELFTEST_OK],
		   n[SELFTEST_FAILED], n[SELFTEST_SKIPPED]);
	return n[SELFTEST_FAILED] ? 1 : 0;
}
