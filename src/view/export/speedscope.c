// SPDX-License-Identifier: MIT
/* Source: https://www.speedscope.app/file-format-schema.json. */
#include "view/export/export.h"
#include "view/out/json.h"


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
		if (export_line(frame->line))
			json_number_member(j, "line", export_line(frame->line));
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

struct speedscope {
	const struct export_input *in;
	struct json json;
	struct out *out;
};

/* A profile: the samples of one thread and event. */
static void put_thread(void *ctx, const struct export_rows *rows)
{
	struct speedscope *w = ctx;
	const struct stacks *s = w->in->stacks;
	const struct stack_thread *t = &s->threads.at[rows->thread];
	const struct event *ev = w->in->events->events.at[rows->event];
	struct json *j = &w->json;
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
	for (size_t i = 0; i < rows->n; i++) {
		put_stack(s, s->samples.at[rows->at[i]].node, j);
		out_ready(w->out);
	}
	json_close(j, ']');
	json_name(j, "weights");
	json_open(j, '[');
	for (size_t i = 0; i < rows->n; i++) {
		json_number_element(j, s->samples.at[rows->at[i]].weight);
		sum += s->samples.at[rows->at[i]].weight;
		out_ready(w->out);
	}
	json_close(j, ']');
	json_number_member(j, "endValue", sum);
	json_close(j, '}');
}

int export_speedscope(const struct export_input *in, struct out *out, struct err *err)
{
	struct speedscope w = {.in = in, .json = {.out = &out->buf}, .out = out};
	struct json *j = &w.json;

	(void)err;
	json_open(j, '{');
	json_text_member(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text_member(j, "exporter", "perf");
	json_text_member(j, "name", in->title);
	put_frames(in->stacks, j, out);
	json_name(j, "profiles");
	json_open(j, '[');
	export_each_thread(in, put_thread, &w);
	json_close(j, ']');
	json_close(j, '}');
	buf_char(&out->buf, '\n');
	return 0;
}
