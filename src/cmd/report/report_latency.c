// SPDX-License-Identifier: MIT
/* The column of latencies beside the overheads. */
#include "cmd/options/opts_recorded.h"
#include "cmd/report/report_opts.h"
#include "profile/samples/samples.h"

#include <string.h>

/* True when record --latency made the recording. The events alone don't tell: other options have
 * context switches recorded, too. */
static bool recorded_for_latency(const struct recording *rec)
{
	return measurement_has_switches(&rec->m) && recorded_with(rec, "--latency");
}

void report_plan_latency(struct report_plan *plan, const struct report_opts *o,
			 const struct recording *rec)
{
	const bool own_columns = o->latency || (o->fields && o->fields[0] != '+') ||
				 (o->fields && strstr(o->fields, "latency")) ||
				 (o->sort && strstr(o->sort, "latency"));
	const bool table = plan->samples.mode == MODE_NORMAL && !plan->samples.blocks &&
			   !o->folded && !export_wanted(&o->exports);

	plan->table.layout.latency_beside =
		table && !own_columns && !rec->is_pipe && recorded_for_latency(rec);
}

int report_drop_latency(struct report_plan *plan, const struct samples *samples,
			struct table **table, struct err *err)
{
	if (!plan->table.layout.latency_beside || !samples_are_single_threaded(samples))
		return 0;
	plan->table.layout.latency_beside = false;
	table_free(*table);
	*table = table_new(&plan->table, err);
	return *table ? 0 : -1;
}
