// SPDX-License-Identifier: MIT
#include "os/machine/modules.h"

#include "base/hash.h"
#include "os/proc/proc.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void modules_release(struct modules *m)
{
	vec_release(&m->all);
	arena_release(&m->arena);
}

/* "NAME SIZE USES DEPENDENTS STATE ADDRESS" */
static void loaded(struct modules *m, char *text)
{
	for (char *p = text, *next; p && *p; p = next) {
		unsigned long long size, start;
		char name[128];

		next = strchr(p, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(p, "%127s %llu %*s %*s %*s %llx", name, &size, &start) == 3 && start)
			vec_add(&m->all, (struct module){arena_strdup(&m->arena, name), start, size,
							 arena_printf(&m->arena, "[%s]", name)});
	}
}

static int modules_by_start(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* The module's name in a file name: without directory and ".ko...", '-' is '_'. */
static size_t name_in(const char *path, size_t n, char name[128])
{
	const char *base = memrchr(path, '/', n), *end;
	size_t len;

	base = base ? base + 1 : path;
	len = n - (size_t)(base - path);
	end = memmem(base, len, ".ko", 3);
	if (!end || (size_t)(end - base) >= 128)
		return 0;
	len = (size_t)(end - base);
	for (size_t i = 0; i < len; i++)
		name[i] = base[i] == '-' ? '_' : base[i];
	return len;
}

void modules_read(struct modules *m, const char *proc_root, const char *lib_root,
		  const char *release)
{
	AUTO_CHAR *list = mem_printf("%s/modules", proc_root);
	AUTO_CHAR *text = proc_file(list, NULL);
	AUTO_CHAR *dep = mem_printf("%s/%s/modules.dep", lib_root, release);
	AUTO_CHAR *files = NULL;
	struct intern names = {0};

	*m = (struct modules){0};
	if (text)
		loaded(m, text);
	if (m->all.n) {
		qsort(m->all.at, m->all.n, sizeof(*m->all.at), modules_by_start);
		files = proc_file(dep, NULL);
	}
	for (size_t i = 1; i < m->all.n; i++)
		m->all.at[i - 1].size =
			MIN(m->all.at[i - 1].size, m->all.at[i].start - m->all.at[i - 1].start);
	for (size_t i = 0; files && i < m->all.n; i++)
		intern_str(&names, m->all.at[i].name);
	/* "kernel/fs/fat/fat.ko.xz: what it needs" */
	for (const char *p = files; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p) {
		size_t n = strcspn(p, ":\n"), len;
		char name[128];
		uint32_t at;

		len = name_in(p, n, name);
		at = len ? intern_find(&names, name, len) : HASH_NONE;
		if (at != HASH_NONE && at < m->all.n)
			m->all.at[at].path =
				arena_printf(&m->arena, "%s/%s/%.*s", lib_root, release, (int)n, p);
	}
	intern_release(&names);
}

char *modules_find(const char *folder, const char *name)
{
	AUTO_CHAR *root = mem_printf("%s", folder);
	char *const roots[] = {root, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT | FTS_XDEV, NULL);
	char *found = NULL, here[128];
	size_t n;

	if (!tree)
		return NULL;
	for (const FTSENT *e; !found && (e = fts_read(tree));) {
		if (e->fts_info == FTS_D || e->fts_info == FTS_DP)
			continue;
		n = name_in(e->fts_path, strlen(e->fts_path), here);
		if (n && n == strlen(name) && !memcmp(here, name, n))
			found = mem_strdup(e->fts_path);
	}
	fts_close(tree);
	return found;
}
