// SPDX-License-Identifier: MIT
/* Counts for perf calls: programs that were built with -finstrument-functions. */
#include "analysis/durations/call_counts.h"
#include "base/monotonic.h"
#include "cmd/calls/calls_opts.h"
#include "os/preload/preload.h"
#include "os/process/attend.h"
#include "symbol/elf/elf_names.h"

#include <limits.h>
#include <string.h>

bool calls_are_counted(const struct calls_opts *o, char **argv)
{
	struct err ignored = {0};

	if (o->pairs.n)
		return false;
	if (o->source)
		return !strcmp(o->source, "instrumented");
	if (!*argv || o->common.pids || o->common.system_wide || o->exec || o->budget)
		return false;
	AUTO_CHAR *path = program_path(argv[0], &ignored);

	return path && elf_needs_symbol(path, "__cyg_profile_func_enter");
}

static int calls_count_check(const struct calls_opts *o, char **argv, struct err *err)
{
	if (!*argv || o->common.pids || o->common.system_wide)
		return err_set(err, ERR_USAGE, "inserted calls are counted in a command only");
	if (o->common.call_graph || o->common.mmap_pages || o->common.output || o->exec ||
	    o->budget || o->slowest != UINT_MAX || o->max_stack != UINT_MAX) {
		err_set(err, ERR_USAGE,
			"inserted calls are counted: nothing is recorded, and no "
			"stacks are kept");
		return err_hint(err, "'--source probes' takes the options of recording, '-n' and "
				     "'--max-stack'");
	}
	return 0;
}

int calls_count(struct calls_opts *o, char **argv, struct durations *d, struct dso_set *dsos,
		struct err *err)
{
	struct preload preload;
	int status = -1;

	if (calls_count_check(o, argv, err))
		return -1;
	d->begin = monotonic_ns();
	if (!preload_open(&preload, PRELOAD_CALLS, err))
		status = attend_program(argv, err);
	d->end = monotonic_ns();
	if (status >= 0)
		call_counts_read(d, preload.table, o->functions, dsos);
	preload_release(&preload);
	return status;
}
