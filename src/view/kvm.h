/* SPDX-License-Identifier: MIT */
/* What guests exit for, as `perf kvm stat report` prints it, in the layout of perf 6.1. */
#ifndef VIEW_KVM_H
#define VIEW_KVM_H

#include "analysis/kvm/kvm.h"
#include "view/out/out.h"

/* pids: the argument of -p, or NULL. */
void kvm_show(const struct kvm *k, const char *pids, struct out *out);

#endif
