// SPDX-License-Identifier: MIT
#include "cmd/options/opts_export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many moments of a recording are told apart: more than any screen has pixels. */
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
	{OPT_END},
};

const struct opt export_compare_opts[] = {
	EXPORT(EXPORT_HTML, "html", "write a page that compares the profiles in a web browser"),
	{OPT_END},
};

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

		if (o->path[i])
			stacks_ask(wanted, &how);
	}
}

/* The command that was recorded, or the file. */
static const char *title_of(const struct recording *rec, struct arena *arena)
{
	AUTO_BUF b = {0};

	for (size_t i = 0; i < rec->cmdline.n; i++)
		buf_word(&b, rec->cmdline.at[i]);
	return b.n ? arena_strdup(arena, buf_text(&b)) : rec->path;
}

static int write_to(const struct exporter *e, const char *path, const struct export_input *in,
		    struct out *out, struct err *err)
{
	struct out file;
	struct stat st;
	int fd, status;

	if (!strcmp(path, "-"))
		return e->show(in, out, err);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_sys(err, errno, "cannot write '%s'", path);
	out_init(&file, fd);
	status = e->show(in, &file, err);
	if (out_end(&file, err))
		status = -1;
	out_release(&file);
	if (!status && !fstat(fd, &st))
		fprintf(stderr, "perf: wrote '%s', %.1f KiB\n", path, (double)st.st_size / 1024);
	close(fd);
	return status;
}

static int write_one(const struct exporter *e, const char *path, const struct export_side *sides,
		     size_t n, struct out *out, struct err *err)
{
	const struct recording *rec = sides[n - 1].rec;
	struct stacks_how how = how_of(e, rec);
	struct arena arena = {0};
	struct stacks stacks;
	AUTO_BUF losses = {0};
	struct export_input in = {.stacks = &stacks, .events = &rec->m.events};
	int status;

	stacks_init(&stacks, &how);
	for (size_t i = 0; i < n; i++) {
		stacks_add(&stacks, sides[i].samples, sides[i].filter, in.events, (uint8_t)i);
		in.sides[i] = sides[i].name;
	}
	stacks_sort(&stacks);
	losses_show(&rec->m.losses, &losses);
	in.losses = buf_text(&losses);
	in.title = title_of(rec, &arena);
	in.facts = export_facts(rec, &arena, &in.n_facts);
	status = write_to(e, path, &in, out, err);
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
