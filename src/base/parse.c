// SPDX-License-Identifier: MIT
/* Numbers, names and patterns as people type them. */
#include "base/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

int parse_u64(const char *s, uint64_t *v)
{
	unsigned long long got;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -1; /* strtoull would take blanks and signs */
	errno = 0;
	got = strtoull(s, &end, 0);
	if (errno || *end)
		return -1;
	*v = got;
	return 0;
}

int parse_size(const char *s, uint64_t *v)
{
	unsigned long long got;
	int shift = 0;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -1;
	errno = 0;
	got = strtoull(s, &end, strncasecmp(s, "0x", 2) ? 10 : 16);
	if (errno)
		return -1;
	switch (tolower((unsigned char)*end)) {
	case 't':
		shift += 10;
		__attribute__((fallthrough));
	case 'g':
		shift += 10;
		__attribute__((fallthrough));
	case 'm':
		shift += 10;
		__attribute__((fallthrough));
	case 'k':
		shift += 10;
		end++;
		break;
	}
	if (tolower((unsigned char)*end) == 'b')
		end++;
	if (*end || got > UINT64_MAX >> shift)
		return -1;
	*v = (uint64_t)got << shift;
	return 0;
}

int parse_time_ns(const char *s, uint64_t *v)
{
	uint64_t seconds = 0, ns = 0, unit = 1000000000;

	if (!isdigit((unsigned char)*s))
		return -1;
	for (; isdigit((unsigned char)*s); s++) {
		seconds = seconds * 10 + (uint64_t)(*s - '0');
		if (seconds > UINT64_MAX / 1000000000 - 1)
			return -1;
	}
	if (*s == '.')
		/* digits beyond nanoseconds are dropped */
		while (isdigit((unsigned char)*++s)) {
			unit /= 10;
			ns += (uint64_t)(*s - '0') * unit;
		}
	if (*s)
		return -1;
	*v = seconds * 1000000000 + ns;
	return 0;
}

int parse_short_time(const char *s, uint64_t *v)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"", 1},	   {"n", 1},	   {"ns", 1},	   {"u", 1000},
		     {"us", 1000}, {"m", 1000000}, {"ms", 1000000}};
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -1;
	errno = 0;
	n = strtoull(s, &end, 10);
	for (size_t i = 0; !errno && i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].name) && n <= UINT64_MAX / units[i].ns) {
			*v = n * units[i].ns;
			return 0;
		}
	return -1;
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

/* Edits between two words: insert, delete, replace, swap of neighbours. Words over 63 letters count
 * as far from all others. */
static unsigned int edits(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned int rows[3][64], *before = rows[0], *last = rows[1], *now = rows[2];

	if (na > 63 || nb > 63)
		return UINT32_MAX;
	for (size_t j = 0; j <= nb; j++)
		last[j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned int *spare = before;

		now[0] = (unsigned int)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned int same = a[i - 1] != b[j - 1];

			now[j] = MIN(last[j] + 1, now[j - 1] + 1);
			now[j] = MIN(now[j], last[j - 1] + same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = MIN(now[j], before[j - 2] + 1);
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[nb];
}

const char *nearest_name(const char *word, const char *const *names, size_t n)
{
	size_t len = strlen(word);
	unsigned int best = (unsigned int)MIN(3, (len + 2) / 3) + 1;
	const char *name = NULL;

	if (len < 2)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t full = strlen(names[i]);
		/* a word that was cut short is as near as one typing error */
		unsigned int d = full > len && !memcmp(word, names[i], len)
					 ? 1
					 : edits(word, len, names[i], full);

		if (d < best) {
			best = d;
			name = names[i];
		}
	}
	return name;
}

/* The set that begins at p ("[a-z]", "[!x]"): whether it has c; *end is set after it, or to NULL
 * when it isn't closed. */
static bool set_has(const char *p, char c, const char **end)
{
	bool negative = p[1] == '!' || p[1] == '^', has = false;
	const char *first = p + 1 + negative;

	*end = NULL;
	for (p = first; *p && (*p != ']' || p == first); p++) {
		if (p[1] == '-' && p[2] && p[2] != ']') {
			has |= *p <= c && c <= p[2];
			p += 2;
		} else {
			has |= *p == c;
		}
	}
	if (*p)
		*end = p + 1;
	return has != negative;
}

bool glob_match(const char *pattern, const char *s)
{
	const char *star = NULL, *after = NULL; /* the last "*" seen, and what it stands up to */

	while (*s) {
		const char *next = pattern + 1;
		bool fits;

		if (*pattern == '*') {
			star = pattern++;
			after = s;
			continue;
		}
		if (*pattern == '[') {
			fits = set_has(pattern, *s, &next);
			if (!next) { /* not a set: the bracket itself */
				fits = *s == '[';
				next = pattern + 1;
			}
		} else if (*pattern == '\\' && pattern[1]) {
			fits = pattern[1] == *s;
			next = pattern + 2;
		} else {
			fits = *pattern && (*pattern == '?' || *pattern == *s);
		}
		if (fits) {
			pattern = next;
			s++;
		} else if (star) {
			pattern = star + 1;
			s = ++after;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
