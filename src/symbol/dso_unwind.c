// SPDX-License-Identifier: MIT
/* The file of a dso, as unwinding wants it. */
#include "symbol/dso_private.h"

static void open_file(struct dso *dso)
{
	struct dso_private *p = dso->private_data;
	const char *path = dso->kind == DSO_FILE || dso->kind == DSO_VDSO ? dso_file(dso) : NULL;
	const void *bytes = NULL;
	size_t n = 0;

	if (path && !mapped_open(&p->unwind_image, path, NULL)) {
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
}

struct unwind_file *dso_unwind_file(struct dso *dso)
{
	struct dso_private *p = dso->private_data;

	if (!atomic_load_explicit(&p->unwind_known, memory_order_acquire)) {
		pthread_mutex_lock(&p->lock);
		if (!p->unwind_known)
			open_file(dso);
		atomic_store_explicit(&p->unwind_known, true, memory_order_release);
		pthread_mutex_unlock(&p->lock);
	}
	return p->unwind;
}

void dso_unwind_release(struct dso *dso)
{
	struct dso_private *p = dso->private_data;

	if (p->unwind)
		unwind_file_release(p->unwind);
	mapped_release(&p->unwind_image);
}
