// SPDX-License-Identifier: MIT
#include "view/export/export.h"

const struct exporter exporters[EXPORTERS] = {
	[EXPORT_HTML] = {"html", {.times = true}, export_html},
	[EXPORT_SVG] = {"svg", {0}, export_svg},
	[EXPORT_SPEEDSCOPE] = {"speedscope", {.times = true, .lines = true}, export_speedscope},
	[EXPORT_PPROF] = {"pprof", {.addresses = true, .lines = true}, export_pprof},
	[EXPORT_CALLGRIND] = {"callgrind", {.lines = true}, export_callgrind},
};

const struct export_fact *export_facts(const struct recording *rec, struct arena *arena, size_t *n)
{
	AUTO_BUF command = {0};
	struct export_fact *facts;

	for (size_t i = 0; i < rec->cmdline.n; i++)
		buf_word(&command, rec->cmdline.at[i]);
	const struct export_fact known[] = {
		{"command", arena_strdup(arena, buf_text(&command))},
		{"file", rec->path},
		{"host", rec->hostname},
		{"kernel", rec->m.osrelease},
		{"architecture", rec->m.arch},
		{"processor", rec->cpudesc},
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
