// SPDX-License-Identifier: MIT
#include "symbol/perf_map.h"

#include "os/machine/host.h"
#include "os/process/process.h"
#include "symbol/dso_private.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>

#define MAX_MAP (1u << 30)

static bool parse_hex(char **p, const char *end, uint64_t *v)
{
	char *start = *p;

	*v = 0;
	if (end - *p > 2 && (*p)[0] == '0' && ((*p)[1] | 32) == 'x')
		start = *p += 2;
	for (; *p < end && *p - start <= 16; (*p)++) {
		int c = **p | 32;

		if (c >= '0' && c <= '9' && **p != c - 32)
			*v = *v << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*v = *v << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	return *p > start && *p - start <= 16;
}

static bool perf_map_parse_line(char *p, char *end, struct symbol *s)
{
	uint64_t size;

	if (!parse_hex(&p, end, &s->start) || p == end || *p++ != ' ')
		return false;
	if (!parse_hex(&p, end, &size) || end - p < 2 || *p++ != ' ')
		return false;
	*end = 0;
	if (s->start + size < s->start)
		return false;
	s->end = s->start + size;
	s->name = p;
	s->binding = STB_GLOBAL;
	s->type = STT_FUNC;
	return true;
}

/* A JIT reuses memory: of symbols that overlap, the later line is kept. The sort is stable, so at
 * one address later lines come last. .index is the line's number. */
static void drop_replaced(struct symbol_table *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct symbol s = t->at[i];
		bool replaced = false;

		while (kept && !replaced) {
			const struct symbol *last = &t->at[kept - 1];

			if (last->end <= s.start && last->start != s.start)
				break;
			if (last->index < s.index)
				kept--;
			else
				replaced = true;
		}
		if (!replaced)
			t->at[kept++] = s;
	}
	t->n = kept;
}

void perf_map_parse(char *text, size_t n, struct symbol_table *t)
{
	char *end = text + n;

	for (char *p = text, *eol; p < end; p = eol + 1) {
		struct symbol s = {.index = (uint32_t)t->n};

		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			eol = end;
		if (perf_map_parse_line(p, eol, &s))
			vec_add(t, s);
	}
	symbol_table_sort(t);
	drop_replaced(t);
}

/* When the process of this memory began (or did its last exec), in ns since the epoch; 0: not
 * known. */
static int64_t process_begun(const struct dso *dso)
{
	const struct symbol_options *o = &dso->set->options;
	struct host_clocks now;
	int64_t start;

	if (!o->recorded_ns || !o->clock.known || dso->process_begun == UINT64_MAX)
		return 0;
	if (dso->process_begun)
		return (int64_t)(dso->process_begun + (uint64_t)o->clock.to_wall);
	/* The process began before the recording. Its start is known only while it still runs. */
	start = process_start_ns("", dso->pid);
	if (start < 0 || !o->clock.first)
		return 0;
	now = host_clocks_now();
	start += now.wall - now.boot;
	return start <= (int64_t)(o->clock.first + (uint64_t)o->clock.to_wall) ? start : 0;
}

/* True for a map that was left behind by an earlier process with the same pid. */
static bool is_older_than_process(const struct dso *dso, const struct mapped *m)
{
	const int64_t begun = process_begun(dso);

	const int64_t margin = dso->set->options.clock.margin;

	return begun > margin && (int64_t)m->mtime_ns < begun - margin;
}

static bool use_map(struct dso *dso, const char *path)
{
	struct dso_private *p = dso->private_data;
	struct mapped m;
	struct err e = {0};

	/* anybody can write to /tmp: trust only files of the user or of root */
	if (mapped_read_own(&m, path, MAX_MAP, dso->set->options.force, &e) < 0) {
		if (e.code == ERR_RIGHTS)
			dso_foreign(dso, path);
		else
			dso_tried(dso, path, "no such file, or not readable");
		return false;
	}
	if (!dso->set->options.force && is_older_than_process(dso, &m)) {
		p->stale = true;
		dso_tried(dso, path, "is older than the process (-f uses it)");
		mapped_release(&m);
		return false;
	}
	p->image = m;
	perf_map_parse((char *)m.p, m.n, &dso->symbols);
	dso->source = SYMBOLS_PERF_MAP;
	dso->origin = 'j';
	dso->source_path = arena_strdup(&p->arena, path);
	return true;
}

bool dso_load_perf_map(struct dso *dso)
{
	char path[PATH_MAX];
	const char *root;

	if (dso->pid < 0)
		return false;
	root = dso_root(dso);
	if (root) {
		snprintf(path, sizeof(path), "%s/tmp/perf-%d.map", root,
			 process_inner_pid("", dso->pid));
		if (use_map(dso, path))
			return true;
	}
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", dso->pid);
	return use_map(dso, path);
}
