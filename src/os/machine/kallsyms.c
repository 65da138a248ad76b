// SPDX-License-Identifier: MIT
#include "os/machine/kallsyms.h"

#include <stdio.h>
#include <string.h>

#define MAX_KALLSYMS (256u << 20)
#define MAX_MODULES  (16u << 20)
/* Bytes of a line of kallsyms: mostly more. */
#define LINE_USUAL 40

const char kallsyms_live[] = "/proc/kallsyms";

static const int8_t hex_values[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Symbols of one module mostly stand together: the last one answers nearly always. */
static uint32_t module_index(struct kallsyms *k, uint32_t last, const char *name)
{
	uint32_t *id;

	if (!strcmp(k->modules.at[last], name))
		return last;
	id = idmap_put(&k->module_ids, hash_bytes(name, strlen(name), 0));
	if (*id == HASH_NONE) {
		*id = (uint32_t)k->modules.n;
		vec_add(&k->modules, name);
	}
	return *id;
}

/* "ffffffff81000000 T _text" or "ffffffffc0123000 t init\t[kvm]"; cuts the line into strings. */
static bool kallsyms_parse_line(struct kallsyms *k, char *p, char *end, uint32_t *module)
{
	struct kallsym s = {0};
	char *start = p, *tab;

	while (p < end && hex_values[(uint8_t)*p]) {
		s.address = s.address << 4 | (uint64_t)(hex_values[(uint8_t)*p] - 1);
		p++;
	}
	if (p == start || p - start > 16 || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	s.type = p[1];
	s.name = p + 3;
	tab = memchr(s.name, '\t', (size_t)(end - s.name));
	*end = 0;
	if (tab) {
		*tab = 0;
		if (tab[1] == '[' && end[-1] == ']' && end - tab > 3) {
			end[-1] = 0;
			*module = module_index(k, *module, tab + 2);
			s.module = *module;
		}
	}
	if (!*s.name)
		return false;
	vec_add(&k->symbols, s);
	return true;
}

void kallsyms_parse(struct kallsyms *k, char *text, size_t n)
{
	char *end = text + n;
	uint64_t any = 0;
	uint32_t module = 0;

	vec_add(&k->modules, "");
	vec_reserve(&k->symbols, n / LINE_USUAL);
	for (char *p = text, *eol; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			eol = end;
		if (kallsyms_parse_line(k, p, eol, &module))
			any |= vec_last(&k->symbols)->address;
	}
	k->hidden = k->symbols.n && !any;
}

int kallsyms_read(struct kallsyms *k, const char *path, struct err *err)
{
	*k = (struct kallsyms){0};
	if (mapped_read(&k->text, path, MAX_KALLSYMS, err) < 0)
		return -1;
	kallsyms_parse(k, (char *)k->text.p, k->text.n);
	return 0;
}

void kallsyms_release(struct kallsyms *k)
{
	vec_release(&k->symbols);
	vec_release(&k->modules);
	idmap_release(&k->module_ids);
	mapped_release(&k->text);
}

uint64_t kallsyms_address(const struct kallsyms *k, const char *name)
{
	for (size_t i = 0; i < k->symbols.n; i++)
		if (!k->symbols.at[i].module && !strcmp(k->symbols.at[i].name, name))
			return k->symbols.at[i].address;
	return 0;
}

void kernel_modules_read(struct kernel_modules *m, const char *proc_root)
{
	AUTO_CHAR *path = mem_printf("%s/modules", proc_root);

	kernel_modules_read_file(m, path);
}

void kernel_modules_read_file(struct kernel_modules *m, const char *path)
{
	struct mapped file;

	*m = (struct kernel_modules){0};
	if (mapped_read(&file, path, MAX_MODULES, NULL) < 0)
		return;
	for (char *line = (char *)file.p, *next; line; line = next) {
		char name[128];
		unsigned long long size, start;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &size, &start) == 3 && start)
			vec_add(m,
				(struct kernel_module){arena_strdup(&m->arena, name), start, size});
	}
	mapped_release(&file);
}

void kernel_modules_release(struct kernel_modules *m)
{
	vec_release(m);
	arena_release(&m->arena);
}
