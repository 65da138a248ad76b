// SPDX-License-Identifier: MIT
/* Paths below a folder: no link is followed, nothing leads upwards, what links lead to stays. */
#include "folder.h"

#include "base/mem.h"
#include "os/files/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char box[64];
static int top;

static int make_box(void **state)
{
	(void)state;
	strcpy(box, "/tmp/test-beneath-XXXXXX");
	if (!mkdtemp(box))
		return -1;
	top = open(box, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return top < 0 || mkdirat(top, "in", 0755) || mkdirat(top, "out", 0755) ||
	       mkdirat(top, "out/x", 0755);
}

static int remove_box(void **state)
{
	(void)state;
	close(top);
	return folder_remove(box);
}

static int why(int in, const char *path, int flags)
{
	AUTO_FD fd = beneath_open(in, path, flags);

	return fd < 0 ? errno : 0;
}

static void links_are_no_way_through(void **state)
{
	AUTO_FD in = openat(top, "in", O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(symlinkat("../out", in, "link"), 0);
	assert_int_equal(why(in, "", O_PATH), 0);
	assert_int_equal(why(in, "link", O_PATH), ELOOP);
	assert_int_equal(why(in, "link", O_RDONLY), ELOOP);
	assert_int_equal(why(in, "link", O_RDONLY | O_DIRECTORY), ELOOP);
	assert_int_equal(why(in, "link/x", O_PATH), ELOOP);
	assert_int_equal(why(in, "../out", O_PATH), ELOOP);
	assert_int_equal(why(in, "/a/../..", O_PATH), ELOOP);
	assert_int_equal(why(in, "/nothing", O_PATH), ENOENT);
	assert_int_equal(why(in, "nothing/more", O_PATH), ENOENT);
	assert_int_equal(beneath_make_dir(in, "link/made"), -1);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(beneath_make_dir(in, "a/../b"), -1);
	assert_int_equal(faccessat(top, "out/made", F_OK, 0), -1);
	assert_int_equal(unlinkat(in, "link", 0), 0);
}

static void a_tree_is_removed_without_what_it_links_to(void **state)
{
	AUTO_FD in = openat(top, "in", O_PATH | O_DIRECTORY | O_CLOEXEC);
	AUTO_FD made = beneath_make_dir(in, "/a/b//c");

	(void)state;
	assert_true(made >= 0);
	assert_int_equal(why(in, "a/b/c", O_RDONLY | O_DIRECTORY), 0);
	assert_int_equal(symlinkat("../../../../out", made, "link"), 0);
	assert_int_equal(mkdirat(made, ".hidden", 0755), 0);
	assert_int_equal(beneath_remove_tree(in, "link"), -1);
	assert_int_equal(errno, ENOENT);
	beneath_remove_empty(in, "a/b/c"); /* it is not */
	assert_int_equal(why(in, "a/b/c", O_PATH), 0);
	AUTO_FD b = beneath_open(in, "a/b", O_PATH | O_DIRECTORY);

	assert_int_equal(beneath_remove_tree(b, "c"), 0);
	assert_int_equal(faccessat(top, "out/x", F_OK, 0), 0);
	beneath_remove_empty(in, "/a/b");
	assert_int_equal(why(in, "a", O_PATH), ENOENT);
	assert_int_equal(faccessat(top, "in", F_OK, 0), 0);
}

static void a_name_is_plain_without_dots(void **state)
{
	(void)state;
	assert_true(beneath_is_plain("/usr/bin/x"));
	assert_true(beneath_is_plain("[vdso]"));
	assert_true(beneath_is_plain("a..b/...")); /* names like any other */
	assert_false(beneath_is_plain("usr/../x"));
	assert_false(beneath_is_plain(".."));
	assert_false(beneath_is_plain("./x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_no_way_through),
		cmocka_unit_test(a_tree_is_removed_without_what_it_links_to),
		cmocka_unit_test(a_name_is_plain_without_dots),
	};

	return cmocka_run_group_tests(tests, make_box, remove_box);
}
