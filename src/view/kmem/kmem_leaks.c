// SPDX-License-Identifier: MIT
#include "view/kmem/kmem.h"

#include <stdio.h>

#define FRAMES_MOST 32

static void show_chain(struct kmem_view *v, const struct kmem *k, uint32_t chain)
{
	const struct intern_entry *e = &k->chains.entries.at[chain];
	const uint64_t *words = e->p;
	struct buf *b = &v->out->buf;
	unsigned int frames = 0;

	for (size_t i = 0; i < e->n / sizeof(*words) && frames < FRAMES_MOST; i++) {
		if (words[i] >= CONTEXT_MAX) {
			if (chain_context_mode(words[i]) != MISC_KERNEL)
				break; /* memory of the kernel: its own functions tell */
			continue;
		}
		buf_printf(b, "%*s", frames ? 64 : 1, "");
		kmem_show_function(v, words[i], true, b);
		buf_char(b, '\n');
		frames++;
	}
	if (!frames)
		buf_str(b, " [unknown]\n");
}

static void show_total(struct kmem_view *v, const struct kmem *k, bool pages)
{
	uint64_t bytes = 0, count = 0;

	for (size_t i = 0; i < k->leaks.n; i++) {
		if (k->leaks.at[i].pages != pages)
			continue;
		bytes += k->leaks.at[i].bytes;
		count += k->leaks.at[i].count;
	}
	buf_printf(&v->out->buf, "%s not freed: %llu bytes in %llu allocations\n",
		   pages ? "Pages" : "Objects", (unsigned long long)bytes,
		   (unsigned long long)count);
}

void kmem_show_leaks(struct kmem_view *v, const struct kmem *k)
{
	struct buf *b = &v->out->buf;
	int64_t lines = v->caller_lines;

	buf_printf(b,
		   "Allocated in %.3f s and not freed at the end; bytes of each quarter of that "
		   "time, by when they were allocated\n\n",
		   (double)(k->last - k->first) / 1e9);
	buf_printf(b, "%12s %8s %9s %7s %7s %7s %7s  %s\n", "Bytes", "Count", "Oldest s", "1st",
		   "2nd", "3rd", "4th", "Allocated by");
	for (size_t i = 0; i < k->leaks.n && lines--; i++) {
		const struct kmem_leak *l = &k->leaks.at[i];

		buf_printf(b, "%12llu %8llu %9.3f", (unsigned long long)l->bytes,
			   (unsigned long long)l->count, (double)(k->last - l->oldest) / 1e9);
		for (int q = 0; q < KMEM_QUARTERS; q++)
			buf_printf(b, " %6.1f%%",
				   100 * (double)l->grown[q] / (double)MAX(l->bytes, 1u));
		buf_char(b, ' ');
		show_chain(v, k, l->chain);
		if (!out_ready(v->out))
			return;
	}
	buf_char(b, '\n');
	if (k->opts->slab)
		show_total(v, k, false);
	if (k->opts->pages)
		show_total(v, k, true);
}
