// SPDX-License-Identifier: MIT
#include "view/export/export.h"

#include <stdlib.h>

const struct exporter exporters[EXPORTERS] = {
	[EXPORT_HTML] = {"html", export_html, {.times = true}, .switches = true, .code = true},
	[EXPORT_SVG] = {"svg", export_svg, {0}},
	[EXPORT_SPEEDSCOPE] = {"speedscope", export_speedscope, {.times = true, .lines = true}},
	[EXPORT_PPROF] = {"pprof", export_pprof, {.addresses = true, .lines = true}},
	[EXPORT_CALLGRIND] = {"callgrind", export_callgrind, {.addresses = true, .lines = true}},
	[EXPORT_FIREFOX] = {"firefox",
			    export_firefox,
			    {.times = true, .addresses = true, .lines = true},
			    .exact_times = true,
			    .moments = true},
	[EXPORT_CHROME] =
		{"chrome", export_chrome, {.times = true}, .exact_times = true, .moments = true},
	[EXPORT_PERFETTO] = {"perfetto",
			     export_perfetto,
			     {.times = true, .addresses = true, .lines = true},
			     .exact_times = true,
			     .moments = true},
	[EXPORT_JSON] = {"json", export_json, {.lines = true}},
	[EXPORT_SUMMARY] = {"json=summary", export_summary, {.lines = true}},
};

/* The events, each with how often it was sampled: "cycles:u (1999 Hz), page-faults (each)". */
static const char *export_events_text(const struct event_set *set, struct arena *arena)
{
	AUTO_BUF b = {0};

	for (size_t i = 0; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];
		const unsigned long long every = ev->attr.sample_period;

		buf_printf(&b, "%s%s", i ? ", " : "", ev->name);
		if (ev->attr.flags & ATTR_FREQ)
			buf_printf(&b, " (%llu Hz)", every);
		else if (every > 1)
			buf_printf(&b, " (every %llu)", every);
		else if (every)
			buf_str(&b, " (each)");
	}
	return arena_strdup(arena, buf_text(&b));
}

/* "2 of 4"; "" when it is not known. */
static const char *export_cpus_text(const struct recording *rec, struct arena *arena)
{
	if (!rec->nr_cpus_online)
		return "";
	if (rec->nr_cpus_online == rec->nr_cpus_avail)
		return arena_printf(arena, "%u", rec->nr_cpus_online);
	return arena_printf(arena, "%u of %u", rec->nr_cpus_online, rec->nr_cpus_avail);
}

static const char *export_memory_text(const struct recording *rec, struct arena *arena)
{
	if (!rec->total_mem_kb)
		return "";
	return arena_printf(arena, "%.1f GiB", (double)rec->total_mem_kb / (1 << 20));
}

const struct export_fact *export_facts(const struct recording *rec, struct arena *arena, size_t *n)
{
	AUTO_BUF command = {0};
	struct export_fact *facts;

	for (size_t i = 0; i < rec->cmdline.n; i++)
		buf_word(&command, rec->cmdline.at[i]);
	const struct export_fact known[] = {
		{"command", arena_strdup(arena, buf_text(&command))},
		{"events", export_events_text(&rec->m.events, arena)},
		{"file", rec->path},
		{"host", rec->hostname},
		{"kernel", rec->m.osrelease},
		{"architecture", rec->m.arch},
		{"processor", rec->cpudesc},
		{"CPUs", export_cpus_text(rec, arena)},
		{"memory", export_memory_text(rec, arena)},
		{"recorded by perf", rec->version},
	};

	facts = arena_alloc(arena, sizeof(known));
	*n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].value && *known[i].value)
			facts[(*n)++] = known[i];
	return facts;
}

size_t export_event_rows(const struct stacks *s, size_t from)
{
	size_t to = from;

	while (to < s->samples.n && s->samples.at[to].event == s->samples.at[from].event)
		to++;
	return to - from;
}

size_t export_busiest_event(const struct stacks *s, size_t *n)
{
	uint64_t most = 0;
	size_t busiest = 0;

	*n = 0;
	for (size_t from = 0, rows; from < s->samples.n; from += rows) {
		uint64_t samples = 0;

		rows = export_event_rows(s, from);
		for (size_t i = from; i < from + rows; i++)
			samples += s->samples.at[i].samples;
		if (samples > most || !*n)
			busiest = from, most = samples, *n = rows;
	}
	return busiest;
}

uint32_t export_line(const char *line)
{
	const char *colon = line ? strrchr(line, ':') : NULL;

	return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

uint64_t export_first(const struct export_input *in)
{
	const uint64_t first = in->stacks->samples.n ? in->stacks->first[0] : UINT64_MAX;
	const uint64_t moments = in->moments ? in->moments->first : UINT64_MAX;

	return MIN(first, moments) == UINT64_MAX ? 0 : MIN(first, moments);
}

void export_set_times(struct export_input *in, const struct recording *rec,
		      const struct filter *filter)
{
	const struct measurement_clock *c = &rec->m.clock;
	uint64_t first = export_first(in);

	in->duration_ns = in->stacks->duration[0];
	if (!first && rec->last_sample_time > rec->first_sample_time &&
	    !(filter && filter->times_given)) {
		first = rec->first_sample_time;
		in->duration_ns = rec->last_sample_time - first;
	}
	in->start_ns = c->wall_ns && first ? c->wall_ns - c->clock_ns + first : 0;
}

void export_each_thread(const struct export_input *in,
			void (*take)(void *ctx, const struct export_rows *rows), void *ctx)
{
	const struct stacks *s = in->stacks;
	uint32_t *next = mem_zero((s->threads.n + 1) * sizeof(*next));
	uint32_t *rows = mem_alloc((s->samples.n + 1) * sizeof(*rows));

	for (size_t from = 0, n; from < s->samples.n; from += n) {
		const uint32_t event = s->samples.at[from].event;
		uint32_t at = 0;

		n = export_event_rows(s, from);
		memset(next, 0, s->threads.n * sizeof(*next));
		for (size_t i = from; i < from + n; i++)
			next[s->samples.at[i].thread]++;
		for (size_t t = 0; t < s->threads.n; t++) {
			uint32_t mine = next[t];

			next[t] = at;
			at += mine;
		}
		for (size_t i = from; i < from + n; i++)
			rows[next[s->samples.at[i].thread]++] = (uint32_t)i;
		for (uint32_t t = 0, first = 0; t < s->threads.n; first = next[t++])
			if (next[t] > first)
				take(ctx, &(struct export_rows){event, t, rows + first,
								next[t] - first});
	}
	free(next);
	free(rows);
}
