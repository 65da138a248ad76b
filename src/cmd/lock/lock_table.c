// SPDX-License-Identifier: MIT
/* Shared by lock's commands: reads a recording, opens the output, prints losses. */
#include "cmd/lock/lock_opts.h"

#include "cmd/options/opts_rows.h"
#include "cmd/options/words/live_words.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool lock_instead(const struct lock_opts *o, struct env *env, int argc, char **argv, int *status,
		  struct err *err)
{
	static const char *const words[] = {"perf", "lock", "record"};
	struct command_words w = {0};

	if (!argc && !o->dump)
		return false;
	command_words_add_all(&w, words, ARRAY_SIZE(words));
	if (o->all_cpus)
		command_words_add(&w, "-a");
	if (argc)
		*status = live_words_run(&w, env, &o->input, argc, argv, err);
	else
		*status = input_dump(&o->input, &o->symbols, o->strict, env, err);
	command_words_release(&w);
	return true;
}

static bool has_lock_events(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		if (!strncmp(rec->m.events.events.at[i]->name, "lock:", 5))
			return true;
	return false;
}

int lock_select(struct lock_table *t, const struct lock_opts *o, struct err *err)
{
	struct form_opts form = o->form;

	if (form_opts_check(&form, err))
		return -1;
	return (o->cpus && number_list_parse(&t->filter.cpus, o->cpus, "cpus", err)) ||
			       (o->pids &&
				number_list_parse(&t->filter.pids, o->pids, "pids", err)) ||
			       (o->tids && number_list_parse(&t->filter.tids, o->tids, "tids", err))
		       ? -1
		       : 0;
}

int lock_table_show(struct lock_table *t, const struct lock_opts *o, const struct env *env,
		    struct err *err)
{
	struct form_opts form = o->form;
	struct form_output f;

	/* contention has perf's own CSV */
	if (!form_is_rows(&form) || (form.separator && t->view.contention)) {
		locks_show(&t->view, &t->locks);
		return 0;
	}
	form.separator = rows_separator(form.separator);
	if (form_begin(&f, &form, env, t->view.out, err))
		return -1;
	locks_show_rows(&t->view, &t->locks, f.out, &f.rows);
	return form_end(&f, err);
}

int lock_table_open_output(struct lock_table *t, const struct lock_opts *o, struct env *env,
			   struct err *err)
{
	int fd = STDERR_FILENO;

	if (o->output) {
		fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return err_sys(err, errno, "cannot create '%s'", o->output);
	}
	out_init(&t->out, fd);
	if (!o->output)
		out_page(&t->out, env->pager);
	t->view.out = &t->out;
	t->view.world = t->world;
	t->view.quiet = o->quiet;
	t->view.verbose = o->verbose > 0 && !o->quiet;
	t->view.entries = o->entries ? o->entries : UINT32_MAX;
	return 0;
}

/* Refuses a recording without events of locks. Of a pipe that is known when it was read. */
static int lock_table_check(const struct lock_table *t, struct err *err)
{
	if (has_lock_events(t->rec))
		return 0;
	if (input_lost_tracepoints(t->rec, err))
		return -1;
	err_set(err, ERR_INPUT, "the recording has no events of locks");
	return err_hint(err, "'perf lock record' records them");
}

int lock_table_read(struct lock_table *t, const struct lock_opts *o, struct env *env,
		    struct err *err)
{
	t->rec = input_open_recording(&o->input, env->out, err);
	if (!t->rec)
		return -1;
	if (!t->rec->is_pipe && lock_table_check(t, err))
		return -1;
	if (o->time && filter_times_parse(&t->filter, o->time, t->rec->first_sample_time,
					  t->rec->last_sample_time, err))
		return -1;
	t->world = world_of_recording(t->rec, &o->symbols);
	locks_init(&t->locks, &t->how);
	if (locks_read(&t->locks, t->rec, t->world, &t->filter, err) || lock_table_check(t, err))
		return -1;
	locks_sort(&t->locks);
	return 0;
}

int lock_table_end(struct lock_table *t, const struct lock_opts *o, struct err *err)
{
	const struct locks *l = &t->locks;

	if (out_end(&t->out, err))
		return -1;
	if (!t->rec)
		return 0;
	input_tell_doubts(t->rec, "waits", l->uncertain, l->uncertain_ns);
	return input_account(t->rec, "perf: ", o->strict);
}

void lock_table_release(struct lock_table *t)
{
	locks_release(&t->locks);
	lock_filter_release(&t->how.filter);
	vec_release(&t->view.fields);
	filter_release(&t->filter);
	if (t->view.out) {
		if (t->out.fd != STDERR_FILENO)
			close(t->out.fd);
		out_release(&t->out);
	}
	if (t->kernel.world)
		kernel_world_release(&t->kernel);
	else
		world_free(t->world);
	idmap_release(&t->names.of);
	intern_release(&t->names.texts);
	recording_free(t->rec);
}
