// SPDX-License-Identifier: MIT
#include "bench/memory/rate.h"

#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#define AT(field) offsetof(struct memory_opts, field)

static const struct {
	const char *name, *about;
	int flags;
} ways[] = {
	{"demand", "Demand loaded mmap()", 0},
	{"populate", "Eagerly populated mmap()", MAP_POPULATE},
};

const struct opt mmap_options[] = {
	{OPT_STRING, 's', "size", AT(size), "1MB",
	 "Specify the size of the memory buffers. Available units: B, KB, MB, GB and TB (case "
	 "insensitive)"},
	{OPT_STRING, 'p', "page", AT(page), "4KB",
	 "Specify page-size for mapping memory buffers: 4KB, 2MB, 1GB", .words = "4KB 2MB 1GB"},
	{OPT_STRING, 'f', "function", AT(function), "all",
	 "Specify the function to run, \"all\" runs all available functions, \"help\" lists them",
	 .words = "all help demand populate"},
	{OPT_UINT, 'l', "nr_loops", AT(loops), "n",
	 "Specify the number of loops to run. (default: 1)"},
	{OPT_BOOL, 'c', "cycles", AT(cycles), NULL,
	 "Use a cycles event instead of gettimeofday() to measure performance"},
	{OPT_BOOL, 'r', "randomize", AT(randomize), NULL, "Touch the pages in random order"},
	{OPT_END},
};

/* Pages in a random order: a generator with a full period over the next power of two. */
static void touch_pages(char *at, uint64_t pages, uint64_t page, bool randomize)
{
	uint64_t span = 1, place = 0;

	while (span < pages)
		span *= 2;
	for (uint64_t i = 0; i < (randomize ? span : pages); i++) {
		place = randomize ? (place * 5 + 0x9e3779b1) & (span - 1) : i;
		if (place < pages)
			((volatile char *)at)[place * page] = 1;
	}
}

static int measure_way(struct bench *b, const struct memory_opts *o, size_t way, uint64_t size,
		       struct err *err)
{
	uint64_t page = 0;
	int flags = memory_page_flags(o, &page, err), got;
	struct rate rate;

	if (flags < 0)
		return -1;
	size = (size + page - 1) / page * page;
	if (rate_open(&rate, o, err))
		return -1;
	rate_head(b, o, ways[way].name, ways[way].about, "Mapping");
	got = rate_start(&rate, err);
	for (unsigned int i = 0; i < o->loops && !got; i++) {
		char *at = memory_map(o, size, flags | ways[way].flags, err);

		if (!at) {
			got = -1;
			break;
		}
		touch_pages(at, size / page, page, o->randomize);
		munmap(at, size);
	}
	if (!got)
		got = rate_stop(&rate, err);
	if (!got)
		rate_show(b, &rate, ways[way].name, (double)size * o->loops);
	rate_close(&rate);
	return got;
}

static int measure_mmap(struct bench *b, const void *v, struct err *err)
{
	const struct memory_opts *o = v;
	bool found = false;
	uint64_t size;

	if (memory_size(o, &size, err))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		if (!rate_wants(o, ways[i].name))
			continue;
		found = true;
		if (measure_way(b, o, i, size, err))
			return -1;
	}
	if (found)
		return 0;
	if (strcasecmp(o->function, "help"))
		buf_printf(b->text, "Unknown function: %s\n", o->function);
	buf_str(b->text, "Available functions:\n");
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		rate_list_name(b, ways[i].name, ways[i].about);
	return 1;
}

const struct bench_suite bench_mem_mmap = {
	.defaults =
		&(const struct memory_opts){
			.size = "1MB", .page = "4KB", .function = "all", .loops = 1},
	.opts_size = sizeof(struct memory_opts),
	.measure = measure_mmap,
};
