// SPDX-License-Identifier: MIT
#include "bench/memory/rate.h"
#include "bench/memory/routines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define AT(field) offsetof(struct memory_opts, field)

static void list_functions(struct buf *out)
{
	buf_str(out, "all help");
	for (size_t i = 0; copy_routines[i].name; i++)
		buf_printf(out, " %s", copy_routines[i].name);
}

static void list_fills(struct buf *out)
{
	buf_str(out, "all help");
	for (size_t i = 0; fill_routines[i].name; i++)
		buf_printf(out, " %s", fill_routines[i].name);
}

#define MEMORY_OPTIONS(functions)                                                                  \
	{OPT_STRING,                                                                               \
	 's',                                                                                      \
	 "size",                                                                                   \
	 AT(size),                                                                                 \
	 "1MB",                                                                                    \
	 "Specify the size of the memory buffers. Available units: B, KB, MB, GB and TB (case "    \
	 "insensitive)"},                                                                          \
		{OPT_STRING,                                                                       \
		 'f',                                                                              \
		 "function",                                                                       \
		 AT(function),                                                                     \
		 "all",                                                                            \
		 "Specify the function to run, \"all\" runs all available functions, \"help\" "    \
		 "lists them",                                                                     \
		 .list = functions},                                                               \
		{OPT_UINT,  'l', "nr_loops",                                                       \
		 AT(loops), "n", "Specify the number of loops to run. (default: 1)"},              \
	{                                                                                          \
		OPT_BOOL, 'c', "cycles", AT(cycles), NULL,                                         \
			"Use a cycles event instead of gettimeofday() to measure performance"      \
	}

const struct opt copy_options[] = {MEMORY_OPTIONS(list_functions), {OPT_END}};
const struct opt fill_options[] = {MEMORY_OPTIONS(list_fills), {OPT_END}};

/* One way to copy or fill; copy or fill is NULL. */
struct routine {
	const char *name, *about;
	const struct copy_routine *copy;
	const struct fill_routine *fill;
};

static struct routine routine_at(bool fills, size_t i)
{
	if (fills)
		return (struct routine){fill_routines[i].name, fill_routines[i].about, NULL,
					&fill_routines[i]};
	return (struct routine){copy_routines[i].name, copy_routines[i].about, &copy_routines[i],
				NULL};
}

static void routine_apply(const struct routine *r, char *to, const char *from, size_t n,
			  unsigned int loop)
{
	if (r->copy)
		r->copy->copy(to, from, n);
	else
		r->fill->fill(to, (int)loop, n);
	/* what is written counts as read: the compiler leaves no call out */
	__asm__ volatile("" : : "r"(to) : "memory");
}

static char *room(size_t n)
{
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	memset(p, 1, n); /* pages are there before the clock runs */
	return p;
}

static int measure_routine(struct bench *b, const struct memory_opts *o, const struct routine *r,
			   size_t size, struct err *err)
{
	char *to = room(size), *from = r->copy ? room(size) : to;
	struct rate rate;
	int got = -1;

	if (!to || !from)
		err_sys(err, errno, "cannot get %s of memory", o->size);
	else if (!rate_open(&rate, o, err)) {
		rate_head(b, o, r->name, r->about, "Copying");
		routine_apply(r, to, from, size, 0);
		got = rate_start(&rate, err);
		for (unsigned int i = 0; i < o->loops && !got; i++)
			routine_apply(r, to, from, size, i);
		if (!got)
			got = rate_stop(&rate, err);
		if (!got)
			rate_show(b, &rate, r->name, (double)size * o->loops);
		rate_close(&rate);
	}
	if (r->copy && from)
		munmap(from, size);
	if (to)
		munmap(to, size);
	return got;
}

static int measure_memory(struct bench *b, const struct memory_opts *o, bool fills, struct err *err)
{
	bool found = false;
	uint64_t size;

	if (memory_size(o, &size, err))
		return -1;
	for (size_t i = 0; routine_at(fills, i).name; i++) {
		struct routine r = routine_at(fills, i);

		if (!rate_wants(o, r.name))
			continue;
		found = true;
		if (measure_routine(b, o, &r, size, err))
			return -1;
	}
	if (found)
		return 0;
	if (strcasecmp(o->function, "help"))
		buf_printf(b->text, "Unknown function: %s\n", o->function);
	buf_str(b->text, "Available functions:\n");
	for (size_t i = 0; routine_at(fills, i).name; i++)
		rate_list_name(b, routine_at(fills, i).name, routine_at(fills, i).about);
	return 1;
}

static int measure_copy(struct bench *b, const void *o, struct err *err)
{
	return measure_memory(b, o, false, err);
}

static int measure_fill(struct bench *b, const void *o, struct err *err)
{
	return measure_memory(b, o, true, err);
}

static const struct memory_opts defaults = {.size = "1MB", .function = "all", .loops = 1};

const struct bench_suite bench_mem_memcpy = {
	.defaults = &defaults,
	.opts_size = sizeof(struct memory_opts),
	.measure = measure_copy,
};

const struct bench_suite bench_mem_memset = {
	.defaults = &defaults,
	.opts_size = sizeof(struct memory_opts),
	.measure = measure_fill,
};
