// SPDX-License-Identifier: MIT
/* --for-each-cgroup: copies every event for each cgroup. */
#include "cmd/stat/stat_opts.h"

#include "os/machine/cgroup.h"
#include "os/files/text.h"

#include <regex.h>
#include <string.h>

struct found {
	struct arena *arena;
	struct names names;
	const regex_t *pattern;
};

static void stat_cgroups_take(void *ctx, const char *path, uint64_t id)
{
	struct found *f = ctx;

	(void)id;
	path += *path == '/';
	if (*path && !regexec(f->pattern, path, 0, NULL, 0))
		vec_add(&f->names, arena_strdup(f->arena, path));
}

/* True for a regular expression, false for a list of names. */
static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?+[](){}|^$") != NULL;
}

static int find_pattern(const char *text, struct found *f, struct err *err)
{
	regex_t pattern;
	char why[128];
	int got = regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB);

	if (got) {
		regerror(got, &pattern, why, sizeof(why));
		return err_set(err, ERR_USAGE, "'%s' is not a pattern of control groups: %s", text,
			       why);
	}
	f->pattern = &pattern;
	cgroup_each("/sys", stat_cgroups_take, f);
	regfree(&pattern);
	return f->names.n ? 0
			  : err_set(err, ERR_SYSTEM, "no control group is like '%s'", text);
}

static void find_names(const char *text, struct found *f)
{
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");

		if (n)
			vec_add(&f->names, arena_strndup(f->arena, p, n));
		p += n;
		if (!*p)
			break;
	}
}

static void add_copy(struct event_set *events, const struct event *ev, size_t first,
		     const char *cgroup)
{
	struct event *copy = event_set_add(events, ev->name);
	uint32_t index = copy->index;

	*copy = *ev;
	copy->index = index;
	copy->leader = ev->leader + (uint32_t)first;
	memset(&copy->ids, 0, sizeof(copy->ids));
	copy->cgroup = cgroup;
}

int stat_each_cgroup(const char *text, struct event_set *events, struct err *err)
{
	struct found f = {.arena = &events->arena};
	size_t n = events->events.n;
	int got = 0;

	if (is_pattern(text))
		got = find_pattern(text, &f, err);
	else
		find_names(text, &f);
	if (!got && !f.names.n)
		got = err_set(err, ERR_USAGE, "--for-each-cgroup names no control group");
	for (size_t k = 1; !got && k < f.names.n; k++)
		for (size_t i = 0; i < n; i++)
			add_copy(events, events->events.at[i], events->events.n - i, f.names.at[k]);
	for (size_t i = 0; !got && i < n; i++)
		events->events.at[i]->cgroup = f.names.at[0];
	vec_release(&f.names);
	return got;
}
