// SPDX-License-Identifier: MIT
#include "view/browser/hist.h"

#include <string.h>

/* -- what stands above and below the rows -- */

/* Appends the user's settings: zooms, filter, keys. */
static void add_settings(const struct hist *h, struct buf *out)
{
	for (size_t i = 0; i < h->zooms.n; i++)
		buf_str(out, h->zooms.at[i].text);
	if (h->filter.n)
		buf_printf(out, ", Rows with: %.*s", (int)h->filter.n, h->filter.at);
	if (hist_sort_name(h))
		buf_printf(out, ", Sorted by: %s%s", hist_sort_name(h), h->reversed ? " (up)" : "");
	else if (h->reversed)
		buf_str(out, ", Reversed");
	if (h->table->opts.relative)
		buf_str(out, ", Relative");
	if (h->source.title)
		h->source.title(h->source.ctx, out);
}

void hist_title(void *ctx, struct buf *out)
{
	const struct hist *h = ctx;
	const struct event_entries *ev = &h->table->events.at[h->event];
	const size_t start = out->n;
	const uint64_t period = report_event_title(&h->view, ev, out);
	AUTO_BUF count = {0}, settings = {0};

	if (ev->event->attr.flags & ATTR_FREQ)
		buf_printf(&count, ", %llu Hz", (unsigned long long)ev->event->attr.sample_period);
	buf_printf(&count, ", Event count (approx.): %llu", (unsigned long long)period);
	add_settings(h, &settings);
	/* without room for all, settings win over the count, and over the number of samples */
	if (!settings.n || out->n + count.n + settings.n <= h->browse.screen->columns) {
		buf_add(out, count.at, count.n);
	} else if (out->n + settings.n > h->browse.screen->columns) {
		out->n = start;
		buf_safe(out, ev->event->name);
	}
	buf_add(out, settings.at, settings.n);
}

static void hist_status(void *ctx, struct buf *out)
{
	const struct hist *h = ctx;
	const struct hist_row row = hist_row(h, h->browse.at);
	const struct dso *dso = hist_row_dso(h, &row);
	AUTO_BUF name = {0};

	if (!row.entry) {
		buf_str(out, "nothing is left to be shown: ESC goes back, L changes the limit");
		return;
	}
	buf_printf(out, "%zu/%zu", h->browse.at + 1, h->browse.n);
	hist_row_name(h, &row, &name);
	if (name.n)
		buf_str(out, "  ");
	buf_add(out, name.at, name.n);
	if (dso) {
		buf_str(out, "  ");
		buf_safe(out, dso->long_name);
	}
}

static const struct browse_ops ops = {
	.row = hist_draw_row,
	.title = hist_title,
	.header = hist_draw_header,
	.sort_at = hist_sort_at,
	.beside = hist_beside,
	.status = hist_status,
	.help = hist_help,
};

/* -- life -- */

int hist_init(struct hist *h, struct screen *screen, const struct hist_source *source,
	      const struct table_options *opts, const struct report_view *view, struct err *err)
{
	*h = (struct hist){.source = *source,
			   .view = *view,
			   .opts = *opts,
			   .sort_column = -1,
			   .headers = true};
	h->browse = (struct browse){.screen = screen, .ops = &ops, .ctx = h, .help = source->help};
	h->opts.zoom.counted = true;
	if (hist_remake(h, err))
		return -1;
	for (size_t i = 0; i < h->table->events.n && !hist_event_shown(h, h->event); i++)
		hist_set_event(h, i);
	return 0;
}

void hist_release(struct hist *h)
{
	for (size_t i = 0; i < h->zooms.n; i++)
		free(h->zooms.at[i].text);
	vec_release(&h->zooms);
	vec_release(&h->shown);
	hist_trees_release(h);
	report_table_release(&h->cells);
	browse_release(&h->browse);
	buf_release(&h->filter);
	buf_release(&h->keys);
	buf_release(&h->answer);
	free(h->ranks);
}

/* -- events -- */

static size_t count_events(const struct hist *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->table->events.n; i++)
		n += hist_event_shown(h, i);
	return n;
}

/* Shows the menu of events that comes first when a recording has several. False: none was
 * chosen. */
static bool choose_event(struct hist *h)
{
	const size_t n = count_events(h);
	size_t *events = mem_alloc((n + 1) * sizeof(*events)), found = 0;
	const char **items = mem_alloc((n + 1) * sizeof(*items));
	struct arena arena = {0};
	long chosen;

	for (size_t i = 0; i < h->table->events.n; i++) {
		AUTO_BUF title = {0};

		if (!hist_event_shown(h, i))
			continue;
		report_event_title(&h->view, &h->table->events.at[i], &title);
		events[found] = i;
		items[found++] = arena_printf(&arena, "%s", buf_text(&title));
	}
	chosen = browse_choose(&h->browse, "Available samples", items, n);
	if (chosen >= 0)
		hist_set_event(h, events[chosen]);
	arena_release(&arena);
	free(items);
	free(events);
	return chosen >= 0;
}

bool hist_begin(struct hist *h)
{
	if (count_events(h) > 1 && !choose_event(h))
		h->end = HIST_LEAVE;
	return h->end == HIST_GO_ON;
}

void hist_take_key(struct hist *h, int key)
{
	if (key == SCREEN_ESCAPE && !h->zooms.n && !h->filter.n && count_events(h) > 1)
		hist_begin(h);
	else
		hist_take(h, key);
}
