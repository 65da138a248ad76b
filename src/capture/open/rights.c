// SPDX-License-Identifier: MIT
/* Explains to the user why events and rings could not be opened: one sentence, one change that
 * helps. */
#include "os/rights/rights.h"

#include "capture/open/open.h"
#include "os/machine/cpus.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>

static int no_right(struct err *err, int sys, const struct event *ev, int tid, int cpu)
{
	int paranoid = rights_paranoid("/proc");
	int wanted = tid == -1 ? 0 : 2;

	(void)cpu;
	if (ev->attr.type == TYPE_TRACEPOINT)
		wanted = -1;
	else if (tid != -1 && !(ev->attr.flags & ATTR_EXCLUDE_KERNEL))
		wanted = 1;
	err_set(err, ERR_RIGHTS, "not allowed to open '%s'%s: %s", ev->name,
		tid == -1 ? " on whole CPUs" : "", strerror(sys));
	/* The kernel's own checks say EACCES. */
	if (sys == EPERM && rights_confined("/proc"))
		return err_hint(err,
				"a seccomp filter forbids perf_event_open: start the container "
				"with one that allows it");
	/* a probe in a program writes to its code: Linux 6.16 and later releases of older kernels
	 * do not let CAP_PERFMON do that */
	if (ev->pmu && !strcmp(ev->pmu, "uprobe") && !rights_has("/proc", CAP_SYS_ADMIN))
		return err_hint(err, rights_perfmon("/proc")
					     ? "this kernel lets only root, or CAP_SYS_ADMIN, "
					       "probe programs"
					     : "probes in programs need root, or CAP_SYS_ADMIN "
					       "(before Linux 6.16: CAP_PERFMON)");
	if (rights_perfmon("/proc"))
		return err_hint(err, "the kernel is locked down, or a security module forbids "
				     "perf_event_open");
	if (ev->pmu && !strcmp(ev->pmu, "kprobe"))
		return err_hint(err, "probes need root, or CAP_PERFMON:\n"
				     "  setcap cap_perfmon=ep on this program");
	if (paranoid <= wanted && tid > 0)
		return err_hint(err, "process %d belongs to another user: run as that user, or "
				     "with CAP_PERFMON and CAP_SYS_PTRACE", tid);
	return err_hint(err, "perf_event_paranoid is %d; any of these helps:\n"
			     "  sysctl kernel.perf_event_paranoid=%d\n"
			     "  setcap cap_perfmon=ep on this program, or run as root",
			paranoid, wanted);
}

static bool is_online(int cpu)
{
	struct cpu_list online = {0};
	bool is = cpus_online("/sys", &online) || cpus_has(&online, cpu);

	vec_release(&online);
	return is;
}

int rights_explain(struct err *err, int sys, const struct event *ev, int tid, int cpu)
{
	if (ev->cgroup && (sys == ENOENT || sys == ENODEV || sys == EBADF || sys == ENOTDIR)) {
		err_set(err, ERR_SYSTEM, "there is no control group '%s'", ev->cgroup);
		return err_hint(err,
				"it is named from the top of the hierarchy under /sys/fs/cgroup");
	}
	switch (sys) {
	case EACCES:
	case EPERM:
		return no_right(err, sys, ev, tid, cpu);
	case ENOSYS:
		err_set(err, ERR_UNSUPPORTED, "this system has no perf_event_open");
		return err_hint(err,
				"the kernel lacks CONFIG_PERF_EVENTS, or a container's seccomp "
				"filter hides the call");
	case ENOENT:
	case ENODEV:
	case ENXIO:
		if (sys == ENODEV && cpu >= 0 && !is_online(cpu))
			return err_set(err, ERR_SYSTEM, "CPU %d has just gone offline", cpu);
		err_set(err, ERR_UNSUPPORTED, "this machine has no event '%s'", ev->name);
		return err_hint(err, ev->attr.type == TYPE_HARDWARE ||
						     ev->attr.type == TYPE_HW_CACHE ||
						     ev->attr.type == TYPE_RAW
					     ? "in a virtual machine its hardware counters must be "
					       "switched on from outside; 'cpu-clock' works "
					       "everywhere"
					     : "see 'perf list'");
	case EOPNOTSUPP:
		if (ev->attr.sample_type & SAMPLE_BRANCH_STACK)
			return err_set(err, ERR_UNSUPPORTED,
				       "'%s' cannot sample branches on this machine", ev->name);
		if (ev->attr.sample_type & SAMPLE_PHYS_ADDR)
			return err_set(err, ERR_UNSUPPORTED,
				       "'%s' cannot sample physical addresses", ev->name);
		if (attr_precise(&ev->attr))
			return err_set(err, ERR_UNSUPPORTED, "'%s' cannot be that precise: use "
							     "fewer 'p' modifiers", ev->name);
		return err_set(err, ERR_UNSUPPORTED, "'%s' cannot be sampled on this machine",
			       ev->name);
	case EMFILE:
	case ENFILE:
		err_set(err, ERR_SYSTEM, "too many events for the limit of open files");
		return err_hint(err, "raise it with 'ulimit -n', or measure fewer CPUs or threads");
	case EBUSY:
		err_set(err, ERR_SYSTEM, "the hardware that '%s' needs is in use", ev->name);
		return err_hint(err, "another perf may run, or the NMI watchdog: "
				     "sysctl kernel.nmi_watchdog=0");
	case EOVERFLOW:
		err_set(err, ERR_UNSUPPORTED, "call chains of %u frames are deeper than allowed",
			ev->attr.sample_max_stack);
		return err_hint(err, "raise kernel.perf_event_max_stack, or ask for fewer frames");
	case EINVAL:
		if (ev->attr.flags & ATTR_USE_CLOCKID)
			return err_set(err, ERR_UNSUPPORTED,
				       "this kernel cannot take the times of '%s' from clock %d",
				       ev->name, ev->attr.clockid);
		return err_set(err, ERR_UNSUPPORTED,
			       "this kernel refuses '%s' with these options", ev->name);
	case ESRCH:
		return err_set(err, ERR_SYSTEM, "the process to measure (%d) has ended", tid);
	default:
		return err_sys(err, sys, "cannot open '%s'", ev->name);
	}
}

int rights_ring(struct err *err, int sys, size_t size)
{
	if (sys != EPERM)
		return err_sys(err, sys, "cannot map a ring of %zu KiB", size >> 10);
	err_set(err, ERR_RIGHTS, "not allowed to lock %zu KiB of memory for a ring", size >> 10);
	return err_hint(err,
			"use a smaller one (-m), end other perf sessions of this user, or raise\n"
			"  sysctl kernel.perf_event_mlock_kb=%zu",
			2 * (size >> 10));
}
