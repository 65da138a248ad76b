// SPDX-License-Identifier: MIT
#include "analysis/kvm/kvm_exits.h"

#include "base/mem.h"

#include <string.h>

struct exit_name {
	uint32_t code;
	const char *name;
};

/* Intel SDM, volume 3, appendix C; the names are the kernel's (asm/vmx.h). */
static const struct exit_name vmx[] = {
	{0, "EXCEPTION_NMI"},
	{1, "EXTERNAL_INTERRUPT"},
	{2, "TRIPLE_FAULT"},
	{3, "INIT_SIGNAL"},
	{4, "SIPI_SIGNAL"},
	{7, "INTERRUPT_WINDOW"},
	{8, "NMI_WINDOW"},
	{9, "TASK_SWITCH"},
	{10, "CPUID"},
	{12, "HLT"},
	{13, "INVD"},
	{14, "INVLPG"},
	{15, "RDPMC"},
	{16, "RDTSC"},
	{18, "VMCALL"},
	{19, "VMCLEAR"},
	{20, "VMLAUNCH"},
	{21, "VMPTRLD"},
	{22, "VMPTRST"},
	{23, "VMREAD"},
	{24, "VMRESUME"},
	{25, "VMWRITE"},
	{26, "VMOFF"},
	{27, "VMON"},
	{28, "CR_ACCESS"},
	{29, "DR_ACCESS"},
	{30, "IO_INSTRUCTION"},
	{31, "MSR_READ"},
	{32, "MSR_WRITE"},
	{33, "INVALID_STATE"},
	{34, "MSR_LOAD_FAIL"},
	{36, "MWAIT_INSTRUCTION"},
	{37, "MONITOR_TRAP_FLAG"},
	{39, "MONITOR_INSTRUCTION"},
	{40, "PAUSE_INSTRUCTION"},
	{41, "MCE_DURING_VMENTRY"},
	{43, "TPR_BELOW_THRESHOLD"},
	{44, "APIC_ACCESS"},
	{45, "EOI_INDUCED"},
	{46, "GDTR_IDTR"},
	{47, "LDTR_TR"},
	{48, "EPT_VIOLATION"},
	{49, "EPT_MISCONFIG"},
	{50, "INVEPT"},
	{51, "RDTSCP"},
	{52, "PREEMPTION_TIMER"},
	{53, "INVVPID"},
	{54, "WBINVD"},
	{55, "XSETBV"},
	{56, "APIC_WRITE"},
	{57, "RDRAND"},
	{58, "INVPCID"},
	{59, "VMFUNC"},
	{60, "ENCLS"},
	{61, "RDSEED"},
	{62, "PML_FULL"},
	{63, "XSAVES"},
	{0x40, "XRSTORS"},
	{0x43, "UMWAIT"},
	{0x44, "TPAUSE"},
	{0x4a, "BUS_LOCK"},
	{0x4b, "NOTIFY"},
	{0x4d, "TDCALL"},
	{0x54, "MSR_READ_IMM"},
	{0x55, "MSR_WRITE_IMM"},
};

/* AMD64 APM, volume 2, appendix C; the names are the kernel's (asm/svm.h). */
static const struct exit_name svm[] = {
	{0, "read_cr0"},
	{2, "read_cr2"},
	{3, "read_cr3"},
	{4, "read_cr4"},
	{8, "read_cr8"},
	{16, "write_cr0"},
	{18, "write_cr2"},
	{19, "write_cr3"},
	{20, "write_cr4"},
	{24, "write_cr8"},
	{32, "read_dr0"},
	{33, "read_dr1"},
	{34, "read_dr2"},
	{35, "read_dr3"},
	{36, "read_dr4"},
	{37, "read_dr5"},
	{38, "read_dr6"},
	{39, "read_dr7"},
	{48, "write_dr0"},
	{49, "write_dr1"},
	{50, "write_dr2"},
	{51, "write_dr3"},
	{52, "write_dr4"},
	{53, "write_dr5"},
	{54, "write_dr6"},
	{55, "write_dr7"},
	{0x40, "DE excp"},
	{0x41, "DB excp"},
	{0x43, "BP excp"},
	{0x44, "OF excp"},
	{0x45, "BR excp"},
	{0x46, "UD excp"},
	{0x47, "NM excp"},
	{0x48, "DF excp"},
	{0x4a, "TS excp"},
	{0x4b, "NP excp"},
	{0x4c, "SS excp"},
	{0x4d, "GP excp"},
	{0x4e, "PF excp"},
	{0x50, "MF excp"},
	{0x51, "AC excp"},
	{0x52, "MC excp"},
	{0x53, "XF excp"},
	{0x60, "interrupt"},
	{0x61, "nmi"},
	{0x62, "smi"},
	{0x63, "init"},
	{0x64, "vintr"},
	{0x65, "cr0_sel_write"},
	{0x66, "read_idtr"},
	{0x67, "read_gdtr"},
	{0x68, "read_ldtr"},
	{0x69, "read_rt"},
	{0x6a, "write_idtr"},
	{0x6b, "write_gdtr"},
	{0x6c, "write_ldtr"},
	{0x6d, "write_rt"},
	{0x6e, "rdtsc"},
	{0x6f, "rdpmc"},
	{0x70, "pushf"},
	{0x71, "popf"},
	{0x72, "cpuid"},
	{0x73, "rsm"},
	{0x74, "iret"},
	{0x75, "swint"},
	{0x76, "invd"},
	{0x77, "pause"},
	{0x78, "hlt"},
	{0x79, "invlpg"},
	{0x7a, "invlpga"},
	{0x7b, "io"},
	{0x7c, "msr"},
	{0x7d, "task_switch"},
	{0x7e, "ferr_freeze"},
	{0x7f, "shutdown"},
	{0x80, "vmrun"},
	{0x81, "hypercall"},
	{0x82, "vmload"},
	{0x83, "vmsave"},
	{0x84, "stgi"},
	{0x85, "clgi"},
	{0x86, "skinit"},
	{0x87, "rdtscp"},
	{0x88, "icebp"},
	{0x89, "wbinvd"},
	{0x8a, "monitor"},
	{0x8b, "mwait"},
	{0x8d, "xsetbv"},
	{0x8f, "write_efer_trap"},
	{0x90, "write_cr0_trap"},
	{0x94, "write_cr4_trap"},
	{0x98, "write_cr8_trap"},
	{0xa2, "invpcid"},
	{0xa5, "buslock"},
	{0xa6, "idle-halt"},
	{0x400, "npf"},
	{0x401, "avic_incomplete_ipi"},
	{0x402, "avic_unaccelerated_access"},
	{0x403, "vmgexit"},
	{0x80000001, "vmgexit_mmio_read"},
	{0x80000002, "vmgexit_mmio_write"},
	{0x80000003, "vmgexit_nmi_complete"},
	{0x80000004, "vmgexit_ap_hlt_loop"},
	{0x80000005, "vmgexit_ap_jump_table"},
	{0x80000010, "vmgexit_page_state_change"},
	{0x80000011, "vmgexit_guest_request"},
	{0x80000012, "vmgexit_ext_guest_request"},
	{0x80000013, "vmgexit_ap_creation"},
	{0x8000fffd, "vmgexit_hypervisor_feature"},
	{-1, "invalid_guest_state"},
	{0x80000000, "FAILED_VMENTRY"},
};

/* What KVM's world switch returns on arm64. */
static const struct exit_name arm[] = {
	{0, "IRQ"}, {1, "SERROR"}, {2, "TRAP"}, {3, "ILLEGAL"}, {0xbadca11, "HYP_GONE"}};

/* Exception classes of ESR_ELx; Arm ARM, D17.2.37. */
static const struct exit_name arm_traps[] = {
	{0x00, "UNKNOWN"},     {0x01, "WFx"},	      {0x03, "CP15_32"},     {0x04, "CP15_64"},
	{0x05, "CP14_MR"},     {0x06, "CP14_LS"},     {0x07, "FP_ASIMD"},    {0x08, "CP10_ID"},
	{0x09, "PAC"},	       {0x0c, "CP14_64"},     {0x15, "SVC64"},	     {0x12, "HVC32"},
	{0x13, "SMC32"},       {0x11, "SVC32"},	      {0x16, "HVC64"},	     {0x17, "SMC64"},
	{0x18, "SYS64"},       {0x19, "SVE"},	      {0x1a, "ERET"},	     {0x1f, "IMP_DEF"},
	{0x20, "IABT_LOW"},    {0x21, "IABT_CUR"},    {0x22, "PC_ALIGN"},    {0x24, "DABT_LOW"},
	{0x25, "DABT_CUR"},    {0x26, "SP_ALIGN"},    {0x28, "FP_EXC32"},    {0x2c, "FP_EXC64"},
	{0x2f, "SERROR"},      {0x30, "BREAKPT_LOW"}, {0x31, "BREAKPT_CUR"}, {0x32, "SOFTSTP_LOW"},
	{0x33, "SOFTSTP_CUR"}, {0x34, "WATCHPT_LOW"}, {0x35, "WATCHPT_CUR"}, {0x38, "BKPT32"},
	{0x3a, "VECTOR32"},    {0x3c, "BRK64"}};

/* Interrupt vectors of the Power ISA, book III, chapter 7; the names are the kernel's
 * (arch/powerpc/kvm/trace_book3s.h). 0x502: an external interrupt for the hypervisor. */
static const struct exit_name ppc[] = {
	{0x100, "SYSTEM_RESET"},   {0x200, "MACHINE_CHECK"},  {0x300, "DATA_STORAGE"},
	{0x380, "DATA_SEGMENT"},   {0x400, "INST_STORAGE"},   {0x480, "INST_SEGMENT"},
	{0x500, "EXTERNAL"},	   {0x502, "EXTERNAL_HV"},    {0x600, "ALIGNMENT"},
	{0x700, "PROGRAM"},	   {0x800, "FP_UNAVAIL"},     {0x900, "DECREMENTER"},
	{0x980, "HV_DECREMENTER"}, {0xc00, "SYSCALL"},	      {0xd00, "TRACE"},
	{0xe00, "H_DATA_STORAGE"}, {0xe20, "H_INST_STORAGE"}, {0xe40, "H_EMUL_ASSIST"},
	{0xf00, "PERFMON"},	   {0xf20, "ALTIVEC"},	      {0xf40, "VSX"},
};

/* Interception codes of the SIE instruction, as the kernel names them (uapi/asm/sie.h). */
static const struct exit_name s390[] = {
	{0x00, "Host interruption"},
	{0x04, "Instruction"},
	{0x08, "Program interruption"},
	{0x0c, "Instruction and program interruption"},
	{0x10, "External request"},
	{0x14, "External interruption"},
	{0x18, "I/O request"},
	{0x1c, "Wait state"},
	{0x20, "Validity"},
	{0x28, "Stop request"},
	{0x2c, "Operation exception"},
	{0x38, "Partial-execution"},
	{0x3c, "I/O interruption"},
	{0x40, "I/O instruction"},
	{0x48, "Timing subset"},
};

/* Causes of traps (scause) without the bit of interrupts; RISC-V privileged architecture, tables
 * "supervisor cause register values after trap" and its hypervisor extension. */
static const struct exit_name riscv_exceptions[] = {
	{0, "INST_MISALIGNED"},
	{1, "INST_ACCESS"},
	{2, "INST_ILLEGAL"},
	{3, "BREAKPOINT"},
	{4, "LOAD_MISALIGNED"},
	{5, "LOAD_ACCESS"},
	{6, "STORE_MISALIGNED"},
	{7, "STORE_ACCESS"},
	{8, "SYSCALL"},
	{9, "HYPERVISOR_SYSCALL"},
	{10, "SUPERVISOR_SYSCALL"},
	{12, "INST_PAGE_FAULT"},
	{13, "LOAD_PAGE_FAULT"},
	{15, "STORE_PAGE_FAULT"},
	{20, "INST_GUEST_PAGE_FAULT"},
	{21, "LOAD_GUEST_PAGE_FAULT"},
	{22, "VIRTUAL_INST_FAULT"},
	{23, "STORE_GUEST_PAGE_FAULT"},
};
static const struct exit_name riscv_interrupts[] = {
	{1, "IRQ_S_SOFT"},   {2, "IRQ_VS_SOFT"}, {3, "IRQ_M_SOFT"},   {5, "IRQ_S_TIMER"},
	{6, "IRQ_VS_TIMER"}, {7, "IRQ_M_TIMER"}, {9, "IRQ_S_EXT"},    {10, "IRQ_VS_EXT"},
	{11, "IRQ_M_EXT"},   {12, "IRQ_S_GEXT"}, {13, "IRQ_PMU_OVF"},
};
#define RISCV_INTERRUPT ((uint64_t)1 << 63)

static const char *kvm_exits_find(const struct exit_name *names, size_t n, uint64_t code)
{
	for (size_t i = 0; i < n; i++)
		if (names[i].code == code)
			return names[i].name;
	return NULL;
}

int kvm_isa_find(const char *arch, const char *cpuid, enum kvm_isa *out)
{
	if (arch && !strcmp(arch, "aarch64"))
		*out = KVM_ARM;
	else if (arch && !strncmp(arch, "ppc64", 5))
		*out = KVM_PPC;
	else if (arch && !strcmp(arch, "s390x"))
		*out = KVM_S390;
	else if (arch && !strcmp(arch, "riscv64"))
		*out = KVM_RISCV;
	else if (cpuid && strstr(cpuid, "Intel"))
		*out = KVM_VMX;
	else if (cpuid && (strstr(cpuid, "AMD") || strstr(cpuid, "Hygon")))
		*out = KVM_SVM;
	else
		return -1;
	return 0;
}

const char *kvm_exit_name(enum kvm_isa isa, uint64_t code)
{
	switch (isa) {
	case KVM_VMX:
		return kvm_exits_find(vmx, ARRAY_SIZE(vmx), code);
	case KVM_SVM:
		return kvm_exits_find(svm, ARRAY_SIZE(svm), code);
	case KVM_PPC:
		return kvm_exits_find(ppc, ARRAY_SIZE(ppc), code);
	case KVM_S390:
		return kvm_exits_find(s390, ARRAY_SIZE(s390), code);
	case KVM_RISCV:
		if (code & RISCV_INTERRUPT)
			return kvm_exits_find(riscv_interrupts, ARRAY_SIZE(riscv_interrupts),
					      code & ~RISCV_INTERRUPT);
		return kvm_exits_find(riscv_exceptions, ARRAY_SIZE(riscv_exceptions), code);
	case KVM_ARM:
		break;
	}
	if (code & KVM_ARM_TRAPPED)
		return kvm_exits_find(arm_traps, ARRAY_SIZE(arm_traps), code & ~KVM_ARM_TRAPPED);
	return kvm_exits_find(arm, ARRAY_SIZE(arm), code);
}
