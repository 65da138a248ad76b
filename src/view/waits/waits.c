// SPDX-License-Identifier: MIT
#include "view/waits/waits.h"

#include "view/time_text.h"

#define ANSWER_STEPS 3
#define ANSWER_IDLE  3
/* True for waits worth a line of the answer: more than a fiftieth of the threads' time. */
#define WORTH(part, whole) ((part) > (whole) / 50)

/* Appends " in wait_for_job < work". */
static void place_text(struct buf *out, const char *function, const char *caller)
{
	if (function) {
		buf_str(out, " in ");
		buf_safe(out, function);
	}
	if (caller) {
		buf_str(out, " < ");
		buf_safe(out, caller);
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

	buf_printf(out, "%zu thread%s lived ", w->threads.n, w->threads.n == 1 ? "" : "s");
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

/* True for a wait for other threads that none of them ended. */
static bool waits_timed_out(const char *reason, bool by_timer)
{
	return by_timer && (!strcmp(reason, "futex") || !strcmp(reason, "parked"));
}

static bool step_timed_out(const struct waits_step *s)
{
	return s->kind == WAITS_BLOCKED && waits_timed_out(s->reason, s->by_timer);
}

static void step_text(const struct waits_step *s, struct buf *out)
{
	buf_safe(out, s->comm);
	buf_char(out, ' ');
	if (s->kind == WAITS_BLOCKED && strcmp(s->reason, "-"))
		buf_printf(out, "waiting: %s", s->reason);
	else
		buf_str(out, kind_text(s->kind));
	place_text(out, s->function, s->caller);
	if (step_timed_out(s))
		buf_str(out, ", until its time was over");
}

/* The kind that most of the critical path is of; *ns: how much. */
static enum waits_kind path_main_kind(const struct waits *w, uint64_t *ns)
{
	uint64_t sums[WAITS_KINDS] = {0};
	enum waits_kind most = 0;

	for (size_t i = 0; i < w->steps.n; i++)
		sums[w->steps.at[i].kind] += w->steps.at[i].ns;
	for (enum waits_kind k = 0; k < WAITS_KINDS; k++)
		if (sums[k] > sums[most])
			most = k;
	*ns = sums[most];
	return most;
}

static void advice_sleep(const struct waits_step *s, struct buf *out)
{
	buf_str(out, "sleep less");
	place_text(out, s->function, s->caller);
	buf_str(out, ", or not where others wait");
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
			advice_sleep(s, out);
		else if (!strcmp(s->reason, "disk") || !strcmp(s->reason, "page fault"))
			buf_str(out, "read ahead, keep it in memory, or a faster disk");
		else if (!strcmp(s->reason, "kernel lock"))
			buf_str(out, "perf lock contention names the lock");
		else if (step_timed_out(s))
			buf_str(out, "a wake-up before the time is over: it is missing, came "
				     "before the wait, or the wait is not needed");
		else if (s->by_timer)
			buf_str(out, "a shorter time-out or timer, or an event that ends the wait");
		else
			buf_str(out, "what is waited for is outside of the recorded threads");
		break;
	case WAITS_KINDS:
		break;
	}
}

/* Advises on the longest step of the kind that most of the path is of. */
static void answer_advice(const struct waits *w, struct buf *out)
{
	uint64_t ns;
	const enum waits_kind kind = path_main_kind(w, &ns);
	size_t i = 0;

	while (w->steps.at[i].kind != kind)
		i++;
	buf_str(out, "What would help most: ");
	advice_text(&w->steps.at[i], out);
	buf_printf(out, " (%s ", kind_text(kind));
	share_text(out, ns, w->path_ns);
	buf_str(out, " of the path).\n");
}

struct reason_sum {
	const char *reason;
	uint64_t ns;
};

/* The next longest reason of all waits after the sums[0..n - 1]; .ns is 0 when there is none. */
static struct reason_sum reason_next(const struct waits *w, const struct reason_sum *sums, size_t n)
{
	struct reason_sum longest = {0};

	for (size_t i = 0; i < w->rows.n; i++) {
		struct reason_sum sum = {.reason = w->rows.at[i].reason};
		bool had = false;

		for (size_t k = 0; k < n; k++)
			had |= !strcmp(sums[k].reason, sum.reason);
		for (size_t k = 0; !had && k < w->rows.n; k++)
			if (!strcmp(w->rows.at[k].reason, sum.reason))
				sum.ns += w->rows.at[k].ns;
		if (sum.ns > longest.ns)
			longest = sum;
	}
	return longest;
}

/* Where nothing is known of who was waited for: what threads waited for, the longest first. */
static void answer_reasons(const struct waits *w, struct buf *out)
{
	struct reason_sum sums[ANSWER_STEPS];
	size_t n = 0;

	while (n < ANSWER_STEPS && (sums[n] = reason_next(w, sums, n)).ns) {
		buf_str(out, n ? ", " : "Blocked threads waited for: ");
		share_text(out, sums[n].ns, w->ns[WAITS_BLOCKED]);
		buf_printf(out, " %s",
			   strcmp(sums[n].reason, "-") ? sums[n].reason : "a reason not known");
		n++;
	}
	if (n)
		buf_char(out, '\n');
}

/* The first thread that was in one futex all the time; NULL: there is none. */
static const struct waits_thread *stuck_thread(const struct waits *w)
{
	const uint64_t all = w->wall.end - w->wall.begin;

	for (size_t i = 0; i < w->threads.n; i++) {
		const struct waits_thread *t = &w->threads.at[i];

		if (t->intervals.n == 1 && t->ns[WAITS_BLOCKED] > all - all / 20 &&
		    !strcmp(waits_reason(w, &t->intervals.at[0]), "futex"))
			return t;
	}
	return NULL;
}

/* Whoever holds a lock all the time is not in the recording, but in the process's memory. */
static void answer_stuck(const struct waits *w, struct buf *out)
{
	const struct waits_thread *t = stuck_thread(w);

	if (!t)
		return;
	buf_safe(out, t->comm);
	buf_printf(out,
		   " %u waited for a futex from the beginning to the end: 'perf locks --now -p %u' "
		   "says for which lock, and who holds it.\n",
		   t->thread->tid, t->thread->pid);
}

static void answer_path(const struct waits *w, struct buf *out)
{
	if (!w->has_path) {
		answer_reasons(w, out);
		answer_stuck(w, out);
		buf_str(out, w->wall.has_wakeups
				     ? "The program did not end in the recording: which waits "
				       "delayed it is not known.\n"
				     : "Wake-ups are not in the recording (they need root or "
				       "CAP_PERFMON): who was waited for, and which waits delayed "
				       "the program, is not known.\n");
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
	if (w->steps.n)
		answer_advice(w, out);
}

static void answer_delay(const struct waits_row *r, struct buf *out)
{
	buf_safe(out, r->comm);
	buf_str(out, " waited ");
	time_text(out, r->delayed_ns);
	buf_str(out, " for ");
	buf_safe(out, r->waker);
	buf_printf(out, " (%s", r->reason);
	place_text(out, r->function, r->caller);
	buf_str(out, "), which woke it up");
	place_text(out, r->waker_function, NULL);
	buf_char(out, '\n');
}

static bool row_by_timer(const struct waits_row *r)
{
	return !strcmp(r->waker, wall_waker_name(WALL_TIMER));
}

static void answer_timed_out(const struct waits_row *r, struct buf *out)
{
	buf_safe(out, r->comm);
	buf_str(out, " waited ");
	time_text(out, r->delayed_ns);
	buf_printf(out, " (%s", r->reason);
	place_text(out, r->function, r->caller);
	buf_printf(out, ") until its time was over, %llu time%s: no thread woke it up\n",
		   (unsigned long long)r->n, r->n == 1 ? "" : "s");
}

static void answer_delays(const struct waits *w, struct buf *out)
{
	for (size_t i = 0; i < MIN(w->rows.n, ANSWER_STEPS); i++) {
		const struct waits_row *r = &w->rows.at[i];

		if (!r->waker || !WORTH(r->delayed_ns, w->path_ns))
			continue;
		if (waits_timed_out(r->reason, row_by_timer(r)))
			answer_timed_out(r, out);
		else if (r->waker[0] != '[')
			answer_delay(r, out);
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
	place_text(out, r->function, r->caller);
	if (r->waker) {
		buf_str(out, " <- ");
		buf_safe(out, r->waker);
		place_text(out, r->waker_function, NULL);
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
