// SPDX-License-Identifier: MIT
#include "view/kmem/kmem.h"

#include <stdio.h>
#include <stdlib.h>

/* The kernel's names of allocation flags, and perf's short names. */
static const struct {
	const char *name, *brief;
} gfp_names[] = {
	{"GFP_TRANSHUGE", "THP"},      {"GFP_TRANSHUGE_LIGHT", "THL"},
	{"GFP_HIGHUSER_MOVABLE", "HUM"}, {"GFP_HIGHUSER", "HU"},
	{"GFP_USER", "U"},	       {"GFP_KERNEL_ACCOUNT", "KAC"},
	{"GFP_KERNEL", "K"},	       {"GFP_NOFS", "NF"},
	{"GFP_ATOMIC", "A"},	       {"GFP_NOIO", "NI"},
	{"GFP_NOWAIT", "NW"},	       {"GFP_DMA", "D"},
	{"__GFP_HIGHMEM", "HM"},       {"GFP_DMA32", "D32"},
	{"__GFP_HIGH", "H"},	       {"__GFP_IO", "I"},
	{"__GFP_FS", "F"},	       {"__GFP_NOWARN", "NWR"},
	{"__GFP_RETRY_MAYFAIL", "R"},  {"__GFP_NOFAIL", "NF"},
	{"__GFP_NORETRY", "NR"},       {"__GFP_COMP", "C"},
	{"__GFP_ZERO", "Z"},	       {"__GFP_NOMEMALLOC", "NMA"},
	{"__GFP_MEMALLOC", "MA"},      {"__GFP_HARDWALL", "HW"},
	{"__GFP_THISNODE", "TN"},      {"__GFP_RECLAIMABLE", "RC"},
	{"__GFP_MOVABLE", "M"},	       {"__GFP_ACCOUNT", "AC"},
	{"__GFP_WRITE", "WR"},	       {"__GFP_RECLAIM", "R"},
	{"__GFP_DIRECT_RECLAIM", "DR"}, {"__GFP_KSWAPD_RECLAIM", "KR"},
};

static void gfp_brief(const char *text, struct buf *out)
{
	const size_t start = out->n;

	for (size_t n; *text; text += n + (text[n] == '|')) {
		n = strcspn(text, "|");
		for (size_t i = 0; i < ARRAY_SIZE(gfp_names); i++) {
			if (strlen(gfp_names[i].name) != n || strncmp(gfp_names[i].name, text, n))
				continue;
			if (out->n > start)
				buf_char(out, '|');
			buf_str(out, gfp_names[i].brief);
		}
	}
}

static int compare_gfps(const void *a, const void *b)
{
	const struct kmem_gfp *one = a, *two = b;

	return (one->flags > two->flags) - (one->flags < two->flags);
}

static void show_gfps(struct kmem_view *v, struct kmem *k)
{
	struct buf *b = &v->out->buf;
	AUTO_BUF text = {0};

	if (k->gfps.n)
		qsort(k->gfps.at, k->gfps.n, sizeof(*k->gfps.at), compare_gfps);
	buf_str(b, "#\n# GFP flags\n# ---------\n");
	for (size_t i = 0; i < k->gfps.n; i++) {
		const char *name = intern_text(&k->gfp_texts, k->gfps.at[i].text);

		buf_clear(&text);
		gfp_brief(name, &text);
		buf_printf(b, "# %08llx: %*s: ", (unsigned long long)k->gfps.at[i].flags,
			   (int)v->gfp_width, buf_text(&text));
		buf_safe(b, name);
		buf_char(b, '\n');
	}
}

/* Shows allocation flags. k->gfps must be sorted by flags. */
static void show_gfp(struct kmem_view *v, const struct kmem *k, uint64_t gfp)
{
	const struct kmem_gfp key = {.flags = gfp},
			      *found = bsearch(&key, k->gfps.at, k->gfps.n, sizeof(key),
					       compare_gfps);
	AUTO_BUF text = {0};

	if (found)
		gfp_brief(intern_text(&k->gfp_texts, found->text), &text);
	buf_left(&v->out->buf, buf_text(&text), v->gfp_width);
}

static const char *const migtypes[] = {"UNMOVABL", "RECLAIM",  "MOVABLE",
				       "RESERVED", "CMA/ISLT", "UNKNOWN"};

static void rule(struct buf *b)
{
	buf_fill(b, '-', 105);
	buf_char(b, '\n');
}

static void show_row(struct kmem_view *v, const struct kmem *k, const struct kmem_page *p,
		     bool callers)
{
	struct buf *b = &v->out->buf;

	if (!callers)
		buf_printf(b, k->by_frame ? " %16llu |" : " %016llx |",
			   (unsigned long long)p->page);
	buf_printf(b, " %16llu | %9llu | %5u | %8s | ", (unsigned long long)(p->bytes / 1024),
		   (unsigned long long)p->hits, p->order,
		   migtypes[p->migtype >= 0 && p->migtype < KMEM_MIGTYPES ? p->migtype
									  : KMEM_MIGTYPES - 1]);
	show_gfp(v, k, p->gfp);
	buf_str(b, " | ");
	kmem_show_function(v, p->caller, false, b);
	buf_char(b, '\n');
}

static void kmem_pages_show_rows(struct kmem_view *v, const struct kmem *k,
				 const struct kmem_page *rows, size_t n, int64_t lines,
				 bool callers)
{
	struct buf *b = &v->out->buf;

	buf_char(b, '\n');
	rule(b);
	if (!callers)
		buf_printf(b, " %-16s |", k->by_frame ? "PFN" : "Page");
	buf_printf(b, " %5s alloc (KB) | Hits      | Order | Mig.type | %-*s | Callsite\n",
		   v->live ? "Live" : "Total", (int)v->gfp_width, "GFP flags");
	rule(b);
	for (size_t i = 0; i < n; i++) {
		if (rows[i].gone || !rows[i].hits)
			continue;
		if (!lines--)
			break;
		show_row(v, k, &rows[i], callers);
		if (!out_ready(v->out))
			return;
	}
	if (lines == -1)
		buf_printf(b, "%s ...              | ...       | ...   | ...      | %-*s | ...\n",
			   callers ? "" : " ...              |", (int)v->gfp_width, "...");
	rule(b);
}

static void show_requests(struct buf *b, const char *what, uint64_t n, uint64_t bytes)
{
	buf_printf(b, "%-30s: %16llu   [ %16llu KB ]\n", what, (unsigned long long)n,
		   (unsigned long long)(bytes / 1024));
}

static void show_orders(const struct kmem *k, struct buf *b)
{
	buf_printf(b, "%-5s  %12s  %12s  %12s  %12s  %12s\n", "Order", "Unmovable", "Reclaimable",
		   "Movable", "Reserved", "CMA/Isolated");
	buf_fill(b, '-', 5);
	for (int i = 0; i < KMEM_MIGTYPES - 1; i++) {
		buf_str(b, "  ");
		buf_fill(b, '-', 12);
	}
	buf_char(b, '\n');
	for (int order = 0; order < KMEM_ORDERS; order++) {
		buf_printf(b, "%5d", order);
		for (int i = 0; i < KMEM_MIGTYPES - 1; i++)
			if (k->orders[order][i])
				buf_printf(b, "  %12lld", (long long)k->orders[order][i]);
			else
				buf_printf(b, "  %12c", '.');
		buf_char(b, '\n');
	}
}

static void show_summary(const struct kmem *k, struct buf *b)
{
	const uint64_t both = k->page_frees - k->page_unknown,
		       both_bytes = k->page_free_bytes - k->page_unknown_bytes;

	buf_str(b, "\nSUMMARY (page allocator)\n========================\n");
	show_requests(b, "Total allocation requests", k->page_allocs, k->page_alloc_bytes);
	show_requests(b, "Total free requests", k->page_frees, k->page_free_bytes);
	buf_char(b, '\n');
	show_requests(b, "Total alloc+freed requests", both, both_bytes);
	show_requests(b, "Total alloc-only requests", k->page_allocs - both,
		      k->page_alloc_bytes - both_bytes);
	show_requests(b, "Total free-only requests", k->page_unknown, k->page_unknown_bytes);
	buf_char(b, '\n');
	show_requests(b, "Total allocation failures", k->page_fails, k->page_fail_bytes);
	buf_char(b, '\n');
	show_orders(k, b);
}

void kmem_show_pages(struct kmem_view *v, struct kmem *k)
{
	AUTO_BUF text = {0};

	v->gfp_width = 0;
	for (size_t i = 0; i < k->gfps.n; i++) {
		buf_clear(&text);
		gfp_brief(intern_text(&k->gfp_texts, k->gfps.at[i].text), &text);
		v->gfp_width = MAX(v->gfp_width, text.n);
	}
	if (v->callers || v->objects)
		show_gfps(v, k);
	v->gfp_width = MAX(v->gfp_width, strlen("GFP flags"));
	if (v->callers) {
		kmem_sort_pages(k->page_callers.at, k->page_callers.n, &v->page_callers, true,
				v->live);
		kmem_pages_show_rows(v, k, k->page_callers.at, k->page_callers.n, v->caller_lines,
				     true);
	}
	if (v->objects && v->live) {
		kmem_sort_pages(k->live_pages.at, k->live_pages.n, &v->pages, false, true);
		kmem_pages_show_rows(v, k, k->live_pages.at, k->live_pages.n, v->object_lines,
				     false);
	} else if (v->objects) {
		kmem_sort_pages(k->pages.at, k->pages.n, &v->pages, false, false);
		kmem_pages_show_rows(v, k, k->pages.at, k->pages.n, v->object_lines, false);
	}
	show_summary(k, &v->out->buf);
}
