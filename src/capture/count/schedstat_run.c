// SPDX-License-Identifier: MIT
#include "capture/count/schedstat_run.h"

#include "capture/open/measured.h"

#include <errno.h>

static int schedstat_snapshot(const struct schedstat_run *run, struct err *err)
{
	struct schedstat s = {0};
	const int failed =
		schedstat_read(&s, run->proc_root, err) || run->take(run->ctx, &s, err) ? -1 : 0;

	schedstat_release(&s);
	return failed;
}

static int schedstat_wait(struct measured *m, struct err *err)
{
	const struct target_options all = {.system_wide = true};

	measured_watch(m, -1, &all);
	if (m->command.pid && spawn_start(&m->command, err))
		return -1;
	while (!m->stop)
		if (measured_wait(m, -1) < 0)
			return err_sys(err, errno, "cannot wait for the end");
	return measured_check(m, err);
}

static int schedstat_measure(const struct schedstat_run *run, struct measured *m, struct err *err)
{
	struct err late = {0};
	bool switched;
	int failed;

	if (run->command &&
	    spawn_prepare(&m->command, run->command, &(struct spawn_options){0}, err))
		return -1;
	if (schedstat_switch_on(run->proc_root, &switched, err))
		return -1;
	failed = schedstat_snapshot(run, err) || schedstat_wait(m, err) ||
				 schedstat_snapshot(run, err)
			 ? -1
			 : 0;
	if (switched && schedstat_switch_off(run->proc_root, failed ? &late : err))
		return -1;
	return failed;
}

int schedstat_run(const struct schedstat_run *run, struct schedstat_result *result, struct err *err)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
	struct measured m = {0};
	int failed;

	if (signals_open(&m.signals, caught, err))
		return -1;
	failed = schedstat_measure(run, &m, err);
	result->exit_status = measured_end(&m);
	result->signal = m.signal;
	return failed;
}
