// SPDX-License-Identifier: MIT
/* The samples and entries that filters and zooms exclude. */
#include "profile/table/make.h"

#include <stdio.h>

static uint32_t thread_filter(const struct table *table, const struct taken *t)
{
	const struct filter *f = &table->opts.filter;
	const struct thread *thread = t->cell->thread;

	if (f->comms.given && !name_list_has(&f->comms, world_comm_text(table->samples->world,
									(uint32_t)t->v[COL_COMM])))
		return FILTERED_THREAD;
	if (f->pids.given && !number_list_has(&f->pids, thread->pid))
		return FILTERED_THREAD;
	if (f->tids.given && !number_list_has(&f->tids, thread->tid))
		return FILTERED_THREAD;
	return 0;
}

static uint32_t guest_filter(const struct table *table, uint8_t cpumode)
{
	if (world_wants_mode(table->samples->world, cpumode))
		return 0;
	return cpumode_is_guest(cpumode) ? FILTERED_GUEST : FILTERED_HOST;
}

static bool symbol_listed(const struct filter *f, const struct frame *frame)
{
	char address[32];

	if (!frame->where->sym)
		return false;
	if (name_list_has(&f->symbols, frame->where->name))
		return true;
	snprintf(address, sizeof(address), "0x%llx",
		 (unsigned long long)(frame->ip - (frame_rva(frame) - frame->where->sym->start)));
	return name_list_has(&f->symbols, address);
}

static const struct dso *dso_of(const struct table *table, uint32_t frame)
{
	return frame == HASH_NONE ? NULL : table_frame(table, frame)->where->dso;
}

static bool dso_listed(const struct table *table, uint32_t frame)
{
	const struct name_list *dsos = &table->opts.filter.dsos;
	const struct dso *dso = dso_of(table, frame);

	return dso && (name_list_has(dsos, dso->short_name) || name_list_has(dsos, dso->long_name));
}

uint32_t table_filtered(const struct table *table, const struct taken *t)
{
	const struct filter *f = &table->opts.filter;
	uint32_t why = thread_filter(table, t);
	const struct frame *frame = NULL;

	if (t->frame != HASH_NONE)
		frame = table_frame(table, t->frame);
	if (f->dsos.given &&
	    !(t->from == HASH_NONE ? dso_listed(table, t->frame)
				   : dso_listed(table, t->from) || dso_listed(table, t->to)))
		why |= FILTERED_DSO;
	if (f->symbols.given && !(frame && symbol_listed(f, frame)))
		why |= FILTERED_SYMBOL;
	if (table->opts.exclude_other && t->parent == HASH_NONE)
		why |= FILTERED_PARENT;
	return why | guest_filter(table, (uint8_t)t->v[COL_SPACE]);
}

static int socket_of(const struct samples *s, uint64_t cpu)
{
	return cpu < s->m->n_sockets ? s->m->socket_of_cpu[cpu] : -1;
}

static bool dso_is(const struct table *table, uint32_t frame, const char *name)
{
	const struct dso *dso = dso_of(table, frame);

	return dso && (!strcmp(dso->short_name, name) || !strcmp(dso->long_name, name));
}

/* True when the zoom into a dso keeps or drops whole rows: each caller has a row then, of its own
 * dso. */
static bool zooms_rows(const struct table *table)
{
	return table->opts.zoom.dso && table->opts.children && table->layout.flags & KEY_FRAME;
}

static bool sample_is_of_dso(const struct table *table, const struct taken *t, const char *name)
{
	if (t->from == HASH_NONE)
		return dso_is(table, t->frame, name);
	return dso_is(table, t->from, name) || dso_is(table, t->to, name);
}

bool table_zoomed_out(const struct table *table, const struct taken *t)
{
	const struct zoom *z = &table->opts.zoom;
	const struct samples *s = table->samples;

	if (z->thread && t->v[COL_THREAD] != z->thread->index)
		return true;
	if (z->comm && strcmp(world_comm_text(s->world, (uint32_t)t->v[COL_COMM]), z->comm))
		return true;
	if (z->dso && !zooms_rows(table) && !sample_is_of_dso(table, t, z->dso))
		return true;
	if (z->by_socket && socket_of(s, t->v[COL_CPU]) != z->socket)
		return true;
	return z->by_time && (t->v[COL_TIME] < z->times.start || t->v[COL_TIME] > z->times.end);
}

static int entry_socket(const struct table *table, const struct entry *e)
{
	uint64_t v[COLUMNS];

	cells_spread(&table->samples->cells, e->first.cell, v);
	return socket_of(table->samples, v[COL_CPU]);
}

static void zoom_rows(struct table *table)
{
	for (size_t i = 0; i < table->all.n; i++)
		if (!dso_is(table, table->all.at[i]->first.frame, table->opts.zoom.dso))
			table->all.at[i]->filtered |= FILTERED_DSO;
}

void table_filter_entries(struct table *table)
{
	const struct filter *f = &table->opts.filter;

	if (zooms_rows(table))
		zoom_rows(table);
	if (!(table->layout.flags & KEY_COLLAPSES)) /* the reference's have no effect then */
		return;
	for (size_t i = 0; i < table->all.n; i++) {
		struct entry *e = table->all.at[i];
		const struct frame *frame = NULL;

		if (e->first.frame != HASH_NONE)
			frame = table_frame(table, e->first.frame);
		if (f->symbol_part && !e->event &&
		    !(frame && frame->where->name && strstr(frame->where->name, f->symbol_part)))
			e->filtered |= FILTERED_SYMBOL;
		if (f->socket >= 0 && entry_socket(table, e) != f->socket)
			e->filtered |= FILTERED_SOCKET;
	}
}
