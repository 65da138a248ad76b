// SPDX-License-Identifier: MIT
#include "cmd/options/output/opts_form.h"

#include "cmd/cmd.h"
#include "cmd/options/opts_rows.h"
#include "cmd/options/output/opts_export.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define AT(field) offsetof(struct form_opts, field)

const struct opt form_opts[] = {
	{OPT_BOOL, 'j', "json", AT(json), NULL, "show JSON, all times in ns"},
	{OPT_STRING, 'x', "field-separator", AT(separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_STRING, 0, "html", AT(html), "file", FORM_HTML_HELP},
	{OPT_END},
};

int form_opts_check(struct form_opts *o, struct err *err)
{
	if (o->json && o->separator)
		return err_set(err, ERR_USAGE, "-j and -x exclude each other");
	if (o->html && (o->json || o->separator))
		return err_set(err, ERR_USAGE, "--html and %s exclude each other",
			       o->json ? "-j" : "-x");
	if (o->separator && !*o->separator)
		return err_set(err, ERR_USAGE, "-x needs a separator");
	o->separator = rows_separator(o->separator);
	return 0;
}

bool form_is_rows(const struct form_opts *o)
{
	return o->json || o->separator || o->html;
}

/* The command line, without the folder of perf. */
static void form_set_title(struct form_output *f, const struct env *env)
{
	for (int i = 0; i < env->argc; i++) {
		const char *word = env->argv[i], *slash = strrchr(word, '/');

		buf_word(&f->title, !i && slash ? slash + 1 : word);
	}
	f->rows.title = buf_text(&f->title);
}

int form_begin(struct form_output *f, const struct form_opts *o, const struct env *env,
	       struct out *out, struct err *err)
{
	int fd;

	*f = (struct form_output){.rows = {.kind = ROWS_JSON}, .out = out};
	if (o->separator)
		f->rows = (struct rows_form){ROWS_CSV, .separator = o->separator};
	if (!o->html)
		return 0;
	f->out = env->out;
	if (strcmp(o->html, "-")) {
		fd = open(o->html, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return err_sys(err, errno, "cannot write '%s'", o->html);
		out_init(&f->file, fd);
		f->out = &f->file;
		f->path = o->html;
	}
	f->rows.kind = ROWS_PAGE;
	form_set_title(f, env);
	return 0;
}

int form_end(struct form_output *f, struct err *err)
{
	int failed = 0;

	if (f->path) {
		failed = out_end(&f->file, err);
		close(f->file.fd);
		out_release(&f->file);
		if (!failed)
			export_tell(f->path);
	}
	buf_release(&f->title);
	return failed;
}
