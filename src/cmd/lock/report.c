// SPDX-License-Identifier: MIT
#include "cmd/lock/lock_opts.h"

#define AT(field) offsetof(struct lock_opts, field)
#define WORDS	  "acquired contended avg_wait wait_total wait_max wait_min"

static const struct opt options[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(all_cpus), NULL, "with a command: of all processes"},
	{OPT_BOOL, 'c', "combine-locks", AT(combine), NULL, "combine locks in the same class"},
	{OPT_UINT, 'E', "entries", AT(entries), "n", "display this many functions"},
	{OPT_STRING, 'F', "field", AT(fields), "field[,field...]", "output fields:", .words = WORDS,
	 .joined = ","},
	{OPT_BOOL, 'j', "json", AT(form.json), NULL, "show JSON, all times in ns"},
	{OPT_STRING, 'k', "key", AT(key), "acquired", "key for sorting:", .words = WORDS},
	{OPT_BOOL, 't', "threads", AT(threads), NULL, "show per-thread lock stats"},
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "only events on these CPUs: 0-3,8"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]", "only events of these processes"},
	{OPT_STRING, 'x', "field-separator", AT(form.separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_STRING, 0, "html", AT(form.html), "file", FORM_HTML_HELP},
	{OPT_STRING, 0, "tid", AT(tids), "tid[,tid...]", "only events of these threads"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span of interest (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {lock_opts, 0}, {0}};

static int report_configure(struct lock_table *t, const struct lock_opts *o, struct err *err)
{
	t->how = (struct locks_options){.by = o->threads ? LOCKS_BY_TASK : LOCKS_BY_ADDRESS,
					.combine = o->combine,
					.max_stack = 8,
					.skip = 3};
	return locks_value_parse(&t->how.sort, o->key ? o->key : "acquired", LOCKS_ACQUIRED, err) ||
			       locks_fields_parse(
				       &t->view,
				       o->fields ? o->fields
						 : "acquired,contended,avg_wait,wait_total,"
						   "wait_max,wait_min",
				       LOCKS_ACQUIRED, t->how.sort, err)
		       ? -1
		       : 0;
}

static int cmd_report_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct lock_opts *o = v;
	struct lock_table t = {0};
	int status = -1;

	if (!lock_select(&t, o, err) && !report_configure(&t, o, err) &&
	    !lock_instead(o, env, argc, argv, &status, err) && !lock_table_read(&t, o, env, err) &&
	    !lock_table_open_output(&t, o, env, err) && !lock_table_show(&t, o, env, err))
		status = lock_table_end(&t, o, err);
	lock_table_release(&t);
	return status;
}

static const char *const usage[] = {"lock report [<options>] [<command>]", NULL};

const struct cmd cmd_lock_report = {
	.name = "report",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.run = cmd_report_run,
};
