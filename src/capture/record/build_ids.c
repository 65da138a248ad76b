// SPDX-License-Identifier: MIT
#include "capture/record/build_ids.h"

#include "data/record/record.h"
#include "symbol/dso.h"

#include <sys/mman.h>

void build_ids_release(struct build_ids *b)
{
	intern_release(&b->seen);
	buf_release(&b->payload);
}

void build_ids_add(struct build_ids *b, uint16_t cpumode, const uint8_t *id, size_t size,
		   const char *name)
{
	struct {
		struct record_header h;
		int32_t pid;
		uint8_t id[24];
	} entry = {.pid = -1};
	size_t n = strnlen(name, 4000) + 1, padded = (n + 63) & ~(size_t)63, before;
	char key[4096];

	if (size > 20 || !*name)
		return;
	memcpy(key, id, size);
	key[size] = (char)cpumode;
	memcpy(key + size + 1, name, n - 1);
	before = b->seen.entries.n;
	if (intern_put(&b->seen, key, size + n) < before)
		return;
	memcpy(entry.id, id, size);
	entry.id[20] = (uint8_t)size;
	entry.h.misc = cpumode | 1 << 15; /* the id's size is in its byte 20 */
	entry.h.size = (uint16_t)(sizeof(entry) + padded);
	buf_add(&b->payload, &entry, sizeof(entry));
	buf_add(&b->payload, name, n - 1);
	buf_fill(&b->payload, 0, padded - (n - 1));
}

/* The kernel gives no build-id with its vdso: takes that of this process's own vdso. 32-bit
 * processes have another vdso, at a low address. */
static void see_vdso(struct build_ids *b, const uint8_t *p, size_t n)
{
	struct build_id id = {0};
	uint64_t addr;

	memcpy(&addr, p + 16, sizeof(addr));
	if (b->vdso_known || n < 72 + sizeof("[vdso]") ||
	    memcmp(p + 72, "[vdso]", sizeof("[vdso]")) || sizeof(void *) < 8 || addr >> 32 == 0)
		return;
	b->vdso_known = true;
	if (!build_id_of_vdso(&id))
		build_ids_add(b, MISC_USER, id.bytes, id.size, "[vdso]");
}

void build_ids_see(struct build_ids *b, const uint8_t *p)
{
	struct record_header h;
	uint32_t prot;

	memcpy(&h, p, sizeof(h));
	/* { header, pid, tid, addr, len, pgoff, id size and id in 24 bytes, prot, flags, name } */
	if (h.type != RECORD_MMAP2 || h.size < 80)
		return;
	if (!(h.misc & MISC_MMAP_BUILD_ID)) {
		see_vdso(b, p, h.size);
		return;
	}
	memcpy(&prot, p + 64, sizeof(prot));
	if (prot & PROT_EXEC && p[40] <= 20 && memchr(p + 72, 0, h.size - 72u))
		build_ids_add(b, MISC_USER, p + 44, p[40], (const char *)p + 72);
}
