// SPDX-License-Identifier: MIT
#include "view/lock/lock.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *name, *header;
	int width;
	bool time;
} values[LOCKS_VALUES] = {
	[LOCKS_ACQUIRED] = {"acquired", "acquired", 10, false},
	[LOCKS_CONTENDED] = {"contended", "contended", 10, false},
	[LOCKS_AVG_WAIT] = {"avg_wait", "avg wait", 12, true},
	[LOCKS_WAIT_TOTAL] = {"wait_total", "total wait", 12, true},
	[LOCKS_WAIT_MAX] = {"wait_max", "max wait", 12, true},
	[LOCKS_WAIT_MIN] = {"wait_min", "min wait", 12, true},
};

static int value_find(enum locks_value *value, const char *text, size_t n, enum locks_value first)
{
	for (size_t i = first; i < LOCKS_VALUES; i++) {
		if (strlen(values[i].name) != n || strncmp(values[i].name, text, n))
			continue;
		*value = (enum locks_value)i;
		return 0;
	}
	return -1;
}

int locks_value_parse(enum locks_value *value, const char *text, enum locks_value first,
		      struct err *err)
{
	if (!value_find(value, text, strlen(text), first))
		return 0;
	return err_set(err, ERR_INPUT, "Unknown compare key: %s", text);
}

static bool has_field(const struct locks_view *v, enum locks_value value)
{
	for (size_t i = 0; i < v->fields.n; i++)
		if (v->fields.at[i] == value)
			return true;
	return false;
}

int locks_fields_parse(struct locks_view *v, const char *text, enum locks_value first,
		       enum locks_value sort, struct err *err)
{
	for (size_t n; *text; text += n) {
		enum locks_value value;

		text += strspn(text, ", ");
		n = strcspn(text, ", ");
		if (!n)
			break;
		if (value_find(&value, text, n, first))
			return err_set(err, ERR_INPUT, "Unknown output field: %.*s", (int)n, text);
		if (!has_field(v, value))
			vec_add(&v->fields, value);
	}
	if (!has_field(v, sort))
		vec_add(&v->fields, sort);
	return 0;
}

/* perf divides floats; so do we, to get the same last digit. */
static void show_time(struct buf *b, uint64_t ns, int width)
{
	static const struct {
		float base;
		const char *unit;
	} units[] = {{1e9f * 3600, "h "}, {1e9f * 60, "m "}, {1e9f, "s "}, {1e6f, "ms"},
		     {1e3f, "us"}};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if ((float)ns < units[i].base)
			continue;
		buf_printf(b, "%*.2f %s", width - 3, (double)((float)ns / units[i].base),
			   units[i].unit);
		return;
	}
	buf_printf(b, "%*llu %s", width - 3, (unsigned long long)ns, "ns");
}

uint64_t locks_value(const struct locks_row *row, enum locks_value value)
{
	return value == LOCKS_WAIT_MIN && row->value[value] == UINT64_MAX ? 0 : row->value[value];
}

static void show_values(struct locks_view *v, const struct locks_row *row)
{
	struct buf *b = &v->out->buf;

	for (size_t i = 0; i < v->fields.n; i++) {
		const enum locks_value f = v->fields.at[i];
		const uint64_t value = locks_value(row, f);

		if (v->separator) {
			buf_dec(b, value);
			buf_str(b, v->separator);
		} else if (values[f].time) {
			show_time(b, value, values[f].width);
		} else {
			buf_dec_right(b, value, (size_t)values[f].width);
		}
		buf_char(b, ' ');
	}
}

const char *locks_key_name(struct locks_view *v, uint64_t key)
{
	if (v->name)
		return v->name(v->ctx, key);
	return world_comm(v->world,
			  world_thread(v->world, (uint32_t)-1, (uint32_t)key, WORLD_NOW),
			  WORLD_NOW);
}

static void show_stack(struct locks_view *v, const struct locks *l, const struct locks_row *row)
{
	const struct intern_entry *e = row->chain != HASH_NONE ? &l->chains.entries.at[row->chain]
							       : NULL;
	struct buf *b = &v->out->buf;
	struct raw_chain walk = {.words = e ? e->p : NULL, .n = e ? e->n / sizeof(uint64_t) : 0};
	uint64_t ip;
	char text[256];

	for (uint32_t frames = 0; frames < l->opts->max_stack && raw_chain_next(&walk, &ip) && ip;
	     frames++) {
		locks_kernel_symbol(v->world, ip, text, sizeof(text));
		if (v->separator)
			buf_printf(b, "%s %#llx ", frames ? ":" : v->separator,
				   (unsigned long long)ip);
		else
			buf_printf(b, "\t\t\t%#llx  ", (unsigned long long)ip);
		buf_safe(b, text);
		if (!v->separator)
			buf_char(b, '\n');
	}
}

static void show_header(struct locks_view *v, const struct locks *l)
{
	static const char *const csv[] = {"type%s caller", "pid%s comm", "address%s symbol%s type",
					  "cgroup"};
	struct buf *b = &v->out->buf;

	if (v->separator)
		buf_str(b, "# output: ");
	else if (!v->contention)
		buf_printf(b, "%20s ", "Name");
	for (size_t i = 0; i < v->fields.n; i++)
		if (v->separator)
			buf_printf(b, "%s%s ", values[v->fields.at[i]].header, v->separator);
		else
			buf_printf(b, "%*s ", values[v->fields.at[i]].width,
				   values[v->fields.at[i]].header);
	if (v->separator) {
		const char *text = csv[l->opts->by];

		for (; *text; text++)
			if (*text == '%') {
				buf_str(b, v->separator);
				text++;
			} else {
				buf_char(b, *text);
			}
		if (l->opts->by == LOCKS_BY_CALLER && v->verbose)
			buf_printf(b, "%s stacktrace", v->separator);
		buf_char(b, '\n');
		return;
	}
	if (v->contention)
		switch (l->opts->by) {
		case LOCKS_BY_TASK:
			buf_printf(b, "  %10s   %s", "pid", "comm");
			break;
		case LOCKS_BY_ADDRESS:
			buf_printf(b, "  %16s   %s", "address", "symbol");
			break;
		case LOCKS_BY_CGROUP:
			buf_str(b, "  cgroup");
			break;
		case LOCKS_BY_CALLER:
		default:
			buf_printf(b, "  %10s   %s", "type", "caller");
		}
	buf_str(b, "\n\n");
}

static void show_contention_csv(struct locks_view *v, const struct locks *l,
				const struct locks_row *row)
{
	struct buf *b = &v->out->buf;
	const char *sep = v->separator;

	switch (l->opts->by) {
	case LOCKS_BY_TASK:
		buf_printf(b, "%d%s ", (int)row->key, sep);
		buf_safe(b, locks_key_name(v, row->key));
		break;
	case LOCKS_BY_ADDRESS:
		buf_printf(b, "%llx%s ", (unsigned long long)row->address, sep);
		buf_safe(b, locks_name(l, row));
		buf_printf(b, "%s %s", sep, lock_type_name(row->flags));
		break;
	case LOCKS_BY_CGROUP:
		buf_safe(b, locks_key_name(v, row->key));
		break;
	case LOCKS_BY_CALLER:
	default:
		buf_printf(b, "%s%s ", lock_type_name(row->flags), sep);
		buf_safe(b, locks_name(l, row));
		if (v->verbose)
			show_stack(v, l, row);
	}
	buf_char(b, '\n');
}

static void show_contention_row(struct locks_view *v, const struct locks *l,
				const struct locks_row *row)
{
	struct buf *b = &v->out->buf;

	show_values(v, row);
	if (v->separator) {
		show_contention_csv(v, l, row);
		return;
	}
	switch (l->opts->by) {
	case LOCKS_BY_TASK:
		buf_printf(b, "  %10d   ", (int)row->key);
		buf_safe(b, (int)row->key == -1 ? "Unknown" : locks_key_name(v, row->key));
		break;
	case LOCKS_BY_ADDRESS:
		buf_printf(b, "  %016llx   ", (unsigned long long)row->address);
		buf_safe(b, locks_name(l, row));
		buf_printf(b, " (%s)", lock_type_name(row->flags));
		break;
	case LOCKS_BY_CGROUP:
		buf_str(b, "  ");
		buf_safe(b, locks_key_name(v, row->key));
		break;
	case LOCKS_BY_CALLER:
	default:
		buf_printf(b, "  %10s   ", lock_type_name(row->flags));
		buf_safe(b, locks_name(l, row));
	}
	buf_char(b, '\n');
	if (v->verbose && l->opts->by == LOCKS_BY_CALLER)
		show_stack(v, l, row);
}

static void show_report_row(struct locks_view *v, const struct locks *l,
			    const struct locks_row *row)
{
	const char *name = l->opts->by == LOCKS_BY_TASK ? locks_key_name(v, row->key)
							: locks_name(l, row);
	struct buf *b = &v->out->buf;
	char cut[32];

	if (strlen(name) >= 20)
		snprintf(cut, sizeof(cut), "%.16s...", name);
	else
		snprintf(cut, sizeof(cut), "%s", name);
	for (size_t n = strlen(cut); n < 20; n++)
		buf_char(b, ' ');
	buf_safe(b, cut);
	buf_char(b, ' ');
	show_values(v, row);
	buf_char(b, '\n');
}

static void show_bad_head(struct locks_view *v, uint64_t bad, uint64_t total)
{
	struct buf *b = &v->out->buf;

	if (v->separator) {
		buf_printf(b, "# debug: total=%llu%s bad=%llu", (unsigned long long)total,
			   v->separator, (unsigned long long)bad);
		return;
	}
	buf_str(b, "\n=== output for debug===\n\n");
	buf_printf(b, "bad: %llu, total: %llu\n", (unsigned long long)bad,
		   (unsigned long long)total);
	buf_printf(b, "bad rate: %.2f %%\n", total ? (double)bad / (double)total * 100 : 0);
}

/* Shows the counts of waits that the kernel could not count, in perf's format. */
static void show_failures(struct locks_view *v, const struct locks *l)
{
	static const char *const names[LOCKS_FAILURES] = {"task", "stack", "time", "data"};
	struct buf *b = &v->out->buf;
	uint64_t bad = 0, total = 0;

	for (size_t i = 0; i < LOCKS_FAILURES; i++)
		bad += v->failures[i];
	for (size_t i = 0; i < l->rows.n; i++)
		total += l->rows.at[i].value[LOCKS_CONTENDED];
	if (v->quiet || (!bad && !v->verbose))
		return;
	show_bad_head(v, bad, total + bad);
	if (!v->separator)
		buf_str(b, "histogram of failure reasons\n");
	for (size_t i = 0; i < LOCKS_FAILURES; i++)
		if (v->separator)
			buf_printf(b, "%s bad_%s=%llu", v->separator, names[i],
				   (unsigned long long)v->failures[i]);
		else
			buf_printf(b, " %10s: %llu\n", names[i],
				   (unsigned long long)v->failures[i]);
	if (v->separator)
		buf_char(b, '\n');
}

static void show_bad(struct locks_view *v, const struct locks *l, uint64_t bad, uint64_t total)
{
	static const char *const names[] = {"acquire", "acquired", "contended", "release"};
	struct buf *b = &v->out->buf;
	uint64_t broken = 0;

	if (v->failures) {
		show_failures(v, l);
		return;
	}
	for (size_t i = 0; i < LOCKS_BAD_KINDS; i++)
		broken += l->bad[i];
	if (v->quiet || (!broken && !v->verbose))
		return;
	show_bad_head(v, bad, total);
	if (v->separator) {
		for (size_t i = 0; i < LOCKS_BAD_KINDS; i++)
			buf_printf(b, "%s bad_%s=%u", v->separator, names[i], l->bad[i]);
		buf_char(b, '\n');
		return;
	}
	buf_str(b, "histogram of events caused bad sequence\n");
	for (size_t i = 0; i < LOCKS_BAD_KINDS; i++)
		buf_printf(b, " %10s: %u\n", names[i], l->bad[i]);
}

void locks_show(struct locks_view *v, const struct locks *l)
{
	uint64_t bad = 0, total = 0, shown = 0;

	if (!v->quiet)
		show_header(v, l);
	for (size_t i = 0; i < l->order.n && shown < v->entries; i++) {
		const struct locks_row *row = &l->rows.at[l->order.at[i]];

		total++;
		bad += row->broken;
		if (!locks_shows_row(v, row))
			continue;
		if (v->contention)
			show_contention_row(v, l, row);
		else
			show_report_row(v, l, row);
		shown++;
		if (!out_ready(v->out))
			return;
	}
	show_bad(v, l, bad, total);
}

static int compare_tids(const void *a, const void *b)
{
	const uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return (one > two) - (one < two);
}

void locks_show_threads(struct locks_view *v, const struct locks *l)
{
	VEC(uint32_t) tids = {0};

	for (uint32_t i = 0; l->tasks.slots && i <= l->tasks.mask; i++)
		if (l->tasks.slots[i].used)
			vec_add(&tids, (uint32_t)l->tasks.slots[i].key);
	if (tids.n)
		qsort(tids.at, tids.n, sizeof(*tids.at), compare_tids);
	buf_printf(&v->out->buf, "%10s: comm\n", "Thread ID");
	for (size_t i = 0; i < tids.n && out_ready(v->out); i++) {
		buf_printf(&v->out->buf, "%10d: ", (int)tids.at[i]);
		buf_safe(&v->out->buf, locks_key_name(v, tids.at[i]));
		buf_char(&v->out->buf, '\n');
	}
	vec_release(&tids);
}

static int compare_maps(const void *a, const void *b, void *ctx)
{
	const struct locks *l = ctx;
	const struct locks_row *one = &l->rows.at[*(const uint32_t *)a],
			       *two = &l->rows.at[*(const uint32_t *)b];
	const int names = strcmp(locks_name(l, one), locks_name(l, two));

	return names ? names : (one->address > two->address) - (one->address < two->address);
}

void locks_show_map(struct locks_view *v, const struct locks *l)
{
	VEC(uint32_t) rows = {0};

	for (uint32_t i = 0; i < l->rows.n; i++)
		vec_add(&rows, i);
	if (rows.n)
		qsort_r(rows.at, rows.n, sizeof(*rows.at), compare_maps, (void *)l);
	buf_str(&v->out->buf, "Address of instance: name of class\n");
	for (size_t i = 0; i < rows.n && out_ready(v->out); i++) {
		const struct locks_row *row = &l->rows.at[rows.at[i]];

		buf_printf(&v->out->buf, " %#llx: ", (unsigned long long)row->address);
		buf_safe(&v->out->buf, locks_name(l, row));
		buf_char(&v->out->buf, '\n');
	}
	vec_release(&rows);
}
