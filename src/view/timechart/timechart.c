// SPDX-License-Identifier: MIT
#include "view/timechart/timechart.h"

#include "view/html/markup.h"
#include "view/script/script_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUCH_IO	   1048576ull  /* bytes: as RAN_ENOUGH */
#define RAN_ENOUGH 10000000ull /* ns: tasks that ran less are shown only when few ran longer */

void timechart_chain_text(void *ctx, const struct record *r, struct buf *out)
{
	struct script_frames *frames = ctx;
	const struct sample *s = &r->sample;
	const struct thread *t = world_thread(frames->world, s->pid, s->tid, WORLD_NOW);
	const uint32_t epoch = world_epoch(frames->world, t, WORLD_NOW);
	struct raw_chain walk = {.words = s->callchain, .n = s->callchain_nr,
				 .mode = r->header.misc & MISC_CPUMODE_MASK};
	uint64_t ip;

	unwound_chain(&frames->unwound, epoch, s, &walk.words, &walk.n);
	script_frames_bound(frames);
	/* behind a word that is no context, it is not a chain any more */
	while (raw_chain_next(&walk, &ip) && walk.mode) {
		const struct script_frame *frame = script_frame(frames, epoch, walk.mode, ip,
								FIELD_SYM | SCRIPT_FRAME_SYMBOL);

		buf_printf(out, "..... %016llx%s%s\n", (unsigned long long)ip,
			   frame->sym ? " " : "", frame->sym ? frame->name : "");
	}
}

static bool timechart_is_wanted(const struct timechart_view *v, const struct timechart_task *task,
				const char *name)
{
	for (size_t i = 0; i < v->shown.n; i++) {
		const unsigned long tid = strtoul(v->shown.at[i], NULL, 10);

		if ((tid && tid == task->tid) || !strcmp(v->shown.at[i], name))
			return true;
	}
	return false;
}

/* Chooses the tasks shown: those the user named, or those that ran for at least least ns (in a
 * chart of calls: read and wrote so many bytes). Returns their number. */
static int choose_rows(const struct timechart_view *v, struct timechart *t, uint64_t least)
{
	int rows = 0;

	for (size_t i = 0; i < t->tasks.n; i++) {
		const struct timechart_task *task = &t->tasks.at[i];

		for (size_t k = 0; k < task->comms.n; k++) {
			struct timechart_comm *comm = &t->comms.at[task->comms.at[k]];

			comm->shown =
				v->shown.n ? timechart_is_wanted(v, task,
								 intern_text(&t->names, comm->name))
					   : (t->io_events ? comm->bytes : comm->ran) >= least;
			rows += comm->shown;
		}
	}
	return rows;
}

static int compare_places(const void *a, const void *b)
{
	const struct topology_cpu *const *one = a, *const *two = b;
	const int x[] = {(*one)->socket, (*one)->die, (*one)->core, (*one)->cpu},
		  y[] = {(*two)->socket, (*two)->die, (*two)->core, (*two)->cpu};

	for (size_t i = 0; i < ARRAY_SIZE(x); i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* Orders the CPUs so that threads of a core, and cores of a socket, are neighbours. */
static void place_cpus(struct timechart_svg *s, const struct topology *topology)
{
	VEC(const struct topology_cpu *) cpus = {0};

	for (size_t i = 0; i < topology->cpus.n; i++)
		if (topology->cpus.at[i].socket >= 0 && topology->cpus.at[i].core >= 0)
			vec_add(&cpus, &topology->cpus.at[i]);
	if (cpus.n)
		qsort(cpus.at, cpus.n, sizeof(*cpus.at), compare_places);
	for (size_t i = 0; i < cpus.n; i++) {
		while (s->cpu_place.n <= (size_t)cpus.at[i]->cpu)
			vec_add(&s->cpu_place, -1);
		s->cpu_place.at[cpus.at[i]->cpu] = (int)i;
	}
	vec_release(&cpus);
}

static const char *chain_text(const struct timechart *t, uint32_t chain)
{
	return chain == TIMECHART_NO_CHAIN ? NULL : intern_text(&t->chains, chain);
}

static void draw_cpus(const struct timechart_svg *s, const struct timechart *t)
{
	for (uint32_t i = 0; i <= t->cpus; i++)
		svg_cpu(s, i);
	for (size_t i = 0; i < t->tasks.n; i++) {
		const struct timechart_task *task = &t->tasks.at[i];

		for (size_t k = task->comms.n; k--;) {
			const struct timechart_comm *comm = &t->comms.at[task->comms.at[k]];

			for (size_t n = comm->spans.n; n--;)
				if (comm->spans.at[n].state == TIMECHART_RUNNING)
					svg_cpu_span(s, &comm->spans.at[n], task->tid,
						     intern_text(&t->names, comm->name),
						     chain_text(t, comm->spans.at[n].chain));
		}
	}
}

static void draw_row(const struct timechart_svg *s, const struct timechart *t, uint32_t tid,
		     const struct timechart_comm *comm)
{
	const double ran = (double)comm->ran;
	struct buf *b = &s->out->buf;

	svg_box(s, comm->row, comm->start, comm->end, "process");
	for (size_t i = comm->spans.n; i--;)
		svg_span(s, comm->row, &comm->spans.at[i], chain_text(t, comm->spans.at[i].chain));
	buf_printf(b, "<text x=\"%.8f\" y=\"%.8f\">", svg_x(s, comm->start),
		   comm->row * SVG_SLOT + SVG_HEIGHT / 2);
	put_markup(intern_text(&t->names, comm->name), b);
	if (comm->ran > 5000000000)
		buf_printf(b, ":%i (%2.2fs)</text>\n", (int)tid, ran / 1000000000.0);
	else
		buf_printf(b, ":%i (%3.1fms)</text>\n", (int)tid, ran / 1000000.0);
}

typedef void timechart_draw_row(const struct timechart_svg *s, const struct timechart *t,
				uint32_t tid, const struct timechart_comm *comm);

/* Draws the rows of the tasks shown, from that one on. */
static void draw_rows(const struct timechart_svg *s, struct timechart *t, uint32_t row,
		      timechart_draw_row *draw)
{
	for (size_t i = 0; i < t->tasks.n; i++) {
		const struct timechart_task *task = &t->tasks.at[i];

		for (size_t k = task->comms.n; k--;) {
			struct timechart_comm *comm = &t->comms.at[task->comms.at[k]];

			if (!comm->shown)
				continue;
			comm->row = row++;
			draw(s, t, task->tid, comm);
		}
	}
}

/* Draws idle states first, so that the frequency lines are on top. Both are drawn latest first. */
static void draw_power(const struct timechart_svg *s, const struct timechart *t)
{
	for (int idle = 1; idle >= 0; idle--) {
		for (size_t i = t->power.n; i--;) {
			struct timechart_power p = t->power.at[i];

			if (p.idle != idle)
				continue;
			if (!p.idle && !p.value)
				p.value = t->min_frequency;
			svg_power(s, &p);
		}
	}
}

/* The row of a task at that time; 0: it is not shown. Sets *name to its comm at that time, if it
 * has one. */
static uint32_t timechart_row_of(const struct timechart *t, uint32_t tid, uint64_t time,
				 const char **name)
{
	const struct timechart_task *task = timechart_task_find(t, tid);
	const struct timechart_comm *found = NULL;

	for (size_t k = task ? task->comms.n : 0; k-- && !found;) {
		const struct timechart_comm *comm = &t->comms.at[task->comms.at[k]];

		if (comm->row && comm->start <= time && comm->end >= time)
			found = comm;
	}
	for (size_t k = task ? task->comms.n : 0; k-- && (!found || !found->row);)
		found = &t->comms.at[task->comms.at[k]];
	if (!found)
		return 0;
	*name = intern_text(&t->names, found->name);
	return found->row;
}

static void draw_wakes(const struct timechart_svg *s, const struct timechart *t)
{
	for (size_t i = t->wakes.n; i--;) {
		const struct timechart_wake *w = &t->wakes.at[i];
		const char *chain = chain_text(t, w->chain);
		char from_tid[16], to_tid[16];
		const char *waker = from_tid, *wakee = to_tid;
		const uint32_t to = timechart_row_of(t, w->wakee, w->time, &wakee);

		snprintf(from_tid, sizeof(from_tid), "[%i]", (int)w->waker);
		snprintf(to_tid, sizeof(to_tid), "[%i]", (int)w->wakee);
		if (w->by_interrupt)
			svg_interrupt(s, w->time, to, chain);
		else
			svg_wake(s, w->time, timechart_row_of(t, w->waker, w->time, &waker), waker,
				 to, wakee, chain);
	}
}

static void draw_io_row(const struct timechart_svg *s, const struct timechart *t, uint32_t tid,
			const struct timechart_comm *comm)
{
	static const char *const units[] = {"", "K", "M", "G"};
	double bytes = (double)comm->bytes;
	struct buf *b = &s->out->buf;
	size_t unit = 0;

	svg_box(s, comm->row, comm->start, comm->end, "process3");
	for (size_t i = comm->ios.n; i--;)
		if (!s->view->io_skip_again || comm->ios.at[i].error != -EAGAIN)
			svg_io(s, comm->row, &comm->ios.at[i], comm->max_bytes);
	for (; bytes > 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		bytes /= 1024;
	buf_printf(b, "<text x=\"%.8f\" y=\"%.8f\">", svg_x(s, comm->start),
		   comm->row * SVG_SLOT + SVG_HEIGHT / 2);
	put_markup(intern_text(&t->names, comm->name), b);
	buf_printf(b, ":%i (%3.1f %sbytes)</text>\n", (int)tid, bytes, units[unit]);
}

static void timechart_show_io(struct timechart_svg *s, struct timechart *t, int rows)
{
	s->height = (uint64_t)((1 + rows + 1) * SVG_SLOT);
	svg_begin(s);
	svg_grid(s, 0.5);
	svg_io_legend(s);
	draw_rows(s, t, 1, draw_io_row);
}

static void timechart_show_tasks(struct timechart_svg *s, struct timechart *t, int rows, bool tasks)
{
	s->height = (uint64_t)((1 + rows + 2.0 * (t->cpus + 1) + 1) * SVG_SLOT);
	if (s->view->topology)
		place_cpus(s, s->view->topology);
	svg_begin(s);
	svg_grid(s, 0);
	svg_legend(s);
	draw_cpus(s, t);
	if (tasks)
		draw_rows(s, t, 2 * (t->cpus + 1) + 2, draw_row);
	if (!s->view->tasks_only)
		draw_power(s, t);
	if (tasks)
		draw_wakes(s, t);
}

void timechart_show(const struct timechart_view *v, struct timechart *t, struct out *out)
{
	const int wanted = v->power_only ? 0 : v->tasks_wanted;
	struct timechart_svg s = {.view = v,
				  .out = out,
				  .first = t->clipped ? t->first : t->first / 100000000 * 100000000,
				  .max_frequency = t->max_frequency,
				  .turbo_frequency = t->turbo_frequency};
	uint64_t least = t->io_events ? MUCH_IO : RAN_ENOUGH;
	int rows = choose_rows(v, t, least);

	while (!v->shown.n && rows < wanted && (least /= 10))
		rows = choose_rows(v, t, least);
	rows = wanted ? rows : 0;
	s.span = t->last - s.first;
	s.width = (int)MIN(MAX((uint64_t)MAX(v->width, 1), s.span / 5000000), INT32_MAX);
	if (t->io_events)
		timechart_show_io(&s, t, rows);
	else
		timechart_show_tasks(&s, t, rows, wanted != 0);
	buf_str(&out->buf, "</svg>\n");
	out_ready(out);
	vec_release(&s.cpu_place);
}
