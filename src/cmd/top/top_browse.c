// SPDX-License-Identifier: MIT
/* top in the browser: its table is made anew every few seconds, while samples are taken. */
#include "cmd/top/top_opts.h"

#include "view/browser/code.h"
#include "view/browser/hist.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIRST_MS 300 /* before the first screen, to have samples */

struct top_browse {
	struct top *t;
	struct hist hist;
	uint64_t due_ms; /* time of the next refresh */
	bool refreshing; /* the next table takes the new samples */
	bool failed;
	struct err *err;
	double cost; /* CPU time of perf itself since the last refresh, percent of a CPU */
	uint64_t shown_ms, used_us;
};

bool top_browses(const struct top_opts *o, const struct env *env)
{
	if (o->stdio || o->hierarchy || o->annotated ||
	    (!o->tui && !config_bool(env->config, "tui.top", true)))
		return false;
	return screen_possible();
}

void top_browse_ask(struct live_profile_options *o)
{
	o->keeps_table = true;
	o->samples.columns |= COL_BIT(COL_THREAD) | COL_BIT(COL_COMM);
}

/* Waits for a key; takes samples meanwhile. */
static bool wait_for_key(void *ctx, int timeout_ms)
{
	struct top_browse *b = ctx;
	struct session *s = &b->t->source->session;
	const uint64_t until =
		timeout_ms < 0 ? UINT64_MAX : session_now_ms() + (uint64_t)timeout_ms;

	s->input_ready = false;
	if (live_profile_pull(b->t->profile, until, b->err)) {
		b->failed = true;
		return false;
	}
	return !s->stop;
}

/* Makes a table with another layout of the same samples. */
static const struct table *make_other_table(struct top_browse *b, const struct table_options *opts,
					    struct err *err)
{
	struct live_profile *p = b->t->profile;
	struct table *table = table_new(opts, err);

	if (!table)
		return NULL;
	if (table_make(table, p->samples, err)) {
		table_free(table);
		return NULL;
	}
	table_free(p->table);
	p->table = table;
	return table;
}

static const struct table *make_table(void *ctx, const struct table_options *opts, struct err *err)
{
	struct top_browse *b = ctx;
	struct live_profile *p = b->t->profile;
	struct table_options *now = &p->table->opts;
	int got;

	if (opts->layout.sort != now->layout.sort)
		return make_other_table(b, opts, err);
	now->zoom = opts->zoom;
	now->relative = opts->relative;
	now->group_sort_index = opts->group_sort_index;
	if (b->refreshing)
		got = live_profile_refresh(p, err);
	else
		got = table_make(p->table, p->samples, err);
	return got ? NULL : p->table;
}

static int show_code(void *ctx, struct hist *h, struct dso *dso, const struct symbol *sym,
		     struct err *err)
{
	const struct top_browse *b = ctx;
	const struct live_profile *p = b->t->profile;
	struct code_options options = {.disasm = b->t->code.how,
				       .view = {.percent_type = b->t->code.percent_type,
						.look = b->t->code.look}};
	AUTO(table) *table = annotate_table_new(&b->t->source->m.events, &p->opts.table.filter,
						&h->opts.zoom, MODE_NORMAL, err);
	struct annotate a;
	int key;

	if (!table || table_make(table, p->samples, err))
		return 0;
	annotate_init(&a, table, &table->events.at[h->event]);
	key = code_browse(h->browse.screen, &options, &a, dso, sym, err);
	annotate_release(&a);
	return key;
}

/* Appends the lost samples and perf's own CPU time. */
static void add_title(void *ctx, struct buf *out)
{
	const struct top_browse *b = ctx;
	const struct live_profile *p = b->t->profile;

	buf_printf(out, ", lost: %llu/%llu, perf top: %.1f%% CPU",
		   (unsigned long long)p->counts.lost, (unsigned long long)p->all.lost, b->cost);
	buf_str(out, b->t->source->session.on ? "" : " [disabled]");
	buf_str(out, b->t->settings.zero ? " [z]" : "");
	buf_str(out, b->t->settings.hide_kernel ? " [K]" : "");
	buf_str(out, b->t->settings.hide_user ? " [U]" : "");
}

static bool take_key(void *ctx, struct hist *h, int key)
{
	struct top_browse *b = ctx;
	struct top_settings *s = &b->t->settings;
	struct session *session = &b->t->source->session;
	bool *setting = key == 'z'   ? &s->zero
			: key == 'K' ? &s->hide_kernel
			: key == 'U' ? &s->hide_user
				     : NULL;
	struct err err = {0};

	if (setting)
		*setting = !*setting;
	else if (key == 'f' && session_switch(session, !session->on, &err))
		browse_say_error(&h->browse, &err);
	else if (key == 'W')
		top_keep_page(b->t, h);
	return setting || key == 'f' || key == 'W';
}

static void measure_cost(struct top_browse *b)
{
	const uint64_t now = session_now_ms();
	struct rusage self;
	uint64_t used;

	if (getrusage(RUSAGE_SELF, &self))
		return;
	used = (uint64_t)(self.ru_utime.tv_sec + self.ru_stime.tv_sec) * 1000000 +
	       (uint64_t)(self.ru_utime.tv_usec + self.ru_stime.tv_usec);
	if (b->shown_ms && now > b->shown_ms)
		b->cost = (double)(used - b->used_us) / (double)(now - b->shown_ms) / 10;
	b->shown_ms = now;
	b->used_us = used;
}

/* Drops all zooms: they point into a world that was rebuilt. */
static void forget_zooms(struct hist *h)
{
	for (size_t i = 0; i < h->zooms.n; i++)
		free(h->zooms.at[i].text);
	h->zooms.n = 0;
	h->opts.zoom = (struct zoom){.counted = true};
}

static int refresh(struct top_browse *b)
{
	struct live_profile *p = b->t->profile;
	const unsigned int renewals = p->renewals;
	int got;

	top_apply_settings(b->t);
	measure_cost(b);
	b->refreshing = true;
	got = hist_refresh(&b->hist, b->err);
	b->refreshing = false;
	if (p->renewals != renewals)
		forget_zooms(&b->hist);
	b->due_ms = session_now_ms() + 1000ull * b->t->settings.delay;
	return got;
}

static int show_screens(struct top_browse *b)
{
	struct hist *h = &b->hist;
	const struct session *s = &b->t->source->session;

	while (h->end != HIST_LEAVE && !s->stop && !b->failed) {
		const uint64_t now = session_now_ms();
		int key;

		if (now >= b->due_ms && refresh(b))
			return -1;
		browse_show(&h->browse);
		key = screen_key(h->browse.screen,
				 (int)(b->due_ms > now ? MIN(b->due_ms - now, INT32_MAX) : 1));
		key = key ? browse_take(&h->browse, key) : 0;
		if (key)
			hist_take(h, key);
		if (h->end == HIST_OTHER_KEYS) {
			browse_say(&h->browse, "'%s': only -s of the command line has all keys",
				   buf_text(&h->answer));
			buf_clear(&h->answer);
			h->end = HIST_GO_ON;
		}
	}
	return b->failed ? -1 : 0;
}

int top_browse(struct top *t, const struct top_plan *plan, struct err *err)
{
	struct top_browse b = {.t = t, .err = err, .refreshing = true};
	const struct hist_source source = {
		.make = make_table,
		.annotate = plan->profile.samples.mode == MODE_BRANCH ? NULL : show_code,
		.key = take_key,
		.title = add_title,
		.help = "z\tforget samples at each refresh, or let them fade\n"
			"f\tlet events count, or not\n"
			"K, U\thide the kernel's samples, those of user space\n"
			"W\twrite a page for web browsers: perf.top.N.html\n",
		.ctx = &b};
	struct report_view view;
	struct screen *screen;
	int got;

	top_apply_settings(t);
	view = *t->view;
	if (live_profile_pull(t->profile, session_now_ms() + FIRST_MS, err))
		return -1;
	screen = screen_open(err);
	if (!screen)
		return -1;
	screen->wait = wait_for_key;
	screen->wait_ctx = &b;
	view.skip_empty = false;
	measure_cost(&b);
	got = hist_init(&b.hist, screen, &source, &t->profile->table->opts, &view, err);
	b.refreshing = false;
	b.due_ms = session_now_ms() + 1000ull * t->settings.delay;
	if (!got)
		got = show_screens(&b);
	hist_release(&b.hist);
	screen_close(screen);
	return got;
}
