// SPDX-License-Identifier: MIT
#include "probe/kept_probes.h"

#include "base/options/options.h"
#include "probe/target.h"
#include "symbol/elf/sdt.h"
#include "symbol/store/store.h"
#include "symbol/store/store_probes.h"

#include <string.h>
#include <time.h>

void kept_probes_release(struct kept_probes *k)
{
	for (size_t i = 0; i < k->n; i++)
		vec_release(&k->at[i].lines);
	vec_release(k);
	arena_release(&k->arena);
	*k = (struct kept_probes){0};
}

void kept_probes_parse(struct kept_probes *k, const char *text)
{
	while (*text) {
		const size_t n = strcspn(text, "\n");
		const char *line = arena_strndup(&k->arena, text, n);

		if ((*line == '#' || *line == '%') && line[1])
			vec_add(k, (struct kept_probe){.marker = *line == '%', .spec = line + 1});
		else if (k->n && (*line == 'p' || *line == 'r'))
			vec_add(&k->at[k->n - 1].lines, line);
		text += n + (text[n] != 0);
	}
}

void kept_probes_text(const struct kept_probes *k, struct buf *out)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct kept_probe *p = &k->at[i];

		buf_printf(out, "%c%s\n", p->marker ? '%' : '#', p->spec);
		for (size_t j = 0; j < p->lines.n; j++)
			buf_printf(out, "%s\n", p->lines.at[j]);
	}
}

static const char *kept_probe_spec(const struct probe_spec *s, const struct probe_def *first,
				   struct arena *arena)
{
	AUTO_BUF text = {0};

	if (s->sdt)
		return arena_printf(arena, "%s:%s=%s", first->group, first->event, first->function);
	if (s->event)
		buf_printf(&text, "%s:%s=", first->group, s->event);
	probe_point_text(s, &text);
	for (size_t i = 0; i < s->args.n; i++) {
		buf_char(&text, ' ');
		probe_arg_text(&s->args.at[i], &text);
	}
	return arena_strdup(arena, buf_text(&text));
}

void kept_probes_add(struct kept_probes *k, const struct probe_spec *s,
		     const struct probe_def *defs, size_t n)
{
	struct kept_probe new = {.marker = s->sdt, .spec = kept_probe_spec(s, defs, &k->arena)};
	size_t i = 0;

	for (size_t j = 0; j < n; j++) {
		AUTO_BUF line = {0};

		probe_def_text(&defs[j], &line);
		vec_add(&new.lines, arena_strdup(&k->arena, buf_text(&line)));
	}
	while (i < k->n && strcmp(k->at[i].spec, new.spec))
		i++;
	if (i < k->n) {
		vec_release(&k->at[i].lines);
		k->at[i] = new;
	} else {
		vec_add(k, new);
	}
}

const char *kept_probe_name(const struct kept_probe *p, struct arena *arena)
{
	const char *equal = strchr(p->spec, '=');
	const char *blank = strchr(p->spec, ' ');

	/* "max a=b" names an argument */
	return equal && (!blank || equal < blank)
		       ? arena_strndup(arena, p->spec, (size_t)(equal - p->spec))
		       : p->spec;
}

int kept_probes_store(const char *dir, const char *path, const struct probe_spec *s,
		      const struct probe_def *defs, size_t n, struct err *err)
{
	struct kept_probes k = {0};
	struct build_id id = {0};
	AUTO_BUF text = {0}, now = {0};
	char hex[41];
	int failed;

	if ((path ? store_add(dir, path, 0, err) : store_add_kernel(dir, "/proc", err)) < 0)
		return -1;
	if (path ? build_id_of_file(path, &id) : build_id_of_kernel(&id))
		return err_set(err, ERR_INPUT, "'%s' has no build-id", path ? path : "the kernel");
	build_id_text(&id, hex);
	if (store_probes_read(dir, hex, &text))
		kept_probes_parse(&k, buf_text(&text));
	kept_probes_add(&k, s, defs, n);
	kept_probes_text(&k, &now);
	failed = store_probes_write(dir, path ? path : "[kernel.kallsyms]", hex, &now, err);
	kept_probes_release(&k);
	return failed;
}

/* Adds the definitions of all markers, those of one name together. */
static void keep_markers(struct kept_probes *k, struct probe_target *t, const char *path)
{
	const struct probe_spec all = {.sdt = true, .group = "sdt_*", .function = "*"};
	static const struct probe_names none;
	struct sdt_markers markers;
	AUTO_BUF notes = {0};

	if (sdt_markers_read(&markers, t->path))
		return;
	for (size_t i = 0; i < markers.n; i++) {
		struct probe_defs defs = {0};
		struct probe_spec s = all;
		bool before = false;

		s.group = arena_printf(&defs.arena, "sdt_%s", markers.at[i].provider);
		s.function = markers.at[i].name;
		for (size_t j = 0; j < i && !before; j++)
			before = !strcmp(markers.at[j].name, markers.at[i].name) &&
				 !strcmp(markers.at[j].provider, markers.at[i].provider);
		if (!before && !probe_is_glob(s.function) && !probe_is_glob(s.group) &&
		    !probe_target_markers(t, &s, &defs, &notes, NULL)) {
			bool named = true;

			for (size_t j = 0; j < defs.n; j++) {
				defs.at[j].file = path;
				named &= !probe_name_def(&defs.at[j], &s, PROBE_NAME_FREE, &none,
							 &defs.arena, NULL);
			}
			if (named)
				kept_probes_add(k, &s, defs.at, defs.n);
		}
		probe_defs_release(&defs);
	}
	sdt_markers_release(&markers);
}

int kept_probes_store_markers(const char *dir, const char *path, int32_t pid, struct err *err)
{
	struct probe_target t = {.kind = PROBE_FILE};
	struct kept_probes k = {0};
	AUTO_BUF text = {0}, now = {0};
	struct store_file f;
	char hex[41];
	int failed = 0;

	if (store_file_find(&f, path, pid, err))
		return -1;
	t.path = f.from;
	build_id_text(&f.id, hex);
	if (store_probes_read(dir, hex, &text))
		kept_probes_parse(&k, buf_text(&text));
	keep_markers(&k, &t, f.real);
	kept_probes_text(&k, &now);
	if (now.n && (now.n != text.n || memcmp(now.at, text.at, now.n)))
		failed = store_probes_write(dir, f.real, hex, &now, err);
	kept_probes_release(&k);
	store_file_release(&f);
	return failed;
}

/* True when the file still has that build-id. */
static bool is_as_stored(const struct sdt_probe *p)
{
	struct build_id id;
	char hex[41];

	if (build_id_of_file(p->path, &id))
		return false;
	build_id_text(&id, hex);
	return !strcmp(hex, p->build_id);
}

int kept_marker_files(const char *dir, uint64_t cache_size, const struct probe_spec *s,
		      struct arena *arena, struct names *out, struct err *err)
{
	AUTO_CHAR *pattern = mem_printf("%s:%s", s->group, s->function);
	struct sdt_probes all;
	bool changed = false;

	sdt_read(&all, dir, cache_size, time(NULL));
	for (size_t i = 0; i < all.n; i++) {
		bool known = !glob_match(pattern, all.at[i].event);

		for (size_t j = 0; j < out->n && !known; j++)
			known = !strcmp(out->at[j], all.at[i].path);
		if (known)
			continue;
		if (is_as_stored(&all.at[i]))
			vec_add(out, arena_strdup(arena, all.at[i].path));
		else
			changed = true;
	}
	sdt_release(&all);
	if (out->n)
		return 0;
	err_set(err, ERR_INPUT, "no file in the build-id store has the marker '%s'%s", pattern,
		changed ? " now: those that had it have changed" : "");
	return err_hint(err, "'perf buildid-cache --add PROGRAM' puts the program's markers there, "
			     "-x says in which program it is");
}
