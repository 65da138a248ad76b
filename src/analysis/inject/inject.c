// SPDX-License-Identifier: MIT
/*
 *   source ── sleeps ── jit ──┬── world ── chains ── ids ── output
 *                             └ maps of code that a JIT made
 */
#include "analysis/inject/stages.h"

#include "world/replay/replay.h"

void inject_pass(struct inject *in, struct record *r)
{
	if (in->world)
		world_add(in->world, r, record_time(&in->rec->m, r));
	if (r->header.type == RECORD_SAMPLE && in->out.converted.events.n)
		chains_convert(in, r);
	if (in->ids && !ids_take(in, r))
		return;
	output_put(&in->out, r);
}

/* True for header records at the beginning of a pipe: the output writes them from the recording.
 * Later ones, and those in files, stay in place. */
static bool is_header(const struct inject *in, const struct record *r)
{
	switch (r->header.type) {
	case RECORD_HEADER_FEATURE:
	case RECORD_HEADER_TRACING_DATA:
		return in->rec->is_pipe && (!in->out.begun || !in->out.pipe);
	case RECORD_HEADER_ATTR:
	case RECORD_EVENT_UPDATE:
		return in->rec->is_pipe && !in->out.begun;
	/* the decompressed records come next; EVENT_TYPE has been unused since 2011, except in
	 * checkpoints */
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
	case RECORD_HEADER_EVENT_TYPE:
		return true;
	default:
		return false;
	}
}

/* True for a round when deferred chains are joined: a sample is written only when its chain comes,
 * which may be after its round. Without rounds readers order all records. */
static bool is_joined(const struct inject *in, const struct record *r)
{
	return in->deferred && (r->header.type == RECORD_CALLCHAIN_DEFERRED ||
				r->header.type == RECORD_FINISHED_ROUND);
}

static int refuse_traces(struct inject *in)
{
	return err_set(in->err, ERR_UNSUPPORTED,
		       "instruction traces cannot be decoded ('--itrace')");
}

/* Called before the first record is written: events and features are known. */
static int inject_begin(struct inject *in)
{
	if (in->opts->no_traces && recording_has(in->rec, FEATURE_AUXTRACE))
		return refuse_traces(in);
	in->deferred = in->opts->chains && measurement_defers_chains(&in->rec->m);
	if (in->opts->chains)
		chains_events(&in->rec->m.events, &in->out.converted);
	if (in->out.converted.events.n)
		in->out.events = &in->out.converted;
	if (in->world && in->out.converted.events.n)
		unwound_init(&in->unwound, in->world, &in->rec->m);
	output_begin(&in->out);
	return in->out.failed ? -1 : 0;
}

static int inject_one_take(struct inject *in, struct record *r)
{
	if (is_header(in, r))
		return 0;
	if (!in->out.begun && inject_begin(in))
		return -1;
	if (in->opts->no_traces && r->header.type == RECORD_AUXTRACE_INFO)
		return refuse_traces(in);
	if (r->header.type == RECORD_HEADER_ATTR && in->out.converted.events.n)
		return err_set(in->err, ERR_INPUT,
			       "an event is told of after the first records: its "
			       "call chains cannot be converted");
	if (is_joined(in, r))
		return 0;
	in->totals->records++;
	if (in->opts->no_samples && r->header.type == RECORD_SAMPLE)
		return 0;
	if (in->sleeps && !sleeps_take(in, r))
		return 0;
	if (in->jits && !jits_take(in, r))
		return 0;
	inject_pass(in, r);
	return in->out.failed ? -1 : 0;
}

static int inject_take(struct replay *rp, const struct record *r)
{
	struct record changed = *r;

	return inject_one_take(rp->ctx, &changed);
}

static void set_up(struct inject *in, const struct symbol_options *symbols)
{
	const struct inject_options *o = in->opts;

	if (o->ids || o->jit || o->chains) {
		in->world = world_of_recording(in->rec, symbols);
		world_present_only(in->world);
	}
	if (o->ids)
		in->ids = ids_new();
	if (o->sleeps)
		in->sleeps = sleeps_new();
	if (o->jit)
		in->jits = jits_new();
}

static void inject_release(struct inject *in)
{
	unwound_release(&in->unwound);
	jits_free(in->jits);
	sleeps_free(in->sleeps);
	ids_free(in->ids);
	world_free(in->world);
	output_release(&in->out);
}

int inject_run(struct recording *rec, struct sink *sink, const struct inject_options *opts,
	       const struct symbol_options *symbols, struct inject_totals *totals, struct err *err)
{
	struct inject in = {.rec = rec, .opts = opts, .totals = totals, .err = err};
	const bool ordered = opts->ids || opts->sleeps || opts->jit || opts->chains;
	static const struct replay_analysis analysis = {.any = inject_take};
	struct replay rp;
	int got;

	output_init(&in.out, rec, sink, &opts->known, err);
	set_up(&in, symbols);
	/* The stages tell the world themselves: a JIT's maps come before the record that they are
	 * due before. */
	replay_init(&rp, rec, NULL, &analysis, &in);
	rp.reading.mode = ordered ? SOURCE_ORDERED : SOURCE_FILE_ORDER;
	rp.reading.join_chains = opts->chains;
	rp.reading.keep_following = true;
	got = replay_run(&rp, err);
	if (!got && !in.out.begun)
		got = inject_begin(&in);
	if (!got && in.jits)
		jits_end(&in);
	if (got)
		in.out.failed = true;
	output_chains(&in.out, in.unwound.ends);
	output_end(&in.out);
	if (in.out.converted.events.n)
		unwound_losses(&in.unwound, &rec->m.losses);
	got = in.out.failed ? -1 : 0;
	replay_release(&rp);
	inject_release(&in);
	return got;
}
