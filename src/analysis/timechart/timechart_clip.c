// SPDX-License-Identifier: MIT
#include "analysis/timechart/timechart.h"

/* Cuts what lies outside of the part. False: nothing of it is in the part. */
static bool clip_times(const struct time_range *part, uint64_t *start, uint64_t *end)
{
	if (*end < part->start || *start > part->end)
		return false;
	*start = MAX(*start, part->start);
	*end = MIN(*end, part->end);
	return true;
}

static void clip_spans(struct timechart_comm *comm, const struct time_range *part)
{
	size_t n = 0;

	comm->ran = 0;
	for (size_t i = 0; i < comm->spans.n; i++) {
		struct timechart_span span = comm->spans.at[i];

		if (!clip_times(part, &span.start, &span.end))
			continue;
		span.known = MIN(MAX(span.known, span.start), span.end);
		if (span.state == TIMECHART_RUNNING)
			comm->ran += span.end - span.start;
		comm->spans.at[n++] = span;
	}
	comm->spans.n = n;
}

static void clip_ios(struct timechart_comm *comm, const struct time_range *part)
{
	size_t n = 0;

	comm->bytes = comm->max_bytes = 0;
	for (size_t i = 0; i < comm->ios.n; i++) {
		struct timechart_io io = comm->ios.at[i];

		if (!clip_times(part, &io.start, &io.end))
			continue;
		comm->bytes += io.bytes;
		comm->max_bytes = MAX(comm->max_bytes, io.bytes);
		comm->ios.at[n++] = io;
	}
	comm->ios.n = n;
}

void timechart_clip(struct timechart *t, const struct time_range *part)
{
	size_t n = 0;

	t->first = MAX(t->first, part->start);
	t->last = MAX(t->first, MIN(t->last, part->end));
	for (size_t i = 0; i < t->comms.n; i++) {
		struct timechart_comm *comm = &t->comms.at[i];

		clip_spans(comm, part);
		clip_ios(comm, part);
		comm->start = MIN(MAX(comm->start, t->first), t->last);
		comm->end = MIN(MAX(comm->end, t->first), t->last);
	}
	for (size_t i = 0; i < t->power.n; i++)
		if (clip_times(part, &t->power.at[i].start, &t->power.at[i].end))
			t->power.at[n++] = t->power.at[i];
	t->power.n = n;
	n = 0;
	for (size_t i = 0; i < t->wakes.n; i++)
		if (t->wakes.at[i].time >= part->start && t->wakes.at[i].time <= part->end)
			t->wakes.at[n++] = t->wakes.at[i];
	t->wakes.n = n;
	t->clipped = true;
}
