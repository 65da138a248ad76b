// SPDX-License-Identifier: MIT
#include "view/balance/balance.h"

#include "view/time_text.h"
#include "view/waits/waits.h"

#define ANSWER_GUESSES 2
/* True for times worth a line of the answer: more than a twentieth of the wall time. */
#define WORTH(ns, wall) ((ns) > (wall) / 20)

/* Appends a thread's name, with its tid when another thread has the same name. */
static void balance_thread_text(const struct balance *b, const struct waits_thread *t,
				struct buf *out)
{
	buf_safe(out, t->comm);
	for (size_t i = 0; i < b->threads.n; i++) {
		const struct waits_thread *other = b->threads.at[i].thread;

		if (other != t && !strcmp(other->comm, t->comm)) {
			buf_printf(out, " %d", (int32_t)t->thread->tid);
			return;
		}
	}
}

/* "worker in work", "worker in load < start (disk)" */
static void balance_part_text(const struct balance *b, const struct balance_part *p,
			      struct buf *out)
{
	balance_thread_text(b, p->thread, out);
	if (p->function) {
		buf_str(out, " in ");
		buf_safe(out, p->function);
	}
	if (p->caller) {
		buf_str(out, " < ");
		buf_safe(out, p->caller);
	}
	if (strcmp(p->doing, "running") != 0)
		buf_printf(out, " (%s)", p->doing);
}

/* "1.85": threads on average */
static void balance_mean_text(struct buf *out, uint64_t ns, uint64_t wall)
{
	buf_printf(out, "%.2f", wall ? (double)ns / (double)wall : 0.);
}

/* -- the answer -- */

/* Waits without a wake-up in a recording that has others: it was lost, or dropped by the kernel. */
static void balance_answer_unwoken(const struct balance *b, struct buf *out)
{
	const uint64_t ns = b->waits.wall.ns[WALL_OFF_CPU];

	if (!b->waits.wall.has_wakeups || !WORTH(ns, b->wall_ns))
		return;
	balance_mean_text(out, ns, b->wall_ns);
	buf_str(out, " threads on average waited, for whom is not known: wake-ups are missing.\n");
}

static void balance_answer_sum(const struct balance *b, struct buf *out)
{
	buf_printf(out, "%zu threads in ", b->threads.n);
	time_text(out, b->wall_ns);
	buf_str(out, ": ");
	balance_mean_text(out, b->busy_ns, b->wall_ns);
	buf_str(out, " busy on average, ");
	balance_mean_text(out, b->waited_ns, b->wall_ns);
	buf_str(out, " waiting for them, ");
	balance_mean_text(out, b->idle_ns, b->wall_ns);
	buf_str(out, " waiting for none of them");
	if (b->waits.ns[WAITS_UNKNOWN]) {
		buf_str(out, ", ");
		balance_mean_text(out, b->waits.ns[WAITS_UNKNOWN], b->wall_ns);
		buf_str(out, " unknown: records were lost");
	}
	buf_char(out, '\n');
	balance_answer_unwoken(b, out);
	waits_show_running(&b->waits, out);
	if (WORTH(b->ready_ns, b->wall_ns)) {
		balance_mean_text(out, b->ready_ns, b->wall_ns);
		buf_str(out, " threads on average were ready and had no CPU.\n");
	}
	if (WORTH(b->spinning_ns, b->wall_ns)) {
		balance_mean_text(out, b->spinning_ns, b->wall_ns);
		buf_str(out, " threads on average burned a CPU by spinning.\n");
	}
}

static void balance_answer_phase(const struct balance *b, size_t i, struct buf *out)
{
	const struct balance_phase *p = &b->phases.at[i];
	const uint64_t ns = p->to - p->from;

	buf_dec_right(out, i + 1, 3);
	time_text_right(out, ns, 9);
	buf_str(out, "  ");
	share_text(out, ns, b->wall_ns);
	buf_str(out, "  ");
	balance_mean_text(out, p->busy_ns, ns);
	buf_str(out, " busy");
	if (p->last && WORTH(p->last_ns, ns)) {
		buf_str(out, ", others waited ");
		time_text(out, p->last_ns);
		buf_str(out, " for ");
		balance_part_text(b, p->last, out);
	} else if (p->most) {
		buf_str(out, ", nobody waited; mostly ");
		balance_part_text(b, p->most, out);
	}
	buf_char(out, '\n');
}

static void balance_answer_bottleneck(const struct balance *b, struct buf *out)
{
	const struct balance_thread *most = NULL;

	for (size_t i = 0; i < b->threads.n; i++)
		if (!most || b->threads.at[i].waited_ns > most->waited_ns)
			most = &b->threads.at[i];
	if (!most || !WORTH(most->waited_ns, b->wall_ns)) {
		buf_str(out, b->waits.wall.has_wakeups
				     ? "No thread kept others waiting for long.\n"
				     : "Wake-ups are not in the recording: who waited for whom is "
				       "not known.\n");
		return;
	}
	buf_str(out, "Others waited longest for ");
	balance_thread_text(b, most->thread, out);
	buf_str(out, ": ");
	time_text(out, most->waited_ns);
	buf_str(out, ", ");
	share_text(out, most->waited_ns, b->waited_ns);
	buf_str(out, " of all waiting for threads.\n");
}

static void balance_answer_guesses(const struct balance *b, struct buf *out)
{
	for (size_t i = 0; i < b->guesses.n && i < ANSWER_GUESSES; i++) {
		const struct balance_guess *g = &b->guesses.at[i];

		buf_str(out, i ? "        " : "Guess:  ");
		buf_safe(out, g->function);
		buf_printf(out, " %u %% shorter, and the program takes ", g->percent);
		time_text(out, g->wall_ns);
		buf_str(out, " instead of ");
		time_text(out, b->program_ns);
		buf_str(out, " (-");
		share_text(out, b->program_ns - MIN(g->wall_ns, b->program_ns), b->program_ns);
		buf_str(out, ")\n");
	}
	if (!b->program_ns)
		buf_str(out, "How long the program would take is not guessed: its end, or who "
			     "wakes up whom, is not in the recording.\n");
}

/* -- tables -- */

static void balance_show_parts(const struct balance_view *v, const struct balance *b)
{
	struct buf *out = &v->out->buf;

	buf_str(out, "\n   waited     busy  phase  thread in function: others waited so long\n");
	for (size_t i = 0; i < MIN(b->parts.n, v->rows) && out_ready(v->out); i++) {
		const struct balance_part *p = &b->parts.at[i];

		time_text_right(out, p->waited_ns, 9);
		time_text_right(out, p->busy_ns, 9);
		buf_dec_right(out, p->phase + 1, 7);
		buf_str(out, "  ");
		balance_part_text(b, p, out);
		buf_char(out, '\n');
	}
	if (b->parts.n > v->rows)
		buf_printf(out, "%9s  and %zu more\n", "", b->parts.n - v->rows);
}

static void balance_show_threads(const struct balance_view *v, const struct balance *b)
{
	struct buf *out = &v->out->buf;

	buf_str(out, "\n     busy  running spinning    waits     idle   waited  thread\n");
	for (size_t i = 0; i < MIN(b->threads.n, v->rows) && out_ready(v->out); i++) {
		const struct balance_thread *t = &b->threads.at[i];

		time_text_right(out, t->busy_ns, 9);
		time_text_right(out, t->running_ns, 9);
		time_text_right(out, t->spinning_ns, 9);
		time_text_right(out, t->waits_ns, 9);
		time_text_right(out, t->idle_ns, 9);
		time_text_right(out, t->waited_ns, 9);
		buf_str(out, "  ");
		buf_safe(out, t->thread->comm);
		buf_printf(out, " %d\n", (int32_t)t->thread->thread->tid);
	}
	if (b->threads.n > v->rows)
		buf_printf(out, "%9s  and %zu more\n", "", b->threads.n - v->rows);
}

static void balance_show_guesses(const struct balance_view *v, const struct balance *b)
{
	struct buf *out = &v->out->buf;

	if (!b->guesses.n)
		return;
	buf_str(out, "\n     busy  shorter  program   change  function\n");
	for (size_t i = 0; i < MIN(b->guesses.n, v->rows) && out_ready(v->out); i++) {
		const struct balance_guess *g = &b->guesses.at[i];
		AUTO_BUF change = {0};

		buf_char(&change, '-');
		share_text(&change, b->program_ns - MIN(g->wall_ns, b->program_ns), b->program_ns);
		time_text_right(out, g->ns, 9);
		buf_printf(out, "%7u %%", g->percent);
		time_text_right(out, g->wall_ns, 9);
		buf_right(out, buf_text(&change), 9);
		buf_str(out, "  ");
		buf_safe(out, g->function);
		buf_char(out, '\n');
	}
}

void balance_show(const struct balance_view *v, const struct balance *b)
{
	struct buf *out = &v->out->buf;

	balance_answer_sum(b, out);
	buf_str(out, b->phases.n > 1 ? "Phases:\n" : "One phase:\n");
	for (size_t i = 0; i < b->phases.n; i++)
		balance_answer_phase(b, i, out);
	balance_answer_bottleneck(b, out);
	balance_answer_guesses(b, out);
	balance_show_parts(v, b);
	balance_show_threads(v, b);
	balance_show_guesses(v, b);
}
