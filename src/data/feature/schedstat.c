// SPDX-License-Identifier: MIT
#include "data/feature/schedstat.h"

#include "data/feature/feature.h"

#include <string.h>

#define CPU_RECORD    72
#define DOMAIN_RECORD 208 /* with room for version 17 */
#define NARROW	      6	  /* of a CPU's values: the first ones */

const struct schedstat_field schedstat_cpu_fields[SCHEDSTAT_CPU_VALUES] = {
	{"yld_count", "sched_yield() count", .share_of = -1},
	{"array_exp", "Legacy counter can be ignored", .share_of = -1},
	{"sched_count", "schedule() called", .share_of = -1},
	{"sched_goidle", "schedule() left the processor idle", .share_of = 2},
	{"ttwu_count", "try_to_wake_up() was called", .share_of = -1},
	{"ttwu_local", "try_to_wake_up() was called to wake up the local cpu", .share_of = 4},
	{"rq_cpu_time", "total runtime by tasks on this processor (in jiffies)", .share_of = -1},
	{"run_delay", "total waittime by tasks on this processor (in jiffies)", .share_of = 6},
	{"pcount", "total timeslices run on this cpu", .share_of = -1},
};

static const struct schedstat_balance busy = {"busy", "busy"}, idle = {"idle", "idle"},
				      newidle = {"newidle", "newly idle"};

#define COUNTS                                                                                     \
	{"_lb_count", "load_balance() count", true, -1},                                           \
		{"_lb_balanced", "load_balance() found balanced", true, -1},                       \
	{                                                                                          \
		"_lb_failed", "load_balance() move task failed", true, -1                          \
	}
#define MOVES                                                                                      \
	{"_lb_gained", "pull_task() count", false, -1},                                            \
		{"_lb_hot_gained", "pull_task() when target task was cache-hot", false, -1},       \
		{"_lb_nobusyq", "load_balance() failed to find busier queue", true, -1},           \
	{                                                                                          \
		"_lb_nobusyg", "load_balance() failed to find busier group", true, -1              \
	}

static const struct schedstat_field one_imbalance[] = {
	COUNTS, {"_lb_imbalance", "imbalance sum", false, -1}, MOVES};
static const struct schedstat_field four_imbalances[] = {
	COUNTS,
	{"_lb_imbalance_load", "imbalance in load", false, -1},
	{"_lb_imbalance_util", "imbalance in utilization", false, -1},
	{"_lb_imbalance_task", "imbalance in number of tasks", false, -1},
	{"_lb_imbalance_misfit", "imbalance in misfit tasks", false, -1},
	MOVES};

const struct schedstat_part schedstat_parts[SCHEDSTAT_OTHERS / 3] = {
	{" <Category active_load_balance()> ",
	 {{"alb_count", "active_load_balance() count", false, -1},
	  {"alb_failed", "active_load_balance() move task failed", false, -1},
	  {"alb_pushed", "active_load_balance() successfully moved a task", false, -1}}},
	{" <Category sched_balance_exec()> ",
	 {{"sbe_count", "sbe_count is not used", false, -1},
	  {"sbe_balanced", "sbe_balanced is not used", false, -1},
	  {"sbe_pushed", "sbe_pushed is not used", false, -1}}},
	{" <Category sched_balance_fork()> ",
	 {{"sbf_count", "sbf_count is not used", false, -1},
	  {"sbf_balanced", "sbf_balanced is not used", false, -1},
	  {"sbf_pushed", "sbf_pushed is not used", false, -1}}},
	{" <Wakeup Info> ",
	 {{"ttwu_wake_remote", "try_to_wake_up() awoke a task that last ran on a diff cpu", false,
	   -1},
	  {"ttwu_move_affine", "try_to_wake_up() moved task because cache-cold on own cpu", false,
	   -1},
	  {"ttwu_move_balance", "try_to_wake_up() started passive balancing", false, -1}}},
};

const struct schedstat_layout *schedstat_layout(uint32_t version)
{
	static const struct schedstat_layout v15 = {
		{&idle, &busy, &newidle}, one_imbalance, ARRAY_SIZE(one_imbalance), 2, 4};
	static const struct schedstat_layout v16 = {
		{&busy, &idle, &newidle}, one_imbalance, ARRAY_SIZE(one_imbalance), 2, 4};
	static const struct schedstat_layout v17 = {
		{&busy, &idle, &newidle}, four_imbalances, ARRAY_SIZE(four_imbalances), 2, 7};

	return version == 15 ? &v15 : version == 16 ? &v16 : version == 17 ? &v17 : NULL;
}

bool schedstat_is_narrow(const struct schedstat_row *row, size_t value)
{
	return row->domain >= 0 || value < NARROW;
}

static size_t row_values(uint32_t version, const struct schedstat_row *row)
{
	return row->domain < 0 ? SCHEDSTAT_CPU_VALUES : schedstat_domain_values(version);
}

void schedstat_encode(const struct schedstat *s, const struct schedstat_row *row, struct buf *out)
{
	const size_t start = out->n, n = row_values(s->version, row);
	const struct record_header h = {.type = row->domain < 0 ? RECORD_SCHEDSTAT_CPU
								: RECORD_SCHEDSTAT_DOMAIN,
					.size = row->domain < 0 ? CPU_RECORD : DOMAIN_RECORD};
	const uint16_t version = (uint16_t)s->version;
	const uint16_t domain = row->domain < 0 ? 0 : (uint16_t)row->domain;

	buf_add(out, &h, sizeof(h));
	buf_add(out, &s->jiffies, 8);
	buf_add(out, &row->cpu, 4);
	buf_add(out, &version, 2);
	buf_add(out, &domain, 2);
	for (size_t i = 0; i < n; i++) {
		const uint32_t narrow = (uint32_t)row->values[i];

		if (schedstat_is_narrow(row, i))
			buf_add(out, &narrow, 4);
		else
			buf_add(out, &row->values[i], 8);
	}
	buf_fill(out, 0, h.size - (out->n - start));
}

int schedstat_decode(const struct record *r, bool swap, uint32_t *version, uint64_t *jiffies,
		     struct schedstat_row *row)
{
	struct cursor c = cursor_over(r->blob.bytes, r->blob.size, swap);
	uint16_t domain;

	*jiffies = cursor_u64(&c);
	row->cpu = cursor_u32(&c);
	*version = cursor_u16(&c);
	domain = cursor_u16(&c);
	row->domain = r->header.type == RECORD_SCHEDSTAT_CPU ? -1 : domain;
	if (!schedstat_layout(*version))
		return -1;
	memset(row->values, 0, sizeof(row->values));
	for (size_t i = 0; i < row_values(*version, row); i++)
		row->values[i] = schedstat_is_narrow(row, i) ? cursor_u32(&c) : cursor_u64(&c);
	return c.bad ? -1 : 0;
}

static void add_u32(struct buf *out, size_t v)
{
	buf_u32(out, (uint32_t)v);
}

/* A length that is a multiple of 64, then so many bytes. */
static void add_string(struct buf *out, const char *s)
{
	const size_t n = strlen(s), room = (n + 64) & ~(size_t)63;

	add_u32(out, room);
	buf_add(out, s, n);
	buf_fill(out, 0, room - n);
}

static size_t domains_of(const struct schedstat *s, uint32_t cpu)
{
	size_t n = 0;

	for (size_t i = 0; i < s->domains.n; i++)
		n += s->domains.at[i].cpu == cpu;
	return n;
}

void schedstat_domains_encode(const struct schedstat *s, struct buf *out)
{
	size_t most = 0, next = 0;

	for (size_t i = 0; i < s->rows.n; i++)
		if (s->rows.at[i].domain < 0)
			most = MAX(most, domains_of(s, s->rows.at[i].cpu));
	add_u32(out, s->version);
	add_u32(out, most);
	for (size_t i = 0; i < s->rows.n; i++) {
		const uint32_t cpu = s->rows.at[i].cpu;

		if (s->rows.at[i].domain >= 0)
			continue;
		add_u32(out, cpu);
		add_u32(out, domains_of(s, cpu));
		for (; next < s->domains.n && s->domains.at[next].cpu == cpu; next++) {
			const struct schedstat_domain *d = &s->domains.at[next];

			add_u32(out, d->domain);
			if (s->version >= 17)
				add_string(out, d->name);
			add_string(out, d->mask);
			add_string(out, d->list);
		}
	}
}

bool schedstat_domains_decode(const struct recording *rec, uint32_t *version,
			      struct schedstat_domains *out)
{
	struct cursor c = feature_cursor(rec, FEATURE_CPU_DOMAIN_INFO);
	const uint32_t v = cursor_u32(&c);

	cursor_u32(&c); /* how many domains a CPU has at most */
	if (version)
		*version = v;
	while (!c.bad && cursor_left(&c)) {
		const uint32_t cpu = cursor_u32(&c), n = cursor_u32(&c);

		for (uint32_t i = 0; i < n && !c.bad; i++) {
			struct schedstat_domain d = {.cpu = cpu, .domain = cursor_u32(&c)};

			if (v >= 17)
				d.name = feature_string(&c);
			d.mask = feature_string(&c);
			d.list = feature_string(&c);
			c.bad |= !d.mask || !d.list || (v >= 17 && !d.name);
			if (!c.bad)
				vec_add(out, d);
		}
	}
	return !c.bad;
}
