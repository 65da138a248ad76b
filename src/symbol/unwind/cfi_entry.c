// SPDX-License-Identifier: MIT
#include "symbol/unwind/cfi_entry.h"

#include "os/process/signals.h"
#include "symbol/unwind/encoded.h"

#define LETTERS	      16    /* of an augmentation: 7 are defined */
/* entries between two checks whether the process was asked to end: a few milliseconds */
#define LOOK_UP_EVERY 65536

/* An entry without its length: its CIE pointer, and the rest. */
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

static bool cfi_entry_split(const struct cfi *c, bool debug, size_t at, struct entry *e)
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
	/* the pointer in .eh_frame has 4 bytes even in the 64-bit format */
	e->pointer = debug && e->wide ? cursor_u64(&e->body) : cursor_u32(&e->body);
	return !e->body.bad;
}

static bool is_cie(bool debug, const struct entry *e)
{
	if (!debug)
		return !e->pointer;
	return e->pointer == (e->wide ? UINT64_MAX : UINT32_MAX);
}

/* The letters of an augmentation say which fields its data holds, in that order. */
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
			return !in->bad; /* unknown letter: the size says where the data ends */
		}
	return !in->bad && !data.bad;
}

static bool read_cie(const struct cfi *c, bool debug, size_t at, struct cfi_cie *cie)
{
	char copy[LETTERS + 1], *letters = copy;
	struct entry e;
	size_t n;
	uint8_t version;

	*cie = (struct cfi_cie){.word = c->machine->word};
	if (!cfi_entry_split(c, debug, at, &e) || !is_cie(debug, &e))
		return false;
	version = cursor_u8(&e.body);
	n = MIN(cursor_left(&e.body), LETTERS);
	memcpy(copy, e.body.p, n);
	copy[n] = 0;
	n = strlen(copy);
	cursor_skip(&e.body, n + 1);
	if (n == LETTERS || (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4) {
		uint8_t word = cursor_u8(&e.body), segment = cursor_u8(&e.body);

		if ((word != 4 && word != 8) || segment)
			return false;
		cie->word = word;
	}
	if (!strcmp(letters, "eh")) { /* written by compilers before 2000 */
		read_word(&e.body, cie->word);
		letters += 2;
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

/* The CIE that was read last: consecutive functions mostly share one. */
struct cie_memo {
	size_t at; /* SIZE_MAX: none */
	bool good;
	struct cfi_cie cie;
};

static bool read_fde(const struct cfi *c, bool debug, struct entry e, struct cie_memo *memo,
		     struct cfi_fde *fde)
{
	const struct cfi_section *s = section_of(c, debug);
	uint64_t base, cie;

	fde->debug = debug;
	if (!debug && e.pointer > e.pointer_at)
		return false;
	cie = debug ? e.pointer : e.pointer_at - e.pointer;
	if (memo->at != cie) {
		memo->good = read_cie(c, debug, cie, &memo->cie);
		memo->at = cie;
	}
	if (!memo->good)
		return false;
	fde->cie = memo->cie;
	base = s->vaddr + (uint64_t)(e.body.p - s->p);
	fde->start = read_pointer_format(&e.body, fde->cie.pointers, fde->cie.word);
	if (fde->cie.pointers & PTR_INDIRECT)
		return false;
	if ((fde->cie.pointers & PTR_BASE) == PTR_PCREL)
		fde->start += base;
	else if (fde->cie.pointers & PTR_BASE)
		return false; /* no compiler writes addresses with another base */
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

bool cfi_entry_read(const struct cfi *c, bool debug, size_t at, struct cfi_fde *fde)
{
	struct cie_memo memo = {.at = SIZE_MAX};
	struct entry e;

	return cfi_entry_split(c, debug, at, &e) && !is_cie(debug, &e) &&
	       read_fde(c, debug, e, &memo, fde);
}

bool cfi_entries(const struct cfi *c, bool debug, size_t *entries,
		 void (*fn)(void *ctx, const struct cfi_fde *fde, size_t at), void *ctx)
{
	struct cie_memo memo = {.at = SIZE_MAX};
	struct cfi_fde fde;
	struct entry e;

	for (size_t at = 0; cfi_entry_split(c, debug, at, &e); at = e.end) {
		const size_t n = ++*entries;

		if (n > CFI_ENTRIES_MAX ||
		    (n % LOOK_UP_EVERY == 0 && n > CFI_ENTRIES_MAX / 8 && signals_end_asked()))
			return false;
		if (!is_cie(debug, &e) && read_fde(c, debug, e, &memo, &fde))
			fn(ctx, &fde, at);
	}
	return true;
}
