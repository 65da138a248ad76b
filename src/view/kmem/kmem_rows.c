// SPDX-License-Identifier: MIT
#include "view/kmem/kmem.h"
#include "view/out/rows.h"

/* The function at the address, or the address itself, as the text of the next cell. */
static void kmem_rows_place(struct kmem_view *v, struct rows *r, uint64_t address, bool function)
{
	AUTO_BUF text = {0};

	if (function)
		kmem_show_function(v, address, true, &text);
	else
		buf_printf(&text, "%#llx", (unsigned long long)address);
	rows_text(r, buf_text(&text));
}

static void kmem_rows_slab(struct kmem_view *v, struct rows *r, const struct kmem_row *rows,
			   size_t n, int64_t lines, bool callers)
{
	static const char *const by_caller[] = {"callsite", "allocated_bytes", "requested_bytes",
						"hits", "other_cpu_frees"},
				 *const by_object[] = {"pointer", "allocated_bytes",
						       "requested_bytes", "hits",
						       "other_cpu_frees"};

	rows_table(r, callers ? "callers" : "objects", callers ? by_caller : by_object,
		   ARRAY_SIZE(by_caller));
	for (size_t i = 0; i < n && lines--; i++) {
		kmem_rows_place(v, r, rows[i].address, callers);
		rows_number(r, rows[i].allocated);
		rows_number(r, rows[i].requested);
		rows_number(r, rows[i].hits);
		rows_number(r, rows[i].pingpongs);
	}
}

static void kmem_rows_pages(struct kmem_view *v, struct rows *r, const struct kmem *k,
			    const struct kmem_page *rows, size_t n, int64_t lines, bool callers)
{
	static const char *const columns[] = {"callsite", "bytes",     "hits",
					      "order",	  "gfp_flags", "page"};

	rows_table(r, callers ? "page_callers" : "pages", columns,
		   ARRAY_SIZE(columns) - (callers ? 1 : 0));
	for (size_t i = 0; i < n; i++) {
		const char *flags = NULL;

		if (rows[i].gone || !rows[i].hits)
			continue;
		if (!lines--)
			break;
		for (size_t g = 0; g < k->gfps.n && !flags; g++)
			if (k->gfps.at[g].flags == rows[i].gfp)
				flags = intern_text(&k->gfp_texts, k->gfps.at[g].text);
		kmem_rows_place(v, r, rows[i].caller, true);
		rows_number(r, rows[i].bytes);
		rows_number(r, rows[i].hits);
		rows_number(r, rows[i].order);
		rows_text(r, flags);
		if (!callers)
			rows_number(r, rows[i].page);
	}
}

void kmem_show_tables(struct kmem_view *v, struct kmem *k, struct out *out,
		      const struct rows_form *form)
{
	const bool callers = v->callers || !v->objects;
	struct rows r;

	rows_begin(&r, out, form);
	if (k->opts->slab && callers) {
		kmem_sort_rows(k->callers.at, k->callers.n, &v->slab_callers);
		kmem_rows_slab(v, &r, k->callers.at, k->callers.n, v->caller_lines, true);
	}
	if (k->opts->slab && v->objects) {
		kmem_sort_rows(k->objects.at, k->objects.n, &v->slab_objects);
		kmem_rows_slab(v, &r, k->objects.at, k->objects.n, v->object_lines, false);
	}
	if (k->opts->pages && callers) {
		kmem_sort_pages(k->page_callers.at, k->page_callers.n, &v->page_callers, true,
				v->live);
		kmem_rows_pages(v, &r, k, k->page_callers.at, k->page_callers.n, v->caller_lines,
				true);
	}
	if (k->opts->pages && v->objects) {
		struct kmem_page *pages = v->live ? k->live_pages.at : k->pages.at;
		size_t n = v->live ? k->live_pages.n : k->pages.n;

		kmem_sort_pages(pages, n, &v->pages, false, v->live);
		kmem_rows_pages(v, &r, k, pages, n, v->object_lines, false);
	}
	rows_end(&r);
}
