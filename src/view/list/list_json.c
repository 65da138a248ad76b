// SPDX-License-Identifier: MIT
#include "view/list/list.h"

#include <string.h>

static void list_json_text(const char *value, struct buf *out)
{
	buf_char(out, '"');
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;

		if (c < 0x20) {
			buf_str(out, "\\u");
			buf_hex_zero(out, c, 4);
			continue;
		}
		if (c == '"' || c == '\\')
			buf_char(out, '\\');
		buf_char(out, *value);
	}
	buf_char(out, '"');
}

struct object {
	struct buf *out;
	bool some; /* the object has members already */
};

static void member(struct object *o, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(o->out, "%s\n\t\"%s\": ", o->some ? "," : "", name);
	list_json_text(value, o->out);
	o->some = true;
}

static void list_json_show_event(struct object *o, const struct listing_row *row, bool details)
{
	const unsigned int of_pmus = LIST_PMU | LIST_SENSOR | LIST_PFM;
	AUTO_BUF encoding = {0}, scale = {0};

	member(o, "Unit", row->kind & of_pmus ? row->pmu : NULL);
	member(o, "Topic", row->kind == LIST_TRACEPOINT ? row->pmu : row->topic);
	member(o, "EventName", row->name);
	member(o, "EventAlias", row->alias);
	if (row->unit && *row->unit) {
		buf_printf(&scale, "%.10g%s", row->scale ? row->scale : 1, row->unit);
		member(o, "ScaleUnit", buf_text(&scale));
	}
	member(o, "Deprecated", row->deprecated ? "1" : NULL);
	member(o, "EventType", listing_kind_text(row->kind));
	member(o, "BriefDescription", row->desc);
	member(o, "PublicDescription", row->long_desc);
	if (details && row->terms) {
		buf_printf(&encoding, "%s/%s/", row->pmu, row->terms);
		member(o, "Encoding", buf_text(&encoding));
	}
}

/* Each metric has its groups as a member. */
static void show_metric(struct object *o, const struct listing_row *row)
{
	member(o, "MetricGroup", row->groups && *row->groups ? row->groups : NULL);
	member(o, "MetricName", row->name);
	member(o, "MetricExpr", row->expr);
	member(o, "MetricThreshold", row->threshold);
	member(o, "ScaleUnit", row->unit);
	member(o, "BriefDescription", row->desc);
	member(o, "PublicDescription", row->long_desc);
}

void list_show_json(const struct listing *l, bool details, struct buf *out)
{
	bool some = false;

	buf_char(out, '[');
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct listing_row *row = &l->rows.at[i];
		struct object o = {.out = out};

		/* a group whose metrics follow needs no object: they name it */
		if (row->kind == LIST_METRIC_GROUP && i + 1 < l->rows.n &&
		    row[1].kind == LIST_METRIC)
			continue;
		buf_str(out, some ? ",\n{" : "\n{");
		some = true;
		if (row->kind == LIST_METRIC) {
			show_metric(&o, row);
		} else if (row->kind == LIST_METRIC_GROUP) {
			member(&o, "MetricGroup", row->name);
			member(&o, "BriefDescription", row->desc);
		} else {
			list_json_show_event(&o, row, details);
		}
		buf_str(out, "\n}");
	}
	buf_str(out, "\n]\n");
}
