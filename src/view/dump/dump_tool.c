// SPDX-License-Identifier: MIT
#include "view/dump/dump_tool.h"

#include "base/cursor.h"
#include "base/mem.h"
#include "data/feature/cpu_map.h"
#include "data/feature/schedstat.h"

/* As %#llx: zero has no prefix. */
static void dump_tool_hex(struct buf *b, uint64_t v)
{
	if (v)
		buf_str(b, "0x");
	buf_hex(b, v);
}

/* Builds "0-3,8" from ascending numbers that are added one by one. */
struct ranges {
	struct buf *b;
	int64_t from, to; /* the open range; from -1: none */
	bool any;
};

static void ranges_end(struct ranges *s)
{
	if (s->from < 0)
		return;
	buf_printf(s->b, s->from == s->to ? "%s%lld" : "%s%lld-%lld", s->any ? "," : "",
		   (long long)s->from, (long long)s->to);
	s->any = true;
	s->from = -1;
}

static void ranges_put(struct ranges *s, int64_t n)
{
	if (s->from >= 0 && n == s->to + 1) {
		s->to = n;
		return;
	}
	ranges_end(s);
	s->from = s->to = n;
}

static void cpu_map(struct cursor c, struct buf *b)
{
	struct ranges s = {.b = b, .from = -1};
	struct cpu_list cpus = {0};

	cpu_map_decode(c, &cpus);
	for (size_t i = 0; i < cpus.n; i++) {
		if (cpus.at[i] < 0) /* no particular one */
			buf_str(b, "-1");
		else
			ranges_put(&s, cpus.at[i]);
	}
	ranges_end(&s);
	buf_char(b, '\n');
	vec_release(&cpus);
}

static void event_update(const struct record *r, bool swap, struct buf *b)
{
	const struct rec_event_update *u = &r->event_update;
	struct cursor c = cursor_over(u->bytes, u->size, swap);
	const char *text;
	uint64_t bits;
	double scale;

	buf_printf(b, "\n... id:    %llu\n", (unsigned long long)u->id);
	switch (u->kind) {
	case 0:
	case 2:
		text = cursor_str(&c, cursor_left(&c));
		buf_str(b, u->kind ? "... name:  " : "... unit:  ");
		buf_safe(b, text ? text : "");
		buf_char(b, '\n');
		break;
	case 1:
		bits = cursor_u64(&c);
		memcpy(&scale, &bits, sizeof(scale));
		buf_printf(b, "... scale: %f\n", scale);
		break;
	case 3:
		buf_str(b, "... ");
		cpu_map(c, b);
		break;
	default:
		buf_str(b, "... unknown type\n");
	}
}

static void id_index(struct cursor c, struct buf *b)
{
	uint64_t n = cursor_u64(&c);

	buf_printf(b, " nr: %llu\n", (unsigned long long)n);
	for (uint64_t i = 0; i < n && cursor_left(&c) >= 32; i++) {
		buf_printf(b, " ... id: %llu", (unsigned long long)cursor_u64(&c));
		buf_printf(b, "  idx: %llu", (unsigned long long)cursor_u64(&c));
		buf_printf(b, "  cpu: %lld", (long long)cursor_u64(&c));
		buf_printf(b, "  tid: %lld\n", (long long)cursor_u64(&c));
	}
}

static void auxtrace(struct cursor c, struct buf *b)
{
	buf_str(b, " size: ");
	dump_tool_hex(b, cursor_u64(&c));
	buf_str(b, "  offset: ");
	dump_tool_hex(b, cursor_u64(&c));
	buf_str(b, "  ref: ");
	dump_tool_hex(b, cursor_u64(&c));
	buf_printf(b, "  idx: %u", cursor_u32(&c));
	buf_printf(b, "  tid: %d", (int32_t)cursor_u32(&c));
	buf_printf(b, "  cpu: %d\n", (int32_t)cursor_u32(&c));
}

static void thread_map(struct cursor c, struct buf *b)
{
	uint64_t n = cursor_u64(&c);

	buf_printf(b, " nr: %d thread%s: ", (int)n, n > 1 ? "s" : "");
	for (uint64_t i = 0; i < n && cursor_left(&c) >= 24; i++) {
		buf_printf(b, "%s%d", i ? ", " : "", (int)cursor_u64(&c));
		cursor_skip(&c, 16); /* its comm */
	}
	buf_char(b, '\n');
}

static void time_conv(struct cursor c, struct buf *b)
{
	buf_printf(b, "\n... Time Shift      %llu\n", (unsigned long long)cursor_u64(&c));
	buf_printf(b, "... Time Muliplier  %llu\n", (unsigned long long)cursor_u64(&c));
	buf_printf(b, "... Time Zero       %llu\n", (unsigned long long)cursor_u64(&c));
	if (cursor_left(&c) < 16)
		return;
	buf_printf(b, "... Time Cycles     %llu\n", (unsigned long long)cursor_u64(&c));
	buf_str(b, "... Time Mask       ");
	dump_tool_hex(b, cursor_u64(&c));
	buf_printf(b, "\n... Cap Time Zero   %u\n", cursor_u8(&c));
	buf_printf(b, "... Cap Time Short  %u\n", cursor_u8(&c));
}

static void stat_config(const struct rec_stat_config *config, struct buf *b)
{
	uint64_t value[3] = {0};

	for (uint64_t i = 0; i < config->nr; i++)
		if (config->pairs[2 * i] < ARRAY_SIZE(value))
			value[config->pairs[2 * i]] = config->pairs[2 * i + 1];
	buf_printf(b, "\n... aggr_mode %d\n", (int)value[STAT_CONFIG_AGGR]);
	buf_printf(b, "... scale     %d\n", (int)value[STAT_CONFIG_SCALE]);
	buf_printf(b, "... interval  %u\n", (unsigned int)value[STAT_CONFIG_INTERVAL]);
}

static void stat_value(const struct rec_stat *stat, struct buf *b)
{
	buf_printf(b, "\n... id %llu, cpu %d, thread %d\n", (unsigned long long)stat->id,
		   (int)stat->cpu, (int)stat->thread);
	buf_printf(b, "... value %llu, enabled %llu, running %llu\n",
		   (unsigned long long)stat->value, (unsigned long long)stat->enabled,
		   (unsigned long long)stat->running);
}

static void stat_text(const struct record *r, struct buf *b)
{
	if (r->header.type == RECORD_STAT_CONFIG)
		stat_config(&r->stat_config, b);
	else if (r->header.type == RECORD_STAT)
		stat_value(&r->stat, b);
	else
		buf_printf(b, "\n... time %llu, type %s\n", (unsigned long long)r->stat_round.time,
			   r->stat_round.type ? "FINAL" : "INTERVAL");
}

/* The numbers of a line of /proc/schedstat, as perf of Linux 7.0 prints them. */
static void dump_schedstat(const struct recording *rec, const struct record *r, struct buf *b)
{
	struct schedstat_row row = {0};
	uint64_t jiffies;
	uint32_t version;

	if (schedstat_decode(r, rec->m.swap, &version, &jiffies, &row)) {
		buf_printf(b, "Unsupported /proc/schedstat version %u.\n", version);
		return;
	}
	if (row.domain < 0)
		buf_printf(b, "\ncpu%u ", row.cpu);
	else
		buf_printf(b, "\ndomain%d ", row.domain);
	for (size_t i = 0,
		    n = row.domain < 0 ? SCHEDSTAT_CPU_VALUES : schedstat_domain_values(version);
	     i < n; i++)
		buf_printf(b, "%llu ", (unsigned long long)row.values[i]);
	buf_str(b, ": unhandled!\n");
}

void dump_tool_record(const struct recording *rec, const struct record *r, enum dump_for who,
		      struct buf *b)
{
	size_t head = sizeof(r->header);
	struct cursor c = cursor_over(r->bytes + head, r->header.size - head, rec->m.swap);
	const char *unhandled = dump_is_for_report(who) ? ": unhandled!\n" : "";

	switch (r->header.type) {
	case RECORD_FINISHED_ROUND:
		buf_str(b, who == DUMP_UNSORTED || who == DUMP_REPORT_UNSORTED ? ": unhandled!\n"
									: "\n");
		break;
	case RECORD_FINISHED_INIT:
		buf_str(b, ": unhandled!\n");
		break;
	case RECORD_EVENT_UPDATE:
		event_update(r, rec->m.swap, b);
		buf_str(b, who == DUMP_DIFF ? ": unhandled!\n" : "");
		break;
	case RECORD_ID_INDEX:
		if (who == DUMP_DIFF)
			buf_str(b, ": unhandled!\n");
		else
			id_index(c, b);
		break;
	case RECORD_AUXTRACE_INFO:
		buf_printf(b, " type: %u\n", cursor_u32(&c));
		break;
	case RECORD_AUXTRACE:
		auxtrace(c, b);
		break;
	case RECORD_THREAD_MAP:
		thread_map(c, b);
		buf_str(b, unhandled);
		break;
	case RECORD_CPU_MAP:
		buf_str(b, ": ");
		cpu_map(c, b);
		buf_str(b, unhandled);
		break;
	case RECORD_TIME_CONV:
		time_conv(c, b);
		buf_str(b, ": unhandled!\n");
		break;
	case RECORD_STAT_CONFIG:
	case RECORD_STAT:
	case RECORD_STAT_ROUND:
		/* script shows these in a table of its own */
		if (dump_is_for_report(who))
			stat_text(r, b);
		buf_str(b, unhandled);
		break;
	case RECORD_SCHEDSTAT_CPU:
	case RECORD_SCHEDSTAT_DOMAIN:
		dump_schedstat(rec, r, b);
		break;
	default:
		break;
	}
}
