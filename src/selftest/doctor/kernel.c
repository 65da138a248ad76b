// SPDX-License-Identifier: MIT
#include "selftest/doctor/doctor.h"

#include "os/tracing/ftrace.h"
#include "os/machine/kallsyms.h"
#include "os/rights/rights.h"
#include "os/tracing/tracefs.h"
#include "symbol/store/debuginfod.h"
#ifdef HAVE_BPF
#include "os/bpf/bpf.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What changes files of tracefs. lacks: what a kernel without the file was built without. */
static struct finding *check_tracefs_file(struct findings *f, const char *root, const char *name,
					  const char *what, const char *file, const char *lacks)
{
	struct finding *x = doctor_add(f, name, what, FINDING_WORKS);
	AUTO_CHAR *path = root ? mem_printf("%s/%s", root, file) : NULL;

	x->needs = "a writable tracefs: root";
	/* the effective rights count, which setcap gives */
	if (path && !faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		return x;
	x->state = FINDING_LACKS;
	if (!root && tracefs_is_mounted(TRACEFS_USUAL)) {
		doctor_say(x->why, "'" TRACEFS_USUAL "' is mounted, and cannot be read");
		doctor_say(x->change, "run as root");
	} else if (!root) {
		doctor_say(x->why, "the tracing file system cannot be seen");
		doctor_say(x->change, "as root: mount -t tracefs tracefs " TRACEFS_USUAL);
	} else if (errno == ENOENT) {
		doctor_say(x->why, "the kernel was built without %s", lacks);
	} else {
		doctor_say(x->why, "'%.120s' cannot be written: %s", path, strerror(errno));
		doctor_say(x->change,
			   errno == EROFS ? "as root: mount -o remount,rw %.120s" : "run as root",
			   root);
	}
	return x;
}

static void check_tracing(struct findings *f, const char *root)
{
	struct finding *x;

	check_tracefs_file(f, root, "kprobes", "kernel probes (perf probe)", "kprobe_events",
			   "CONFIG_KPROBE_EVENTS");
	check_tracefs_file(f, root, "uprobes", "user probes (perf probe -x)", "uprobe_events",
			   "CONFIG_UPROBE_EVENTS");
	x = check_tracefs_file(f, root, "ftrace", "kernel functions (perf ftrace)",
			       "current_tracer", "CONFIG_FTRACE");
	if (x->state == FINDING_WORKS && !ftrace_has_tracer(root, "function_graph")) {
		x->state = FINDING_LACKS;
		doctor_say(x->why, "the kernel was built without CONFIG_FUNCTION_GRAPH_TRACER");
	}
}

static void check_symbols(struct findings *f, const char *proc)
{
	AUTO_CHAR *path = mem_printf("%s/kallsyms", proc);
	struct kallsyms k = {0};
	struct err err = {0};
	struct finding *x =
		doctor_add(f, "kernel-names", "names of kernel functions", FINDING_LACKS);

	x->needs = "kptr_restrict 0 and perf_event_paranoid <= 1, or CAP_SYSLOG";
	if (kallsyms_read(&k, path, &err)) {
		doctor_say(x->why, "%.180s", err.text);
	} else if (k.hidden) {
		char why[150];

		rights_kernel_unseen(proc, why, sizeof(why));
		doctor_say(x->why, "their addresses are %s", why);
		doctor_say(x->change,
			   "sysctl kernel.kptr_restrict=0 and kernel.perf_event_paranoid=1, or "
			   "setcap cap_syslog+ep on perf");
	} else {
		x->state = FINDING_WORKS;
	}
	kallsyms_release(&k);
}

static void check_kernel_code(struct findings *f, const char *proc)
{
	AUTO_CHAR *path = mem_printf("%s/kcore", proc);
	struct finding *x =
		doctor_add(f, "kernel-code", "kernel instructions (annotate)", FINDING_WORKS);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	x->needs = "root with CAP_SYS_RAWIO";
	if (fd >= 0) {
		close(fd);
		return;
	}
	x->state = FINDING_LACKS;
	doctor_say(x->why, "'%.120s' cannot be read: %s", path, strerror(errno));
	if (doctor_is_refusal(errno))
		doctor_say(x->change, "run as root, or install the kernel's debug package");
}

static void check_debuginfod(struct findings *f)
{
	struct err err = {0};
	struct finding *x = doctor_add(f, "debuginfod", "debug files from a server", FINDING_WORKS);
	AUTO(debuginfod) *d = debuginfod_open("system", 1, &err);

	if (d)
		return;
	x->state = FINDING_LACKS;
	doctor_say(x->why, "%.180s", err.text);
	if (!getenv("DEBUGINFOD_URLS"))
		doctor_say(x->change, "export DEBUGINFOD_URLS=https://debuginfod.elfutils.org");
}

static void check_bpf(struct findings *f, const char *sys)
{
	struct finding *x =
		doctor_add(f, "bpf", "BPF (filters, counters of groups)", FINDING_LACKS);
#ifdef HAVE_BPF
	static const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT}};
	int fd = bpf_program_new(&(const struct bpf_program_parts){.type = BPF_PROG_TYPE_TRACEPOINT,
								   .insns = nothing,
								   .n = ARRAY_SIZE(nothing),
								   .licence = "GPL",
								   .name = "doctor"});
	AUTO_CHAR *types = mem_printf("%s/kernel/btf/vmlinux", sys);

	x->needs = "CAP_BPF and CAP_PERFMON";
	if (fd >= 0) {
		x->state = FINDING_WORKS;
		close(fd);
	} else {
		doctor_say(x->why, "%s", strerror(-fd));
		if (doctor_is_refusal(-fd))
			doctor_say(x->change,
				   "run as root, or setcap cap_bpf,cap_perfmon+ep on perf");
	}
	x = doctor_add(f, "btf", "BPF at kernel functions (lock -b)", FINDING_WORKS);
	x->needs = "CAP_BPF and CAP_PERFMON";
	if (fd < 0) {
		x->state = FINDING_LACKS;
		doctor_say(x->why, "BPF programs cannot be loaded");
	} else if (access(types, R_OK)) {
		x->state = FINDING_LACKS;
		doctor_say(x->why, "'%.120s' cannot be read: %s", types, strerror(errno));
		doctor_say(x->change, "a kernel with CONFIG_DEBUG_INFO_BTF");
	}
#else
	(void)sys;
	doctor_say(x->why, "perf was built without it");
#endif
}

void doctor_kernel(struct findings *f, const struct doctor_roots *roots)
{
	check_tracing(f, roots->tracefs);
	check_bpf(f, roots->sys);
	check_symbols(f, roots->proc);
	check_kernel_code(f, roots->proc);
	check_debuginfod(f);
}
