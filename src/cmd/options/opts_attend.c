// SPDX-License-Identifier: MIT
#include "cmd/options/opts_attend.h"

#include "os/process/attend.h"

#define AT(field) offsetof(struct attend_opts, field)

const struct opt attend_opts[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(system_wide), NULL, "of all processes of the machine"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "read a recording that was made before"},
	{OPT_BOOL, 'j', "json", AT(form.json), NULL, "show JSON"},
	{OPT_STRING, 'm', "mmap-pages", AT(mmap_pages), "pages", "pages of each ring buffer"},
	{OPT_STRING, 'o', "output", AT(output), "file", "the recording to make"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]", "of processes that run already"},
	{OPT_UINT, 'r', "rows", AT(rows), "n", "rows of each table at most"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say where symbols come from"},
	{OPT_END},
};

const struct opt attend_stack_opts[] = {
	{OPT_STRING, 0, "call-graph", AT(call_graph), "mode",
	 "how stacks are recorded:", .words = "fp dwarf lbr"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL,
	 "read a file that belongs to somebody else"},
	{OPT_STRING, 'x', "field-separator", AT(form.separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_STRING, 0, "html", AT(form.html), "file", FORM_HTML_HELP},
	{OPT_END},
};

void attend_defaults(struct attend_opts *o, const struct env *env)
{
	o->output = "perf.data";
	symbol_opts_defaults(&o->symbols, env);
}

bool attend_records(const struct attend_opts *o, int argc)
{
	return o->pids || o->system_wide || argc;
}

int attend_check(struct attend_opts *o, int argc, char separator, struct err *err)
{
	o->symbols.force = o->input.force;
	o->symbols.verbose += o->verbose;
	if (o->form.json && o->form.separator)
		return err_set(err, ERR_USAGE, "-j and -%c exclude each other", separator);
	if (o->pids && o->system_wide)
		return err_set(err, ERR_USAGE, "-a and -p exclude each other");
	if (attend_records(o, argc) && o->input.path)
		return err_set(err, ERR_USAGE, "'-i' reads a recording: there is nothing to run");
	return form_opts_check(&o->form, err);
}

const char *attend_chains(const struct attend_opts *o)
{
	if (o->call_graph)
		return o->call_graph;
	return o->system_wide ? "fp" : "dwarf";
}

void attend_words(struct command_words *w)
{
	static const char *const first[] = {"perf", "record", "-q"};

	command_words_add_all(w, first, ARRAY_SIZE(first));
}

int attend_run(struct attend_opts *o, struct command_words *w, char **argv, int *status,
	       struct err *err)
{
	AUTO_CHAR *path = *argv ? program_path(*argv, err) : NULL;
	int got;

	if (*argv && !path) {
		command_words_release(w);
		return -1;
	}
	command_words_add_option(w, "-m", o->mmap_pages);
	command_words_add_option(w, "-o", o->output);
	command_words_add_option(w, "-p", o->pids);
	if (o->system_wide)
		command_words_add(w, "-a");
	if (*argv)
		command_words_add(w, "--");
	for (; *argv; argv++)
		vec_add(&w->words, *argv);
	vec_add(&w->words, NULL);
	got = attend_record(w->words.at, o->output, status, err);
	if (!got && !*status)
		*status = EXIT_FAILED;
	o->input.path = o->output;
	command_words_release(w);
	return got;
}

int attend_show(const struct attend_opts *o, struct env *env, attend_view *show, void *ctx,
		struct err *err)
{
	AUTO(recording) *rec = input_open_recording(&o->input, env->out, err);
	AUTO(world) *world = rec ? world_of_recording(rec, &o->symbols) : NULL;

	if (!rec || show(ctx, rec, world, err))
		return -1;
	if (o->verbose)
		symbols_explain(world_dsos(world), env->debug);
	return input_account(rec, "perf: ", o->strict);
}

int attend_wall(struct attend_opts *o, struct env *env, int argc, char **argv, attend_view *show,
		void *ctx, struct err *err)
{
	struct command_words w = {0};
	int status, got;

	if (attend_check(o, argc, 'x', err))
		return -1;
	if (attend_records(o, argc)) {
		attend_words(&w);
		command_words_add(&w, "--wall");
		command_words_add_option(&w, "--call-graph", attend_chains(o));
		got = attend_run(o, &w, argv, &status, err);
		if (got <= 0)
			return got ? got : status;
	}
	return attend_show(o, env, show, ctx, err);
}
