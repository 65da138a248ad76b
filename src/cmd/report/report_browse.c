// SPDX-License-Identifier: MIT
#include "cmd/report/report_browse.h"
#include "cmd/report/report_shown.h"
#include "base/monotonic.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIRST_MS 300 /* of reading, before a first table of the samples so far */
#define STEP_MS	 100 /* between two updates of the progress */

bool report_browses(const struct report_opts *o, const struct env *env)
{
	const bool text = o->stdio || o->dump || o->header || o->header_only || o->show_info ||
			  o->stats || o->tasks || o->mmaps || o->threads || o->folded ||
			  o->separator || o->hierarchy || o->total_cycles ||
			  export_wanted(&o->exports);

	if (text || !(o->tui || config_bool(env->config, "tui.report", true)))
		return false;
	return strcmp(input_path(&o->input), "-") != 0 && screen_possible();
}

void report_browse_ask(struct report_plan *plan, const struct recording *rec)
{
	struct samples_options *wanted = &plan->samples;
	struct err err = {0};
	struct table *table;

	wanted->columns |=
		COL_BIT(COL_THREAD) | COL_BIT(COL_COMM) | COL_BIT(COL_IP) | COL_BIT(COL_SPACE);
	/* the socket key needs CPUs, unless there is one socket */
	for (uint32_t i = 1; i < rec->m.n_sockets; i++)
		if (rec->m.socket_of_cpu[i] != rec->m.socket_of_cpu[0])
			wanted->columns |= COL_BIT(COL_CPU);
	table = annotate_table_new(&rec->m.events, &plan->table.filter, NULL, wanted->mode, &err);
	if (table)
		table_ask(table, wanted);
	table_free(table);
}

static bool take_key(void *ctx, struct hist *h, int key)
{
	const struct report_shown *b = ctx;

	if (key == 'r')
		report_run_script(h, b);
	return key == 'r';
}

static void add_title(void *ctx, struct buf *out)
{
	const struct report_shown *b = ctx;

	if (b->reading->baton && b->reading->share < 1)
		buf_printf(out, ", %.0f %% read", 100 * b->reading->share);
	else if (b->reading->baton)
		buf_str(out, ", being sorted");
}

/* -- while samples are read -- */

/* Waits for a key; gives the baton to the reading thread meanwhile. */
static bool report_wait_for_key(void *ctx, int timeout_ms)
{
	struct report_shown *b = ctx;
	struct pollfd fd = {STDIN_FILENO, POLLIN, 0};

	baton_give(b->reading->baton);
	poll(&fd, 1, timeout_ms);
	baton_take(b->reading->baton);
	return true;
}

static void waiting_title(void *ctx, struct buf *out)
{
	const struct report_shown *b = ctx;

	buf_printf(out, "Reading '%s', %.0f %%", b->reading->rec->path, 100 * b->reading->share);
}

/* Waits until there are samples to show. False: the user leaves. */
static bool wait_for_samples(struct report_shown *b, struct screen *screen)
{
	static const struct browse_ops ops = {.title = waiting_title, .help = ""};
	struct browse waiting = {.screen = screen, .ops = &ops, .ctx = b};
	int key = 0;

	while (!baton_ended(b->reading->baton) && !report_shown_take_some(b) &&
	       !browse_leaves(key) && key != SCREEN_ESCAPE) {
		browse_show(&waiting);
		key = screen_key(screen, STEP_MS);
		key = key ? browse_take(&waiting, key) : 0;
	}
	browse_release(&waiting);
	return !browse_leaves(key) && key != SCREEN_ESCAPE;
}

static int browse_while_reading(struct report_shown *b, struct hist *h, struct err *err)
{
	struct browse *list = &h->browse;

	b->due_ns = monotonic_ns() + REPORT_SHOWN_LEAST_NS;
	while (h->end == HIST_GO_ON && !baton_ended(b->reading->baton)) {
		int key;

		if (monotonic_ns() >= b->due_ns && report_shown_renew(b, h, err))
			return -1;
		browse_show(list);
		key = screen_key(list->screen, STEP_MS);
		key = key ? browse_take(list, key) : 0;
		if (key)
			hist_take_key(h, key);
	}
	return 0;
}

/* -- the browser -- */

/* Ends reading, then shows a table of all samples. h: NULL before the browser has started. */
static int end_reading(struct report_shown *b, struct hist *h, struct err *err)
{
	struct report_reading *r = b->reading;
	int got;

	if (!r->baton)
		return 0;
	got = report_reading_end(r, err);
	if (h) {
		h->browse.screen->wait = NULL;
		h->view.lost_samples = r->plan->view.lost_samples;
		h->view.wall = r->plan->view.wall;
	}
	if (got || !h)
		return got;
	got = report_shown_renew(b, h, err);
	if (!got)
		report_account(r->rec, &b->table->losses);
	return got;
}

/* Runs the browser until it is left. The caller releases h in all cases. */
static int browse_on_screen(struct report_shown *b, struct screen *screen, struct hist *h,
			    struct err *err)
{
	const struct report_reading *r = b->reading;
	struct report_plan *plan = r->plan;
	const struct hist_source source = {
		.make = report_shown_make,
		/* a branch sample's address is not its instruction */
		.annotate = plan->samples.mode == MODE_BRANCH ? NULL : report_shown_code,
		.key = take_key,
		.title = add_title,
		.help = "r\tthe samples, as perf script or a script of yours prints them\n",
		.ctx = b};

	plan->view.quiet = true;
	if (hist_init(h, screen, &source, &plan->table, &plan->view, err))
		return -1;
	h->rec = r->rec;
	h->with_dsos = r->o->verbose > 0;
	hist_begin(h);
	if (r->baton && browse_while_reading(b, h, err))
		return -1;
	if (h->end == HIST_GO_ON && end_reading(b, h, err))
		return -1;
	while (h->end == HIST_GO_ON)
		hist_take_key(h, browse_key(&h->browse));
	return 0;
}

/* Makes a table of all samples before the browser starts. */
static int make_first_table(struct report_shown *b, struct err *err)
{
	const struct report_reading *r = b->reading;

	if (end_reading(b, NULL, err) || !report_shown_make(b, &r->plan->table, err))
		return -1;
	report_account(r->rec, &b->table->losses);
	b->made = true;
	return 0;
}

/* Opens the screen while reading, once there are samples. False: the user leaves, or *err. */
static bool open_early(struct report_shown *b, struct screen **screen, struct err *err)
{
	*screen = screen_open(err);
	if (!*screen)
		return false;
	(*screen)->wait = report_wait_for_key;
	(*screen)->wait_ctx = b;
	return wait_for_samples(b, *screen);
}

static int browse_samples(struct report_shown *b, struct report_browsing *browsing,
			  struct screen **screen, struct err *err)
{
	struct hist hist;
	int got;

	if (!baton_wait(b->reading->baton, FIRST_MS) && !open_early(b, screen, err))
		return *screen ? 0 : -1;
	if (!b->some && make_first_table(b, err))
		return -1;
	if (b->table && !b->table->all.n)
		return 0;
	if (!*screen)
		*screen = screen_open(err);
	if (!*screen)
		return -1;
	got = browse_on_screen(b, *screen, &hist, err);
	browsing->end = hist.end;
	buf_clear(&browsing->answer);
	buf_add(&browsing->answer, hist.answer.at, hist.answer.n);
	hist_release(&hist);
	return got;
}

int report_browse(struct report_browsing *browsing, struct report_reading *reading, struct out *out,
		  struct err *err)
{
	struct report_shown b = {.reading = reading, .config = browsing->config};
	struct screen *screen = NULL;
	int got;

	out_progress_end(out);
	if (report_reading_begin(reading, err))
		return -1;
	got = browse_samples(&b, browsing, &screen, err);
	screen_close(screen);
	report_reading_stop(reading);
	if (!got && b.table && !b.table->all.n)
		fprintf(stderr, "Error:\nThe %s data has no samples!\n", reading->rec->path);
	report_shown_release(&b);
	return got;
}

int report_browse_recordings(struct env *env, struct report_opts *o, report_recording_fn *report,
			     struct err *err)
{
	struct report_browsing b = {.wanted = true, .config = env->config};
	struct arena answers = {0};
	int status;

	do {
		b.end = HIST_LEAVE;
		status = report(env, o, &b, err);
		if (b.end == HIST_OTHER_FILE)
			o->input.path = arena_printf(&answers, "%s", buf_text(&b.answer));
		if (b.end == HIST_OTHER_KEYS) {
			o->sort = arena_printf(&answers, "%s", buf_text(&b.answer));
			o->fields = NULL;
		}
	} while (status >= 0 && b.end != HIST_LEAVE);
	buf_release(&b.answer);
	arena_release(&answers);
	return status;
}
