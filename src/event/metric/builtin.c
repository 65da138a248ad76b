// SPDX-License-Identifier: MIT
/*
 * Metrics that need no vendor's list. They are made of events that every kernel names, and of those
 * that core PMUs have in sysfs for the top-down method.
 *
 * Sources: the default set of perf 6.19 for names, units and thresholds; A. Yasin, "A Top-Down
 * Method for Performance Analysis" (ISPASS 2014) and Intel's optimization manual, appendix B, for
 * the method; arch/x86/events/intel/core.c and drivers/perf/arm_pmuv3.c for the events; Arm's
 * "Neoverse performance analysis methodology" for Arm's formulas.
 */
#include "event/metric/metric.h"

/* Time on CPU in ns: of all CPUs that are counted, or of the task. */
#define ON_CPU "(cpu\\-clock if #target_cpu else task\\-clock)"

/* Many machines have only one of these two events, or none. */
#define FRONT	  "stalled\\-cycles\\-frontend"
#define BACK	  "stalled\\-cycles\\-backend"
#define HAS_FRONT "has_event(" FRONT ")"
#define HAS_BACK  "has_event(" BACK ")"

/* Intel since Ice Lake: the PMU divides all slots into four kinds, and each of these once more. The
 * kernel opens these events only in a group with slots. Adding slots * 0 to an expression has slots
 * opened without changing the value. */
#define TMA_IF	"has_event(topdown\\-fe\\-bound) & has_event(slots)"
#define TMA2_IF "has_event(topdown\\-heavy\\-ops) & has_event(slots)"
#define TMA_ALL                                                                                    \
	"(topdown\\-fe\\-bound + topdown\\-bad\\-spec + topdown\\-retiring + "                     \
	"topdown\\-be\\-bound)"
#define TMA_OF(event) event " / " TMA_ALL " + 0 * slots"

/* Intel before Ice Lake: slots are counted by events with a scale of their own. */
#define TD_IF	 "has_event(topdown\\-total\\-slots) & has_event(topdown\\-recovery\\-bubbles)"
#define TD_TOTAL "topdown\\-total\\-slots"
#define TD_WASTED                                                                                  \
	"(topdown\\-slots\\-issued - topdown\\-slots\\-retired + topdown\\-recovery\\-bubbles)"

/* Arm: the PMU's caps tell the number of slots in a cycle. */
#define ARM_IF	  "(#slots > 0) & has_event(stall_slot)"
#define ARM_SLOTS "(#slots * cpu_cycles)"
#define ARM_USED  "(1 - stall_slot / " ARM_SLOTS ")"
#define ARM_STALL "has_event(stall_frontend) & has_event(stall_backend)"

#define TMA_L1                                                                                     \
	.groups = "Default;TopdownL1;tma_L1_group", .default_group = "TopdownL1",                  \
	.scale_unit = "100%"
#define TMA_L2 .groups = "TopdownL2;tma_L2_group", .scale_unit = "100%", .only_if = TMA2_IF
#define ARM_L1                                                                                     \
	.groups = "Default;TopdownL1", .default_group = "TopdownL1", .scale_unit = "100%",         \
	.only_if = ARM_IF

const struct metric metric_builtin[] = {
	/* the default set */
	{.name = "CPUs_utilized",
	 .expr = ON_CPU " / (duration_time * 1e9)",
	 .scale_unit = "1CPUs",
	 .groups = "Default",
	 .brief = "How many CPUs were busy on average"},
	{.name = "cs_per_second",
	 .expr = "context\\-switches * 1e9 / " ON_CPU,
	 .scale_unit = "1cs/sec",
	 .groups = "Default",
	 .brief = "Context switches for each second on CPU"},
	{.name = "migrations_per_second",
	 .expr = "cpu\\-migrations * 1e9 / " ON_CPU,
	 .scale_unit = "1migrations/sec",
	 .groups = "Default",
	 .brief = "Moves to another CPU for each second on CPU"},
	{.name = "page_faults_per_second",
	 .expr = "page\\-faults * 1e9 / " ON_CPU,
	 .scale_unit = "1faults/sec",
	 .groups = "Default",
	 .brief = "Page faults for each second on CPU"},
	{.name = "insn_per_cycle",
	 .expr = "instructions / cpu\\-cycles",
	 .scale_unit = "1instructions",
	 .threshold = "insn_per_cycle < 1",
	 .groups = "Default",
	 .brief = "Instructions for each cycle"},
	{.name = "IPC",
	 .expr = "instructions / cpu\\-cycles",
	 .brief = "Instructions for each cycle"},
	{.name = "stalled_cycles_per_instruction",
	 .expr = "(max(" FRONT ", " BACK ") if " HAS_FRONT " & " HAS_BACK " else " FRONT
		 " if " HAS_FRONT " else " BACK ") / instructions",
	 .groups = "Default",
	 .brief = "Stalled cycles for each instruction, of the frontend or of the backend if those "
		  "are more"},
	{.name = "frontend_cycles_idle",
	 .expr = FRONT " / cpu\\-cycles",
	 .threshold = "frontend_cycles_idle > 0.1",
	 .scale_unit = "100%",
	 .groups = "Default",
	 .brief = "Share of cycles in which the frontend stalled"},
	{.name = "backend_cycles_idle",
	 .expr = BACK " / cpu\\-cycles",
	 .threshold = "backend_cycles_idle > 0.2",
	 .scale_unit = "100%",
	 .groups = "Default",
	 .brief = "Share of cycles in which the backend stalled"},
	{.name = "cycles_frequency",
	 .expr = "cpu\\-cycles / " ON_CPU,
	 .scale_unit = "1GHz",
	 .groups = "Default",
	 .brief = "Cycles for each nanosecond on CPU"},
	{.name = "branch_frequency",
	 .expr = "branches / " ON_CPU,
	 .scale_unit = "1000M/sec",
	 .groups = "Default",
	 .brief = "Branches for each second on CPU"},
	{.name = "branch_miss_rate",
	 .expr = "branch\\-misses / branches",
	 .threshold = "branch_miss_rate > 0.05",
	 .scale_unit = "100%",
	 .groups = "Default",
	 .brief = "Share of branches that were predicted wrongly"},

	/* -d, -dd and -ddd */
	{.name = "l1d_miss_rate",
	 .expr = "L1\\-dcache\\-load\\-misses / L1\\-dcache\\-loads",
	 .threshold = "l1d_miss_rate > 0.05",
	 .scale_unit = "100%",
	 .groups = "Default2",
	 .brief = "Share of loads that missed the level 1 data cache"},
	{.name = "llc_miss_rate",
	 .expr = "LLC\\-load\\-misses / LLC\\-loads",
	 .threshold = "llc_miss_rate > 0.05",
	 .scale_unit = "100%",
	 .groups = "Default2",
	 .brief = "Share of loads that missed the last level cache"},
	{.name = "l1i_miss_rate",
	 .expr = "L1\\-icache\\-load\\-misses / L1\\-icache\\-loads",
	 .threshold = "l1i_miss_rate > 0.05",
	 .scale_unit = "100%",
	 .groups = "Default3",
	 .brief = "Share of fetches that missed the level 1 instruction cache"},
	{.name = "dtlb_miss_rate",
	 .expr = "dTLB\\-load\\-misses / dTLB\\-loads",
	 .threshold = "dtlb_miss_rate > 0.05",
	 .scale_unit = "100%",
	 .groups = "Default3",
	 .brief = "Share of loads that missed the data TLB"},
	{.name = "itlb_miss_rate",
	 .expr = "iTLB\\-load\\-misses / iTLB\\-loads",
	 .threshold = "itlb_miss_rate > 0.05",
	 .scale_unit = "100%",
	 .groups = "Default3",
	 .brief = "Share of fetches that missed the instruction TLB"},
	{.name = "l1_prefetch_miss_rate",
	 .expr = "L1\\-dcache\\-prefetch\\-misses / L1\\-dcache\\-prefetches",
	 .threshold = "l1_prefetch_miss_rate > 0.05",
	 .scale_unit = "100%",
	 .groups = "Default4",
	 .brief = "Share of prefetches that missed the level 1 data cache"},

	/* top-down, Intel */
	{.name = "tma_frontend_bound",
	 .expr = TMA_OF("topdown\\-fe\\-bound"),
	 .threshold = "tma_frontend_bound > 0.15",
	 .only_if = TMA_IF,
	 TMA_L1,
	 .brief = "Share of slots for which the frontend had no operation"},
	{.name = "tma_bad_speculation",
	 .expr = "max(1 - (tma_frontend_bound + tma_backend_bound + tma_retiring), 0)",
	 .threshold = "tma_bad_speculation > 0.15",
	 .only_if = TMA_IF,
	 TMA_L1,
	 .brief = "Share of slots lost to operations that were thrown away"},
	{.name = "tma_backend_bound",
	 .expr = TMA_OF("topdown\\-be\\-bound"),
	 .threshold = "tma_backend_bound > 0.2",
	 .only_if = TMA_IF,
	 TMA_L1,
	 .brief = "Share of slots for which the backend had no room"},
	{.name = "tma_retiring",
	 .expr = TMA_OF("topdown\\-retiring"),
	 .threshold = "tma_retiring > 0.7",
	 .only_if = TMA_IF,
	 TMA_L1,
	 .brief = "Share of slots with operations that retired"},
	{.name = "tma_fetch_latency",
	 .expr = TMA_OF("topdown\\-fetch\\-lat"),
	 .threshold = "(tma_fetch_latency > 0.1) & (tma_frontend_bound > 0.15)",
	 TMA_L2,
	 .brief = "Share of slots lost while fetching was late"},
	{.name = "tma_fetch_bandwidth",
	 .expr = "max(tma_frontend_bound - tma_fetch_latency, 0)",
	 .threshold = "tma_fetch_bandwidth > 0.2",
	 TMA_L2,
	 .brief = "Share of slots lost while fetching brought too little"},
	{.name = "tma_branch_mispredicts",
	 .expr = TMA_OF("topdown\\-br\\-mispredict"),
	 .threshold = "(tma_branch_mispredicts > 0.1) & (tma_bad_speculation > 0.15)",
	 TMA_L2,
	 .brief = "Share of slots lost to wrongly predicted branches"},
	{.name = "tma_machine_clears",
	 .expr = "max(tma_bad_speculation - tma_branch_mispredicts, 0)",
	 .threshold = "(tma_machine_clears > 0.1) & (tma_bad_speculation > 0.15)",
	 TMA_L2,
	 .brief = "Share of slots lost to clearing the pipeline for another reason than a branch"},
	{.name = "tma_memory_bound",
	 .expr = TMA_OF("topdown\\-mem\\-bound"),
	 .threshold = "(tma_memory_bound > 0.2) & (tma_backend_bound > 0.2)",
	 TMA_L2,
	 .brief = "Share of slots lost to waiting for loads and stores"},
	{.name = "tma_core_bound",
	 .expr = "max(tma_backend_bound - tma_memory_bound, 0)",
	 .threshold = "(tma_core_bound > 0.1) & (tma_backend_bound > 0.2)",
	 TMA_L2,
	 .brief = "Share of slots lost to a lack of execution units"},
	{.name = "tma_heavy_operations",
	 .expr = TMA_OF("topdown\\-heavy\\-ops"),
	 .threshold = "tma_heavy_operations > 0.1",
	 TMA_L2,
	 .brief = "Share of slots of instructions that take more than one operation"},
	{.name = "tma_light_operations",
	 .expr = "max(tma_retiring - tma_heavy_operations, 0)",
	 .threshold = "tma_light_operations > 0.6",
	 TMA_L2,
	 .brief = "Share of slots of instructions that take no more than one operation"},
	{.name = "tma_frontend_bound",
	 .expr = "topdown\\-fetch\\-bubbles / " TD_TOTAL,
	 .threshold = "tma_frontend_bound > 0.15",
	 .only_if = TD_IF,
	 TMA_L1,
	 .flags = METRIC_SCALED,
	 .brief = "Share of slots for which the frontend had no operation"},
	{.name = "tma_bad_speculation",
	 .expr = "max(" TD_WASTED " / " TD_TOTAL ", 0)",
	 .threshold = "tma_bad_speculation > 0.15",
	 .only_if = TD_IF,
	 TMA_L1,
	 .flags = METRIC_SCALED,
	 .brief = "Share of slots lost to operations that were thrown away"},
	{.name = "tma_retiring",
	 .expr = "topdown\\-slots\\-retired / " TD_TOTAL,
	 .threshold = "tma_retiring > 0.7",
	 .only_if = TD_IF,
	 TMA_L1,
	 .flags = METRIC_SCALED,
	 .brief = "Share of slots with operations that retired"},
	{.name = "tma_backend_bound",
	 .expr = "max(1 - (tma_frontend_bound + tma_bad_speculation + tma_retiring), 0)",
	 .threshold = "tma_backend_bound > 0.2",
	 .only_if = TD_IF,
	 TMA_L1,
	 .flags = METRIC_SCALED,
	 .brief = "Share of slots for which the backend had no room"},

	/* top-down, Arm */
	{.name = "frontend_bound",
	 .expr = "stall_slot_frontend / " ARM_SLOTS,
	 .threshold = "frontend_bound > 0.2",
	 ARM_L1,
	 .brief = "Share of slots for which the frontend had no operation"},
	{.name = "backend_bound",
	 .expr = "stall_slot_backend / " ARM_SLOTS,
	 .threshold = "backend_bound > 0.2",
	 ARM_L1,
	 .brief = "Share of slots for which the backend had no room"},
	{.name = "retiring",
	 .expr = "op_retired / op_spec * " ARM_USED,
	 .threshold = "retiring > 0.75",
	 ARM_L1,
	 .brief = "Share of slots with operations that retired"},
	{.name = "bad_speculation",
	 .expr = "(1 - op_retired / op_spec) * " ARM_USED,
	 .threshold = "bad_speculation > 0.15",
	 ARM_L1,
	 .brief = "Share of slots lost to operations that were thrown away"},
	{.name = "frontend_stalled_cycles",
	 .expr = "stall_frontend / cpu_cycles",
	 .threshold = "frontend_stalled_cycles > 0.1",
	 .scale_unit = "100%",
	 .groups = "Cycle_Accounting",
	 .only_if = ARM_STALL,
	 .brief = "Share of cycles in which the frontend stalled"},
	{.name = "backend_stalled_cycles",
	 .expr = "stall_backend / cpu_cycles",
	 .threshold = "backend_stalled_cycles > 0.2",
	 .scale_unit = "100%",
	 .groups = "Cycle_Accounting",
	 .only_if = ARM_STALL,
	 .brief = "Share of cycles in which the backend stalled"},
};
const size_t metric_builtin_count = ARRAY_SIZE(metric_builtin);
