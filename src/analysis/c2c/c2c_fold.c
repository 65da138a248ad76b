// SPDX-License-Identifier: MIT
#include "analysis/c2c/c2c_fold.h"

#include <string.h>
#include <sys/mman.h>

/* Identifies the memory that a line is part of. */
struct line_file {
	uint64_t cpumode, unmapped, maj, min, ino, generation;
};

struct c2c_packed_line {
	uint64_t key_address, address; /* in its file; as the first sample has it */
	uint64_t physical;	       /* the last one */
	uint32_t physical_count;
	uint32_t file; /* in fold.files */
	uint32_t pid;
	uint32_t first, last; /* its entries */
};

/* How many accesses of a kind came from CPUs of a node. */
struct packed_count {
	struct packed_count *next;
	uint32_t kind, node, n;
};

struct packed_mean {
	struct packed_mean *next;
	enum c2c_mean which;
	uint32_t n;
	double mean;
};

struct packed_hit {
	struct packed_hit *next;
	uint64_t period;
	uint32_t chain, samples; /* chain HASH_NONE: of samples without one */
};

struct c2c_packed_entry {
	uint64_t ip, physical;
	struct thread *thread;
	struct packed_count *counts;
	struct packed_mean *means;
	struct packed_hit *hits;    /* NULL where chains are not shown */
	union {			    /* sets of CPUs, then of nodes */
		uint64_t inside[2]; /* where a word is enough for each */
		uint64_t *outside;
	};
	uint32_t line, frame, physical_count;
	uint32_t data; /* frame of the data; HASH_NONE: types are not shown */
	uint32_t next; /* of its line; HASH_NONE: none */
	uint8_t offset;
};

static size_t set_words(const struct c2c *c)
{
	return bit_set_words(c->nodes.n_cpus) + bit_set_words(c->nodes.n_nodes);
}

static uint64_t *entry_cpus(const struct c2c *c, struct c2c_packed_entry *e)
{
	return set_words(c) > ARRAY_SIZE(e->inside) ? e->outside : e->inside;
}

static uint64_t *entry_nodes(const struct c2c *c, struct c2c_packed_entry *e)
{
	return entry_cpus(c, e) + bit_set_words(c->nodes.n_cpus);
}

static uint64_t line_mask(const struct c2c *c)
{
	return c->opts.double_line ? 127 : 63;
}

static bool is_private(const struct map *map)
{
	return !(map->flags & MAP_SHARED) && !map->maj && !map->min && !map->ino &&
	       !map->ino_generation;
}

static uint32_t fold_line_get(struct c2c *c, const struct c2c_access *a)
{
	struct c2c_fold *f = &c->fold;
	const struct map *map = a->data.map;
	struct line_file file = {.cpumode = a->cpumode, .unmapped = !map};
	struct {
		uint64_t address;
		uint32_t file, pid;
	} key = {a->data_address & ~line_mask(c)};
	struct c2c_packed_line *line;
	uint64_t hash;
	uint32_t i, id;

	if (map) {
		file.maj = map->maj;
		file.min = map->min;
		file.ino = map->ino;
		file.generation = map->ino_generation;
		if (a->cpumode != MISC_KERNEL && is_private(map))
			key.pid = a->thread->pid;
	}
	key.file = intern_put(&f->files, &file, sizeof(file));
	hash = hash_bytes(&key, sizeof(key), 0);
	i = id_slots_begin(&f->line_slots, hash);
	while ((id = id_slots_next(&f->line_slots, hash, &i)) != HASH_NONE) {
		line = f->lines.at[id];
		if (line->key_address == key.address && line->file == key.file &&
		    line->pid == key.pid)
			return id;
	}
	id = (uint32_t)f->lines.n;
	line = arena_alloc(&c->arena, sizeof(*line));
	*line = (struct c2c_packed_line){.key_address = key.address,
					 .address = a->s->addr & ~line_mask(c),
					 .file = key.file,
					 .pid = key.pid,
					 .first = HASH_NONE,
					 .last = HASH_NONE};
	vec_add(&f->lines, line);
	id_slots_add(&f->line_slots, id, hash);
	return id;
}

/* What tells entries of a line apart: the offset, and the values of the keys. */
static size_t entry_values(const struct c2c *c, const struct c2c_packed_entry *e,
			   uint64_t out[2 + C2C_KEYS])
{
	const uint64_t values[C2C_KEYS] = {
		[C2C_PID] = e->thread->pid,
		[C2C_TID] = e->thread->tid,
		[C2C_IADDR] = e->ip,
		[C2C_DSO] = frames_at(&c->frames, e->frame)->where->dso_name};

	out[0] = e->line;
	out[1] = e->offset;
	for (size_t i = 0; i < c->opts.n_keys; i++)
		out[2 + i] = values[c->opts.keys[i]];
	return (2 + c->opts.n_keys) * sizeof(*out);
}

static void fold_line_add_entry(struct c2c_fold *f, uint32_t line, uint32_t entry)
{
	struct c2c_packed_line *l = f->lines.at[line];

	if (l->first == HASH_NONE)
		l->first = entry;
	else
		f->entries.at[l->last]->next = entry;
	l->last = entry;
}

static struct c2c_packed_entry *fold_entry_get(struct c2c *c, uint32_t line,
					       const struct c2c_access *a)
{
	struct c2c_fold *f = &c->fold;
	struct c2c_packed_entry new = {.ip = a->s->ip,
				       .thread = a->thread,
				       .line = line,
				       .frame = a->frame,
				       .next = HASH_NONE,
				       .offset = (uint8_t)(a->data_address & line_mask(c))};
	uint64_t wanted[2 + C2C_KEYS], has[2 + C2C_KEYS], hash;
	const size_t size = entry_values(c, &new, wanted);
	struct c2c_packed_entry *e;
	uint32_t i, id;

	hash = hash_bytes(wanted, size, 0);
	i = id_slots_begin(&f->entry_slots, hash);
	while ((id = id_slots_next(&f->entry_slots, hash, &i)) != HASH_NONE) {
		entry_values(c, f->entries.at[id], has);
		if (!memcmp(wanted, has, size))
			return f->entries.at[id];
	}
	new.data = c->opts.types ? frames_get(&c->frames, a->epoch, a->cpumode, a->s->addr, false)
				 : HASH_NONE;
	id = (uint32_t)f->entries.n;
	e = arena_alloc(&c->arena, sizeof(*e));
	*e = new;
	if (set_words(c) > ARRAY_SIZE(e->inside))
		e->outside = arena_alloc(&c->arena, set_words(c) * sizeof(*e->outside));
	vec_add(&f->entries, e);
	id_slots_add(&f->entry_slots, id, hash);
	fold_line_add_entry(f, line, id);
	return e;
}

static void entry_add_count(struct c2c *c, struct c2c_packed_entry *e, const struct c2c_access *a)
{
	const uint32_t kind = intern_put(&c->fold.kinds, &a->stats, sizeof(a->stats));
	struct packed_count *at = e->counts;

	while (at && (at->kind != kind || at->node != a->cpu_node))
		at = at->next;
	if (!at) {
		at = arena_alloc(&c->arena, sizeof(*at));
		*at = (struct packed_count){e->counts, kind, a->cpu_node, 0};
		e->counts = at;
	}
	at->n++;
}

/* The enum c2c_mean of an access: the first kind that fits. */
static int mean_of(const struct c2c_stats *s)
{
	static const enum c2c_stat by[C2C_MEANS] = {C2C_RMT_HITM, C2C_LCL_HITM, C2C_RMT_PEER,
						    C2C_LCL_PEER, C2C_LOAD};

	for (int i = 0; i < C2C_MEANS; i++)
		if (s->n[by[i]])
			return i;
	return -1;
}

static void entry_add_mean(struct c2c *c, struct c2c_packed_entry *e, const struct c2c_access *a)
{
	const int which = mean_of(&a->stats);
	const uint64_t weight = a->s->type & SAMPLE_WEIGHT_STRUCT ? a->s->weight1 : a->s->weight;
	struct packed_mean *at = e->means;

	if (which < 0)
		return;
	while (at && at->which != (enum c2c_mean)which)
		at = at->next;
	if (!at) {
		at = arena_alloc(&c->arena, sizeof(*at));
		*at = (struct packed_mean){.next = e->means, .which = (enum c2c_mean)which};
		e->means = at;
	}
	at->n++;
	at->mean += ((double)weight - at->mean) / (double)at->n;
}

static void entry_add_chain(struct c2c *c, struct c2c_packed_entry *e, const struct c2c_access *a)
{
	struct packed_hit *at = e->hits;

	if (!c->opts.chains)
		return;
	while (at && at->chain != a->chain)
		at = at->next;
	if (!at) {
		at = arena_alloc(&c->arena, sizeof(*at));
		*at = (struct packed_hit){.next = e->hits, .chain = a->chain};
		e->hits = at;
	}
	at->samples++;
	at->period += a->s->period;
}

/* Counts how often the physical address changed. */
static void note_physical(uint64_t *last, uint32_t *count, uint64_t address)
{
	*count += *last != address;
	*last = address;
}

void c2c_fold_add(struct c2c *c, const struct c2c_access *a)
{
	const uint32_t id = fold_line_get(c, a);
	struct c2c_packed_line *line = c->fold.lines.at[id];
	struct c2c_packed_entry *e = fold_entry_get(c, id, a);

	entry_add_count(c, e, a);
	entry_add_mean(c, e, a);
	entry_add_chain(c, e, a);
	if (a->s->type & SAMPLE_CPU && a->s->cpu < c->nodes.n_cpus)
		bit_set_add(entry_cpus(c, e), a->s->cpu);
	if (!a->s->phys_addr || a->node < 0)
		return;
	bit_set_add(entry_nodes(c, e), (uint32_t)a->node);
	note_physical(&e->physical, &e->physical_count, a->s->phys_addr);
	note_physical(&line->physical, &line->physical_count, a->s->phys_addr);
}

/* -- what is shown -- */

static const struct c2c_stats *kind_stats(const struct c2c *c, uint32_t kind)
{
	return (const struct c2c_stats *)c->fold.kinds.entries.at[kind].p;
}

static void entry_stats(const struct c2c *c, const struct c2c_packed_entry *e,
			struct c2c_stats *sums)
{
	for (const struct packed_count *at = e->counts; at; at = at->next)
		c2c_stats_add_times(sums, kind_stats(c, at->kind), at->n);
}

void c2c_fold_stats(const struct c2c *c, uint32_t line, struct c2c_stats *sums)
{
	const struct c2c_fold *f = &c->fold;

	*sums = (struct c2c_stats){{0}};
	for (uint32_t i = f->lines.at[line]->first; i != HASH_NONE; i = f->entries.at[i]->next)
		entry_stats(c, f->entries.at[i], sums);
}

static void seen_init(const struct c2c *c, struct c2c_seen *seen, struct arena *arena)
{
	seen->cpus = arena_alloc(arena, bit_set_words(c->nodes.n_cpus) * 8);
	seen->nodes = arena_alloc(arena, bit_set_words(c->nodes.n_nodes) * 8);
}

static void bit_set_join(uint64_t *to, const uint64_t *from, uint32_t n)
{
	for (size_t i = 0; i < bit_set_words(n); i++)
		to[i] |= from[i];
}

static void entry_add_node(const struct c2c *c, struct c2c_entry *e, const struct packed_count *p)
{
	const struct c2c_stats *s = kind_stats(c, p->kind);
	struct c2c_at_node *at = NULL;

	if (p->node == UINT32_MAX)
		return;
	for (size_t i = 0; i < e->at_nodes.n && !at; i++)
		if (e->at_nodes.at[i].node == p->node)
			at = &e->at_nodes.at[i];
	if (!at) {
		vec_add(&e->at_nodes, (struct c2c_at_node){.node = p->node});
		at = &e->at_nodes.at[e->at_nodes.n - 1];
	}
	at->store += p->n * s->n[C2C_STORE];
	at->rmt += p->n * s->n[C2C_RMT_HITM];
	at->lcl += p->n * s->n[C2C_LCL_HITM];
	at->tot += p->n * s->n[C2C_TOT_HITM];
	at->peer += p->n * s->n[C2C_TOT_PEER];
}

static void entry_add_hit(const struct c2c *c, struct c2c_entry *e, const struct packed_hit *p)
{
	struct chain_hit hit = {.chain = p->chain, .period = p->period, .samples = p->samples};

	e->period += p->period;
	if (p->chain == HASH_NONE)
		return;
	if (c->opts.caller_order)
		hit.from = chain_set_length(&c->frames.chains, p->chain) - 1;
	vec_add(&e->hits, hit);
}

static struct c2c_entry *fold_entry(struct c2c *c, struct c2c_packed_entry *p)
{
	struct c2c_entry *e = arena_alloc(&c->arena, sizeof(*e));

	seen_init(c, &e->seen, &c->arena);
	e->offset = p->offset;
	e->ip = p->ip;
	e->frame = p->frame;
	e->data = p->data;
	e->thread = p->thread;
	e->seen.physical_count = p->physical_count;
	entry_stats(c, p, &e->seen.stats);
	bit_set_join(e->seen.cpus, entry_cpus(c, p), c->nodes.n_cpus);
	bit_set_join(e->seen.nodes, entry_nodes(c, p), c->nodes.n_nodes);
	for (const struct packed_count *at = p->counts; at; at = at->next)
		entry_add_node(c, e, at);
	for (const struct packed_mean *at = p->means; at; at = at->next)
		e->means[at->which] = (struct c2c_average){at->n, at->mean};
	for (const struct packed_hit *at = p->hits; at; at = at->next)
		entry_add_hit(c, e, at);
	return e;
}

struct c2c_line *c2c_fold_line(struct c2c *c, uint32_t id)
{
	const struct c2c_fold *f = &c->fold;
	const struct c2c_packed_line *p = f->lines.at[id];
	const struct line_file *file = f->files.entries.at[p->file].p;
	struct c2c_line *line = arena_alloc(&c->arena, sizeof(*line));

	seen_init(c, &line->seen, &c->arena);
	line->address = p->address;
	line->key = (struct c2c_line_key){.cpumode = file->cpumode,
					  .unmapped = file->unmapped,
					  .maj = file->maj,
					  .min = file->min,
					  .ino = file->ino,
					  .generation = file->generation,
					  .pid = p->pid,
					  .address = p->key_address};
	line->seen.physical_count = p->physical_count;
	for (uint32_t i = p->first; i != HASH_NONE; i = f->entries.at[i]->next) {
		struct c2c_entry *e = fold_entry(c, f->entries.at[i]);

		c2c_stats_add(&line->seen.stats, &e->seen.stats);
		bit_set_join(line->seen.cpus, e->seen.cpus, c->nodes.n_cpus);
		bit_set_join(line->seen.nodes, e->seen.nodes, c->nodes.n_nodes);
		vec_add(&line->entries, e);
	}
	return line;
}

void c2c_fold_release(struct c2c_fold *f)
{
	vec_release(&f->lines);
	vec_release(&f->entries);
	id_slots_release(&f->line_slots);
	id_slots_release(&f->entry_slots);
	intern_release(&f->files);
	intern_release(&f->kinds);
}
