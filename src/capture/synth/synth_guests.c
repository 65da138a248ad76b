// SPDX-License-Identifier: MIT
#include "capture/synth/synth.h"

#include "os/machine/kallsyms.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static void synth_guest_kernel(struct synth *s, uint32_t pid, const char *path)
{
	static const char *const references[] = {"_text", "_stext"};
	AUTO_CHAR *machine = pid ? mem_printf(".%u", pid) : mem_strdup("");
	struct kallsyms k = {0};
	uint64_t at = 0, end;

	if (kallsyms_read(&k, path, NULL))
		return;
	end = kallsyms_address(&k, "_etext");
	for (size_t i = 0; i < ARRAY_SIZE(references) && !at; i++) {
		AUTO_CHAR *name = mem_printf("[guest.kernel.kallsyms%s]%s", machine, references[i]);

		at = kallsyms_address(&k, references[i]);
		if (at)
			record_write_guest_mmap(&s->writer, pid, at, end > at ? end - at : 0, at,
						name);
	}
	kallsyms_release(&k);
}

static void synth_guest_modules(struct synth *s, uint32_t pid, const char *path)
{
	struct kernel_modules modules;

	kernel_modules_read_file(&modules, path);
	for (size_t i = 0; i < modules.n; i++) {
		AUTO_CHAR *name = mem_printf("[%s]", modules.at[i].name);

		record_write_guest_mmap(&s->writer, pid, modules.at[i].start, modules.at[i].size, 0,
					name);
	}
	kernel_modules_release(&modules);
}

static void synth_mounted_guests(struct synth *s, const char *mount)
{
	DIR *dir = opendir(mount);

	for (struct dirent *e; dir && (e = readdir(dir));) {
		char *rest;
		const unsigned long pid = strtoul(e->d_name, &rest, 10);
		AUTO_CHAR *kallsyms = mem_printf("%s/%s/proc/kallsyms", mount, e->d_name);
		AUTO_CHAR *modules = mem_printf("%s/%s/proc/modules", mount, e->d_name);

		if (e->d_name[0] < '1' || e->d_name[0] > '9' || *rest || pid > INT32_MAX)
			continue;
		synth_guest_kernel(s, (uint32_t)pid, kallsyms);
		synth_guest_modules(s, (uint32_t)pid, modules);
	}
	if (dir)
		closedir(dir);
}

void synth_guests(struct synth *s)
{
	const struct guest_options *o = &s->opts->guests;

	if (!o->wanted)
		return;
	if (o->kallsyms)
		synth_guest_kernel(s, 0, o->kallsyms);
	if (o->modules)
		synth_guest_modules(s, 0, o->modules);
	if (o->mount)
		synth_mounted_guests(s, o->mount);
}
