// SPDX-License-Identifier: MIT
#include "cmd/options/opts_events.h"

#include "os/machine/host.h"
#include "os/tracefs.h"

int event_source_open(struct event_source *s, const char *dir, const struct config *config,
		      struct err *err)
{
	*s = (struct event_source){0};
	s->host = event_host_here(&s->arena);
	if (!s->host.tracefs_root) /* perhaps it is only not readable: the error then says so */
		s->host.tracefs_root = TRACEFS_USUAL;
	if (!dir)
		dir = config_find(config, "events.dir");
	if (!dir || !*dir)
		return 0;
	s->host.vendor = &s->vendor;
	return vendor_load(&s->vendor, dir, host_cpuid_of_lists("/sys", &s->arena), err);
}

void event_source_release(struct event_source *s)
{
	vendor_release(&s->vendor);
	arena_release(&s->arena);
}
