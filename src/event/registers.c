// SPDX-License-Identifier: MIT
#include "event/registers.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>

struct machine_registers {
	const char *arch; /* the beginning of the names of such machines */
	const char *names[64];
};

#define X86_XMM(n) "XMM" #n, "XMM" #n

static const struct machine_registers machines[] = {
	{"x86",
	 {"AX",	       "BX",	    "CX",	 "DX",	      "SI",	   "DI",       "BP",
	  "SP",	       "IP",	    "FLAGS",	 "CS",	      "SS",	   "DS",       "ES",
	  "FS",	       "GS",	    "R8",	 "R9",	      "R10",	   "R11",      "R12",
	  "R13",       "R14",	    "R15",	 NULL,	      NULL,	   NULL,       NULL,
	  NULL,	       NULL,	    NULL,	 NULL,	      X86_XMM(0),  X86_XMM(1), X86_XMM(2),
	  X86_XMM(3),  X86_XMM(4),  X86_XMM(5),	 X86_XMM(6),  X86_XMM(7),  X86_XMM(8), X86_XMM(9),
	  X86_XMM(10), X86_XMM(11), X86_XMM(12), X86_XMM(13), X86_XMM(14), X86_XMM(15)}},
	{"aarch64",
	 {"x0",	 "x1",	"x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",	 "x9",	"x10", "x11",
	  "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
	  "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",	 NULL,	NULL,  NULL,
	  NULL,	 NULL,	NULL,  NULL,  NULL,  NULL,  NULL,  NULL,  NULL,	 NULL,	"vg"}},
	{"arm",
	 {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "fp", "ip", "sp", "lr",
	  "pc"}},
	{"ppc",
	 {"r0",	   "r1",   "r2",    "r3",   "r4",      "r5",	"r6",	 "r7",	  "r8",	   "r9",
	  "r10",   "r11",  "r12",   "r13",  "r14",     "r15",	"r16",	 "r17",	  "r18",   "r19",
	  "r20",   "r21",  "r22",   "r23",  "r24",     "r25",	"r26",	 "r27",	  "r28",   "r29",
	  "r30",   "r31",  "nip",   "msr",  "orig_r3", "ctr",	"link",	 "xer",	  "ccr",   "softe",
	  "trap",  "dar",  "dsisr", "sier", "mmcra",   "mmcr0", "mmcr1", "mmcr2", "mmcr3", "sier2",
	  "sier3", "pmc1", "pmc2",  "pmc3", "pmc4",    "pmc5",	"pmc6",	 "sdar",  "siar"}},
	{"riscv", {"pc", "ra", "sp", "gp", "tp",  "t0",	 "t1", "t2", "s0", "s1", "a0",
		   "a1", "a2", "a3", "a4", "a5",  "a6",	 "a7", "s2", "s3", "s4", "s5",
		   "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"}},
	{"s390",
	 {"R0",	 "R1",	"R2",	"R3",	"R4",	"R5",	"R6",	"R7",	"R8",	"R9",  "R10", "R11",
	  "R12", "R13", "R14",	"R15",	"FP0",	"FP1",	"FP2",	"FP3",	"FP4",	"FP5", "FP6", "FP7",
	  "FP8", "FP9", "FP10", "FP11", "FP12", "FP13", "FP14", "FP15", "MASK", "PC"}},
	{"mips", {"PC",	 "$1",	"$2",  "$3",  "$4",  "$5",  "$6",  "$7",  "$8",	 "$9",
		  "$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17", "$18", "$19",
		  "$20", "$21", "$22", "$23", "$24", "$25", "$28", "$29", "$30", "$31"}},
};

static const struct machine_registers *machine_find(const char *arch)
{
	struct utsname host;

	if (!arch && !uname(&host))
		arch = host.machine;
	if (!arch)
		return NULL;
	if (arch[0] == 'i' && strlen(arch) == 4 && !strcmp(arch + 2, "86"))
		arch = "x86";
	else if (!strncmp(arch, "arm64", 5))
		arch = "aarch64";
	else if (!strncmp(arch, "powerpc", 7))
		arch = "ppc";
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strncmp(arch, machines[i].arch, strlen(machines[i].arch)))
			return &machines[i];
	return NULL;
}

const char *register_name(const char *arch, unsigned int number)
{
	const struct machine_registers *m = machine_find(arch);

	return m && number < 64 ? m->names[number] : NULL;
}

uint64_t register_mask(const char *arch, const char *name)
{
	const struct machine_registers *m = machine_find(arch);
	uint64_t mask = 0;

	for (unsigned int i = 0; m && i < 64; i++)
		if (m->names[i] && !strcasecmp(m->names[i], name))
			mask |= 1ull << i;
	return mask;
}

void register_names(struct buf *out)
{
	const struct machine_registers *m = machine_find(NULL);

	/* a wide register has two numbers */
	for (unsigned int i = 0; m && i < 64; i++)
		if (m->names[i] && (!i || !m->names[i - 1] || strcmp(m->names[i], m->names[i - 1])))
			buf_word(out, m->names[i]);
}
