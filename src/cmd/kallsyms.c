// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

#include "os/machine/kallsyms.h"
#include "os/machine/modules.h"
#include "os/rights/rights.h"

#include <string.h>
#include <sys/utsname.h>

struct kallsyms_opts {
	const char *file;
	int verbose;
};

static const struct opt options[] = {
	{OPT_COUNT, 'v', "verbose", offsetof(struct kallsyms_opts, verbose), NULL,
	 "be more verbose (show counter open errors, etc)"},
	{OPT_STRING, 0, "kallsyms", offsetof(struct kallsyms_opts, file), "file",
	 "read this copy of /proc/kallsyms, and modules beside it"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

struct symbol_search {
	struct kallsyms symbols;
	struct modules modules;
	VEC(uint64_t) starts; /* where functions and data begin, ascending */
};

/* True for symbols of code and data: they extend to the next start. */
static bool has_extent(char type)
{
	return strchr("TtWwDdBb", type) != NULL;
}

static int kallsyms_by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void search_release(struct symbol_search *s)
{
	vec_release(&s->starts);
	modules_release(&s->modules);
	kallsyms_release(&s->symbols);
}

static int search_open(struct symbol_search *s, const char *file, struct err *err)
{
	AUTO_CHAR *folder = mem_strdup(file ? file : kallsyms_live);
	char *slash = strrchr(folder, '/');
	struct utsname name;

	if (kallsyms_read(&s->symbols, file ? file : kallsyms_live, err))
		return -1;
	if (s->symbols.hidden) {
		char why[200];

		if (file)
			return err_set(err, ERR_INPUT, "'%s' holds no addresses", file);
		rights_kernel_unseen("/proc", why, sizeof(why));
		return err_set(err, ERR_RIGHTS, "the kernel's addresses are %s", why);
	}
	if (slash)
		*slash = 0;
	uname(&name);
	modules_read(&s->modules, slash ? folder : ".", file ? folder : "/lib/modules",
		     name.release);
	for (size_t i = 0; i < s->symbols.symbols.n; i++)
		if (has_extent(s->symbols.symbols.at[i].type))
			vec_add(&s->starts, s->symbols.symbols.at[i].address);
	if (s->starts.n)
		qsort(s->starts.at, s->starts.n, sizeof(*s->starts.at), kallsyms_by_address);
	return 0;
}

/* The end of the symbol at address: the next start, or the end of the next page when there is
 * none. */
static uint64_t search_end(const struct symbol_search *s, uint64_t address)
{
	size_t low = 0, high = s->starts.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->starts.at[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->starts.n ? s->starts.at[low] : (address | 4095) + 4097;
}

static const struct module *search_module(const struct symbol_search *s, const char *name)
{
	for (size_t i = 0; i < s->modules.all.n; i++)
		if (!strcmp(s->modules.all.at[i].name, name))
			return &s->modules.all.at[i];
	return NULL;
}

static void kallsyms_show_symbol(const struct symbol_search *s, const struct kallsym *k,
				 struct buf *out)
{
	const char *name = k->module ? s->symbols.modules.at[k->module] : NULL;
	const struct module *module = name ? search_module(s, name) : NULL;
	uint64_t end = search_end(s, k->address), base = module ? module->start : 0;
	AUTO_CHAR *both = name ? mem_printf("[%s] %s%s%s", name, module ? module->path : "[",
					    module ? "" : name, module ? "" : "]")
			       : mem_strdup("[kernel] [kernel.kallsyms]");

	if (base > k->address) /* the data of a module may lie before its code */
		base = 0;
	buf_safe(out, k->name);
	buf_str(out, ": ");
	buf_safe(out, both);
	buf_printf(out, " %#llx-%#llx (%#llx-%#llx)\n", (unsigned long long)k->address,
		   (unsigned long long)end, (unsigned long long)(k->address - base),
		   (unsigned long long)(end - base));
}

static int find_symbols(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	const struct kallsyms_opts *o = opts;
	struct symbol_search s = {0};
	struct buf *out = &env->out->buf;
	int got;

	if (!argc)
		return err_set(err, ERR_USAGE, "which symbol?");
	got = search_open(&s, o->file, err);
	if (!got && o->verbose)
		fprintf(env->debug, "%zu symbols and %zu modules in '%s'\n", s.symbols.symbols.n,
			s.modules.all.n, o->file ? o->file : kallsyms_live);
	for (int i = 0; i < argc && !got; i++) {
		bool found = false;

		for (size_t j = 0; j < s.symbols.symbols.n; j++)
			if (!strcmp(s.symbols.symbols.at[j].name, argv[i])) {
				kallsyms_show_symbol(&s, &s.symbols.symbols.at[j], out);
				found = true;
			}
		if (!found) {
			buf_safe(out, argv[i]);
			buf_str(out, ": not found\n");
		}
	}
	search_release(&s);
	return got;
}

static const char *const usage[] = {"kallsyms [<options>] symbol_name", NULL};

const struct cmd cmd_kallsyms = {
	.name = "kallsyms",
	.summary = "Searches running kernel for symbols",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct kallsyms_opts),
	.run = find_symbols,
};
