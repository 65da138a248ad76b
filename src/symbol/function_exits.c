// SPDX-License-Identifier: MIT
#include "symbol/function_exits.h"

#include "symbol/insn_x86.h"

#include <elf.h>
#include <string.h>

static bool parts_have(const struct function_part *parts, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i++)
		if (at >= parts[i].start && at < parts[i].end)
			return true;
	return false;
}

/* -- x86-64 -- */

static bool x86_is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65: /* segments, notrack */
	case 0x66:
	case 0x67:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return byte >= 0x40 && byte <= 0x4f; /* REX */
	}
}

static int32_t x86_displacement(const uint8_t *end, unsigned int bytes)
{
	int32_t wide;

	if (bytes == 1)
		return (int8_t)end[-1];
	memcpy(&wide, end - 4, sizeof(wide));
	return wide;
}

enum exit_class { EXIT_NONE, EXIT_RETURN, EXIT_JUMP };

/* p: an instruction of length bytes at that address. */
static enum exit_class x86_classify(const uint8_t *p, unsigned int length, uint64_t at,
				    const struct function_part *parts, size_t n)
{
	unsigned int i = 0, wide = 0;

	if (!insn_x86_is_branch(p, length, true))
		return EXIT_NONE;
	while (i + 1 < length && x86_is_prefix(p[i]))
		i++;
	switch (p[i]) {
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
		return EXIT_RETURN;
	case 0xff: /* jmp through a register or memory */
		return i + 1 < length && ((p[i + 1] >> 3 & 7) == 4 || (p[i + 1] >> 3 & 7) == 5)
			       ? EXIT_JUMP
			       : EXIT_NONE;
	case 0xe9:
		wide = 4;
		break;
	case 0x0f: /* jcc; the others of that map are system calls */
		wide = i + 1 < length && p[i + 1] >= 0x80 && p[i + 1] <= 0x8f ? 4 : 0;
		break;
	case 0xeb:
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
		wide = 1;
		break;
	default:
		wide = p[i] >= 0x70 && p[i] <= 0x7f ? 1 : 0;
	}
	if (!wide)
		return EXIT_NONE;
	at += length + (uint64_t)(int64_t)x86_displacement(p + length, wide);
	return parts_have(parts, n, at) ? EXIT_NONE : EXIT_JUMP;
}

static bool x86_find(const struct function_part *parts, size_t n, size_t which,
		     struct function_exits *out)
{
	const struct function_part *part = &parts[which];
	const uint64_t size = part->end - part->start;

	for (uint64_t at = 0; at < size;) {
		const uint8_t *p = part->code + at;
		const unsigned int length = insn_x86_length(p, size - at, true);
		const enum exit_class class =
			length ? x86_classify(p, length, part->start + at, parts, n) : EXIT_NONE;

		if (!length)
			return false;
		if (class != EXIT_NONE)
			vec_add(out, (struct function_exit){part->start + at, class == EXIT_JUMP});
		at += length;
	}
	return true;
}

/* -- arm64 -- */

static enum exit_class arm64_classify(uint32_t insn, uint64_t at, const struct function_part *parts,
				      size_t n)
{
	if ((insn & 0xfffffc1f) == 0xd65f0000 || insn == 0xd65f0bff || insn == 0xd65f0fff)
		return EXIT_RETURN; /* ret, retaa, retab */
	if ((insn & 0xfffffc1f) == 0xd61f0000 || (insn & 0xfefff800) == 0xd61f0800)
		return EXIT_JUMP;		 /* br, braa, brab and the like */
	if ((insn & 0xfc000000) == 0x14000000) { /* b */
		const int64_t words = (int64_t)((uint64_t)(insn & 0x3ffffff) << 38) >> 38;

		return parts_have(parts, n, at + (uint64_t)(words * 4)) ? EXIT_NONE : EXIT_JUMP;
	}
	return EXIT_NONE;
}

static bool arm64_find(const struct function_part *parts, size_t n, size_t which,
		       struct function_exits *out)
{
	const struct function_part *part = &parts[which];

	for (uint64_t at = 0; at + 4 <= part->end - part->start; at += 4) {
		const uint8_t *p = part->code + at;
		const uint32_t insn = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
				      (uint32_t)p[3] << 24;
		const enum exit_class class = arm64_classify(insn, part->start + at, parts, n);

		if (class != EXIT_NONE)
			vec_add(out, (struct function_exit){part->start + at, class == EXIT_JUMP});
	}
	return true;
}

bool function_exits_knows(uint16_t machine)
{
	return machine == EM_X86_64 || machine == EM_AARCH64;
}

bool function_exits_find(uint16_t machine, const struct function_part *parts, size_t n,
			 struct function_exits *out)
{
	const size_t before = out->n;

	if (!function_exits_knows(machine))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(machine == EM_X86_64 ? x86_find(parts, n, i, out)
					   : arm64_find(parts, n, i, out))) {
			out->n = before;
			return false;
		}
	return true;
}
