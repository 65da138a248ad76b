// SPDX-License-Identifier: MIT
#include "selftest/doctor/doctor.h"

#include "event/attr.h"
#include "os/perf.h"
#include "os/proc/proc.h"
#include "os/proc/proc_fds.h"
#include "os/rights/rights.h"
#include "os/tracing/tracefs.h"
#ifdef HAVE_BPF
#include "os/bpf_progs.h"

#include <linux/bpf.h>
#endif

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MEASURING_MOST 8 /* processes that are listed */

static void cost_add(struct findings *f, const char *name, const char *what, const char *why,
		     const char *change)
{
	struct finding *x = doctor_add(f, name, what, FINDING_COSTS);

	doctor_say(x->why, "%s", why);
	doctor_say(x->change, "%s", change);
}

/* True where a hardware counter can be opened, which the watchdog then takes from others. */
static bool cost_has_counters(void)
{
	struct attr a = {.size = ATTR_SIZE_6_1, .flags = ATTR_DISABLED | ATTR_EXCLUDE_KERNEL};
	uint8_t bytes[sizeof(a)];
	int fd;

	attr_encode(&a, bytes);
	fd = perf_open(bytes, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void costs_of_settings(struct findings *f, const char *proc)
{
	static const struct {
		const char *sysctl, *name, *what, *why, *change;
	} rows[] = {
		{"sched_schedstats", "schedstats", "scheduler statistics",
		 "each switch of tasks is accounted", "sysctl kernel.sched_schedstats=0"},
		{"task_delayacct", "delayacct", "delay accounting",
		 "each wait of a task is accounted", "sysctl kernel.task_delayacct=0"},
		{"bpf_stats_enabled", "bpf-stats", "statistics of BPF programs",
		 "each run of a BPF program is timed", "sysctl kernel.bpf_stats_enabled=0"},
		{"stack_tracer_enabled", "stack-tracer", "stack tracer",
		 "each call of a kernel function measures the stack",
		 "sysctl kernel.stack_tracer_enabled=0"},
	};
	long share = rights_sysctl(proc, "perf_cpu_time_max_percent", 25);

	if (rights_sysctl(proc, "nmi_watchdog", 0) > 0 && cost_has_counters())
		cost_add(f, "watchdog", "NMI watchdog", "it takes one hardware counter of each CPU",
			 "sysctl kernel.nmi_watchdog=0");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rights_sysctl(proc, rows[i].sysctl, 0) > 0)
			cost_add(f, rows[i].name, rows[i].what, rows[i].why, rows[i].change);
	if (share <= 0 || share >= 100)
		cost_add(f, "share", "time for samples",
			 "the kernel does not slow down samples that take all of a CPU's time",
			 "sysctl kernel.perf_cpu_time_max_percent=25");
}

/* True when the file of tracefs holds something else than usual (NULL: anything at all). */
static bool trace_has(const char *root, const char *file, const char *usual)
{
	AUTO_BUF text = {0};

	return !tracefs_read(root, file, &text) && *buf_text(&text) &&
	       (!usual || strcmp(buf_text(&text), usual) != 0);
}

struct trace_cost {
	const char *file, *usual, *name, *what, *why, *word; /* word: what switches it off */
};

static const struct trace_cost trace_costs[] = {
	{"kprobe_events", NULL, "kernel-probes", "kernel probes", "probes are defined", ""},
	{"uprobe_events", NULL, "user-probes", "user probes", "probes are defined", ""},
	{"function_profile_enabled", "0\n", "function-profile", "function profiler",
	 "each call of a kernel function is counted", "0 "},
};

/* What each trace buffer has of its own: that of the machine, and those of instances. */
static const struct trace_cost buffer_costs[] = {
	{"current_tracer", "nop\n", "tracer", "tracer", "the kernel traces functions", "nop "},
	{"set_event", NULL, "events", "trace events", "events go to a trace buffer", ""},
};

static void trace_cost_check(struct findings *f, const char *root, const char *file,
			     const struct trace_cost *c)
{
	struct finding *x;

	if (!trace_has(root, file, c->usual))
		return;
	x = doctor_add(f, c->name, c->what, FINDING_COSTS);
	doctor_say(x->why, "%s in '%.60s/%.80s'", c->why, root, file);
	doctor_say(x->change, "as root: echo %s> %.60s/%.80s", c->word, root, file);
}

static void costs_of_tracing(struct findings *f, const char *root)
{
	struct arena arena = {0};
	struct names instances = {0};
	char file[160];

	for (size_t i = 0; i < ARRAY_SIZE(trace_costs); i++)
		trace_cost_check(f, root, trace_costs[i].file, &trace_costs[i]);
	text_names(root, "instances", true, true, &arena, &instances);
	for (size_t i = 0; i < ARRAY_SIZE(buffer_costs); i++) {
		trace_cost_check(f, root, buffer_costs[i].file, &buffer_costs[i]);
		for (size_t k = 0; k < instances.n; k++) {
			snprintf(file, sizeof(file), "instances/%.100s/%s", instances.at[k],
				 buffer_costs[i].file);
			trace_cost_check(f, root, file, &buffer_costs[i]);
		}
	}
	vec_release(&instances);
	arena_release(&arena);
}

static unsigned int perf_events_of(const char *proc, int pid)
{
	struct proc_ids fds = {0};
	unsigned int n = 0;
	char path[64];

	if (!proc_fds(proc, (uint32_t)pid, &fds))
		for (size_t i = 0; i < fds.n; i++)
			n += proc_fd_path(proc, (uint32_t)pid, fds.at[i], path, sizeof(path)) &&
			     !strcmp(path, "anon_inode:[perf_event]");
	vec_release(&fds);
	return n;
}

static void costs_of_measuring(struct findings *f, const char *proc)
{
	struct proc_ids pids = {0};
	struct proc_status status;
	unsigned int listed = 0;

	proc_pids(proc, &pids);
	for (size_t i = 0; i < pids.n && listed < MEASURING_MOST; i++) {
		unsigned int n = pids.at[i] == getpid() ? 0 : perf_events_of(proc, pids.at[i]);
		struct finding *x;

		if (!n || proc_status(proc, 0, pids.at[i], &status))
			continue;
		x = doctor_add(f, "measuring", "a program that measures", FINDING_COSTS);
		doctor_say(x->why, "'%s' (%d) has %u perf event%s open", status.comm, pids.at[i], n,
			   n == 1 ? "" : "s");
		doctor_say(x->change, "kill %d", pids.at[i]);
		listed++;
	}
	vec_release(&pids);
}

#ifdef HAVE_BPF
static bool bpf_cost_traces(uint32_t type)
{
	return type == BPF_PROG_TYPE_KPROBE || type == BPF_PROG_TYPE_TRACEPOINT ||
	       type == BPF_PROG_TYPE_PERF_EVENT || type == BPF_PROG_TYPE_RAW_TRACEPOINT ||
	       type == BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE || type == BPF_PROG_TYPE_TRACING;
}

static void costs_of_bpf(struct findings *f)
{
	struct bpf_prog_what program;
	unsigned int n = 0;
	AUTO_BUF names = {0};
	struct finding *x;

	for (uint32_t id = 0; (id = bpf_prog_next(id)) != 0;) {
		if (!bpf_prog_what(id, &program) || !bpf_cost_traces(program.type))
			continue;
		if (n++ < MEASURING_MOST)
			buf_printf(&names, "%s%s", n > 1 ? ", " : "",
				   *program.name ? program.name : "(no name)");
	}
	if (n) {
		x = doctor_add(f, "bpf-programs", "BPF programs that trace", FINDING_COSTS);
		doctor_say(x->why, "%u %s loaded: %.140s", n, n == 1 ? "is" : "are",
			   buf_text(&names));
		doctor_say(x->change, "end their owners ('bpftool prog show' names them)");
	}
}
#endif

void doctor_costs(struct findings *f, const struct doctor_roots *roots)
{
	costs_of_settings(f, roots->proc);
	if (roots->tracefs)
		costs_of_tracing(f, roots->tracefs);
	costs_of_measuring(f, roots->proc);
#ifdef HAVE_BPF
	costs_of_bpf(f);
#endif
}
