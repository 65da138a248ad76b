// SPDX-License-Identifier: MIT
#include "selftest/doctor/doctor.h"

#include "event/attr.h"
#include "event/memory.h"
#include "os/machine/cgroup.h"
#include "os/machine/host.h"
#include "os/machine/pmu.h"
#include "os/perf.h"
#include "os/proc/proc.h"
#include "os/rights/rights.h"
#include "os/tracing/tracefs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CLOCK	   0u		  /* PERF_COUNT_SW_CPU_CLOCK */
#define CYCLES	   0u		  /* PERF_COUNT_HW_CPU_CYCLES */
#define ANY_BRANCH (1u << 3 | 1u) /* PERF_SAMPLE_BRANCH_ANY, of user space */
#define USER_ONLY  (ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV)
#define CAP	   "CAP_PERFMON"
#define PARANOID   "perf_event_paranoid"
#define CAPABLE	   "setcap cap_perfmon+ep on perf"

/* 0, or the errno of opening it. */
static int doctor_try_open(struct attr a, int pid, int cpu, unsigned int flags)
{
	uint8_t bytes[sizeof(a)];
	int fd;

	a.size = a.size ? a.size : ATTR_SIZE_6_1;
	a.flags |= ATTR_DISABLED;
	attr_encode(&a, bytes);
	fd = perf_open(bytes, pid, cpu, -1, flags);
	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

/* Something that the user's rights decide. */
struct right {
	const char *name, *what, *needs;
	struct attr attr;
	int pid, cpu;
	int paranoid; /* the sysctl's value that allows it to everybody */
};

static void check_right(struct findings *f, const struct doctor_roots *roots, const struct right *r)
{
	int got = doctor_try_open(r->attr, r->pid, r->cpu, 0);
	int level = rights_paranoid(roots->proc);
	struct finding *x = doctor_add(f, r->name, r->what, got ? FINDING_LACKS : FINDING_WORKS);

	x->needs = r->needs;
	if (!got)
		return;
	doctor_say(x->why, "%s", strerror(got));
	if (got == ENOSYS || (doctor_is_refusal(got) && level <= r->paranoid)) {
		doctor_say(x->why,
			   rights_confined(roots->proc)
				   ? "a seccomp filter of this container hides the call: %s"
				   : "the kernel refuses it: %s",
			   strerror(got));
		doctor_say(x->change, "let the container's seccomp profile allow perf_event_open");
	} else if (doctor_is_refusal(got)) {
		doctor_say(x->why, "kernel." PARANOID " is %d, and there is no " CAP, level);
		doctor_say(x->change, "sysctl kernel." PARANOID "=%d, or " CAPABLE, r->paranoid);
	}
}

static void check_software(struct findings *f, const struct doctor_roots *roots)
{
	const struct attr all = {.type = TYPE_SOFTWARE, .config = CLOCK},
			  user = {.type = TYPE_SOFTWARE, .config = CLOCK, .flags = USER_ONLY},
			  stack = {.type = TYPE_SOFTWARE,
				   .config = CLOCK,
				   .flags = USER_ONLY,
				   .sample_period = 1000000,
				   .sample_regs_user = 1,
				   .sample_type = SAMPLE_REGS_USER | SAMPLE_STACK_USER,
				   .sample_stack_user = 8192};
	const struct right rights[] = {
		{"own-user", "own programs, in user space", PARANOID " <= 2, or " CAP, user, 0, -1,
		 2},
		{"own-kernel", "own programs, in the kernel", PARANOID " <= 1, or " CAP, all, 0, -1,
		 1},
		{"machine", "the whole machine (-a)", PARANOID " <= 0, or " CAP, all, -1, 0, 0},
		{"stack-dumps", "call graphs by stack dumps (dwarf)", PARANOID " <= 2, or " CAP,
		 stack, 0, -1, 2}};

	for (size_t i = 0; i < ARRAY_SIZE(rights); i++)
		check_right(f, roots, &rights[i]);
}

/* A process of another user than this one; 0: none is to be seen. */
static int doctor_others_process(const char *proc)
{
	struct proc_ids ids = {0};
	struct proc_status s;
	int found = 0;

	if (!proc_pids(proc, &ids))
		for (size_t i = 0; i < ids.n && !found; i++)
			if (!proc_status(proc, 0, ids.at[i], &s) && !s.kernel_thread &&
			    s.uid != geteuid())
				found = ids.at[i];
	vec_release(&ids);
	return found;
}

static void check_others(struct findings *f, const struct doctor_roots *roots)
{
	const struct attr user = {.type = TYPE_SOFTWARE, .config = CLOCK, .flags = USER_ONLY};
	int pid = doctor_others_process(roots->proc);
	int got = doctor_try_open(user, pid ? pid : 1, -1, 0);
	struct finding *x = doctor_add(f, "others", "programs of other users (-p)", FINDING_WORKS);

	x->needs = CAP " or CAP_SYS_PTRACE";
	if (!got || got == ESRCH) /* it has ended since: the rights are not what is missing */
		return;
	x->state = FINDING_LACKS;
	doctor_say(x->why,
		   doctor_is_refusal(got) ? "there is neither " CAP " nor CAP_SYS_PTRACE: %s"
					  : "%s",
		   strerror(got));
	doctor_say(x->change, "run as root, or " CAPABLE);
}

static void check_cgroup(struct findings *f, const struct doctor_roots *roots)
{
	const struct attr all = {.type = TYPE_SOFTWARE, .config = CLOCK};
	struct finding *x =
		doctor_add(f, "cgroups", "events of a control group (-G)", FINDING_WORKS);
	int dir = cgroup_open(roots->sys, "/"), got = errno;

	x->needs = PARANOID " <= 0, or " CAP;
	if (dir >= 0) {
		got = doctor_try_open(all, dir, 0, PERF_OPEN_CGROUP);
		close(dir);
		if (!got)
			return;
		doctor_say(x->why, "%s", strerror(got));
		if (doctor_is_refusal(got))
			doctor_say(x->change, "sysctl kernel." PARANOID "=0, or " CAPABLE);
	} else {
		doctor_say(x->why, "no hierarchy of groups that perf events know: %s",
			   strerror(got));
		doctor_say(x->change, "as root: mount -t cgroup2 none %s/fs/cgroup", roots->sys);
	}
	x->state = FINDING_LACKS;
}

static void check_one_of_pmu(struct findings *f, const char *name, const char *what,
			     const struct attr *a)
{
	int got = doctor_try_open(*a, 0, -1, 0);
	struct finding *x = doctor_add(f, name, what, got ? FINDING_LACKS : FINDING_WORKS);

	x->needs = PARANOID " <= 2, or " CAP;
	if (got)
		doctor_say(x->why, "this PMU has none: %s", strerror(got));
}

static void check_hardware(struct findings *f)
{
	const struct attr cycles = {.type = TYPE_HARDWARE, .config = CYCLES, .flags = USER_ONLY};
	const struct attr branches = {.type = TYPE_HARDWARE,
				      .config = CYCLES,
				      .flags = USER_ONLY,
				      .sample_period = 100000,
				      .sample_type = SAMPLE_BRANCH_STACK,
				      .branch_sample_type = ANY_BRANCH};
	const struct attr precise = {.type = TYPE_HARDWARE,
				     .config = CYCLES,
				     .flags = USER_ONLY | 1ull << ATTR_PRECISE_SHIFT,
				     .sample_period = 100000,
				     .sample_type = SAMPLE_IP};
	int got = doctor_try_open(cycles, 0, -1, 0);
	struct finding *x = doctor_add(f, "cycles", "hardware counters (cycles)",
				       got ? FINDING_LACKS : FINDING_WORKS);

	x->needs = PARANOID " <= 2, or " CAP;
	if (got) {
		doctor_say(x->why, doctor_is_refusal(got) ? "%s" : "the machine shows no PMU: %s",
			   strerror(got));
		if (!doctor_is_refusal(got))
			doctor_say(x->change,
				   "in a virtual machine: switch its PMU on from outside; "
				   "cpu-clock works without");
		return;
	}
	check_one_of_pmu(f, "precise", "precise samples (cycles:p)", &precise);
	check_one_of_pmu(f, "branches", "branch stacks (-b)", &branches);
}

/* What only some processors have, and list as PMUs. */
static void check_devices(struct findings *f, const struct doctor_roots *roots)
{
	static const char *const tracers[] = {"intel_pt", "intel_bts", "arm_spe_0", "cs_etm",
					      "hisi_ptt0"};
	AUTO_CHAR *root = mem_printf("%s/bus/event_source/devices", roots->sys);
	struct memory_event events[MEMORY_KINDS] = {0};
	struct arena arena = {0};
	struct names pmus = {0};
	struct utsname u = {0};
	struct memory_machine m = {root, u.machine, host_is_amd()};
	struct err err = {0};
	struct finding *x;

	uname(&u);
	x = doctor_add(f, "memory", "memory accesses (perf mem, c2c)", FINDING_WORKS);
	x->needs = PARANOID " <= 2, or " CAP;
	if (memory_events_find(events, &m, 30, &arena, &err)) {
		x->state = FINDING_LACKS;
		doctor_say(x->why, "the machine shows no event that samples them");
	}
	memory_events_release(events);
	x = doctor_add(f, "traces", "instruction traces (AUX)", FINDING_LACKS);
	x->needs = PARANOID " <= 2, or " CAP;
	doctor_say(x->why, "the machine shows no unit that traces");
	if (!pmu_names(root, &arena, &pmus, &err))
		for (size_t i = 0; i < pmus.n; i++)
			for (size_t k = 0; k < ARRAY_SIZE(tracers); k++)
				if (!strcmp(pmus.at[i], tracers[k]))
					x->state = FINDING_WORKS;
	if (x->state == FINDING_WORKS)
		*x->why = '\0';
	vec_release(&pmus);
	arena_release(&arena);
}

static void check_breakpoints(struct findings *f)
{
	static const char watched;
	const struct attr a = {.type = TYPE_BREAKPOINT,
			       .bp_type = 2,
			       .config1 = (uintptr_t)&watched,
			       .config2 = 1,
			       .flags = USER_ONLY};
	int got = doctor_try_open(a, 0, -1, 0);
	struct finding *x = doctor_add(f, "breakpoints", "breakpoints (mem:ADDRESS)",
				       got ? FINDING_LACKS : FINDING_WORKS);

	x->needs = PARANOID " <= 2, or " CAP;
	if (got)
		doctor_say(x->why, "%s", strerror(got));
}

/* A tracepoint with its data, in this process. */
static struct finding *check_tracepoint(struct findings *f, const char *root, const char *name,
					const char *what, const char *system, const char *event)
{
	struct attr a = {.type = TYPE_TRACEPOINT, .sample_period = 1, .sample_type = SAMPLE_RAW};
	struct finding *x = doctor_add(f, name, what, FINDING_LACKS);
	struct err err = {0};
	int got;

	if (!root && tracefs_is_mounted(TRACEFS_USUAL)) {
		doctor_say(x->why, "'" TRACEFS_USUAL "' is mounted, and cannot be read");
		doctor_say(x->change, "as root: mount -o remount,mode=755 " TRACEFS_USUAL);
	} else if (!root) {
		doctor_say(x->why, "the tracing file system cannot be seen");
		doctor_say(x->change, "as root: mount -t tracefs tracefs " TRACEFS_USUAL);
	} else if (tracefs_id(root, system, event, &a.config, &err)) {
		doctor_say(x->why, "'%.150s' has no %s:%s that can be read", root, system, event);
		doctor_say(x->change, "as root: mount -o remount,mode=755 %.120s", root);
	} else if ((got = doctor_try_open(a, 0, -1, 0))) {
		doctor_say(x->why, "%s", strerror(got));
		if (doctor_is_refusal(got))
			doctor_say(x->change, "sysctl kernel." PARANOID "=-1, or " CAPABLE);
	} else {
		x->state = FINDING_WORKS;
	}
	return x;
}

void doctor_events(struct findings *f, const struct doctor_roots *roots)
{
	check_software(f, roots);
	check_others(f, roots);
	check_cgroup(f, roots);
	check_hardware(f);
	check_devices(f, roots);
	check_breakpoints(f);
	check_tracepoint(f, roots->tracefs, "tracepoints", "tracepoints", "sched", "sched_switch")
		->needs = "a readable tracefs, and " PARANOID " -1 or " CAP;
	/* the kernel lets everybody trace system calls of their own tasks */
	check_tracepoint(f, roots->tracefs, "calls", "system calls (perf trace)", "raw_syscalls",
			 "sys_enter")
		->needs = "a readable tracefs, and " PARANOID " <= 2 or " CAP;
}
