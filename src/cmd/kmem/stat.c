// SPDX-License-Identifier: MIT
#include "cmd/kmem/kmem_opts.h"

#include "cmd/options/words/live_words.h"

#include <stdio.h>

static const struct opt_group groups[] = {
	{kmem_opts, 0}, {form_opts, offsetof(struct kmem_opts, form)}, {0}};

static bool has_any(const struct recording *rec, const char *const *names)
{
	for (; *names; names++)
		if (event_set_find_name(&rec->m.events, *names))
			return true;
	return false;
}

static int stat_check(const struct recording *rec, const struct kmem_options *how, struct err *err)
{
	static const char *const slab[] = {"kmem:kmalloc", "kmem:kmem_cache_alloc",
					   "kmem:kmalloc_node", "kmem:kmem_cache_alloc_node", NULL};
	static const char *const pages[] = {"kmem:mm_page_alloc", NULL};

	if (input_lost_tracepoints(rec, err))
		return -1;
	if (how->slab && !has_any(rec, slab))
		return err_set(err, ERR_INPUT,
			       "No slab allocation events found.  Have you run 'perf kmem record "
			       "--slab'?");
	if (how->pages && !has_any(rec, pages))
		return err_set(err, ERR_INPUT,
			       "No page allocation events found.  Have you run 'perf kmem record "
			       "--page'?");
	return 0;
}

static int stat_default_sort(struct kmem_sort *s, const char *keys, bool pages, struct err *err)
{
	return s->keys.n ? 0 : kmem_sort_parse(s, keys, pages, err);
}

static int stat_configure(struct kmem_opts *o, struct kmem_options *how, struct err *err)
{
	struct kmem_view *v = &o->view;

	how->slab = o->slab || (!o->page && !o->pages_by_default);
	how->pages = o->page || (!o->slab && o->pages_by_default);
	how->objects = o->alloc;
	how->live = v->live = o->live;
	how->leaks = o->leaks;
	v->callers = o->caller;
	v->objects = o->alloc;
	return stat_default_sort(&v->slab_callers, "frag,hit,bytes", false, err) ||
			       stat_default_sort(&v->slab_objects, "frag,hit,bytes", false, err) ||
			       stat_default_sort(&v->page_callers, "bytes,hit", true, err) ||
			       stat_default_sort(&v->pages, "bytes,hit", true, err)
		       ? -1
		       : 0;
}

static int stat_present(struct env *env, struct kmem_opts *o, struct kmem *k, struct err *err)
{
	struct form_output f;

	if (k->opts->leaks) {
		kmem_show_leaks(&o->view, k);
	} else if (form_is_rows(&o->form)) {
		if (form_begin(&f, &o->form, env, env->out, err))
			return -1;
		kmem_show_tables(&o->view, k, f.out, &f.rows);
		return form_end(&f, err);
	} else {
		if (k->opts->slab)
			kmem_show_slab(&o->view, k);
		if (k->opts->pages)
			kmem_show_pages(&o->view, k);
	}
	return 0;
}

static int stat_show_counts(struct env *env, struct kmem_opts *o, struct recording *rec,
			    const struct kmem_options *how, const struct filter *filter,
			    struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct kmem k;
	int status = -1;

	o->view.out = env->out;
	o->view.world = world;
	kmem_init(&k, how);
	if (!kmem_read(&k, rec, world, filter, err) && !stat_check(rec, how, err) &&
	    !stat_present(env, o, &k, err)) {
		symbols_explain(world_dsos(world), env->debug);
		if (k.losses)
			fprintf(stderr,
				"perf: records were lost %llu times: what was freed there seems "
				"to be still allocated, and sums are too small\n",
				(unsigned long long)k.losses);
		status = input_account(rec, "perf: ", o->strict);
	}
	kmem_release(&k);
	return status;
}

static int stat_run(struct env *env, struct kmem_opts *o, struct err *err)
{
	struct kmem_options how = {0};
	struct filter filter = {0};
	AUTO(recording) *rec = NULL;
	int status = -1;

	if (form_opts_check(&o->form, err) || stat_configure(o, &how, err))
		return -1;
	if (how.leaks && form_is_rows(&o->form))
		return err_set(err, ERR_USAGE,
			       "--leaks has call chains, not rows (-x, -j, --html)");
	rec = input_open_recording(&o->input, env->out, err);
	if (rec && (rec->is_pipe || !stat_check(rec, &how, err)) &&
	    (!o->time || !filter_times_parse(&filter, o->time, rec->first_sample_time,
					     rec->last_sample_time, err)))
		status = stat_show_counts(env, o, rec, &how, o->time ? &filter : NULL, err);
	filter_release(&filter);
	return status;
}

/* Counts what `kmem record` records while the command runs. */
static int stat_live(struct env *env, const struct kmem_opts *o, int argc, char **argv,
		     struct err *err)
{
	static const char *const words[] = {"perf", "kmem", "record"};
	struct command_words w = {0};
	int status;

	command_words_add_all(&w, words, ARRAY_SIZE(words));
	if (o->slab)
		command_words_add(&w, "--slab");
	if (o->page)
		command_words_add(&w, "--page");
	if (o->leaks)
		command_words_add(&w, "-g");
	status = live_words_run(&w, env, &o->input, argc, argv, err);
	command_words_release(&w);
	return status;
}

static int cmd_stat_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct kmem_opts *o = v;
	const int status = argc ? stat_live(env, o, argc, argv, err) : stat_run(env, o, err);

	kmem_opts_release(o);
	return status;
}

static const char *const usage[] = {"kmem stat [<options>] [<command>]", NULL};

const struct cmd cmd_kmem_stat = {
	.name = "stat",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.run = cmd_stat_run,
};
