// SPDX-License-Identifier: MIT
#include "analysis/inject/inject.h"
#include "cmd/options/output/contain_file.h"
#include "cmd/options/output/opts_compress.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"

#include "os/terminal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct inject_opts {
	struct input_opts input;
	const char *output, *known, *decode, *vm_time, *guest_data;
	bool hit_ids, all_ids, hit_maps, all_maps, sleeps, jit, chains, strip, contained;
	bool strict;
	int verbose, compress;
	struct symbol_options symbols;
};

#define AT(field) offsetof(struct inject_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 'o', "output", AT(output), "file", "output file name"},
	COMPRESS_OPTION(AT(compress)),
	{OPT_BOOL, 'b', "build-ids", AT(hit_ids), NULL, "Inject build-ids into the output stream"},
	{OPT_BOOL, 0, "buildid-all", AT(all_ids), NULL,
	 "Inject build-ids of all DSOs into the output stream"},
	{OPT_BOOL, 'B', "mmap2-buildids", AT(hit_maps), NULL,
	 "Drop unused mmap events, make others mmap2 with build IDs"},
	{OPT_BOOL, 0, "mmap2-buildid-all", AT(all_maps), NULL,
	 "Rewrite all mmap events as mmap2 events with build IDs"},
	{OPT_STRING, 0, "known-build-ids", AT(known), "buildid path [,buildid path...]",
	 "build-ids to use for given paths"},
	{OPT_BOOL, 's', "sched-stat", AT(sleeps), NULL,
	 "Merge sched-stat and sched-switch for getting events where and how long tasks slept"},
	{OPT_BOOL, 'j', "jit", AT(jit), NULL, "merge jitdump files into perf.data file"},
	{OPT_BOOL, 0, "convert-callchain", AT(chains), NULL,
	 "Make callchains of copies of stacks, and join deferred ones"},
	{OPT_BOOL, 0, "self-contained", AT(contained), NULL,
	 "Add symbols, lines and code of what was hit, to be read where their files are not"},
	{OPT_STRING, 0, "itrace", AT(decode), "opts", "Instruction Tracing options", OPT_OPTIONAL,
	 ""},
	{OPT_BOOL, 0, "strip", AT(strip), NULL, "strip non-synthesized events (use with --itrace)"},
	{OPT_STRING, 0, "vm-time-correlation", AT(vm_time), "opts",
	 "correlate time between VM guests and the host", OPT_OPTIONAL, ""},
	{OPT_STRING, 0, "guest-data", AT(guest_data), "opts",
	 "inject events from a guest perf.data file", OPT_OPTIONAL, ""},
	{OPT_STRING, 'k', "vmlinux", AT(symbols.vmlinux), "file", "vmlinux pathname"},
	{OPT_BOOL, 0, "ignore-vmlinux", AT(symbols.ignore_vmlinux), NULL,
	 "don't load vmlinux even if found"},
	{OPT_STRING, 0, "kallsyms", AT(symbols.kallsyms), "file", "kallsyms pathname"},
	{OPT_STRING, 0, "symfs", AT(symbols.symfs), "directory",
	 "Look for files relative to this directory"},
	{OPT_STRING, 0, "debuginfod", AT(symbols.debuginfod), "urls",
	 "for --self-contained, fetch debug files of what was hit", OPT_OPTIONAL, ""},
	{OPT_BOOL, 0, "strict", AT(strict), NULL, "Exit with 3 when anything was lost"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "be more verbose (show build ids, etc)"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{input_opts, AT(input)}, {options, 0}, {guest_opts, AT(symbols)}, {0}};

/* Refuses unsupported options before any file is touched. */
static int inject_check(const struct inject_opts *o, int argc, char **argv, struct err *err)
{
	const struct guest_options *g = &o->symbols.guests;
	const char *guest = o->vm_time			? "vm-time-correlation"
			    : o->guest_data		? "guest-data"
			    : g->mount && !o->contained ? "guestmount"
							: NULL;

	if (argc)
		return err_set(err, ERR_USAGE, "inject takes no argument: '%s' (-i names a file)",
			       argv[0]);
	if (guest) {
		err_set(err, ERR_UNSUPPORTED, "guests cannot be injected ('--%s')", guest);
		return err_hint(err, "the guest's own recording can be read by itself");
	}
	if (o->symbols.debuginfod && !o->contained)
		return err_set(err, ERR_USAGE,
			       "'--debuginfod' is for what '--self-contained' looks up");
	if ((g->kallsyms || g->modules || g->vmlinux || g->code) && !o->contained)
		return err_set(err, ERR_USAGE,
			       "symbols of guests are for what '--self-contained' looks up");
	if (o->strip && !o->decode)
		return err_set(err, ERR_INPUT, "--strip option requires --itrace option");
	if (o->hit_ids + o->all_ids + o->hit_maps + o->all_maps > 1)
		return err_set(err, ERR_USAGE, "only one of '-b', '--buildid-all', '-B' and "
					       "'--mmap2-buildid-all' can be had");
	return 0;
}

static enum inject_ids which_ids(const struct inject_opts *o)
{
	return o->hit_maps   ? INJECT_IDS_MMAP2_HIT
	       : o->all_maps ? INJECT_IDS_MMAP2_ALL
	       : o->all_ids  ? INJECT_IDS_ALL
	       : o->hit_ids || o->known ? INJECT_IDS_HIT
					: INJECT_IDS_NONE;
}

/* Refuses an output that is the input: it would be truncated before it is read. */
static int check_same(const char *input, const char *output, struct err *err)
{
	AUTO_CHAR *inside = mem_printf("%s/data", input);
	struct stat in, part, out;

	if ((strcmp(input, "-") ? stat(input, &in) : fstat(STDIN_FILENO, &in)) ||
	    (strcmp(output, "-") ? stat(output, &out) : fstat(STDOUT_FILENO, &out)))
		return 0;
	if (S_ISDIR(out.st_mode))
		return err_set(err, ERR_INPUT, "the output '%s' is a directory", output);
	if (S_ISDIR(in.st_mode) && !stat(inside, &part))
		in = part;
	if (!S_ISREG(in.st_mode) || in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	err_set(err, ERR_INPUT, "'%s' is the input and the output", output);
	return err_hint(err, "write another file (-o), and rename it afterwards");
}

static struct recording *open_input(struct env *env, const struct inject_opts *o, const char *path,
				    struct err *err)
{
	/* no progress when the output goes to a pipe: its reader may write to the terminal, too */
	const bool quiet = !o->output || !strcmp(o->output, "-");
	const struct input_opts input = {path, o->input.force};
	struct recording *rec = input_open_recording(&input, quiet ? NULL : env->out, err);
	if (rec && rec->m.swap) {
		err_set(err, ERR_UNSUPPORTED, "'%s' has the other byte order: it can only be read",
			path);
	} else if (rec && o->decode && recording_has(rec, FEATURE_AUXTRACE)) {
		err_set(err, ERR_UNSUPPORTED, "instruction traces cannot be decoded ('--itrace')");
	} else if (rec && o->compress && recording_has(rec, FEATURE_AUXTRACE)) {
		err_set(err, ERR_UNSUPPORTED, "instruction traces cannot be compressed ('-z')");
	} else {
		return rec;
	}
	recording_free(rec);
	return NULL;
}

static int write_anew(struct env *env, const struct inject_opts *o, struct inject_options *how,
		      struct err *err)
{
	const char *input = o->input.path ? o->input.path : "-";
	const struct sink_options to = {.path = o->output ? o->output : "-",
					.compress = o->compress};
	AUTO(recording) *rec = NULL;
	AUTO(sink) *sink = NULL;
	struct inject_totals totals = {0};
	int failed;

	if (!strcmp(to.path, "-") && terminal_is(STDOUT_FILENO)) {
		err_set(err, ERR_INPUT, "a recording is no text for a terminal");
		return err_hint(err, "name a file with -o, or read it with '| perf report -i -'");
	}
	if (!strcmp(input, "-") && terminal_is(STDIN_FILENO))
		return err_set(err, ERR_INPUT, "which recording? (-i names it)");
	if (check_same(input, to.path, err) || !(rec = open_input(env, o, input, err)) ||
	    !(sink = sink_open(&to, err)))
		return -1;
	/* answers for callers are known of call chains only */
	if (o->contained && (rec->is_pipe || measurement_samples_any(&rec->m, SAMPLE_STACK_USER)))
		how->chains = true;
	failed = inject_run(rec, sink, how, &o->symbols, &totals, err);
	fputs(buf_text(&totals.notes), stderr);
	buf_release(&totals.notes);
	if (failed || (o->contained && contain_file(env, to.path, &o->symbols, err)))
		return -1;
	if (o->verbose)
		fprintf(env->debug,
			"%llu records, %llu build-ids, %llu sleeps, %llu functions of JITs, "
			"%llu call chains\n",
			(unsigned long long)totals.records, (unsigned long long)totals.ids,
			(unsigned long long)totals.sleeps, (unsigned long long)totals.codes,
			(unsigned long long)totals.chains);
	return input_account(rec, "", o->strict);
}

static void inject_defaults(void *opts, const struct env *env)
{
	struct inject_opts *o = opts;

	symbol_opts_defaults(&o->symbols, env);
	o->symbols.jitdump = false; /* maps already say where the code of JITs lies */
}

static int cmd_inject_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct inject_opts *o = opts;
	struct inject_options how = {.ids = which_ids(o), .sleeps = o->sleeps, .jit = o->jit,
				     .chains = o->chains, .no_samples = o->strip,
				     .no_traces = o->decode};
	int status = -1;

	o->symbols.force = o->input.force;
	o->symbols.verbose += o->verbose;
	if (!inject_check(o, argc, argv, err) &&
	    (!o->contained || !contain_file_check(o->output, err)) &&
	    !symbol_opts_check(&o->symbols, err) &&
	    (!o->known || !known_ids_parse(&how.known, o->known, err)))
		status = write_anew(env, o, &how, err);
	known_ids_release(&how.known);
	return status;
}

static const char *const usage[] = {"inject [<options>]", NULL};

const struct cmd cmd_inject = {
	.name = "inject",
	.summary = "Filter to augment the events stream with additional information",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct inject_opts),
	.defaults = inject_defaults,
	.run = cmd_inject_run,
};
