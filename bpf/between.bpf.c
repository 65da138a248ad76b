// SPDX-License-Identifier: MIT
/* How long it takes from one tracepoint to another one in the same task. Loaded by
 * os/bpf/latency.c. */
#include "latency.h"

/* The later one of two beginnings without an end between them counts. The tracepoints' names are
 * given when these two are attached. */
SEC("raw_tp/first")
int on_first(void *ctx)
{
	struct calls *c = bpf_task_storage_get(&task_calls, bpf_get_current_task_btf(), NULL, 0);

	if (c)
		c->n = 0;
	call_begin(0);
	return 0;
}

SEC("raw_tp/second")
int on_second(void *ctx)
{
	call_end(0);
	return 0;
}
