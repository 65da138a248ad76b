// SPDX-License-Identifier: MIT
#include "cmd/archive/work.h"

#include "os/files/files.h"
#include "symbol/store/store.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the only archive in the current folder. NULL with *err. */
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

/* Copies the recording, and other files beside the symbols' archive, to the current folder.
 * Existing files are never overwritten. */
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
			AUTO_BUF text = {0};

			buf_safe(&text, name);
			fprintf(stderr, "perf: unpacked %s\n", buf_text(&text));
		}
	}
	vec_release(&names);
	return failed;
}

/* Unpacks a store's archive into a temporary folder in the user's store, then adds its entries to
 * the store. */
static int unpack_add_entries(struct work *w, const char *path, const char *subject,
			      struct err *err)
{
	char *aside = arena_printf(&w->arena, "%s/.unpack-XXXXXX", w->store);
	struct store_list list = {0};
	int failed = 0;

	if (files_make_dir(w->store))
		return err_sys(err, errno, "cannot make '%s'", w->store);
	if (!mkdtemp(aside))
		return err_sys(err, errno, "cannot make '%s'", aside);
	work_args(w, "tar", "-x", "--no-same-owner", "--no-same-permissions", "-f", path, "-C",
		  aside, NULL);
	if (work_tar(w, subject, err) || store_list_all(aside, &list, err))
		failed = -1;
	else if (list.refused.n)
		failed = members_refuse(subject, list.refused.at, list.refused.n, err);
	else if (!list.entries.n)
		failed = err_set(err, ERR_INPUT, "'%s' holds no files by build-id", subject);
	for (size_t i = 0; i < list.entries.n && !failed; i++)
		failed = store_add_entry(w->store, aside, &list.entries.at[i], err) < 0 ? -1 : 0;
	store_list_release(&list);
	files_remove_tree(aside);
	return failed;
}

int unpack(struct work *w, const char *path, struct err *err)
{
	const char *symbols = arena_printf(&w->arena, "%s/" SYMBOLS_ARCHIVE, w->temp), *from;
	bool all = false;

	if (!path)
		path = find_archive(w, err);
	if (!path)
		return -1;
	if (access(path, R_OK))
		return err_sys(err, errno, "cannot open '%s'", path);
	from = work_path(w, path);
	if (members_check(w, from, path, &all, err))
		return -1;
	if (all) {
		/* an archive of everything has no folders, other archives have only folders */
		work_args(w, "tar", "-x", "-f", from, "-C", w->temp, "--exclude=*/*", NULL);
		if (work_tar(w, path, err))
			return -1;
		if (!is_file(symbols))
			return err_set(err, ERR_INPUT,
				       "'" SYMBOLS_ARCHIVE "' in '%s' is not a file", path);
		if (members_check(w, symbols, path, NULL, err))
			return -1;
		from = symbols;
	}
	if (unpack_add_entries(w, from, path, err) || (all && take_out(w, err)))
		return -1;
	fprintf(stderr, "perf: unpacked %s into %s\n", path, w->store);
	return 0;
}
