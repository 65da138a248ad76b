/* SPDX-License-Identifier: MIT */
/* Who was whose child, and what they had mapped: `report --tasks` and `--mmaps`. */
#ifndef VIEW_TASKS_H
#define VIEW_TASKS_H

#include "view/out.h"
#include "world/world.h"

/* Every thread below its parent, with maps when they are asked for; as things were at the end.
 * -1 with *err when a parent isn't known. */
int tasks_show(const struct world *w, bool maps, struct out *out, struct err *err);

#endif
