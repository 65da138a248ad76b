// SPDX-License-Identifier: MIT
#include "data/feature/cpu_sockets.h"

#include "data/feature/feature.h"

#define MOST_CPUS 65536

static void skip_strings(struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	while (n-- && !c->bad)
		feature_string(c);
}

void recording_take_sockets(struct recording *rec)
{
	struct cursor c = feature_cursor(rec, FEATURE_CPU_TOPOLOGY);
	uint32_t n = MIN(rec->nr_cpus_avail, (uint32_t)MOST_CPUS);
	int *sockets;

	skip_strings(&c);
	skip_strings(&c);
	if (c.bad || !n || cursor_left(&c) / 8 < n)
		return;
	sockets = arena_alloc(&rec->arena, n * sizeof(*sockets));
	for (uint32_t i = 0; i < n; i++) {
		cursor_skip(&c, 4);
		sockets[i] = (int)cursor_u32(&c);
	}
	rec->m.socket_of_cpu = sockets;
	rec->m.n_sockets = n;
}
