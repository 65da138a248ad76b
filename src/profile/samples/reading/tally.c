// SPDX-License-Identifier: MIT
#include "profile/samples/reading/tally.h"

#include "data/recording.h"
#include "profile/samples/reading/gather.h"

/* The most samples of one sum, so that few samples are gathered one by one where the thread changed
 * during a sum. */
#define SUM_MOST 32768 /* samples */
#define EVENTS_MOST 64

static bool sums_do(const struct samples *samples, const struct recording *rec)
{
	const uint32_t enough = COL_BIT(COL_EVENT) | COL_BIT(COL_THREAD) | COL_BIT(COL_COMM);
	const struct filter *f = &samples->opts.filter;

	if (samples->cells.columns & ~enough || samples->opts.mode != MODE_NORMAL ||
	    samples->cells.keeps_times || samples->cells.stretches.wanted || f->times_given ||
	    f->cpus.given || f->parallelism.given)
		return false;
	return !rec->is_directory && rec->m.events.events.n <= EVENTS_MOST &&
	       !recording_has(rec, FEATURE_AUXTRACE);
}

void tally_init(struct tally *t, const struct samples *samples, const struct recording *rec,
		struct sample_runs *runs)
{
	*t = (struct tally){.rec = rec, .runs = runs};
	measurement_samples_alike(&rec->m, &t->ids_at);
	t->sums_wanted = sums_do(samples, rec) && sample_layout_init(&t->layout, &rec->m);
}

void tally_release(struct tally *t)
{
	idmap_release(&t->known);
	vec_release(&t->threads);
	vec_release(&t->open);
	vec_release(&t->sums);
}

static uint32_t tally_thread_of(struct tally *t, uint64_t ids)
{
	uint32_t *known = idmap_put(&t->known, ids);

	if (*known == HASH_NONE) {
		*known = (uint32_t)t->threads.n;
		vec_add(&t->threads, (struct tally_thread){ids, UINT64_MAX});
	}
	return *known;
}

static void note_thread(struct tally *t, uint32_t i, uint64_t time)
{
	t->threads.at[i].least = MIN(t->threads.at[i].least, time);
}

/* Notes the threads of the span's samples. Returns the number of its records. */
static uint64_t note_threads(struct tally *t, const struct span *span)
{
	uint32_t thread = HASH_NONE;
	struct record_header h;
	const uint8_t *record;
	uint64_t n = 0;
	size_t at = 0;

	for (; span_step(span, t->rec->m.swap, &at, &record, &h); n++) {
		uint64_t ids, time;

		if (h.size < t->ids_at + 2 * sizeof(uint64_t))
			continue;
		ids = sample_word(record, t->ids_at);
		time = sample_word(record, t->ids_at + sizeof(ids));
		if (t->rec->m.swap)
			time = __builtin_bswap64(time);
		if (thread == HASH_NONE || t->threads.at[thread].ids != ids)
			thread = tally_thread_of(t, ids);
		note_thread(t, thread, time);
	}
	return n;
}

/* -- sums -- */

/* The open sum of this thread and event. NULL: the event is unknown. */
static struct tally_sum *open_sum(struct tally *t, uint64_t ids, const uint8_t *record)
{
	const struct event *ev = sample_layout_event(&t->layout, record);
	size_t n = t->rec->m.events.events.n, i;

	if (!ev)
		return NULL;
	i = tally_thread_of(t, ids) * n + ev->index;
	while (t->open.n <= i)
		vec_add(&t->open, HASH_NONE);
	if (t->open.at[i] == HASH_NONE || t->sums.at[t->open.at[i]].weights.samples >= SUM_MOST) {
		t->open.at[i] = (uint32_t)t->sums.n;
		vec_add(&t->sums,
			(struct tally_sum){.ids = ids, .event = ev->index, .least = UINT64_MAX});
	}
	return &t->sums.at[t->open.at[i]];
}

static void add_to(struct tally_sum *sum, uint16_t misc, uint64_t time, uint64_t period,
		   uint64_t seq)
{
	struct weights *w = &sum->weights;

	w->samples++;
	w->period += period;
	switch (misc & MISC_CPUMODE_MASK) {
	case MISC_KERNEL:
		w->sys += period;
		break;
	case MISC_USER:
		w->us += period;
		break;
	case MISC_GUEST_KERNEL:
		w->guest_sys += period;
		break;
	case MISC_GUEST_USER:
		w->guest_us += period;
		break;
	}
	if (time < sum->least) {
		sum->least = time;
		sum->first = seq;
	}
	if (time > sum->greatest)
		sum->greatest = time;
}

/* False: this sample cannot be summed. */
static bool sum_sample(struct tally *t, const struct span *span, const struct record_header *h,
		       const uint8_t *record, uint64_t seq)
{
	uint64_t ids, id, time;
	const struct sample_layout *l = &t->layout;
	const struct event *ev;
	struct sample_chain chain;

	if (h->size < l->fixed)
		return false;
	ids = sample_word(record, t->ids_at);
	id = l->id_at ? sample_word(record, l->id_at) : 0;
	time = sample_word(record, t->ids_at + 8);
	if (!t->at || t->at->ids != ids || t->at_id != id || t->at->weights.samples >= SUM_MOST) {
		t->at = open_sum(t, ids, record);
		t->at_id = id;
	}
	if (!t->at || time == UINT64_MAX)
		return false;
	ev = t->rec->m.events.events.at[t->at->event];
	if (!sample_is_whole(l, ev, record, h->size, &chain))
		return false;
	if (!t->at->weights.samples)
		t->at->span = (struct span){.p = record,
					    .offset = span->offset + (uint64_t)(record - span->p),
					    .seq = seq};
	t->at->span.n = (size_t)(record + h->size - t->at->span.p);
	t->at->last = seq;
	add_to(t->at, h->misc, time,
	       l->period_at ? sample_word(record, l->period_at) : ev->attr.sample_period, seq);
	return true;
}

void tally_add(struct tally *t, const struct span *span)
{
	uint64_t seq = span->seq;
	struct record_header h;
	const uint8_t *record;
	size_t at = 0;

	while (t->sums_wanted && span_step(span, false, &at, &record, &h)) {
		if (!sum_sample(t, span, &h, record, seq++))
			t->sums_wanted = false;
	}
	/* the threads of samples that are not summed must be known, too */
	if (!t->sums_wanted)
		sample_runs_add(t->runs, span, note_threads(t, span));
}

void tally_note(struct tally *t, const struct record *r)
{
	size_t n = t->rec->m.events.events.n;
	uint64_t ids;
	uint32_t thread;

	if (r->header.type == RECORD_COMM)
		ids = (uint64_t)r->comm.tid << 32 | r->comm.pid;
	else if (r->header.type == RECORD_FORK)
		ids = (uint64_t)r->task.tid << 32 | r->task.pid;
	else
		return;
	thread = t->sums_wanted ? idmap_find(&t->known, ids) : HASH_NONE;
	for (size_t i = thread * n;
	     thread != HASH_NONE && i < (thread + (size_t)1) * n && i < t->open.n; i++)
		t->open.at[i] = HASH_NONE;
	t->at = NULL;
}

/* To be called after all side-band, which makes the threads that it names. */
void tally_make_threads(struct tally *t, struct world *w)
{
	for (size_t i = 0; i < t->sums.n; i++)
		note_thread(t, tally_thread_of(t, t->sums.at[i].ids), t->sums.at[i].least);
	for (size_t i = 0; i < t->threads.n; i++) {
		uint64_t ids = t->threads.at[i].ids;
		uint32_t pid = (uint32_t)ids, tid = (uint32_t)(ids >> 32);

		if (t->rec->m.swap) {
			pid = __builtin_bswap32(pid);
			tid = __builtin_bswap32(tid);
		}
		world_add_seen(w, pid, tid, t->threads.at[i].least);
	}
}

/* -- when the world is known -- */

/* The thread of all samples of the sum. NULL: they have several threads, or several comms where
 * these count. */
static struct thread *one_thread(const struct tally_sum *sum, struct samples *samples)
{
	uint32_t pid = (uint32_t)sum->ids, tid = (uint32_t)(sum->ids >> 32);
	struct thread *thread = world_thread(samples->world, pid, tid, sum->least);

	if (!thread || world_thread(samples->world, pid, tid, sum->greatest) != thread)
		return NULL;
	if (samples->cells.columns & COL_BIT(COL_COMM) &&
	    !world_comm_holds(thread, sum->least, sum->greatest))
		return NULL;
	return thread;
}

static void tally_add_sum(const struct tally_sum *sum, struct thread *thread,
			  struct samples *samples)
{
	uint64_t v[COLUMNS] = {[COL_EVENT] = sum->event, [COL_THREAD] = thread->index};
	struct cell_sums all = {sum->weights, sum->least, sum->first, thread};

	all.weights.latency = all.weights.period;
	if (samples->cells.columns & COL_BIT(COL_COMM))
		v[COL_COMM] = world_comm_id(samples->world, thread, sum->least);
	cells_add_sums(&samples->cells, v, &all);
}

static int by_place(const void *a, const void *b)
{
	const struct tally_sum *x = a, *y = b;

	return x->span.seq < y->span.seq ? -1 : x->span.seq > y->span.seq;
}

/* By thread and event, then by place in the file. */
static int by_owner(const void *a, const void *b)
{
	const struct tally_sum *x = a, *y = b;

	if (x->ids != y->ids)
		return x->ids < y->ids ? -1 : 1;
	return x->event != y->event ? (x->event < y->event ? -1 : 1) : by_place(a, b);
}

/* The sums whose samples are gathered one by one. */
struct doubtful {
	VEC(struct tally_sum) sums; /* by_owner */
	VEC(struct span) spans;	    /* that hold the samples of .sums */
	size_t size;
};

static void find_spans(struct doubtful *d)
{
	struct span *last = NULL;

	qsort(d->sums.at, d->sums.n, sizeof(*d->sums.at), by_place);
	for (size_t i = 0; i < d->sums.n; i++) {
		const struct span *s = &d->sums.at[i].span;

		if (!last || s->p >= last->p + last->n) {
			vec_add(&d->spans, *s);
			last = vec_last(&d->spans);
		} else if (s->p + s->n > last->p + last->n) {
			last->n = (size_t)(s->p + s->n - last->p);
		}
	}
	for (size_t i = 0; i < d->spans.n; i++)
		d->size += d->spans.at[i].n;
	qsort(d->sums.at, d->sums.n, sizeof(*d->sums.at), by_owner);
}

static bool is_doubtful(const struct doubtful *d, uint64_t ids, uint32_t event, uint64_t seq)
{
	const struct tally_sum key = {.ids = ids, .event = event, .span.seq = seq};
	size_t low = 0, high = d->sums.n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (by_owner(&d->sums.at[mid], &key) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low && d->sums.at[low - 1].ids == ids && d->sums.at[low - 1].event == event &&
	       seq <= d->sums.at[low - 1].last;
}

static bool spans_are_plain(const struct doubtful *d)
{
	uint64_t n;

	for (size_t i = 0; i < d->spans.n; i++)
		if (!span_is_plain(&d->spans.at[i], false, &n))
			return false;
	return true;
}

static void take_one_by_one(const struct tally *t, const struct doubtful *d,
			    struct samples *samples)
{
	struct gatherer g = {samples, &samples->cells, &samples->words};
	struct buf scratch = {0};
	struct record_decode how = {.sample_id_all = t->rec->m.sample_id_all,
				    .scratch = &scratch,
				    .events = &t->rec->m.events};

	for (size_t i = 0; i < d->spans.n; i++) {
		uint64_t seq = d->spans.at[i].seq;
		struct record_header h;
		const uint8_t *record;
		size_t at = 0;

		for (; span_step(&d->spans.at[i], false, &at, &record, &h); seq++) {
			struct record r;

			if (h.type != RECORD_SAMPLE || record_decode(&how, record, h.size, &r) ||
			    !r.event ||
			    !is_doubtful(d, sample_word(record, t->ids_at), r.event->index, seq))
				continue;
			r.seq = seq;
			gather_sample(&g, &r);
		}
	}
	buf_release(&scratch);
}

bool tally_finish(struct tally *t, struct samples *samples)
{
	struct doubtful d = {0};
	bool good;

	if (!t->sums_wanted)
		return false;
	for (size_t i = 0; i < t->sums.n; i++)
		if (t->sums.at[i].weights.samples && !one_thread(&t->sums.at[i], samples))
			vec_add(&d.sums, t->sums.at[i]);
	if (d.sums.n)
		find_spans(&d);
	/* where that is most of the file, all workers read it faster */
	good = d.size <= t->rec->file_data_size / 2 && spans_are_plain(&d);
	for (size_t i = 0; i < t->sums.n && good; i++) {
		struct thread *thread =
			t->sums.at[i].weights.samples ? one_thread(&t->sums.at[i], samples) : NULL;

		if (thread)
			tally_add_sum(&t->sums.at[i], thread, samples);
	}
	if (good)
		take_one_by_one(t, &d, samples);
	vec_release(&d.sums);
	vec_release(&d.spans);
	return good;
}
