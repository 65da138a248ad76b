// SPDX-License-Identifier: MIT
#include "cmd/options/opts_events.h"

#include "event/listing/listing.h"
#include "os/machine/host.h"
#include "os/tracing/tracefs.h"

#include <string.h>

int event_source_open(struct event_source *s, const char *dir, const struct config *config,
		      struct err *err)
{
	*s = (struct event_source){0};
	s->host = event_host_here(&s->arena);
	if (!s->host.tracefs_root) /* perhaps unreadable: parsing then says so */
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

/* Appends the names of rows of these kinds. Unreadable lists have no names. */
static void list_words(const struct opt_typed *typed, unsigned int kinds, struct buf *out)
{
	struct event_source source;
	struct listing l = {0};

	event_source_open(&source, NULL, typed->config, NULL);
	listing_add(&l, &source.host, kinds & ~(unsigned int)LIST_TOOL, NULL, NULL);
	if (kinds & LIST_TOOL) /* LIST_TOOL alone lists all tool events */
		listing_add(&l, &source.host, LIST_TOOL, NULL, NULL);
	for (size_t i = 0; i < l.rows.n; i++) {
		const struct listing_row *row = &l.rows.at[i];

		buf_word(out, row->short_name ? row->short_name : row->name);
		if (row->alias)
			buf_word(out, row->alias);
	}
	listing_release(&l);
	event_source_release(&source);
}

/* Appends the tracepoints of the system before the colon. */
static void tracepoint_words(const char *word, struct buf *out)
{
	struct arena arena = {0};
	const char *root = tracefs_find(NULL, &arena);
	const char *system = arena_strndup(&arena, word, strcspn(word, ":"));
	struct names events = {0};

	if (root)
		tracefs_events(root, system, false, &arena, &events, NULL);
	for (size_t i = 0; i < events.n; i++) {
		buf_word(out, system);
		buf_printf(out, ":%s", events.at[i]);
	}
	vec_release(&events);
	arena_release(&arena);
}

static void system_words(struct buf *out)
{
	struct arena arena = {0};
	struct names systems = {0};
	const char *root = tracefs_find(NULL, &arena);

	if (root)
		tracefs_systems(root, false, &arena, &systems, NULL);
	for (size_t i = 0; i < systems.n; i++) {
		buf_word(out, systems.at[i]);
		buf_char(out, ':');
	}
	vec_release(&systems);
	arena_release(&arena);
}

void event_words(const struct opt_typed *typed, struct buf *out)
{
	if (strchr(typed->word, ':')) {
		tracepoint_words(typed->word, out);
		return;
	}
	list_words(typed,
		   LIST_HARDWARE | LIST_SOFTWARE | LIST_TOOL | LIST_CACHE | LIST_PMU | LIST_SENSOR,
		   out);
	system_words(out);
}

void metric_words(const struct opt_typed *typed, struct buf *out)
{
	list_words(typed, LIST_METRIC | LIST_METRIC_GROUP, out);
}

void pfm_words(const struct opt_typed *typed, struct buf *out)
{
	list_words(typed, LIST_PFM, out);
}
