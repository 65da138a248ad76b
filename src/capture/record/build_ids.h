/* SPDX-License-Identifier: MIT */
/* The build-ids of everything that was mapped while recording, each once, for the
 * BUILD_ID feature. */
#ifndef CAPTURE_BUILD_IDS_H
#define CAPTURE_BUILD_IDS_H

#include "base/buf.h"
#include "base/hash.h"

struct build_ids {
	struct intern seen; /* cpumode, id, name */
	struct buf payload; /* of the feature */
	bool vdso_known;
};

void build_ids_add(struct build_ids *b, uint16_t cpumode, const uint8_t *id, size_t size,
		   const char *name);
/* Adds the build-id of a raw MMAP2 record that carries one or maps the vdso; ignores any other
 * record. */
void build_ids_see(struct build_ids *b, const uint8_t *record);
void build_ids_release(struct build_ids *b);

#endif
