// SPDX-License-Identifier: MIT
#include "view/stat/row.h"

#include <math.h>

const char *stat_missing(const struct stat_row *row)
{
	return row->state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

double stat_running_percent(const struct stat_row *row)
{
	return row->enabled > 0 ? 100 * row->running / row->enabled : 100;
}

bool stat_has_fraction(const struct event *ev)
{
	return floor(ev->scale) != ev->scale;
}

bool stat_label_counts_cpus(const struct stat_view *v)
{
	return v->aggr != STAT_GLOBAL && v->aggr != STAT_CPU && v->aggr != STAT_THREAD;
}

/* The words up to the last number. */
static int label_head(const struct stat_view *v, const struct stat_row *row, struct buf *out)
{
	const struct stat_id *id = &row->id;

	switch (v->aggr) {
	case STAT_GLOBAL:
		return -1;
	case STAT_CPU:
		if (id->cpu < 0 && id->core >= 0) {
			/* an event that counts by core */
			buf_printf(out, "S%d-D%d-C", id->socket, id->die);
			return id->core;
		}
		buf_str(out, "CPU");
		return id->cpu;
	case STAT_CORE:
		buf_printf(out, "S%d-D%d-C", id->socket, id->die);
		return id->core;
	case STAT_CLUSTER:
		buf_printf(out, "S%d-D%d-CLS", id->socket, id->die);
		return id->cluster;
	case STAT_CACHE:
		buf_printf(out, "S%d-D%d-L%d-ID", id->socket, id->die, id->cache_level);
		return id->cache;
	case STAT_DIE:
		buf_printf(out, "S%d-D", id->socket);
		return id->die;
	case STAT_SOCKET:
		buf_char(out, 'S');
		return id->socket;
	case STAT_NODE:
		buf_char(out, 'N');
		return id->node;
	case STAT_THREAD:
		break;
	}
	if (!v->counts || (size_t)id->thread >= v->counts->threads.n)
		return -1;
	buf_safe(out, v->counts->threads.at[id->thread].comm);
	buf_char(out, '-');
	return v->counts->threads.at[id->thread].tid;
}

size_t stat_label(const struct stat_view *v, const struct stat_row *row, struct buf *out)
{
	int number = label_head(v, row, out);
	size_t at = out->n;

	if (v->aggr != STAT_GLOBAL)
		buf_sdec(out, number);
	return at;
}
