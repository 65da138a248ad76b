// SPDX-License-Identifier: MIT
/*
 * Names for stripped code. .eh_frame, which stays in a stripped file, has the start and the end of
 * each function. Code outside of all symbols is named by the address of its function,
 * "file+0x1234".
 */
#include "symbol/dso_private.h"
#include "symbol/unwind/cfi_entry.h"

#include <stdlib.h>

struct range {
	uint64_t start, end; /* file offsets */
	uint64_t vaddr;
};
struct ranges {
	const struct elf_file *elf;
	VEC(struct range) at;
};

static int dso_ranges_by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void add_function(void *ctx, const struct cfi_fde *fde, size_t at)
{
	struct ranges *out = ctx;

	(void)at;
	for (size_t i = 0; i < out->elf->segments.n; i++) {
		const struct elf_segment *s = &out->elf->segments.at[i];
		const uint64_t offset = fde->start - s->vaddr + s->offset;

		if (s->type != PT_LOAD || !(s->flags & PF_X) || fde->start < s->vaddr ||
		    fde->end - s->vaddr > s->filesz || offset + (fde->end - fde->start) < offset)
			continue;
		vec_add(&out->at,
			(struct range){offset, offset + (fde->end - fde->start), fde->start});
		break;
	}
}

static void read_ranges(const struct elf_file *elf, struct ranges *out)
{
	size_t entries = 0;
	struct cfi cfi;

	if (elf->type == ET_REL)
		return;
	out->elf = elf;
	if (cfi_open(&cfi, elf))
		cfi_entries(&cfi, false, &entries, add_function, out);
	cfi_release(&cfi);
	if (out->at.n)
		qsort(out->at.at, out->at.n, sizeof(*out->at.at), dso_ranges_by_start);
}

static void add_range(struct dso *dso, const struct range *r, uint64_t start, uint64_t end)
{
	vec_add(&dso->symbols,
		(struct symbol){.start = start,
				.end = end,
				.name = arena_printf(&dso->private_data->arena, "%s+0x%llx",
						     dso->short_name, (unsigned long long)r->vaddr),
				.binding = STB_LOCAL,
				.type = STT_FUNC});
}

/* Adds the parts of the ranges that no symbol covers. Both are walked in the order of addresses. */
static void dso_ranges_add_ranges(struct dso *dso, const struct ranges *ranges)
{
	struct symbol_table sorted = {0};
	uint64_t covered = 0;
	size_t next = 0;

	for (size_t i = 0; i < dso->symbols.n; i++)
		vec_add(&sorted, dso->symbols.at[i]);
	if (sorted.n)
		symbol_table_sort(&sorted);
	for (size_t i = 0; i < ranges->at.n; i++) {
		const struct range *r = &ranges->at.at[i];
		uint64_t start, end = r->end;

		for (; next < sorted.n && sorted.at[next].start <= r->start; next++)
			covered = MAX(covered, sorted.at[next].end);
		start = MAX(r->start, covered);
		for (size_t n = next; n < sorted.n && sorted.at[n].start < end; n++) {
			if (sorted.at[n].start > start) {
				end = sorted.at[n].start;
				break;
			}
			start = MAX(start, sorted.at[n].end);
		}
		if (start >= end)
			continue;
		add_range(dso, r, start, end);
		covered = end;
	}
	vec_release(&sorted);
}

bool dso_add_ranges(struct dso *dso)
{
	const char *path = dso_file(dso);
	const size_t before = dso->symbols.n;
	struct ranges ranges = {0};
	struct elf_image image;

	if (!path || elf_image_open(&image, path, false) < 0)
		return false;
	read_ranges(&image.elf, &ranges);
	dso_ranges_add_ranges(dso, &ranges);
	vec_release(&ranges.at);
	if (!dso->private_data->segments.n)
		dso_keep_segments(dso, &image.elf);
	if (!before && dso->symbols.n) {
		dso->source = SYMBOLS_RANGES;
		dso->origin = 'd';
		dso->source_path = path;
		dso->is_64_bit = image.elf.is_64_bit;
	}
	elf_image_release(&image);
	return dso->symbols.n > 0;
}
