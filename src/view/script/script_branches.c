// SPDX-License-Identifier: MIT
#include "view/script/script.h"

/* Bits of branch_entry.flags. */
#define MISPREDICTED  (1ull << 0)
#define PREDICTED     (1ull << 1)
#define IN_TX	      (1ull << 2)
#define ABORTED	      (1ull << 3)
#define CYCLES(flags) ((flags) >> 4 & 0xffff)
#define KIND(flags)   ((flags) >> 20 & 0xf)
#define NEW_KIND(flags) ((flags) >> 26 & 0xf)

static const char *kind_name(uint64_t flags)
{
	static const char *const names[] = {"", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET",
		"SYSCALL", "SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ", "SERROR", "NO_TX"};
	static const char *const more[] = {"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
		"ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5"};
	uint64_t kind = KIND(flags);

	if (kind < ARRAY_SIZE(names))
		return names[kind];
	return NEW_KIND(flags) < ARRAY_SIZE(more) ? more[NEW_KIND(flags)] : "";
}

static void flags_text(uint64_t flags, struct buf *out)
{
	buf_char(out, '/');
	buf_char(out, flags & MISPREDICTED ? 'M' : flags & PREDICTED ? 'P' : '-');
	buf_str(out, flags & IN_TX ? "/X" : "/-");
	buf_str(out, flags & ABORTED ? "/A/" : "/-/");
	buf_dec(out, CYCLES(flags));
	buf_char(out, '/');
	buf_str(out, kind_name(flags));
	buf_char(out, ' ');
}

static void end_text(struct script *s, uint32_t epoch, uint8_t cpumode, uint64_t address,
		     uint64_t fields, struct buf *out)
{
	struct place p = world_place_data(s->world, epoch, cpumode, address);

	if (!(fields & FIELD_BRSTACK) && (fields & FIELD_BRSTACKSYM)) {
		script_symbol_text(
			script_frame(&s->frames, epoch, p.cpumode, address, SCRIPT_FRAME_SYMBOL),
			true, out);
	} else {
		/* the offset is relative to the map, unless the file's symbols have been loaded */
		if (!(fields & FIELD_BRSTACK) && p.map &&
		    (p.dso->in_kernel || p.dso->source == SYMBOLS_NOT_LOADED ||
		     p.dso->source == SYMBOLS_NONE))
			address = address - p.map->start + (p.map->in_kernel ? 0 : p.map->pgoff);
		buf_str(out, "0x");
		buf_hex(out, address);
	}
	if (fields & FIELD_DSO) {
		buf_char(out, '(');
		script_dso_text(&s->frames, &p, out);
		buf_char(out, ')');
	}
}

void script_branches(struct script *s, const struct record *r, uint32_t epoch, uint64_t fields,
		     struct buf *out)
{
	bool symbols = !(fields & FIELD_BRSTACK) && (fields & FIELD_BRSTACKSYM);
	uint8_t cpumode = r->header.misc & MISC_CPUMODE_MASK;
	struct branch_entry e;

	for (uint64_t i = 0; i < r->sample.branch_nr; i++) {
		memcpy(&e, &r->sample.branches[i], sizeof(e));
		if (!symbols)
			buf_char(out, ' ');
		end_text(s, epoch, cpumode, e.from, fields, out);
		buf_char(out, '/');
		end_text(s, epoch, cpumode, e.to, fields, out);
		flags_text(e.flags, out);
	}
}
