/* SPDX-License-Identifier: MIT */
/* The names of processors' exit codes of guests. */
#ifndef ANALYSIS_KVM_EXITS_H
#define ANALYSIS_KVM_EXITS_H

#include <stdint.h>

enum kvm_isa { KVM_VMX, KVM_SVM, KVM_ARM, KVM_PPC, KVM_S390, KVM_RISCV };

/* On arm64 an exit by a trap is known by the trap's class, with this bit. */
#define KVM_ARM_TRAP	2
#define KVM_ARM_TRAPPED ((uint64_t)1 << 32)

/* From a recording's ARCH and CPUID, each may be NULL. 0, or -1 for processors whose exits have no
 * names here. */
int kvm_isa_find(const char *arch, const char *cpuid, enum kvm_isa *out);
/* NULL: not known. */
const char *kvm_exit_name(enum kvm_isa isa, uint64_t code);

#endif
