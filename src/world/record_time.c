// SPDX-License-Identifier: MIT
#include "world/world.h"

uint64_t record_time(const struct measurement *m, const struct record *r)
{
	if (!m->sample_id_all)
		return r->seq;
	if (r->id.has & SAMPLE_TIME)
		return r->id.time == UINT64_MAX ? 0 : r->id.time;
	return measurement_samples_any(m, SAMPLE_TIME) ? 0 : r->seq;
}
