// SPDX-License-Identifier: MIT
/*
 * Source of the DWARF numbers: System V psABI for x86-64 (figure 3.36) and i386 (table 2.14),
 * "DWARF for the Arm 64-bit Architecture". Of perf's numbers:
 * arch/ARCH/include/uapi/asm/perf_regs.h.
 */
#include "symbol/unwind/cfi.h"

static const int8_t x86_64_registers[] = {0,  3,  2,  1,  4,  5,  6,  7, 16,
					  17, 18, 19, 20, 21, 22, 23, 8};
static const int8_t i386_registers[] = {0, 2, 3, 1, 7, 6, 4, 5, 8};
static const int8_t aarch64_registers[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					   11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
					   22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

static const struct unwind_machine machines[] = {
	{.elf = EM_X86_64,
	 .word = 8,
	 .sp = 7,
	 .fp = 6,
	 .ra = 16,
	 .kept = 3,
	 .registers = ARRAY_SIZE(x86_64_registers),
	 .perf = x86_64_registers,
	 .perf_ip = 8,
	 .perf_sp = 7,
	 .perf_fp = 6,
	 .perf_lr = 8,
	 .address_mask = UINT64_MAX},
	{.elf = EM_386,
	 .word = 4,
	 .sp = 4,
	 .fp = 5,
	 .ra = 8,
	 .kept = 3,
	 .registers = ARRAY_SIZE(i386_registers),
	 .perf = i386_registers,
	 .perf_ip = 8,
	 .perf_sp = 7,
	 .perf_fp = 6,
	 .perf_lr = 8,
	 .address_mask = UINT32_MAX},
	/* the bits above bit 47 may hold a signature of the address (pointer authentication) */
	{.elf = EM_AARCH64,
	 .word = 8,
	 .sp = 31,
	 .fp = 29,
	 .ra = 30,
	 .kept = 31,
	 .ra_in_register = true,
	 .registers = ARRAY_SIZE(aarch64_registers),
	 .perf = aarch64_registers,
	 .perf_ip = 32,
	 .perf_sp = 31,
	 .perf_fp = 29,
	 .perf_lr = 30,
	 .address_mask = (1ull << 48) - 1},
};

const struct unwind_machine *unwind_machine_find(uint16_t elf_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == elf_machine)
			return &machines[i];
	return NULL;
}
