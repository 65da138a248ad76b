// SPDX-License-Identifier: MIT
/* --iostat: a line for each PCIe root port, with its transfers in each direction. */
#include "view/stat/row.h"

#include <stdio.h>

enum { PORT_COLUMN = 20 };

static const char *const port_columns[STAT_PORT_EVENTS] = {
	"Inbound Read(MB)", "Inbound Write(MB)", "Outbound Read(MB)", "Outbound Write(MB)"};

void stat_ports_list(struct buf *out, const struct io_ports *ports)
{
	for (size_t i = 0; i < ports->n; i++)
		buf_printf(out, "S%u-uncore_iio_%u<%04x:%02x>\n", ports->at[i].die,
			   ports->at[i].pmu, ports->at[i].domain, ports->at[i].bus);
}

void stat_ports_heading(const struct stat_lines *l)
{
	const struct stat_view *v = l->view;
	struct buf *b = &l->out->buf;

	if (v->form == STAT_JSON)
		return;
	if (v->form == STAT_CSV)
		buf_printf(b, "%s%sport%s", v->interval ? " time" : "",
			   v->interval ? v->separator : "", v->separator);
	else
		buf_str(b, v->interval ? " #          time    port         " : "   port         ");
	for (size_t i = 0; i < STAT_PORT_EVENTS; i++) {
		if (v->form == STAT_CSV)
			buf_printf(b, "%s%s", port_columns[i], v->separator);
		else
			buf_printf(b, "%*s ", PORT_COLUMN, port_columns[i]);
	}
	buf_char(b, '\n');
}

/* Shows a cell. An event counts transfers of 4 bytes. */
static void stat_ports_cell(const struct stat_lines *l, const struct stat_row *row,
			    const char *column)
{
	struct buf *b = &l->out->buf;
	AUTO_BUF text = {0};

	if (row->state == STAT_COUNTED)
		buf_printf(&text, "%.0f", row->value / (256 * 1024));
	else
		buf_str(&text, stat_missing(row));
	if (l->view->form == STAT_TEXT) {
		buf_right(b, buf_text(&text), PORT_COLUMN);
		buf_char(b, ' ');
	} else if (l->view->form == STAT_CSV) {
		buf_str(b, buf_text(&text));
		buf_str(b, l->view->separator);
	} else {
		buf_printf(b, ", \"%s\" : \"%s\"", column, buf_text(&text));
	}
}

void stat_ports_rows(const struct stat_lines *l, const struct stat_row *rows, size_t n)
{
	const struct stat_view *v = l->view;
	struct buf *b = &l->out->buf;

	for (size_t i = 0; i < v->ports->n && (i + 1) * STAT_PORT_EVENTS <= n; i++) {
		const struct io_port *port = &v->ports->at[i];

		stat_row_start(l, &rows[i * STAT_PORT_EVENTS]);
		if (v->form == STAT_JSON)
			buf_printf(b, "\"port\" : \"%04x:%02x\"", port->domain, port->bus);
		else
			buf_printf(b, "%04x:%02x%s", port->domain, port->bus,
				   v->form == STAT_CSV ? v->separator : " ");
		for (size_t k = 0; k < STAT_PORT_EVENTS; k++)
			stat_ports_cell(l, &rows[i * STAT_PORT_EVENTS + k], port_columns[k]);
		buf_str(b, v->form == STAT_JSON ? "}\n" : "\n");
	}
}
