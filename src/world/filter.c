// SPDX-License-Identifier: MIT
#include "world/filter.h"
#include "base/buf.h"

#include <stdlib.h>

void filter_release(struct filter *f)
{
	intern_release(&f->comms.names);
	intern_release(&f->dsos.names);
	intern_release(&f->symbols.names);
	vec_release(&f->pids.ranges);
	vec_release(&f->tids.ranges);
	vec_release(&f->cpus.ranges);
	vec_release(&f->parallelism.ranges);
	vec_release(&f->times);
}

void name_list_add(struct name_list *l, const char *text, const char *separators)
{
	l->given = true;
	while (*text) {
		size_t n = strcspn(text, separators);

		if (n)
			intern_put(&l->names, text, n);
		text += n;
		text += *text != 0;
	}
}

bool name_list_has(const struct name_list *l, const char *name)
{
	return intern_find(&l->names, name, strlen(name)) != HASH_NONE;
}

static int bad_number(const char *what, const char *text, struct err *err)
{
	return err_set(err, ERR_USAGE, "bad list of %s: '%s'", what, text);
}

int number_list_parse(struct number_list *l, const char *text, const char *what, struct err *err)
{
	const char *s = text;

	l->given = true;
	while (*s) {
		char *end;
		unsigned long long first = strtoull(s, &end, 0), last = first;

		if (end == s)
			return bad_number(what, text, err);
		if (*end == '-') {
			s = end + 1;
			last = strtoull(s, &end, 0);
			if (end == s || last < first)
				return bad_number(what, text, err);
		}
		if (*end && *end != ',')
			return bad_number(what, text, err);
		vec_add(&l->ranges, (struct number_range){first, last});
		s = end + (*end == ',');
	}
	return 0;
}

bool number_list_has(const struct number_list *l, uint64_t n)
{
	for (size_t i = 0; i < l->ranges.n; i++)
		if (n >= l->ranges.at[i].first && n <= l->ranges.at[i].last)
			return true;
	return false;
}

/* -- times -- */

/* Parses seconds as "12.345" into *ns. *end is the first character after them. */
static bool seconds(const char *s, const char **end, uint64_t *ns)
{
	uint64_t whole = 0, part = 0, unit = 100000000;
	const char *start = s;

	for (; *s >= '0' && *s <= '9'; s++) {
		if (whole > UINT64_MAX / 20000000000)
			return false;
		whole = whole * 10 + (uint64_t)(*s - '0');
	}
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++, unit /= 10)
			part += unit * (uint64_t)(*s - '0');
	*ns = whole * 1000000000 + part;
	*end = s;
	return s != start;
}

static int bad_time(const char *text, struct err *err)
{
	return err_set(err, ERR_USAGE, "Invalid time string: '%s'", text);
}

/* "START,STOP START,STOP ..." */
static int absolute_times(struct filter *f, const char *text, struct err *err)
{
	const char *s = text;

	while (*s) {
		struct time_range range = {0, UINT64_MAX};

		if (*s != ',' && !seconds(s, &s, &range.start))
			return bad_time(text, err);
		if (*s == ',' && *++s && *s != ' ' && !seconds(s, &s, &range.end))
			return bad_time(text, err);
		if ((*s && *s != ' ') || range.end < range.start)
			return bad_time(text, err);
		vec_add(&f->times, range);
		s += strspn(s, " ");
	}
	return 0;
}

/* "P%", "P%/N" or "P%-Q%". The last part ends with the last sample. */
static int part_of_time(struct filter *f, const char *text, const char *s, const char **end,
			uint64_t first, uint64_t last, struct err *err)
{
	double total = (double)(last - first), from, to;
	struct time_range range;
	char *stop;

	from = strtod(s, &stop);
	if (stop == s || *stop != '%' || !(from >= 0 && from <= 100))
		return bad_time(text, err);
	s = stop + 1;
	if (*s == '-') {
		to = strtod(s + 1, &stop);
		if (stop == s + 1 || *stop != '%' || !(to >= from && to <= 100))
			return bad_time(text, err);
		s = stop + 1;
	} else {
		unsigned long index = 1;
		double share = from;

		if (*s == '/') {
			index = strtoul(s + 1, &stop, 10);
			if (stop == s + 1 || !index || (double)(index - 1) * share >= 100)
				return bad_time(text, err);
			s = stop;
		}
		from = (double)(index - 1) * share;
		to = MIN((double)index * share, 100.0);
	}
	range.start = first + (uint64_t)(from * total / 100);
	range.end = to >= 100 ? last : first + (uint64_t)(to * total / 100) - 1;
	if (to < 100 && range.end < range.start)
		range.end = range.start;
	vec_add(&f->times, range);
	*end = s;
	return 0;
}

int filter_times_parse(struct filter *f, const char *text, uint64_t first, uint64_t last,
		       struct err *err)
{
	const char *s = text;

	f->times_given = true;
	if (!strchr(text, '%'))
		return absolute_times(f, text, err);
	if (!last)
		return err_set(err, ERR_UNSUPPORTED,
			       "the recording doesn't say when it began and ended: "
			       "percentages of its time cannot be found");
	while (*s) {
		if (part_of_time(f, text, s, &s, first, last, err))
			return -1;
		if (*s && *s != ',')
			return bad_time(text, err);
		s += *s == ',';
	}
	return 0;
}

bool filter_has_span(const void *filter, uint64_t from, uint64_t to)
{
	const struct filter *f = filter;

	if (!f->times_given)
		return true;
	for (size_t i = 0; i < f->times.n; i++)
		if (to >= f->times.at[i].start && from <= f->times.at[i].end)
			return true;
	return false;
}

struct source_times filter_source_times(const struct filter *f)
{
	return (struct source_times){.wanted = f->times_given ? filter_has_span : NULL, .ctx = f};
}

bool filter_has_time(const struct filter *f, uint64_t time)
{
	return filter_has_span(f, time, time);
}

void filter_elided(const struct filter *f, const char *names[4])
{
	size_t n = 0;

	if (f->comms.names.entries.n == 1)
		names[n++] = "comm";
	if (f->dsos.names.entries.n == 1)
		names[n++] = "dso";
	if (f->symbols.names.entries.n == 1)
		names[n++] = "symbol";
	names[n] = NULL;
}
