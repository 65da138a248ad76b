// SPDX-License-Identifier: MIT
#include "analysis/inject/stages.h"

#include "os/machine/host.h"

#include <sys/mman.h>

#define PAGES 4096 /* a power of two */

struct ids {
	enum inject_ids wanted; /* INJECT_IDS_NONE: not known before the first record */
	struct idmap known;   /* index of a dso -> of .ids */
	struct idmap written; /* index of a dso */
	struct intern mapped; /* { pid, map } that were written */
	VEC(struct build_id) ids;
	/* A cache of pages seen in this state of the world: most samples need no other lookup. */
	uint64_t state;
	struct page {
		uint64_t state, number;
		uint32_t epoch;
		uint8_t mode;
	} pages[PAGES];
};

struct ids *ids_new(void)
{
	struct ids *ids = NEW(struct ids);

	ids->state = 1;
	return ids;
}

void ids_free(struct ids *ids)
{
	if (!ids)
		return;
	idmap_release(&ids->known);
	idmap_release(&ids->written);
	intern_release(&ids->mapped);
	vec_release(&ids->ids);
	free(ids);
}

/* The build-ids to write. When stacks are not unwound yet, the files of callers are unknown: all
 * mapped files count. */
static enum inject_ids wanted(const struct inject *in)
{
	const enum inject_ids ids = in->opts->ids;

	if (in->opts->chains || !measurement_samples_any(&in->rec->m, SAMPLE_STACK_USER))
		return ids;
	return ids == INJECT_IDS_HIT	     ? INJECT_IDS_ALL
	       : ids == INJECT_IDS_MMAP2_HIT ? INJECT_IDS_MMAP2_ALL
					     : ids;
}

/* The build-id of a dso: the user's, else the recording's, else that of the file that is there
 * now. */
static struct build_id find_id(const struct inject *in, struct dso *dso)
{
	const struct known_ids *known = &in->opts->known;
	const uint32_t i = intern_find(&known->paths, dso->long_name, strlen(dso->long_name));
	/* the running kernel is the recorded one */
	const bool live = !in->rec->m.osrelease || host_runs(in->rec->m.osrelease);
	struct build_id id = {0};
	const char *path;
	char name[64];

	if (i != HASH_NONE)
		return known->ids.at[i];
	if (dso->build_id.size)
		return dso->build_id;
	if (dso->kind == DSO_KERNEL && live && !dso->guest) {
		build_id_of_kernel(&id);
	} else if (dso->kind == DSO_VDSO && live && !strcmp(dso->long_name, "[vdso]")) {
		build_id_of_vdso(&id);
	} else if (dso->kind == DSO_MODULE && live && dso->short_name[0] == '[') {
		size_t n = strcspn(dso->short_name + 1, "]");

		if (n < sizeof(name)) {
			memcpy(name, dso->short_name + 1, n);
			name[n] = 0;
			build_id_of_module(name, &id);
		}
	}
	if (!id.size && (dso->kind == DSO_FILE || dso->kind == DSO_MODULE) &&
	    (path = dso_file(dso)))
		build_id_of_file(path, &id);
	return id;
}

static const struct build_id *get_id(struct inject *in, struct dso *dso)
{
	uint32_t *i = idmap_put(&in->ids->known, dso->index);

	if (*i == HASH_NONE) {
		*i = (uint32_t)in->ids->ids.n;
		vec_add(&in->ids->ids, find_id(in, dso));
	}
	return &in->ids->ids.at[*i];
}

static void ids_tell(struct inject *in, struct dso *dso)
{
	uint32_t *written = idmap_put(&in->ids->written, dso->index);
	const uint16_t mode = dso->guest ? (dso->in_kernel ? MISC_GUEST_KERNEL : MISC_GUEST_USER)
					 : (dso->in_kernel ? MISC_KERNEL : MISC_USER);
	struct record r = {.header = {.type = RECORD_HEADER_BUILD_ID,
				      .misc = mode | MISC_EXT_RESERVED}};
	const struct build_id *id;

	if (*written != HASH_NONE)
		return;
	*written = 1;
	id = get_id(in, dso);
	if (!id->size)
		return;
	r.build_id = (struct rec_build_id){.pid = -1, .build_id_size = id->size,
					   .filename = world_dso_name(in->world, dso)};
	memcpy(r.build_id.build_id, id->bytes, sizeof(id->bytes));
	output_put(&in->out, &r);
	output_build_id(&in->out, (uint8_t)mode, id, r.build_id.filename);
	in->totals->ids++;
}

/* Writes a map as a record of its own, before the first sample that lies in it. */
static void tell_map(struct inject *in, const struct record *of, uint32_t pid,
		     const struct map *map)
{
	struct {
		const struct map *map;
		uint64_t pid;
	} key = {map, pid};
	size_t before = in->ids->mapped.entries.n;
	struct record r = {.header = {.type = RECORD_MMAP2, .misc = MISC_USER},
			   .event = of->event, .id = of->id};
	const struct build_id *id;

	if (intern_put(&in->ids->mapped, &key, sizeof(key)) < before)
		return;
	r.mmap = (struct rec_mmap){
		.pid = pid, .tid = pid, .addr = map->start, .len = map->end - map->start,
		.pgoff = map->pgoff, .maj = map->maj, .min = map->min, .ino = map->ino,
		.ino_generation = map->ino_generation, .prot = map->prot, .flags = map->flags,
		/* a dso named after a JIT's map file is anonymous memory */
		.filename = dso_is_perf_map(map->dso) ? "//anon" : map->dso->long_name};
	id = get_id(in, map->dso);
	if (id->size) {
		r.header.misc |= MISC_MMAP_BUILD_ID;
		r.mmap.build_id_size = id->size;
		memcpy(r.mmap.build_id, id->bytes, sizeof(id->bytes));
		output_build_id(&in->out, MISC_USER, id, map->dso->long_name);
		in->totals->ids++;
	}
	output_put(&in->out, &r);
}

static void hit(struct inject *in, const struct record *r, const struct thread *t, uint32_t epoch,
		uint8_t mode, uint64_t ip)
{
	const uint64_t number = ip >> 12;
	struct page *page = &in->ids->pages[(number ^ number >> 12 ^ epoch * 31u) & (PAGES - 1)];
	struct place p;

	if (page->state == in->ids->state && page->number == number && page->epoch == epoch &&
	    page->mode == mode)
		return;
	*page = (struct page){in->ids->state, number, epoch, mode};
	p = mode == MISC_CPUMODE_UNKNOWN ? world_place_any(in->world, epoch, ip)
					 : world_place(in->world, epoch, mode, ip);
	if (p.map && in->opts->ids == INJECT_IDS_MMAP2_HIT && !p.map->in_kernel)
		tell_map(in, r, t->pid, p.map);
	else if (p.map)
		ids_tell(in, p.dso);
}

static void take_chain(struct inject *in, const struct record *r, const struct thread *t,
		       const uint64_t *words, uint64_t n)
{
	const uint32_t epoch = world_epoch(in->world, t, WORLD_NOW);
	struct raw_chain walk = {.words = words, .n = n, .mode = MISC_CPUMODE_UNKNOWN};
	uint64_t ip;

	while (raw_chain_next(&walk, &ip))
		hit(in, r, t, epoch, walk.mode, ip);
}

static void ids_take_sample(struct inject *in, const struct record *r)
{
	const struct sample *s = &r->sample;
	const struct thread *t = world_thread(in->world, s->pid, s->tid, WORLD_NOW);

	hit(in, r, t, world_epoch(in->world, t, WORLD_NOW), r->header.misc & MISC_CPUMODE_MASK,
	    s->ip);
	take_chain(in, r, t, s->callchain, s->callchain_nr);
}

static void take_deferred(struct inject *in, const struct record *r)
{
	const struct rec_callchain_deferred *c = &r->callchain_deferred;

	if (r->id.has & SAMPLE_TID)
		take_chain(in, r, world_thread(in->world, r->id.pid, r->id.tid, WORLD_NOW), c->ips,
			   c->nr);
}

/* The map of a record's file in the world. */
static struct place ids_place_of(struct inject *in, const struct record *r)
{
	const uint8_t mode = r->header.misc & MISC_CPUMODE_MASK;
	const struct thread *t = world_thread(in->world, r->mmap.pid, r->mmap.tid, WORLD_NOW);

	return world_place(in->world, world_epoch(in->world, t, WORLD_NOW), mode, r->mmap.addr);
}

/* Adds the build-id of its file to a map record. */
static void with_id(struct inject *in, struct record *r)
{
	struct place p = ids_place_of(in, r);
	const struct build_id *id = p.dso ? get_id(in, p.dso) : NULL;

	if (!id || !id->size || p.dso->kind == DSO_ANON)
		return;
	if (r->header.type == RECORD_MMAP) {
		r->mmap.prot = PROT_READ | (r->header.misc & MISC_MMAP_DATA ? 0 : PROT_EXEC);
		r->mmap.flags = MAP_PRIVATE;
		r->header.type = RECORD_MMAP2;
		r->header.misc &= (uint16_t)~MISC_MMAP_DATA;
	} else if (r->mmap.no_prot) {
		return;
	}
	r->header.misc |= MISC_MMAP_BUILD_ID;
	r->mmap.build_id_size = id->size;
	memcpy(r->mmap.build_id, id->bytes, sizeof(id->bytes));
	r->bytes = NULL;
	in->totals->ids++;
}

static bool ids_take_map(struct inject *in, struct record *r)
{
	const bool user = (r->header.misc & MISC_CPUMODE_MASK) == MISC_USER;
	struct place p;

	switch (in->ids->wanted) {
	case INJECT_IDS_ALL:
		p = ids_place_of(in, r);
		if (p.dso && p.dso->kind != DSO_ANON)
			ids_tell(in, p.dso);
		return true;
	case INJECT_IDS_MMAP2_HIT:
		if (user)
			return false;
		/* fall through */
	case INJECT_IDS_MMAP2_ALL:
		with_id(in, r);
		return true;
	default:
		return true;
	}
}

bool ids_take(struct inject *in, struct record *r)
{
	struct ids *ids = in->ids;
	bool hits;

	if (!ids->wanted)
		ids->wanted = wanted(in);
	hits = ids->wanted == INJECT_IDS_HIT || ids->wanted == INJECT_IDS_MMAP2_HIT;

	switch (r->header.type) {
	case RECORD_SAMPLE:
		if (hits)
			ids_take_sample(in, r);
		return true;
	case RECORD_CALLCHAIN_DEFERRED:
		if (hits)
			take_deferred(in, r);
		return true;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		in->ids->state++;
		return ids_take_map(in, r);
	case RECORD_FORK:
	case RECORD_COMM:
	case RECORD_EXIT:
	case RECORD_KSYMBOL:
		in->ids->state++;
		return true;
	default:
		return true;
	}
}
