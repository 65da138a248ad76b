// SPDX-License-Identifier: MIT
#include "analysis/sched/stats.h"

#include "data/source.h"

#include <stdlib.h>

static bool stats_wanted(const struct sched_stats *s, uint32_t cpu)
{
	return !s->cpus || cpus_has(s->cpus, (int)cpu);
}

static uint64_t stats_key(uint32_t cpu, int domain)
{
	return (uint64_t)cpu << 32 | (uint32_t)(domain + 1);
}

static int stats_compare_places(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void stats_sort_rows(struct sched_stats *s)
{
	for (size_t i = 0; i < s->rows.n; i++) {
		const struct schedstat_row *row = &s->rows.at[i].row;

		vec_add(&s->places,
			(struct sched_stats_place){stats_key(row->cpu, row->domain), i});
	}
	qsort(s->places.at, s->places.n, sizeof(*s->places.at), stats_compare_places);
}

/* The first snapshot's row of the same line; NULL: it has none, or it was found before. */
static struct sched_stats_row *stats_find(struct sched_stats *s, const struct schedstat_row *row)
{
	const uint64_t key = stats_key(row->cpu, row->domain);
	const struct sched_stats_place *place = bsearch(
		&key, s->places.at, s->places.n, sizeof(*s->places.at), stats_compare_places);
	struct sched_stats_row *found = place ? &s->rows.at[place->row] : NULL;

	return found && !found->ended ? found : NULL;
}

static int stats_mismatch(const struct schedstat_row *row, struct err *err)
{
	if (row->domain < 0)
		return err_set(err, ERR_INPUT,
			       "CPU %u is in one of the two snapshots only: it went offline or "
			       "online between them",
			       row->cpu);
	return err_set(err, ERR_INPUT, "domain %d of CPU %u is in one of the two snapshots only",
		       row->domain, row->cpu);
}

static int stats_subtract(struct sched_stats *s, const struct schedstat_row *row, struct err *err)
{
	struct sched_stats_row *before = stats_find(s, row);

	if (!before)
		return stats_mismatch(row, err);
	before->ended = true;
	for (size_t i = 0; i < SCHEDSTAT_VALUES; i++) {
		uint64_t *v = &before->row.values[i];

		*v = row->values[i] - *v;
		if (schedstat_is_narrow(row, i))
			*v = (uint32_t)*v;
	}
	return 0;
}

static int stats_take_row(struct sched_stats *s, uint32_t version, uint64_t jiffies,
			  const struct schedstat_row *row, struct err *err)
{
	if (!stats_wanted(s, row->cpu))
		return 0;
	if (!s->rows.n) {
		s->version = version;
		s->first = jiffies;
	} else if (row->domain < 0 && row->cpu == s->rows.at[0].row.cpu) {
		if (s->second)
			return err_set(err, ERR_INPUT, "there are more than two snapshots");
		s->second = true;
		stats_sort_rows(s);
		s->jiffies = jiffies - s->first;
	}
	if (version != s->version)
		return err_set(err, ERR_INPUT, "the snapshots are of versions %u and %u",
			       s->version, version);
	if (s->second)
		return stats_subtract(s, row, err);
	vec_add(&s->rows, (struct sched_stats_row){.row = *row});
	return 0;
}

static int stats_compare_domains(const void *a, const void *b)
{
	const struct schedstat_domain *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->domain < y->domain ? -1 : x->domain > y->domain;
}

/* Averages the rows of each number of domain, of which last is the highest. */
static void stats_add_means(struct sched_stats *s, int last)
{
	const size_t n = (size_t)last + 2;
	struct schedstat_row *sums = mem_zero(n * sizeof(*sums));
	uint64_t *counts = mem_zero(n * sizeof(*counts));

	for (size_t i = 0; i < s->rows.n; i++) {
		const struct schedstat_row *row = &s->rows.at[i].row;
		const size_t at = (size_t)(row->domain + 1);

		counts[at]++;
		for (size_t v = 0; v < SCHEDSTAT_VALUES; v++)
			sums[at].values[v] += row->values[v];
	}
	for (size_t at = 0; at < n; at++) {
		if (!counts[at])
			continue;
		sums[at].domain = (int)at - 1;
		for (size_t v = 0; v < SCHEDSTAT_VALUES; v++)
			sums[at].values[v] /= counts[at];
		vec_add(&s->mean, sums[at]);
	}
	free(sums);
	free(counts);
}

int sched_stats_end(struct sched_stats *s, struct err *err)
{
	int last = -1;

	if (!s->rows.n) {
		err_set(err, ERR_INPUT, "Data is not available");
		return err_hint(err, "'perf sched stats record' makes a recording of statistics.");
	}
	if (!s->second)
		return err_set(err, ERR_INPUT,
			       "there is only the first snapshot: the recorder was interrupted");
	for (size_t i = 0; i < s->rows.n; i++) {
		if (!s->rows.at[i].ended)
			return stats_mismatch(&s->rows.at[i].row, err);
		last = MAX(last, s->rows.at[i].row.domain);
	}
	stats_add_means(s, last);
	if (s->domains.n)
		qsort(s->domains.at, s->domains.n, sizeof(*s->domains.at), stats_compare_domains);
	return 0;
}

int sched_stats_read(struct sched_stats *s, struct recording *rec, struct err *err)
{
	AUTO(source) *src = source_open(rec, &(struct source_options){0}, err);
	struct schedstat_row row;
	struct record r;
	uint64_t jiffies;
	uint32_t version;
	int got = -1;

	while (src && (got = source_next(src, &r, err)) > 0) {
		if (r.header.type != RECORD_SCHEDSTAT_CPU &&
		    r.header.type != RECORD_SCHEDSTAT_DOMAIN)
			continue;
		if (schedstat_decode(&r, rec->m.swap, &version, &jiffies, &row))
			return schedstat_layout(version)
				       ? err_set(err, ERR_INPUT, "a record is too short")
				       : err_set(err, ERR_UNSUPPORTED,
						 "Unsupported /proc/schedstat version: %u",
						 version);
		if (stats_take_row(s, version, jiffies, &row, err))
			return -1;
	}
	if (got < 0)
		return -1;
	schedstat_domains_decode(rec, NULL, &s->domains);
	return sched_stats_end(s, err);
}

int sched_stats_take(struct sched_stats *s, const struct schedstat *snapshot, struct err *err)
{
	for (size_t i = 0; i < snapshot->rows.n; i++)
		if (stats_take_row(s, snapshot->version, snapshot->jiffies, &snapshot->rows.at[i],
				   err))
			return -1;
	for (size_t i = 0; !s->second && i < snapshot->domains.n; i++) {
		struct schedstat_domain d = snapshot->domains.at[i];

		d.name = d.name ? arena_strdup(&s->arena, d.name) : NULL;
		d.mask = arena_strdup(&s->arena, d.mask);
		d.list = arena_strdup(&s->arena, d.list);
		vec_add(&s->domains, d);
	}
	return 0;
}

void sched_stats_release(struct sched_stats *s)
{
	vec_release(&s->rows);
	vec_release(&s->places);
	vec_release(&s->mean);
	vec_release(&s->domains);
	arena_release(&s->arena);
}

const struct schedstat_domain *sched_stats_domain(const struct sched_stats *s, uint32_t cpu,
						  int domain)
{
	const struct schedstat_domain key = {.cpu = cpu, .domain = (uint32_t)domain};

	if (domain < 0 || !s->domains.n)
		return NULL;
	return bsearch(&key, s->domains.at, s->domains.n, sizeof(key), stats_compare_domains);
}

int sched_stats_comparable(const struct sched_stats *a, const struct sched_stats *b,
			   struct err *err)
{
	if (a->version != b->version)
		return err_set(err, ERR_INPUT, "the recordings are of versions %u and %u",
			       a->version, b->version);
	if (a->rows.at[0].row.cpu != b->rows.at[0].row.cpu)
		return err_set(err, ERR_INPUT, "Failed because matching cpus not found for diff");
	if (a->mean.n != b->mean.n)
		return err_set(err, ERR_INPUT, "Failed because nr_domains is not same for cpus");
	for (size_t i = 0; i < a->mean.n; i++)
		if (a->mean.at[i].domain != b->mean.at[i].domain)
			return err_set(err, ERR_INPUT,
				       "Failed because matching domain not found for diff");
	return 0;
}
