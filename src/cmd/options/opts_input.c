// SPDX-License-Identifier: MIT
#include "cmd/options/opts_input.h"

#include "cmd/options/opts_recorded.h"
#include "view/dump/dump.h"
#include "world/world.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const struct opt input_opts[] = {
	{OPT_STRING, 'i', "input", offsetof(struct input_opts, path), "file", "input file name"},
	{OPT_BOOL, 'f', "force", offsetof(struct input_opts, force), NULL, "don't complain, do it"},
	{OPT_END},
};

const char *input_path(const struct input_opts *o)
{
	struct stat st;

	if (o->path && *o->path)
		return o->path;
	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static void show_progress(void *ctx, double share, uint64_t bytes)
{
	out_progress(ctx, share, bytes);
}

struct recording *input_open_recording(const struct input_opts *o, struct out *out, struct err *err)
{
	const struct recording_options how = {
		.force = o->force, .progress = out ? show_progress : NULL, .progress_ctx = out};

	if (out)
		out_progress_start(out, "Processing events...");
	return recording_open(input_path(o), &how, err);
}

static void say_losses(const struct recording *rec, const char *prefix)
{
	AUTO_BUF line = {0};

	losses_show(&rec->m.losses, &line);
	if (line.n)
		fprintf(stderr, "%s%s\n", prefix, buf_text(&line));
}

/* Tells of a recorder that was killed before it could add what --self-contained adds. */
static void say_not_contained(const struct recording *rec, const char *prefix)
{
	if (!rec->m.losses.kind[LOSS_UNFINISHED].times || recording_has(rec, FEATURE_CONTAINED) ||
	    !recorded_with(rec, "--self-contained"))
		return;
	fprintf(stderr,
		"%sits names and code are not in it: 'perf inject --self-contained' adds them, on "
		"the machine that recorded it\n",
		prefix);
}

int input_account(const struct recording *rec, const char *prefix, bool strict)
{
	say_losses(rec, prefix);
	say_not_contained(rec, prefix);
	return losses_damage(&rec->m.losses) || (strict && losses_any(&rec->m.losses)) ? EXIT_DAMAGE
										       : 0;
}

bool input_lost_tracepoints(const struct recording *rec, struct err *err)
{
	AUTO_BUF line = {0};
	bool any = false;

	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct event *e = rec->m.events.events.at[i];

		if (e->format)
			return false;
		any |= e->attr.type == TYPE_TRACEPOINT;
	}
	if (!any || !losses_damage(&rec->m.losses))
		return false;
	losses_show(&rec->m.losses, &line);
	err_set(err, ERR_INPUT, "the file lost the descriptions of its tracepoints: %s",
		buf_text(&line));
	return true;
}

int input_dump(const struct input_opts *o, const struct symbol_options *symbols, bool strict,
	       struct env *env, struct err *err)
{
	AUTO(recording) *rec = input_open_recording(o, env->out, err);
	AUTO(world) *world = rec ? world_new(&rec->m, symbols) : NULL;

	if (!rec)
		return -1;
	dump_begin(rec, env->out);
	world_present_only(world);
	if (dump_all(rec, world, &(struct dump_how){0}, env->out, err))
		return -1;
	return input_account(rec, "perf: ", strict);
}

void input_tell_doubts(const struct recording *rec, const char *what, uint64_t n, uint64_t ns)
{
	AUTO_BUF line = {0};

	if (n) {
		buf_printf(&line, "records were lost during %llu %s", (unsigned long long)n, what);
		if (ns)
			buf_printf(&line, ", of %.3f ms in all", (double)ns / 1e6);
		buf_str(&line, ": those may be wrong, and others may be missing");
	} else if (losses_records(&rec->m.losses)) {
		buf_printf(&line, "records were lost: %s may be missing", what);
	}
	if (line.n)
		fprintf(stderr, "perf: %s\n", buf_text(&line));
}

int input_account_list(const struct recording *rec)
{
	if (!losses_damage(&rec->m.losses) && !rec->m.losses.kind[LOSS_STREAM_CUT].times)
		return 0;
	say_losses(rec, "perf: ");
	return EXIT_DAMAGE;
}
