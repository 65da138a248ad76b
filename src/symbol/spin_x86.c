// SPDX-License-Identifier: MIT
#include "symbol/spin_x86.h"

#include "symbol/insn_x86.h"

#include <string.h>

/* A loop of more bytes does more than wait, even if it holds pause. */
#define PAUSE_LOOP_MOST 128
#define RAX		0

/* What an instruction does. Registers are bits: bit 0 is rax. */
struct step {
	const uint8_t *p;
	unsigned int length, at; /* .at: of the next byte to decode */
	uint8_t rex, rep, opcode, mod, reg, rm;
	uint32_t address; /* the registers of a memory operand's address */
	uint32_t reads, writes;
	bool simple; /* it changes registers and flags only, and all that it reads is known */
	bool loads, pauses, jumps;
	int64_t target; /* of a jump: relative to p */
};

static bool step_prefixes(struct step *s)
{
	for (;; s->at++) {
		switch (s->p[s->at]) {
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
		case 0x66:
			continue;
		case 0xf2:
		case 0xf3:
			s->rep = s->p[s->at];
			continue;
		case 0x67:
		case 0xf0:
			return false;
		default:
			break;
		}
		break;
	}
	if ((s->p[s->at] & 0xf0) == 0x40)
		s->rex = s->p[s->at++];
	s->opcode = s->p[s->at++];
	return true;
}

static void step_modrm(struct step *s)
{
	const uint8_t modrm = s->p[s->at++], high_rm = (s->rex & 1) << 3;
	uint8_t sib, index;

	s->mod = modrm >> 6;
	s->reg = (modrm >> 3 & 7) | (s->rex & 4) << 1;
	s->rm = (modrm & 7) | high_rm;
	if (s->mod == 3)
		return;
	if ((modrm & 7) == 4) {
		sib = s->p[s->at];
		index = (sib >> 3 & 7) | (s->rex & 2) << 2;
		if (index != 4)
			s->address |= 1u << index;
		if (s->mod || (sib & 7) != 5)
			s->address |= 1u << ((sib & 7) | high_rm);
	} else if (s->mod || (modrm & 7) != 5) {
		s->address |= 1u << s->rm;
	}
}

/* The bit of a register; bytes: ah, ch, dh and bh are parts of the first four. */
static uint32_t step_register(const struct step *s, uint8_t number, bool byte)
{
	return 1u << (byte && !s->rex && number >= 4 ? number - 4 : number);
}

static void step_read_rm(struct step *s, bool byte)
{
	s->loads |= s->mod != 3;
	s->reads |= s->mod == 3 ? step_register(s, s->rm, byte) : s->address;
}

/* A store is not simple, nor a write to the second byte of a register. */
static void step_write_rm(struct step *s, bool byte)
{
	s->simple &= s->mod == 3 && !(byte && !s->rex && s->rm >= 4);
	s->writes |= 1u << s->rm;
}

static void step_write_reg(struct step *s, bool byte)
{
	s->simple &= !(byte && !s->rex && s->reg >= 4);
	s->writes |= 1u << s->reg;
}

enum { ADC = 2, SBB = 3, SUB = 5, XOR = 6, CMP = 7 };

/* Opcodes 00 to 3d: operation op of two operands. */
static void step_arithmetic(struct step *s, uint8_t op, uint8_t form)
{
	const bool byte = !(form & 1);

	s->simple = form < 6 && op != ADC && op != SBB; /* these read flags */
	if (form >= 6)
		return;
	if (form >= 4) {
		s->reads |= 1u << RAX;
		s->writes |= op == CMP ? 0 : 1u << RAX;
		return;
	}
	step_modrm(s);
	if ((op != XOR && op != SUB) || s->mod != 3 || s->reg != s->rm) { /* else: zero */
		step_read_rm(s, byte);
		s->reads |= step_register(s, s->reg, byte);
	}
	if (op != CMP && form < 2)
		step_write_rm(s, byte);
	else if (op != CMP)
		step_write_reg(s, byte);
}

/* Opcodes 80, 81, 83, f6 and f7. */
static void step_immediate(struct step *s)
{
	const bool byte = s->opcode == 0x80 || s->opcode == 0xf6, tests = s->opcode >= 0xf6;
	uint8_t op;

	step_modrm(s);
	op = s->reg & 7;
	s->simple = tests ? op < 2 : op != ADC && op != SBB;
	step_read_rm(s, byte);
	if (!tests && op != CMP)
		step_write_rm(s, byte);
}

/* The displacement is the last thing of a jump. */
static void step_jump(struct step *s, bool near)
{
	int32_t by = (int8_t)s->p[s->length - 1];

	if (near)
		memcpy(&by, s->p + s->length - sizeof(by), sizeof(by));
	s->simple = s->jumps = true;
	s->target = (int64_t)s->length + by;
}

static void step_0f(struct step *s)
{
	const uint8_t op = s->p[s->at++];

	if ((op & 0xf0) == 0x80) {
		step_jump(s, true);
		return;
	}
	if (op != 0x1f && op != 0xa3 && op != 0xae && op != 0xb6 && op != 0xb7 && op != 0xba &&
	    op != 0xbe && op != 0xbf && (op & 0xf0) != 0x90)
		return; /* it may have no ModRM byte */
	step_modrm(s);
	switch (op) {
	case 0x1f: /* nop */
		s->simple = true;
		break;
	case 0xa3: /* bt */
		s->simple = true;
		s->reads |= 1u << s->reg;
		step_read_rm(s, false);
		break;
	case 0xae: /* lfence, mfence */
		s->simple = s->mod == 3 && ((s->reg & 7) == 5 || (s->reg & 7) == 6);
		break;
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf: /* movzx, movsx */
		s->simple = true;
		step_read_rm(s, !(op & 1));
		step_write_reg(s, false);
		break;
	case 0xba: /* bt */
		s->simple = (s->reg & 7) == 4;
		step_read_rm(s, false);
		break;
	default:
		s->simple = true; /* setcc */
		step_write_rm(s, true);
	}
}

static void step_move(struct step *s)
{
	const bool byte = s->opcode == 0x88 || s->opcode == 0x8a;

	step_modrm(s);
	s->simple = true;
	switch (s->opcode) {
	case 0x88:
	case 0x89:
		s->reads |= step_register(s, s->reg, byte);
		step_write_rm(s, byte);
		break;
	case 0x8d: /* lea */
		s->reads |= s->address;
		step_write_reg(s, false);
		break;
	case 0xc7:
		s->simple = !(s->reg & 7);
		step_write_rm(s, false);
		break;
	default:
		step_read_rm(s, byte);
		step_write_reg(s, byte);
	}
}

static void step_one_byte(struct step *s)
{
	const uint8_t op = s->opcode;

	if (op < 0x40) {
		step_arithmetic(s, op >> 3, op & 7);
	} else if ((op & 0xf0) == 0x70 || op == 0xeb || op == 0xe9) {
		step_jump(s, op == 0xe9);
	} else if ((op & 0xf8) == 0xb8) {
		s->simple = true;
		s->writes |= 1u << ((op & 7) | (s->rex & 1) << 3);
	} else if (op == 0x80 || op == 0x81 || op == 0x83 || op == 0xf6 || op == 0xf7) {
		step_immediate(s);
	} else if (op == 0x63 || (op >= 0x88 && op <= 0x8b) || op == 0x8d || op == 0xc7) {
		step_move(s);
	} else if (op == 0x84 || op == 0x85) { /* test */
		s->simple = true;
		step_modrm(s);
		s->reads |= step_register(s, s->reg, op == 0x84);
		step_read_rm(s, op == 0x84);
	} else if (op == 0xa8 || op == 0xa9) {
		s->simple = true;
		s->reads |= 1u << RAX;
	} else {
		s->simple = op == 0x90 && !(s->rex & 1); /* nop, not xchg */
	}
}

/* False: there is no instruction. */
static bool step_decode(struct step *s, const uint8_t *p, size_t n)
{
	*s = (struct step){.p = p, .length = insn_x86_length(p, n, true)};
	if (!s->length || !step_prefixes(s))
		return s->length;
	s->pauses = s->rep == 0xf3 && s->opcode == 0x90 && !(s->rex & 1);
	if (s->rep) /* pause, endbr64 */
		s->simple = s->pauses || (s->length == 4 && !memcmp(p, "\xf3\x0f\x1e\xfa", 4));
	else if (s->opcode == 0x0f)
		step_0f(s);
	else
		step_one_byte(s);
	return true;
}

/* Only reads, and each turn is as the one before: code[begin, end). */
static bool loop_changes_nothing(const uint8_t *code, size_t begin, size_t end)
{
	uint32_t stale = 0, changed = 0, fresh = 0; /* fresh: written in this turn, on all ways */
	size_t skipped = begin; /* up to here, instructions may be jumped over */
	bool loads = false;
	struct step s;

	for (size_t at = begin; at < end; at += s.length) {
		if (!step_decode(&s, code + at, end - at) || !s.simple)
			return false;
		loads |= s.loads;
		stale |= s.reads & ~fresh;
		changed |= s.writes;
		if (at >= skipped)
			fresh |= s.writes;
		if (s.jumps && s.target > 0 && (uint64_t)s.target < end - at &&
		    at + (size_t)s.target > skipped)
			skipped = at + (size_t)s.target;
	}
	return loads && !(stale & changed);
}

static bool loop_pauses(const uint8_t *code, size_t begin, size_t end)
{
	struct step s;

	for (size_t at = begin; at < end; at += s.length) {
		if (!step_decode(&s, code + at, end - at))
			return false;
		if (s.pauses)
			return true;
	}
	return false;
}

bool spin_x86_at(const uint8_t *code, size_t n, size_t at)
{
	size_t least = SIZE_MAX, least_begin = 0;
	struct step s;

	for (size_t i = 0; i < n && step_decode(&s, code + i, n - i); i += s.length) {
		const size_t end = i + s.length;
		size_t begin;

		/* a jump backwards, over that instruction */
		if (!s.jumps || s.target > 0 || (uint64_t)-s.target > i || at >= end)
			continue;
		begin = i - (size_t)-s.target;
		if (begin > at)
			continue;
		if (loop_changes_nothing(code, begin, end))
			return true;
		if (end - begin < least) {
			least = end - begin;
			least_begin = begin;
		}
	}
	return least <= PAUSE_LOOP_MOST && loop_pauses(code, least_begin, least_begin + least);
}
