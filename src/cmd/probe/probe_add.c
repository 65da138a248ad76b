// SPDX-License-Identifier: MIT
/* Adds probes, or prints the definitions that would be written to the kernel. */
#include "cmd/probe/probe_opts.h"

#include "os/tracing/probe_events.h"
#include "probe/kept_probes.h"
#include "symbol/dso.h"
#include "view/probe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A spec and its definitions: defs[first .. first + n). */
struct made {
	struct probe_spec spec;
	size_t first, n;
};
struct all_made {
	struct probe_defs defs;
	VEC(struct made) specs;
};

static void probe_add_release(struct all_made *m)
{
	for (size_t i = 0; i < m->specs.n; i++)
		probe_spec_release(&m->specs.at[i].spec);
	vec_release(&m->specs);
	probe_defs_release(&m->defs);
}

static int make_defs(struct probe_work *w, struct probe_target *t, const char *text,
		     struct all_made *m, struct err *err)
{
	struct made *made = vec_extend(&m->specs, 1);
	AUTO_BUF notes = {0};
	int failed;

	made->first = m->defs.n;
	failed = probe_spec_parse(&made->spec, text, &m->defs.arena, err) ||
		 probe_target_defs(t, &made->spec, &w->wishes, &m->defs, &notes, err);
	made->n = m->defs.n - made->first;
	if (!w->o->quiet)
		fputs(buf_text(&notes), stderr);
	return failed ? -1 : 0;
}

/* A marker without a program: the definitions of all files in the build-id store that have it. */
static int make_marker_defs(struct probe_work *w, const struct probe_wish *wish, struct all_made *m,
			    struct err *err)
{
	struct probe_spec s = {0};
	struct names files = {0};
	int failed = probe_spec_parse(&s, wish->text, &m->defs.arena, err) ||
		     kept_marker_files(w->o->symbols.buildid_dir, w->o->symbols.cache_size, &s,
				       &m->defs.arena, &files, err);

	for (size_t i = 0; i < files.n && !failed; i++) {
		const struct probe_wish one = {wish->text, PROBE_FILE, files.at[i]};
		struct probe_target t = {0};

		failed = probe_open(w, &one, &t, err) || make_defs(w, &t, wish->text, m, err);
		probe_target_release(&t);
	}
	probe_spec_release(&s);
	vec_release(&files);
	return failed ? -1 : 0;
}

/* Makes all definitions. Consecutive specs of one target share the opened target. */
static int make_all(struct probe_work *w, struct all_made *m, struct err *err)
{
	const struct probe_wish *before = NULL;
	struct probe_target t = {0};
	int failed = 0;

	for (size_t i = 0; i < w->o->wishes.n && !failed; i++) {
		const struct probe_wish *wish = &w->o->wishes.at[i];

		if (probe_is_stored_marker(wish)) {
			failed = make_marker_defs(w, wish, m, err);
			continue;
		}
		if (!before || before->target != wish->target || before->kind != wish->kind) {
			if (before)
				probe_target_release(&t);
			before = wish;
			failed = probe_open(w, wish, &t, err);
		}
		if (!failed)
			failed = make_defs(w, &t, wish->text, m, err);
	}
	if (before && failed && w->o->verbose > 0) {
		AUTO_BUF text = {0};

		dso_set_explain(&t.dsos, &text);
		fputs(buf_text(&text), stderr);
	}
	if (before)
		probe_target_release(&t);
	return failed;
}

int probe_define(struct probe_work *w, struct err *err)
{
	static const struct probe_names none;
	struct all_made m = {0};
	int failed = make_all(w, &m, err);

	for (size_t i = 0; i < m.specs.n && !failed; i++)
		for (size_t j = m.specs.at[i].first;
		     j < m.specs.at[i].first + m.specs.at[i].n && !failed; j++) {
			struct probe_def *d = &m.defs.at[j];

			failed = probe_name_def(d, &m.specs.at[i].spec, PROBE_NAME_FREE, &none,
						&m.defs.arena, err);
			if (!failed && w->o->bootconfig && d->file)
				failed = err_set(err, ERR_USAGE,
						 "--bootconfig: programs cannot be probed at boot");
			if (failed)
				break;
			if (w->o->bootconfig)
				probe_def_bootconfig(d, &w->env->out->buf);
			else
				probe_def_text(d, &w->env->out->buf);
			buf_char(&w->env->out->buf, '\n');
		}
	probe_add_release(&m);
	return failed;
}

static int name_all(struct probe_work *w, struct all_made *m, const char *tracefs, struct err *err)
{
	const bool can_share = probe_events_can_share(tracefs);
	struct probe_names names = {0};
	int failed = probe_names_read(&names, tracefs, err);

	for (size_t i = 0; i < m->specs.n && !failed; i++) {
		const struct made *made = &m->specs.at[i];

		for (size_t j = made->first; j < made->first + made->n && !failed; j++) {
			struct probe_def *d = &m->defs.at[j];

			failed = probe_name_def(d, &made->spec,
						w->o->force || (j > made->first && !can_share)
							? PROBE_NAME_SUFFIX
							: PROBE_NAME_NEW,
						&names, &m->defs.arena, err);
			if (!failed && !can_share)
				probe_names_add(&names, d->group, d->event);
		}
		/* the places of one spec share a name when the kernel allows it */
		for (size_t j = made->first; j < made->first + made->n && can_share && !failed; j++)
			probe_names_add(&names, m->defs.at[j].group, m->defs.at[j].event);
	}
	probe_names_release(&names);
	return failed;
}

/* Removes the definitions that were written before another one was refused. */
static void remove_written(const struct all_made *m, size_t written, const char *tracefs,
			   const int fds[2])
{
	for (size_t i = 0; i < written; i++) {
		const struct probe_def *d = &m->defs.at[i];
		AUTO_CHAR *line = mem_printf("-:%s/%s", d->group, d->event);

		probe_events_write(tracefs, fds[d->file ? PROBES_OF_USER : PROBES_OF_KERNEL], line,
				   NULL);
	}
}

static int write_all(const struct all_made *m, const char *tracefs, size_t *written,
		     struct err *err)
{
	int fds[2] = {-1, -1}, failed = 0;

	for (size_t i = 0; i < m->defs.n && !failed; i++) {
		const struct probe_def *d = &m->defs.at[i];
		const enum probe_events which = d->file ? PROBES_OF_USER : PROBES_OF_KERNEL;
		AUTO_BUF line = {0};

		if (fds[which] < 0)
			fds[which] = probe_events_open(tracefs, which, err);
		if (fds[which] < 0)
			failed = -1;
		if (failed)
			break;
		probe_def_text(d, &line);
		failed = probe_events_write(tracefs, fds[which], buf_text(&line), err);
		*written += !failed;
	}
	if (failed) {
		remove_written(m, *written, tracefs, fds);
		*written = 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return failed;
}

static void probe_add_tell(const struct probe_work *w, const struct all_made *m, size_t written)
{
	AUTO_BUF text = {0};
	const struct probe_def *last = &m->defs.at[written - 1];

	buf_printf(&text, "Added new event%s:\n", written > 1 ? "s" : "");
	for (size_t i = 0; i < m->specs.n; i++)
		for (size_t j = m->specs.at[i].first;
		     j < MIN(written, m->specs.at[i].first + m->specs.at[i].n); j++)
			probe_show_added(&m->defs.at[j], &m->specs.at[i].spec, &text);
	buf_printf(&text,
		   "\nYou can now use it in all perf tools, such as:\n\n"
		   "\tperf record -e %s:%s -aR sleep 1\n\n",
		   last->group, last->event);
	buf_make_lines_safe(&text, 0);
	if (!w->o->quiet)
		fputs(buf_text(&text), stderr);
}

/* Keeps the probes in the build-id store, for later commands. */
static int keep_all(struct probe_work *w, const struct all_made *m, struct err *err)
{
	const char *dir = probe_store_dir(w, err);

	for (size_t i = 0; i < m->specs.n && dir; i++) {
		const struct made *made = &m->specs.at[i];
		const struct probe_def *defs = m->defs.at + made->first;

		if (made->n &&
		    kept_probes_store(dir, defs->file, &made->spec, defs, made->n, err))
			return -1;
	}
	return dir ? 0 : -1;
}

int probe_add(struct probe_work *w, struct err *err)
{
	const char *tracefs = w->tracefs;
	struct all_made m = {0};
	size_t written = 0;
	int failed;

	failed = make_all(w, &m, err);
	if (!failed)
		failed = name_all(w, &m, tracefs, err);
	if (!failed && w->o->dry_run)
		written = m.defs.n;
	else if (!failed)
		failed = write_all(&m, tracefs, &written, err);
	if (written)
		probe_add_tell(w, &m, written);
	if (!failed && w->o->cache)
		failed = keep_all(w, &m, err);
	probe_add_release(&m);
	return failed;
}
