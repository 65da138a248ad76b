// SPDX-License-Identifier: MIT
#include "symbol/elf/sdt.h"

#include "os/files/text.h"
#include "symbol/cache/entry.h"
#include "symbol/cache/markers.h"
#include "symbol/dso_private.h"
#include "symbol/store/store_entry.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROBES_MOST (16u << 20)

struct store_entry {
	struct sdt_probes *out;
	const char *store, *dir; /* dir: that the link leads to */
	const char *path, *build_id;
};

static void sdt_add(struct store_entry *e, const char *event, size_t n)
{
	struct arena *a = &e->out->arena;

	if (!n || !memchr(event, ':', n))
		return;
	for (size_t i = 0; i < n; i++)
		if (!isgraph((unsigned char)event[i]))
			return;
	vec_add(e->out, (struct sdt_probe){arena_strndup(a, event, n), e->path, e->build_id});
}

/* Reads lines "%sdt_libc:setjmp=setjmp". The lines after each hold its addresses; lines with other
 * prefixes are probes of the user. False: there is no such file. */
static bool read_probes(struct store_entry *e)
{
	AUTO_BUF text = {0};
	const char *line;

	if (!store_may_read(e->store, e->build_id, "/probes") ||
	    text_read(e->dir, "probes", PROBES_MOST, &text))
		return false;
	for (line = buf_text(&text); *line;) {
		size_t n = strcspn(line, "\n");

		if (n > 5 && !memcmp(line, "%sdt_", 5))
			sdt_add(e, line + 1, strcspn(line, "=\n") - 1);
		line += n + (line[n] != 0);
	}
	return true;
}

/* Adds the markers of the entry's file. False: it cannot be read. */
static bool sdt_add_of_file(struct store_entry *e)
{
	struct sdt_markers markers;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/elf", e->dir) >= (int)sizeof(path) ||
	    !store_may_read(e->store, e->build_id, "/elf") || sdt_markers_read(&markers, path))
		return false;
	for (size_t i = 0; i < markers.n; i++) {
		const struct sdt_marker *m = &markers.at[i];
		const char *event = arena_printf(&e->out->arena, "sdt_%s:%s", m->provider, m->name);

		if (*m->provider && *m->name)
			sdt_add(e, event, strlen(event));
	}
	sdt_markers_release(&markers);
	return true;
}

/* True for an entry with an empty "probes" file: a recorder has found no markers in it. Most
 * entries have one. */
static bool has_none(int dir, const char *entry)
{
	char probes[64];
	struct stat st;

	return snprintf(probes, sizeof(probes), "%s/probes", entry) < (int)sizeof(probes) &&
	       !fstatat(dir, probes, &st, 0) && S_ISREG(st.st_mode) && !st.st_size;
}

struct store {
	const char *dir, *ids;	  /* ids: its .build-id */
	struct marker_folders kept; /* loaded from the cache */
	struct marker_folders now;
	bool news; /* there are new results to cache */
};

/* Reads the entry of ".build-id/FIRST/REST", a link like "../../usr/lib/libc.so.6/93ac...": the
 * file's path and build-id. False: the entry has no markers, and never will. */
static bool read_entry(struct sdt_probes *out, const struct store *s, const char *first,
		       const char *rest)
{
	struct arena *a = &out->arena;
	struct store_entry e = {.out = out, .store = s->dir};
	AUTO_FD store = store_open(s->dir);
	char path[PATH_MAX], id[41];
	size_t before = out->n;

	if (store < 0 || !store_id_of_names(first, rest, id) ||
	    store_link_read(store, id, path) != STORE_ENTRY)
		return true;
	e.dir = arena_printf(a, "%s/%s/%s", s->ids, first, rest);
	e.path = arena_strdup(a, path);
	e.build_id = arena_strdup(a, id);
	return read_probes(&e) || !sdt_add_of_file(&e) || out->n > before;
}

/* Reads all entries of a folder. Notes those that may have markers. */
static void read_folder(struct sdt_probes *out, const struct store *s, int folder,
			struct marker_folder *now)
{
	struct names rests = {0};

	text_names(s->ids, now->name, true, false, &out->arena, &rests);
	for (size_t i = 0; i < rests.n; i++)
		if (!has_none(folder, rests.at[i]) && read_entry(out, s, now->name, rests.at[i]))
			vec_add(&now->look, rests.at[i]);
	vec_release(&rests);
}

static void read_store(struct sdt_probes *out, struct store *s, int64_t time)
{
	struct names firsts = {0};
	size_t from = 0;
	struct stat st;

	text_names(s->ids, NULL, true, true, &out->arena, &firsts);
	for (size_t i = 0; i < firsts.n; i++) {
		AUTO_CHAR *path = mem_printf("%s/%s", s->ids, firsts.at[i]);
		const struct marker_folder *kept;
		struct marker_folder now;

		if (stat(path, &st))
			continue;
		now = marker_folder_of(firsts.at[i], &st);
		kept = marker_folders_find(&s->kept, &now, &from);
		if (kept) {
			for (size_t j = 0; j < kept->look.n; j++) {
				read_entry(out, s, now.name, kept->look.at[j]);
				vec_add(&now.look, kept->look.at[j]);
			}
		} else {
			AUTO_FD fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

			read_folder(out, s, fd, &now);
			s->news |= marker_folder_settled(&now, time);
		}
		if (marker_folder_settled(&now, time))
			vec_add(&s->now, now);
		else
			vec_release(&now.look);
	}
	vec_release(&firsts);
}

static int by_event(const void *a, const void *b)
{
	const struct sdt_probe *x = a, *y = b;
	int order = strcmp(x->event, y->event);

	return order ? order : strcmp(x->build_id, y->build_id);
}

void sdt_read(struct sdt_probes *out, const char *dir, uint64_t cache_size, int64_t time)
{
	AUTO_CHAR *cache = cache_size ? cache_dir() : NULL;
	const char *home = getenv("HOME");
	struct store s = {0};
	struct stat st;
	size_t kept = 0;

	*out = (struct sdt_probes){0};
	if (!dir && !home)
		return;
	s.dir = dir ? dir : arena_printf(&out->arena, "%s/.debug", home);
	s.ids = arena_printf(&out->arena, "%s/.build-id", s.dir);
	if (stat(s.ids, &st))
		return;
	if (cache)
		marker_folders_load(&s.kept, &out->arena, cache, &st);
	read_store(out, &s, time);
	if (cache && s.news)
		marker_folders_store(&s.now, cache, &st, cache_size);
	marker_folders_release(&s.kept);
	marker_folders_release(&s.now);
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_event);
	for (size_t i = 0; i < out->n; i++)
		if (!kept || by_event(&out->at[kept - 1], &out->at[i]))
			out->at[kept++] = out->at[i];
	out->n = kept;
}

void sdt_release(struct sdt_probes *probes)
{
	vec_release(probes);
	arena_release(&probes->arena);
}
