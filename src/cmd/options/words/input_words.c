// SPDX-License-Identifier: MIT
#include "cmd/options/words/input_words.h"

void input_words_add(struct command_words *w, const struct input_opts *input,
		     const struct filter_opts *filter, const struct symbol_options *files)
{
	const struct {
		const char *option, *value;
	} values[] = {
		{"-i", input_path(input)},	{"--symfs", files->symfs},
		{"--vmlinux", files->vmlinux},	{"--kallsyms", files->kallsyms},
		{"--comms", filter->comms},	{"--dsos", filter->dsos},
		{"--symbols", filter->symbols}, {"--pid", filter->pids},
		{"--tid", filter->tids},	{"--cpu", filter->cpus},
		{"--time", filter->time},
	};
	const struct {
		const char *option;
		bool given;
	} flags[] = {
		{"-f", input->force},
		{"--ignore-vmlinux", files->ignore_vmlinux},
		{"--no-demangle", !files->demangle},
		{"--demangle-kernel", files->demangle_kernel},
		{"--no-modules", !files->use_modules},
		{"--function-ranges", files->function_ranges},
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		command_words_add_option(w, values[i].option, values[i].value);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (flags[i].given)
			command_words_add(w, flags[i].option);
	if (files->debuginfod)
		vec_add(&w->words, arena_printf(&w->arena, "--debuginfod=%s", files->debuginfod));
}
