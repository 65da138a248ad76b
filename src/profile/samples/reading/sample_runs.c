// SPDX-License-Identifier: MIT
#include "profile/samples/reading/sample_runs.h"

#define RUN_SIZE (1024 * 1024)
#define GAP_MOST (64 * 1024)

void sample_runs_init(struct sample_runs *s, const struct recording *rec, bool wanted)
{
	*s = (struct sample_runs){.rec = rec,
				  .good = wanted && !rec->is_directory &&
					  !recording_has(rec, FEATURE_AUXTRACE)};
}

void sample_runs_release(struct sample_runs *s)
{
	vec_release(&s->spans);
}

bool span_is_plain(const struct span *span, bool swap, uint64_t *n)
{
	struct record_header h;
	const uint8_t *record;
	size_t at = 0;

	for (*n = 0; span_step(span, swap, &at, &record, &h); ++*n)
		if (!record_type_name(h.type) || h.size % 8 || h.type == RECORD_HEADER_TRACING_DATA)
			return false;
	return at == span->n;
}

/* True when the span follows the last one, so that both can be one span. */
static bool follows(const struct sample_runs *s, const struct span *span)
{
	const struct span *last = s->spans.n ? vec_last(&s->spans) : NULL;
	struct span gap;
	uint64_t n;

	if (!last || last->n + span->n > RUN_SIZE || span->p < last->p + last->n)
		return false;
	gap = (struct span){.p = last->p + last->n, .n = (size_t)(span->p - last->p) - last->n};
	return gap.n < GAP_MOST && span_is_plain(&gap, s->rec->m.swap, &n) &&
	       s->next_seq + n == span->seq;
}

void sample_runs_add(struct sample_runs *s, const struct span *span, uint64_t n)
{
	if (!s->good)
		return;
	/* a decompressed chunk, or a window that will move */
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
