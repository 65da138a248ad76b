// SPDX-License-Identifier: MIT
#include "symbol/dso_private.h"
#include "symbol/elf/elf_symbols.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#define MAX_EXPANDED  (256u << 20) /* bytes; no module is larger */
#define MAX_EMBEDDED  (64u << 20)  /* bytes; no embedded symbol file is larger */
/* bytes; beyond these, at most RATIO times the compressed size is expanded */
#define FREE_EXPANDED (16u << 20)
#define RATIO	      64	   /* tables of functions shrink by 3 to 8 */
#define SPARSE_FREE   (1u << 30)   /* bytes; larger files must have a part of their size on disk */

/* Doubles the output buffer of a decompressor. */
static void *more_room(void *at, size_t *cap)
{
	*cap = *cap ? *cap * 2 : 1 << 20;
	return mem_resize(at, *cap);
}

/* True for a decompression bomb: the output is far larger than the input. errno: EFBIG. */
static bool is_bomb(size_t taken, size_t made)
{
	if (made <= FREE_EXPANDED || (made - FREE_EXPANDED) / RATIO <= taken)
		return false;
	errno = EFBIG;
	return true;
}

static int expand_deflate(const struct mapped *in, uint8_t **out, size_t *n, size_t max)
{
	const uInt all = (uInt)MIN(in->n, UINT32_MAX);
	z_stream z = {.next_in = (uint8_t *)in->p, .avail_in = all};
	size_t cap = 0;
	int status = Z_OK;

	if (inflateInit2(&z, 15 + 32) != Z_OK) /* accept a gzip or a zlib header */
		return -1;
	while (status == Z_OK && *n < max && !is_bomb(all - z.avail_in, *n)) {
		if (*n == cap)
			*out = more_room(*out, &cap);
		z.next_out = *out + *n;
		z.avail_out = (uInt)(cap - *n);
		status = inflate(&z, Z_NO_FLUSH);
		*n = cap - z.avail_out;
	}
	inflateEnd(&z);
	return status == Z_STREAM_END ? 0 : -1;
}

static int expand_xz(const struct mapped *in, uint8_t **out, size_t *n, size_t max)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret status = lzma_stream_decoder(&z, MAX_EXPANDED, LZMA_CONCATENATED);
	size_t cap = 0;

	z.next_in = in->p;
	z.avail_in = in->n;
	while (status == LZMA_OK && *n < max && !is_bomb(in->n - z.avail_in, *n)) {
		if (*n == cap)
			*out = more_room(*out, &cap);
		z.next_out = *out + *n;
		z.avail_out = cap - *n;
		status = lzma_code(&z, LZMA_FINISH);
		*n = cap - z.avail_out;
	}
	lzma_end(&z);
	return status == LZMA_STREAM_END ? 0 : -1;
}

static int expand_zstd(const struct mapped *in, uint8_t **out, size_t *n, size_t max)
{
	ZSTD_DCtx *z = ZSTD_createDCtx();
	ZSTD_inBuffer from = {in->p, in->n, 0};
	size_t cap = 0, left = 1;

	while (z && left && !ZSTD_isError(left) && *n < max && !is_bomb(from.pos, *n)) {
		ZSTD_outBuffer to;
		size_t before = from.pos;

		if (*n == cap)
			*out = more_room(*out, &cap);
		to = (ZSTD_outBuffer){*out, cap, *n};
		left = ZSTD_decompressStream(z, &to, &from);
		if (to.pos == *n && from.pos == before)
			break; /* truncated input */
		*n = to.pos;
	}
	ZSTD_freeDCtx(z);
	return left == 0 ? 0 : -1;
}

static int expand(struct mapped *m)
{
	static const struct {
		const char *magic;
		size_t n;
		int (*expand)(const struct mapped *in, uint8_t **out, size_t *n, size_t max);
	} kinds[] = {
		{"\x1f\x8b", 2, expand_deflate},
		{"\xfd"
		 "7zXZ",
		 6, expand_xz},
		{"\x28\xb5\x2f\xfd", 4, expand_zstd},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const uint32_t owner = m->owner;
		uint8_t *out = NULL;
		size_t n = 0;
		int failed;

		if (m->n < kinds[i].n || memcmp(m->p, kinds[i].magic, kinds[i].n))
			continue;
		failed = kinds[i].expand(m, &out, &n, MAX_EXPANDED);
		mapped_release(m);
		*m = (struct mapped){.p = out, .n = n, .heap = true, .owner = owner, .held = n};
		return failed;
	}
	return -1;
}

/* Small files may have holes. A file whose file system does not report its allocated size counts as
 * not sparse. */
bool elf_is_sparse(const struct mapped *m)
{
	return m->held && m->n > SPARSE_FREE && m->n / RATIO > m->held;
}

static void hold(struct elf_image *image)
{
	const size_t held = image->bytes.held;

	if (held && held < SIZE_MAX / RATIO - FREE_EXPANDED)
		image->elf.held = MIN(image->elf.n, FREE_EXPANDED + held * RATIO);
}

int elf_image_open(struct elf_image *image, const char *path, bool packed)
{
	*image = (struct elf_image){0};
	if (mapped_open(&image->bytes, path, NULL) < 0)
		return -1;
	if (elf_is_sparse(&image->bytes)) {
		elf_image_release(image);
		return -1;
	}
	if (elf_file_init(&image->elf, image->bytes.p, image->bytes.n) &&
	    (!packed || expand(&image->bytes) ||
	     elf_file_init(&image->elf, image->bytes.p, image->bytes.n))) {
		elf_image_release(image);
		return -1;
	}
	hold(image);
	return 0;
}

bool elf_image_embedded(struct elf_image *image, const struct elf_file *f)
{
	const struct elf_section *s = elf_section_named(f, ".gnu_debugdata");
	struct cursor c = elf_section_bytes(f, s);
	const struct mapped in = {.p = c.p, .n = cursor_left(&c)};
	uint8_t *out = NULL;
	size_t n = 0;
	int failed;

	*image = (struct elf_image){0};
	if (!in.n)
		return false;
	failed = expand_xz(&in, &out, &n, MAX_EMBEDDED);
	image->bytes = (struct mapped){.p = out, .n = n, .heap = true, .held = n};
	if (!failed && !elf_file_init(&image->elf, out, n) && image->elf.machine == f->machine &&
	    elf_has_symbols(&image->elf, SHT_SYMTAB))
		return true;
	elf_image_release(image);
	return false;
}

static int expand_section(const struct elf_section *s, struct cursor c, bool is_64_bit,
			  struct mapped *out)
{
	int (*how)(const struct mapped *in, uint8_t **out, size_t *n, size_t max) = expand_deflate;
	uint8_t *bytes = NULL;
	struct mapped in;
	size_t n = 0;
	int failed;

	if (s->flags & SHF_COMPRESSED) {
		uint32_t type = cursor_u32(&c);

		cursor_skip(&c, is_64_bit ? sizeof(Elf64_Chdr) - 4 : sizeof(Elf32_Chdr) - 4);
		if (type == 2) /* ELFCOMPRESS_ZSTD, which older headers don't know */
			how = expand_zstd;
		else if (type != ELFCOMPRESS_ZLIB)
			return -1;
	} else { /* .zdebug_*: "ZLIB" and the size in big endian */
		const void *magic = cursor_bytes(&c, 4);

		if (!magic || memcmp(magic, "ZLIB", 4))
			return -1;
		cursor_skip(&c, 8);
	}
	in = (struct mapped){.p = c.p, .n = cursor_left(&c)};
	failed = c.bad || how(&in, &bytes, &n, MAX_EXPANDED) || !n;
	if (failed && n >= MAX_EXPANDED)
		errno = EFBIG;
	*out = (struct mapped){.p = bytes, .n = n, .heap = true, .held = n};
	if (failed)
		mapped_release(out);
	return failed ? -1 : 0;
}

bool elf_section_whole(const struct elf_file *f, const char *name, struct mapped *expanded,
		       const uint8_t **p, size_t *n)
{
	const struct elf_section *s = elf_section_named(f, name);
	char old[32];
	struct cursor c;

	*expanded = (struct mapped){0};
	errno = 0;
	if (!s) {
		snprintf(old, sizeof(old), ".z%s", name + 1);
		s = elf_section_named(f, old);
	}
	c = elf_section_bytes(f, s);
	if (!cursor_left(&c))
		return false;
	if (!(s->flags & SHF_COMPRESSED) && s->name[1] != 'z') {
		*p = c.p;
		*n = cursor_left(&c);
		return true;
	}
	if (expand_section(s, c, f->is_64_bit, expanded))
		return false;
	*p = expanded->p;
	*n = expanded->n;
	return true;
}

void elf_image_release(struct elf_image *image)
{
	elf_file_release(&image->elf);
	mapped_release(&image->bytes);
}
