// SPDX-License-Identifier: MIT
/* Filters of names: globs joined by & and |, turned by !, in parentheses. */
#include "probe/target.h"

#include "base/options/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MOST 32

struct filter {
	const char *text, *p, *name;
	struct err *err;
};

static int parse_or(struct filter *f, int depth);

static void skip_blanks(struct filter *f)
{
	while (isspace((unsigned char)*f->p))
		f->p++;
}

static int wrong(const struct filter *f)
{
	return probe_spec_fail(f->text, f->p, f->err, "a name should stand here");
}

static int parse_glob(struct filter *f, int depth)
{
	char glob[256];
	size_t n;
	int got;

	skip_blanks(f);
	if (*f->p == '!') {
		f->p++;
		got = depth < DEPTH_MOST ? parse_glob(f, depth + 1) : wrong(f);
		return got < 0 ? got : !got;
	}
	if (*f->p == '(') {
		f->p++;
		got = depth < DEPTH_MOST ? parse_or(f, depth + 1) : wrong(f);
		skip_blanks(f);
		if (got >= 0 && *f->p++ != ')') {
			f->p--;
			return probe_spec_fail(f->text, f->p, f->err, "')' should stand here");
		}
		return got;
	}
	n = strcspn(f->p, "&|!() \t\n");
	if (!n || n >= sizeof(glob))
		return wrong(f);
	snprintf(glob, sizeof(glob), "%.*s", (int)n, f->p);
	f->p += n;
	skip_blanks(f);
	return glob_match(glob, f->name);
}

static int parse_and(struct filter *f, int depth)
{
	int all = parse_glob(f, depth);

	while (all >= 0 && *f->p == '&') {
		int one;

		f->p++;
		one = parse_glob(f, depth);
		all = one < 0 ? one : all & one;
	}
	return all;
}

static int parse_or(struct filter *f, int depth)
{
	int any = parse_and(f, depth);

	while (any >= 0 && *f->p == '|') {
		int one;

		f->p++;
		one = parse_and(f, depth);
		any = one < 0 ? one : any | one;
	}
	return any;
}

int probe_filter_match(const char *filter, const char *text, struct err *err)
{
	struct filter f = {filter, filter, text, err};
	int got = parse_or(&f, 0);

	return got >= 0 && *f.p ? probe_spec_fail(filter, f.p, err, "'&' or '|' should stand here")
				: got;
}
