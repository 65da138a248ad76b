// SPDX-License-Identifier: MIT
/* Opens the file of a dso for unwinding. */
#include "symbol/dso_private.h"

#include <errno.h>

#define MOST_COST  ((size_t)512 << 20) /* of all files together, see unwind_file.cost */
#define MOST_LINES 8

/* True when the set has spent its budget for opening files. Ordinary files cost a few thousand
 * each. */
static bool is_spent(const struct dso *dso)
{
	return atomic_load_explicit(&dso->set->private_data->unwind_cost, memory_order_relaxed) >=
	       MOST_COST;
}

static void spend(struct dso *dso, size_t cost)
{
	atomic_fetch_add_explicit(&dso->set->private_data->unwind_cost, cost, memory_order_relaxed);
}

static struct unwind_file *give_up(struct dso *dso)
{
	struct unwind_file *f = arena_alloc(&dso->private_data->arena, sizeof(*f));

	f->too_much = true;
	return f;
}

static void dso_unwind_open_file(struct dso *dso)
{
	struct dso_private *p = dso->private_data;
	const char *path = dso->kind == DSO_FILE || dso->kind == DSO_VDSO ? dso_file(dso) : NULL;
	const void *bytes = NULL;
	size_t n = 0;

	if (path && is_spent(dso)) {
		p->unwind = give_up(dso);
		return;
	}
	if (path && !mapped_open(&p->unwind_image, path, NULL) &&
	    !elf_is_sparse(&p->unwind_image)) {
		bytes = p->unwind_image.p;
		n = p->unwind_image.n;
	} else if (dso->kind == DSO_VDSO) {
		bytes = dso_own_vdso(dso, &n);
	}
	if (!bytes)
		return;
	p->unwind = arena_alloc(&p->arena, sizeof(*p->unwind));
	if (unwind_file_init(p->unwind, bytes, n))
		p->unwind = NULL;
	else
		spend(dso, p->unwind->cost);
}

struct unwind_file *dso_unwind_file(struct dso *dso)
{
	struct dso_private *p = dso->private_data;

	dso_once(dso, &p->unwind_known, dso_unwind_open_file);
	return p->unwind;
}

static bool has_frames(const struct elf_file *elf)
{
	return elf_section_named(elf, ".debug_frame") || elf_section_named(elf, ".zdebug_frame");
}

/* True when the file is the dso's own, or has the same build-id. */
static bool same_build(struct dso *dso, const struct elf_file *elf, const char *path)
{
	const char *file = dso_file(dso);
	struct build_id a, b;

	if (file && !strcmp(file, path))
		return true;
	return !elf_build_id(&dso->private_data->unwind->elf, &a) && !elf_build_id(elf, &b) &&
	       build_id_equal(&a, &b);
}

static bool consider_debug(void *ctx, const char *path, struct place_kind kind)
{
	struct dso *dso = ctx;
	struct dso_private *p = dso->private_data;
	struct elf_image image, inner;

	(void)kind;
	if (elf_image_open(&image, path, false) < 0)
		return false;
	if (!same_build(dso, &image.elf, path)) {
		elf_image_release(&image);
		return false;
	}
	if (!has_frames(&image.elf) && elf_image_embedded(&inner, &image.elf)) {
		elf_image_release(&image);
		image = inner;
	}
	if (has_frames(&image.elf)) {
		p->debug_image = image;
		return true;
	}
	elf_image_release(&image);
	return false;
}

static void open_debug(struct dso *dso)
{
	struct dso_private *p = dso->private_data;
	struct elf_image *image = &p->debug_image;
	const uint8_t *frames;
	size_t n;

	if (!p->unwind || dso->kind != DSO_FILE)
		return;
	if (is_spent(dso)) {
		p->unwind_debug = give_up(dso);
		return;
	}
	dso_candidates(dso, consider_debug, dso);
	if (!image->bytes.p)
		return;
	if (!elf_section_whole(&image->elf, ".debug_frame", &p->debug_frames, &frames, &n)) {
		if (errno == EFBIG)
			p->unwind_debug = give_up(dso);
		elf_image_release(image);
		return;
	}
	p->unwind_debug = arena_alloc(&p->arena, sizeof(*p->unwind_debug));
	if (unwind_file_init_debug(p->unwind_debug, image->bytes.p, image->bytes.n, frames, n)) {
		unwind_file_release(p->unwind_debug);
		p->unwind_debug = NULL;
	} else {
		spend(dso, p->unwind_debug->cost + p->debug_frames.n);
	}
}

struct unwind_file *dso_unwind_debug(struct dso *dso)
{
	struct dso_private *p = dso->private_data;

	dso_once(dso, &p->unwind_debug_known, open_debug);
	return p->unwind_debug;
}

bool dso_unwind_ready(const struct dso *dso, bool debug)
{
	const struct dso_private *p = dso->private_data;

	return atomic_load_explicit(debug ? &p->unwind_debug_known : &p->unwind_known,
				    memory_order_acquire);
}

static const char *trouble_of(const struct dso *dso)
{
	const struct dso_private *p = dso->private_data;

	if ((p->unwind && unwind_file_given_up(p->unwind)) ||
	    (p->unwind_debug && unwind_file_given_up(p->unwind_debug)))
		return "too much work to read, its frames are not unwound";
	if (p->unwind && p->file && mapped_changed(&p->unwind_image, p->file))
		return "changed while it was in use, its frames may be wrong";
	return NULL;
}

void dso_set_given_up(const struct dso_set *set, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < set->dsos.n; i++) {
		const char *trouble = trouble_of(set->dsos.at[i]);

		if (!trouble || ++n > MOST_LINES)
			continue;
		buf_char(out, '\'');
		buf_safe(out, set->dsos.at[i]->long_name);
		buf_printf(out, "': %s\n", trouble);
	}
	if (n > MOST_LINES)
		buf_printf(out, "... and so %zu more\n", n - MOST_LINES);
}

void dso_unwind_release(struct dso *dso)
{
	struct dso_private *p = dso->private_data;

	if (p->unwind)
		unwind_file_release(p->unwind);
	if (p->unwind_debug)
		unwind_file_release(p->unwind_debug);
	mapped_release(&p->unwind_image);
	mapped_release(&p->debug_frames);
	elf_image_release(&p->debug_image);
}
