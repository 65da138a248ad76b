// SPDX-License-Identifier: MIT
#include "bench/memory/rate.h"

#include "event/attr.h"
#include "os/perf.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#define CYCLES 0 /* PERF_COUNT_HW_CPU_CYCLES */

int memory_size(const struct memory_opts *o, uint64_t *out, struct err *err)
{
	if (!parse_size(o->size, out) && *out)
		return 0;
	return err_set(err, ERR_INPUT, "Invalid size:%s", o->size);
}

int memory_page_flags(const struct memory_opts *o, uint64_t *page, struct err *err)
{
	/* mmap(2) wants the logarithm of a large page's size in the flags */
	static const struct {
		uint64_t size;
		int flags;
	} sizes[] = {{4096, 0},
		     {2 << 20, MAP_HUGETLB | 21 << MAP_HUGE_SHIFT},
		     {1 << 30, MAP_HUGETLB | 30 << MAP_HUGE_SHIFT}};

	for (size_t i = 0; i < ARRAY_SIZE(sizes) && !parse_size(o->page, page); i++)
		if (sizes[i].size == *page)
			return sizes[i].flags;
	return err_set(err, ERR_INPUT, "Invalid page-size:%s", o->page);
}

void *memory_map(const struct memory_opts *o, uint64_t size, int flags, struct err *err)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
			0);

	if (at != MAP_FAILED)
		return at;
	err_sys(err, errno, "cannot map %s in pages of %s", o->size, o->page);
	if (flags & MAP_HUGETLB)
		err_hint(err, "/proc/sys/vm/nr_hugepages says how many large pages there are");
	return NULL;
}

int rate_open(struct rate *r, const struct memory_opts *o, struct err *err)
{
	struct attr attr = {.type = TYPE_HARDWARE,
			    .size = sizeof(attr),
			    .config = CYCLES,
			    .flags = ATTR_INHERIT};
	uint8_t bytes[sizeof(attr)];

	*r = (struct rate){.fd = -1};
	if (!o->cycles)
		return 0;
	attr_encode(&attr, bytes);
	r->fd = perf_open(bytes, 0, -1, -1, 0);
	if (r->fd >= 0)
		return 0;
	err_sys(err, -r->fd, "Failed to open cycles counter");
	r->fd = -1;
	return err_hint(err, "'perf list hw' shows whether this machine counts cycles");
}

void rate_close(struct rate *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

static int rate_now(const struct rate *r, uint64_t *now, struct err *err)
{
	if (r->fd < 0) {
		*now = bench_now_ns();
		return 0;
	}
	if (perf_read(r->fd, now, 1) == sizeof(*now))
		return 0;
	return err_set(err, ERR_SYSTEM, "cannot read the cycles counter");
}

int rate_start(struct rate *r, struct err *err)
{
	return rate_now(r, &r->start, err);
}

int rate_stop(struct rate *r, struct err *err)
{
	uint64_t now;

	if (rate_now(r, &now, err))
		return -1;
	r->spent = now - r->start;
	return 0;
}

void rate_head(struct bench *b, const struct memory_opts *o, const char *name, const char *about,
	       const char *verb)
{
	buf_printf(b->text, "# function '%s' (%s)\n", name, about);
	if (!b->simple)
		buf_printf(b->text, "# %s %s bytes ...\n\n", verb, o->size);
}

void rate_show(struct bench *b, const struct rate *r, const char *name, double bytes)
{
	static const struct {
		double most;
		const char *unit;
	} units[] = {{1024, "bytes"}, {1024 * 1024, "KB"}, {1024 * 1024 * 1024, "MB"}, {0, "GB"}};
	double rate = bytes * 1e9 / (double)MAX(r->spent, (uint64_t)1), unit = 1;
	size_t i = 0;

	if (r->fd >= 0) {
		double each = (double)r->spent / bytes;

		bench_value(b, each, "%s cycles/byte", name);
		buf_printf(b->text, b->simple ? "%f\n" : " %14f cycles/byte\n", each);
		return;
	}
	bench_value(b, rate, "%s bytes/sec", name);
	if (b->simple) {
		buf_printf(b->text, "%f\n", rate);
		return;
	}
	for (; units[i].most > 0 && rate >= units[i].most; i++)
		unit *= 1024;
	buf_printf(b->text, " %14f %s/sec\n", rate / unit, units[i].unit);
}

void rate_list_name(struct bench *b, const char *name, const char *about)
{
	buf_printf(b->text, "\t%s ... %s\n", name, about);
}

bool rate_wants(const struct memory_opts *o, const char *name)
{
	return !strcasecmp(o->function, "all") || !strcasecmp(o->function, name);
}
