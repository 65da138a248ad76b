// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

#include "cmd/front/dispatch.h"
#include "cmd/list/list_rows.h"
#include "cmd/options/opts_events.h"
#include "cmd/options/opts_symbols.h"
#include "os/machine/pmu.h"
#include "view/list/list.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct list_opts {
	bool desc, long_desc, deprecated, details, json, raw_dump;
	const char *cputype, *unit, *output, *events_dir;
};

#define AT(member) offsetof(struct list_opts, member)

static const struct opt options[] = {
	{OPT_BOOL, 'd', "desc", AT(desc), NULL,
	 "Print extra event descriptions. --no-desc to not print."},
	{OPT_BOOL, 'v', "long-desc", AT(long_desc), NULL, "Print longer event descriptions."},
	{OPT_STRING, 0, "cputype", AT(cputype), "hybrid cpu type",
	 "Print events applying cpu with this type for hybrid platform (e.g. core or atom)"},
	{OPT_STRING, 0, "unit", AT(unit), "PMU name", "Print only the events of this PMU"},
	EVENTS_DIR_OPTION(AT(events_dir)),
	{OPT_ABSENT, 0, "debug", 0, NULL, "Enable debugging output",
	 .why = "what list reads is not logged"},
	{OPT_BOOL, 0, "deprecated", AT(deprecated), NULL, "Print deprecated events."},
	{OPT_BOOL, 0, "details", AT(details), NULL,
	 "Print information on the perf event names and expressions used internally by events."},
	{OPT_BOOL, 'j', "json", AT(json), NULL, "JSON encode events and metrics"},
	{OPT_STRING, 'o', "output", AT(output), "file", "Write the list to this file"},
	{OPT_BOOL, 0, "raw-dump", AT(raw_dump), NULL, "Dump raw events", OPT_HIDDEN},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {NULL, 0}};

static void list_defaults(void *opts, const struct env *env)
{
	(void)env;
	((struct list_opts *)opts)->desc = true;
}

/* The PMU of one core type on a hybrid machine; NULL: all PMUs. */
static const char *pmu_of_type(const char *type, const struct event_host *host, struct arena *arena)
{
	const char *name = arena_printf(arena, "cpu_%s", type);

	if (pmu_is_core(host->pmu_root, name))
		return name;
	fprintf(stderr, "WARNING: hybrid cputype is not supported!\n");
	return NULL;
}

static void cmd_list_show(const struct listing *l, const struct list_opts *o, bool paged, int width,
			  struct buf *out)
{
	const struct list_view view = {.desc = o->desc,
				       .long_desc = o->long_desc,
				       .details = o->details,
				       .paged = paged,
				       .width = width - 1};

	if (o->json)
		list_show_json(l, o->details, out);
	else if (o->raw_dump)
		list_show_names(l, out);
	else
		list_show(l, &view, out);
}

/* The width of lines: $COLUMNS, the terminal's, or 80. */
static int list_width_of(const struct out *out)
{
	const char *columns = getenv("COLUMNS");
	int width = columns ? atoi(columns) : out->width;

	return width > 0 ? width : 80;
}

static void list_show_all(struct env *env, const struct list_opts *o, const struct event_host *host,
			  int argc, char **argv)
{
	bool paged = env->pager && env->out->terminal && !o->output;
	const struct list_sources from = {host, env->buildid_dir, symbol_cache_size(env->config)};
	const char *unit = o->unit;
	struct listing all = {0};
	int said = 0;

	if (o->cputype)
		unit = pmu_of_type(o->cputype, host, &all.arena);
	if (paged && !o->raw_dump && !o->json)
		buf_str(&env->out->buf,
			"\nList of pre-defined events (to be used in -e or -M):\n\n");
	/* each word makes a list of its own, but all words share one JSON array */
	for (int i = 0; i < (argc ? argc : 1); i++) {
		struct listing one = {0}, *l = o->json ? &all : &one;

		l->at_length = o->long_desc;
		l->deprecated = o->deprecated;
		if (argc)
			list_add_word(l, &from, argv[i]);
		else
			list_add(l, &from,
				 LIST_NAMED | LIST_RAW | LIST_BREAKPOINT | LIST_METRIC |
				    (o->json ? 0 : LIST_METRIC_GROUP),
			    NULL, NULL);
		if (unit)
			listing_only_pmu(l, unit);
		if (!o->json)
			cmd_list_show(l, o, paged, list_width_of(env->out), &env->out->buf);
		if (l->refused.code && !said++) {
			fprintf(stderr, "tracepoints are not listed: ");
			show_err(&l->refused);
		}
		listing_release(&one);
	}
	if (o->json)
		cmd_list_show(&all, o, paged, 0, &env->out->buf);
	listing_release(&all);
}

static int cmd_list_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct list_opts *o = opts;
	int stdout_fd = env->out->fd;
	struct event_source source;
	AUTO_FD fd = -1;

	if (o->output) {
		fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return err_sys(err, errno, "cannot write '%s'", o->output);
		env->out->fd = fd;
	}
	if (!event_source_open(&source, o->events_dir, env->config, err))
		list_show_all(env, o, &source.host, argc, argv);
	event_source_release(&source);
	if (!out_flush(env->out) && o->output)
		err_sys(err, env->out->failed, "cannot write '%s'", o->output);
	env->out->fd = stdout_fd;
	return err->code ? -1 : 0;
}

static const char *const usage[] = {
	"list [<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|metricgroup|event_glob]", NULL};

const struct cmd cmd_list = {
	.name = "list",
	.summary = "List all symbolic event types",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct list_opts),
	.pager = true,
	.defaults = list_defaults,
	.list_words = list_words,
	.run = cmd_list_run,
};
