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
		{OPT_STRING,                                                                       \
		 'p',                                                                              \
		 "page",                                                                           \
		 AT(page),                                                                         \
		 "4KB",                                                                            \
		 "Specify page-size for mapping memory buffers: 4KB, 2MB, 1GB",                    \
		 .words = "4KB 2MB 1GB"},                                                          \
		{OPT_STRING, 'k', "chunk",                                                         \
		 AT(chunk),  "0", "Specify the chunk-size for each invocation"},                   \
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

/* Memory that a routine works on: pieces of .chunk bytes one after the other. */
struct buffers {
	char *to, *from;
	size_t size, mapped, chunk;
	int flags; /* of mmap(2), for its pages */
};

static void routine_apply(const struct routine *r, const struct buffers *m, unsigned int loop)
{
	for (size_t at = 0; at < m->size; at += m->chunk) {
		const size_t n = MIN(m->chunk, m->size - at);

		if (r->copy)
			r->copy->copy(m->to + at, m->from + at, n);
		else
			r->fill->fill(m->to + at, (int)loop, n);
	}
	/* what is written counts as read: the compiler leaves no call out */
	__asm__ volatile("" : : "r"(m->to) : "memory");
}

static char *buffers_map(const struct memory_opts *o, const struct buffers *m, struct err *err)
{
	char *p = memory_map(o, m->mapped, m->flags, err);

	if (p)
		memset(p, 1, m->mapped); /* pages are there before the clock runs */
	return p;
}

static int measure_routine(struct bench *b, const struct memory_opts *o, const struct routine *r,
			   struct buffers m, struct err *err)
{
	struct rate rate;
	int got = -1;

	m.to = buffers_map(o, &m, err);
	m.from = r->copy && m.to ? buffers_map(o, &m, err) : m.to;
	if (m.to && m.from && !rate_open(&rate, o, err)) {
		rate_head(b, o, r->name, r->about, "Copying");
		routine_apply(r, &m, 0);
		got = rate_start(&rate, err);
		for (unsigned int i = 0; i < o->loops && !got; i++)
			routine_apply(r, &m, i);
		if (!got)
			got = rate_stop(&rate, err);
		if (!got)
			rate_show(b, &rate, r->name, (double)m.size * o->loops);
		rate_close(&rate);
	}
	if (r->copy && m.from)
		munmap(m.from, m.mapped);
	if (m.to)
		munmap(m.to, m.mapped);
	return got;
}

/* Fills *m from the options, without its memory. */
static int buffers_configure(const struct memory_opts *o, struct buffers *m, struct err *err)
{
	uint64_t size, page, chunk;

	*m = (struct buffers){0};
	if (memory_size(o, &size, err))
		return -1;
	if (parse_size(o->chunk, &chunk))
		return err_set(err, ERR_INPUT, "Invalid chunk-size:%s", o->chunk);
	m->flags = memory_page_flags(o, &page, err);
	if (m->flags < 0)
		return -1;
	m->size = size;
	m->mapped = (size + page - 1) / page * page;
	m->chunk = chunk ? MIN(chunk, size) : size;
	return 0;
}

static int measure_memory(struct bench *b, const struct memory_opts *o, bool fills, struct err *err)
{
	bool found = false;
	struct buffers m;

	if (buffers_configure(o, &m, err))
		return -1;
	for (size_t i = 0; routine_at(fills, i).name; i++) {
		struct routine r = routine_at(fills, i);

		if (!rate_wants(o, r.name))
			continue;
		found = true;
		if (measure_routine(b, o, &r, m, err))
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

static const struct memory_opts defaults = {
	.size = "1MB", .page = "4KB", .chunk = "0", .function = "all", .loops = 1};

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
