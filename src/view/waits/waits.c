// SPDX-License-Identifier: MIT
#include "view/waits/waits.h"

#include "view/time_text.h"

#define ANSWER_STEPS 3
#define ANSWER_IDLE  3
/* True for waits worth a line of the answer: more than a fiftieth of the threads' time. */
#define WORTH(part, whole) ((part) > (whole) / 50)

static void place_text(struct buf *out, const char *function)
{
	if (function) {
		buf_str(out, " in ");
		buf_safe(out, function);
	}
}

static const char *kind_text(enum waits_kind kind)
{
	static const char *const words[WAITS_KINDS] = {[WAITS_RUNNING] = "running",
						       [WAITS_READY] = "ready, without a CPU",
						       [WAITS_BLOCKED] = "blocked",
						       [WAITS_UNKNOWN] =
							       "unknown: records were lost"};

	return words[kind];
}

/* -- the answer -- */

static uint64_t life_of(const uint64_t ns[WAITS_KINDS])
{
	uint64_t life = 0;

	for (size_t i = 0; i < WAITS_KINDS; i++)
		life += ns[i];
	return life;
}

static void answer_sum(const struct waits *w, struct buf *out)
{
	const uint64_t life = life_of(w->ns);

	buf_printf(out, "%zu threads lived ", w->threads.n);
	time_text(out, life);
	buf_str(out, " in ");
	time_text(out, w->wall.end - w->wall.begin);
	buf_str(out, ": ");
	share_text(out, w->ns[WAITS_RUNNING], life);
	buf_str(out, " running, ");
	share_text(out, w->ns[WAITS_READY], life);
	buf_str(out, " ready, ");
	share_text(out, w->ns[WAITS_BLOCKED], life);
	buf_str(out, " blocked");
	if (w->ns[WAITS_UNKNOWN]) {
		buf_str(out, ", ");
		share_text(out, w->ns[WAITS_UNKNOWN], life);
		buf_str(out, " unknown");
	}
	buf_char(out, '\n');
}

/* Leaves out numbers of running threads that held for less than 1/200 of the time. */
void waits_show_running(const struct waits *w, struct buf *out)
{
	const uint64_t wall = w->wall.end - w->wall.begin;
	const char *before = "Threads running at a time: ";

	for (size_t i = 0; i < w->running.n; i++) {
		if (w->running.at[i] < wall / 200)
			continue;
		buf_str(out, before);
		if (i)
			buf_printf(out, "%zu for ", i);
		else
			buf_str(out, "none for ");
		share_text(out, w->running.at[i], wall);
		before = ", ";
	}
	if (*before == ',')
		buf_char(out, '\n');
}

static void step_text(const struct waits_step *s, struct buf *out)
{
	buf_safe(out, s->comm);
	buf_char(out, ' ');
	if (s->kind == WAITS_BLOCKED && strcmp(s->reason, "-"))
		buf_printf(out, "waiting: %s", s->reason);
	else
		buf_str(out, kind_text(s->kind));
	place_text(out, s->function);
}

/* Appends advice on a step of the critical path. */
static void advice_text(const struct waits_step *s, struct buf *out)
{
	switch (s->kind) {
	case WAITS_RUNNING:
		buf_str(out, "make it faster: perf record shows where it runs");
		break;
	case WAITS_READY:
		buf_str(out, "more CPUs, or fewer threads that run at a time");
		break;
	case WAITS_UNKNOWN:
		buf_str(out, "larger ring buffers (record -m)");
		break;
	case WAITS_BLOCKED:
		if (!strcmp(s->reason, "sleep"))
			buf_str(out, "sleep less there, or not where others wait");
		else if (!strcmp(s->reason, "disk") || !strcmp(s->reason, "page fault"))
			buf_str(out, "read ahead, keep it in memory, or a faster disk");
		else if (!strcmp(s->reason, "kernel lock"))
			buf_str(out, "perf lock contention names the lock");
		else
			buf_str(out, "what is waited for is outside of the recorded threads");
		break;
	case WAITS_KINDS:
		break;
	}
}

static void answer_path(const struct waits *w, struct buf *out)
{
	if (!w->has_path) {
		buf_str(out, w->wall.has_wakeups
				     ? "The program did not end in the recording: which waits "
				       "delayed it is not known.\n"
				     : "Wake-ups are not in the recording: who was waited for, and "
				       "which waits delayed the program, is not known.\n");
		return;
	}
	buf_str(out, "What the end of ");
	buf_safe(out, w->command);
	buf_str(out, " waited for (the critical path, ");
	time_text(out, w->path_ns);
	buf_str(out, "):\n");
	for (size_t i = 0; i < MIN(w->steps.n, ANSWER_STEPS); i++) {
		if (i && !WORTH(w->steps.at[i].ns, w->path_ns))
			break;
		buf_str(out, "  ");
		share_text(out, w->steps.at[i].ns, w->path_ns);
		buf_str(out, "  ");
		step_text(&w->steps.at[i], out);
		buf_char(out, '\n');
	}
	if (w->steps.n) {
		buf_str(out, "What would help most: ");
		advice_text(&w->steps.at[0], out);
		buf_str(out, ".\n");
	}
}

static void answer_delays(const struct waits *w, struct buf *out)
{
	for (size_t i = 0; i < MIN(w->rows.n, ANSWER_STEPS); i++) {
		const struct waits_row *r = &w->rows.at[i];

		if (!r->waker || r->waker[0] == '[' || !WORTH(r->delayed_ns, w->path_ns))
			continue;
		buf_safe(out, r->comm);
		buf_str(out, " waited ");
		time_text(out, r->delayed_ns);
		buf_str(out, " for ");
		buf_safe(out, r->waker);
		buf_printf(out, " (%s", r->reason);
		place_text(out, r->function);
		buf_str(out, "), which woke it up");
		place_text(out, r->waker_function);
		buf_char(out, '\n');
	}
}

/* Shows threads that waited for more than half of their life without delaying others. */
static void answer_idle(const struct waits *w, struct buf *out)
{
	size_t n = 0;

	if (!w->has_path)
		return;
	for (size_t i = 0; i < w->threads.n; i++) {
		const struct waits_thread *t = &w->threads.at[i];

		if (t->delayed_ns * 50 > t->ns[WAITS_BLOCKED] ||
		    t->ns[WAITS_BLOCKED] * 2 < life_of(t->ns))
			continue;
		if (n++ >= ANSWER_IDLE)
			continue;
		buf_str(out, n == 1 ? "Waits that delayed nothing: " : ", ");
		buf_safe(out, t->comm);
		buf_char(out, ' ');
		time_text(out, t->ns[WAITS_BLOCKED]);
	}
	if (n > ANSWER_IDLE)
		buf_printf(out, ", and %zu threads more", n - ANSWER_IDLE);
	if (n)
		buf_char(out, '\n');
}

/* -- tables -- */

static void waits_show_row(const struct waits *w, const struct waits_row *r, struct buf *out)
{
	time_text_right(out, r->ns, 9);
	if (w->has_path)
		time_text_right(out, r->delayed_ns, 9);
	else
		buf_right(out, "-", 9);
	buf_dec_right(out, r->n, 9);
	time_text_right(out, r->max_ns, 9);
	buf_str(out, "  ");
	buf_safe(out, r->comm);
	buf_printf(out, ": %s", r->reason);
	place_text(out, r->function);
	if (r->waker) {
		buf_str(out, " <- ");
		buf_safe(out, r->waker);
		place_text(out, r->waker_function);
	}
	buf_char(out, '\n');
}

static void waits_show_reasons(const struct waits_view *v, const struct waits *w)
{
	struct buf *out = &v->out->buf;

	buf_str(out,
		"\n    total  delayed    waits      max  thread: reason, where <- woken up by\n");
	for (size_t i = 0; i < MIN(w->rows.n, v->rows) && out_ready(v->out); i++)
		waits_show_row(w, &w->rows.at[i], out);
	if (w->rows.n > v->rows)
		buf_printf(out, "%9s  and %zu more\n", "", w->rows.n - v->rows);
}

static void waits_show_path(const struct waits_view *v, const struct waits *w)
{
	struct buf *out = &v->out->buf;

	if (!w->has_path)
		return;
	buf_str(out, "\n     path    share    times  the critical path\n");
	for (size_t i = 0; i < MIN(w->steps.n, v->rows) && out_ready(v->out); i++) {
		const struct waits_step *s = &w->steps.at[i];
		AUTO_BUF share = {0};

		share_text(&share, s->ns, w->path_ns);
		time_text_right(out, s->ns, 9);
		buf_right(out, buf_text(&share), 9);
		buf_dec_right(out, s->n, 9);
		buf_str(out, "  ");
		step_text(s, out);
		buf_char(out, '\n');
	}
}

static void waits_show_threads(const struct waits_view *v, const struct waits *w)
{
	struct buf *out = &v->out->buf;

	buf_str(out, "\n     life  running    ready  blocked  delayed  thread\n");
	for (size_t i = 0; i < MIN(w->threads.n, v->rows) && out_ready(v->out); i++) {
		const struct waits_thread *t = &w->threads.at[i];

		time_text_right(out, life_of(t->ns), 9);
		time_text_right(out, t->ns[WAITS_RUNNING], 9);
		time_text_right(out, t->ns[WAITS_READY], 9);
		time_text_right(out, t->ns[WAITS_BLOCKED], 9);
		if (w->has_path)
			time_text_right(out, t->delayed_ns, 9);
		else
			buf_right(out, "-", 9);
		buf_str(out, "  ");
		buf_safe(out, t->comm);
		buf_printf(out, " %d\n", (int32_t)t->thread->tid);
	}
	if (w->threads.n > v->rows)
		buf_printf(out, "%9s  and %zu more\n", "", w->threads.n - v->rows);
}

void waits_show(const struct waits_view *v, const struct waits *w)
{
	struct buf *out = &v->out->buf;

	answer_sum(w, out);
	waits_show_running(w, out);
	answer_path(w, out);
	answer_delays(w, out);
	answer_idle(w, out);
	waits_show_reasons(v, w);
	waits_show_path(v, w);
	waits_show_threads(v, w);
}
