// SPDX-License-Identifier: MIT
#include "cmd/lock/lock_opts.h"

#define AT(field) offsetof(struct lock_opts, field)
#define WORDS	  "contended wait_total wait_max wait_min avg_wait"

static const struct opt options[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(all_cpus), NULL,
	 "System-wide collection from all CPUs (with -b or a command)"},
	{OPT_BOOL, 'b', "use-bpf", AT(use_bpf), NULL,
	 "use BPF program to collect lock contention stats"},
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "List of cpus to monitor"},
	{OPT_UINT, 'E', "entries", AT(entries), "n", "display this many functions"},
	{OPT_STRING, 'F', "field", AT(fields), "contended,wait_total,wait_max,avg_wait",
	 "output fields:", .words = WORDS, .joined = ","},
	{OPT_BOOL, 'g', "lock-cgroup", AT(by_cgroup), NULL, "show lock stats by cgroup"},
	{OPT_STRING, 'G', "cgroup-filter", AT(cgroups), "CGROUPS", "Filter specific cgroups"},
	{OPT_STRING, 'J', "inject-delay", AT(delays), "time@lock[,...]",
	 "with -b: who waited for this lock holds it longer, for at most 10 ms"},
	{OPT_BOOL, 'j', "json", AT(form.json), NULL, "show JSON, all times in ns"},
	{OPT_STRING, 'k', "key", AT(key), "wait_total", "key for sorting:", .words = WORDS},
	{OPT_BOOL, 'l', "lock-addr", AT(by_lock), NULL, "show lock stats by address"},
	{OPT_STRING, 'L', "lock-filter", AT(locks), "addr/name[,...]",
	 "only locks of these addresses or names"},
	{OPT_UINT, 'M', "map-nr-entries", AT(rows), "num", "Max number of BPF map entries"},
	{OPT_BOOL, 'o', "lock-owner", AT(by_owner), NULL,
	 "show lock owners instead of waiters; with -v their call chains"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid", "Trace on existing process id"},
	{OPT_STRING, 'S', "callstack-filter", AT(callers), "name[,...]",
	 "only waits with a function in whose name one of these words is"},
	{OPT_BOOL, 't', "threads", AT(threads), NULL, "show per-thread lock stats"},
	{OPT_STRING, 'x', "field-separator", AT(form.separator), "separator",
	 "print result in CSV format with custom separator"},
	{OPT_STRING, 'Y', "type-filter", AT(types), "flag[,...]", "only locks of these types:",
	 .words = "semaphore spinlock rwlock rwlock:R rwlock:W rwsem rwsem:R rwsem:W rtmutex "
		  "rwlock-rt rwlock-rt:R rwlock-rt:W pcpu-sem pcpu-sem:R pcpu-sem:W mutex",
	 .joined = ","},
	{OPT_UINT, 0, "max-stack", AT(max_stack), "n",
	 "Set the maximum stack depth when collecting lock contention, Default: 8"},
	{OPT_UINT, 0, "stack-skip", AT(stack_skip), "n",
	 "Set the number of stack depth to skip when finding a lock caller, Default: 3",
	 .given_offset = AT(stack_skip_given)},
	{OPT_STRING, 0, "html", AT(form.html), "file", FORM_HTML_HELP},
	{OPT_STRING, 0, "tid", AT(tids), "tid", "Trace on existing thread id (exclusive to --pid)"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span of interest (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {lock_opts, 0}, {0}};

static int contention_filter(struct lock_table *t, const struct lock_opts *o, struct err *err)
{
	struct lock_filter *f = &t->how.filter;

	if (o->types && lock_filter_add_types(f, o->types, err))
		return -1;
	if (o->locks)
		lock_filter_add_locks(f, o->locks);
	if (o->callers)
		lock_filter_add_callers(f, o->callers);
	return lock_select(t, o, err);
}

static int contention_configure(struct lock_table *t, const struct lock_opts *o, struct err *err)
{
	if ((o->threads || o->by_owner) + o->by_lock + o->by_cgroup > 1)
		return err_set(err, ERR_USAGE, "-l, -g, and -t or -o exclude each other");
	if (o->form.separator && (!*o->form.separator || strlen(o->form.separator) > 1))
		return err_set(err, ERR_USAGE, "the separator of -x is one character: '%s'",
			       o->form.separator);
	t->how.by = o->threads || (o->by_owner && !o->verbose) ? LOCKS_BY_TASK
		    : o->by_lock			       ? LOCKS_BY_ADDRESS
		    : o->by_cgroup			       ? LOCKS_BY_CGROUP
							       : LOCKS_BY_CALLER;
	t->how.names_of_lock = o->by_lock;
	t->how.max_stack = o->max_stack;
	/* chains of a lock's holder do not begin with the lock's functions */
	t->how.skip = o->by_owner && !o->stack_skip_given ? 0 : o->stack_skip;
	t->view.contention = true;
	t->view.separator = o->form.separator;
	return locks_value_parse(&t->how.sort, o->key ? o->key : "wait_total", LOCKS_CONTENDED,
				 err) ||
			       locks_fields_parse(&t->view,
						  o->fields ? o->fields
							    : "contended,wait_total,wait_max,"
							      "avg_wait",
						  LOCKS_CONTENDED, t->how.sort, err) ||
			       contention_filter(t, o, err)
		       ? -1
		       : 0;
}

/* Refuses options that only a measurement has without -b, and options of recordings with -b. */
static int contention_check(const struct lock_opts *o, struct err *err)
{
	if (!o->use_bpf && (o->by_owner || o->by_cgroup || o->cgroups || o->delays)) {
		err_set(err, ERR_USAGE, "-o, -g, -G and -J need -b");
		return err_hint(err, "without -b a recording is read, of what was recorded");
	}
	if (o->use_bpf && (o->input.path || o->time || o->dump))
		return err_set(err, ERR_USAGE,
			       "-b measures: it reads no recording (-i, --time, -D)");
	if (o->use_bpf && (!o->rows || o->rows > 1u << 24))
		return err_set(err, ERR_USAGE, "-M is from 1 to 16777216: '%u'", o->rows);
	return 0;
}

static int contention_measure(struct env *env, struct lock_opts *o, struct err *err)
{
	struct lock_table t = {0};
	int status = -1, ended = -1;

	if (!contention_configure(&t, o, err))
		ended = lock_table_measure(&t, o, err);
	if (ended >= 0 && !lock_table_open_output(&t, o, env, err) &&
	    !lock_table_show(&t, o, env, err))
		status = lock_table_end(&t, o, err);
	lock_table_release(&t);
	return status ? status : ended;
}

static int cmd_contention_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct lock_opts *o = v;
	struct lock_table t = {0};
	int status = -1;

	if (contention_check(o, err))
		return -1;
	if (o->use_bpf) {
		o->command = argc ? argv : NULL;
		return contention_measure(env, o, err);
	}
	if (!contention_configure(&t, o, err) && !lock_instead(o, env, argc, argv, &status, err) &&
	    !lock_table_read(&t, o, env, err) && !lock_table_open_output(&t, o, env, err) &&
	    !lock_table_show(&t, o, env, err))
		status = lock_table_end(&t, o, err);
	lock_table_release(&t);
	return status;
}

static const char *const usage[] = {"lock contention [<options>] [<command>]",
				    "lock contention -b [<options>] [<command>]", NULL};

const struct cmd cmd_lock_contention = {
	.name = "contention",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.run = cmd_contention_run,
};
