// SPDX-License-Identifier: MIT
#include "unit.h"
#include "os/files/mapped.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES 16

struct file {
	char path[32];
	int fd;
	size_t page;
};

/* A file of whole pages without a zero byte, mapped. */
static struct mapped make(struct file *f)
{
	struct mapped m;
	char *text;

	strcpy(f->path, "/tmp/mapped-XXXXXX");
	f->fd = mkstemp(f->path);
	assert_true(f->fd >= 0);
	f->page = (size_t)sysconf(_SC_PAGESIZE);
	text = malloc(PAGES * f->page);
	assert_non_null(text);
	memset(text, 'x', PAGES * f->page);
	assert_int_equal(write(f->fd, text, PAGES * f->page), PAGES * f->page);
	free(text);
	assert_int_equal(mapped_open(&m, f->path, NULL), 0);
	assert_int_equal(m.n, PAGES * f->page);
	return m;
}

static void end(struct file *f, struct mapped *m)
{
	mapped_release(m);
	close(f->fd);
	unlink(f->path);
}

static void what_was_cut_off_reads_as_zeros(void **state)
{
	struct file f;
	struct mapped m = make(&f);

	(void)state;
	mapped_survive_cuts();
	assert_int_equal(m.p[m.n - 1], 'x');
	assert_int_equal(ftruncate(f.fd, (off_t)(3 * f.page)), 0);
	for (size_t i = PAGES; i-- > 3;)
		assert_int_equal(m.p[i * f.page + 7], 0);
	assert_int_equal(m.p[3 * f.page - 1], 'x');
	assert_int_equal(ftruncate(f.fd, 1), 0);
	assert_int_equal(m.p[2 * f.page], 0);
	assert_int_equal(m.p[0], 'x');
	end(&f, &m);
}

/* Each mapping costs one more piece of the address space, not one a page: the kernel allows so many
 * only. */
static void a_cut_is_made_good_at_once(void **state)
{
	struct file f;
	struct mapped m = make(&f);

	(void)state;
	mapped_survive_cuts();
	assert_int_equal(ftruncate(f.fd, (off_t)f.page), 0);
	assert_int_equal(m.p[2 * f.page], 0);
	/* the first touch has replaced all to the end: were it the file still, there would be no
	 * page to ask for */
	assert_int_equal(madvise((void *)(m.p + (PAGES - 1) * f.page), f.page, MADV_POPULATE_READ),
			 0);
	end(&f, &m);
}

static void a_string_without_an_end_ends_behind_the_file(void **state)
{
	struct file f;
	struct mapped m = make(&f);

	(void)state;
	assert_int_equal(strlen((const char *)m.p), m.n);
	end(&f, &m);
}

static void a_sparse_file_says_what_it_holds(void **state)
{
	struct file f;
	struct mapped m = make(&f), sparse;

	(void)state;
	assert_true(m.held >= m.n);
	assert_int_equal(ftruncate(f.fd, 1 << 30), 0);
	assert_int_equal(mapped_open(&sparse, f.path, NULL), 0);
	assert_int_equal(sparse.n, 1 << 30);
	assert_true(sparse.held < 1 << 20);
	mapped_release(&sparse);
	end(&f, &m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_cut_off_reads_as_zeros),
		cmocka_unit_test(a_cut_is_made_good_at_once),
		cmocka_unit_test(a_string_without_an_end_ends_behind_the_file),
		cmocka_unit_test(a_sparse_file_says_what_it_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
