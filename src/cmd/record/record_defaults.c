// SPDX-License-Identifier: MIT
#include "cmd/record/record_opts.h"

#include <stdio.h>
#include <string.h>

void record_usual_chains(struct record_opts *o, const struct env *env, const char *own)
{
	const char *size = config_find(env->config, "call-graph.dump-size");

	o->usual_chains = own;
	if (own)
		return;
	o->usual_chains = config_find(env->config, "call-graph.record-mode");
	if (!size || !o->usual_chains || strcmp(o->usual_chains, "dwarf"))
		return;
	snprintf(o->usual_dwarf, sizeof(o->usual_dwarf), "dwarf,%s", size);
	o->usual_chains = o->usual_dwarf;
}

void record_defaults(void *v, const struct env *env)
{
	struct record_opts *o = v;
	const char *build_id = config_find(env->config, "record.build-id");

	if (build_id) {
		o->no_build_id = !strcmp(build_id, "skip");
		o->no_build_id_cache = !strcmp(build_id, "no-cache");
		o->build_id_cache = !strcmp(build_id, "cache");
		o->build_id_mmap = !strcmp(build_id, "mmap");
	}
	record_usual_chains(o, env, config_find(env->config, "record.call-graph"));
	o->synth = SYNTH_TASK | SYNTH_MMAP | SYNTH_CGROUP;
	o->map_timeout = 500;
	o->verbose = env->verbose;
}
