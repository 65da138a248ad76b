// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

#include "event/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct list_opts {
	bool desc, long_desc, debug, deprecated, details, json, raw_dump;
	const char *unit, *output;
};

static const struct opt options[] = {
	{OPT_BOOL, 'd', "desc", offsetof(struct list_opts, desc), NULL,
	 "Print extra event descriptions. --no-desc to not print."},
	{OPT_BOOL, 'v', "long-desc", offsetof(struct list_opts, long_desc), NULL,
	 "Print longer event descriptions."},
	{OPT_STRING, 0, "cputype", offsetof(struct list_opts, unit), "hybrid cpu type",
	 "Print events applying cpu with this type for hybrid platform (e.g. core or atom)"},
	{OPT_STRING, 0, "unit", offsetof(struct list_opts, unit), "PMU name",
	 "Print only the events of this PMU"},
	{OPT_BOOL, 0, "debug", offsetof(struct list_opts, debug), NULL, "Enable debugging output"},
	{OPT_BOOL, 0, "deprecated", offsetof(struct list_opts, deprecated), NULL,
	 "Print deprecated events."},
	{OPT_BOOL, 0, "details", offsetof(struct list_opts, details), NULL,
	 "Print information on the perf event names and expressions used internally by events."},
	{OPT_BOOL, 'j', "json", offsetof(struct list_opts, json), NULL,
	 "JSON encode events and metrics"},
	{OPT_STRING, 'o', "output", offsetof(struct list_opts, output), "file",
	 "Write the list to this file"},
	{OPT_BOOL, 0, "raw-dump", offsetof(struct list_opts, raw_dump), NULL, "Dump raw events",
	 OPT_HIDDEN},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {NULL, 0}};

#define ALL_NAMED                                                                                  \
	(LIST_HARDWARE | LIST_SOFTWARE | LIST_TOOL | LIST_CACHE | LIST_PMU | LIST_TRACEPOINT)

/* A word for a kind of events; headings have none that we know: they stand alone. */
static const struct {
	const char *word, *other;
	unsigned int kinds;
	const char *heading;
} sections[] = {
	{"hw", "hardware", LIST_HARDWARE, NULL},
	{"sw", "software", LIST_SOFTWARE | LIST_TOOL, NULL},
	{"cache", "hwcache", LIST_CACHE, NULL},
	{"tracepoint", NULL, LIST_TRACEPOINT, NULL},
	{"pmu", NULL, LIST_PMU, NULL},
	{"sdt", NULL, 0, NULL},
	{"metric", "metrics", 0, "\nMetrics:\n\n"},
	{"metricgroup", "metricgroups", 0, "\nMetric Groups:\n\n"},
};

static void show_name(const struct listing_row *row, struct buf *line)
{
	buf_str(line, row->name);
	if (row->alias) {
		buf_str(line, " OR ");
		buf_str(line, row->alias);
	}
}

static void show_text(const struct listing *l, bool paged, struct buf *out)
{
	struct buf line = {0};

	for (size_t i = 0; i < l->rows.n; i++) {
		const struct listing_row *row = &l->rows.at[i];
		bool last = i + 1 == l->rows.n || l->rows.at[i + 1].kind != row->kind;

		buf_clear(&line);
		show_name(row, &line);
		buf_str(out, "  ");
		buf_left(out, buf_text(&line), 50);
		buf_str(out, " [");
		buf_str(out, listing_kind_text(row->kind));
		buf_str(out, "]\n");
		if (last && paged)
			buf_str(out, row->kind == LIST_RAW
					     ? "   (see 'man perf-list' on how to encode it)\n\n"
					     : "\n");
	}
	buf_release(&line);
}

static void show_raw(const struct listing *l, struct buf *out)
{
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct listing_row *row = &l->rows.at[i];

		if (row->kind == LIST_RAW || row->kind == LIST_BREAKPOINT)
			continue;
		buf_str(out, row->core ? row->alias : row->name);
		buf_char(out, ' ');
	}
}

static void json_field(const char *name, const char *value, bool *first, struct buf *out)
{
	if (!value)
		return;
	buf_str(out, *first ? "\n\t\"" : ",\n\t\"");
	*first = false;
	buf_str(out, name);
	buf_str(out, "\": \"");
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;

		if (c < 0x20) {
			buf_str(out, "\\u");
			buf_hex_zero(out, c, 4);
			continue;
		}
		if (c == '"' || c == '\\')
			buf_char(out, '\\');
		buf_char(out, *value);
	}
	buf_char(out, '"');
}

static void show_json(const struct listing *l, const struct list_opts *o, struct buf *out)
{
	buf_char(out, '[');
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct listing_row *row = &l->rows.at[i];
		bool first = true;

		buf_str(out, i ? ",\n{" : "\n{");
		json_field("Unit", row->kind == LIST_PMU ? row->pmu : NULL, &first, out);
		json_field("Topic", row->kind == LIST_TRACEPOINT ? row->pmu : NULL, &first, out);
		json_field("EventName", row->name, &first, out);
		json_field("EventAlias", row->alias, &first, out);
		json_field("ScaleUnit", row->unit, &first, out);
		json_field("EventType", listing_kind_text(row->kind), &first, out);
		json_field("Encoding", o->details ? row->terms : NULL, &first, out);
		buf_str(out, "\n}");
	}
	buf_str(out, "\n]\n");
}

/* What one word of the command line asks for; returns the heading that goes with it, or NULL. */
static const char *add_word(struct listing *l, const struct event_host *host, const char *word)
{
	const char *colon = strchr(word, ':');

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (!strcmp(word, sections[i].word) ||
		    (sections[i].other && !strcmp(word, sections[i].other))) {
			listing_add(l, host, sections[i].kinds, NULL, NULL);
			return sections[i].heading;
		}
	if (colon)
		listing_add(l, host, LIST_TRACEPOINT,
			    arena_strndup(&l->arena, word, (size_t)(colon - word)), colon + 1);
	else
		listing_add(l, host, ALL_NAMED, NULL, arena_printf(&l->arena, "*%s*", word));
	return NULL;
}

static void show(const struct listing *l, const struct list_opts *o, bool paged, struct buf *out)
{
	if (o->json)
		show_json(l, o, out);
	else if (o->raw_dump)
		show_raw(l, out);
	else
		show_text(l, paged, out);
}

static void only_unit(struct listing *l, const char *unit)
{
	size_t n = 0;

	for (size_t i = 0; i < l->rows.n; i++)
		if (l->rows.at[i].kind != LIST_PMU || !strcmp(l->rows.at[i].pmu, unit))
			l->rows.at[n++] = l->rows.at[i];
	l->rows.n = n;
}

static int run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct list_opts *o = opts;
	bool paged = env->pager && env->out->terminal && !o->output;
	struct arena arena = {0};
	struct event_host host = event_host_here(&arena);
	struct buf *out = &env->out->buf;
	struct listing all = {0};
	int stdout_fd = env->out->fd;
	AUTO_FD fd = -1;

	if (o->output) {
		fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return err_sys(err, errno, "cannot write '%s'", o->output);
		env->out->fd = fd;
	}
	if (paged && !o->raw_dump && !o->json)
		buf_str(out, "\nList of pre-defined events (to be used in -e or -M):\n\n");
	/* each word is a list of its own, but JSON is one array */
	for (int i = 0; i < (argc ? argc : 1); i++) {
		const char *heading = "\nMetric Groups:\n\n";
		struct listing one = {0}, *l = o->json ? &all : &one;

		if (argc)
			heading = add_word(l, &host, argv[i]);
		else
			listing_add(l, &host, ALL_NAMED | LIST_RAW | LIST_BREAKPOINT, NULL, NULL);
		if (o->unit)
			only_unit(l, o->unit);
		if (!o->json) {
			show(l, o, paged, out);
			if (heading && !o->raw_dump)
				buf_str(out, heading);
			else if (argc && o->raw_dump && !strcmp(argv[i], "metric"))
				buf_char(out, '\n'); /* the end of an empty line of names */
		}
		listing_release(&one);
	}
	if (o->json)
		show(&all, o, paged, out);
	listing_release(&all);
	arena_release(&arena);
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
	.run = run,
};
