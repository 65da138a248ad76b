// SPDX-License-Identifier: MIT
#include "cmd/options/opts_symbols.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AT(field) offsetof(struct symbol_options, field)

const struct opt symbol_opts[] = {
	{OPT_STRING, 'k', "vmlinux", AT(vmlinux), "file", "vmlinux pathname"},
	{OPT_STRING, 0, "kallsyms", AT(kallsyms), "file", "kallsyms pathname"},
	{OPT_BOOL, 'm', "modules", AT(use_modules), NULL,
	 "load module symbols - WARNING: use only with -k and LIVE kernel"},
	{OPT_BOOL, 0, "ignore-vmlinux", AT(ignore_vmlinux), NULL,
	 "don't load vmlinux even if found"},
	{OPT_STRING, 0, "symfs", AT(symfs), "directory",
	 "Look for files with symbols relative to this directory"},
	{OPT_BOOL, 0, "function-ranges", AT(function_ranges), NULL,
	 "name stripped code by its functions: file+0x1234"},
	{OPT_STRING, 0, "debuginfod", AT(debuginfod), "urls",
	 "fetch debug files of what many samples lie in", OPT_OPTIONAL, ""},
	{OPT_BOOL, 0, "demangle", AT(demangle), NULL, "Enable symbol demangling"},
	{OPT_BOOL, 0, "demangle-kernel", AT(demangle_kernel), NULL,
	 "Enable kernel symbol demangling"},
	{OPT_END},
};

const struct opt guest_opts[] = {
	{OPT_BOOL, 0, "guest-code", AT(guests.code), NULL,
	 "Guest code can be found in hypervisor process"},
	{OPT_STRING, 0, "guestkallsyms", AT(guests.kallsyms), "file",
	 "file saving guest os /proc/kallsyms"},
	{OPT_STRING, 0, "guestmodules", AT(guests.modules), "file",
	 "file saving guest os /proc/modules"},
	{OPT_STRING, 0, "guestmount", AT(guests.mount), "directory",
	 "guest mount directory under which every guest os instance has a subdir"},
	{OPT_STRING, 0, "guestvmlinux", AT(guests.vmlinux), "file", "file saving guest os vmlinux"},
	{OPT_END},
};

#define CACHE_MIB 256

uint64_t symbol_cache_size(const struct config *config)
{
	long size = config_int(config, "lines.cache-size", CACHE_MIB);

	return config_bool(config, "lines.cache", true) && size > 0 ? (uint64_t)size << 20 : 0;
}

void symbol_opts_defaults(struct symbol_options *o, const struct env *env)
{
	o->demangle = true;
	o->use_modules = true;
	o->jitdump = true;
	o->buildid_dir = env->buildid_dir;
	o->cache_size = symbol_cache_size(env->config);
	o->verbose = env->verbose;
	if (env->guests)
		o->guests = *env->guests;
}

int symbol_opts_check(struct symbol_options *o, struct err *err)
{
	const struct guest_options *g = &o->guests;
	const char *const files[] = {o->vmlinux,  o->kallsyms, g->mount,
				     g->kallsyms, g->modules,  g->vmlinux};

	/* "/" is the default root, but as a symfs it would hide the running kernel's symbols */
	if (o->symfs && !strcmp(o->symfs, "/"))
		o->symfs = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i] && access(files[i], R_OK))
			return err_set(err, ERR_INPUT, "Invalid file: %s", files[i]);
	if (g->mount || g->kallsyms || g->modules || g->vmlinux || g->code)
		o->guests.wanted = true;
	return 0;
}

void symbols_explain(const struct dso_set *set, FILE *to)
{
	struct buf text = {0};

	dso_set_given_up(set, &text);
	if (set->options.verbose > 0)
		dso_set_explain(set, &text);
	fputs(buf_text(&text), to);
	buf_release(&text);
}
