// SPDX-License-Identifier: MIT
#include "probe/dwarf/sources.h"

#include "os/files/mapped.h"
#include "probe/dwarf/die.h"

#include <ctype.h>
#include <dwarf.h>
#include <string.h>

#define SOURCE_MOST (64u << 20) /* bytes */

const char *source_of_unit(Dwarf_Die *unit, const char *tail)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(unit, &files, &n))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *file = dwarf_filesrc(files, i, NULL, NULL);

		if (file && die_file_ends(file, tail))
			return file;
	}
	return NULL;
}

char *source_path(Dwarf_Die *unit, const char *file, const char *dir)
{
	Dwarf_Attribute a;
	const char *compiled;

	if (dir) {
		const char *tail = file;

		while (tail) {
			char *path = mem_printf("%s/%s", dir, tail + (*tail == '/'));

			if (file_is_regular(path))
				return path;
			free(path);
			tail = strchr(tail + 1, '/');
		}
		return mem_printf("%s/%s", dir, file);
	}
	compiled = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	if (file[0] == '/' || !compiled)
		return mem_strdup(file);
	return mem_printf("%s/%s", compiled, file);
}

bool source_line_matches(const char *line, size_t n, const char *pattern)
{
	const char *end = line + n, *star = NULL, *resume = NULL;

	while (true) {
		while (line < end && isspace((unsigned char)*line))
			line++;
		while (isspace((unsigned char)*pattern))
			pattern++;
		if (*pattern == '*') {
			star = ++pattern;
			resume = line;
			if (!*pattern)
				return true;
			continue;
		}
		if (line == end)
			return !*pattern;
		if (*pattern == '\\' && pattern[1])
			pattern++;
		if (*pattern == *line || *pattern == '?') {
			pattern++;
			line++;
			continue;
		}
		if (!star)
			return false;
		pattern = star;
		line = ++resume;
	}
}

int source_lines_matching(const char *path, const char *pattern, struct source_lines *out,
			  struct err *err)
{
	struct mapped m = {0};
	uint32_t number = 0;

	if (mapped_read(&m, path, SOURCE_MOST, err))
		return -1;
	for (const char *p = (const char *)m.p, *end = p + m.n; p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((stop ? stop : end) - p);

		number++;
		if (source_line_matches(p, n, pattern))
			vec_add(out, number);
		p += n + 1;
	}
	mapped_release(&m);
	return 0;
}

bool source_lines_has(const struct source_lines *l, uint32_t line)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i] == line)
			return true;
	return false;
}
