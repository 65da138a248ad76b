/* SPDX-License-Identifier: MIT */
/* The output of `perf locks --now`: which thread waits for which holder now, and deadlocks. */
#ifndef VIEW_FUTEX_WAITS_NOW_H
#define VIEW_FUTEX_WAITS_NOW_H

#include "os/proc/futex_waits.h"
#include "view/out/out.h"

/* Returns the number of deadlocks. */
size_t waits_now_show(const struct futex_waits *w, int32_t pid, struct out *out);

#endif
