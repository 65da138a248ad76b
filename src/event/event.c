// SPDX-License-Identifier: MIT
#include "event/event.h"

void event_set_release(struct event_set *set)
{
	if (set->remove_made)
		set->remove_made(set->made);
	for (size_t i = 0; i < set->events.n; i++)
		vec_release(&set->events.at[i]->ids);
	vec_release(&set->events);
	idmap_release(&set->by_id);
	arena_release(&set->arena);
}

struct event *event_set_add(struct event_set *set, const char *name)
{
	struct event *ev = arena_alloc(&set->arena, sizeof(*ev));

	ev->name = arena_strdup(&set->arena, name);
	ev->unit = "";
	ev->scale = 1;
	ev->index = (uint32_t)set->events.n;
	ev->leader = ev->index;
	ev->members = 1;
	vec_add(&set->events, ev);
	return ev;
}

void event_set_add_id(struct event_set *set, struct event *ev, uint64_t id)
{
	vec_add(&ev->ids, id);
	*idmap_put(&set->by_id, id) = ev->index;
}

struct event *event_set_find_name(const struct event_set *set, const char *name)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (!strcmp(set->events.at[i]->name, name))
			return set->events.at[i];
	return NULL;
}

const char *event_tool_name(enum event_tool tool)
{
	static const char *const names[TOOL_MAX] = {
		[TOOL_DURATION_TIME] = "duration_time",
		[TOOL_USER_TIME] = "user_time",
		[TOOL_SYSTEM_TIME] = "system_time",
		[TOOL_HAS_PMEM] = "has_pmem",
		[TOOL_NUM_CORES] = "num_cores",
		[TOOL_NUM_CPUS] = "num_cpus",
		[TOOL_NUM_CPUS_ONLINE] = "num_cpus_online",
		[TOOL_NUM_DIES] = "num_dies",
		[TOOL_NUM_PACKAGES] = "num_packages",
		[TOOL_SLOTS] = "slots",
		[TOOL_SMT_ON] = "smt_on",
		[TOOL_SYSTEM_TSC_FREQ] = "system_tsc_freq",
		[TOOL_CORE_WIDE] = "core_wide",
		[TOOL_TARGET_CPU] = "target_cpu",
	};

	return tool < TOOL_MAX ? names[tool] : NULL;
}

void event_set_guests(struct event_set *set, bool without_host)
{
	for (size_t i = 0; i < set->events.n; i++) {
		struct event *ev = set->events.at[i];

		if (ev->guest_given)
			continue;
		ev->attr.flags &= ~(uint64_t)ATTR_EXCLUDE_GUEST;
		if (without_host)
			ev->attr.flags |= ATTR_EXCLUDE_HOST;
	}
}
