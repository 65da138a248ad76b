// SPDX-License-Identifier: MIT
#include "symbol/elf/sdt.h"

#include "symbol/dso_private.h"

#include <string.h>

#define NT_STAPSDT 3

/* The file offset of a virtual address; UINT64_MAX: no segment holds it. */
static uint64_t sdt_file_offset_of(const struct elf_file *f, uint64_t vaddr)
{
	for (size_t i = 0; i < f->segments.n; i++) {
		const struct elf_segment *s = &f->segments.at[i];

		if (s->type == PT_LOAD && vaddr >= s->vaddr && vaddr - s->vaddr < s->memsz)
			return vaddr - s->vaddr + s->offset;
	}
	return UINT64_MAX;
}

static const char *sdt_file_text_of(struct cursor *c, struct arena *arena)
{
	const size_t n = c->bad ? 0 : strnlen((const char *)c->p, cursor_left(c)) + 1;
	const char *text = cursor_str(c, n);

	return text ? arena_strdup(arena, text) : NULL;
}

static void sdt_file_add(const struct elf_file *f, struct cursor desc, uint64_t base,
			 struct sdt_markers *out)
{
	uint64_t at[3];
	struct sdt_marker m;

	for (int i = 0; i < 3; i++)
		at[i] = f->is_64_bit ? cursor_u64(&desc) : cursor_u32(&desc);
	m.provider = sdt_file_text_of(&desc, &out->arena);
	m.name = sdt_file_text_of(&desc, &out->arena);
	m.args = sdt_file_text_of(&desc, &out->arena);
	if (desc.bad || !m.provider || !m.name || !m.args)
		return;
	/* the file may have been relocated (prelink): its base tells by how much */
	if (at[1] && base) {
		at[0] += base - at[1];
		at[2] += at[2] ? base - at[1] : 0;
	}
	m.vaddr = at[0];
	m.offset = sdt_file_offset_of(f, at[0]);
	m.semaphore = at[2] ? sdt_file_offset_of(f, at[2]) : 0;
	if (m.offset != UINT64_MAX && m.semaphore != UINT64_MAX)
		vec_add(out, m);
}

int sdt_markers_read(struct sdt_markers *out, const char *path)
{
	const struct elf_section *section, *base;
	struct elf_image image = {0};
	struct cursor c;

	*out = (struct sdt_markers){0};
	if (elf_image_open(&image, path, true))
		return -1;
	section = elf_section_typed(&image.elf, ".note.stapsdt", SHT_NOTE);
	base = elf_section_named(&image.elf, ".stapsdt.base");
	c = section ? elf_section_bytes(&image.elf, section) : (struct cursor){0};
	while (cursor_left(&c) >= 12 && !c.bad) {
		uint32_t name_n = cursor_u32(&c), desc_n = cursor_u32(&c), type = cursor_u32(&c);
		struct cursor name = cursor_sub(&c, ((size_t)name_n + 3) & ~(size_t)3);
		struct cursor desc = cursor_sub(&c, desc_n);

		if (c.bad)
			break;
		if (type == NT_STAPSDT && name_n == 8 && !memcmp(name.p, "stapsdt", 8))
			sdt_file_add(&image.elf, desc, base ? base->addr : 0, out);
		cursor_skip(&c, MIN(-(size_t)desc_n & 3, cursor_left(&c)));
	}
	out->machine = image.elf.machine;
	elf_image_release(&image);
	return 0;
}

void sdt_markers_release(struct sdt_markers *m)
{
	vec_release(m);
	arena_release(&m->arena);
}
