// SPDX-License-Identifier: MIT
/* Source: https://www.speedscope.app/file-format-schema.json. */
#include "view/export/export.h"
#include "view/json.h"

#include <stdlib.h>

static uint32_t line_number(const char *line)
{
	const char *colon = line ? strrchr(line, ':') : NULL;

	return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

static void put_frames(const struct stacks *s, struct json *j, struct out *out)
{
	json_name(j, "shared");
	json_open(j, '{');
	json_name(j, "frames");
	json_open(j, '[');
	for (size_t i = 0; i < s->frames.n; i++) {
		const struct stack_frame *frame = &s->frames.at[i];
		const struct stack_function *f = &s->functions.at[frame->function];

		json_open(j, '{');
		json_text_member(j, "name", f->name);
		json_text_member(j, "file", f->file ? f->file : s->dsos.at[f->dso].name);
		if (line_number(frame->line))
			json_number_member(j, "line", line_number(frame->line));
		json_close(j, '}');
		out_ready(out);
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* The frames from the root to the node. */
static void put_stack(const struct stacks *s, uint32_t node, struct json *j)
{
	uint32_t ids[1024], n = 0;

	for (; node && n < ARRAY_SIZE(ids); node = s->nodes.at[node].parent)
		ids[n++] = s->nodes.at[node].frame;
	json_open(j, '[');
	while (n)
		json_number_element(j, ids[--n]);
	json_close(j, ']');
}

/* The samples of one thread among those of an event. */
static void put_thread(const struct export_input *in, uint32_t thread, const uint32_t *rows,
		       size_t n, struct json *j, struct out *out)
{
	const struct stacks *s = in->stacks;
	const struct stack_thread *t = &s->threads.at[thread];
	const struct event *ev = in->events->events.at[s->samples.at[rows[0]].event];
	AUTO_BUF unit = {0};
	AUTO_BUF name = {0};
	uint64_t sum = 0;

	stacks_unit(ev, &unit);
	buf_printf(&name, "%s %u (%s)", t->comm, t->tid, ev->name);
	json_open(j, '{');
	json_text_member(j, "type", "sampled");
	json_text_member(j, "name", buf_text(&name));
	json_text_member(j, "unit", strcmp(buf_text(&unit), "ns") ? "none" : "nanoseconds");
	json_number_member(j, "startValue", 0);
	json_name(j, "samples");
	json_open(j, '[');
	for (size_t i = 0; i < n; i++) {
		put_stack(s, s->samples.at[rows[i]].node, j);
		out_ready(out);
	}
	json_close(j, ']');
	json_name(j, "weights");
	json_open(j, '[');
	for (size_t i = 0; i < n; i++) {
		json_number_element(j, s->samples.at[rows[i]].weight);
		sum += s->samples.at[rows[i]].weight;
		out_ready(out);
	}
	json_close(j, ']');
	json_number_member(j, "endValue", sum);
	json_close(j, '}');
}

int export_speedscope(const struct export_input *in, struct out *out, struct err *err)
{
	const struct stacks *s = in->stacks;
	struct json json = {.out = &out->buf}, *j = &json;
	uint32_t *next = mem_zero((s->threads.n + 1) * sizeof(*next));
	uint32_t *rows = mem_alloc((s->samples.n + 1) * sizeof(*rows));

	(void)err;
	json_open(j, '{');
	json_text_member(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text_member(j, "exporter", "perf");
	json_text_member(j, "name", in->title);
	put_frames(s, j, out);
	json_name(j, "profiles");
	json_open(j, '[');
	for (size_t from = 0, n; from < s->samples.n; from += n) {
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
				put_thread(in, t, rows + first, next[t] - first, j, out);
	}
	json_close(j, ']');
	json_close(j, '}');
	buf_char(&out->buf, '\n');
	free(next);
	free(rows);
	return 0;
}
