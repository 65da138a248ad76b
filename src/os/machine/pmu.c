// SPDX-License-Identifier: MIT
#include "os/machine/pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int pmu_names(const char *root, struct arena *arena, struct names *out, struct err *err)
{
	if (text_names(root, NULL, true, true, arena, out))
		return err_sys(err, errno, "cannot read '%s'", root);
	return 0;
}

const char *pmu_text(const char *root, const char *pmu, const char *file, struct arena *arena)
{
	return text_line(root, arena_printf(arena, "%s/%s", pmu, file), arena);
}

/* "config1:0-7,32" */
static bool parse_format(const char *text, struct pmu_format *f)
{
	const char *p = text;

	if (strncmp(p, "config", 6))
		return false;
	p += 6;
	if (*p >= '0' && *p <= '4')
		f->word = (unsigned int)(*p++ - '0');
	if (*p != ':')
		return false;
	do {
		char *end;
		unsigned long from = strtoul(p + 1, &end, 10), to = from;

		if (end == p + 1)
			return false;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (from > to || to > 63)
			return false;
		for (unsigned long bit = from; bit <= to; bit++)
			f->bits |= 1ull << bit;
		p = end;
	} while (*p == ',');
	return !*p;
}

bool pmu_read(const char *root, const char *name, struct arena *arena, struct pmu *out)
{
	const char *type = pmu_text(root, name, "type", arena);
	struct names terms = {0};

	*out = (struct pmu){0};
	if (!type || strchr(name, '/'))
		return false;
	out->name = arena_strdup(arena, name);
	out->type = (uint32_t)strtoul(type, NULL, 10);
	out->cpus = pmu_text(root, name, "cpumask", arena);
	out->of_machine = out->cpus != NULL;
	if (!out->cpus)
		out->cpus = pmu_text(root, name, "cpus", arena);
	text_names(root, arena_printf(arena, "%s/format", name), true, false, arena, &terms);
	for (size_t i = 0; i < terms.n; i++) {
		struct pmu_format f = {.name = terms.at[i]};
		const char *text;

		text = pmu_text(root, name, arena_printf(arena, "format/%s", terms.at[i]), arena);
		if (text && parse_format(text, &f))
			vec_add(&out->formats, f);
	}
	vec_release(&terms);
	return true;
}

bool pmu_is_core(const char *root, const char *name)
{
	struct arena arena = {0};
	/* others say on which CPUs they are to be opened in a file "cpumask" */
	bool core = !strcmp(name, "cpu") || pmu_text(root, name, "cpus", &arena);

	arena_release(&arena);
	return core;
}

void pmu_release(struct pmu *pmu)
{
	vec_release(&pmu->formats);
}

const struct pmu_format *pmu_format_find(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->formats.n; i++)
		if (!strcmp(pmu->formats.at[i].name, name))
			return &pmu->formats.at[i];
	return NULL;
}

/* True for a file that belongs to another event file: its unit, scale and so on. */
static bool says_more(const char *name)
{
	static const char *const ends[] = {".unit", ".scale", ".per-pkg", ".snapshot"};
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t len = strlen(ends[i]);

		if (n > len && !strcmp(name + n - len, ends[i]))
			return true;
	}
	return false;
}

void pmu_alias_names(const char *root, const char *pmu, struct arena *arena, struct names *out)
{
	struct names all = {0};

	text_names(root, arena_printf(arena, "%s/events", pmu), true, false, arena, &all);
	for (size_t i = 0; i < all.n; i++)
		if (!says_more(all.at[i]))
			vec_add(out, all.at[i]);
	vec_release(&all);
}

bool pmu_alias_read(const char *root, const char *pmu, const char *name, struct arena *arena,
		    struct pmu_alias *out)
{
	const char *scale;

	*out = (struct pmu_alias){.name = name, .scale = 1};
	if (!*name || strchr(name, '/') || name[0] == '.' || says_more(name))
		return false;
	out->terms = pmu_text(root, pmu, arena_printf(arena, "events/%s", name), arena);
	if (!out->terms)
		return false;
	out->name = arena_strdup(arena, name);
	out->unit = pmu_text(root, pmu, arena_printf(arena, "events/%s.unit", name), arena);
	scale = pmu_text(root, pmu, arena_printf(arena, "events/%s.scale", name), arena);
	if (scale)
		out->scale = strtod(scale, NULL);
	out->per_package =
		pmu_text(root, pmu, arena_printf(arena, "events/%s.per-pkg", name), arena) != NULL;
	out->snapshot =
		pmu_text(root, pmu, arena_printf(arena, "events/%s.snapshot", name), arena) != NULL;
	return true;
}

int pmu_freeze_on_smi(const char *sys_root, int on)
{
	AUTO_CHAR *path = mem_printf("%s/devices/cpu/freeze_on_smi", sys_root);
	AUTO_FD fd = open(path, (on < 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
	char c;

	if (fd < 0)
		return -errno;
	if (on < 0)
		return read(fd, &c, 1) == 1 ? c != '0' : -EIO;
	return write(fd, on ? "1" : "0", 1) == 1 ? on : -errno;
}
