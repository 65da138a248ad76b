// SPDX-License-Identifier: MIT
#include "cmd/front/front_opts.h"

#include <string.h>

#define AT(field) offsetof(struct front_opts, field)

static int exec_path_option(void *place, const struct opt *opt, const char *value, bool unset,
			    struct err *err)
{
	struct front_opts *o = place;

	(void)opt;
	(void)unset;
	(void)err;
	if (value)
		o->exec_path = value;
	else
		o->show_exec_path = true;
	return 0;
}

/* Variables of --debug. A variable without an offset is accepted and has no effect. */
static const struct debug_variable {
	const char *name;
	size_t at; /* offset of an int; 0: no effect */
} debug_variables[] = {
	{"verbose", AT(verbose)}, {"perf-event-open", AT(opens)}, {"ordered-events", 0},
	{"data-convert", 0},	  {"stderr", AT(errors_apart)},	  {"kmaps", 0},
};

static void debug_words(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(debug_variables); i++)
		buf_word(out, debug_variables[i].name);
}

/* VARIABLE[=N] */
static int debug_option(void *place, const struct opt *opt, const char *value, bool unset,
			struct err *err)
{
	size_t len = strcspn(value, "=");
	uint64_t n = 1;

	(void)opt;
	(void)unset;
	if (value[len] && (parse_u64(value + len + 1, &n) || n > 10))
		return err_set(err, ERR_USAGE, "--debug takes a number from 0 to 10, not '%s'",
			       value + len + 1);
	for (size_t i = 0; i < ARRAY_SIZE(debug_variables); i++) {
		const struct debug_variable *v = &debug_variables[i];

		if (strlen(v->name) != len || memcmp(v->name, value, len))
			continue;
		if (v->at)
			*(int *)(void *)((char *)place + v->at) = (int)n;
		return 0;
	}
	return err_set(err, ERR_USAGE, "unknown option name '%s'", value);
}

static const struct opt front_opts[] = {
	{OPT_BOOL, 'h', "help", AT(help), NULL, "show the commands, or the page of one",
	 OPT_NO_NEGATE},
	{OPT_COUNT, 'v', "version", AT(version), NULL,
	 "show the version; -vv: and what is built in", OPT_NO_NEGATE},
	{OPT_CALL, 0, "exec-path", 0, "path", "where perf-CMD programs lie; alone: show it",
	 OPT_OPTIONAL | OPT_NO_NEGATE, .call = exec_path_option},
	{OPT_BOOL, 0, "html-path", AT(html_path), NULL, "show where HTML pages lie", OPT_NO_NEGATE},
	{OPT_BOOL, 'p', "paginate", AT(paginate), NULL, "page the output on a terminal",
	 OPT_NO_NEGATE},
	{OPT_BOOL, 0, "no-pager", AT(no_pager), NULL, "never start a pager", OPT_NO_NEGATE},
	{OPT_STRING, 0, "debugfs-dir", AT(debugfs_dir), "dir", "where debugfs is mounted",
	 OPT_NO_NEGATE},
	{OPT_STRING, 0, "buildid-dir", AT(buildid_dir), "dir", "the store of files by build-id",
	 OPT_NO_NEGATE},
	{OPT_BOOL, 0, "list-cmds", AT(list_cmds), NULL, "list the commands", OPT_NO_NEGATE},
	{OPT_BOOL, 0, "complete", AT(complete), NULL, "what the last of these words can become",
	 OPT_NO_NEGATE | OPT_HIDDEN},
	{OPT_CALL, 0, "debug", 0, "variable[=n]", "say more: verbose, perf-event-open, stderr",
	 OPT_NO_NEGATE, .call = debug_option, .list = debug_words},
	{OPT_STRING, 0, "debug-file", AT(debug_file), "file", "write there what -v and --debug say",
	 OPT_NO_NEGATE},
	{OPT_END},
};
const struct opt_group front_groups[] = {{front_opts, 0}, {0}};
