// SPDX-License-Identifier: MIT
/* Lists and deletes the probes that the build-id store keeps: --cache. */
#include "cmd/probe/probe_opts.h"

#include "probe/kept_probes.h"
#include "symbol/store/store.h"
#include "symbol/store/store_probes.h"

#include <stdio.h>
#include <string.h>

const char *probe_store_dir(struct probe_work *w, struct err *err)
{
	const char *dir = store_find(w->o->symbols.buildid_dir, &w->arena);

	if (!dir)
		err_set(err, ERR_SYSTEM, "there is no store: HOME is not set");
	return dir;
}

bool probe_is_stored_marker(const struct probe_wish *wish)
{
	const char *text = wish->text + strspn(wish->text, " ");
	const char *equal = strchr(text, '=');

	if (wish->target || wish->kind != PROBE_KERNEL)
		return false;
	if (equal && !memchr(text, ' ', (size_t)(equal - text)))
		text = equal + 1; /* "EVENT=" */
	return !strncmp(text + (*text == '%'), "sdt_", 4);
}

/* The kept probes of one entry; false: it has none. */
static bool kept_of_entry(const char *dir, const struct store_entry *e, struct kept_probes *out)
{
	AUTO_BUF text = {0};

	*out = (struct kept_probes){0};
	if (!store_probes_read(dir, e->id, &text))
		return false;
	kept_probes_parse(out, buf_text(&text));
	return true;
}

/* 1, 0, or -1 with *err: the pattern makes no sense. */
static int kept_matches(const struct kept_probe *p, const char *pattern, struct arena *arena,
			struct err *err)
{
	const char *name = kept_probe_name(p, arena);
	const char *colon = name == p->spec ? NULL : strchr(name, ':');

	if (!strchr(pattern, ':') && !strpbrk(pattern, "&|!(") && colon)
		name = colon + 1;
	return probe_filter_match(pattern, name, err);
}

int probe_list_kept(struct probe_work *w, struct err *err)
{
	const char *dir = probe_store_dir(w, err), *pattern = w->o->wishes.at[0].text;
	struct buf *out = &w->env->out->buf;
	struct store_list list = {0};
	int failed = dir ? store_list_all(dir, &list, err) : -1;

	for (size_t i = 0; i < list.entries.n && !failed; i++) {
		const struct store_entry *e = &list.entries.at[i];
		struct kept_probes k;

		if (!kept_of_entry(dir, e, &k))
			continue;
		if (k.n) {
			buf_safe(out, e->path);
			buf_printf(out, " (%s):\n", e->id);
		}
		for (size_t j = 0; j < k.n && !failed; j++) {
			const int fits = kept_matches(&k.at[j], pattern, &k.arena, err);

			failed = fits < 0 ? -1 : 0;
			if (fits > 0) {
				buf_safe(out, k.at[j].spec);
				buf_char(out, '\n');
			}
		}
		kept_probes_release(&k);
	}
	store_list_release(&list);
	return failed;
}

/* Removes those that match from an entry's, and says which. Their number, or -1 with *err. */
static int drop_kept(const struct probe_work *w, const char *dir, const struct store_entry *e,
		     const char *pattern, struct err *err)
{
	struct kept_probes k;
	AUTO_BUF text = {0};
	int dropped = 0, fits = 0;
	size_t left = 0;

	if (!kept_of_entry(dir, e, &k))
		return 0;
	for (size_t i = 0; i < k.n && fits >= 0; i++) {
		fits = kept_matches(&k.at[i], pattern, &k.arena, err);
		if (fits > 0 && !w->o->quiet) {
			AUTO_BUF line = {0};

			buf_safe(&line, k.at[i].spec);
			fprintf(stderr, "Removed cached event: %s\n", buf_text(&line));
		}
		dropped += fits > 0;
		if (fits > 0)
			vec_release(&k.at[i].lines);
		else
			k.at[left++] = k.at[i];
	}
	if (fits >= 0)
		k.n = left;
	kept_probes_text(&k, &text);
	if (fits < 0 ||
	    (dropped && !w->o->dry_run && store_probes_write(dir, e->path, e->id, &text, err)))
		dropped = -1;
	kept_probes_release(&k);
	return dropped;
}

int probe_delete_kept(struct probe_work *w, struct err *err)
{
	const char *dir = probe_store_dir(w, err);
	struct store_list list = {0};
	int failed = dir ? store_list_all(dir, &list, err) : -1;

	for (size_t i = 0; i < w->o->wishes.n && !failed; i++) {
		const char *pattern = w->o->wishes.at[i].text;
		int n = 0;

		for (size_t j = 0; j < list.entries.n && !failed; j++) {
			const int dropped = drop_kept(w, dir, &list.entries.at[j], pattern, err);

			failed = dropped < 0 ? -1 : 0;
			n += dropped;
		}
		if (!failed && !n)
			failed = err_set(err, ERR_INPUT, "\"%s\" does not hit any event.", pattern);
	}
	store_list_release(&list);
	return failed;
}
