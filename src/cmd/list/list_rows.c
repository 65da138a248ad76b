// SPDX-License-Identifier: MIT
#include "cmd/list/list_rows.h"

#include "cmd/options/opts_events.h"
#include "symbol/elf/sdt.h"

#include <string.h>
#include <time.h>

/* The words of the command line that select kinds of events. */
static const struct {
	const char *word, *other;
	unsigned int kinds;
} sections[] = {
	{"hw", "hardware", LIST_HARDWARE},
	{"sw", "software", LIST_SOFTWARE | LIST_TOOL},
	{"tool", NULL, LIST_TOOL},
	{"cache", "hwcache", LIST_CACHE},
	{"tracepoint", NULL, LIST_TRACEPOINT},
	{"pmu", NULL, LIST_PMU},
	{"hwmon", "drm", LIST_SENSOR},
	{"sdt", NULL, LIST_SDT},
	{"pfm", NULL, LIST_PFM},
	{"metric", "metrics", LIST_METRIC},
	{"metricgroup", "metricgroups", LIST_METRIC_GROUP},
};

/* Adds SDT probes. A probe name that several files define gets "@PATH(BUILD-ID)". */
static void add_probes(struct listing *l, const struct list_sources *from, const char *system,
		       const char *pattern)
{
	struct sdt_probes probes;

	sdt_read(&probes, from->buildid_dir, from->cache_size, time(NULL));
	for (size_t i = 0; i < probes.n; i++) {
		const struct sdt_probe *p = &probes.at[i];
		bool again = (i && !strcmp(p[-1].event, p->event)) ||
			     (i + 1 < probes.n && !strcmp(p[1].event, p->event));
		const char *colon = strchr(p->event, ':');
		const char *of = arena_strndup(&l->arena, p->event, (size_t)(colon - p->event));
		struct listing_row row = {.kind = LIST_SDT};

		if ((system && !glob_match(system, of)) ||
		    (pattern && !glob_match(pattern, colon + 1)))
			continue;
		row.name = again ? arena_printf(&l->arena, "%s@%s(%.12s)", p->event, p->path,
						p->build_id)
				 : arena_strdup(&l->arena, p->event);
		row.short_name = arena_strdup(&l->arena, p->event);
		listing_put(l, &row);
	}
	sdt_release(&probes);
}

void list_add(struct listing *l, const struct list_sources *from, unsigned int kinds,
	      const char *system, const char *pattern)
{
	const unsigned int last = LIST_METRIC | LIST_METRIC_GROUP;

	listing_add(l, from->host, kinds & ~last, system, pattern);
	if (kinds & LIST_SDT)
		add_probes(l, from, system, pattern);
	listing_add(l, from->host, kinds & last, system, pattern);
}

void list_add_word(struct listing *l, const struct list_sources *from, const char *word)
{
	const char *colon = strchr(word, ':');

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (!strcmp(word, sections[i].word) ||
		    (sections[i].other && !strcmp(word, sections[i].other))) {
			list_add(l, from, sections[i].kinds, NULL, NULL);
			return;
		}
	if (colon)
		list_add(l, from, LIST_TRACEPOINT | LIST_SDT,
			 arena_strndup(&l->arena, word, (size_t)(colon - word)), colon + 1);
	else
		list_add(l, from, LIST_NAMED | LIST_METRIC, NULL,
			 arena_printf(&l->arena, "*%s*", word));
}

void list_words(const struct opt_typed *typed, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		buf_word(out, sections[i].word);
	event_words(typed, out);
}
