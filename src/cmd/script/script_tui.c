// SPDX-License-Identifier: MIT
/* script --tui: a process writes the text, the other one shows it. */
#include "cmd/options/output/output_browse.h"
#include "cmd/script/script_opts.h"

#include <string.h>
#include <unistd.h>

static int script_tui_check(const struct script_opts *o, struct err *err)
{
	if (o->html || o->per_event_dump)
		return err_set(err, ERR_USAGE, "'--tui' and '%s' exclude each other",
			       o->html ? "--html" : "--per-event-dump");
	if (!strcmp(input_path(&o->input), "-"))
		return err_set(err, ERR_USAGE,
			       "'--tui' needs a file: keys come from standard input");
	if (!screen_possible())
		return err_set(err, ERR_UNSUPPORTED,
			       "'--tui' needs a terminal that can move its cursor");
	return 0;
}

int script_tui(const struct script_opts *o, struct env *env, int *status, struct err *err)
{
	AUTO(recording) *rec = NULL;
	AUTO_BUF title = {0};
	struct screen *screen;
	struct child_output output;
	int child;

	/* a file that cannot be read is said without a browser */
	if (script_tui_check(o, err) || !(rec = input_open_recording(&o->input, env->out, err)))
		return -1;
	child = child_output_fork(&output, err);
	if (child < 0)
		return -1;
	if (child) {
		out_release(env->out);
		out_init(env->out, STDOUT_FILENO);
		return 1;
	}
	screen = screen_open(err);
	if (!screen) {
		child_output_end(&output);
		return -1;
	}
	buf_printf(&title, "perf script  %s", rec->path);
	output_browse(screen, buf_text(&title), &output, NULL, status);
	screen_close(screen);
	return 0;
}
