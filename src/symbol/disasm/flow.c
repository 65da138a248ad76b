// SPDX-License-Identifier: MIT
#include "symbol/disasm/flow.h"

#include "base/hash.h"
#include "symbol/disasm/simplify.h"

void disasm_flow_init(struct disasm_flow *f, const struct disasm *d, struct arena *arena)
{
	struct idmap by_address = {0};

	*f = (struct disasm_flow){.disasm = d};
	f->insns = arena_alloc(arena, (d->lines.n + 1) * sizeof(*f->insns));
	f->jumps = arena_alloc(arena, (d->lines.n + 1) * sizeof(*f->jumps));
	for (size_t i = 0; i < d->lines.n; i++) {
		const struct disasm_line *line = &d->lines.at[i];

		if (line->vaddr == DISASM_NO_ADDRESS)
			continue;
		*idmap_put(&by_address, line->vaddr) = (uint32_t)i;
		if (d->machine)
			insn_read(&f->insns[i], d->machine, line->text, line->vaddr, false);
		if (f->insns[i].kind == INSN_JUMP && !f->insns[i].has_target)
			f->has_unknown = true;
	}
	for (size_t i = 0; i < d->lines.n; i++) {
		uint32_t target;

		if (!disasm_jumps_inside(d, &f->insns[i]))
			continue;
		target = idmap_find(&by_address, f->insns[i].target);
		if (target != HASH_NONE)
			f->jumps[target]++;
	}
	idmap_release(&by_address);
}

size_t disasm_flow_before(const struct disasm_flow *f, size_t line)
{
	const struct disasm *d = f->disasm;
	size_t i = line;

	if (!d->machine || f->has_unknown || f->jumps[line])
		return DISASM_NO_LINE;
	while (i-- > 0) {
		const struct insn *insn = &f->insns[i];

		if (d->lines.at[i].vaddr == DISASM_NO_ADDRESS)
			continue;
		if (insn->kind == INSN_RETURN || insn->kind == INSN_CALL ||
		    (insn->kind == INSN_JUMP && insn->always))
			return DISASM_NO_LINE;
		return i;
	}
	return DISASM_NO_LINE;
}
