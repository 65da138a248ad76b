// SPDX-License-Identifier: MIT
#include "cmd/archive/work.h"

#include "os/files/files.h"
#include "os/process/spawn.h"
#include "symbol/store/store.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

int work_init(struct work *w, struct env *env, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *path;

	*w = (struct work){.env = env};
	w->store = store_find(env->buildid_dir, &w->arena);
	if (!w->store)
		return err_set(err, ERR_SYSTEM, "there is no store: HOME is not set");
	path = arena_printf(&w->arena, "%s/perf-archive-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(path))
		return err_sys(err, errno, "cannot make '%s'", path);
	w->temp = path;
	return 0;
}

void work_release(struct work *w)
{
	if (w->temp)
		files_remove_tree(w->temp);
	vec_release(&w->args);
	arena_release(&w->arena);
}

void work_args(struct work *w, const char *first, ...)
{
	va_list ap;

	va_start(ap, first);
	for (const char *a = first; a; a = va_arg(ap, const char *))
		vec_add(&w->args, a);
	va_end(ap);
}

const char *work_path(struct work *w, const char *path)
{
	return *path == '/' ? path : arena_printf(&w->arena, "./%s", path);
}

const char *work_member(struct work *w, const char *name)
{
	return *name == '-' ? arena_printf(&w->arena, "./%s", name) : name;
}

int work_tar(struct work *w, const char *subject, struct err *err)
{
	const struct spawn_options to_stderr = {.to_stderr = true};
	struct spawn s;
	int status;

	vec_add(&w->args, NULL);
	if (spawn_prepare(&s, (char *const *)w->args.at, &to_stderr, err))
		return -1;
	if (spawn_go(&s, err)) {
		spawn_release(&s, true);
		return err_hint(err, "tar and bzip2 make and unpack archives: install them");
	}
	spawn_wait(&s);
	status = spawn_exit_status(&s);
	spawn_release(&s, false);
	vec_clear(&w->args);
	if (status)
		return err_set(err, ERR_SYSTEM, "tar failed on '%s': exit status %d", subject,
			       status);
	return 0;
}
