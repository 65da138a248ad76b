// SPDX-License-Identifier: MIT
#include "view/kmem/kmem.h"

#include <stdio.h>

static void rule(struct buf *b)
{
	buf_fill(b, '-', 105);
	buf_char(b, '\n');
}

void kmem_show_function(struct kmem_view *v, uint64_t address, bool offset, struct buf *out)
{
	const struct thread *idle = world_thread(v->world, 0, 0, WORLD_NOW);
	const struct place p = world_place(v->world, world_epoch(v->world, idle, WORLD_NOW),
					   MISC_KERNEL, address);
	const struct symbol *sym = v->raw_ip ? NULL : place_symbol(&p);

	if (!sym) {
		buf_printf(out, offset ? "%#llx" : "%llx", (unsigned long long)address);
		return;
	}
	buf_safe(out, dso_symbol_name(p.dso, sym));
	if (offset)
		buf_printf(out, "+%llx", (unsigned long long)(place_rva(&p) - sym->start));
}

static void kmem_show_rows(struct kmem_view *v, const struct kmem_row *rows, size_t n,
			   int64_t lines, bool callers)
{
	struct buf *b = &v->out->buf;
	AUTO_BUF name = {0};

	rule(b);
	buf_printf(b, " %-34s |", callers ? "Callsite" : "Alloc Ptr");
	buf_str(b, " Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag\n");
	rule(b);
	for (size_t i = 0; i < n && lines--; i++) {
		const struct kmem_row *r = &rows[i];

		buf_clear(&name);
		if (callers)
			kmem_show_function(v, r->address, true, &name);
		else
			buf_printf(&name, "%#llx", (unsigned long long)r->address);
		buf_printf(b, " %-34s | %9llu/%-5llu | %9llu/%-5llu | %8llu | %9llu | %6.3f%%\n",
			   buf_text(&name), (unsigned long long)r->allocated,
			   (unsigned long long)(r->allocated / r->hits),
			   (unsigned long long)r->requested,
			   (unsigned long long)(r->requested / r->hits),
			   (unsigned long long)r->hits, (unsigned long long)r->pingpongs,
			   kmem_fragmentation(r->requested, r->allocated));
		if (!out_ready(v->out))
			return;
	}
	/* below an empty table too, as in perf */
	if (lines == -1)
		buf_str(b, " ...                                | ...             | ...            "
			   " | ...      | ...       | ...   \n");
	rule(b);
}

void kmem_show_slab(struct kmem_view *v, struct kmem *k)
{
	struct buf *b = &v->out->buf;

	if (v->callers) {
		kmem_sort_rows(k->callers.at, k->callers.n, &v->slab_callers);
		kmem_show_rows(v, k->callers.at, k->callers.n, v->caller_lines, true);
	}
	if (v->objects) {
		kmem_sort_rows(k->objects.at, k->objects.n, &v->slab_objects);
		kmem_show_rows(v, k->objects.at, k->objects.n, v->object_lines, false);
	}
	buf_str(b, "\nSUMMARY (SLAB allocator)\n========================\n");
	buf_printf(b, "Total bytes requested: %llu\n", (unsigned long long)k->requested);
	buf_printf(b, "Total bytes allocated: %llu\n", (unsigned long long)k->allocated);
	buf_printf(b, "Total bytes freed:     %llu\n", (unsigned long long)k->freed);
	if (k->allocated > k->freed)
		buf_printf(b, "Net total bytes allocated: %llu\n",
			   (unsigned long long)(k->allocated - k->freed));
	buf_printf(b, "Total bytes wasted on internal fragmentation: %llu\n",
		   (unsigned long long)(k->allocated - k->requested));
	buf_printf(b, "Internal fragmentation: %f%%\n",
		   kmem_fragmentation(k->requested, k->allocated));
	buf_printf(b, "Cross CPU allocations: %llu/%llu\n", (unsigned long long)k->cross,
		   (unsigned long long)k->allocations);
}
