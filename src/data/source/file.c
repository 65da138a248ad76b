// SPDX-License-Identifier: MIT
/* The origin of all sources of a recording: its file, pipe, directory or memory. */
#include "base/cursor.h"
#include "data/recording_file.h"
#include "data/source/reader.h"

/* Approximate bytes of a span. */
#define SPAN_SIZE (2 * 1024 * 1024)

struct file_source {
	struct source src;
	struct recording *rec;
	enum source_mode mode;
	struct source_times times; /* of samples: unwanted runs of the time index are passed */
	struct source_passed passed;
	struct reader reader;
	struct raw_record ahead; /* read for a span that it did not fit into */
	bool has_ahead;
};

static bool file_wants(const struct file_source *f, uint32_t type)
{
	switch (f->mode) {
	case SOURCE_SIDE_BAND:
		return type != RECORD_SAMPLE;
	case SOURCE_SAMPLES:
		return type == RECORD_SAMPLE;
	default:
		return true;
	}
}

/* -- records that define something of the recording -- */

/* Takes the definition into the recording, once, however often the file is read. */
static void file_define(struct source *src, const struct raw_record *raw)
{
	struct file_source *f = (struct file_source *)src;
	struct recording_file *file = f->rec->file;
	struct losses delivered = {0}, *losses = &src->m->losses;
	struct record r;

	if (!recording_defines(raw->header.type) || raw->seq < file->taken)
		return;
	file->taken = raw->seq + 1;
	if (simpleperf_type(raw->header.type)) {
		if (raw->blob)
			recording_take_tracing_data(f->rec, raw->blob, raw->blob_size, raw->offset);
		return;
	}
	/* a delivered record is decoded again, and its losses count then */
	if (file_wants(f, raw->header.type))
		losses = &delivered;
	if (source_decode_to(src, raw, &src->scratch, losses, &r))
		recording_take(f->rec, &r, raw->blob, raw->blob_size);
}

/* -- runs of samples in the time index -- */

/* True when this origin passes unwanted runs. The ordered decorator does so otherwise. */
static bool file_skips(const struct file_source *f)
{
	return f->times.wanted && f->rec->file->times.runs.n && f->mode != SOURCE_ORDERED;
}

static bool file_run_unwanted(const struct file_source *f, const struct time_run *run)
{
	return !f->times.wanted(f->times.ctx, run->least, run->greatest);
}

static const struct time_run *file_run_next(struct source *src)
{
	struct file_source *f = (struct file_source *)src;
	const struct time_run *run;

	if (!f->rec->file->times.runs.n || f->has_ahead)
		return NULL;
	run = reader_run(&f->reader);
	return run && reader_at_run(&f->reader, run) ? run : NULL;
}

static void file_run_pass(struct source *src, const struct time_run *run)
{
	reader_pass_run(&((struct file_source *)src)->reader, run);
}

static void file_run_read(struct source *src, const struct time_run *run)
{
	reader_read_run(&((struct file_source *)src)->reader, run);
}

static bool file_run_pass_empty(struct source *src, const struct time_run *passed)
{
	return reader_pass_empty(&((struct file_source *)src)->reader, passed);
}

static const struct source_runs file_runs = {.next = file_run_next,
					     .pass = file_run_pass,
					     .read = file_run_read,
					     .pass_empty = file_run_pass_empty};

static size_t file_ascending(struct source *src, struct ascending *a)
{
	return reader_ascending(&((struct file_source *)src)->reader, a);
}

/* Passes the unwanted runs that begin at the next record. */
static void file_skip_runs(struct file_source *f)
{
	const struct time_run *run;

	while (file_skips(f) && (run = file_run_next(&f->src))) {
		if (!file_run_unwanted(f, run)) {
			reader_read_run(&f->reader, run);
			return;
		}
		reader_pass_run(&f->reader, run);
	}
}

static bool file_at_unwanted_run(struct file_source *f)
{
	const struct time_run *run = file_skips(f) ? file_run_next(&f->src) : NULL;

	return run && file_run_unwanted(f, run);
}

/* Passes samples that need not be delivered one by one, up to an unwanted run. Returns their
 * bytes. */
static size_t file_pass_samples(struct file_source *f, size_t most)
{
	const struct time_runs *times = &f->rec->file->times;
	const struct time_run *run = file_skips(f) ? reader_run(&f->reader) : NULL;
	uint64_t at = reader_position(&f->reader);

	most = MIN(most, SPAN_SIZE);
	for (; run && run < times->runs.at + times->runs.n && run->offset - at < most; run++) {
		if (file_run_unwanted(f, run))
			most = (size_t)(run->offset - at);
		else
			reader_read_run(&f->reader, run);
	}
	return reader_samples(&f->reader, most);
}

/* -- records -- */

/* Shows a sample to .passed with the samples that follow it, in a source that delivers no
 * samples. */
static void file_show_passed(struct file_source *f, const struct raw_record *raw)
{
	size_t n = raw->header.size;

	if (!raw->expanded)
		n += file_pass_samples(f, SIZE_MAX);
	if (f->passed.see)
		f->passed.see(f->passed.ctx,
			      &(struct span){
				      .p = raw->p, .n = n, .offset = raw->offset, .seq = raw->seq});
}

static int file_end(struct file_source *f, struct err *err)
{
	const struct recording_file *file = f->rec->file;
	int why = file->in.error;

	for (size_t i = 0; i < file->parts.n && !why; i++)
		why = file->parts.at[i].error;
	return why ? err_sys(err, why, "cannot read '%s'", f->rec->path) : 0;
}

static int file_next_raw(struct source *src, struct raw_record *raw, struct err *err)
{
	struct file_source *f = (struct file_source *)src;

	for (;;) {
		file_skip_runs(f);
		if (!reader_next(&f->reader, raw))
			return file_end(f, err);
		raw->defines =
			recording_defines(raw->header.type) && raw->seq >= f->rec->file->taken;
		if (file_wants(f, raw->header.type))
			return 1;
		if (raw->defines)
			file_define(src, raw);
		if (raw->header.type == RECORD_SAMPLE)
			file_show_passed(f, raw);
	}
}

static bool file_span_record(struct file_source *f, struct raw_record *raw)
{
	if (!f->has_ahead)
		return reader_next(&f->reader, raw);
	*raw = f->ahead;
	f->has_ahead = false;
	return true;
}

static int file_next_span(struct source *src, struct span *span, struct err *err)
{
	struct file_source *f = (struct file_source *)src;
	struct raw_record raw;

	*span = (struct span){0};
	if (!f->has_ahead)
		file_skip_runs(f);
	while (span->n < SPAN_SIZE && file_span_record(f, &raw)) {
		file_define(src, &raw);
		if (!span->p) {
			*span = (struct span){.p = raw.p,
					      .offset = raw.offset,
					      .seq = raw.seq,
					      .owner = raw.owner,
					      .input = f->reader.in};
			shared_bytes_hold(raw.owner);
		} else if (raw.p != span->p + span->n || raw.owner != span->owner) {
			/* it begins the next span */
			f->ahead = raw;
			f->has_ahead = true;
			break;
		}
		span->n += raw.header.size;
		if (raw.header.type == RECORD_SAMPLE && !raw.expanded && span->n < SPAN_SIZE)
			span->n += file_pass_samples(f, SPAN_SIZE - span->n);
		if (file_at_unwanted_run(f))
			break;
	}
	return span->p ? 1 : file_end(f, err);
}

void span_release(struct span *span)
{
	if (!span->owner && span->input)
		input_passed(span->input, span->offset, span->offset + span->n);
	shared_bytes_drop(span->owner);
	*span = (struct span){0};
}

static void file_keep_behind(struct source *src, uint64_t bytes)
{
	((struct file_source *)src)->reader.behind = bytes;
}

static void file_passed(struct source *src, uint64_t from, uint64_t to)
{
	const struct reader *rd = &((struct file_source *)src)->reader;

	/* the reader itself gives back what lies nearer to it */
	to = MIN(to, rd->passed);
	if (rd->behind == READER_BEHIND && !rd->part && from < to)
		input_passed(rd->in, from, to);
}

static uint64_t file_bytes(const struct source *src)
{
	const struct file_source *f = (const struct file_source *)src;
	const struct time_runs *t = &f->rec->file->times;
	uint64_t bytes = f->rec->file_data_size;

	for (size_t i = 0; f->times.wanted && i < t->runs.n; i++)
		if (file_run_unwanted(f, &t->runs.at[i]))
			bytes -= MIN(bytes, t->runs.at[i].size);
	return bytes;
}

static void file_free(struct source *src)
{
	struct file_source *f = (struct file_source *)src;

	reader_release(&f->reader);
	source_release(src);
	free(f);
}

static const struct source_ops file_ops = {.next_raw = file_next_raw,
					   .define = file_define,
					   .next_span = file_next_span,
					   .runs = &file_runs,
					   .ascending = file_ascending,
					   .keep_behind = file_keep_behind,
					   .passed = file_passed,
					   .bytes = file_bytes,
					   .free = file_free};

/* True the first time: of all sources that read these bytes, the first counts their damage. */
static bool claim(bool *counted, bool reads)
{
	if (!reads || *counted)
		return false;
	*counted = true;
	return true;
}

struct source *source_of_file(struct recording *rec, const struct source_options *opts,
			      struct err *err)
{
	struct recording_file *file = rec->file;
	struct file_source *f;

	if (!file->in.map && !file->in.seekable) {
		if (file->pipe_used) {
			err_set(err, ERR_INPUT, "a pipe can be read only once");
			return NULL;
		}
		file->pipe_used = true;
	}
	f = NEW(struct file_source);
	source_init(&f->src, &file_ops, &rec->m);
	f->rec = rec;
	f->mode = opts->mode;
	f->times = opts->times;
	f->passed = opts->passed;
	reader_init(&f->reader, rec);
	f->reader.keep_following = opts->keep_following;
	f->src.counts_side_band = claim(&file->counted_side_band, f->mode != SOURCE_SAMPLES);
	f->src.counts_samples = claim(&file->counted_samples, f->mode != SOURCE_SIDE_BAND);
	f->src.counts_order =
		claim(&file->counted_order, source_needs_order(&f->src, f->mode, !rec->is_pipe));
	return &f->src;
}
