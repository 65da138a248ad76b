// SPDX-License-Identifier: MIT
/* Which calls -e asks for: names, globs and groups, or with '!' all but these. */
#include "cmd/trace/trace_opts.h"

#include <string.h>

struct chosen {
	bool by_row[1024]; /* of call_all() */
};

static bool is_chosen(const struct call_desc *call, const char *word)
{
	return glob_match(word, call->name) || glob_match(word, call->tracepoint);
}

static const char *nearest_call(const char *word)
{
	size_t n;
	const struct call_desc *all = call_all(&n);
	const char *names[1024];

	for (size_t i = 0; i < n; i++)
		names[i] = all[i].name;
	return nearest_name(word, names, n);
}

static int unknown(const char *word, struct err *err)
{
	const char *near = nearest_call(word);

	if (strchr(word, ':')) {
		err_set(err, ERR_UNSUPPORTED, "trace shows system calls, not events like '%s'",
			word);
		return err_hint(err, "'perf record -e %s' and 'perf script' show them.", word);
	}
	err_set(err, ERR_USAGE, "no system call is called '%s'", word);
	return near ? err_hint(err, "Is '%s' meant?", near) : -1;
}

static int choose(struct chosen *c, const char *word, struct err *err)
{
	size_t n, found = 0;
	const struct call_desc *all = call_all(&n);
	bool everything = !strcmp(word, "all") || !strcmp(word, "%all");
	bool class = call_class_exists(word);

	/* "stat" is a call, "%stat" and "file" are groups. */
	if (class && *word != '%' && call_find_name(word))
		class = false;
	for (size_t i = 0; i < n; i++) {
		if (!(everything ||
		      (class ? call_in_class(&all[i], word) : is_chosen(&all[i], word))))
			continue;
		c->by_row[i] = true;
		found++;
	}
	return found ? 0 : unknown(word, err);
}

static int choose_list(struct chosen *c, const char *list, struct err *err)
{
	AUTO_CHAR *copy = mem_strdup(list);
	char *rest = copy, *word;

	while ((word = strsep(&rest, ",")) != NULL)
		if (*word && choose(c, word, err))
			return -1;
	return 0;
}

int trace_select(const struct trace_opts *o, struct call_selection *out, struct err *err)
{
	struct chosen c = {0};
	bool negated = o->events.n && *o->events.at[0] == '!';
	size_t n;
	const struct call_desc *all = call_all(&n);

	if (!o->events.n) {
		memset(out->on, true, sizeof(out->on));
		return 0;
	}
	for (size_t i = 0; i < o->events.n; i++) {
		const char *list = o->events.at[i];

		if ((*list == '!') != negated)
			return err_set(err, ERR_USAGE,
				       "-e cannot both name calls and leave out others: '%s'",
				       list);
		if (choose_list(&c, list + negated, err))
			return -1;
	}
	memset(out->on, negated, sizeof(out->on));
	for (int abi = 0; abi < CALL_ABIS; abi++)
		for (size_t i = 0; i < n; i++)
			if (all[i].numbers[abi] >= 0 && c.by_row[i])
				out->on[abi][all[i].numbers[abi]] = !negated;
	return 0;
}
