/* SPDX-License-Identifier: MIT */
/* What a finder consists of. */
#ifndef PROBE_DWARF_FINDER_H
#define PROBE_DWARF_FINDER_H

#include "probe/dwarf/debug.h"
#include "probe/dwarf/points.h"
#include "probe/finder.h"

struct probe_finder {
	struct probe_debug debug;
	struct arena arena; /* of strings that it gives out */
};

#endif
