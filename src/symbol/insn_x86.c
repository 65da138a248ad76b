// SPDX-License-Identifier: MIT
#include "symbol/insn_x86.h"

enum map { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_XOP_IMM8, MAP_XOP_NONE, MAP_XOP_IMM32 };

struct insn {
	const uint8_t *p;
	size_t n, at;
	bool is_64_bit, bad;
	bool small_operand, small_address; /* 66, 67 */
	bool wide;			   /* REX.W */
	bool vector;			   /* VEX, EVEX or XOP: prefixes don't change sizes */
	enum map map;
	uint8_t opcode, modrm;
};

static uint8_t insn_x86_peek(const struct insn *i, size_t ahead)
{
	return i->at + ahead < i->n ? i->p[i->at + ahead] : 0;
}

static uint8_t insn_x86_take(struct insn *i)
{
	if (i->at >= i->n)
		i->bad = true;
	return i->at < i->n ? i->p[i->at++] : 0;
}

static void legacy_prefixes(struct insn *i)
{
	for (;;) {
		switch (insn_x86_peek(i, 0)) {
		case 0x66:
			i->small_operand = true;
			break;
		case 0x67:
			i->small_address = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
		case 0xf0:
		case 0xf2:
		case 0xf3:
			break;
		default:
			return;
		}
		insn_x86_take(i);
		if (i->bad || i->at > INSN_X86_MAX)
			return;
	}
}

/* VEX, EVEX and XOP; false: the opcode is an ordinary one. */
static bool vector_prefix(struct insn *i)
{
	static const enum map maps[8] = {[1] = MAP_0F,	 [2] = MAP_0F38, [3] = MAP_0F3A,
					 [5] = MAP_0F38, [6] = MAP_0F38, [7] = MAP_0F38};
	uint8_t first = insn_x86_peek(i, 0), second = insn_x86_peek(i, 1);
	bool vector = i->is_64_bit || (second & 0xc0) == 0xc0;

	if (first == 0xc5 && vector) {
		insn_x86_take(i);
		insn_x86_take(i);
		i->map = MAP_0F;
	} else if (first == 0xc4 && vector) {
		insn_x86_take(i);
		i->map = maps[insn_x86_take(i) & 7];
		insn_x86_take(i);
	} else if (first == 0x62 && vector) {
		insn_x86_take(i);
		i->map = maps[insn_x86_take(i) & 7];
		insn_x86_take(i);
		insn_x86_take(i);
	} else if (first == 0x8f && (second & 0x1f) >= 8) {
		insn_x86_take(i);
		i->map = (enum map)(MAP_XOP_IMM8 + (insn_x86_take(i) & 0x1f) - 8);
		insn_x86_take(i);
		i->bad |= i->map > MAP_XOP_IMM32;
	} else {
		return false;
	}
	i->vector = true;
	i->bad |= i->map == MAP_ONE_BYTE;
	return true;
}

static void opcode(struct insn *i)
{
	if (!vector_prefix(i)) {
		if (i->is_64_bit && (insn_x86_peek(i, 0) & 0xf0) == 0x40)
			i->wide = insn_x86_take(i) & 8;
		if (insn_x86_peek(i, 0) == 0x0f) {
			insn_x86_take(i);
			i->map = MAP_0F;
			if (insn_x86_peek(i, 0) == 0x38 || insn_x86_peek(i, 0) == 0x3a)
				i->map = insn_x86_take(i) == 0x38 ? MAP_0F38 : MAP_0F3A;
		}
	}
	i->opcode = insn_x86_take(i);
}

/* Bit n of word n / 32: does opcode n have a ModRM byte? */
static const uint32_t one_byte_modrm[8] = {0x0f0f0f0f, 0x0f0f0f0f, 0x00000000, 0x00000a0c,
					   0x0000ffff, 0x00000000, 0xff0f00f3, 0xc0c00000};
/* opcodes without a ModRM byte: 04-0b, 0e, 30-37, 77, 80-8f, a0-a2, a8-aa, c8-cf */
static const uint32_t two_byte_modrm[8] = {0xffffb00f, 0xff00ffff, 0xffffffff, 0xff7fffff,
					   0xffff0000, 0xfffff8f8, 0xffff00ff, 0xffffffff};

static bool has_modrm(const struct insn *i)
{
	switch (i->map) {
	case MAP_ONE_BYTE:
		return one_byte_modrm[i->opcode / 32] >> i->opcode % 32 & 1;
	case MAP_0F:
		return two_byte_modrm[i->opcode / 32] >> i->opcode % 32 & 1;
	default:
		return true;
	}
}

static unsigned int small_displacement(const struct insn *i)
{
	uint8_t mod = i->modrm >> 6;

	return mod == 1 ? 1 : mod == 2 || (!mod && (i->modrm & 7) == 6) ? 2 : 0;
}

/* Consumes the SIB byte, if any. Returns the size of the displacement in bytes. */
static unsigned int displacement(struct insn *i)
{
	uint8_t mod = i->modrm >> 6, rm = i->modrm & 7;

	if (mod == 3)
		return 0;
	if (!i->is_64_bit && i->small_address)
		return small_displacement(i);
	if (rm == 4 && (insn_x86_take(i) & 7) == 5 && !mod)
		return 4;
	if (mod == 1)
		return 1;
	return mod == 2 || (!mod && rm == 5) ? 4 : 0;
}

static unsigned int immediate_one_byte(const struct insn *i)
{
	uint8_t op = i->opcode, reg = i->modrm >> 3 & 7;
	unsigned int full = i->small_operand && !i->wide ? 2 : 4;

	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? full : 0;
	if (op >= 0x70 && op <= 0x7f)
		return 1;
	if (op >= 0xb0 && op <= 0xbf)
		return op < 0xb8 ? 1 : i->wide ? 8 : full;
	if (op >= 0xa0 && op <= 0xa3)
		return i->is_64_bit ? i->small_address ? 4 : 8 : i->small_address ? 2 : 4;
	switch (op) {
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x82:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xd4:
	case 0xd5:
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
	case 0xe4:
	case 0xe5:
	case 0xe6:
	case 0xe7:
	case 0xeb:
		return 1;
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
		return full;
	case 0xe8:
	case 0xe9: /* near branches ignore 66 in 64-bit code */
		return i->is_64_bit ? 4 : full;
	case 0x9a:
	case 0xea:
		return full + 2;
	case 0xc2:
	case 0xca:
		return 2;
	case 0xc8:
		return 3;
	case 0xf6:
		return reg < 2 ? 1 : 0;
	case 0xf7:
		return reg < 2 ? full : 0;
	default:
		return 0;
	}
}

static unsigned int immediate(const struct insn *i)
{
	uint8_t op = i->opcode;

	switch (i->map) {
	case MAP_ONE_BYTE:
		return immediate_one_byte(i);
	case MAP_0F:
		if (op >= 0x80 && op <= 0x8f && !i->vector)
			return i->small_operand && !i->is_64_bit ? 2 : 4;
		if ((op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6))
			return 1;
		return !i->vector && (op == 0x0f || op == 0xa4 || op == 0xac || op == 0xba) ? 1 : 0;
	case MAP_0F3A:
	case MAP_XOP_IMM8:
		return 1;
	case MAP_XOP_IMM32:
		return 4;
	default:
		return 0;
	}
}

static unsigned int insn_x86_decode(struct insn *i)
{
	unsigned int rest = 0;

	legacy_prefixes(i);
	opcode(i);
	if (i->bad)
		return 0;
	if (i->vector && i->map == MAP_0F && i->opcode == 0x77) {
		i->modrm = 0xc0; /* vzeroupper has no ModRM byte */
	} else if (i->vector || has_modrm(i)) {
		i->modrm = insn_x86_take(i);
		rest = displacement(i);
	}
	rest += immediate(i);
	if (i->bad || i->at + rest > i->n || i->at + rest > INSN_X86_MAX)
		return 0;
	return (unsigned int)i->at + rest;
}

unsigned int insn_x86_length(const uint8_t *p, size_t n, bool is_64_bit)
{
	struct insn i = {.p = p, .n = n, .is_64_bit = is_64_bit};

	return insn_x86_decode(&i);
}

static bool one_byte_branch(const struct insn *i)
{
	uint8_t op = i->opcode, reg = i->modrm >> 3 & 7;

	if (op >= 0x70 && op <= 0x7f)
		return true;
	switch (op) {
	case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcc: case 0xcd: case 0xce: case 0xcf:
	case 0xe0: case 0xe1: case 0xe2: case 0xe3: case 0xe8: case 0xe9: case 0xeb:
	case 0x9a: case 0xea:
		return true;
	case 0xc6: case 0xc7: /* xabort, xbegin */
		return i->modrm == 0xf8;
	case 0xff:
		return reg >= 2 && reg <= 5;
	default:
		return false;
	}
}

bool insn_x86_is_branch(const uint8_t *p, size_t n, bool is_64_bit)
{
	struct insn i = {.p = p, .n = n, .is_64_bit = is_64_bit};

	if (!insn_x86_decode(&i) || i.vector)
		return false;
	if (i.map == MAP_ONE_BYTE)
		return one_byte_branch(&i);
	/* jcc, syscall, sysret, sysenter, sysexit; vmlaunch and vmresume */
	return i.map == MAP_0F &&
	       ((i.opcode >= 0x80 && i.opcode <= 0x8f) || i.opcode == 0x05 || i.opcode == 0x07 ||
		i.opcode == 0x34 || i.opcode == 0x35 ||
		(i.opcode == 0x01 && (i.modrm == 0xc2 || i.modrm == 0xc3)));
}
