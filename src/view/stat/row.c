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

bool stat_is_by_core(const struct stat_view *v, const struct stat_row *row)
{
	return v->aggr == STAT_CPU && row->id.cpu < 0 && row->id.core >= 0;
}

/* Appends the label up to its last number. */
static int label_head(const struct stat_view *v, const struct stat_row *row, struct buf *out)
{
	const struct stat_id *id = &row->id;

	switch (v->aggr) {
	case STAT_GLOBAL:
		return -1;
	case STAT_CPU:
		if (stat_is_by_core(v, row)) {
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

void stat_row_start(const struct stat_lines *l, const struct stat_row *row)
{
	struct buf *b = &l->out->buf;

	if (l->view->form == STAT_JSON)
		buf_char(b, '{');
	buf_str(b, l->prefix);
	if (l->view->form == STAT_TEXT)
		stat_text_label(l, row);
	else if (l->view->form == STAT_CSV)
		stat_csv_label(l, row);
	else
		stat_json_label(l, row);
}

/* Formats are constants of the analysis. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void stat_metric_text(const struct stat_metric *m, struct buf *out)
{
	buf_printf(out, m->format, m->value);
}
#pragma GCC diagnostic pop

void stat_metric_number(const struct stat_metric *m, struct buf *out)
{
	AUTO_BUF text = {0};
	size_t from = 0, to;

	stat_metric_text(m, &text);
	while (from < text.n && text.at[from] == ' ')
		from++;
	for (to = from; to < text.n && strchr("0123456789.-", text.at[to]);)
		to++;
	buf_add(out, text.at + from, to - from);
}

void stat_colour(struct out *out, enum stat_judgement judgement)
{
	static const char *const codes[] = {
		[STAT_GOOD] = "\033[32m",
		[STAT_NOTABLE] = "\033[33m",
		[STAT_WORSE] = "\033[35m",
		[STAT_BAD] = "\033[31m",
	};

	if (!out->colour)
		return;
	if (judgement >= STAT_GOOD)
		buf_str(&out->buf, codes[judgement]);
	else if (out->coloured)
		buf_str(&out->buf, "\033[m");
	out->coloured = judgement >= STAT_GOOD;
}
