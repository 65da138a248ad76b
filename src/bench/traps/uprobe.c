// SPDX-License-Identifier: MIT
#include "bench/suites.h"

#include "event/attr.h"
#include "os/tracing/ftrace.h"
#include "os/machine/pmu.h"
#include "os/perf.h"
#include "os/proc/proc.h"
#include "os/tracing/tracefs.h"
#ifdef HAVE_BPF
#include "os/bpf/bpf.h"
#endif

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct uprobe_opts {
	unsigned int loops;
};

const struct opt uprobe_options[] = {
	{OPT_UINT, 'l', "loop", offsetof(struct uprobe_opts, loops), "n",
	 "Specify number of loops"},
	{OPT_END},
};

/* What sits on the C library's usleep while it is called. */
struct probe {
	int event, program; /* -1: none */
};

/* The file and the offset in it that an address of this process is mapped from. */
struct uprobe_place {
	uint64_t address, offset;
	char path[512];
};

static bool place_look(void *v, const struct proc_map *m)
{
	struct uprobe_place *p = v;

	if (p->address < m->start || p->address >= m->end)
		return true;
	p->offset = p->address - m->start + m->offset;
	strncpy(p->path, m->name, sizeof(p->path) - 1);
	return false;
}

static void calls_time(unsigned int loops, uint64_t *ns)
{
	*ns = bench_now_ns();
	for (unsigned int i = 0; i < loops; i++)
		usleep(1000);
	*ns = bench_now_ns() - *ns;
}

#ifdef HAVE_BPF
/*
 * "return 0", or with text trace_printk("perf bench\n", 12) before it: the text is put on the
 * stack, whose address and size are the arguments of helper 6 (enum bpf_func_id of <linux/bpf.h>).
 */
static int program_load(bool text)
{
	static const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const struct bpf_insn tells[] = {
		{.code = BPF_LD | BPF_DW | BPF_IMM,
		 .dst_reg = BPF_REG_1,
		 .imm = 0x66726570 /* "perf" */},
		{.imm = 0x6e656220 /* " ben" */},
		{.code = BPF_STX | BPF_MEM | BPF_DW,
		 .dst_reg = BPF_REG_10,
		 .src_reg = BPF_REG_1,
		 .off = -16},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K,
		 .dst_reg = BPF_REG_1,
		 .imm = 0x000a6863 /* "ch\n" */},
		{.code = BPF_STX | BPF_MEM | BPF_DW,
		 .dst_reg = BPF_REG_10,
		 .src_reg = BPF_REG_1,
		 .off = -8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1, .imm = -16},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 12},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_trace_printk},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};

	return bpf_program_new(&(const struct bpf_program_parts){
		.type = BPF_PROG_TYPE_KPROBE,
		.insns = text ? tells : nothing,
		.n = text ? ARRAY_SIZE(tells) : ARRAY_SIZE(nothing),
		.licence = "GPL",
		.name = "bench_uprobe",
	});
}

static int probe_place(struct uprobe_place *p, bool on_return, struct err *err)
{
	struct arena arena = {0};
	struct pmu pmu = {0};
	struct attr attr = {
		.size = sizeof(attr), .config = on_return, .sample_period = 1, .wakeup_events = 1};
	uint8_t bytes[sizeof(attr)];
	int fd = -ENOENT;

	if (pmu_read(PMU_ROOT, "uprobe", &arena, &pmu)) {
		attr.type = pmu.type;
		attr.config1 = (uintptr_t)p->path;
		attr.config2 = p->offset;
		attr_encode(&attr, bytes);
		fd = perf_open(bytes, 0, -1, -1, 0);
	}
	pmu_release(&pmu);
	arena_release(&arena);
	return fd >= 0 ? fd : err_sys(err, -fd, "cannot put a probe on usleep in '%s'", p->path);
}

static int uprobe_probe_open(struct probe *probe, bool text, bool on_return, struct err *err)
{
	struct uprobe_place place = {.address = (uintptr_t)&usleep};
	const struct proc_maps_options all = {0};
	int got;

	if (proc_maps("/proc", getpid(), &all, place_look, &place) < 0 || !*place.path)
		return err_set(err, ERR_SYSTEM, "which file usleep comes from is unknown");
	probe->program = program_load(text);
	if (probe->program < 0)
		return bpf_explain(err, -probe->program, "a probe");
	probe->event = probe_place(&place, on_return, err);
	if (probe->event < 0)
		return -1;
	got = perf_set_bpf(probe->event, probe->program);
	if (!got)
		got = perf_enable(probe->event);
	return got ? err_sys(err, -got, "cannot run a program at the probe") : 0;
}
#else
static int uprobe_probe_open(struct probe *probe, bool text, bool on_return, struct err *err)
{
	(void)probe;
	(void)text;
	(void)on_return;
	(void)place_look;
	return err_set(err, ERR_UNSUPPORTED, "perf was built without BPF");
}
#endif

static int calls_time_probed(const struct uprobe_opts *o, bool probed, bool text, bool on_return,
			     uint64_t *ns, struct err *err)
{
	struct probe probe = {-1, -1};
	int got = probed ? uprobe_probe_open(&probe, text, on_return, err) : 0;

	if (!got)
		calls_time(o->loops, ns);
	if (probe.event >= 0)
		close(probe.event);
	if (probe.program >= 0)
		close(probe.program);
	return got;
}

/* The kernel turns this event on for a program that calls trace_printk, and never off again:
 * bpf_get_trace_printk_proto() of kernel/trace/bpf_trace.c. Keeps what it is now. */
static void keep_printk_event(struct ftrace_settings *kept, struct arena *arena)
{
	kept->root = tracefs_find(NULL, arena);
	if (kept->root)
		ftrace_write(kept, "events/bpf_trace/bpf_trace_printk/enable", "1", NULL);
}

static int measure_uprobe(struct bench *b, const void *v, bool probed, bool text, bool on_return,
			  struct err *err)
{
	const struct uprobe_opts *o = v;
	struct ftrace_settings kept = {0};
	struct arena arena = {0};
	uint64_t ns = 0;
	int got;

	if (text)
		keep_printk_event(&kept, &arena);
	got = calls_time_probed(o, probed, text, on_return, &ns, err);
	ftrace_put_back(&kept, NULL);
	arena_release(&arena);
	if (got)
		return -1;
	bench_value(b, (double)ns / 1000 / MAX(o->loops, 1u), "usecs/op");
	if (b->simple)
		buf_printf(b->text, "%llu\n", (unsigned long long)ns / 1000);
	else
		buf_printf(b->text,
			   "# Executed %u usleep(1000) calls\n     Total time: %llu usecs\n\n %.3f "
			   "usecs/op\n",
			   o->loops, (unsigned long long)ns / 1000,
			   (double)ns / 1000 / MAX(o->loops, 1u));
	return 0;
}

#define UPROBE_SUITE(id, probed, text, on_return)                                                  \
	static int measure_##id(struct bench *b, const void *o, struct err *err)                   \
	{                                                                                          \
		return measure_uprobe(b, o, probed, text, on_return, err);                         \
	}                                                                                          \
	const struct bench_suite bench_uprobe_##id = {                                             \
		.defaults = &(const struct uprobe_opts){.loops = 1000},                            \
		.opts_size = sizeof(struct uprobe_opts),                                           \
		.measure = measure_##id,                                                           \
	}

UPROBE_SUITE(baseline, false, false, false);
UPROBE_SUITE(empty, true, false, false);
UPROBE_SUITE(trace_printk, true, true, false);
UPROBE_SUITE(empty_ret, true, false, true);
UPROBE_SUITE(trace_printk_ret, true, true, true);
