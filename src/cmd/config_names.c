// SPDX-License-Identifier: MIT
#include "cmd/config_names.h"

#include <stdio.h>

const char *const config_names[] = {
	"annotate.demangle",
	"annotate.demangle_kernel",
	"annotate.disassembler_style",
	"annotate.disassemblers",
	"annotate.hide_src_code",
	"annotate.jump_arrows",
	"annotate.objdump",
	"annotate.offset_level",
	"annotate.show_linenr",
	"annotate.show_nr_jumps",
	"annotate.show_nr_samples",
	"annotate.show_total_period",
	"annotate.use_offset",
	"buildid-cache.debuginfod",
	"buildid.dir",
	"call-graph.dump-size",
	"call-graph.order",
	"call-graph.print-limit",
	"call-graph.print-type",
	"call-graph.record-mode",
	"call-graph.sort-key",
	"call-graph.threshold",
	"color.ui",
	"core.proc-map-timeout",
	"daemon.base",
	"diff.compute",
	"diff.order",
	"events.dir",
	"ftrace.tracer",
	"hist.percentage",
	"kmem.default",
	"lines.cache",
	"lines.cache-size",
	"pager.*",
	"record.aio",
	"record.build-id",
	"record.call-graph",
	"record.debuginfod",
	"record.self-contained",
	"report.children",
	"report.group",
	"report.percent-limit",
	"report.skip-empty",
	"report.sort_order",
	"samples.context",
	"scripts.*",
	"session-*.run",
	"stat.big-num",
	"stat.bpf-counter-events",
	"stat.no-csv-summary",
	"top.call-graph",
	"top.children",
	"trace.args_alignment",
	"trace.no_inherit",
	"trace.show_arg_names",
	"trace.show_duration",
	"trace.show_prefix",
	"trace.show_timestamp",
	"trace.show_zeros",
	"tui.annotate",
	"tui.diff",
	"tui.report",
	"tui.top",
	NULL,
};

bool config_name_known(const char *key)
{
	for (size_t i = 0; config_names[i]; i++)
		if (glob_match(config_names[i], key))
			return true;
	return false;
}

void config_names_check(const struct config *c)
{
	for (size_t i = 0; i < c->vars.n; i++) {
		const char *key = c->vars.at[i].key, *near;

		if (config_name_known(key))
			continue;
		fprintf(stderr, "perf: no command reads '%s'\n", key);
		near = nearest_name(key, config_names, ARRAY_SIZE(config_names) - 1);
		if (near)
			fprintf(stderr, "  '%s' is one\n", near);
	}
}
