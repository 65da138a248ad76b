// SPDX-License-Identifier: MIT
#include "symbol/unwind/x86_code.h"

#include "symbol/insn_x86.h"

#include <string.h>

#define LONGEST_CALL	 8
#define LONGEST_FUNCTION 4096 /* bytes of code that are followed */
#define SEGMENT_EXECUTES 1    /* PF_X */
#define LONGEST_EPILOGUE 32   /* instructions */
/* bytes before an address in which prologue() looks for the function's start */
#define FIRST_BYTES	 48
#define LONGEST_PADDING	 256

/* Code around an address: `before` bytes lie in front of p, n from it on. */
struct code {
	const uint8_t *p;
	size_t before, n;
};

static bool code_at(const struct elf_file *elf, uint64_t vaddr, struct code *out)
{
	for (size_t i = 0; i < elf->segments.n; i++) {
		const struct elf_segment *s = &elf->segments.at[i];
		const uint64_t in = vaddr - s->vaddr;

		if (s->type != PT_LOAD || !(s->flags & SEGMENT_EXECUTES) || vaddr < s->vaddr ||
		    in > s->filesz || s->offset >= elf->n || in > elf->n - s->offset)
			continue;
		out->p = elf->p + s->offset + in;
		out->before = in;
		out->n = MIN(s->filesz - in, elf->n - s->offset - in);
		return true;
	}
	return false;
}

static bool is_call_by_memory(const uint8_t *p, size_t n)
{
	return p[0] == 0xff && (p[1] >> 3 & 7) == 2 && insn_x86_length(p, n, true) == n;
}

bool x86_follows_call(const struct elf_file *elf, uint64_t vaddr)
{
	struct code c;

	if (!code_at(elf, vaddr, &c))
		return false;
	if (c.before >= 5 && c.p[-5] == 0xe8)
		return true;
	for (size_t n = 2; n < LONGEST_CALL && n <= c.before; n++)
		if (is_call_by_memory(c.p - n, n))
			return true;
	return false;
}

static uint64_t relative(const uint8_t *p)
{
	int32_t by;

	memcpy(&by, p, sizeof(by));
	return (uint64_t)(int64_t)by;
}

bool x86_call_target(const struct elf_file *elf, uint64_t vaddr, uint64_t *target)
{
	struct code c;

	if (!code_at(elf, vaddr, &c) || c.before < 5 || c.p[-5] != 0xe8)
		return false;
	*target = vaddr + relative(c.p - 4);
	return true;
}

static bool is(const struct code *c, const char *bytes, size_t n)
{
	return c->n >= n && !memcmp(c->p, bytes, n);
}

static bool returns(const struct code *c)
{
	return is(c, "\xc3", 1) || is(c, "\xc2", 1) || is(c, "\xf3\xc3", 2) || is(c, "\xf2\xc3", 2);
}

/* mov %rsp, %rbp in either encoding */
static bool sets_frame_pointer(const struct code *c)
{
	return is(c, "\x48\x89\xe5", 3) || is(c, "\x48\x8b\xec", 3);
}

/* True when an instruction sets the stack pointer to anything but its old value plus a constant:
 * `leave`, `enter`, or mov, lea and `and` into it. */
static bool loses_stack_pointer(const struct code *c)
{
	const bool rex = (c->p[0] & 0xf0) == 0x40, wide = rex && c->p[0] & 8;
	const uint8_t op = c->p[rex], modrm = c->n > rex + 1u ? c->p[rex + 1] : 0;
	const bool to_reg = (modrm >> 3 & 7) == 4 && !(rex && c->p[0] & 4);
	const bool to_rm = (modrm & 0xc7) == 0xc4 && !(rex && c->p[0] & 1);

	if (op == 0xc9 || op == 0xc8)
		return true;
	if (!wide)
		return false;
	return ((op == 0x8b || op == 0x8d) && to_reg) || (op == 0x89 && to_rm) ||
	       ((op == 0x83 || op == 0x81) && to_rm && modrm == 0xe4);
}

/* How many bytes an instruction pushes (less than 0: pops); false: unknown. */
static bool stack_effect(const struct code *c, int64_t *bytes)
{
	const bool rex = (c->p[0] & 0xf0) == 0x40;
	const uint8_t *p = c->p + rex;
	const uint8_t op = p[0];

	*bytes = 0;
	if ((op >= 0x50 && op <= 0x57) || op == 0x6a || op == 0x68)
		*bytes = 8;
	else if (op >= 0x58 && op <= 0x5f)
		*bytes = -8;
	else if (c->p[0] == 0x48 && (op == 0x83 || op == 0x81) && (p[1] == 0xec || p[1] == 0xc4))
		*bytes = (op == 0x83 ? (int8_t)p[2] : (int64_t)relative(p + 2)) *
			 (p[1] == 0xec ? 1 : -1);
	else if (is(c, "\x48\x8d\x64\x24", 4))
		*bytes = -(int64_t)(int8_t)c->p[4];
	else if (is(c, "\x48\x8d\xa4\x24", 4))
		*bytes = -(int64_t)relative(c->p + 4);
	else
		return !loses_stack_pointer(c);
	return true;
}

bool x86_words_pushed(const struct elf_file *elf, uint64_t start, uint64_t vaddr, uint64_t *words)
{
	int64_t depth = 0, deepest = 0, by;
	unsigned int length;
	struct code c;

	if (vaddr < start || vaddr - start > LONGEST_FUNCTION || !code_at(elf, start, &c) ||
	    c.n < vaddr - start)
		return false;
	for (uint64_t at = start; at < vaddr; at += length, c.p += length, c.n -= length) {
		length = insn_x86_length(c.p, c.n, true);
		if (!length || sets_frame_pointer(&c) ||
		    (at != start && is(&c, "\xf3\x0f\x1e\xfa", 4)))
			return false;
		/* the code after it is reached from where the frame is complete */
		if (returns(&c) || c.p[0] == 0xe9 || c.p[0] == 0xeb)
			depth = deepest;
		else if (!stack_effect(&c, &by))
			return false;
		else
			depth += by;
		if (depth < 0 || depth % 8)
			return false;
		deepest = MAX(deepest, depth);
		if (at + length > vaddr)
			return false;
	}
	*words = (uint64_t)depth / 8;
	return true;
}

/* Follows straight-line code to a return: all words that it pops lie below the return address.
 * False: the code branches before, or sets the stack pointer from another register. */
static bool epilogue(struct code c, struct cfi_rule *rule)
{
	int64_t popped = 0, fp = -1, by;

	for (unsigned int i = 0; i < LONGEST_EPILOGUE; i++) {
		unsigned int length = insn_x86_length(c.p, c.n, true);

		if (!length)
			return false;
		if (returns(&c)) {
			rule->frame = (int32_t)popped + 8;
			if (fp >= 0)
				rule->fp = (struct cfi_value){.how = CFI_AT,
							      .at = (int32_t)(fp - popped - 8)};
			return true;
		}
		if (insn_x86_is_branch(c.p, c.n, true) || !stack_effect(&c, &by) || by > 0 ||
		    sets_frame_pointer(&c))
			return false;
		if (c.p[0] == 0x5d)
			fp = popped;
		popped -= by;
		c.p += length;
		c.n -= length;
	}
	return false;
}

/* Length of the padding that assemblers put before an aligned function. Matched backwards from its
 * end. */
static size_t padding_before(const struct code *c)
{
	static const struct {
		const char *bytes;
		size_t n;
	} nops[] = {{"\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 10}, {"\x2e\x0f\x1f\x84\0\0\0\0\0", 9},
		    {"\x0f\x1f\x84\0\0\0\0\0", 8}, {"\x0f\x1f\x80\0\0\0\0", 7},
		    {"\x66\x0f\x1f\x44\0\0", 6}, {"\x0f\x1f\x44\0\0", 5}, {"\x0f\x1f\x40\0", 4},
		    {"\x0f\x1f\0", 3}, {"\x66\x90", 2}, {"\x90", 1}, {"\xcc", 1}, {"\x66", 1}};
	size_t n = 0;

	for (bool more = true; more && n < LONGEST_PADDING;) {
		more = false;
		for (size_t i = 0; i < ARRAY_SIZE(nops) && !more; i++)
			if (n + nops[i].n <= c->before &&
			    !memcmp(c->p - n - nops[i].n, nops[i].bytes, nops[i].n)) {
				n += nops[i].n;
				more = true;
			}
	}
	return n;
}

/* The rule in a function's first bytes. A function begins at an aligned address, behind the return
 * of the one before. */
static bool prologue(const struct elf_file *elf, uint64_t vaddr, struct cfi_rule *rule)
{
	struct code c;
	uint64_t words;

	for (uint64_t start = vaddr & ~15ull;
	     vaddr - start < FIRST_BYTES && code_at(elf, start, &c); start -= 16) {
		size_t padding = padding_before(&c);

		if (c.before <= padding || c.p[-1 - (ptrdiff_t)padding] != 0xc3 ||
		    !x86_words_pushed(elf, start, vaddr, &words))
			continue;
		rule->frame = (int32_t)(8 * words + 8);
		return true;
	}
	return false;
}

bool x86_edge_rule(const struct elf_file *elf, const struct unwind_machine *m, uint64_t vaddr,
		   struct cfi_rule *rule)
{
	struct code c;

	if (m->elf != EM_X86_64 || !code_at(elf, vaddr, &c))
		return false;
	*rule = (struct cfi_rule){
		.frame_reg = m->sp, .frame = 8, .sp = {.how = CFI_IS}, .flags = CFI_EXACT};
	rule->ra = (struct cfi_value){.how = CFI_AT, .at = -8};
	if (c.before && c.p[-1] == 0x55 && sets_frame_pointer(&c)) {
		rule->frame = 16;
		rule->fp = (struct cfi_value){.how = CFI_AT, .at = -16};
		return true;
	}
	return is(&c, "\x55", 1) || is(&c, "\xf3\x0f\x1e\xfa", 4) || epilogue(c, rule) ||
	       prologue(elf, vaddr, rule);
}
