// SPDX-License-Identifier: MIT
#include "unit.h"

#include "capture/daemon/daemon.h"
#include "os/files/daemon_dir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void sessions_are_taken_from_the_configuration(void **state)
{
	static const char text[] = "[daemon]\nbase=/b\n[session-one]\nrun = -a -e x\n"
				   "[session-two]\nrun=-b\nother=1\n[session-one]\nrun = -c\n";
	struct config config = {0};
	struct daemon_config c = {0};

	(void)state;
	assert_int_equal(config_parse(&config, text, strlen(text), "text", NULL), 0);
	assert_int_equal(daemon_config_take(&c, &config, NULL), 0);
	assert_string_equal(c.base, "/b");
	assert_int_equal(c.sessions.n, 2);
	assert_string_equal(c.sessions.at[0].name, "one");
	assert_string_equal(c.sessions.at[0].run, "-c");
	assert_string_equal(c.sessions.at[1].name, "two");
	assert_string_equal(c.sessions.at[1].run, "-b");
	daemon_config_release(&c);
	config_release(&config);
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
	static const char *const texts[] = {"[session-a \"/../b\"]\nrun=-a\n",
					    "[session-]\nrun=-a\n", "[session-a]\nrun=-e 'x\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct config config = {0};
		struct daemon_config c = {0};
		struct err err = {0};

		assert_int_equal(config_parse(&config, texts[i], strlen(texts[i]), "text", NULL),
				 0);
		assert_int_equal(daemon_config_take(&c, &config, &err), -1);
		assert_int_equal(err.code, ERR_INPUT);
		daemon_config_release(&c);
		config_release(&config);
	}
}

static void words_may_stand_in_quotes(void **state)
{
	static const char *const wanted[] = {"-e", "a b", "", "c d\\", "e\"f"};
	struct arena arena = {0};
	struct daemon_words words = {0};

	(void)state;
	assert_int_equal(
		daemon_words_split("  -e 'a b'\t\"\" c\\ d'\\' \"e\\\"f\" ", &arena, &words, NULL),
		0);
	assert_int_equal(words.n, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < words.n; i++)
		assert_string_equal(words.at[i], wanted[i]);
	vec_release(&words);
	arena_release(&arena);
}

static void planted_files_are_not_written_to(void **state)
{
	char top[] = "/tmp/test-daemon-XXXXXX", real[PATH_MAX];
	struct err err = {0};
	struct stat st;
	int dir, fd, lock;

	(void)state;
	assert_non_null(mkdtemp(top));
	dir = daemon_dir_open(top, real, NULL);
	assert_true(dir >= 0);
	fd = openat(dir, "victim", O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "whole", 5), 5);
	assert_int_equal(symlinkat("victim", dir, DAEMON_OUTPUT), 0);
	assert_int_equal(linkat(dir, "victim", dir, "other", 0), 0);
	assert_int_equal(symlinkat("victim", dir, "folder"), 0);
	assert_int_equal(symlinkat("victim", dir, "pipe"), 0);
	assert_int_equal(daemon_dir_create(dir, DAEMON_OUTPUT, &err), -1);
	assert_int_equal(daemon_dir_create(dir, "other", &err), -1);
	assert_int_equal(daemon_dir_make(dir, "folder", &err), -1);
	lock = daemon_dir_fifo(dir, "pipe", NULL); /* made anew */
	assert_true(lock >= 0 && !fstat(lock, &st) && S_ISFIFO(st.st_mode));
	close(lock);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 5);
	close(fd);
	assert_int_equal(fchmod(dir, 0777), 0);
	assert_int_equal(daemon_dir_open(top, real, &err), -1);
	assert_int_equal(err.code, ERR_RIGHTS);
	unlinkat(dir, "victim", 0);
	unlinkat(dir, "other", 0);
	unlinkat(dir, "folder", 0);
	unlinkat(dir, "pipe", 0);
	unlinkat(dir, DAEMON_OUTPUT, 0);
	close(dir);
	assert_int_equal(rmdir(top), 0);
}

static void a_list_says_what_runs(void **state)
{
	struct daemon d = {.path = "/b", .start = daemon_clock() - 125};
	struct daemon_session s = {
		.name = (char *)"one", .run = (char *)"-a", .pid = 7, .start = daemon_clock() - 61};
	AUTO_BUF out = {0}, wanted = {0};

	(void)state;
	vec_add(&d.sessions, s);
	assert_true(daemon_reply(&d, "list", ",;", &out));
	buf_printf(
		&wanted,
		"%d;daemon;/b;/b/output;/b/lock;2\n7;one;-a;/b/session-one;/b/session-one/output;"
		"/b/session-one/control;/b/session-one/ack;1\n",
		(int)getpid());
	assert_string_equal(buf_text(&out), buf_text(&wanted));
	buf_clear(&out);
	assert_false(daemon_reply(&d, "ping", "two", &out));
	assert_string_equal(buf_text(&out), "FAIL two (not found)\n");
	buf_clear(&out);
	assert_false(daemon_reply(&d, "dance", "", &out));
	assert_false(d.ending);
	vec_release(&d.sessions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_are_taken_from_the_configuration),
		cmocka_unit_test(names_that_lead_elsewhere_are_refused),
		cmocka_unit_test(words_may_stand_in_quotes),
		cmocka_unit_test(planted_files_are_not_written_to),
		cmocka_unit_test(a_list_says_what_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
