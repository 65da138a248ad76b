// SPDX-License-Identifier: MIT
#include "view/kmem/kmem.h"

#include "view/leaks/leaks.h"

struct kmem_stacks {
	struct kmem_view *view;
	const struct kmem *k;
};

/* Shows kernel frames only: the kernel functions of the chain tell where its memory was
 * allocated. */
static bool kmem_leak_frame(void *ctx, uint32_t by, size_t at, struct buf *out)
{
	const struct kmem_stacks *s = ctx;
	const struct intern_entry *e = &s->k->chains.entries.at[by];
	struct raw_chain walk = {.words = e->p, .n = e->n / sizeof(uint64_t), .mode = MISC_KERNEL};
	uint64_t ip;

	while (raw_chain_next(&walk, &ip) && walk.mode == MISC_KERNEL) {
		if (at--)
			continue;
		kmem_show_function(s->view, ip, true, out);
		return true;
	}
	return false;
}

static void show_total(struct kmem_view *v, const struct kmem *k, bool pages)
{
	uint64_t bytes = 0, count = 0;

	for (size_t i = 0; i < k->leaks.rows.n; i++) {
		if (k->leaks.rows.at[i].kind != pages)
			continue;
		bytes += k->leaks.rows.at[i].bytes;
		count += k->leaks.rows.at[i].count;
	}
	buf_printf(&v->out->buf, "%s not freed: %llu bytes in %llu allocations\n",
		   pages ? "Pages" : "Objects", (unsigned long long)bytes,
		   (unsigned long long)count);
}

void kmem_show_leaks(struct kmem_view *v, const struct kmem *k)
{
	struct kmem_stacks stacks = {v, k};
	const struct leaks_table table = {.out = v->out,
					  .first = k->first,
					  .last = k->last,
					  .lines = v->caller_lines,
					  .frame = kmem_leak_frame,
					  .ctx = &stacks};

	leaks_show(&table, &k->leaks);
	if (k->opts->slab)
		show_total(v, k, false);
	if (k->opts->pages)
		show_total(v, k, true);
}
