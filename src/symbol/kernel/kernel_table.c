// SPDX-License-Identifier: MIT
/*
 * Chooses the kallsyms file for a recorded kernel. There are two: the live one of the running
 * kernel, which takes 40 ms to format it, and the copy that perf's recorder leaves in the build-id
 * cache. For the kernel itself, all copies of one build are equivalent when it is known how far the
 * kernel was moved. For modules, only the live one has the current addresses.
 */
#include "os/files/text.h"
#include "symbol/dso_private.h"

#include <limits.h>
#include <stdio.h>

/* A kernel without a build-id counts as live unless no_live is set. */
bool kernel_is_live(struct dso *kernel)
{
	struct build_id live = {0};

	if (kernel->guest)
		return false;
	if (!kernel->build_id.size)
		return !kernel->set->options.no_live;
	return !build_id_of_kernel(&live) && build_id_equal(&live, &kernel->build_id);
}

void kernel_tell_unplaced(struct dso *kernel, const char *path)
{
	dso_tried(kernel, path,
		  "right only for the boot that was recorded: the recording does not say where the "
		  "kernel "
		  "lay");
}

static bool read_table(struct dso *kernel, const char *path, struct kernel_table *t)
{
	const struct kernel_layout *layout = &kernel->private_data->layout;
	uint64_t reference;

	if (kallsyms_read(&t->kallsyms, path, NULL) < 0 || !t->kallsyms.symbols.n ||
	    t->kallsyms.hidden) {
		dso_tried(kernel, path,
			  t->kallsyms.hidden   ? "addresses are hidden (kernel.kptr_restrict)"
			  : t->kallsyms.text.n ? "not a list of symbols"
					       : "no such file, or not readable");
		kallsyms_release(&t->kallsyms);
		t->kallsyms = (struct kallsyms){0};
		return false;
	}
	t->path = mem_strdup(path);
	if (layout->reference_recorded) {
		reference = kallsyms_address(&t->kallsyms, layout->reference);
		t->placed = reference != 0;
		t->delta = reference ? reference - layout->reference_recorded : 0;
	}
	if (!t->placed && kernel->private_data->has_layout)
		kernel_tell_unplaced(kernel, path);
	return true;
}

/* Reads the symbols beside a copy of the kernel's code: [kernel.kcore]/ID/TIME/kallsyms, the newest
 * first. */
static void read_kcores(struct dso *kernel, const char *id, struct kernel_table *t)
{
	AUTO_CHAR *below = mem_printf("[kernel.kcore]/%s", id);
	char folder[PATH_MAX], path[PATH_MAX];
	struct arena arena = {0};
	struct names names = {0};
	bool found = false;

	if (build_id_cache_named(kernel, below, folder, sizeof(folder)))
		text_names(folder, NULL, true, false, &arena, &names);
	for (size_t i = names.n; i-- && !found;) {
		AUTO_CHAR *file = mem_printf("%s/%s/kallsyms", below, names.at[i]);

		found = build_id_cache_named(kernel, file, path, sizeof(path)) &&
			read_table(kernel, path, t);
	}
	vec_release(&names);
	arena_release(&arena);
}

/* Reads a copy from the new layout of the cache, then from the old ones. */
static void read_copy(struct dso *kernel, struct kernel_table *t)
{
	const char *dir = kernel->set->private_data->buildid_dir;
	char path[PATH_MAX], name[96], text[41];

	if (!kernel->build_id.size || !dir)
		return;
	if (build_id_cache_path(kernel, "/kallsyms", path, sizeof(path)) &&
	    read_table(kernel, path, t))
		return;
	build_id_text(&kernel->build_id, text);
	snprintf(name, sizeof(name), "[kernel.kallsyms]/%s/kallsyms", text);
	if (build_id_cache_named(kernel, name, path, sizeof(path)) && read_table(kernel, path, t))
		return;
	snprintf(name, sizeof(name), "[kernel.kallsyms]/%s", text);
	if (!build_id_cache_named(kernel, name, path, sizeof(path)) || !read_table(kernel, path, t))
		read_kcores(kernel, text, t);
}

static void read_live(struct dso *kernel, struct kernel_table *t)
{
	const char *given = kernel->set->options.kallsyms;

	if (given)
		read_table(kernel, given, t);
	else if (kernel_is_live(kernel))
		read_table(kernel, kallsyms_live, t);
	else
		dso_tried(kernel, kallsyms_live, "is of another kernel");
}

static struct kernel_table *once(struct dso *kernel, struct kernel_table *t,
				 void (*read)(struct dso *kernel, struct kernel_table *t))
{
	if (!t->tried)
		read(kernel, t);
	t->tried = true;
	return t->kallsyms.symbols.n ? t : NULL;
}

static const struct kernel_table *kernel_table_choose(struct dso *kernel, bool live)
{
	const struct symbol_options *o = &kernel->set->options;
	struct dso_set_private *p = kernel->set->private_data;
	const struct kernel_table *t;

	if (o->kallsyms)
		return once(kernel, &p->live, read_live);
	if (o->symfs && *o->symfs)
		return NULL;
	if (!live && !p->live.tried && kernel->private_data->layout.reference_recorded) {
		t = once(kernel, &p->copy, read_copy);
		if (t && t->placed)
			return t;
	}
	t = once(kernel, &p->live, read_live);
	return t ? t : once(kernel, &p->copy, read_copy);
}

static void read_guest(struct dso *kernel, struct kernel_table *t)
{
	if (kernel->private_data->guest_kallsyms)
		read_table(kernel, kernel->private_data->guest_kallsyms, t);
	else
		dso_tried(kernel, "--guestkallsyms", "names no file for this guest");
}

const struct kernel_table *kernel_table_get(struct dso *kernel, bool live)
{
	struct dso_set_private *p = kernel->set->private_data;
	const struct kernel_table *t;

	/* the tables of this machine are not those of a guest */
	pthread_mutex_lock(&p->tables_lock);
	t = kernel->guest ? once(kernel, &kernel->private_data->guest_table, read_guest)
			  : kernel_table_choose(kernel, live);
	pthread_mutex_unlock(&p->tables_lock);
	return t;
}

void kernel_table_release(struct kernel_table *t)
{
	kallsyms_release(&t->kallsyms);
	free(t->path);
}
