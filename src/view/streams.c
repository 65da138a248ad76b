// SPDX-License-Identifier: MIT
#include "view/streams.h"

#define COLUMN	  35
#define NAME_MOST 255			       /* bytes of a step's text, as in perf 6.1 */
#define RULE	  "--------------------------" /* with one more dash for the old one of a pair */

/* A line of two columns; NULL for the first: there is only the second; for the second: only the
 * first. */
static void streams_show_line(const char *old, const char *new, struct out *out)
{
	if (old)
		buf_printf(&out->buf, "%*s", COLUMN, old);
	else
		buf_printf(&out->buf, "%*s", COLUMN, "");
	if (new)
		buf_printf(&out->buf, "\t%*s", COLUMN, new);
	buf_char(&out->buf, '\n');
}

static void stream_head_text(const struct event_streams *of, const struct stream *stream,
			     struct buf *text)
{
	buf_printf(text, "cycles: %llu, hits: %.2f%%", (unsigned long long)stream->cycles,
		   (double)stream->period / (double)of->period * 100);
}

static void step_text(const struct streams *s, const struct stream_step *step, struct buf *text)
{
	const struct frame *frame = frames_at(&s->frames, step->frame);
	const char *line = streams_line(s, step->frame);

	if (frame->where->sym)
		buf_safe(text, frame->where->name);
	else
		buf_printf(text, "%#llx", (unsigned long long)frame->ip);
	if (frame->where->sym && line) {
		buf_char(text, ' ');
		buf_safe(text, line);
	}
	if (text->n > NAME_MOST)
		text->n = NAME_MOST;
}

static void streams_show_pair(const struct streams *old, const struct event_streams *from,
			      const struct stream *stream, const struct streams *new,
			      const struct event_streams *to, struct out *out)
{
	AUTO_BUF left = {0}, right = {0};

	stream_head_text(from, stream, &left);
	stream_head_text(to, stream->pair, &right);
	streams_show_line(buf_text(&left), buf_text(&right), out);
	streams_show_line(RULE "-", RULE, out);
	for (size_t i = 0; i < stream->n; i++) {
		buf_clear(&left);
		buf_clear(&right);
		step_text(old, &stream->steps[i], &left);
		step_text(new, &stream->pair->steps[i], &right);
		streams_show_line(buf_text(&left), buf_text(&right), out);
	}
}

/* A stream of one recording only. new: in the second column. */
static void stream_show(const struct streams *s, const struct event_streams *of,
			const struct stream *stream, bool new, struct out *out)
{
	AUTO_BUF text = {0};

	stream_head_text(of, stream, &text);
	streams_show_line(new ? NULL : buf_text(&text), new ? buf_text(&text) : NULL, out);
	streams_show_line(new ? NULL : RULE, new ? RULE : NULL, out);
	for (size_t i = 0; i < stream->n; i++) {
		buf_clear(&text);
		step_text(s, &stream->steps[i], &text);
		streams_show_line(new ? NULL : buf_text(&text), new ? buf_text(&text) : NULL, out);
	}
}

static bool streams_show_alone(const struct streams *s, const struct event_streams *of, bool new,
			       struct out *out)
{
	unsigned int n = 0;

	buf_printf(&out->buf, "\n[ Hot streams in %s perf data only ]\n", new ? "new" : "old");
	for (size_t i = 0; i < of->n; i++) {
		if (of->at[i].pair)
			continue;
		buf_printf(&out->buf, "\nhot chain %u:\n", ++n);
		stream_show(s, of, &of->at[i], new, out);
	}
	return out_ready(out);
}

bool streams_show(const struct streams *old, size_t old_event, const struct streams *new,
		  size_t new_event, struct out *out)
{
	const struct event_streams *from = &old->of.at[old_event], *to = &new->of.at[new_event];
	unsigned int n = 0;

	buf_str(&out->buf, "[ Matched hot streams ]\n");
	for (size_t i = 0; i < from->n; i++) {
		if (!from->at[i].pair)
			continue;
		buf_printf(&out->buf, "\nhot chain pair %u:\n", ++n);
		streams_show_pair(old, from, &from->at[i], new, to, out);
	}
	return streams_show_alone(old, from, false, out) && streams_show_alone(new, to, true, out);
}
