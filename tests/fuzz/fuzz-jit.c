// SPDX-License-Identifier: MIT
/* What JITs leave: a dump, which begins with its magic number in either byte order, or else
 * a map. */
#include "driver.h"
#include "symbol/jit/jitdump.h"
#include "symbol/lines/lines.h"
#include "symbol/perf_map.h"
#include "symbol/table/symbol_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In order, and each is found where it begins. */
static void check(const struct symbol_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct symbol *s = &t->at[i], *found = symbol_table_find(t, s->start);

		if (s->end < s->start || (i && s[-1].start > s->start) || !found || !found->name)
			abort();
	}
	symbol_table_find(t, UINT64_MAX);
}

static void read_lines(struct source_place place)
{
	for (uint32_t i = 0; i < place.n; i++)
		if (!place.at[i].file || !strlen(place.at[i].file))
			abort();
}

static void read_dump(const char *path, size_t size)
{
	const struct symbol_options options = {.jitdump = true, .verbose = 1};
	struct jit_codes codes = {0};
	struct buf why = {0};
	struct dso_set set;
	struct dso *dso;

	dso_set_init(&set, &options);
	dso = jitdump_dso(&set, path, getpid());
	if (jitdump_read(dso, &codes) && !codes.n && !dso->symbols.n)
		abort();
	for (size_t i = 0; i < codes.n; i++) {
		const struct jit_code *c = &codes.at[i];

		/* the bytes of the last one need not be there: it may still be written */
		if (c->end <= c->start ||
		    (i + 1 < codes.n && codes.at[i + 1].offset > c->offset && c->offset > size) ||
		    c->unwinding.header_size > c->unwinding.size || c->unwinding.size > 1 << 20)
			abort();
		dso_find(dso, c->offset);
		if (c->lines.size > 16 << 20)
			abort();
		if (i < 100)
			read_lines(dso_source(dso, c->offset + (c->end - c->start) / 2));
	}
	dso_load(dso);
	check(&dso->symbols);
	dso_set_explain(&set, &why);
	buf_release(&why);
	vec_release(&codes);
	dso_set_release(&set);
}

static void dump(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/fuzz-jit-XXXXXX", path[64];
	FILE *f;

	if (!mkdtemp(folder))
		abort();
	snprintf(path, sizeof(path), "%s/jit-5.dump", folder);
	f = fopen(path, "wb");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		abort();
	read_dump(path, size);
	unlink(path);
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_table t = {0};
	char *text;

	if (size >= 4 && (!memcmp(data, "DTiJ", 4) || !memcmp(data, "JiTD", 4))) {
		dump(data, size);
		return 0;
	}
	text = mem_strndup((const char *)data, size);
	perf_map_parse(text, strlen(text), &t);
	symbol_table_seal(&t);
	check(&t);
	symbol_table_release(&t);
	free(text);
	return 0;
}
