// SPDX-License-Identifier: MIT
#include "data/recording.h"
#include "data/source/source_ops.h"

struct shared_bytes *shared_bytes_new(size_t cap)
{
	struct shared_bytes *b = mem_alloc(sizeof(*b) + cap);

	*b = (struct shared_bytes){.refs = 1, .cap = cap};
	return b;
}

void shared_bytes_drop(struct shared_bytes *b)
{
	if (b && !__atomic_sub_fetch(&b->refs, 1, __ATOMIC_ACQ_REL))
		free(b);
}

void source_init(struct source *src, const struct source_ops *ops, struct measurement *m)
{
	*src = (struct source){.ops = ops,
			       .m = m,
			       .counts_samples = true,
			       .counts_side_band = true,
			       .counts_order = true};
}

void source_init_on(struct source *src, const struct source_ops *ops, const struct source *below)
{
	source_init(src, ops, below->m);
	src->counts_samples = below->counts_samples;
	src->counts_side_band = below->counts_side_band;
	src->counts_order = below->counts_order;
}

void source_release(struct source *src)
{
	buf_release(&src->scratch);
}

void source_free(struct source *src)
{
	if (src)
		src->ops->free(src);
}

struct measurement *source_measurement(const struct source *src)
{
	return src->m;
}

uint64_t source_bytes(const struct source *src)
{
	return src->ops->bytes ? src->ops->bytes(src) : 0;
}

bool source_has_spans(const struct source *src)
{
	return src->ops->next_span;
}

int source_next_span(struct source *src, struct span *span, struct err *err)
{
	return src->ops->next_span(src, span, err);
}

/* The least content of a record, bytes; only types without content have less. */
#define RECORD_LEAST 8

void record_count_losses(const struct record *r, bool bad, bool any_events, struct losses *losses)
{
	enum loss_kind lost = LOSS_KINDS;

	if (bad && r->header.size < sizeof(r->header) + RECORD_LEAST)
		lost = LOSS_EMPTY;
	else if (!r->event && r->header.type < RECORD_HEADER_ATTR && any_events)
		lost = LOSS_UNKNOWN_EVENT;
	else if (bad)
		lost = LOSS_CORRUPT;
	if (r->excess)
		losses_add(losses, LOSS_CORRUPT, 1, r->offset);
	if (lost != LOSS_KINDS)
		losses_add(losses, lost, 1, r->offset);
}

bool source_decode_to(const struct source *src, const struct raw_record *raw, struct buf *scratch,
		      struct losses *losses, struct record *r)
{
	const struct record_decode how = measurement_decode(src->m, scratch);
	const bool bad = record_decode(&how, raw->p, raw->header.size, r);

	r->offset = raw->offset;
	r->part = raw->part;
	r->seq = raw->seq;
	if (r->header.type == RECORD_SAMPLE ? src->counts_samples : src->counts_side_band)
		record_count_losses(r, bad, src->m->events.events.n, losses);
	return !bad;
}

bool source_decode(struct source *src, const struct raw_record *raw, struct record *r)
{
	bool good = source_decode_to(src, raw, &src->scratch, &src->m->losses, r);

	if (raw->following) {
		r->blob.following = raw->following;
		r->blob.follows = raw->blob;
	}
	return good;
}

int source_next(struct source *src, struct record *r, struct err *err)
{
	struct raw_record raw;
	int got;

	if (src->ops->next)
		return src->ops->next(src, r, err);
	while ((got = src->ops->next_raw(src, &raw, err)) > 0) {
		if (raw.defines)
			src->ops->define(src, &raw);
		if (source_decode(src, &raw, r))
			break;
	}
	return got;
}

/* -- which decorators the options need -- */

/* True when other records change a sample (deferred chains, counter values): then times are
 * filtered after that. The events of a pipe are not known yet. */
static bool samples_depend(const struct measurement *m, const struct source_options *opts,
			   bool events_known)
{
	if (!events_known)
		return opts->join_chains || opts->split_reads;
	return (opts->join_chains && measurement_defers_chains(m)) ||
	       (opts->split_reads && measurement_samples_any(m, SAMPLE_READ));
}

bool source_needs_order(const struct source *src, enum source_mode mode, bool events_known)
{
	return (mode == SOURCE_ORDERED || mode == SOURCE_SIDE_BAND) && src->ops->next_raw &&
	       (!events_known || src->m->sample_id_all);
}

static struct source *wrap(struct source *src, const struct source_options *opts, bool events_known)
{
	const bool late = samples_depend(src->m, opts, events_known);
	struct source_options early = *opts;
	bool times = opts->times.wanted && opts->mode != SOURCE_SIDE_BAND;

	if (late)
		early.times.wanted = NULL;
	if (source_needs_order(src, opts->mode, events_known)) {
		src = source_ordered(src, &early);
		times = times && late;
	}
	/* before source_joined(), which delivers samples out of the order of time */
	if (opts->split_reads && (!events_known || measurement_samples_any(src->m, SAMPLE_READ)))
		src = source_split(src);
	if (opts->join_chains && (!events_known || measurement_defers_chains(src->m)))
		src = source_joined(src);
	return times ? source_timed(src, &opts->times) : src;
}

struct source *source_wrap(struct source *origin, const struct source_options *opts)
{
	if (opts->mode == SOURCE_SIDE_BAND || opts->mode == SOURCE_SAMPLES)
		origin = source_picked(origin, opts->mode, &opts->passed);
	return wrap(origin, opts, origin->m->events.events.n);
}

struct source *source_open(struct recording *rec, const struct source_options *opts,
			   struct err *err)
{
	struct source_options early = *opts;
	struct source *src;

	if (rec->is_pipe || samples_depend(&rec->m, opts, true))
		early.times.wanted = NULL;
	src = source_of_file(rec, &early, err);
	return src ? wrap(src, opts, !rec->is_pipe) : NULL;
}
