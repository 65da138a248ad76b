// SPDX-License-Identifier: MIT
/* Parses the filters by address of tracers. */
#include "event/filter/filter_text.h"

#include "base/options/options.h"

#include <ctype.h>
#include <string.h>

static const char *const actions[] = {
	[ADDRESS_FILTER] = "filter",
	[ADDRESS_START] = "start",
	[ADDRESS_STOP] = "stop",
	[ADDRESS_TRACESTOP] = "tracestop",
};

struct reader {
	const char *text, *p;
	struct address_filters *out;
	struct err *err;
};

static void blanks(struct reader *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
}

static int action(struct reader *r, struct address_filter *f)
{
	size_t n = strcspn(r->p, " \t\n,/@");

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (strlen(actions[i]) == n && !memcmp(actions[i], r->p, n)) {
			f->action = (enum address_action)i;
			r->p += n;
			return 0;
		}
	filter_fail(r->err, r->text, r->p,
		    "'filter', 'start', 'stop' or 'tracestop' should stand here");
	return filter_suggest(r->err, r->p, n, actions, ARRAY_SIZE(actions));
}

/* Parses a number. It ends at a '/' or '@', too; a symbol ends only at a blank or a comma, since
 * names of C++ have all other characters. */
static int number(struct reader *r, struct address_place *place)
{
	size_t n = strcspn(r->p, " \t\n,/@");
	char copy[32];

	if (n >= sizeof(copy))
		return filter_fail(r->err, r->text, r->p, "that is no address");
	memcpy(copy, r->p, n);
	copy[n] = 0;
	if (parse_u64(copy, &place->value))
		return filter_fail(r->err, r->text, r->p, "'%s' is no number", copy);
	r->p += n;
	return 0;
}

/* Parses which of several symbols is meant: "#2", "#g" */
static int which(struct reader *r, struct address_place *place)
{
	char *end;
	unsigned long nth;

	blanks(r);
	if (*r->p != '#')
		return 0;
	r->p++;
	if (*r->p == 'g' || *r->p == 'G') {
		place->global = true;
		r->p++;
		return 0;
	}
	nth = strtoul(r->p, &end, 10);
	if (!isdigit((unsigned char)*r->p) || nth > UINT32_MAX)
		return filter_fail(r->err, r->text, r->p, "a number or g should stand behind #");
	place->nth = (unsigned int)nth;
	place->global = !nth;
	r->p = end;
	return 0;
}

static int place(struct reader *r, struct address_place *place)
{
	size_t n = strcspn(r->p, " \t\n,");

	blanks(r);
	n = strcspn(r->p, " \t\n,");
	if (isdigit((unsigned char)*r->p))
		return number(r, place);
	if (!n || *r->p == '@' || *r->p == '/')
		return filter_fail(r->err, r->text, r->p, "an address should stand here");
	if (memchr(r->p, '@', n))
		return filter_fail(r->err, r->text, (char *)memchr(r->p, '@', n),
				   "a symbol has a blank behind it: 'main @ FILE'");
	place->symbol = arena_strndup(&r->out->arena, r->p, n);
	r->p += n;
	return which(r, place);
}

static int file(struct reader *r, struct address_filter *f)
{
	size_t n;

	blanks(r);
	if (*r->p != '@')
		return 0;
	r->p++;
	blanks(r);
	n = strcspn(r->p, " \t\n,");
	if (!n)
		return filter_fail(r->err, r->text, r->p, "the name of a file should stand here");
	f->file = arena_strndup(&r->out->arena, r->p, n);
	r->p += n;
	return 0;
}

static int one(struct reader *r)
{
	struct address_filter f = {0};

	if (action(r, &f))
		return -1;
	blanks(r);
	if (*r->p == '*' && (!r->p[1] || isspace((unsigned char)r->p[1]) || r->p[1] == ',')) {
		f.whole = true;
		r->p++;
	} else if (place(r, &f.start)) {
		return -1;
	}
	blanks(r);
	if (*r->p == '/') {
		if (f.whole)
			return filter_fail(r->err, r->text, r->p, "all of a file has its own size");
		r->p++;
		f.has_size = true;
		if (place(r, &f.size))
			return -1;
	}
	if (file(r, &f))
		return -1;
	vec_add(r->out, f);
	return 0;
}

int filter_parse_addresses(const char *text, struct address_filters *out, struct err *err)
{
	struct reader r = {.text = text, .p = text, .out = out, .err = err};

	for (;;) {
		r.p += strspn(r.p, " \t\n,");
		if (!*r.p)
			return 0;
		if (one(&r))
			return -1;
		if (*r.p && *r.p != ',' && !isspace((unsigned char)*r.p) &&
		    !isspace((unsigned char)r.p[-1]))
			return filter_fail(err, text, r.p, "',' should stand before this");
	}
}

void address_filters_release(struct address_filters *f)
{
	vec_release(f);
	arena_release(&f->arena);
}
