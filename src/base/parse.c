// SPDX-License-Identifier: MIT
#include "base/options.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <string.h>

int parse_u64(const char *s, uint64_t *v)
{
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -1;
	errno = 0;
	n = strtoull(s, &end, 0);
	if (errno || end == s || *end)
		return -1;
	*v = n;
	return 0;
}

int parse_size(const char *s, uint64_t *v)
{
	static const char units[] = "bkmgt";
	unsigned long long n;
	const char *unit;
	unsigned int shift = 0;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -1;
	errno = 0;
	n = strtoull(s, &end, 0);
	if (errno || end == s)
		return -1;
	if (*end) {
		unit = strchr(units, tolower((unsigned char)*end++));
		if (!unit || !*unit)
			return -1;
		shift = 10 * (unsigned int)(unit - units);
		if (shift && (*end == 'b' || *end == 'B'))
			end++;
		if (*end)
			return -1;
	}
	if (n > ULLONG_MAX >> shift)
		return -1;
	*v = (uint64_t)n << shift;
	return 0;
}

int parse_time_ns(const char *s, uint64_t *v)
{
	uint64_t sec = 0, ns = 0, unit = 100000000;

	if (!isdigit((unsigned char)*s) && *s != '.')
		return -1;
	for (; isdigit((unsigned char)*s); s++) {
		if (sec > UINT64_MAX / 1000000000u / 10 - 10)
			return -1;
		sec = sec * 10 + (uint64_t)(*s - '0');
	}
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s); s++, unit /= 10)
			ns += unit * (uint64_t)(*s - '0');
	if (*s)
		return -1;
	*v = sec * 1000000000u + ns;
	return 0;
}

int parse_bool(const char *s, bool *v)
{
	static const char *const yes[] = {"true", "yes", "on", "1"};
	static const char *const no[] = {"false", "no", "off", "0"};

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		if (!strcasecmp(s, yes[i]) || !strcasecmp(s, no[i])) {
			*v = !strcasecmp(s, yes[i]);
			return 0;
		}
	}
	return -1;
}

/* Edits from a to b (insert, delete, replace, swap neighbours), or more than limit. */
static size_t edits(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	size_t rows[3][64];

	if (na > 62 || nb > 62)
		return SIZE_MAX;
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *now = rows[i % 3], *one = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t best = one[j - 1] + (a[i - 1] != b[j - 1]);

			best = MIN(best, MIN(one[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = MIN(best, two[j - 2] + 1);
			now[j] = best;
		}
	}
	return rows[na % 3][nb];
}

const char *nearest_name(const char *word, const char *const *names, size_t n)
{
	size_t len = strlen(word), best = MAX(len / 3, (size_t)1) + 1;
	const char *near = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t d = edits(word, names[i]);

		if (len >= 3 && !strncmp(names[i], word, len) && d >= best && !near)
			near = names[i];
		if (d < best) {
			best = d;
			near = names[i];
		}
	}
	return near;
}

bool glob_match(const char *pattern, const char *s)
{
	return !fnmatch(pattern, s, 0);
}
