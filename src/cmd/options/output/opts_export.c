// SPDX-License-Identifier: MIT
#include "cmd/options/output/opts_export.h"

#include "cmd/options/output/export_code.h"
#include "cmd/options/output/export_switches.h"
#include "cmd/options/output/export_text.h"
#include "view/export/zip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Time resolution of an export: a recording is split into so many slots, more than a screen has
 * pixels. */
#define MOMENTS 200000

#define EXPORT(number, option, text)                                                               \
	{OPT_STRING, 0, option, offsetof(struct export_opts, path[number]), "file", text}

const struct opt export_opts[] = {
	EXPORT(EXPORT_HTML, "html", "write a page that shows the profile in a web browser"),
	EXPORT(EXPORT_SVG, "svg", "write a flame graph as one picture"),
	EXPORT(EXPORT_SPEEDSCOPE, "speedscope", "write a profile for speedscope"),
	EXPORT(EXPORT_PPROF, "pprof", "write a profile for pprof, compressed"),
	EXPORT(EXPORT_CALLGRIND, "callgrind",
	       "write a profile for callgrind_annotate and KCachegrind"),
	EXPORT(EXPORT_FIREFOX, "firefox",
	       "write a profile for the Firefox Profiler, compressed when the name ends in .gz"),
	EXPORT(EXPORT_CHROME, "chrome", "write Chrome trace events"),
	EXPORT(EXPORT_PERFETTO, "perfetto", "write a trace for Perfetto"),
	{OPT_STRING, 0, "json", offsetof(struct export_opts, json), "full|summary",
	 "Show the report as JSON: doc/report.schema.json", OPT_OPTIONAL, .missing = "full",
	 .words = "full summary"},
	{OPT_END},
};

const struct opt export_compare_opts[] = {
	EXPORT(EXPORT_HTML, "html", "write a page that compares the profiles in a web browser"),
	{OPT_END},
};

int export_check(struct export_opts *o, struct err *err)
{
	if (!o->json)
		return 0;
	if (strcmp(o->json, "full") && strcmp(o->json, "summary"))
		return err_set(err, ERR_USAGE, "--json is full or summary, not '%s'", o->json);
	o->path[strcmp(o->json, "full") ? EXPORT_SUMMARY : EXPORT_JSON] = "-";
	return 0;
}

bool export_wanted(const struct export_opts *o)
{
	for (size_t i = 0; i < EXPORTERS; i++)
		if (o->path[i])
			return true;
	return false;
}

static bool has_times(const struct recording *rec)
{
	return rec->is_pipe || measurement_samples_any(&rec->m, SAMPLE_TIME);
}

static struct stacks_how how_of(const struct exporter *e, const struct recording *rec)
{
	struct stacks_how how = e->how;
	uint64_t duration = rec->last_sample_time - rec->first_sample_time;

	how.times &= has_times(rec);
	if (e->exact_times)
		return how;
	how.time_quantum = rec->last_sample_time > rec->first_sample_time
				   ? MAX(duration / MOMENTS, 1)
				   : 100000;
	return how;
}

void export_ask(const struct export_opts *o, const struct recording *rec,
		struct samples_options *wanted)
{
	for (size_t i = 0; i < EXPORTERS; i++) {
		struct stacks_how how = how_of(&exporters[i], rec);

		if (!o->path[i])
			continue;
		stacks_ask(wanted, &how);
		if (exporters[i].code)
			export_code_ask(rec, wanted);
	}
}

static void pack(void *ctx, const struct buf *plain, struct buf *packed)
{
	zip_add(ctx, plain->at, plain->n, packed);
}

/* Runs the exporter. Its output goes through z, unless z is NULL. */
static int write_through(const struct exporter *e, const struct export_input *in,
			 struct zip_stream *z, struct out *file, struct err *err)
{
	int status;

	if (z) {
		file->pack = pack;
		file->pack_ctx = z;
	}
	status = e->show(in, file, err);
	if (z) {
		out_flush(file);
		file->pack = NULL;
		zip_finish(z, &file->buf);
	}
	return out_end(file, err) ? -1 : status;
}

/* True for a path that ends in .gz. pprof's files are compressed anyway. */
static bool wants_zip(const struct exporter *e, const char *path)
{
	const size_t n = strlen(path);

	return e != &exporters[EXPORT_PPROF] && n > 3 && !strcmp(path + n - 3, ".gz");
}

int export_write_file(const struct exporter *e, const char *path, const struct export_input *in,
		      struct out *out, struct err *err)
{
	struct zip_stream *z = NULL;
	struct out file;
	int fd, status;

	if (!strcmp(path, "-"))
		return e->show(in, out, err);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_sys(err, errno, "cannot write '%s'", path);
	if (wants_zip(e, path)) {
		z = zip_new(ZIP_GZIP, err);
		if (!z) {
			close(fd);
			return -1;
		}
	}
	out_init(&file, fd);
	status = write_through(e, in, z, &file, err);
	out_release(&file);
	zip_free(z);
	close(fd);
	return status;
}

void export_tell(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") && !stat(path, &st))
		fprintf(stderr, "perf: wrote '%s', %.1f KiB\n", path, (double)st.st_size / 1024);
}

/* Reads the moments. With filters by comm, dso or symbol, only of the tasks that have samples in
 * stacks; with others, of all tasks that the filter keeps. */
static int read_moments(struct moments *m, const struct export_side *side,
			const struct stacks *stacks, struct err *err)
{
	const struct filter *f = side->filter;
	const bool picked = f && (f->comms.given || f->dsos.given || f->symbols.given ||
				  f->symbol_part);

	return moments_read(m, side->rec, f, picked ? stacks : NULL, err);
}

static int write_one(const struct exporter *e, const char *path, const struct export_side *sides,
		     size_t n, struct out *out, struct err *err)
{
	struct recording *rec = sides[n - 1].rec;
	struct stacks_how how = how_of(e, rec);
	struct arena arena = {0};
	struct stacks stacks;
	AUTO_BUF losses = {0};
	struct moments moments = {0};
	struct excerpts code = {0};
	struct export_switches switches = {0};
	struct export_input in = {.stacks = &stacks,
				  .events = &rec->m.events,
				  .clock = &rec->m.clock};
	int status = 0;

	stacks_init(&stacks, &how);
	for (size_t i = 0; i < n; i++) {
		stacks_add(&stacks, sides[i].samples, sides[i].filter, in.events, (uint8_t)i);
		in.sides[i] = sides[i].name;
	}
	stacks_sort(&stacks);
	export_losses(sides, n, &losses);
	if (e->switches && export_switches_sampled(rec))
		buf_printf(&losses, "%scontext switches were sampled (-F or -c): no lanes of them",
			   losses.n ? ", " : "");
	in.losses = buf_text(&losses);
	in.title = export_title(sides, n, &arena);
	in.facts = export_facts(rec, &arena, &in.n_facts);
	if (e->moments && how.times && !rec->is_pipe) {
		status = read_moments(&moments, &sides[n - 1], &stacks, err);
		in.moments = &moments;
	}
	if (e->code && n == 1 && sides[0].disasm) {
		export_code_make(rec, sides[0].samples, sides[0].filter, sides[0].disasm, &code);
		in.code = &code;
	}
	in.lanes = how.times ? sides[n - 1].lanes : NULL;
	if (!status && !in.lanes && e->switches && how.times && n == 1) {
		status = export_switches_read(&switches, rec, sides[0].samples, sides[0].filter,
					      err);
		in.lanes = switches.lanes.lanes.n ? &switches.lanes : NULL;
	}
	export_set_times(&in, rec, sides[n - 1].filter);
	if (!status)
		status = export_write_file(e, path, &in, out, err);
	if (!status)
		export_tell(path);
	excerpts_release(&code);
	export_switches_release(&switches);
	moments_release(&moments);
	stacks_release(&stacks);
	arena_release(&arena);
	return status;
}

int export_write(const struct export_opts *o, const struct export_side *sides, size_t n,
		 struct out *out, struct err *err)
{
	for (size_t i = 0; i < EXPORTERS; i++)
		if (o->path[i] && write_one(&exporters[i], o->path[i], sides, n, out, err))
			return -1;
	return 0;
}
