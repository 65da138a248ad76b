// SPDX-License-Identifier: MIT
#include "analysis/inject/stages.h"

#include "capture/record/features.h"
#include "data/feature/feature.h"
#include "data/record/event_update.h"

/* Bytes that are written at once. */
#define GATHER (512 * 1024)

void output_init(struct output *o, struct recording *rec, struct sink *sink,
		 const struct known_ids *known, struct err *err)
{
	*o = (struct output){.rec = rec,
			     .sink = sink,
			     .known = known,
			     .err = err,
			     .events = &rec->m.events,
			     .pipe = sink_is_pipe(sink)};
}

void output_release(struct output *o)
{
	event_set_release(&o->converted);
	buf_release(&o->gathered);
	buf_release(&o->encoded);
	build_ids_release(&o->table);
	vec_release(&o->traces);
}

int output_fail(struct output *o)
{
	o->failed = true;
	return -1;
}

static void flush(struct output *o)
{
	if (!o->failed && o->gathered.n &&
	    sink_put(o->sink, o->gathered.at, o->gathered.n, NULL, 0, o->err))
		output_fail(o);
	buf_clear(&o->gathered);
}

static void put_feature(struct output *o, unsigned int f, const void *p, size_t n)
{
	o->put[f / 64] |= 1ull << f % 64;
	if (!o->failed && sink_feature(o->sink, f, p, n, o->err))
		output_fail(o);
}

/* True for features that are not copied: they are made anew, or not needed. */
static bool is_made(const struct output *o, unsigned int f)
{
	switch (f) {
	case FEATURE_COMPRESSED:
	case FEATURE_DIR_FORMAT:
	case FEATURE_AUXTRACE:
	case FEATURE_BUILD_ID:
	case FEATURE_TIME_INDEX:
		return true;
	case FEATURE_EVENT_DESC:
		return o->converted.events.n || (o->rec->is_pipe && !o->pipe);
	case FEATURE_TRACING_DATA:
		return o->pipe;
	case FEATURE_CONTAINED:
		return o->pipe;
	case FEATURE_CHAINS: /* perf 6.1 would warn of it in a pipe */
		return o->pipe || o->converted.events.n;
	default:
		return false;
	}
}

static void copy_features(struct output *o)
{
	for (unsigned int f = 1; f < FEATURE_MAX; f++) {
		size_t n;
		const uint8_t *p = feature_payload(o->rec, f, &n);

		if (p && !(o->put[f / 64] >> f % 64 & 1) && !is_made(o, f))
			put_feature(o, f, p, n);
	}
}

static void make_features(struct output *o)
{
	if (is_made(o, FEATURE_EVENT_DESC)) {
		features_event_desc(o->events, &o->encoded);
		put_feature(o, FEATURE_EVENT_DESC, o->encoded.at, o->encoded.n);
		buf_clear(&o->encoded);
	}
}

/* The build-id of an entry of the recording's table, or the user's. */
static struct build_id entry_id(const struct output *o, const struct build_id_entry *e)
{
	const uint32_t i = intern_find(&o->known->paths, e->filename, strlen(e->filename));
	struct build_id id = {.size = (uint8_t)MIN(e->size, sizeof(id.bytes))};

	if (i != HASH_NONE)
		return o->known->ids.at[i];
	memcpy(id.bytes, e->id, id.size);
	return id;
}

/* Ends a pipe's header; what follows is in order with the records. */
static void begin_pipe(struct output *o)
{
	size_t n;
	const uint8_t *formats = feature_payload(o->rec, FEATURE_TRACING_DATA, &n);

	if (!o->failed && sink_features_done(o->sink, o->err))
		output_fail(o);
	if (formats)
		put_feature(o, FEATURE_TRACING_DATA, formats, n);
	for (size_t i = 0; i < o->rec->build_ids.n && !o->rec->is_pipe; i++) {
		const struct build_id_entry *e = &o->rec->build_ids.at[i];
		const struct build_id id = entry_id(o, e);
		struct record r = {.header = {.type = RECORD_HEADER_BUILD_ID, .misc = e->misc},
				   .build_id = {.pid = e->pid, .build_id_size = id.size,
						.filename = e->filename}};

		r.header.misc |= MISC_EXT_RESERVED;
		memcpy(r.build_id.build_id, id.bytes, sizeof(id.bytes));
		output_put(o, &r);
	}
}

void output_begin(struct output *o)
{
	if (o->begun)
		return;
	o->begun = true;
	if (sink_begin(o->sink, o->events, o->err)) {
		output_fail(o);
		return;
	}
	copy_features(o);
	make_features(o);
	if (o->pipe)
		begin_pipe(o);
	else if (o->rec->is_pipe)
		for (size_t i = 0; i < o->events->events.n; i++)
			event_updates_encode(o->events->events.at[i], false, &o->gathered);
}

static void put_trace(struct output *o, const struct record *r)
{
	uint64_t size = r->header.size + r->blob.following;

	flush(o);
	if (!r->blob.follows)
		return; /* the reader has counted it */
	if (!o->failed && sink_compresses(o->sink)) {
		err_set(o->err, ERR_UNSUPPORTED, "a recording with %s cannot be compressed ('-z')",
			r->header.type == RECORD_AUXTRACE ? "instruction traces"
							  : "formats of tracepoints in its pipe");
		output_fail(o);
	}
	if (!o->failed && sink_put(o->sink, r->bytes, r->header.size, r->blob.follows,
				   r->blob.following, o->err))
		output_fail(o);
	if (!o->pipe && r->header.type == RECORD_AUXTRACE)
		vec_add(&o->traces,
			(struct trace_place){sink_bytes(o->sink) - size, r->header.size});
}

void output_put(struct output *o, const struct record *r)
{
	const struct attr *a = r->event ? &r->event->attr : NULL;

	output_begin(o);
	if (r->bytes && (r->header.type == RECORD_AUXTRACE ||
			 r->header.type == RECORD_HEADER_TRACING_DATA) && r->blob.following) {
		put_trace(o, r);
		return;
	}
	if (r->bytes)
		buf_add(&o->gathered, r->bytes, r->header.size);
	else if (record_encode(r, a ? a->sample_type : 0, o->rec->m.sample_id_all, &o->gathered) &&
		 !o->failed) {
		err_set(o->err, ERR_INPUT, "a record would become too large to be written");
		output_fail(o);
	}
	if (o->gathered.n >= GATHER)
		flush(o);
}

void output_chains(struct output *o, const uint64_t ends[UNWIND_ENDS])
{
	if (o->converted.events.n && !o->pipe && !o->failed &&
	    features_put_chains(o->sink, ends, o->err))
		output_fail(o);
}

static void end_traces(struct output *o)
{
	uint64_t n = o->traces.n;

	if (!n)
		return;
	buf_clear(&o->encoded);
	buf_add(&o->encoded, &n, sizeof(n));
	buf_add(&o->encoded, o->traces.at, n * sizeof(*o->traces.at));
	put_feature(o, FEATURE_AUXTRACE, o->encoded.at, o->encoded.n);
}

void output_build_id(struct output *o, uint8_t cpumode, const struct build_id *id,
		     const char *filename)
{
	build_ids_add(&o->table, cpumode, id->bytes, id->size, filename);
	o->new_table = true;
}

/* Writes the build-ids: those of the recording or of the user, and those that were found. */
static void end_ids(struct output *o)
{
	size_t n;
	const uint8_t *p = feature_payload(o->rec, FEATURE_BUILD_ID, &n);

	if (!o->new_table && !o->known->ids.n && !o->rec->is_pipe) {
		if (p)
			put_feature(o, FEATURE_BUILD_ID, p, n);
		return;
	}
	for (size_t i = 0; i < o->rec->build_ids.n; i++) {
		const struct build_id_entry *e = &o->rec->build_ids.at[i];
		const struct build_id id = entry_id(o, e);

		build_ids_add(&o->table, e->misc & MISC_CPUMODE_MASK, id.bytes, id.size,
			      e->filename);
	}
	if (o->table.payload.n)
		put_feature(o, FEATURE_BUILD_ID, o->table.payload.at, o->table.payload.n);
}

void output_end(struct output *o)
{
	if (!o->failed)
		output_begin(o);
	flush(o);
	if (!o->pipe) {
		copy_features(o); /* those that came late */
		end_traces(o);
		end_ids(o);
	}
	if (sink_end(o->sink, o->failed ? NULL : o->err))
		output_fail(o);
}
