// SPDX-License-Identifier: MIT
#include "cmd/front/programs.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "perf-"

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static bool has(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->at[i], name))
			return true;
	return false;
}

/* Adds the folder's programs. An unreadable folder has none. */
static void programs_add_folder(struct programs *p, const char *folder, struct names *to)
{
	struct names all = {0};

	if (!text_names(folder, NULL, false, false, &p->arena, &all)) {
		for (size_t i = 0; i < all.n; i++) {
			AUTO_CHAR *path = mem_printf("%s/%s", folder, all.at[i]);
			const char *name = all.at[i] + strlen(PREFIX);

			if (!strncmp(all.at[i], PREFIX, strlen(PREFIX)) && *name &&
			    !has(&p->inside, name) && !has(to, name) && is_program(path))
				vec_add(to, name);
		}
	}
	vec_release(&all);
}

static int programs_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void programs_find(struct programs *p, const char *exec_path, const char *path)
{
	struct names *lists[] = {&p->inside, &p->elsewhere};

	programs_add_folder(p, exec_path, &p->inside);
	while (path && *path) {
		size_t n = strcspn(path, ":");
		AUTO_CHAR *folder = mem_strndup(n ? path : ".", n ? n : 1);

		programs_add_folder(p, folder, &p->elsewhere);
		path += n + (path[n] == ':');
	}
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (lists[i]->n)
			qsort(lists[i]->at, lists[i]->n, sizeof(*lists[i]->at), programs_by_name);
}

void programs_release(struct programs *p)
{
	vec_release(&p->inside);
	vec_release(&p->elsewhere);
	arena_release(&p->arena);
}

/* Prints names in columns, filled from top to bottom. */
static void show_columns(const struct names *names, int width, struct buf *out)
{
	size_t widest = 0, columns, rows;

	for (size_t i = 0; i < names->n; i++)
		widest = MAX(widest, strlen(names->at[i]));
	columns = MAX((size_t)(width > 0 ? width - 1 : 79) / (widest + 1), (size_t)1);
	rows = (names->n + columns - 1) / columns;
	for (size_t row = 0; row < rows; row++) {
		buf_str(out, "  ");
		for (size_t i = row; i < names->n; i += rows)
			buf_left(out, names->at[i], i + rows < names->n ? widest + 1 : 0);
		buf_char(out, '\n');
	}
}

static void show_list(const struct names *names, const char *title, int width, struct buf *out)
{
	if (!names->n)
		return;
	buf_char(out, '\n');
	buf_str(out, title);
	buf_char(out, '\n');
	buf_fill(out, '-', strlen(title));
	buf_char(out, '\n');
	show_columns(names, width, out);
}

void programs_show(const struct programs *p, const char *exec_path, int width, struct buf *out)
{
	AUTO_CHAR *title = mem_printf("available perf commands in '%s'", exec_path);

	show_list(&p->inside, title, width, out);
	show_list(&p->elsewhere, "perf commands available from elsewhere on your $PATH", width,
		  out);
}
