// SPDX-License-Identifier: MIT
#include "symbol/code.h"

#include "symbol/contained/contained_private.h"

#include <string.h>

static const struct mapped *code_file_of(struct code_files *c, struct dso *dso)
{
	uint32_t *at = idmap_put(&c->by_dso, dso->index);
	struct mapped file = {0};
	const char *path;

	if (*at == HASH_NONE) {
		*at = (uint32_t)c->files.n;
		path = dso_file(dso);
		if (path)
			mapped_open(&file, path, NULL);
		vec_add(&c->files, file);
	}
	return &c->files.at[*at];
}

size_t code_read(struct code_files *c, struct dso *dso, uint64_t offset, void *to, size_t n)
{
	const struct mapped *file;
	size_t got = contained_of(dso) ? contained_bytes(dso, offset, to, n) : 0;

	if (got)
		return got;
	file = code_file_of(c, dso);
	if (offset >= file->n)
		return 0;
	n = MIN(n, file->n - (size_t)offset);
	memcpy(to, file->p + offset, n);
	if (contained_notes(dso))
		contained_note_bytes(dso, offset, to, n);
	return n;
}

void code_files_release(struct code_files *c)
{
	for (size_t i = 0; i < c->files.n; i++)
		mapped_release(&c->files.at[i]);
	vec_release(&c->files);
	idmap_release(&c->by_dso);
}
