// SPDX-License-Identifier: MIT
#include "bench/inside/inside.h"

#include "os/machine/kallsyms.h"
#include "os/machine/pmu.h"

const struct opt kallsyms_parse_options[] = {
	{OPT_UINT, 'i', "iterations", INSIDE_AT(iterations), "n",
	 "Number of iterations used to compute average"},
	{OPT_END},
};

const struct opt pmu_scan_options[] = {
	{OPT_UINT, 'i', "iterations", INSIDE_AT(iterations), "n",
	 "Number of iterations used to compute average"},
	{OPT_END},
};

static int measure_kallsyms(struct bench *b, const void *v, struct err *err)
{
	const struct inside_opts *o = v;
	struct bench_stats stats = {0};

	for (unsigned int i = 0; i < o->iterations; i++) {
		struct kallsyms k = {0};
		uint64_t start = bench_now_ns();
		int got = kallsyms_read(&k, kallsyms_live, err);

		bench_stats_add(&stats, (double)(bench_now_ns() - start) / 1e6);
		kallsyms_release(&k);
		if (got)
			return -1;
	}
	buf_printf(b->text, "  Average kallsyms__parse took: %.3f ms (+- %.3f ms)\n", stats.mean,
		   bench_stats_error(&stats));
	bench_value(b, stats.mean, "ms");
	return 0;
}

/* The PMUs, or those of cores only, with their formats and events. */
static int scan_pmus(bool cores, struct err *err)
{
	struct arena arena = {0};
	struct names names = {0};
	int got = pmu_names(PMU_ROOT, &arena, &names, err);

	for (size_t i = 0; i < names.n && !got; i++) {
		struct names aliases = {0};
		struct pmu pmu = {0};

		if (cores && !pmu_is_core(PMU_ROOT, names.at[i]))
			continue;
		if (pmu_read(PMU_ROOT, names.at[i], &arena, &pmu)) {
			pmu_alias_names(PMU_ROOT, names.at[i], &arena, &aliases);
			for (size_t j = 0; j < aliases.n; j++) {
				struct pmu_alias alias;

				pmu_alias_read(PMU_ROOT, names.at[i], aliases.at[j], &arena,
					       &alias);
			}
		}
		vec_release(&aliases);
		pmu_release(&pmu);
	}
	vec_release(&names);
	arena_release(&arena);
	return got;
}

static int measure_pmus(struct bench *b, const void *v, struct err *err)
{
	const struct inside_opts *o = v;

	buf_printf(b->text, "Computing performance of sysfs PMU event scan for %u times\n",
		   o->iterations);
	for (int cores = 1; cores >= 0; cores--) {
		struct bench_stats stats = {0};

		for (unsigned int i = 0; i < o->iterations; i++) {
			uint64_t start = bench_now_ns();

			if (scan_pmus(cores, err))
				return -1;
			bench_stats_add(&stats, (double)(bench_now_ns() - start) / 1000);
		}
		buf_printf(b->text, "  Average %sPMU scanning took: %.3f usec (+- %.3f usec)\n",
			   cores ? "core " : "", stats.mean, bench_stats_error(&stats));
		bench_value(b, stats.mean, cores ? "core PMUs usec" : "PMUs usec");
	}
	return 0;
}

const struct bench_suite bench_internals_kallsyms_parse = {
	.defaults = &(const struct inside_opts){.iterations = 1},
	.opts_size = sizeof(struct inside_opts),
	.measure = measure_kallsyms,
};

const struct bench_suite bench_internals_pmu_scan = {
	.defaults = &(const struct inside_opts){.iterations = 100},
	.opts_size = sizeof(struct inside_opts),
	.measure = measure_pmus,
};
