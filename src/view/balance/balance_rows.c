// SPDX-License-Identifier: MIT
/* The rows of `perf balance` for programs and web browsers. */
#include "view/balance/balance.h"
#include "view/out/json.h"

/* The tables that only a page has room for. */
static void balance_show_more_rows(const struct balance_view *v, const struct balance *b,
				   struct rows *rows)
{
	static const char *const threads[] = {"thread",	  "tid",     "running_ns",  "busy_ns",
					      "waits_ns", "idle_ns", "spinning_ns", "waited_ns"};
	static const char *const guesses[] = {"function", "percent", "busy_ns", "program_ns"};

	rows_table(rows, "threads", threads, ARRAY_SIZE(threads));
	for (size_t i = 0; i < MIN(b->threads.n, v->rows) && out_ready(v->out); i++) {
		const struct balance_thread *t = &b->threads.at[i];
		const uint64_t numbers[] = {
			t->thread->thread->tid, t->running_ns, t->busy_ns, t->waits_ns, t->idle_ns,
			t->spinning_ns,		t->waited_ns};

		rows_text(rows, t->thread->comm);
		rows_numbers(rows, numbers, ARRAY_SIZE(numbers));
	}
	if (!b->guesses.n)
		return;
	rows_table(rows, "guesses", guesses, ARRAY_SIZE(guesses));
	for (size_t i = 0; i < b->guesses.n; i++) {
		const struct balance_guess *g = &b->guesses.at[i];
		const uint64_t numbers[] = {g->percent, g->ns, g->wall_ns};

		rows_text(rows, g->function);
		rows_numbers(rows, numbers, ARRAY_SIZE(numbers));
	}
}

void balance_show_rows(const struct balance_view *v, const struct balance *b,
		       const struct rows_form *form)
{
	static const char *const columns[] = {"phase",	"from_ns", "to_ns", "waited_ns", "busy_ns",
					      "thread", "tid",	   "doing", "function",  "caller"};
	struct rows rows;

	rows_begin(&rows, v->out, form);
	rows_table(&rows, "parts", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < MIN(b->parts.n, v->rows) && out_ready(v->out); i++) {
		const struct balance_part *p = &b->parts.at[i];
		const struct balance_phase *phase = &b->phases.at[p->phase];
		const uint64_t numbers[] = {p->phase + 1, phase->from - b->waits.wall.begin,
					    phase->to - b->waits.wall.begin, p->waited_ns,
					    p->busy_ns};

		rows_numbers(&rows, numbers, ARRAY_SIZE(numbers));
		rows_text(&rows, p->thread->comm);
		rows_number(&rows, p->thread->thread->tid);
		rows_text(&rows, p->doing);
		rows_text(&rows, p->function);
		rows_text(&rows, p->caller);
	}
	if (form->kind == ROWS_PAGE)
		balance_show_more_rows(v, b, &rows);
	rows_end(&rows);
}

static void balance_json_sums(struct json *j, uint64_t running, uint64_t busy, uint64_t waits,
			      uint64_t idle)
{
	json_number_member(j, "running_ns", running);
	json_number_member(j, "busy_ns", busy);
	json_number_member(j, "waits_ns", waits);
	json_number_member(j, "idle_ns", idle);
}

static void balance_json_part(struct json *j, const struct balance_part *p)
{
	json_text_member(j, "thread", p->thread->comm);
	json_number_member(j, "tid", p->thread->thread->tid);
	json_text_member(j, "doing", p->doing);
	json_optional_member(j, "function", p->function);
	json_optional_member(j, "caller", p->caller);
	json_number_member(j, "busy_ns", p->busy_ns);
	json_number_member(j, "waited_ns", p->waited_ns);
}

static void balance_json_phase(struct json *j, const struct balance *b,
			       const struct balance_phase *p)
{
	json_open(j, '{');
	json_number_member(j, "from_ns", p->from - b->waits.wall.begin);
	json_number_member(j, "to_ns", p->to - b->waits.wall.begin);
	balance_json_sums(j, p->running_ns, p->busy_ns, p->waited_ns, p->idle_ns);
	if (p->last) {
		json_name(j, "last");
		json_open(j, '{');
		json_number_member(j, "thread_waited_ns", p->last_ns);
		balance_json_part(j, p->last);
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void balance_json_thread(struct json *j, const struct balance_thread *t)
{
	json_open(j, '{');
	json_text_member(j, "thread", t->thread->comm);
	json_number_member(j, "pid", t->thread->thread->pid);
	json_number_member(j, "tid", t->thread->thread->tid);
	balance_json_sums(j, t->running_ns, t->busy_ns, t->waits_ns, t->idle_ns);
	json_number_member(j, "spinning_ns", t->spinning_ns);
	json_number_member(j, "waited_ns", t->waited_ns);
	json_close(j, '}');
}

static void balance_json_guess(struct json *j, const struct balance_guess *g)
{
	json_open(j, '{');
	json_text_member(j, "function", g->function);
	json_number_member(j, "percent", g->percent);
	json_number_member(j, "busy_ns", g->ns);
	json_number_member(j, "program_ns", g->wall_ns);
	json_close(j, '}');
}

void balance_show_json(const struct balance_view *v, const struct balance *b)
{
	struct json j = {.out = &v->out->buf};

	json_open(&j, '{');
	json_number_member(&j, "wall_ns", b->wall_ns);
	if (b->program_ns)
		json_number_member(&j, "program_ns", b->program_ns);
	balance_json_sums(&j, b->running_ns, b->busy_ns, b->waited_ns, b->idle_ns);
	json_number_member(&j, "ready_ns", b->ready_ns);
	json_number_member(&j, "spinning_ns", b->spinning_ns);
	json_number_member(&j, "unknown_ns", b->waits.ns[WAITS_UNKNOWN]);
	json_number_member(&j, "without_wakeup_ns", b->waits.wall.ns[WALL_OFF_CPU]);
	json_name(&j, "ns_by_running_threads");
	json_open(&j, '[');
	for (size_t i = 0; i < b->waits.running.n; i++)
		json_number_element(&j, b->waits.running.at[i]);
	json_close(&j, ']');
	json_name(&j, "phases");
	json_open(&j, '[');
	for (size_t i = 0; i < b->phases.n; i++)
		balance_json_phase(&j, b, &b->phases.at[i]);
	json_close(&j, ']');
	json_name(&j, "parts");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(b->parts.n, v->rows) && out_ready(v->out); i++) {
		json_open(&j, '{');
		json_number_member(&j, "phase", b->parts.at[i].phase + 1);
		balance_json_part(&j, &b->parts.at[i]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_name(&j, "threads");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(b->threads.n, v->rows) && out_ready(v->out); i++)
		balance_json_thread(&j, &b->threads.at[i]);
	json_close(&j, ']');
	json_name(&j, "guesses");
	json_open(&j, '[');
	for (size_t i = 0; i < b->guesses.n; i++)
		balance_json_guess(&j, &b->guesses.at[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(&v->out->buf, '\n');
}
