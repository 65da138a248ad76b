// SPDX-License-Identifier: MIT
#include "view/sched/sched.h"

#define COLOUR_TASKS "\033[34m"
#define COLOUR_CPUS  "\033[41m"

static void map_paint(const struct sched_map_view *v, bool paint, const char *colour,
		      const char *text)
{
	struct buf *b = &v->out->buf;

	paint &= v->out->colour;
	if (paint)
		buf_str(b, colour);
	buf_str(b, text);
	if (paint)
		buf_str(b, "\033[m");
}

static const char *map_comm(const struct sched_map_view *v, const struct sched_map_task *t)
{
	return world_comm(v->world, t->thread, WORLD_NOW);
}

static bool map_names_task(const struct sched_map_view *v, const struct sched_map_task *t)
{
	const struct intern *names = &v->names.names;
	const char *comm;

	if (!v->names.given)
		return true;
	comm = map_comm(v, t);
	if (!v->parts && name_list_has(&v->names, comm))
		return true;
	for (size_t i = 0; v->parts && i < names->entries.n; i++)
		if (strstr(comm, intern_text(names, (uint32_t)i)))
			return true;
	return false;
}

static bool map_is_coloured(const struct sched_map_view *v, const struct sched_map_task *t)
{
	return v->colour_tasks.given && number_list_has(&v->colour_tasks, t->thread->tid);
}

/* gone: the selected task has just left the row's CPU. */
static void map_show_cpu(const struct sched_map_view *v, const struct sched_map_row *row,
			 uint32_t cpu, bool gone)
{
	const struct sched_map_task *t = cpu < row->n_cpus ? row->runs[cpu] : NULL;
	char text[] = "   ";

	if (v->cpus.given && !number_list_has(&v->cpus, cpu))
		return;
	if (!v->out->colour && !gone) {
		const char column[] = {cpu == row->cpu ? '*' : ' ', t ? t->name[0] : ' ',
				       t ? t->name[1] : ' ', ' '};

		buf_add(&v->out->buf, column, sizeof(column));
		return;
	}
	map_paint(v,
		  v->colour_cpus.given && cpu == row->cpu && number_list_has(&v->colour_cpus, cpu),
		  COLOUR_CPUS, cpu == row->cpu ? "*" : " ");
	if (t && gone && cpu == row->cpu)
		memcpy(text, "-  ", 4);
	else if (t)
		memcpy(text, t->name, 2);
	map_paint(v, t && map_is_coloured(v, t), COLOUR_TASKS, text);
}

static void map_show_cpus(const struct sched_map_view *v, const struct sched_map_row *row,
			  bool gone)
{
	buf_str(&v->out->buf, "  ");
	if (v->compact)
		for (uint32_t i = 0; i < row->n_order; i++)
			map_show_cpu(v, row, row->order[i], gone);
	else
		for (uint32_t cpu = 0; cpu < MAX(row->n_cpus, v->n_cpus); cpu++)
			map_show_cpu(v, row, cpu, gone);
}

static void map_show_name(const struct sched_map_view *v, const struct sched_map_task *t)
{
	AUTO_BUF text = {0};

	buf_printf(&text, "%s => ", t->name);
	buf_safe(&text, map_comm(v, t));
	buf_printf(&text, ":%d", (int)t->thread->tid);
	map_paint(v, map_is_coloured(v, t), COLOUR_TASKS, buf_text(&text));
}

/* The names of tasks that run on other CPUs since before the first row. is_first: the row has
 * named no task yet. */
static void map_show_resumed(const struct sched_map_view *v, const struct sched_map_row *row,
			     bool is_first)
{
	for (uint32_t cpu = 0; cpu < row->n_cpus; cpu++) {
		const struct sched_map_task *t = row->runs[cpu];

		if (!t || cpu == row->cpu || t->name[0] == '.' || !map_names_task(v, t) ||
		    (v->cpus.given && !number_list_has(&v->cpus, cpu)))
			continue;
		buf_str(&v->out->buf, is_first ? "" : ", ");
		is_first = false;
		map_show_name(v, t);
	}
}

enum sched_map_shown sched_map_show_row(void *view, const struct sched_map_row *row)
{
	const struct sched_map_view *v = view;
	struct buf *b = &v->out->buf;
	const bool comes = map_names_task(v, row->next),
		   goes = row->prev && map_names_task(v, row->prev),
		   named = !v->cpus.given || number_list_has(&v->cpus, row->cpu),
		   names_next = comes && (row->new_name || (v->verbose && row->next->thread->tid));

	if (!comes && !goes)
		return SCHED_MAP_NAMELESS;
	map_show_cpus(v, row, !comes);
	if (named) {
		buf_str(b, "  ");
		sched_seconds(b, row->time, 12);
		buf_str(b, " secs ");
		if (names_next)
			map_show_name(v, row->next);
		if (row->resumed)
			map_show_resumed(v, row, !names_next);
		if (v->compact && row->new_cpu)
			buf_printf(b, " (CPU %u)", row->cpu);
	}
	buf_char(b, '\n');
	if (!out_ready(v->out))
		return SCHED_MAP_STOP;
	return named ? SCHED_MAP_NAMED : SCHED_MAP_NAMELESS;
}
