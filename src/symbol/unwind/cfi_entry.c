// SPDX-License-Identifier: MIT
#include "symbol/unwind/cfi_entry.h"

#include "symbol/unwind/encoded.h"

/* An entry without its length: what it points to, and the rest. */
struct entry {
	struct cursor body; /* after the pointer */
	uint64_t pointer;   /* as written */
	size_t pointer_at;  /* where in the section it stands */
	bool wide;	    /* 64-bit DWARF */
	size_t end;
};

static const struct cfi_section *section_of(const struct cfi *c, bool debug)
{
	return debug ? &c->debug : &c->eh;
}

static bool split(const struct cfi *c, bool debug, size_t at, struct entry *e)
{
	const struct cfi_section *s = section_of(c, debug);
	struct cursor in;
	uint64_t length;

	if (at >= s->n)
		return false;
	in = cursor_over(s->p + at, s->n - at, c->elf->swap);
	length = cursor_u32(&in);
	e->wide = length == UINT32_MAX;
	if (e->wide)
		length = cursor_u64(&in);
	if (in.bad || !length || length > cursor_left(&in))
		return false;
	e->end = (size_t)(in.p - s->p) + length;
	e->pointer_at = (size_t)(in.p - s->p);
	e->body = cursor_sub(&in, length);
	/* .eh_frame's pointer has 4 bytes whatever the length has */
	e->pointer = debug && e->wide ? cursor_u64(&e->body) : cursor_u32(&e->body);
	return !e->body.bad;
}

static bool is_cie(bool debug, const struct entry *e)
{
	if (!debug)
		return !e->pointer;
	return e->pointer == (e->wide ? UINT64_MAX : UINT32_MAX);
}

bool cfi_entry_next(const struct cfi *c, bool debug, size_t at, size_t *next)
{
	struct entry e;

	if (!split(c, debug, at, &e))
		return false;
	*next = e.end;
	return true;
}

/* The letters of an augmentation say what its data holds, in their order. */
static bool read_augmentation(struct cursor *in, const char *letters, struct cfi_cie *cie)
{
	uint64_t size = read_uleb(in);
	struct cursor data = cursor_sub(in, size);

	cie->sized = true;
	for (; *letters && !data.bad; letters++)
		switch (*letters) {
		case 'R':
			cie->pointers = cursor_u8(&data);
			break;
		case 'L':
			cursor_skip(&data, 1);
			break;
		case 'P':
			(void)read_pointer_format(&data, cursor_u8(&data), cie->word);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'B': /* signed with key B; aarch64 */
		case 'G': /* tagged frames; aarch64 */
			break;
		default:
			return !in->bad; /* nobody knows what comes: the size says how far it goes */
		}
	return !in->bad && !data.bad;
}

static bool read_cie(const struct cfi *c, bool debug, size_t at, struct cfi_cie *cie)
{
	struct entry e;
	const char *letters;
	size_t n;
	uint8_t version;

	*cie = (struct cfi_cie){.word = c->machine->word};
	if (!split(c, debug, at, &e) || !is_cie(debug, &e))
		return false;
	version = cursor_u8(&e.body);
	n = strnlen((const char *)e.body.p, cursor_left(&e.body));
	letters = cursor_str(&e.body, n + 1);
	if (!letters || (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4) {
		uint8_t word = cursor_u8(&e.body), segment = cursor_u8(&e.body);

		if ((word != 4 && word != 8) || segment)
			return false;
		cie->word = word;
	}
	if (!strcmp(letters, "eh")) { /* of compilers before 2000 */
		read_word(&e.body, cie->word);
		letters = "";
	}
	cie->code_align = read_uleb(&e.body);
	cie->data_align = read_sleb(&e.body);
	cie->ra = version == 1 ? cursor_u8(&e.body) : read_uleb(&e.body);
	if (*letters == 'z') {
		if (!read_augmentation(&e.body, letters + 1, cie))
			return false;
	} else if (*letters) {
		return false;
	}
	cie->program = e.body;
	return !e.body.bad;
}

bool cfi_entry_read(const struct cfi *c, bool debug, size_t at, struct cfi_fde *fde)
{
	const struct cfi_section *s = section_of(c, debug);
	uint64_t base;
	struct entry e;

	fde->debug = debug;
	if (!split(c, debug, at, &e) || is_cie(debug, &e))
		return false;
	if (!debug && e.pointer > e.pointer_at)
		return false;
	if (!read_cie(c, debug, debug ? e.pointer : e.pointer_at - e.pointer, &fde->cie))
		return false;
	base = s->vaddr + (uint64_t)(e.body.p - s->p);
	fde->start = read_pointer_format(&e.body, fde->cie.pointers, fde->cie.word);
	if (fde->cie.pointers & PTR_INDIRECT)
		return false;
	if ((fde->cie.pointers & PTR_BASE) == PTR_PCREL)
		fde->start += base;
	else if (fde->cie.pointers & PTR_BASE)
		return false; /* nobody writes functions relative to something else */
	fde->end = fde->start +
		   read_pointer_format(&e.body, fde->cie.pointers & PTR_FORMAT, fde->cie.word);
	if (fde->cie.word == 4) {
		fde->start &= UINT32_MAX;
		fde->end &= UINT32_MAX;
	}
	if (fde->cie.sized)
		cursor_skip(&e.body, read_uleb(&e.body));
	fde->program = e.body;
	return !e.body.bad && fde->end > fde->start;
}
