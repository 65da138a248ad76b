// SPDX-License-Identifier: MIT
#include "cmd/archive/work.h"

#include "os/files.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The only archive that lies in this folder. */
static const char *find_archive(struct work *w, struct err *err)
{
	struct names names = {0};
	const char *found = NULL, *other = NULL;

	text_names(".", NULL, true, false, &w->arena, &names);
	for (size_t i = 0; i < names.n; i++) {
		if (fnmatch("perf.*.tar.bz2", names.at[i], 0))
			continue;
		other = found;
		found = names.at[i];
		if (other)
			break;
	}
	vec_release(&names);
	if (!found)
		err_set(err, ERR_INPUT, "there is no 'perf.*.tar.bz2' here");
	if (!found || !other)
		return found;
	err_set(err, ERR_INPUT, "there is more than one archive here: '%s', '%s'", other, found);
	err_hint(err, "say which one: perf archive --unpack FILE");
	return NULL;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode);
}

/* What lay beside the files of the store: the recording. Nothing that is here is written over. */
static int take_out(struct work *w, struct err *err)
{
	struct names names = {0};
	int failed = 0;

	text_names(w->temp, NULL, true, false, &w->arena, &names);
	for (size_t i = 0; i < names.n && !failed; i++) {
		const char *name = names.at[i];
		const char *from = arena_printf(&w->arena, "%s/%s", w->temp, name);

		if (!strcmp(name, SYMBOLS_ARCHIVE) || !is_file(from))
			continue;
		failed = files_copy(from, name);
		if (failed) {
			err_sys(err, errno, "cannot unpack '%s'", name);
			err_hint(err, "nothing is written over: move it away, or unpack elsewhere");
		} else {
			fprintf(stderr, "perf: unpacked %s\n", name);
		}
	}
	vec_release(&names);
	return failed;
}

int unpack(struct work *w, const char *path, struct err *err)
{
	const char *symbols = arena_printf(&w->arena, "%s/" SYMBOLS_ARCHIVE, w->temp);
	bool all;

	if (!path)
		path = find_archive(w, err);
	if (!path)
		return -1;
	if (access(path, R_OK))
		return err_sys(err, errno, "cannot open '%s'", path);
	/* What lies in no folder: an archive of everything has nothing else, others have nothing
	 * such. */
	work_args(w, "tar", "-x", "-f", work_path(w, path), "-C", w->temp, "--exclude=*/*", NULL);
	if (work_tar(w, path, err))
		return -1;
	all = is_file(symbols);
	if (all && take_out(w, err))
		return -1;
	if (files_make_dir(w->store))
		return err_sys(err, errno, "cannot make '%s'", w->store);
	work_args(w, "tar", "-x", "-f", all ? symbols : work_path(w, path), "-C", w->store, NULL);
	if (work_tar(w, path, err))
		return -1;
	fprintf(stderr, "perf: unpacked %s into %s\n", path, w->store);
	return 0;
}
