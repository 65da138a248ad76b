// SPDX-License-Identifier: MIT
/* perf kwork timehist: a row for each work, when it ends. */
#include "view/kwork/kwork.h"

#include "world/replay/replay.h"

#include <string.h>

static bool is_softirq_loop(const char *name)
{
	return !strcmp(name, "__softirqentry_text_start") || !strcmp(name, "__do_softirq");
}

static uint32_t history_keep_chain(void *ctx, const struct record *r)
{
	struct kwork_history *h = ctx;
	struct buf text = {0};
	uint32_t id;

	chain_line_text(&h->line, r, &text);
	id = intern_put(&h->texts, text.at, text.n);
	buf_release(&text);
	return id;
}

static void history_time(struct buf *b, uint64_t ns)
{
	buf_char(b, ' ');
	buf_point(b, ns / 1000, 6, 17);
	buf_char(b, ' ');
}

static int history_show_row(void *ctx, const struct kwork *k, const struct kwork_work *w,
			    uint64_t end)
{
	struct kwork_history *h = ctx;
	struct buf *b = &h->out->buf;
	size_t start;

	history_time(b, w->entered);
	history_time(b, end);
	buf_str(b, " [");
	buf_dec_zero(b, w->cpu, 4);
	buf_str(b, "]  ");
	start = b->n;
	kwork_name(k, w, b);
	buf_fill(b, ' ', 30 - (b->n - start));
	buf_printf(b, "  %10.3f ", ((double)end - (double)w->entered) / 1e6);
	if (w->was_raised)
		buf_printf(b, " %10.3f ", ((double)w->entered - (double)w->raised) / 1e6);
	else
		buf_fill(b, ' ', 12);
	if (h->chains && w->text != HASH_NONE) {
		buf_str(b, "  ");
		buf_str(b, intern_text(&h->texts, w->text));
	}
	buf_char(b, '\n');
	return out_ready(h->out) ? REPLAY_GO : REPLAY_STOP;
}

static void history_show_columns(struct buf *b, const char *const *columns, char fill)
{
	static const int widths[] = {17, 17, 6, 30, 10, 10};

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		buf_str(b, i ? "  " : " ");
		if (fill)
			buf_fill(b, fill, (size_t)widths[i]);
		else
			buf_printf(b, "%-*s", widths[i], columns[i]);
	}
	buf_char(b, '\n');
}

void kwork_history_show(struct kwork_history *h, struct kwork *k)
{
	static const char *const names[] = {"Runtime start", "Runtime end", "Cpu",
					    "Kwork name",    "Runtime",	    "Delaytime"};
	static const char *const units[] = {"", "", "", "(TYPE)NAME:NUM", "(msec)", "(msec)"};
	struct buf *b = &h->out->buf;

	history_show_columns(b, names, 0);
	history_show_columns(b, units, 0);
	history_show_columns(b, NULL, '-');
	h->line.is_hidden = is_softirq_loop;
	k->on_exit = history_show_row;
	k->on_entry = h->chains ? history_keep_chain : NULL;
	k->ctx = h;
}

void kwork_history_release(struct kwork_history *h)
{
	intern_release(&h->texts);
}
