// SPDX-License-Identifier: MIT
#include "cmd/mem/leak_probes.h"

#include "analysis/leaks/heap.h"
#include "os/proc/proc.h"
#include "probe/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* The registers of a function's first two arguments, as probes name them. Source: the psABIs. */
struct leak_machine {
	const char *name, *first, *second;
};

static const struct leak_machine machines[] = {
	{"x86_64", "%di", "%si"},      {"aarch64", "%x0", "%x1"},   {"riscv64", "%a0", "%a1"},
	{"ppc64le", "%gpr3", "%gpr4"}, {"ppc64", "%gpr3", "%gpr4"}, {"s390x", "%r2", "%r3"},
	{"loongarch64", "%r4", "%r5"},
};

/* The arguments that a probe fetches. 1 and 2 stand for the first and the second one. */
static const char *const leak_arguments[HEAP_FUNCTIONS] = {
	[HEAP_MALLOC] = "size=1",  [HEAP_CALLOC] = "n=1 size=2", [HEAP_REALLOC] = "old=1 size=2",
	[HEAP_ALIGNED] = "size=2", [HEAP_MEMALIGN] = "size=2",	 [HEAP_FREE] = "old=1",
};

struct leak_files {
	const struct leak_machine *machine;
	struct command_words *w;
	const struct symbol_options *options;
	int pid;
	VEC(struct leak_file {
		uint64_t ino;
		uint32_t maj, min;
	})
	seen; /* files of all processes */
	size_t probed;
};

static const struct leak_machine *leak_machine_here(void)
{
	struct utsname host;

	for (size_t i = 0; !uname(&host) && i < ARRAY_SIZE(machines); i++)
		if (!strcmp(machines[i].name, host.machine))
			return &machines[i];
	return NULL;
}

/* Appends a path with the characters escaped that would end it in an event. */
static void leak_path_text(struct buf *out, const char *path)
{
	for (; *path; path++) {
		if (strchr(":,{}(\\ ", *path))
			buf_char(out, '\\');
		buf_char(out, *path);
	}
}

static void leak_arguments_text(struct buf *out, const struct leak_machine *m, const char *text)
{
	for (; *text; text++) {
		if (*text == '1')
			buf_printf(out, "%s:u64", m->first);
		else if (*text == '2')
			buf_printf(out, "%s:u64", m->second);
		else
			buf_char(out, *text);
	}
}

static void leak_probe_add(struct leak_files *f, const char *path, enum heap_function function)
{
	const char *name = heap_function_names[function];
	AUTO_BUF file = {0}, call = {0};

	leak_path_text(&file, path);
	buf_printf(&call, "uprobe:%s:%s(", buf_text(&file), name);
	leak_arguments_text(&call, f->machine, leak_arguments[function]);
	buf_char(&call, ')');
	command_words_add_option(f->w, "-e", buf_text(&call));
	if (function == HEAP_FREE)
		return;
	buf_clear(&call);
	buf_printf(&call, "uretprobe:%s:%s(ret=$retval:u64)", buf_text(&file), name);
	command_words_add_option(f->w, "-e", buf_text(&call));
}

/* Returns the address of a function in the file; 0: not found, or ambiguous. */
static uint64_t leak_function_at(struct probe_target *t, const char *name)
{
	static const struct probe_wishes wishes = {.no_inlines = true,
						   .max_probes = PROBE_ARGS_MAX};
	struct probe_spec spec = {0};
	struct probe_defs defs = {0};
	AUTO_BUF notes = {0};
	uint64_t at = 0;

	if (!probe_spec_parse(&spec, name, &t->arena, NULL) &&
	    !probe_target_defs(t, &spec, &wishes, &defs, &notes, NULL) && defs.n == 1)
		at = defs.at[0].address;
	probe_spec_release(&spec);
	probe_defs_release(&defs);
	return at;
}

/* Adds probes on a file that has malloc() and free(). path: in the process's mount namespace. */
static void leak_probes_of_file(struct leak_files *f, const char *path)
{
	struct probe_target t = {0};
	uint64_t at[HEAP_FUNCTIONS] = {0};

	if (probe_target_open(&t, PROBE_FILE, path, f->pid, f->options, NULL) || !t.dso->is_64_bit)
		goto out;
	at[HEAP_MALLOC] = leak_function_at(&t, heap_function_names[HEAP_MALLOC]);
	at[HEAP_FREE] = leak_function_at(&t, heap_function_names[HEAP_FREE]);
	if (!at[HEAP_MALLOC] || !at[HEAP_FREE])
		goto out;
	f->probed++;
	for (int i = 0; i < HEAP_FUNCTIONS; i++) {
		if (!at[i])
			at[i] = leak_function_at(&t, heap_function_names[i]);
		/* memalign() may be an alias: one function, probed once */
		if (at[i] && (i != HEAP_MEMALIGN || at[i] != at[HEAP_ALIGNED]))
			leak_probe_add(f, t.path ? t.path : path, (enum heap_function)i);
	}
out:
	probe_target_release(&t);
}

/* True for the dynamic linker: its own malloc() is used only until libc is loaded. */
static bool leak_is_linker(const char *path)
{
	const char *base = strrchr(path, '/') + 1;

	return !strncmp(base, "ld-", 3) || !strncmp(base, "ld.so", 5);
}

static bool leak_take_map(void *ctx, const struct proc_map *m)
{
	struct leak_files *f = ctx;

	if (m->name[0] != '/' || leak_is_linker(m->name))
		return true;
	for (size_t i = 0; i < f->seen.n; i++)
		if (f->seen.at[i].ino == m->ino && f->seen.at[i].maj == m->maj &&
		    f->seen.at[i].min == m->min)
			return true;
	vec_add(&f->seen, (struct leak_file){m->ino, m->maj, m->min});
	leak_probes_of_file(f, m->name);
	return true;
}

int leak_probes_add(struct command_words *w, const char *pids, const struct symbol_options *options,
		    struct err *err)
{
	static const struct proc_maps_options all = {0};
	struct leak_files f = {leak_machine_here(), w, options, 0, {0}, 0};
	int failed = 0;

	if (!f.machine)
		return err_set(err, ERR_UNSUPPORTED,
			       "how functions of this machine get their arguments is not known");
	for (const char *p = pids; *p && !failed;) {
		char *end;

		f.pid = (int)strtol(p, &end, 10);
		if (end == p || (*end && *end != ',') || f.pid <= 0)
			failed = err_set(err, ERR_USAGE, "'%s' is not a list of processes", pids);
		else if (proc_maps("/proc", f.pid, &all, leak_take_map, &f) < 0)
			failed = err_sys(err, errno, "cannot read what process %d has mapped",
					 f.pid);
		p = *end ? end + 1 : end;
	}
	vec_release(&f.seen);
	if (!failed && !f.probed) {
		failed = err_set(err, ERR_UNSUPPORTED,
				 "no file of '%s' defines malloc() and free()", pids);
		err_hint(err, "programs that are linked statically and stripped, 32-bit ones and "
			      "those of Go and Java have none that can be probed");
	}
	return failed;
}
