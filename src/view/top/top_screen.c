// SPDX-License-Identifier: MIT
#include "view/top/top_screen.h"

#define CLEAR	    "\033[H\033[2J\n"
#define HEAD_LINES  5 /* lines above the table's rows */

unsigned int top_screen_entries(const struct top_screen *s)
{
	if (s->entries)
		return s->entries;
	return s->rows > HEAD_LINES ? s->rows - HEAD_LINES : 1;
}

/* Appends the target: the end of the head's line. */
static void put_target(const struct top_screen *s, struct buf *b)
{
	const struct target_options *t = s->target;

	if (t->pids)
		buf_printf(b, " (target_pid: %s", t->pids);
	else if (t->tids)
		buf_printf(b, " (target_tid: %s", t->tids);
	else if (t->user)
		buf_printf(b, " (uid: %s", t->user);
	else
		buf_str(b, " (all");
	if (t->cpus)
		buf_printf(b, ", CPU%s: %s)", s->n_cpus > 1 ? "s" : "", t->cpus);
	else if (t->pids || t->tids || t->user)
		buf_char(b, ')');
	else
		buf_printf(b, ", %zu CPU%s)", s->n_cpus, s->n_cpus > 1 ? "s" : "");
}

static double percent_of(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void put_head(const struct top_screen *s, const struct live_profile *p, struct buf *b)
{
	const struct live_counts *c = &p->counts;

	buf_printf(b,
		   "   PerfTop:%8.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%% lost: %llu/%llu "
		   "drop: 0/0 [",
		   s->seconds > 0 ? (double)c->samples / s->seconds : 0,
		   percent_of(c->kernel, c->samples), percent_of(c->exact, c->samples),
		   (unsigned long long)c->lost, (unsigned long long)p->all.lost);
	if (s->n_events == 1)
		buf_printf(b, "%llu%s ", (unsigned long long)s->event->attr.sample_period,
			   s->event->attr.flags & ATTR_FREQ ? "Hz" : "");
	buf_printf(b, "%s], ", s->event->name);
	put_target(s, b);
	buf_char(b, '\n');
	buf_fill(b, '-', s->columns - 1);
	buf_char(b, '\n');
}

static void put_losses(const struct live_profile *p, struct out *out)
{
	if (!p->counts.chunks)
		return;
	buf_str(&out->buf, out->colour ? "\033[31m" : "");
	buf_printf(&out->buf, "WARNING: LOST %llu chunks, Check IO/CPU overload",
		   (unsigned long long)p->counts.chunks);
	out_normal(out);
}

void top_screen_begin(const struct top_screen *s, const struct live_profile *p, struct out *out)
{
	buf_str(&out->buf, CLEAR);
	put_head(s, p, &out->buf);
	put_losses(p, out);
	buf_char(&out->buf, '\n');
}

void top_screen_show(const struct top_screen *s, const struct live_profile *p, struct out *out)
{
	const struct event_entries *entries = &p->table->events.at[s->event->index];

	top_screen_begin(s, p, out);
	report_rows(s->view, entries, top_screen_entries(s), s->columns - 1, out);
}

static void put_key(struct buf *b, const char *key, const char *what, const char *value)
{
	buf_printf(b, "\t[%s]     %s\t(%s)\n", key, what, value);
}

static void top_screen_put_number(struct buf *b, const char *key, const char *what,
				  unsigned int value)
{
	buf_printf(b, "\t[%s]     %s\t(%u)\n", key, what, value);
}

void top_menu_show(const struct top_screen *s, const struct top_settings *now, struct out *out)
{
	struct buf *b = &out->buf;

	buf_str(b, "\nMapped keys:\n");
	top_screen_put_number(b, "d", "display refresh delay.             ", now->delay);
	top_screen_put_number(b, "e", "display entries (lines).           ", top_screen_entries(s));
	if (s->n_events > 1)
		put_key(b, "E", "active event counter.              ", s->event->name);
	top_screen_put_number(b, "f", "profile display filter (count).    ", now->least_samples);
	buf_printf(b, "\t[F]     annotate display filter (percent). \t(%u%%)\n", now->min_percent);
	put_key(b, "s", "annotate symbol.                   ",
		now->symbol ? now->symbol : "NULL");
	buf_str(b, "\t[S]     stop annotation.\n");
	put_key(b, "K", "hide kernel symbols.             ", now->hide_kernel ? "yes" : "no");
	put_key(b, "U", "hide user symbols.               ", now->hide_user ? "yes" : "no");
	top_screen_put_number(b, "z", "toggle sample zeroing.             ", now->zero);
	buf_str(b, "\t[qQ]    quit.\n\nEnter selection, or unmapped key to continue: ");
}
