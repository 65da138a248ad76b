// SPDX-License-Identifier: MIT
#include "bench/inside/inside.h"

#include "data/sink.h"
#include "os/process/self.h"
#include "symbol/dso.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES_OF_MAP 16u
#define FIRST_MAP    0x400000u

const struct opt inject_options[] = {
	{OPT_UINT, 'i', "iterations", INSIDE_AT(iterations), "n",
	 "Number of iterations used to compute average (default: 100)"},
	{OPT_UINT, 'm', "nr-mmaps", INSIDE_AT(maps), "n",
	 "Number of mmap events for each iteration (default: 100)"},
	{OPT_UINT, 'n', "nr-samples", INSIDE_AT(samples), "n",
	 "Number of sample events per mmap event (default: 100)"},
	{OPT_BOOL, 'v', "verbose", INSIDE_AT(verbose), NULL,
	 "be more verbose (show iteration count, DSO name, etc)"},
	{OPT_END},
};

struct injecting {
	const struct inside_opts *o;
	struct arena arena;
	VEC(const char *) files; /* with build-ids */
	struct buf recording;	 /* in pipe format */
	char *program;
};

/* Shared libraries of the machine, until there are enough. */
static void find_files(struct injecting *in)
{
	char *const roots[] = {(char *)"/usr/lib", (char *)"/lib", NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOSTAT | FTS_NOCHDIR, NULL);
	struct build_id id;
	FTSENT *e;

	while (walk && in->files.n < in->o->maps && (e = fts_read(walk)))
		if (e->fts_info == FTS_NSOK && strstr(e->fts_name, ".so") &&
		    !build_id_of_file(e->fts_path, &id))
			vec_add(&in->files, arena_strdup(&in->arena, e->fts_path));
	if (walk)
		fts_close(walk);
}

static int put_map(struct sink *sink, struct event *ev, const char *file, uint64_t addr,
		   uint64_t time, struct err *err)
{
	struct record r = {.header = {.type = RECORD_MMAP2, .misc = MISC_USER}, .event = ev};

	r.mmap = (struct rec_mmap){.pid = 1,
				   .tid = 1,
				   .addr = addr,
				   .len = PAGES_OF_MAP * 4096,
				   .prot = 5,
				   .flags = 2,
				   .filename = file};
	r.id.pid = r.id.tid = 1;
	r.id.time = time;
	return sink_put_record(sink, &r, err);
}

static int put_sample(struct sink *sink, uint64_t ip, uint64_t time, struct err *err)
{
	const struct {
		struct record_header header;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time, period;
	} r = {{RECORD_SAMPLE, MISC_USER, sizeof(r)}, ip, 1, 1, time, 1};

	return sink_put(sink, &r, sizeof(r), NULL, 0, err);
}

static int make_recording(struct injecting *in, struct err *err)
{
	struct event_set events = {0};
	struct event *ev = event_set_add(&events, "cpu-clock");
	AUTO(sink) *sink = sink_open_memory(true, &in->recording);
	uint64_t time = 1;
	int got;

	ev->attr =
		(struct attr){.type = TYPE_SOFTWARE,
			      .size = ATTR_SIZE_6_1,
			      .sample_period = 1,
			      .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD,
			      .flags = ATTR_MMAP | ATTR_MMAP2 | ATTR_SAMPLE_ID_ALL};
	event_set_add_id(&events, ev, 1);
	got = sink_begin(sink, &events, err);
	for (unsigned int i = 0; i < in->o->maps && !got; i++) {
		uint64_t addr = FIRST_MAP + (uint64_t)i * 2 * PAGES_OF_MAP * 4096;

		got = put_map(sink, ev, in->files.at[i % in->files.n], addr, time++, err);
		for (unsigned int j = 0; j < in->o->samples && !got; j++)
			got = put_sample(sink, addr + j % (PAGES_OF_MAP * 4096), time++, err);
	}
	event_set_release(&events);
	return got;
}

static bool inject_write_all(int fd, const struct buf *b)
{
	for (size_t sent = 0; sent < b->n;) {
		ssize_t more = write(fd, b->at + sent, b->n - sent);

		if (more <= 0)
			return false;
		sent += (size_t)more;
	}
	return true;
}

static void child_exec(const char *program, const char *option, int in)
{
	int out = open("/dev/null", O_WRONLY | O_CLOEXEC);

	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execl(program, "perf", "inject", option, NULL);
	_exit(127);
}

/* One inject of the recording: its time in us, and its memory in KB. */
static int inject_once(const struct injecting *in, const char *option, struct bench_stats *us,
		       struct bench_stats *kb, pid_t *child, struct err *err)
{
	struct rusage usage;
	int ends[2], status;
	uint64_t start;
	bool whole;

	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	start = bench_now_ns();
	*child = fork();
	if (!*child)
		child_exec(in->program, option, ends[0]);
	close(ends[0]);
	whole = *child > 0 && inject_write_all(ends[1], &in->recording);
	close(ends[1]);
	if (*child < 0)
		return err_sys(err, errno, "cannot start a process");
	if (wait4(*child, &status, 0, &usage) < 0 || status || !whole)
		return err_set(err, ERR_SYSTEM, "'perf inject %s' failed", option);
	bench_stats_add(us, (double)(bench_now_ns() - start) / 1000);
	bench_stats_add(kb, (double)usage.ru_maxrss);
	return 0;
}

static int inject_many(struct bench *b, const struct injecting *in, const char *name,
		       const char *option, struct err *err)
{
	double records = (double)in->o->maps * (in->o->samples + 1);
	struct bench_stats us = {0}, kb = {0};

	if (in->o->verbose)
		buf_printf(b->text, "  Build-id%s injection benchmark\n", name);
	for (unsigned int i = 0; i < in->o->iterations; i++) {
		pid_t child = 0;

		if (inject_once(in, option, &us, &kb, &child, err))
			return -1;
		if (in->o->verbose)
			buf_printf(b->text, "  Iteration #%u\n   Child %d exited with 0\n", i + 1,
				   child);
	}
	buf_printf(b->text, "  Average build-id%s injection took: %.3f msec (+- %.3f msec)\n", name,
		   us.mean / 1000, bench_stats_error(&us) / 1000);
	buf_printf(b->text, "  Average time per event: %.3f usec (+- %.3f usec)\n",
		   us.mean / records, bench_stats_error(&us) / records);
	buf_printf(b->text, "  Average memory usage: %.0f KB (+- %.0f KB)\n", kb.mean,
		   bench_stats_error(&kb));
	bench_value(b, us.mean / 1000, "build-id%s msec", name);
	bench_value(b, kb.mean, "build-id%s KB", name);
	bench_flush(b);
	return 0;
}

static int measure_inject(struct bench *b, const void *v, struct err *err)
{
	struct injecting in = {.o = v, .program = self_program()};
	int got = 0;

	find_files(&in);
	if (!in.o->maps || !in.o->samples)
		got = err_set(err, ERR_USAGE, "there must be a map and a sample at least");
	else if (!in.files.n)
		got = err_set(err, ERR_UNSUPPORTED, "no library in '/usr/lib' has a build-id");
	else if (!in.program)
		got = err_set(err, ERR_SYSTEM,
			      "where this program lies is unknown: there is no /proc here");
	if (!got && in.o->verbose)
		buf_printf(b->text, "  Collected %zu DSOs\n", in.files.n);
	if (!got)
		got = make_recording(&in, err);
	if (!got)
		got = inject_many(b, &in, "", "-b", err);
	if (!got)
		got = inject_many(b, &in, "-all", "--buildid-all", err);
	buf_release(&in.recording);
	vec_release(&in.files);
	arena_release(&in.arena);
	free(in.program);
	return got;
}

const struct bench_suite bench_internals_inject_build_id = {
	.defaults = &(const struct inside_opts){.iterations = 100, .maps = 100, .samples = 100},
	.opts_size = sizeof(struct inside_opts),
	.measure = measure_inject,
};
