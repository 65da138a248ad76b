// SPDX-License-Identifier: MIT
#include "symbol/unwind/guess.h"

#include <string.h>

/* The caller's stack pointer is `above` bytes above this one. The return address lies right below
 * it, or is in its register. */
static void by_stack_pointer(const struct unwind_machine *m, int32_t above, struct cfi_rule *rule)
{
	*rule = (struct cfi_rule){.frame_reg = m->sp, .frame = above, .sp = {.how = CFI_IS}};
	if (!m->ra_in_register)
		rule->ra = (struct cfi_value){.how = CFI_AT, .at = -m->word};
}

bool go_rule(const struct go_table *t, const struct unwind_machine *m, uint64_t vaddr,
	     struct cfi_rule *rule)
{
	struct go_function f;
	int32_t size;

	if (!go_table_find(t, vaddr, &f) || !go_table_frame(t, &f, vaddr, &size))
		return false;
	by_stack_pointer(m, size + (m->ra_in_register ? 0 : m->word), rule);
	/* The frame pointer is stored right below the return address. On aarch64 the return address
	 * is the lowest word of the frame, with the frame pointer below it. */
	if (m->ra_in_register && size) {
		rule->ra = (struct cfi_value){.how = CFI_AT, .at = -size};
		rule->fp = (struct cfi_value){.how = CFI_AT, .at = -size - m->word};
	} else if (size >= m->word) {
		rule->fp = (struct cfi_value){.how = CFI_AT, .at = -2 * m->word};
	}
	if (f.outermost)
		rule->ra = (struct cfi_value){.how = CFI_UNDEFINED};
	if (f.switches)
		rule->flags |= CFI_OUTER;
	return true;
}

/* How many words the PLT has pushed at this offset. When the first slot is entered, the slot that
 * jumped to it has pushed one. Source: System V psABI for x86-64, figure 5.2: jmp (6 bytes), push
 * (5), jmp. */
static int32_t pushed(uint64_t at, uint64_t in_slot)
{
	if (at < 16)
		return in_slot < 6 ? 1 : 2;
	return in_slot < 11 ? 0 : 1;
}

bool plt_rule(const struct elf_file *elf, const struct unwind_machine *m, uint64_t vaddr,
	      struct cfi_rule *rule)
{
	for (size_t i = 0; i < elf->sections.n; i++) {
		const struct elf_section *s = &elf->sections.at[i];
		const uint64_t at = vaddr - s->addr;

		if (strncmp(s->name, ".plt", 4) || vaddr < s->addr || at >= s->size)
			continue;
		/* .plt.got and .plt.sec only jump */
		by_stack_pointer(m,
				 m->ra_in_register
					 ? 0
					 : m->word * (1 + (s->name[4] ? 0 : pushed(at, at % 16))),
				 rule);
		return m->elf != EM_386 || s->name[4];
	}
	return false;
}
