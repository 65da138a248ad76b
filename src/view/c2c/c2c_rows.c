// SPDX-License-Identifier: MIT
/* Contended lines and their accesses for programs. */
#include "view/c2c/c2c.h"

/* The counts of both tables. */
static const enum c2c_stat rows_stats[] = {
	C2C_TOT_HITM,	C2C_LCL_HITM, C2C_RMT_HITM,  C2C_TOT_PEER,  C2C_LCL_PEER,
	C2C_RMT_PEER,	C2C_RECORDS,  C2C_LOADS,     C2C_STORE,	    C2C_ST_L1_HIT,
	C2C_ST_L1_MISS, C2C_ST_NA,    C2C_LD_FB_HIT, C2C_LD_L1_HIT, C2C_LD_L2_HIT,
	C2C_LD_LLC_HIT, C2C_RMT_HIT,  C2C_LCL_DRAM,  C2C_RMT_DRAM};
#define STAT_NAMES                                                                                 \
	"hitm", "local_hitm", "remote_hitm", "peer", "local_peer", "remote_peer", "records",       \
		"loads", "stores", "store_l1_hit", "store_l1_miss", "store_na", "load_fb_hit",     \
		"load_l1_hit", "load_l2_hit", "load_llc_hit", "load_remote_hit",                   \
		"load_local_dram", "load_remote_dram"

static void rows_hex(struct rows *r, uint64_t value)
{
	AUTO_BUF text = {0};

	buf_str(&text, "0x");
	buf_hex(&text, value);
	rows_text(r, buf_text(&text));
}

static void rows_counts(struct rows *r, const struct c2c_stats *stats)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows_stats); i++)
		rows_number(r, c2c_stats_get(stats, rows_stats[i]));
}

static void rows_lines(const struct c2c_view *v, struct rows *r)
{
	static const char *const columns[] = {"line", "address", STAT_NAMES};

	rows_table(r, "lines", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < v->c2c->shown.n && out_ready(r->out); i++) {
		const struct c2c_line *line = v->c2c->shown.at[i];

		rows_number(r, i);
		rows_hex(r, line->address);
		rows_counts(r, &line->seen.stats);
	}
}

/* Cycles, rounded; of no access: no value. */
static void rows_mean(struct rows *r, const struct c2c_entry *e, enum c2c_mean which)
{
	if (e->means[which].n)
		rows_number(r, (uint64_t)(e->means[which].mean + .5));
	else
		rows_text(r, NULL);
}

/* The type of the data, the offset in it, and the member there; of unknown types: no values. */
static void rows_type(const struct c2c_view *v, const struct c2c_entry *e, struct rows *r)
{
	const struct data_type *type =
		e->access.miss == DATA_FOUND ? data_types_at(v->c2c->types, e->access.type) : NULL;
	AUTO_BUF member = {0};

	rows_text(r, type ? type->name : NULL);
	if (!type) {
		rows_text(r, NULL);
		rows_text(r, NULL);
		return;
	}
	rows_number(r, e->access.offset);
	data_type_path(type, e->access.offset, &member);
	rows_text(r, member.n ? buf_text(&member) : NULL);
}

static void rows_entry(const struct c2c_view *v, size_t line, const struct c2c_entry *e,
		       struct rows *r)
{
	const struct frame *frame = frames_at(&v->c2c->frames, e->frame);

	rows_number(r, line);
	rows_number(r, e->offset);
	rows_number(r, e->thread->pid);
	rows_number(r, e->thread->tid);
	rows_hex(r, e->ip);
	rows_text(r, frame->where->name);
	rows_text(r, frames_dso_name(&v->c2c->frames, frame->where->dso_name));
	rows_text(r, frame->where->srcline);
	rows_number(r, bit_set_count(e->seen.cpus, v->c2c->nodes.n_cpus));
	for (int i = 0; i < C2C_MEANS; i++)
		rows_mean(r, e, (enum c2c_mean)i);
	rows_counts(r, &e->seen.stats);
	if (v->c2c->opts.types)
		rows_type(v, e, r);
}

static void rows_places(const struct c2c_view *v, struct rows *r)
{
	static const char *const columns[] = {"line",
					      "offset_bytes",
					      "pid",
					      "tid",
					      "code",
					      "symbol",
					      "dso",
					      "source",
					      "cpus",
					      "remote_hitm_cycles",
					      "local_hitm_cycles",
					      "remote_peer_cycles",
					      "local_peer_cycles",
					      "load_cycles",
					      STAT_NAMES,
					      "type",
					      "type_offset_bytes",
					      "member"};

	rows_table(r, "places", columns, ARRAY_SIZE(columns) - (v->c2c->opts.types ? 0 : 3));
	for (size_t i = 0; i < v->c2c->shown.n; i++) {
		const struct c2c_line *line = v->c2c->shown.at[i];

		for (size_t j = 0; j < line->entries.n && out_ready(r->out); j++)
			rows_entry(v, i, line->entries.at[j], r);
	}
}

void c2c_show_rows(const struct c2c_view *v, struct out *out, const struct rows_form *form)
{
	struct rows r;

	rows_begin(&r, out, form);
	rows_lines(v, &r);
	rows_places(v, &r);
	rows_end(&r);
}
