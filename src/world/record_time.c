// SPDX-License-Identifier: MIT
#include "world/world.h"

uint64_t record_time(const struct recording *rec, const struct record *r)
{
	if (!rec->sample_id_all)
		return r->seq;
	if (r->id.has & SAMPLE_TIME)
		return r->id.time == UINT64_MAX ? 0 : r->id.time;
	return recording_samples_any(rec, SAMPLE_TIME) ? 0 : r->seq;
}
