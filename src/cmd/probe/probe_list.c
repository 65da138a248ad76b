// SPDX-License-Identifier: MIT
/* Lists existing probes, and functions that can be probed. */
#include "cmd/probe/probe_opts.h"

#include "os/tracing/probe_events.h"
#include "os/files/text.h"
#include "symbol/table/symbol_table.h"
#include "view/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct existing {
	const char *line;
	enum probe_events which;
};
struct all_existing {
	struct arena arena;
	VEC(struct existing) lines;
};

static int by_line(const void *a, const void *b)
{
	return strcmp(((const struct existing *)a)->line, ((const struct existing *)b)->line);
}

/* Reads all definitions of the kernel, sorted within each kind. */
static int read_existing(const char *tracefs, struct all_existing *all, struct err *err)
{
	for (enum probe_events which = PROBES_OF_KERNEL; which <= PROBES_OF_USER; which++) {
		const size_t first = all->lines.n;
		AUTO_BUF text = {0};
		char *line, *rest;

		if (probe_events_read(tracefs, which, &text, err))
			return -1;
		rest = (char *)buf_text(&text);
		while ((line = strsep(&rest, "\n")))
			if (*line)
				vec_add(&all->lines,
					(struct existing){arena_strdup(&all->arena, line), which});
		if (all->lines.n > first)
			qsort(all->lines.at + first, all->lines.n - first, sizeof(*all->lines.at),
			      by_line);
	}
	return 0;
}

static void release_existing(struct all_existing *all)
{
	vec_release(&all->lines);
	arena_release(&all->arena);
}

/* Matches a probe against "GROUP:EVENT"; "EVENT" matches in any group. 1, 0, or -1 with *err. */
static int matches(const struct probe_def *d, const char *pattern, struct arena *arena,
		   struct err *err)
{
	const char *name = arena_printf(arena, "%s:%s", d->group, d->event);

	if (!strchr(pattern, ':') && !strpbrk(pattern, "&|!("))
		pattern = arena_printf(arena, "*:%s", pattern);
	return probe_filter_match(pattern, name, err);
}

/* An opened target, shared by consecutive probes in it. */
struct opened {
	struct probe_target t;
	char *name;
	bool usable;
};

static void open_for(struct probe_work *w, struct opened *o, const struct probe_def *d)
{
	const char *name = d->file ? d->file : d->module ? d->module : "";
	struct symbol_options options = w->o->symbols;
	struct err ignored;

	if (o->name && !strcmp(o->name, name))
		return;
	if (o->name)
		probe_target_release(&o->t);
	free(o->name);
	o->name = mem_strdup(name);
	o->usable = !probe_target_open(&o->t,
				       d->file	   ? PROBE_FILE
				       : d->module ? PROBE_MODULE
						   : PROBE_KERNEL,
				       *name ? name : NULL, 0, &options, &ignored);
}

int probe_list(struct probe_work *w, struct err *err)
{
	const char *tracefs = w->tracefs, *pattern = w->o->wishes.at[0].text;
	struct all_existing all = {0};
	struct opened opened = {0};
	int failed = read_existing(tracefs, &all, err);

	for (size_t i = 0; i < all.lines.n && !failed; i++) {
		const struct existing *e = &all.lines.at[i];
		struct probe_place place = {0};
		struct probe_def d;
		int fits = 0;

		if (probe_def_parse(e->line, strlen(e->line), e->which == PROBES_OF_USER,
				    &all.arena, &d))
			fits = matches(&d, pattern, &all.arena, err);
		if (fits > 0) {
			open_for(w, &opened, &d);
			if (opened.usable)
				probe_target_place(&opened.t, &d, &place);
			probe_show_listed(&d, &place, &w->env->out->buf);
		}
		failed = fits < 0 ? -1 : 0;
		probe_def_release(&d);
	}
	if (opened.name)
		probe_target_release(&opened.t);
	free(opened.name);
	release_existing(&all);
	return failed;
}

/* Adds the names that match a pattern of -d, as "uGROUP/EVENT" or "kGROUP/EVENT". */
static int collect_names(struct all_existing *all, const char *pattern, struct names *out,
			 struct err *err)
{
	for (size_t i = 0; i < all->lines.n; i++) {
		const struct existing *e = &all->lines.at[i];
		struct probe_def d;
		int fits = 0;

		if (probe_def_parse(e->line, strlen(e->line), e->which == PROBES_OF_USER,
				    &all->arena, &d))
			fits = matches(&d, pattern, &all->arena, err);
		if (fits > 0)
			vec_add(out, arena_printf(&all->arena, "%c%s/%s",
						  e->which == PROBES_OF_USER ? 'u' : 'k', d.group,
						  d.event));
		probe_def_release(&d);
		if (fits < 0)
			return -1;
	}
	return 0;
}

static int probe_list_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int delete_name(struct probe_work *w, const char *name, int fds[2], struct err *err)
{
	const enum probe_events which = *name++ == 'u' ? PROBES_OF_USER : PROBES_OF_KERNEL;
	const char *slash = strchr(name, '/');

	if (!w->o->dry_run && fds[which] < 0)
		fds[which] = probe_events_open(w->tracefs, which, err);
	if (!w->o->dry_run &&
	    (fds[which] < 0 || probe_events_remove(w->tracefs, fds[which], name, err)))
		return -1;
	if (!w->o->quiet)
		fprintf(stderr, "Removed event: %.*s:%s\n", (int)(slash - name), name, slash + 1);
	return 0;
}

/* A name that several probes share, or several patterns match, is there more than once. */
static int delete_names(struct probe_work *w, struct names *names, struct err *err)
{
	int fds[2] = {-1, -1}, failed = 0;

	if (names->n)
		qsort(names->at, names->n, sizeof(*names->at), probe_list_by_name);
	for (size_t i = 0; i < names->n && !failed; i++)
		if (!i || strcmp(names->at[i - 1], names->at[i]))
			failed = delete_name(w, names->at[i], fds, err);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return failed;
}

int probe_delete(struct probe_work *w, struct err *err)
{
	struct all_existing all = {0};
	struct names names = {0};
	int failed = read_existing(w->tracefs, &all, err);

	for (size_t i = 0; i < w->o->wishes.n && !failed; i++) {
		const size_t before = names.n;

		failed = collect_names(&all, w->o->wishes.at[i].text, &names, err);
		if (!failed && names.n == before)
			failed = err_set(err, ERR_INPUT, "\"%s\" does not hit any event.",
					 w->o->wishes.at[i].text);
	}
	if (!failed)
		failed = delete_names(w, &names, err);
	vec_release(&names);
	release_existing(&all);
	return failed;
}

int probe_functions(struct probe_work *w, struct err *err)
{
	const struct probe_wish *wish = &w->o->wishes.at[0];
	const char *filter = *wish->text    ? wish->text
			     : w->o->filter ? w->o->filter
					    : "!_* & !*@plt";
	struct names names = {0};
	struct probe_target t;
	int failed = probe_open(w, wish, &t, err);

	if (!failed)
		dso_load(t.dso);
	for (size_t i = 0; !failed && i < t.dso->symbols.n; i++) {
		const char *name = dso_symbol_name(t.dso, symbol_table_at(&t.dso->symbols, i));
		const int fits = probe_filter_match(filter, name, err);

		if (fits > 0)
			vec_add(&names, name);
		failed = fits < 0 ? -1 : 0;
	}
	if (!failed && !t.dso->symbols.n)
		failed = err_set(err, ERR_INPUT, "'%s' has no symbols",
				 wish->target ? wish->target : "the kernel");
	if (names.n)
		qsort(names.at, names.n, sizeof(*names.at), probe_list_by_name);
	for (size_t i = 0; i < names.n && !failed; i++) {
		buf_safe(&w->env->out->buf, names.at[i]);
		buf_char(&w->env->out->buf, '\n');
		if (!out_ready(w->env->out))
			break;
	}
	vec_release(&names);
	probe_target_release(&t);
	return failed;
}
