// SPDX-License-Identifier: MIT
#include "world/clock.h"

#define SECOND 1000000000ll
#define MARGIN (10 * SECOND)
/* NTP slews CLOCK_MONOTONIC, but not the clock of samples. Processors' clocks mostly need less than
 * this: 100 us for each second of uptime. */
#define SLEWED 10000

static bool has_usual_clock(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		if (rec->m.events.events.at[i]->attr.flags & ATTR_USE_CLOCKID)
			return false;
	return true;
}

struct recorded_clock recorded_clock(const struct recording *rec, const struct host_clocks *now)
{
	struct recorded_clock c = {.margin = MARGIN, .first = rec->first_sample_time};

	if (rec->m.clock.wall_ns) {
		c.known = true;
		c.to_wall = (int64_t)(rec->m.clock.wall_ns - rec->m.clock.clock_ns);
		return c;
	}
	if (!has_usual_clock(rec) || now->boot - now->monotonic > SECOND ||
	    rec->mtime_ns < now->wall - now->boot)
		return c;
	c.known = true;
	c.to_wall = now->wall - now->monotonic;
	c.margin += now->monotonic / SLEWED;
	if (rec->last_sample_time && rec->last_sample_time < (uint64_t)rec->mtime_ns)
		c.to_wall = MIN(c.to_wall, rec->mtime_ns - (int64_t)rec->last_sample_time);
	return c;
}
