// SPDX-License-Identifier: MIT
#include "cmd/options/opts_input.h"

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
