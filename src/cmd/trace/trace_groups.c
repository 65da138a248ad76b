// SPDX-License-Identifier: MIT
/* Control groups of --summary-mode cgroup. */
#include "cmd/trace/trace_opts.h"
#include "os/machine/cgroup.h"

#include <string.h>

static void take_group(void *ctx, const char *path, uint64_t id)
{
	struct trace_groups *g = ctx;
	uint32_t *at = idmap_put(&g->by_id, id);

	if (*at != HASH_NONE)
		return;
	*at = (uint32_t)g->paths.n;
	vec_add(&g->paths, mem_strdup(path));
}

void trace_groups_look(struct trace_groups *g)
{
	cgroup_each("/sys", take_group, g);
}

const char *trace_groups_path(const struct trace_groups *g, uint64_t id)
{
	uint32_t at = g->paths.n ? idmap_find(&g->by_id, id) : HASH_NONE;

	return at == HASH_NONE ? NULL : g->paths.at[at];
}

void trace_groups_release(struct trace_groups *g)
{
	for (size_t i = 0; i < g->paths.n; i++)
		free(g->paths.at[i]);
	vec_release(&g->paths);
	idmap_release(&g->by_id);
}

bool trace_sums_are(const struct trace_opts *o, const char *mode)
{
	return !strcmp(o->summary_mode ? o->summary_mode : "thread", mode);
}
