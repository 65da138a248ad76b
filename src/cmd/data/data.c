// SPDX-License-Identifier: MIT
/* perf data: converts a recording to formats of other programs. */
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "view/convert/convert.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct data_opts {
	struct input_opts input;
	struct filter_opts filter; /* its .time alone */
	const char *json, *ctf, *sqlite;
	bool all, tod;
	int verbose;
};

#define AT(field) offsetof(struct data_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "be more verbose"},
	{OPT_BOOL, 0, "all", AT(all), NULL, "Convert all events"},
	{OPT_STRING, 0, "time", AT(filter.time), "str", "Time span of interest (start,stop)"},
	{OPT_STRING, 0, "to-ctf", AT(ctf), "dir", "Convert to CTF format"},
	{OPT_STRING, 0, "to-json", AT(json), "file", "Convert to JSON format"},
	{OPT_STRING, 0, "to-sqlite", AT(sqlite), "file",
	 "Convert to a SQLite database with the tables of perf's SQL"},
	{OPT_BOOL, 0, "tod", AT(tod), NULL, "Convert time to wall clock time"},
	{OPT_END},
};
static const struct opt_group groups[] = {{options, 0}, {0}};

static int data_check(const struct data_opts *o, int argc, char **argv, struct err *err)
{
	const int formats = (o->json != NULL) + (o->ctf != NULL) + (o->sqlite != NULL);

	if (argc)
		return err_set(err, ERR_USAGE, "convert takes no argument: '%s' (-i names a file)",
			       argv[0]);
	if (o->json && o->ctf)
		return err_set(err, ERR_INPUT, "You cannot specify both --to-ctf and --to-json.");
	if (formats > 1)
		return err_set(err, ERR_INPUT, "one of --to-ctf, --to-json and --to-sqlite only");
	if (!formats)
		return err_set(err, ERR_INPUT,
			       "You must specify one of --to-ctf, --to-json or --to-sqlite.");
	if (o->all && !o->ctf)
		return err_set(err, ERR_INPUT, "--all is currently unsupported for %s output.",
			       o->json ? "JSON" : "SQLite");
	if (o->tod && !o->ctf)
		return err_set(err, ERR_INPUT, "--tod is currently unsupported for %s output.",
			       o->json ? "JSON" : "SQLite");
	return 0;
}

/* Creates a file. It must not exist, unless --force is given. */
static int data_create(const struct data_opts *o, const char *path, struct err *err)
{
	const int fd = open(
		path, O_CREAT | O_WRONLY | O_CLOEXEC | (o->input.force ? O_TRUNC : O_EXCL), 0666);

	if (fd >= 0)
		return fd;
	if (errno != EEXIST)
		return err_sys(err, errno, "cannot write '%s'", path);
	err_set(err, ERR_INPUT, "'%s' exists", path);
	return err_hint(err, "-f writes over it");
}

static int data_json(const struct data_opts *o, struct convert *c, struct err *err)
{
	const int fd = data_create(o, o->json, err);
	struct out out;
	struct stat st;
	int failed;

	if (fd < 0)
		return -1;
	out_init(&out, fd);
	failed = convert_json(c, &out, err);
	failed |= out_end(&out, failed ? NULL : err);
	out_release(&out);
	if (!fstat(fd, &st))
		c->bytes = (uint64_t)st.st_size;
	close(fd);
	return failed;
}

static int data_sqlite(const struct data_opts *o, struct convert *c, struct err *err)
{
	const int fd = data_create(o, o->sqlite, err);
	struct stat st;
	int failed;

	if (fd < 0)
		return -1;
	failed = convert_sqlite(c, fd, o->sqlite, err);
	if (!fstat(fd, &st))
		c->bytes = (uint64_t)st.st_size;
	close(fd);
	return failed;
}

static void data_tell(const struct data_opts *o, const struct convert *c)
{
	fprintf(stderr, "[ perf data convert: Converted '%s' into %s data '%s' ]\n", c->rec->path,
		o->json	 ? "JSON"
		: o->ctf ? "CTF"
			 : "SQLite",
		o->json	 ? o->json
		: o->ctf ? o->ctf
			 : o->sqlite);
	fprintf(stderr, "[ perf data convert: Converted and wrote %.3f MB (%llu samples",
		(double)c->bytes / 1024 / 1024, (unsigned long long)c->samples);
	if (c->others)
		fprintf(stderr, ", %llu non-samples", (unsigned long long)c->others);
	fputs(") ]\n", stderr);
}

static int data_convert(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct data_opts *o = v;
	struct symbol_options symbols = {.buildid_dir = env->buildid_dir,
					 .verbose = o->verbose,
					 .demangle = true,
					 .force = o->input.force};
	AUTO(recording) *rec = NULL;
	AUTO(world) *world = NULL;
	struct filter filter = {0};
	struct convert c = {.all = o->all, .tod = o->tod, .filter = &filter};
	struct stat st;
	int64_t offset;
	int failed;

	if (data_check(o, argc, argv, err))
		return -1;
	rec = input_open_recording(&o->input, env->out, err);
	if (!rec)
		return -1;
	if (!rec->is_pipe && !stat(rec->path, &st))
		c.captured = st.st_mtime;
	if (o->tod && !convert_wall_offset(rec, &offset)) {
		err_set(err, ERR_INPUT,
			"Can't provide --tod time, missing clock data. "
			"Please record with -k/--clockid option.");
		return -1;
	}
	if (filter_opts_apply(&o->filter, rec, &filter, err)) {
		filter_release(&filter);
		return -1;
	}
	c.rec = rec;
	c.world = world = world_of_recording(rec, &symbols);
	failed = o->json  ? data_json(o, &c, err)
		 : o->ctf ? convert_ctf(&c, o->ctf, err)
			  : data_sqlite(o, &c, err);
	filter_release(&filter);
	if (failed)
		return -1;
	data_tell(o, &c);
	symbols_explain(world_dsos(world), env->debug);
	return input_account(rec, "perf: ", false);
}

static const char *const usage[] = {"data convert [<options>]", NULL};

static const struct cmd convert = {
	.name = "convert",
	.summary = "converts data file between formats",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct data_opts),
	.run = data_convert,
};

static const struct cmd *const subcommands[] = {&convert, NULL};

static int data_refuse(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	(void)env;
	(void)v;
	if (argc)
		return err_set(err, ERR_USAGE, "Unknown command: %s", argv[0]);
	return err_set(err, ERR_USAGE, "data converts recordings: 'perf data convert'");
}

const struct cmd cmd_data = {
	.name = "data",
	.summary = "Data file related processing",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct data_opts),
	.stop_at_word = true,
	.subcommands = subcommands,
	.run = data_refuse,
};
