/* SPDX-License-Identifier: MIT */
/* The tree of threads, with their maps: `report --tasks` and `--mmaps`. */
#ifndef VIEW_TASKS_H
#define VIEW_TASKS_H

#include "view/out/out.h"
#include "world/world.h"

/* Shows every thread below its parent, as of the end of the recording; maps: with its maps. -1 with
 * *err when a parent is not known. */
int tasks_show(const struct world *w, bool maps, struct out *out, struct err *err);

#endif
