// SPDX-License-Identifier: MIT
#include "cmd/options/opts_input.h"

#include "data/recording.h"
#include "os/machine/host.h"
#include "os/machine/kallsyms.h"
#include "os/proc/proc.h"
#include "world/hits.h"

struct buildid_list_opts {
	struct input_opts input;
	bool hits, kernel, maps;
	int verbose;
};

static const struct opt options[] = {
	{OPT_BOOL, 'H', "with-hits", offsetof(struct buildid_list_opts, hits), NULL,
	 "Show only DSOs with hits"},
	{OPT_BOOL, 'k', "kernel", offsetof(struct buildid_list_opts, kernel), NULL,
	 "Show current kernel build id"},
	{OPT_BOOL, 'm', "kernel-maps", offsetof(struct buildid_list_opts, maps), NULL,
	 "Show build id of current kernel + modules"},
	{OPT_COUNT, 'v', "verbose", offsetof(struct buildid_list_opts, verbose), NULL,
	 "be more verbose"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{input_opts, offsetof(struct buildid_list_opts, input)}, {options, 0}, {0}};

static void show_map(struct buf *out, const struct build_id *id, uint64_t start, uint64_t end,
		     const char *name)
{
	char text[41];

	build_id_text(id, text);
	buf_str(out, text);
	buf_char(out, ' ');
	buf_hex_right(out, start, 16);
	buf_char(out, ' ');
	buf_hex_right(out, end, 16);
	buf_char(out, ' ');
	buf_safe(out, name);
	buf_char(out, '\n');
}

static int show_kernel_maps(struct buf *out, struct err *err)
{
	struct kernel_modules modules;
	struct host_kernel kernel;
	struct build_id id = {0};

	if (!proc_mounted("/proc"))
		return err_set(err, ERR_SYSTEM,
			       "where the kernel lies is unknown: there is no /proc here");
	if (!host_kernel_text("/proc", &kernel))
		return err_set(err, ERR_RIGHTS, "the kernel hides its addresses"),
		       err_hint(err, "run as root, or set /proc/sys/kernel/kptr_restrict to 0");
	build_id_of_kernel(&id);
	show_map(out, &id, kernel.text, kernel.etext, "[kernel.kallsyms]");
	kernel_modules_read(&modules, "/proc");
	for (size_t i = 0; i < modules.n; i++) {
		const struct kernel_module *m = &modules.at[i];
		AUTO_CHAR *name = mem_printf("[%s]", m->name);

		id = (struct build_id){0};
		build_id_of_module(m->name, &id);
		show_map(out, &id, m->start, m->start + m->size, name);
	}
	kernel_modules_release(&modules);
	return 0;
}

static void show_dso(struct buf *out, const struct build_id *id, const char *name)
{
	char text[41];

	build_id_text(id, text);
	buf_left(out, text, 40);
	buf_char(out, ' ');
	buf_safe(out, name);
	buf_char(out, '\n');
}

/* Lists the header's table. Where several entries have one name, the last entry's build-id is shown
 * at the first entry's place. */
static void buildid_list_show_table(const struct recording *rec, struct buf *out)
{
	struct intern names = {0};
	VEC(struct build_id) ids = {0};

	for (size_t i = 0; i < rec->build_ids.n; i++) {
		const struct build_id_entry *e = &rec->build_ids.at[i];
		struct build_id id = {.size = (uint8_t)MIN(e->size, sizeof(id.bytes))};
		uint32_t place = intern_str(&names, e->filename);

		memcpy(id.bytes, e->id, id.size);
		if (place == ids.n)
			vec_add(&ids, id);
		else
			ids.at[place] = id;
	}
	for (uint32_t i = 0; i < ids.n; i++)
		show_dso(out, &ids.at[i], intern_text(&names, i));
	vec_release(&ids);
	intern_release(&names);
}

/*
 * perf copies its own vdso to a temporary file, and lists a vdso without a build-id by that file's
 * name. We print a name of this form for scripts that expect it; no such file is made.
 */
static const char *list_name(const struct world *world, const struct dso *dso)
{
	if (dso->kind != DSO_VDSO)
		return dso->long_name;
	return dso->build_id.size ? world_dso_name(world, dso) : "/tmp/perf-vdso.so-none";
}

static int show_hits(const struct env *env, struct recording *rec, struct err *err)
{
	const struct symbol_options how = {.guests = env->guests ? *env->guests
								 : (struct guest_options){0}};
	AUTO(world) *world = world_of_recording(rec, &how);
	const struct dso_set *set = world_dsos(world);
	struct idmap hits = {0};
	/* hits of the sample addresses, not of their call chains */
	int got = world_hits(world, rec, false, &hits, err);

	/* guests stand after the host */
	for (size_t i = 0; i < 2 * set->dsos.n && !got; i++) {
		const struct dso *dso = set->dsos.at[i % set->dsos.n];

		if (dso->guest == (i >= set->dsos.n) &&
		    idmap_find(&hits, dso->index) != HASH_NONE)
			show_dso(&env->out->buf, &dso->build_id, list_name(world, dso));
	}
	idmap_release(&hits);
	return got;
}

/* -v: prints the header's table in perf's words. */
static void explain_table(const struct recording *rec)
{
	struct buf line = {0};

	for (size_t i = 0; i < rec->build_ids.n; i++) {
		const struct build_id_entry *e = &rec->build_ids.at[i];
		struct build_id id = {.size = (uint8_t)MIN(e->size, sizeof(id.bytes))};
		char text[41];

		memcpy(id.bytes, e->id, id.size);
		build_id_text(&id, text);
		buf_str(&line, "build id event received for ");
		buf_safe(&line, e->filename);
		buf_printf(&line, ": %s [%u]\n", text, (unsigned int)id.size);
	}
	fputs(buf_text(&line), stderr);
	buf_release(&line);
}

static int show_recording(const struct buildid_list_opts *o, const struct env *env, struct err *err)
{
	struct out *out = env->out;
	AUTO(recording) *rec = NULL;
	struct build_id id;
	bool hits = o->hits;

	if (!build_id_of_file(input_path(&o->input), &id)) {
		char text[41];

		build_id_text(&id, text);
		buf_str(&out->buf, text);
		buf_char(&out->buf, '\n');
		return 0;
	}
	rec = input_open_recording(&o->input, out, err);
	if (!rec)
		return -1;
	/* which files an instruction trace hits is known only after decoding */
	if (!rec->is_pipe && recording_has(rec, FEATURE_AUXTRACE))
		hits = false;
	if (rec->is_pipe || !recording_has(rec, FEATURE_BUILD_ID))
		hits = true;
	if (o->verbose > 0)
		explain_table(rec);
	if (!hits)
		buildid_list_show_table(rec, &out->buf);
	else if (show_hits(env, rec, err))
		return -1;
	return input_account_list(rec);
}

static int cmd_buildid_list_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	const struct buildid_list_opts *o = opts;
	struct buf *out = &env->out->buf;
	struct build_id id;
	char text[41];

	if (argc)
		return err_set(err, ERR_USAGE,
			       "buildid-list takes no argument: '%s' (-i names a file)", argv[0]);
	if (o->maps)
		return show_kernel_maps(out, err);
	if (!o->kernel)
		return show_recording(o, env, err);
	if (build_id_of_kernel(&id) < 0)
		return err_set(err, ERR_UNSUPPORTED, "the running kernel tells no build-id");
	build_id_text(&id, text);
	buf_str(out, text);
	buf_char(out, '\n');
	return 0;
}

static const char *const usage[] = {"buildid-list [<options>]", NULL};

const struct cmd cmd_buildid_list = {
	.name = "buildid-list",
	.summary = "List the buildids in a perf.data file",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct buildid_list_opts),
	.run = cmd_buildid_list_run,
};
