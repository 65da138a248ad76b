// SPDX-License-Identifier: MIT
/* Which socket each CPU of the recorded machine is in: from the CPU_TOPOLOGY feature, which holds two
 * lists of strings and then a core and a socket number a CPU. */
#include "data/feature/feature.h"
#include "profile/profile.h"

#define MOST_CPUS 65536

static void skip_strings(struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	while (n-- && !c->bad)
		feature_string(c);
}

void profile_find_sockets(struct profile *p)
{
	struct cursor c = feature_cursor(p->rec, FEATURE_CPU_TOPOLOGY);
	uint32_t n = MIN(p->rec->nr_cpus_avail, (uint32_t)MOST_CPUS);
	int *sockets;

	skip_strings(&c);
	skip_strings(&c);
	if (c.bad || cursor_left(&c) / 8 < n)
		return;
	sockets = arena_alloc(&p->arena, n * sizeof(*sockets));
	for (uint32_t i = 0; i < n; i++) {
		cursor_skip(&c, 4);
		sockets[i] = (int)cursor_u32(&c);
	}
	p->socket_of_cpu = sockets;
	p->n_sockets = n;
}
