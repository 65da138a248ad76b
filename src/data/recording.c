// SPDX-License-Identifier: MIT
#include "data/recording.h"

#include "base/cursor.h"
#include "data/feature/feature.h"
#include "data/source/reader.h"
#include "data/recording_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC_V2   0x32454c4946524550ull /* "PERFILE2" read on a little-endian machine */
#define MAGIC_V1   0x454c494646524550ull /* "PERFFILE" */
#define HEADER_SIZE 104
#define HEADER_SIZE_WITHOUT_FEATURES 72
#define PIPE_HEADER_SIZE 16

struct section {
	uint64_t offset, size;
};

static struct section cursor_section(struct cursor *c)
{
	struct section s;

	s.offset = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

/* What other files begin with. */
static const struct {
	const char *magic;
	size_t n;
	const char *what;
} foreign[] = {
	{"\x1f\x8b", 2, "compressed by gzip: unpack it first"},
	{"BZh", 3, "compressed by bzip2: unpack it first"},
	{"\xfd" "7zXZ", 5, "compressed by xz: unpack it first"},
	{"\x28\xb5\x2f\xfd", 4, "compressed by zstd: unpack it first"},
	{"PK\3\4", 4, "a zip archive: unpack it first"},
	{"\x7f" "ELF", 4, "an ELF file, a program or library"},
	{"JiTD", 4, "a jitdump: 'perf inject -j' takes it into a recording"},
	{"DTiJ", 4, "a jitdump: 'perf inject -j' takes it into a recording"},
};

static bool is_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] < 0x20 && p[i] != '\n' && p[i] != '\t' && p[i] != '\r') || p[i] == 0x7f)
			return false;
	return n;
}

/* Fails for a file that begins as a recording but is damaged. */
static int damaged(const struct recording *rec, struct err *err)
{
	err_set(err, ERR_INPUT, "incompatible file format");
	return err_hint(err,
			"'%s' begins as a recording does, but its header is damaged or cut short",
			rec->path);
}

/* Fails for a file that is no recording. The hint names its kind, by its first n bytes p. */
static int not_ours(const struct recording *rec, const uint8_t *p, size_t n, struct err *err)
{
	char bytes[3 * 8 + 1] = "";

	err_set(err, ERR_INPUT, "incompatible file format");
	for (size_t i = 0; i < ARRAY_SIZE(foreign); i++)
		if (n >= foreign[i].n && !memcmp(p, foreign[i].magic, foreign[i].n))
			return err_hint(err, "'%s' is %s", rec->path, foreign[i].what);
	if (n >= 8 && (!memcmp(p, "PERFILE2", 8) || !memcmp(p, "2ELIFREP", 8) ||
		       !memcmp(p, "PERFFILE", 8) || !memcmp(p, "ELIFFREP", 8)))
		return damaged(rec, err);
	if (n < PIPE_HEADER_SIZE)
		return err_hint(err, "'%s' has only %zu bytes", rec->path, n);
	if (is_text(p, n))
		return err_hint(err, "'%s' is a text", rec->path);
	for (size_t i = 0; i < 8; i++)
		snprintf(bytes + 3 * i, 4, "%02x ", p[i]);
	return err_hint(err, "'%s' begins with %sand no recording does: they begin with PERFILE2",
			rec->path, bytes);
}

/* The bytes of a section, as many as there are. They live as long as the recording. */
static const uint8_t *section_bytes(struct recording *rec, struct section s, size_t *n)
{
	struct input *in = &rec->file->in;
	const uint8_t *p;

	*n = 0;
	if (s.offset >= in->size || !s.size)
		return NULL;
	if (s.size > in->size - s.offset)
		s.size = in->size - s.offset;
	p = input_at(in, s.offset, (size_t)s.size, n);
	if (p && !in->map)
		p = arena_copy(&rec->arena, p, *n);
	return p;
}

/* The size field of an attribute. */
static uint32_t attr_own_size(const struct recording *rec, const uint8_t *attr)
{
	struct cursor c = cursor_over(attr + 4, 4, rec->m.swap);
	uint32_t size = cursor_u32(&c);

	return size ? size : ATTR_SIZE_VER0;
}

/*
 * The number of entries of the attribute table. A size that is no multiple of an entry's is wrong:
 * the last entry then counts when most of it lies within size and it looks like the first one. n:
 * bytes from the table to the end.
 */
static size_t whole_attrs(struct recording *rec, const uint8_t *table, size_t size, size_t n)
{
	const size_t rest = size % rec->attr_size, last = size - rest;

	if (!rest)
		return size;
	losses_add(&rec->m.losses, LOSS_CORRUPT, 1, 32);
	if (rest < rec->attr_size / 2 || n - last < rec->attr_size ||
	    attr_own_size(rec, table + last) != attr_own_size(rec, table))
		return last;
	return last + rec->attr_size;
}

/* Reads an entry of the table: an attribute and the place of its ids. *ids_left bounds the ids of
 * all entries by the size of the file, since no two share ids. */
static void read_attr(struct recording *rec, const uint8_t *entry, uint64_t *ids_left)
{
	const uint32_t room = rec->attr_size - (uint32_t)sizeof(struct section);
	struct cursor c = cursor_over(entry + room, sizeof(struct section), rec->m.swap);
	const struct section ids = cursor_section(&c);
	struct event *ev = recording_add_attr(rec, entry, MIN(attr_own_size(rec, entry), room));
	const uint8_t *p;
	size_t got;

	if (!ev) {
		losses_add(&rec->m.losses, LOSS_CORRUPT, 1, 24);
		return;
	}
	p = section_bytes(rec, ids, &got);
	if (got < ids.size)
		losses_add(&rec->m.losses, LOSS_TRUNCATED, ids.size - got, ids.offset);
	if (got / 8 > *ids_left) {
		losses_add(&rec->m.losses, LOSS_CORRUPT, 1, ids.offset);
		return;
	}
	*ids_left -= got / 8;
	c = cursor_over(p, got, rec->m.swap);
	while (cursor_left(&c) >= 8)
		event_set_add_id(&rec->m.events, ev, cursor_u64(&c));
}

static int read_attrs(struct recording *rec, struct section attrs, struct err *err)
{
	uint64_t ids_left = rec->file->in.size / 8;
	struct section room = {attrs.offset, position_after(attrs.size, MIN(rec->attr_size, 4096))};
	const uint8_t *table;
	size_t n, size;

	if (attrs.offset < rec->data_offset)
		room.size = MIN(room.size, rec->data_offset - attrs.offset);
	if (attrs.size > room.size) {
		losses_add(&rec->m.losses, LOSS_CORRUPT, 1, 32);
		attrs.size = room.size;
	}
	table = section_bytes(rec, room, &n);
	size = MIN(n, attrs.size);
	if (!rec->attr_size && !attrs.size) {
		err_set(err, ERR_INPUT, "the file's attr size field is 0 which is unexpected");
		return err_hint(err, "Was the 'perf record' command properly terminated?");
	}
	/* damaged: use the size field of the first attribute */
	if (size >= ATTR_SIZE_VER0 && (rec->attr_size < ATTR_SIZE_VER0 + sizeof(struct section) ||
				       rec->attr_size > size)) {
		const uint32_t own = attr_own_size(rec, table);

		losses_add(&rec->m.losses, LOSS_CORRUPT, 1, 16);
		rec->attr_size = (uint32_t)sizeof(struct section) + own;
		if (own > 4096)
			return damaged(rec, err);
	}
	if (size && rec->attr_size < ATTR_SIZE_VER0 + sizeof(struct section))
		return damaged(rec, err);
	if (size < attrs.size)
		losses_add(&rec->m.losses, LOSS_TRUNCATED, attrs.size - size, attrs.offset);
	else if (size)
		size = whole_attrs(rec, table, size, n);
	for (size_t at = 0; size - at >= rec->attr_size && size; at += rec->attr_size)
		read_attr(rec, table + at, &ids_left);
	return 0;
}

static bool overlaps(struct section a, struct section b)
{
	return a.offset < position_after(b.offset, b.size) &&
	       b.offset < position_after(a.offset, a.size);
}

/* Reads the table of features after the data: one section for each bit that is set. */
static void read_known_features(struct recording *rec)
{
	uint64_t bits[4];
	struct section table = {rec->feature_offset, 0};
	struct cursor c;
	size_t n;

	memcpy(bits, rec->feature_bits, sizeof(bits));
	memset(rec->feature_bits, 0, sizeof(rec->feature_bits));
	for (int i = 0; i < 4; i++)
		table.size += sizeof(struct section) * (unsigned int)__builtin_popcountll(bits[i]);
	if (!table.size)
		return;
	if (!rec->data_size) /* never finished: there is no table */
		return;
	c.p = section_bytes(rec, table, &n);
	c = cursor_over(c.p, n, rec->m.swap);
	for (unsigned int bit = 0; bit < FEATURE_MAX; bit++) {
		struct section s;
		const uint8_t *p;
		size_t got;

		if (!(bits[bit / 64] >> (bit % 64) & 1))
			continue;
		s = cursor_section(&c);
		if (!bit) { /* a sink's checkpoint (sink_end.c): its writer never came to the end */
			losses_add(&rec->m.losses, LOSS_UNFINISHED, 0, rec->feature_offset);
			continue;
		}
		if (c.bad || s.offset < HEADER_SIZE) {
			losses_add(&rec->m.losses, LOSS_FEATURE, 1, rec->feature_offset);
			continue;
		}
		p = section_bytes(rec, s, &got);
		if (!feature_known(bit)) {
			losses_add(&rec->m.losses, LOSS_UNKNOWN_FEATURE, 1, s.offset);
		} else if (got < s.size || (s.size && overlaps(s, table))) {
			losses_add(&rec->m.losses, LOSS_FEATURE, 1, s.offset);
		}
		if (s.size && !got)
			continue;
		feature_take(rec, bit, p, got, s.offset);
		if (bit == FEATURE_TRACING_DATA)
			recording_take_formats(rec, p, got, s.offset);
	}
}

/*
 * Reads the extensions at the end of the file, from the last to the first. Each is a payload, a u64
 * with its size, and a u64 magic with its number. A file that was cut has none.
 */
static void read_extensions(struct recording *rec)
{
	uint64_t end = rec->file->in.size,
		 least = position_after(rec->data_offset, rec->file_data_size);

	while (rec->data_size && end >= least && end - least >= 16) {
		size_t got;
		const uint8_t *p = section_bytes(rec, (struct section){end - 16, 16}, &got);
		struct cursor c = cursor_over(p, got, rec->m.swap);
		uint64_t size = cursor_u64(&c), what = cursor_u64(&c);
		unsigned int bit = (unsigned int)(what >> 32);

		if (c.bad || size > end - 16 - least)
			return;
		end -= 16 + size;
		if (what == CHECKSUM_MAGIC)
			continue;
		if ((uint32_t)what != FEATURE_EXTENSION_MAGIC || bit < FEATURE_EXTENSION ||
		    bit >= FEATURE_MAX)
			return;
		p = section_bytes(rec, (struct section){end, size}, &got);
		if (got == size)
			feature_take(rec, bit, p, got, end);
	}
}

/* Takes the checksums when the file is mapped. A table that is not of this file's data is counted
 * as damage. */
static void take_checksums(struct recording *rec)
{
	struct checksum_table *t = &rec->file->sums;

	int got =
		rec->file->in.map && rec->data_size
			? checksum_table_read(t, rec->file->in.map, rec->file->in.size, rec->m.swap)
			: 0;

	if (got && (got < 0 || t->offset != rec->data_offset || t->size != rec->file_data_size ||
		    t->offset > rec->file->in.size || t->size > rec->file->in.size - t->offset)) {
		losses_add(&rec->m.losses, LOSS_FEATURE, 1, rec->feature_offset);
		t->chunk = 0;
	}
}

static void take_times(struct recording *rec)
{
	struct recording_file *file = rec->file;

	if (!recording_has(rec, FEATURE_TIME_INDEX))
		return;
	if (!time_runs_read(&file->times, feature_cursor(rec, FEATURE_TIME_INDEX), rec->data_offset,
			    rec->file_data_size) ||
	    rec->data_offset > file->in.size ||
	    rec->file_data_size > file->in.size - rec->data_offset) {
		losses_add(&rec->m.losses, LOSS_FEATURE, 1, rec->feature_offset);
		vec_clear(&file->times.runs);
	}
	if (!file->in.map)
		vec_clear(&file->times.runs);
}

static void read_features(struct recording *rec)
{
	struct losses before = rec->m.losses;

	read_known_features(rec);
	read_extensions(rec);
	take_checksums(rec);
	take_times(rec);
	recording_name_tracepoints(rec);
	/* features that were only guessed (they count as present, as with perf) are no losses when
	 * they are missing */
	if (rec->file->features_guessed) {
		rec->m.losses = before;
		rec->feature_bits[0] |= 1ull << FEATURE_BUILD_ID;
	}
}

/*
 * The feature bitmap is an array of unsigned longs of the machine that wrote it. In another byte
 * order, it may have to be swapped by 8 or by 4 bytes. The right way is the one that has HOSTNAME
 * set, since every recording has it.
 */
static void swap_feature_bits(uint64_t bits[4], const uint8_t *encoded, bool *guessed)
{
	struct cursor c = cursor_over(encoded, 32, true);

	for (int i = 0; i < 4; i++)
		bits[i] = cursor_u64(&c);
	if (bits[0] >> FEATURE_HOSTNAME & 1)
		return;
	for (int i = 0; i < 4; i++)
		bits[i] = bits[i] >> 32 | bits[i] << 32;
	if (bits[0] >> FEATURE_HOSTNAME & 1)
		return;
	memset(bits, 0, 4 * sizeof(bits[0]));
	bits[0] = 1ull << FEATURE_BUILD_ID;
	*guessed = true;
}

/* For a header with a wrong size: the size that fits the rest of it; 0: none. c is behind the size
 * field. */
static uint64_t likely_header_size(const struct recording *rec, struct cursor c, const uint8_t *p,
				   size_t n)
{
	uint64_t file_size = rec->file->in.size;
	struct section attrs, data;

	cursor_skip(&c, 8);
	attrs = cursor_section(&c);
	data = cursor_section(&c);
	if (!c.bad && attrs.offset >= HEADER_SIZE && attrs.offset < file_size &&
	    attrs.size <= file_size - attrs.offset && data.offset >= HEADER_SIZE &&
	    data.offset < file_size)
		return HEADER_SIZE;
	/* records from the start on */
	return damage_plausible(rec, p + PIPE_HEADER_SIZE, n - PIPE_HEADER_SIZE) ? PIPE_HEADER_SIZE
										 : 0;
}

static int recording_read_header(struct recording *rec, struct err *err)
{
	struct input *in = &rec->file->in;
	const uint8_t *p;
	struct cursor c;
	struct section attrs, data;
	uint64_t magic, size;
	size_t n;

	p = input_at(in, 0, HEADER_SIZE, &n);
	if (n < PIPE_HEADER_SIZE)
		return not_ours(rec, p, n, err);
	c = cursor_over(p, n, false);
	magic = cursor_u64(&c);
	rec->is_v1 = magic == MAGIC_V1 || magic == __builtin_bswap64(MAGIC_V1);
	if (magic == __builtin_bswap64(MAGIC_V2) || magic == __builtin_bswap64(MAGIC_V1))
		rec->m.swap = true;
	else if (magic != MAGIC_V2 && magic != MAGIC_V1)
		return not_ours(rec, p, n, err);
	c.swap = rec->m.swap;
	size = cursor_u64(&c);
	/* the first magic looked the same in both orders: the size tells */
	if (rec->is_v1 && size >> 32) {
		size = __builtin_bswap64(size);
		rec->m.swap = c.swap = !rec->m.swap;
	}
	rec->file_size = in->size == UINT64_MAX ? 0 : in->size;
	if (size != HEADER_SIZE && size != HEADER_SIZE_WITHOUT_FEATURES &&
	    size != PIPE_HEADER_SIZE) {
		size = likely_header_size(rec, c, p, n);
		losses_add(&rec->m.losses, LOSS_CORRUPT, 1, 8);
	}
	if (size == PIPE_HEADER_SIZE) {
		rec->is_pipe = true;
		rec->data_offset = PIPE_HEADER_SIZE;
		return 0;
	}
	if (!size || n < size)
		return not_ours(rec, p, n, err);
	if (!in->map && !in->seekable)
		return err_set(err, ERR_INPUT,
			       "a recording in file format cannot be read from a pipe");
	rec->attr_size = (uint32_t)cursor_u64(&c);
	attrs = cursor_section(&c);
	data = cursor_section(&c);
	/* the oldest recorders wrote a shorter header; where there is room for all, its size is
	 * wrong */
	if (size != HEADER_SIZE && n == HEADER_SIZE && attrs.offset >= HEADER_SIZE &&
	    data.offset >= HEADER_SIZE) {
		losses_add(&rec->m.losses, LOSS_CORRUPT, 1, 8);
		size = HEADER_SIZE;
	}
	cursor_section(&c); /* event types: nothing has used them since 2.6.39 */
	if (size == HEADER_SIZE && rec->m.swap)
		swap_feature_bits(rec->feature_bits, p + HEADER_SIZE_WITHOUT_FEATURES,
				  &rec->file->features_guessed);
	else if (size == HEADER_SIZE)
		memcpy(rec->feature_bits, p + HEADER_SIZE_WITHOUT_FEATURES, 32);
	rec->data_offset = data.offset;
	rec->data_size = data.size;
	rec->feature_offset = position_after(data.offset, data.size);
	if (data.offset > in->size || data.size > in->size - data.offset || !data.size)
		rec->file_data_size = data.offset > in->size ? 0 : in->size - data.offset;
	else
		rec->file_data_size = data.size;
	if (!data.size)
		losses_add(&rec->m.losses, LOSS_UNFINISHED, 1, 0);
	else if (rec->file_data_size < data.size)
		losses_add(&rec->m.losses, LOSS_TRUNCATED, data.size - rec->file_data_size,
			   in->size);
	if (read_attrs(rec, attrs, err))
		return -1;
	read_features(rec);
	return 0;
}

static struct recording *recording_new(const char *path)
{
	struct recording *rec = NEW(struct recording);

	rec->file = NEW(struct recording_file);
	rec->file->in.fd = -1;
	rec->file->path = mem_strdup(path);
	rec->path = rec->file->path;
	return rec;
}

/* Opens the other files of a directory, which the recorder's threads wrote. */
static int open_parts(struct recording *rec, const char *dir, const struct input_options *how,
		      struct err *err)
{
	for (unsigned int i = 0;; i++) {
		AUTO_CHAR *path = mem_printf("%s/data.%u", dir, i);
		struct input in;

		if (access(path, F_OK) && errno == ENOENT)
			return 0;
		if (input_open(&in, path, how, err)) {
			input_release(&in);
			return -1;
		}
		vec_add(&rec->file->parts, in);
	}
}

static int open_path(struct recording *rec, const char *path, const struct recording_options *opts,
		     struct err *err)
{
	const struct input_options how = {.no_mmap = opts && opts->no_mmap,
					  .any_owner = opts && opts->force};
	struct input *in = &rec->file->in;
	AUTO_CHAR *inside = NULL;
	const char *file = path;
	struct stat st;

	if (strcmp(path, "-") && !stat(path, &st) && S_ISDIR(st.st_mode)) {
		file = inside = mem_printf("%s/data", path);
		rec->is_directory = true;
	}
	if (input_open(in, file, &how, err)) {
		if (err && err->sys == ENOENT && !strcmp(path, "perf.data"))
			err_hint(err, "try 'perf record' first");
		return -1;
	}
	if (strcmp(path, "-") && !in->size)
		return err_set(err, ERR_INPUT, "zero-sized data (%s), nothing to do!", file);
	rec->mtime = in->mtime;
	rec->mtime_ns = in->mtime_ns;
	if (rec->is_directory && open_parts(rec, path, &how, err))
		return -1;
	return recording_read_header(rec, err);
}

struct recording *recording_open(const char *path, const struct recording_options *opts,
				 struct err *err)
{
	struct recording *rec = recording_new(path);

	if (opts)
		rec->how = *opts;
	if (!open_path(rec, path, opts, err))
		return rec;
	recording_free(rec);
	return NULL;
}

struct recording *recording_open_memory(const void *p, size_t n, struct err *err)
{
	struct recording *rec = recording_new("memory");

	input_over(&rec->file->in, p, n);
	if (!recording_read_header(rec, err))
		return rec;
	recording_free(rec);
	return NULL;
}

void recording_free(struct recording *rec)
{
	if (!rec)
		return;
	for (size_t i = 0; i < rec->file->parts.n; i++)
		input_release(&rec->file->parts.at[i]);
	vec_release(&rec->file->parts);
	input_release(&rec->file->in);
	time_runs_release(&rec->file->times);
	buf_release(&rec->file->scratch);
	free(rec->file->path);
	free(rec->file);
	feature_store_free(rec->features);
	vec_release(&rec->cmdline);
	vec_release(&rec->build_ids);
	vec_release(&rec->pmus);
	measurement_release(&rec->m);
	arena_release(&rec->arena);
	free(rec);
}

void recording_progress(const struct recording *rec, uint64_t done, uint64_t all)
{
	if (rec->how.progress)
		rec->how.progress(rec->how.progress_ctx, all ? (double)done / (double)all : -1,
				  done);
}

bool recording_has(const struct recording *rec, enum feature f)
{
	return rec->feature_bits[f / 64] >> (f % 64) & 1;
}

bool recording_bytes_stay(const struct recording *rec, const uint8_t *p)
{
	const struct input *in = &rec->file->in;

	return in->map && p >= in->map && p < in->map + in->size;
}

void recording_passed(const struct recording *rec, const uint8_t *p, size_t n)
{
	const struct input *in = &rec->file->in;
	uint64_t from = (uint64_t)(p - in->map);

	input_passed(in, from, from + n);
}

void recording_passed_all(const struct recording *rec)
{
	if (rec->file->in.map)
		input_passed(&rec->file->in, 0, rec->file->in.size);
}
