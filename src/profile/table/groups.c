// SPDX-License-Identifier: MIT
/* --group: the entries of a group's events side by side. */
#include "profile/table/make.h"

/* Links each entry of a member to the leader's entry with the same values. Where the leader has
 * none, an entry without samples is added. */
static void link_member(struct table *table, const struct event *leader, const struct event *member,
			struct intern *leaders)
{
	struct event_entries *to = &table->events.at[leader->index];
	struct event_entries *from = &table->events.at[member->index];
	size_t values = table->layout.keys.n * sizeof(uint64_t);

	for (size_t i = 0; i < from->entries.n; i++) {
		struct entry *e = from->entries.at[i], *twin;
		uint32_t id = intern_put(leaders, e->values, values);

		if (id == to->entries.n) {
			twin = entry_new(&table->entries, e->values, table->layout.keys.n);
			twin->first = e->first;
			twin->filtered = e->filtered;
			twin->event = leader->index;
			vec_add(&to->entries, twin);
		}
		twin = to->entries.at[id];
		if (!twin->group)
			twin->group = arena_alloc(&table->arena,
						  leader->members * sizeof(*twin->group));
		twin->group[member->index - leader->index] = e;
	}
}

static void link_group(struct table *table, const struct event *leader)
{
	struct event_entries *ev = &table->events.at[leader->index];
	size_t values = table->layout.keys.n * sizeof(uint64_t);
	struct intern leaders = {0};

	for (size_t i = 0; i < ev->entries.n; i++)
		intern_put(&leaders, ev->entries.at[i]->values, values);
	for (uint32_t i = leader->index + 1; i < leader->index + leader->members; i++)
		if (i < table->events.n)
			link_member(table, leader, table->samples->m->events.events.at[i],
				    &leaders);
	intern_release(&leaders);
}

void table_link_groups(struct table *table)
{
	for (size_t i = 0; i < table->events.n; i++)
		if (event_is_leader(table->events.at[i].event) &&
		    table->events.at[i].event->members > 1)
			link_group(table, table->events.at[i].event);
}
