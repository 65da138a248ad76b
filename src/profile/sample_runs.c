// SPDX-License-Identifier: MIT
#include "profile/sample_runs.h"

#define RUN_SIZE (1024 * 1024)
#define GAP_MOST (64 * 1024)

void sample_runs_init(struct sample_runs *s, const struct recording *rec, bool wanted)
{
	*s = (struct sample_runs){.rec = rec,
				  .good = wanted && !rec->is_directory && !recording_has(rec, FEATURE_AUXTRACE)};
}

void sample_runs_release(struct sample_runs *s)
{
	vec_release(&s->spans);
}

/* Do just so many whole records stand from there on, up to the span? */
static bool records_between(const uint8_t *from, const struct span *span, bool swap, uint64_t n)
{
	struct span gap = {.p = from, .n = (size_t)(span->p - from)};
	struct record_header h;
	const uint8_t *record;
	size_t at = 0;

	for (; n && span_step(&gap, swap, &at, &record, &h); n--)
		if (!record_type_name(h.type) || h.size % 8 || h.type == RECORD_HEADER_TRACING_DATA)
			return false;
	return !n && at == gap.n;
}

/* Does it follow the last one, so that they can be one? */
static bool follows(const struct sample_runs *s, const struct span *span)
{
	const struct span *last = s->spans.n ? vec_last(&s->spans) : NULL;
	const uint8_t *end;

	if (!last || last->n + span->n > RUN_SIZE || span->p < last->p + last->n)
		return false;
	end = last->p + last->n;
	return (size_t)(span->p - end) < GAP_MOST && span->seq >= s->next_seq &&
	       records_between(end, span, s->rec->swap, span->seq - s->next_seq);
}

void sample_runs_add(struct sample_runs *s, const struct span *span, uint64_t n)
{
	if (!s->good)
		return;
	/* a chunk that was decompressed, or a window that will move */
	if (!recording_bytes_stay(s->rec, span->p)) {
		s->good = false;
		return;
	}
	if (follows(s, span))
		vec_last(&s->spans)->n = (size_t)(span->p + span->n - vec_last(&s->spans)->p);
	else
		vec_add(&s->spans, *span);
	s->next_seq = span->seq + n;
}
