// SPDX-License-Identifier: MIT
#include "selftest/doctor.h"

#include "event/attr.h"
#include "os/machine/kallsyms.h"
#include "os/perf.h"
#include "os/rights/rights.h"
#include "os/tracing/tracefs.h"
#ifdef HAVE_BPF
#include "os/bpf/bpf.h"
#endif

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CLOCK		0u /* PERF_COUNT_SW_CPU_CLOCK */
#define CYCLES		0u /* PERF_COUNT_HW_CPU_CYCLES */
#define USUAL_FREQUENCY 4000
#define ANY_BRANCH	(1u << 3 | 1u) /* PERF_SAMPLE_BRANCH_ANY, of user space */

static void doctor_say(char text[200], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, 200, fmt, args);
	va_end(args);
}

static struct finding *doctor_add(struct findings *f, const char *what, int state)
{
	vec_add(f, (struct finding){.what = what, .state = state});
	return vec_last(f);
}

/* 0, or the errno of opening it. */
static int doctor_try_open(struct attr a, int pid, int cpu)
{
	uint8_t bytes[sizeof(a)];
	int fd;

	a.size = a.size ? a.size : ATTR_SIZE_6_1;
	a.flags |= ATTR_DISABLED;
	attr_encode(&a, bytes);
	fd = perf_open(bytes, pid, cpu, -1, 0);
	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

static bool is_refusal(int got)
{
	return got == EACCES || got == EPERM;
}

/* Something that the user's rights decide: paranoid is the level that allows it to everybody. */
static void check_right(struct findings *f, const char *proc_root, const char *what,
			const struct attr *a, int pid, int cpu, int paranoid)
{
	int got = doctor_try_open(*a, pid, cpu), level = rights_paranoid(proc_root);
	struct finding *x = doctor_add(f, what, got ? FINDING_LACKS : FINDING_WORKS);

	if (!got)
		return;
	doctor_say(x->why, "%s", strerror(got));
	if (got == ENOSYS || (is_refusal(got) && level <= paranoid)) {
		doctor_say(x->why,
			   rights_confined(proc_root)
				   ? "a seccomp filter of this container hides the call"
				   : "the kernel refuses it: %s",
			   strerror(got));
		doctor_say(x->change, "let the container's seccomp profile allow perf_event_open");
	} else if (is_refusal(got)) {
		doctor_say(x->why, "kernel.perf_event_paranoid is %d, and there is no CAP_PERFMON",
			   level);
		doctor_say(x->change,
			   "sysctl kernel.perf_event_paranoid=%d, or setcap cap_perfmon+ep on perf",
			   paranoid);
	}
}

static void check_software(struct findings *f, const char *proc_root)
{
	const struct attr user = {.type = TYPE_SOFTWARE,
				  .config = CLOCK,
				  .flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV};
	const struct attr all = {.type = TYPE_SOFTWARE, .config = CLOCK};

	check_right(f, proc_root, "own programs, in user space", &user, 0, -1, 2);
	check_right(f, proc_root, "own programs, in the kernel", &all, 0, -1, 1);
	check_right(f, proc_root, "the whole machine (-a)", &all, -1, 0, 0);
}

static void check_hardware(struct findings *f)
{
	const uint64_t user = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	const struct attr cycles = {.type = TYPE_HARDWARE, .config = CYCLES, .flags = user};
	const struct attr branches = {.type = TYPE_HARDWARE,
				      .config = CYCLES,
				      .flags = user,
				      .sample_period = 100000,
				      .sample_type = SAMPLE_BRANCH_STACK,
				      .branch_sample_type = ANY_BRANCH};
	struct attr precise = {.type = TYPE_HARDWARE,
			       .config = CYCLES,
			       .flags = user | 1ull << ATTR_PRECISE_SHIFT,
			       .sample_period = 100000,
			       .sample_type = SAMPLE_IP};
	int got = doctor_try_open(cycles, 0, -1), more;
	struct finding *x =
		doctor_add(f, "hardware counters (cycles)", got ? FINDING_LACKS : FINDING_WORKS);

	if (got) {
		doctor_say(x->why, is_refusal(got) ? "%s" : "the machine shows no PMU: %s",
			   strerror(got));
		if (!is_refusal(got))
			doctor_say(x->change,
				   "in a virtual machine: switch its PMU on from outside; "
				   "cpu-clock works without");
		return;
	}
	more = doctor_try_open(precise, 0, -1);
	x = doctor_add(f, "precise samples (cycles:p)", more ? FINDING_LACKS : FINDING_WORKS);
	if (more)
		doctor_say(x->why, "this PMU has none: %s", strerror(more));
	more = doctor_try_open(branches, 0, -1);
	x = doctor_add(f, "branch stacks (-b)", more ? FINDING_LACKS : FINDING_WORKS);
	if (more)
		doctor_say(x->why, "this PMU has none: %s", strerror(more));
}

static void check_breakpoints(struct findings *f)
{
	static const char watched;
	const struct attr a = {.type = TYPE_BREAKPOINT,
			       .bp_type = 2,
			       .config1 = (uintptr_t)&watched,
			       .config2 = 1,
			       .flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV};
	int got = doctor_try_open(a, 0, -1);
	struct finding *x =
		doctor_add(f, "breakpoints (mem:ADDRESS)", got ? FINDING_LACKS : FINDING_WORKS);

	if (got)
		doctor_say(x->why, "%s", strerror(got));
}

static void check_tracepoints(struct findings *f)
{
	struct arena arena = {0};
	const char *root = tracefs_find(NULL, &arena);
	struct finding *x = doctor_add(f, "tracepoints", FINDING_LACKS);
	struct attr a = {.type = TYPE_TRACEPOINT, .sample_period = 1};
	struct err err = {0};
	int got;

	if (!root && tracefs_is_mounted(TRACEFS_USUAL)) {
		doctor_say(x->why, "'" TRACEFS_USUAL "' is mounted, and cannot be read");
		doctor_say(x->change, "as root: mount -o remount,mode=755 " TRACEFS_USUAL);
	} else if (!root) {
		doctor_say(x->why, "the tracing file system cannot be seen");
		doctor_say(x->change, "as root: mount -t tracefs tracefs " TRACEFS_USUAL);
	} else if (tracefs_id(root, "sched", "sched_switch", &a.config, &err)) {
		doctor_say(x->why, "'%.150s' cannot be read", root);
		doctor_say(x->change, "as root: mount -o remount,mode=755 " TRACEFS_USUAL);
	} else if ((got = doctor_try_open(a, 0, -1))) {
		doctor_say(x->why, "%s", strerror(got));
		if (is_refusal(got))
			doctor_say(x->change, "sysctl kernel.perf_event_paranoid=-1, or setcap "
					      "cap_perfmon+ep on perf");
	} else {
		x->state = FINDING_WORKS;
	}
	arena_release(&arena);
}

static void check_symbols(struct findings *f, const char *proc_root)
{
	AUTO_CHAR *path = mem_printf("%s/kallsyms", proc_root);
	struct kallsyms k = {0};
	struct err err = {0};
	struct finding *x = doctor_add(f, "names of kernel functions", FINDING_LACKS);

	if (kallsyms_read(&k, path, &err)) {
		doctor_say(x->why, "%.180s", err.text);
	} else if (k.hidden) {
		char why[150];

		rights_kernel_unseen(proc_root, why, sizeof(why));
		doctor_say(x->why, "their addresses are %s", why);
		doctor_say(x->change,
			   "sysctl kernel.kptr_restrict=0 and kernel.perf_event_paranoid=1, or "
			   "setcap cap_syslog+ep on perf");
	} else {
		x->state = FINDING_WORKS;
	}
	kallsyms_release(&k);
}

static void check_bpf(struct findings *f)
{
	struct finding *x = doctor_add(f, "BPF (filters, counters of groups)", FINDING_LACKS);
#ifdef HAVE_BPF
	static const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT}};
	int fd = bpf_program_new(&(const struct bpf_program_parts){.type = BPF_PROG_TYPE_TRACEPOINT,
								   .insns = nothing,
								   .n = ARRAY_SIZE(nothing),
								   .licence = "GPL",
								   .name = "doctor"});

	if (fd >= 0) {
		x->state = FINDING_WORKS;
		close(fd);
		return;
	}
	doctor_say(x->why, "%s", strerror(-fd));
	if (is_refusal(-fd))
		doctor_say(x->change, "run as root, or setcap cap_bpf,cap_perfmon+ep on perf");
#else
	doctor_say(x->why, "perf was built without it");
#endif
}

static void cost_setting(struct findings *f, const char *what, bool on, const char *why,
			 const char *change)
{
	struct finding *x = on ? doctor_add(f, what, FINDING_COSTS) : NULL;

	if (!x)
		return;
	doctor_say(x->why, "%s", why);
	doctor_say(x->change, "%s", change);
}

/* Does a file of tracefs hold anything but this (NULL: anything at all)? */
static bool trace_has(const char *root, const char *file, const char *usual)
{
	struct buf text = {0};
	bool has = !tracefs_read(root, file, &text) && *buf_text(&text) &&
		   (!usual || strcmp(buf_text(&text), usual) != 0);

	buf_release(&text);
	return has;
}

static void check_costs(struct findings *f, const char *proc_root)
{
	struct arena arena = {0};
	const char *root = tracefs_find(NULL, &arena);
	long rate = rights_sysctl(proc_root, "perf_event_max_sample_rate", 100000);
	struct finding *x;

	if (rate < USUAL_FREQUENCY) {
		x = doctor_add(f, "rate of samples", FINDING_LACKS);
		doctor_say(x->why,
			   "the kernel has lowered its limit to %ld a second, since samples took "
			   "it too "
			   "long",
			   rate);
		doctor_say(x->change, "sysctl kernel.perf_event_max_sample_rate=100000");
	}
	cost_setting(f, "NMI watchdog",
		     rights_sysctl(proc_root, "nmi_watchdog", 0) > 0 &&
			     !doctor_try_open((struct attr){.flags = ATTR_EXCLUDE_KERNEL}, 0, -1),
		     "it takes one hardware counter of each CPU", "sysctl kernel.nmi_watchdog=0");
	cost_setting(f, "scheduler statistics", rights_sysctl(proc_root, "sched_schedstats", 0) > 0,
		     "each switch of tasks is accounted", "sysctl kernel.sched_schedstats=0");
	if (root) {
		cost_setting(f, "kernel probes", trace_has(root, "kprobe_events", NULL),
			     "probes are defined in tracefs",
			     "as root: echo > " TRACEFS_USUAL "/kprobe_events");
		cost_setting(f, "user probes", trace_has(root, "uprobe_events", NULL),
			     "probes are defined in tracefs",
			     "as root: echo > " TRACEFS_USUAL "/uprobe_events");
		cost_setting(f, "tracer", trace_has(root, "current_tracer", "nop\n"),
			     "the kernel traces functions",
			     "as root: echo nop > " TRACEFS_USUAL "/current_tracer");
		cost_setting(f, "trace events", trace_has(root, "set_event", NULL),
			     "events go to the kernel's trace buffer",
			     "as root: echo > " TRACEFS_USUAL "/set_event");
	}
	arena_release(&arena);
}

void doctor_find(struct findings *f, const char *proc_root)
{
	check_software(f, proc_root);
	check_hardware(f);
	check_breakpoints(f);
	check_tracepoints(f);
	check_symbols(f, proc_root);
	check_bpf(f);
	check_costs(f, proc_root);
}
