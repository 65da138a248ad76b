/* SPDX-License-Identifier: MIT */
/* What guests exit for, as `perf kvm stat report` prints it, in the layout of perf 6.1. */
#ifndef VIEW_KVM_H
#define VIEW_KVM_H

#include "analysis/kvm/kvm.h"
#include "view/out/rows.h"

/* pids: the argument of -p, or NULL. */
void kvm_show(const struct kvm *k, const char *pids, struct out *out);
/* The same for programs and web browsers. */
void kvm_show_rows(const struct kvm *k, struct out *out, const struct rows_form *form);
/* Appends what a row is of: "HLT", "0x3f8:POUT"; up to 39 bytes. */
void kvm_key_text(const struct kvm *k, uint64_t key, uint64_t info, struct buf *out);

#endif
