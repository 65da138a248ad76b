// SPDX-License-Identifier: MIT
/* The processors that LLVM disassembles; mnemonics are those of their manuals, as LLVM and binutils
 * write them. */
#include "symbol/disasm/insn.h"

#include "base/mem.h"

#include <elf.h>
#include <string.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif
#define EM_LANAI 244
#define EM_VE	 251

#define X86_RETURNS                                                                                \
	"ret,retq,retl,retw,lret,lretq,lretl,iret,iretq,iretl,iretd,sysret,sysretq,sysretl,"       \
	"sysexit,uiret,eretu,erets"
#define X86_CALLS   "call* lcall*"
#define X86_JUMPS   "j* ljmp* loop* xbegin"
#define X86_NOPS    "nop*"
#define X86_ALWAYS  "jmp* ljmp*"
#define X86(n, e, b, t)                                                                            \
	{                                                                                          \
		.name = n, .elf = e, .bits = b, .target = "X86", .triple = t, .features = "",      \
		.step = 1, .tight = true, .returns = X86_RETURNS, .calls = X86_CALLS,              \
		.jumps = X86_JUMPS, .nops = X86_NOPS, .always = X86_ALWAYS                         \
	}

#define A64_FEATURES                                                                               \
	"+v8.7a,+sve,+sve2,+sve2-aes,+sve2-sha3,+sve2-sm4,+sve2-bitperm,+mte,+f32mm,+f64mm,+bf16," \
	"+i8mm,+fp16fml,+fullfp16,"                                                                \
	"+rand,+ls64,+crypto,+tme,+spe"
#define A64(n, t, big)                                                                             \
	{                                                                                          \
		.name = n, .elf = EM_AARCH64, .bits = 64, .big_endian = big, .target = "AArch64",  \
		.triple = t, .features = A64_FEATURES, .step = 4,                                  \
		.returns = "ret,retaa,retab,eret,eretaa,eretab", .calls = "bl blr blraa* blrab*",  \
		.jumps = "b b.* bc.* br braa* brab* cbz cbnz tbz tbnz", .nops = "nop",             \
		.always = "b br braa* brab*"                                                       \
	}

#define ARM(n, t, big, is_thumb)                                                                   \
	{                                                                                          \
		.name = n, .elf = EM_ARM, .bits = 32, .big_endian = big, .thumb = is_thumb,        \
		.target = "ARM", .triple = t, .features = "+v8,+neon,+crypto,+hwdiv,+hwdiv-arm",   \
		.step = 2, .returns = "bx lr,bxeq lr,bxne lr,rfeia",                               \
		.calls = "bl bleq blne blx* blhs blhi blmi blpl blvs blvc blge bllt blgt blle "    \
			 "blls bllo blcs blcc bl.w",                                               \
		.jumps = "b beq* bne* bhs* blo* bmi* bpl* bvs* bvc* bhi* bls* bge* blt* bgt* "     \
			 "ble* bcs* bcc* b.* bx cbz cbnz",                                         \
		.nops = "nop nop.w", .always = "b b.w b.n bx"                                      \
	}

#define PPC(n, e, b, t, big)                                                                       \
	{                                                                                          \
		.name = n, .elf = e, .bits = b, .big_endian = big, .target = "PowerPC",            \
		.triple = t, .features = "+altivec,+vsx", .step = 4, .form = TARGET_DOT,           \
		.returns = "blr,beqlr,bnelr,bltlr,bgtlr,blelr,bgelr,beqlr+,bnelr+,beqlr-,bnelr-,"  \
			   "rfid,hrfid,rfscv",                                                     \
		.calls = "bl bla bctrl blrl bcl bcctrl bclrl bdnzl bdzl", .jumps = "b*",           \
		.nops = "nop", .always = "b ba bctr"                                               \
	}

#define RISCV(n, b, t)                                                                             \
	{                                                                                          \
		.name = n, .elf = EM_RISCV, .bits = b, .target = "RISCV", .triple = t,             \
		.features = "+m,+a,+f,+d,+c", .step = 2, .form = TARGET_DISTANCE,                  \
		.returns = "ret,mret,sret,uret,c.jr ra,jr ra",                                     \
		.calls = "jal jalr call c.jal c.jalr",                                             \
		.jumps = "b* j jr c.j c.jr c.beqz c.bnez tail", .nops = "nop c.nop",               \
		.always = "j jr c.j c.jr tail"                                                     \
	}

#define MIPS(n, b, t, big)                                                                         \
	{                                                                                          \
		.name = n, .elf = EM_MIPS, .bits = b, .big_endian = big, .target = "Mips",         \
		.triple = t, .features = "", .step = 4, .form = TARGET_DISTANCE,                   \
		.returns = "jr $ra,jr ra,eret",                                                    \
		.calls = "jal jalr bal bgezal bltzal jalx balc jialc",                             \
		.jumps = "b beq* bne* bgez* bgtz* blez* bltz* bc* bge* blt* j jr jic",             \
		.nops = "nop ssnop", .always = "b j jr bc jic"                                     \
	}

/* LLVM writes the field of a branch as a number without its sign, in units that differ. */
#define SPARC(n, e, b, t, big)                                                                     \
	{                                                                                          \
		.name = n, .elf = e, .bits = b, .big_endian = big, .target = "Sparc", .triple = t, \
		.features = "", .step = 4, .form = TARGET_UNTOLD,                                  \
		.returns = "ret,retl,return,rett,done,retry", .calls = "call jmpl",                \
		.jumps = "b* ba* bn* fb* br* jmp", .nops = "nop", .always = "ba b jmp"             \
	}

#define BPF(n, t, big)                                                                             \
	{                                                                                          \
		.name = n, .elf = EM_BPF, .bits = 64, .big_endian = big, .target = "BPF",          \
		.triple = t, .features = "", .step = 8, .form = TARGET_GOTO, .returns = "exit",    \
		.calls = "call callx", .jumps = "if goto gotol", .nops = "",                       \
		.always = "goto gotol"                                                             \
	}

static const struct insn_machine machines[] = {
	X86("x86_64", EM_X86_64, 64, "x86_64-linux-gnu"),
	X86("x86_64", EM_X86_64, 32, "x86_64-linux-gnux32"),
	X86("i686", EM_386, 32, "i686-linux-gnu"),
	A64("aarch64", "aarch64-linux-gnu", false),
	A64("aarch64_be", "aarch64_be-linux-gnu", true),
	ARM("arm", "armv8-linux-gnueabihf", false, false),
	ARM("thumb", "thumbv8-linux-gnueabihf", false, true),
	ARM("armeb", "armebv8-linux-gnueabihf", true, false),
	ARM("thumbeb", "thumbebv8-linux-gnueabihf", true, true),
	PPC("ppc64le", EM_PPC64, 64, "powerpc64le-linux-gnu", false),
	PPC("ppc64", EM_PPC64, 64, "powerpc64-linux-gnu", true),
	PPC("ppc", EM_PPC, 32, "powerpc-linux-gnu", true),
	PPC("ppcle", EM_PPC, 32, "powerpcle-linux-gnu", false),
	RISCV("riscv64", 64, "riscv64-linux-gnu"),
	RISCV("riscv32", 32, "riscv32-linux-gnu"),
	{.name = "s390x",
	 .elf = EM_S390,
	 .bits = 64,
	 .big_endian = true,
	 .target = "SystemZ",
	 .triple = "s390x-linux-gnu",
	 .features = "+vector,+vector-enhancements-1,+vector-enhancements-2,+transactional-"
		     "execution,+high-word,"
		     "+distinct-ops,+load-store-on-cond,+miscellaneous-extensions,+miscellaneous-"
		     "extensions-2,"
		     "+miscellaneous-extensions-3,+execution-hint,+interlocked-access1,+population-"
		     "count,+guarded-storage",
	 .step = 2,
	 .tight = true,
	 .returns = "br %r14,b 0(%r14),lpswe",
	 .calls = "bras brasl basr bas balr bal",
	 .jumps = "j* b br brc* brct* bct* bc bcr cgij* cij* cgrj* crj* clgij* clij* clgrj* clrj* "
		  "brx* ber bner bhr blr",
	 .nops = "nop nopr",
	 .always = "j jg b br"},
	MIPS("mips64", 64, "mips64el-linux-gnuabi64", false),
	MIPS("mips64", 64, "mips64-linux-gnuabi64", true),
	MIPS("mips", 32, "mipsel-linux-gnu", false),
	MIPS("mips", 32, "mips-linux-gnu", true),
	SPARC("sparc64", EM_SPARCV9, 64, "sparc64-linux-gnu", true),
	SPARC("sparc", EM_SPARC32PLUS, 32, "sparc64-linux-gnu", true),
	SPARC("sparc", EM_SPARC, 32, "sparc-linux-gnu", true),
	SPARC("sparcel", EM_SPARC, 32, "sparcel-linux-gnu", false),
	{.name = "loongarch64",
	 .elf = EM_LOONGARCH,
	 .bits = 64,
	 .target = "LoongArch",
	 .triple = "loongarch64-linux-gnu",
	 .features = "+d,+lsx,+lasx",
	 .step = 4,
	 .form = TARGET_DISTANCE,
	 .returns = "ret,jr $ra,ertn",
	 .calls = "bl jirl",
	 .jumps = "b beq bne blt bge bltu bgeu beqz bnez bceqz bcnez jr",
	 .nops = "nop",
	 .always = "b jr"},
	BPF("bpf", "bpfel", false),
	BPF("bpfeb", "bpfeb", true),
	{.name = "m68k",
	 .elf = EM_68K,
	 .bits = 32,
	 .big_endian = true,
	 .target = "M68k",
	 .triple = "m68k-linux-gnu",
	 .features = "",
	 .step = 2,
	 .form = TARGET_UNTOLD,
	 .returns = "rts,rte,rtr,rtd",
	 .calls = "bsr* jsr",
	 .jumps = "bra* jmp bcc* bcs* beq* bge* bgt* bhi* ble* bls* blt* bmi* bne* bpl* bvc* bvs* "
		  "db*",
	 .nops = "nop",
	 .always = "bra* jmp"},
	{.name = "ve",
	 .elf = EM_VE,
	 .bits = 64,
	 .target = "VE",
	 .triple = "ve-linux-gnu",
	 .features = "",
	 .step = 8,
	 .form = TARGET_DISTANCE,
	 .returns = "b.l.t (%s10),b.l.t (, %s10)",
	 .calls = "bsic",
	 .jumps = "b.* b br*",
	 .nops = "nop",
	 .always = "b.l.t b.l br.l"},
	{.name = "lanai",
	 .elf = EM_LANAI,
	 .bits = 32,
	 .big_endian = true,
	 .target = "Lanai",
	 .triple = "lanai-unknown-elf",
	 .features = "",
	 .step = 4,
	 .returns = "",
	 .calls = "",
	 .jumps = "b*",
	 .nops = "nop",
	 .always = "bt"},
	{.name = "msp430",
	 .elf = EM_MSP430,
	 .bits = 32,
	 .target = "MSP430",
	 .triple = "msp430-elf",
	 .features = "",
	 .step = 2,
	 .form = TARGET_UNTOLD,
	 .returns = "ret,reti",
	 .calls = "call",
	 .jumps = "j* br",
	 .nops = "nop",
	 .always = "jmp br"},
	{.name = "avr",
	 .elf = EM_AVR,
	 .bits = 32,
	 .target = "AVR",
	 .triple = "avr-elf",
	 .features = "+avr5",
	 .step = 2,
	 .form = TARGET_UNTOLD,
	 .returns = "ret,reti",
	 .calls = "call rcall icall eicall",
	 .jumps = "rjmp jmp ijmp eijmp br* cpse sb*",
	 .nops = "nop",
	 .always = "rjmp jmp ijmp eijmp"},
	{.name = "xcore",
	 .elf = EM_XCORE,
	 .bits = 32,
	 .target = "XCore",
	 .triple = "xcore-unknown-elf",
	 .features = "",
	 .step = 2,
	 .form = TARGET_UNTOLD,
	 .returns = "retsp",
	 .calls = "bl bla blat",
	 .jumps = "bt bf bu bau bru",
	 .nops = "nop",
	 .always = "bu bau bru"},
};

const struct insn_machine *insn_machine_find(uint16_t elf, uint8_t bits, bool big_endian)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == elf && machines[i].bits == bits &&
		    machines[i].big_endian == big_endian && !machines[i].thumb)
			return &machines[i];
	return NULL;
}

const struct insn_machine *insn_machine_named(const char *arch)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (!strcmp(machines[i].name, arch))
			return &machines[i];
	return NULL;
}

const struct insn_machine *insn_machine_thumb(const struct insn_machine *arm)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].thumb && machines[i].big_endian == arm->big_endian)
			return &machines[i];
	return arm;
}

size_t insn_machines(const struct insn_machine **all)
{
	*all = machines;
	return ARRAY_SIZE(machines);
}
