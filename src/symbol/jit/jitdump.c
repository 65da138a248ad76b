// SPDX-License-Identifier: MIT
#include "symbol/jit/jitdump.h"

#include "os/files/mapped.h"
#include "symbol/contained/contained_private.h"
#include "symbol/dso_private.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define MAGIC	      0x4a695444u
#define HEADER_SIZE   40
#define RECORD_SIZE   16
#define MAX_CODES     (1u << 20)
#define MAX_NAME      1024 /* longer names are cut */
#define OTHER_CLOCK   1	   /* flag of the header: times are of the processor's clock */
#define LOAD_FIELDS   40
#define MOVE_FIELDS   48
#define WINDOW_SIZE   (64u << 10)
#define WINDOW_NEEDED (RECORD_SIZE + MOVE_FIELDS + MAX_NAME)

#define UNWINDING_FIELDS 24
#define MAX_UNWINDING (1u << 20)
#define LINES_FIELDS  16
#define V8_LINES_MOVED 0x40
#define MAX_LINES     (16u << 20)

enum { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE, CODE_UNWINDING_INFO };

/* The part of the dump that is in memory. The dump is never mapped: a runtime that restarts may
 * truncate it meanwhile. */
struct window {
	int fd;
	uint64_t offset; /* of at[0] in the file */
	size_t n;
	uint8_t at[WINDOW_SIZE];
};

struct reading {
	struct window w;
	bool swap;
	uint64_t offset; /* offset of the current record */
	struct dso *dso;
	struct jit_codes *codes;
	struct jit_unwinding unwinding; /* of the code that is loaded next */
	struct jit_line_table lines;	/* of the code that is loaded next */
	struct idmap by_index; /* number of the code -> index of its first jit_code */
};

bool jitdump_is_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	int pid, n = 0;

	return slash && sscanf(slash, "/jit-%9d.dump%n", &pid, &n) == 1 && n && !slash[n];
}

struct dso *jitdump_dso(struct dso_set *set, const char *path, int32_t pid)
{
	return dso_set_get(set, path, NULL, DSO_JITDUMP, pid);
}

/* A cursor at an offset of the dump, over as many bytes as a record needs; over fewer at the
 * end. */
static struct cursor jitdump_look(struct window *w, uint64_t offset, bool swap)
{
	if (offset < w->offset || offset - w->offset + WINDOW_NEEDED > w->n) {
		w->n = file_read_at(w->fd, offset, w->at, sizeof(w->at));
		w->offset = offset;
	}
	return cursor_over(w->at + (offset - w->offset), w->n - (size_t)(offset - w->offset), swap);
}

/* Reads the header. Returns the offset of the first record, or 0: it is no dump. */
static uint32_t jitdump_read_header(struct reading *r)
{
	struct cursor c = jitdump_look(&r->w, 0, false);
	uint32_t magic = cursor_u32(&c), size;
	uint64_t flags;

	if (magic != MAGIC && magic != __builtin_bswap32(MAGIC))
		return 0;
	r->swap = r->codes->swap = c.swap = magic != MAGIC;
	cursor_skip(&c, 4); /* version: always 1 so far */
	size = cursor_u32(&c);
	r->codes->machine = cursor_u32(&c);
	cursor_skip(&c, HEADER_SIZE - 24);
	flags = cursor_u64(&c);
	r->codes->other_clock = flags & OTHER_CLOCK;
	return c.bad || size < HEADER_SIZE ? 0 : size;
}

static void add_code(struct reading *r, uint64_t time, uint64_t start, uint64_t size,
		     uint64_t offset, uint64_t number, const struct jit_line_table *lines)
{
	const struct jit_code code = {time,   start,	    start + size, offset,
				      number, r->unwinding, *lines};

	if (size && code.end > start)
		vec_add(r->codes, code);
}

/*
 * True for names of V8. V8 (src/diagnostics/perf-jit.cc) adds the size of an ELF header to the
 * addresses of lines, because perf once put that header in front of the code.
 */
static bool is_of_v8(const char *name, size_t n)
{
	static const char *const kinds[] = {"JS:", "LazyCompile:", "Function:", "Script:", "Eval:"};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (n > strlen(kinds[i]) && !memcmp(name, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

/* Reads a record of loaded code. False: the record is damaged. */
static bool jitdump_load(struct reading *r, struct cursor c, uint64_t time, uint32_t record_size)
{
	uint64_t start, size, number, room = record_size - RECORD_SIZE - LOAD_FIELDS;
	const char *name, *end;
	size_t n, before = r->codes->n;

	cursor_skip(&c, 8);
	start = cursor_u64(&c);
	cursor_skip(&c, 8);
	size = cursor_u64(&c);
	number = cursor_u64(&c);
	if (c.bad || size >= room)
		return false;
	name = (const char *)c.p;
	n = MIN(MIN(cursor_left(&c), room - size), (size_t)MAX_NAME);
	end = memchr(name, 0, n);
	if (!end && n < MAX_NAME)
		return false;
	if (end)
		n = (size_t)(end - name);
	/* the code is at the end of the record; other bytes may follow the name */
	if (r->lines.base != start)
		r->lines = (struct jit_line_table){0};
	else if (is_of_v8(name, n))
		r->lines.base += V8_LINES_MOVED;
	add_code(r, time, start, size, r->offset + record_size - size, number, &r->lines);
	if (r->codes->n == before)
		return true; /* a function without code */
	*idmap_put(&r->by_index, number) = (uint32_t)before;
	vec_add(&r->dso->symbols,
		(struct symbol){
			.start = r->offset + record_size - size,
			.end = r->offset + record_size,
			.name = arena_strndup(&r->dso->private_data->arena, name, n),
			.binding = STB_GLOBAL,
			.type = STT_FUNC,
		});
	return true;
}

/* Reads a record of unwinding information, which comes before the record of its code. */
static void unwinding(struct reading *r, struct cursor c, uint32_t record_size)
{
	const uint64_t size = cursor_u64(&c), header_size = cursor_u64(&c);

	r->unwinding = (struct jit_unwinding){0};
	if (!c.bad && size <= MAX_UNWINDING && header_size <= size &&
	    size <= record_size - RECORD_SIZE - UNWINDING_FIELDS)
		r->unwinding = (struct jit_unwinding){r->offset + RECORD_SIZE + UNWINDING_FIELDS,
						      (uint32_t)size, (uint32_t)header_size};
}

static void lines(struct reading *r, struct cursor c, uint32_t record_size)
{
	const uint64_t base = cursor_u64(&c), n = cursor_u64(&c);
	const uint32_t size = record_size - RECORD_SIZE - LINES_FIELDS;

	r->lines = (struct jit_line_table){0};
	if (!c.bad && size <= MAX_LINES)
		r->lines = (struct jit_line_table){r->offset + RECORD_SIZE + LINES_FIELDS, size,
						   (uint32_t)MIN(n, UINT32_MAX), base};
}

static bool move(struct reading *r, struct cursor c, uint64_t time)
{
	struct jit_line_table lines;
	uint64_t start, size, number;
	uint32_t first;

	cursor_skip(&c, 8);
	start = cursor_u64(&c);
	cursor_skip(&c, 16);
	size = cursor_u64(&c);
	number = cursor_u64(&c);
	first = idmap_find(&r->by_index, number);
	if (c.bad || first == HASH_NONE || first >= r->codes->n)
		return false;
	/* moved code cannot grow */
	if (size > r->codes->at[first].end - r->codes->at[first].start)
		return false;
	lines = r->codes->at[first].lines;
	add_code(r, time, start, size, r->codes->at[first].offset, number, &lines);
	return true;
}

/* Keeps the places of line tables for later lookups: those of the code as it was loaded, in order
 * of the dump. */
static void keep_lines(struct reading *r)
{
	struct jit_source *source = arena_alloc(&r->dso->private_data->arena, sizeof(*source));
	size_t n = 0;

	for (size_t i = 0; i < r->codes->n; i++)
		n += r->codes->at[i].lines.size != 0;
	source->swap = r->swap;
	source->pieces = arena_alloc(&r->dso->private_data->arena, n * sizeof(*source->pieces));
	for (size_t i = 0; i < r->codes->n; i++) {
		const struct jit_code *c = &r->codes->at[i];

		/* moved code has the offset of the original */
		if (c->lines.size &&
		    (!source->n || source->pieces[source->n - 1].offset < c->offset))
			source->pieces[source->n++] =
				(struct jit_piece){c->offset, c->end - c->start, c->lines};
	}
	r->dso->private_data->jit = source;
}

static void read_records(struct reading *r, const char *path)
{
	size_t damaged = 0;

	while (r->codes->n < MAX_CODES) {
		struct cursor c = jitdump_look(&r->w, r->offset, r->swap);
		const bool at_end = !cursor_left(&c);
		const uint32_t type = cursor_u32(&c), size = cursor_u32(&c);
		const uint64_t time = cursor_u64(&c);
		bool good = true;

		if (c.bad || size < RECORD_SIZE) {
			damaged += !at_end;
			break;
		}
		if (type == CODE_LOAD)
			good = size > RECORD_SIZE + LOAD_FIELDS && jitdump_load(r, c, time, size);
		else if (type == CODE_MOVE)
			good = size >= RECORD_SIZE + MOVE_FIELDS && move(r, c, time);
		else if (type == CODE_UNWINDING_INFO && size >= RECORD_SIZE + UNWINDING_FIELDS)
			unwinding(r, c, size);
		else if (type == CODE_DEBUG_INFO && size >= RECORD_SIZE + LINES_FIELDS)
			lines(r, c, size);
		else if (type == CODE_CLOSE)
			break;
		damaged += !good;
		if (type == CODE_LOAD || type == CODE_MOVE) {
			r->unwinding = (struct jit_unwinding){0};
			r->lines = (struct jit_line_table){0};
		}
		r->offset += size;
	}
	if (damaged)
		dso_tried(r->dso, path, "is damaged, or was not written to its end");
}

static bool read_dump(struct dso *dso, const char *path, struct jit_codes *codes)
{
	uint32_t owner;
	AUTO_FD fd = file_open(path, &owner, NULL);
	struct reading *r;

	if (fd < 0) {
		dso_tried(dso, path, "no such file, or not readable");
		return false;
	}
	/* trust only files of the user or of root, as with a JIT's map */
	if (owner && owner != geteuid() && !dso->set->options.force) {
		dso_foreign(dso, path);
		return false;
	}
	r = NEW(struct reading);
	r->w.fd = fd;
	r->dso = dso;
	r->codes = codes;
	r->offset = jitdump_read_header(r);
	if (r->offset)
		read_records(r, path);
	else
		dso_tried(dso, path, "is no dump of a JIT");
	keep_lines(r);
	idmap_release(&r->by_index);
	free(r);
	if (!codes->n)
		return false;
	dso->source = SYMBOLS_JITDUMP;
	dso->origin = 'j';
	dso->source_path = arena_strdup(&dso->private_data->arena, path);
	return true;
}

/* Reads the dump from a file. */
static bool read_files(struct dso *dso, struct jit_codes *codes)
{
	const char *symfs = dso->set->options.symfs, *root = dso_root(dso);
	char path[PATH_MAX];

	if (root &&
	    snprintf(path, sizeof(path), "%s%s", root, dso->long_name) < (int)sizeof(path) &&
	    read_dump(dso, path, codes))
		return true;
	if (snprintf(path, sizeof(path), "%s%s", symfs ? symfs : "", dso->long_name) <
		    (int)sizeof(path) &&
	    read_dump(dso, path, codes))
		return true;
	dso_load(dso); /* records why there are no symbols (-v) */
	return false;
}

bool jitdump_read(struct dso *dso, struct jit_codes *codes)
{
	*codes = (struct jit_codes){0};
	/* another process of the same pid had this file: its present content is that of the last
	 * one */
	if (dso->source != SYMBOLS_NOT_LOADED)
		return false;
	if (contained_jit(dso, codes))
		return true;
	if (!read_files(dso, codes))
		return false;
	if (contained_notes(dso))
		contained_note_jit(dso, codes);
	return true;
}
