// SPDX-License-Identifier: MIT
/* Predefined sets of events: --topdown, -T, --smi-cost. Each needs events that only some PMUs list
 * in sysfs (arch/x86/events/intel/core.c has them). */
#include "cmd/stat/stat_opts.h"

#include "os/machine/pmu.h"
#include "os/rights/rights.h"

#include <stdio.h>
#include <string.h>

#define TOPDOWN_1 "slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound"
#define TOPDOWN_2                                                                                  \
	TOPDOWN_1 ",topdown-heavy-ops,topdown-br-mispredict,topdown-fetch-lat,topdown-mem-bound"

bool stat_core_has(const char *event)
{
	struct arena arena = {0};
	struct pmu_alias alias;
	bool found = pmu_alias_read(PMU_ROOT, "cpu", event, &arena, &alias);

	arena_release(&arena);
	return found;
}

const char *stat_topdown_metrics(unsigned int *levels)
{
	if (!stat_core_has("slots") || !stat_core_has("topdown-retiring"))
		return NULL;
	*levels = stat_core_has("topdown-heavy-ops") ? 2 : 1;
	return *levels == 2 ? "{" TOPDOWN_2 "}" : "{" TOPDOWN_1 "}";
}

/* Top-down analysis on CPUs without metric counters: from counts of slots, which are per core. */
static int topdown_counts(struct stat_plan *plan, const struct event_host *host,
			  struct event_set *events, struct err *err)
{
	static const char *const names[] = {"topdown-total-slots", "topdown-slots-retired",
					    "topdown-recovery-bubbles", "topdown-fetch-bubbles",
					    "topdown-slots-issued"};
	const struct target_options *t = &plan->run.target;
	bool together = rights_sysctl("/proc", "nmi_watchdog", 0) <= 0;
	char text[256] = "";
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (stat_core_has(names[i]))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
					      n ? "," : together ? "{" : "", names[i]);
	if (!n)
		return err_set(err, ERR_UNSUPPORTED, "System does not support topdown");
	if (together)
		snprintf(text + n, sizeof(text) - n, "}");
	if (plan->rows.aggr != STAT_GLOBAL && plan->rows.aggr != STAT_CORE)
		return err_set(err, ERR_USAGE,
			       "top down event configuration requires --per-core mode");
	if (!t->system_wide && !t->cpus)
		return err_set(err, ERR_USAGE,
			       "top down event configuration requires system-wide mode (-a)");
	plan->rows.aggr = plan->view.aggr = STAT_CORE;
	return event_parse(events, text, host, err);
}

static int topdown(const struct stat_opts *o, struct stat_plan *plan, const struct event_host *host,
		   struct event_set *events, struct err *err)
{
	unsigned int levels = 1;
	const char *text = stat_topdown_metrics(&levels);

	plan->rows.metric_only = plan->view.metric_only = true;
	if (o->topdown_level > levels)
		return err_set(err, ERR_USAGE,
			       "Invalid top-down metrics level. The max level is %u.", levels);
	plan->rows.topdown_level = o->topdown_level ? o->topdown_level : levels;
	return text ? event_parse(events, text, host, err)
		    : topdown_counts(plan, host, events, err);
}

static int transactions(const struct event_host *host, struct event_set *events, struct err *err)
{
	bool all = stat_core_has("cycles-ct") && stat_core_has("el-start");
	const char *text = all ? "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/,"
				 "cpu/el-start/,cpu/cycles-ct/}"
			       : "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/}";

	if (event_parse(events, text, host, err))
		return err_set(err, ERR_UNSUPPORTED,
			       "this machine has no events of hardware transactions");
	return 0;
}

static int smi_cost(struct stat_plan *plan, const struct event_host *host, struct event_set *events,
		    struct err *err)
{
	int frozen = pmu_freeze_on_smi("/sys", -1);

	if (frozen < 0)
		return err_set(err, ERR_UNSUPPORTED, "freeze_on_smi is not supported.");
	if (event_parse(events, "{msr/aperf/,msr/smi/,cycles}", host, err))
		return err_set(err, ERR_UNSUPPORTED,
			       "this machine has no events of system management interrupts");
	/* With freeze_on_smi, cycles stop during an SMI and aperf does not: the difference is the
	 * cost of SMIs. */
	if (!frozen && pmu_freeze_on_smi("/sys", 1) < 0)
		return err_set(err, ERR_RIGHTS, "not allowed to set freeze_on_smi");
	plan->unfreeze = !frozen;
	plan->rows.metric_only = plan->view.metric_only = true;
	return 0;
}

int stat_special(const struct stat_opts *o, struct stat_plan *plan, const struct event_host *host,
		 struct event_set *events, struct err *err)
{
	if (o->transaction)
		return transactions(host, events, err);
	if (o->smi_cost)
		return smi_cost(plan, host, events, err);
	return o->topdown ? topdown(o, plan, host, events, err) : 0;
}

void stat_special_end(const struct stat_plan *plan)
{
	if (plan->unfreeze)
		pmu_freeze_on_smi("/sys", 0);
}
