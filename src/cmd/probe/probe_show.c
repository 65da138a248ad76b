// SPDX-License-Identifier: MIT
/* Shows source lines and variables that can be probed. */
#include "cmd/probe/probe_opts.h"

#include "base/options/options.h"
#include "view/probe.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A parsed "FUNC[@SRC][:FIRST[+NUMBER|-LAST]]" or "SRC[:FIRST[+NUMBER|-LAST]]". */
struct line_wish {
	char *function, *file; /* NULL: not given */
	uint32_t first, last;
};

static int parse_range(const char *text, char *range, struct line_wish *w, struct err *err)
{
	char *rest;
	unsigned long v = strtoul(range, &rest, 10);

	if (rest == range || v > INT32_MAX)
		return probe_spec_fail(text, text + (strlen(text) - strlen(range)), err,
				       "a line's number should stand here");
	w->first = (uint32_t)v;
	if (*rest == '+' || *rest == '-') {
		const bool count = *rest == '+';

		range = rest + 1;
		v = strtoul(range, &rest, 10);
		if (rest == range || v > INT32_MAX)
			return probe_spec_fail(text, text + (strlen(text) - strlen(range)), err,
					       "a line's number should stand here");
		w->last = count ? w->first + (uint32_t)v - 1 : (uint32_t)v;
		if (w->last < w->first || (count && !v))
			return probe_spec_fail(text, text + (strlen(text) - strlen(range)), err,
					       "the last line comes before the first");
	}
	if (*rest)
		return probe_spec_fail(text, text + (strlen(text) - strlen(rest)), err,
				       "nothing can follow here");
	return 0;
}

static int parse_lines(char *copy, const char *text, struct line_wish *w, struct err *err)
{
	char *mark = copy, *at;

	while ((mark = strchr(mark, ':')) && mark[1] == ':')
		mark += 2;
	*w = (struct line_wish){.last = UINT32_MAX};
	if (mark) {
		*mark = 0;
		if (parse_range(text, mark + 1, w, err))
			return -1;
	}
	at = strchr(copy, '@');
	if (at) {
		*at = 0;
		w->function = copy;
		w->file = at + 1;
	} else if (strpbrk(copy, "/.")) {
		w->file = copy;
	} else {
		w->function = copy;
	}
	if ((w->function && !*w->function) || (w->file && !*w->file))
		return probe_spec_fail(text, text, err, "a function or a file should stand here");
	return 0;
}

static int lines_not_found(const struct probe_target *t, const char *text, struct err *err)
{
	err_set(err, ERR_INPUT, "Specified source line is not found: '%s'", text);
	return probe_target_say_missing(t, err);
}

int probe_lines(struct probe_work *w, struct err *err)
{
	const struct probe_wish *wish = &w->o->wishes.at[0];
	AUTO_CHAR *copy = mem_strdup(wish->text);
	struct probe_lines lines = {0};
	struct probe_target t = {0};
	struct probe_finder *f;
	struct line_wish l;
	int failed;

	if (parse_lines(copy, wish->text, &l, err))
		return -1;
	failed = probe_open(w, wish, &t, err);
	f = failed ? NULL : probe_target_finder(&t, err);
	if (f &&
	    probe_finder_lines(f, l.function, l.file, w->o->source_dir, l.first, l.last, &lines))
		failed = probe_show_lines(&lines, &w->env->out->buf, err);
	else if (f)
		failed = lines_not_found(&t, wish->text, err);
	else
		failed = -1;
	probe_lines_release(&lines);
	probe_target_release(&t);
	return failed;
}

static int show_variables_at(struct probe_work *w, const struct probe_wish *wish, struct err *err)
{
	const char *filter = w->o->filter ? w->o->filter : "!__k???tab_* & !__crc_*";
	struct probe_variables found = {0};
	struct probe_spec spec = {0};
	struct probe_target t = {0};
	int failed =
		probe_spec_parse(&spec, wish->text, &w->arena, err) || probe_open(w, wish, &t, err)
			? -1
			: 0;

	if (!failed && spec.args.n)
		failed = probe_spec_fail(spec.text, spec.args.at[0].at, err,
					 "-V takes a place without arguments");
	if (!failed)
		failed = probe_target_variables(&t, &spec, &w->wishes, &found, err);
	if (!failed)
		failed = probe_show_variables(&found, &spec, filter, &w->env->out->buf, err);
	probe_variables_release(&found);
	probe_spec_release(&spec);
	probe_target_release(&t);
	return failed;
}

int probe_variables(struct probe_work *w, struct err *err)
{
	int failed = 0;

	for (size_t i = 0; i < w->o->wishes.n && !failed; i++)
		failed = show_variables_at(w, &w->o->wishes.at[i], err);
	return failed;
}
