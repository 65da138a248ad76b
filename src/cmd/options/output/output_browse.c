// SPDX-License-Identifier: MIT
#include "cmd/options/output/output_browse.h"

/* Bytes that are kept of an output, and can be scrolled through. */
#define TEXT_MOST (1ull << 30)

struct browsed_output {
	struct child_output *output;
	bool done;
	int status;
};

/* Reads a piece of the output; at its end adds a line when there is something to say. */
static bool browsed_output_read(void *ctx, struct buf *text)
{
	struct browsed_output *b = ctx;
	const bool full = text->n >= TEXT_MOST;

	if (!full && child_output_read(b->output, text))
		return true;
	b->status = child_output_end(b->output);
	b->done = true;
	if (full)
		buf_str(text, "\n(more is not shown)\n");
	else if (b->status)
		buf_printf(text, "(it ended with status %d)\n", b->status);
	else if (!text->n)
		buf_str(text, "(it printed nothing)\n");
	if (full)
		b->status = 0;
	return false;
}

int output_browse(struct screen *s, const char *title, struct child_output *o, const char *sought,
		  int *status)
{
	struct browsed_output b = {.output = o};
	const struct browse_feed feed = {o->fd, browsed_output_read, &b};
	const int key = browse_text_feed(s, title, &feed, sought);

	if (!b.done)
		child_output_end(o);
	*status = b.status;
	return key;
}

int output_browse_command(struct screen *s, const char *title, char *const *argv,
			  const char *sought, struct err *err)
{
	struct child_output o;
	int status;

	if (child_output_begin(&o, argv, err))
		return -1;
	return output_browse(s, title, &o, sought, &status);
}
