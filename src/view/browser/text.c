// SPDX-License-Identifier: MIT
/* Texts to be read: whole ones, and ones that are still being written. */
#include "view/browser/browse.h"

#include "base/mem.h"
#include "base/monotonic.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_NS 100000000u /* between two updates of the screen while much is read */
#define AHEAD_MS    20	       /* at most, for the lines below the screen */
#define AHEAD_BYTES (1u << 20) /* are read below the selected line while keys are waited for */

struct page {
	struct browse list;
	const char *title;
	const struct browse_feed *feed; /* NULL: the text is whole */
	/* Makes the text, or NULL; columns: of the screen that it was made for. */
	void (*make)(void *ctx, unsigned int columns, struct buf *out);
	void *make_ctx;
	unsigned int columns;
	bool ended;
	struct buf text;
	size_t indexed;	   /* bytes whose lines are known */
	VEC(size_t) lines; /* where each begins, and where the next one will */
	uint64_t shown_ns; /* when the screen was last drawn while reading */
	/* the screen's own, while the page is shown */
	bool (*wait)(void *ctx, int timeout_ms);
	void *wait_ctx;
};

static void page_row(void *ctx, size_t row, struct screen_line *out)
{
	const struct page *p = ctx;
	const char *line = p->text.at + p->lines.at[row];
	size_t n = p->lines.at[row + 1] - p->lines.at[row];

	n -= n && line[n - 1] == '\n';
	for (size_t i = 0; i < n; i++) {
		if (line[i] == '\t')
			buf_fill(&out->text, ' ', 8 - out->text.n % 8);
		else
			buf_char(&out->text, line[i] ? line[i] : '?');
	}
}

static void page_title(void *ctx, struct buf *out)
{
	const struct page *p = ctx;

	buf_str(out, p->title);
}

static void page_status(void *ctx, struct buf *out)
{
	const struct page *p = ctx;

	buf_printf(out, "%zu lines%s  ESC: back", p->list.n, p->ended ? "" : " so far");
}

/* -- reading -- */

/* Notes the lines of the bytes that are new. The last one may have no end. */
static void page_index(struct page *p)
{
	const char *end;

	if (!p->lines.n)
		vec_add(&p->lines, 0);
	while (p->indexed < p->text.n &&
	       (end = memchr(p->text.at + p->indexed, '\n', p->text.n - p->indexed))) {
		p->indexed = (size_t)(end - p->text.at) + 1;
		vec_add(&p->lines, p->indexed);
	}
	if (p->ended && *vec_last(&p->lines) < p->text.n)
		vec_add(&p->lines, p->text.n);
	p->list.n = p->lines.n - 1;
}

static void page_read(struct page *p)
{
	p->ended = !p->feed->read(p->feed->ctx, &p->text);
	page_index(p);
}

/* True when the text can be read without waiting, within timeout_ms (-1: no limit). *key: a key was
 * typed. */
static bool page_poll(const struct page *p, int timeout_ms, bool *key)
{
	struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {p->feed->fd, POLLIN, 0}};

	poll(fds, ARRAY_SIZE(fds), timeout_ms);
	*key = fds[0].revents != 0;
	return fds[1].revents != 0;
}

static bool page_more(void *ctx)
{
	struct page *p = ctx;
	const uint64_t now = monotonic_ns();
	bool key = false;

	if (p->ended)
		return false;
	if (now - p->shown_ns > PROGRESS_NS) {
		browse_show(&p->list);
		p->shown_ns = now;
	}
	while (!page_poll(p, -1, &key))
		if (key)
			return false;
	if (!key)
		page_read(p);
	return !key;
}

/* True when fewer lines are known than the next moves can reach. */
static bool page_is_short(const struct page *p)
{
	return !p->ended && p->list.n < p->list.at + 2 * (size_t)p->list.screen->rows;
}

static bool page_wants(const struct page *p)
{
	return page_is_short(p) || (!p->ended && p->text.n < p->lines.at[p->list.at] + AHEAD_BYTES);
}

/* Waits for a key; reads the text meanwhile. */
static bool page_wait(void *ctx, int timeout_ms)
{
	struct page *p = ctx;
	struct pollfd fd = {STDIN_FILENO, POLLIN, 0};
	bool key;

	if (page_wants(p)) {
		if (page_poll(p, timeout_ms, &key))
			page_read(p);
	} else if (p->wait) {
		return p->wait(p->wait_ctx, timeout_ms);
	} else {
		poll(&fd, 1, timeout_ms);
	}
	return true;
}

/* Reads what there is already, so that fast keys find their lines. */
static void page_read_ahead(struct page *p)
{
	bool key;

	while (page_is_short(p) && page_poll(p, AHEAD_MS, &key))
		page_read(p);
}

/* Makes the text for the screen's width. The selected line stays about where it was. */
static void page_make(struct page *p)
{
	const size_t n = p->list.n, at = p->list.at;

	p->columns = p->list.screen->columns;
	buf_clear(&p->text);
	vec_clear(&p->lines);
	p->indexed = 0;
	p->make(p->make_ctx, p->columns, &p->text);
	page_index(p);
	if (n)
		browse_select(&p->list, at * p->list.n / n);
}

static void page_draw(struct page *p)
{
	browse_show(&p->list);
	if (!p->make || p->columns == p->list.screen->columns)
		return;
	page_make(p);
	browse_show(&p->list);
}

static int page_show(struct page *p, struct screen *s, const char *sought)
{
	static const struct browse_ops ops = {
		.row = page_row, .title = page_title, .status = page_status, .more = page_more};
	int key;

	p->list = (struct browse){.screen = s, .ops = &ops, .ctx = p};
	page_index(p);
	p->wait = s->wait;
	p->wait_ctx = s->wait_ctx;
	if (p->feed) {
		s->wait = page_wait;
		s->wait_ctx = p;
	}
	if (sought && p->feed)
		browse_show(&p->list); /* then it has a height */
	if (sought)
		browse_find(&p->list, sought);
	do {
		page_read_ahead(p);
		page_draw(p);
		key = browse_take(&p->list, screen_key(s, -1));
	} while (key != SCREEN_ESCAPE && key != SCREEN_ENTER && !browse_leaves(key));
	s->wait = p->wait;
	s->wait_ctx = p->wait_ctx;
	browse_release(&p->list);
	vec_release(&p->lines);
	buf_release(&p->text);
	return key;
}

int browse_text_feed(struct screen *s, const char *title, const struct browse_feed *feed,
		const char *sought)
{
	struct page page = {.title = title, .feed = feed};

	return page_show(&page, s, sought);
}

int browse_text_at(struct screen *s, const char *title, const char *text, const char *sought)
{
	struct page page = {.title = title, .ended = true};

	buf_str(&page.text, text);
	return page_show(&page, s, sought);
}

int browse_text_wrapped(struct screen *s, const char *title,
			void (*make)(void *ctx, unsigned int columns, struct buf *out), void *ctx)
{
	struct page page = {.title = title, .make = make, .make_ctx = ctx, .ended = true};

	return page_show(&page, s, NULL);
}

int browse_text(struct screen *s, const char *title, const char *text)
{
	return browse_text_at(s, title, text, NULL);
}
