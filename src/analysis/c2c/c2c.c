// SPDX-License-Identifier: MIT
#include "analysis/c2c/c2c.h"

#include "world/replay/replay.h"

#include <string.h>
#include <sys/mman.h>

static const char *const key_names[C2C_KEYS] = {"pid", "tid", "iaddr", "dso"};

int c2c_keys_parse(struct c2c_options *o, const char *text, struct err *err)
{
	o->n_keys = 0;
	while (*text) {
		size_t n = strcspn(text, ","), key = 0;

		while (key < C2C_KEYS &&
		       (strlen(key_names[key]) != n || strncmp(key_names[key], text, n)))
			key++;
		if (key == C2C_KEYS)
			return err_set(err, ERR_USAGE, "unrecognized sort token: %.*s", (int)n,
				       text);
		if (!c2c_has_key(o, (enum c2c_key)key))
			o->keys[o->n_keys++] = (enum c2c_key)key;
		text += n + (text[n] == ',');
	}
	return 0;
}

bool c2c_has_key(const struct c2c_options *o, enum c2c_key key)
{
	for (size_t i = 0; i < o->n_keys; i++)
		if (o->keys[i] == key)
			return true;
	return false;
}

static void seen_init(const struct c2c *c, struct c2c_seen *seen, struct arena *arena)
{
	seen->cpus = arena_alloc(arena, bit_set_words(c->nodes.n_cpus) * 8);
	seen->nodes = arena_alloc(arena, bit_set_words(c->nodes.n_nodes) * 8);
}

static bool is_private(const struct map *map)
{
	return !(map->flags & MAP_SHARED) && !map->maj && !map->min && !map->ino &&
	       !map->ino_generation;
}

/* A sample with the place of its data. */
struct access {
	const struct sample *s;
	struct thread *thread;
	struct c2c_stats stats;
	struct place data;
	uint64_t data_address; /* address in its file: equal in all processes that map it */
	uint32_t frame;	       /* of the code */
	uint8_t cpumode;
	int node; /* of the memory, -1: not known */
};

static struct c2c_line *line_get(struct c2c *c, const struct access *a)
{
	const uint64_t mask = c->opts.double_line ? 127 : 63;
	const struct map *map = a->data.map;
	struct c2c_line_key key = {
		.cpumode = a->cpumode, .unmapped = !map, .address = a->data_address & ~mask};
	struct c2c_line *line;
	uint32_t id;

	if (map) {
		key.maj = map->maj;
		key.min = map->min;
		key.ino = map->ino;
		key.generation = map->ino_generation;
		if (a->cpumode != MISC_KERNEL && is_private(map))
			key.pid = a->thread->pid;
	}
	id = intern_put(&c->line_keys, &key, sizeof(key));
	if (id < c->lines.n)
		return c->lines.at[id];
	line = arena_alloc(&c->arena, sizeof(*line));
	seen_init(c, &line->seen, &c->arena);
	line->key = key;
	line->address = a->s->addr & ~mask;
	vec_add(&c->lines, line);
	return line;
}

static struct c2c_entry *entry_get(struct c2c *c, struct c2c_line *line, const struct access *a)
{
	const uint64_t mask = c->opts.double_line ? 127 : 63;
	const struct frame *frame = frames_at(&c->frames, a->frame);
	uint64_t key[2 + C2C_KEYS] = {(uint64_t)(uintptr_t)line, a->data_address & mask};
	const uint64_t values[C2C_KEYS] = {a->thread->pid, a->thread->tid, a->s->ip,
					   frame->where->dso_name};
	struct c2c_entry *e;
	uint32_t id;

	for (size_t i = 0; i < c->opts.n_keys; i++)
		key[2 + i] = values[c->opts.keys[i]];
	id = intern_put(&c->entry_keys, key, sizeof(key));
	if (id < c->entries.n)
		return c->entries.at[id];
	e = arena_alloc(&c->arena, sizeof(*e));
	seen_init(c, &e->seen, &c->arena);
	e->offset = key[1];
	e->ip = a->s->ip;
	e->frame = a->frame;
	e->thread = a->thread;
	vec_add(&c->entries, e);
	vec_add(&line->entries, e);
	return e;
}

static void seen_add(const struct c2c *c, struct c2c_seen *seen, const struct access *a)
{
	c2c_stats_add(&seen->stats, &a->stats);
	if (a->s->type & SAMPLE_CPU && a->s->cpu < c->nodes.n_cpus)
		bit_set_add(seen->cpus, a->s->cpu);
	if (!a->s->phys_addr || a->node < 0)
		return;
	bit_set_add(seen->nodes, (uint32_t)a->node);
	if (seen->physical != a->s->phys_addr) {
		seen->physical_count++;
		seen->physical = a->s->phys_addr;
	}
}

static void entry_add_node(struct c2c_entry *e, const struct c2c_stats *s, uint32_t node)
{
	struct c2c_at_node *at = NULL;

	for (size_t i = 0; i < e->at_nodes.n && !at; i++)
		if (e->at_nodes.at[i].node == node)
			at = &e->at_nodes.at[i];
	if (!at) {
		vec_add(&e->at_nodes, (struct c2c_at_node){.node = node});
		at = &e->at_nodes.at[e->at_nodes.n - 1];
	}
	at->store += s->n[C2C_STORE];
	at->rmt += s->n[C2C_RMT_HITM];
	at->lcl += s->n[C2C_LCL_HITM];
	at->tot += s->n[C2C_TOT_HITM];
	at->peer += s->n[C2C_TOT_PEER];
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

static void entry_add_mean(struct c2c_entry *e, const struct access *a)
{
	int which = mean_of(&a->stats);
	uint64_t weight = a->s->type & SAMPLE_WEIGHT_STRUCT ? a->s->weight1 : a->s->weight;
	struct c2c_average *m;

	if (which < 0)
		return;
	m = &e->means[which];
	m->n++;
	m->mean += ((double)weight - m->mean) / (double)m->n;
}

static int c2c_take_sample(struct replay *rp, const struct record *r)
{
	struct c2c *c = rp->ctx;
	const struct sample *s = &r->sample;
	struct access a = {.s = s, .cpumode = r->header.misc & MISC_CPUMODE_MASK};
	bool has_cpu = s->type & SAMPLE_CPU && s->cpu < c->nodes.n_cpus;
	uint32_t epoch, node;
	struct c2c_line *line;
	struct c2c_entry *e;

	a.thread = replay_thread(rp, s->pid, s->tid);
	epoch = world_epoch(rp->world, a.thread, WORLD_NOW);
	a.frame = frames_get(&c->frames, epoch, a.cpumode, s->ip, false);
	a.data = world_place(rp->world, epoch, a.cpumode, s->addr);
	a.data_address = place_rva(&a.data);
	a.node = s->phys_addr ? c2c_nodes_of_memory(&c->nodes, s->phys_addr) : -1;
	c->no_node += s->phys_addr && a.node < 0;
	c->no_cpu += !has_cpu;
	c2c_stats_add_access(&a.stats, s->data_src, s->addr,
			     a.data.map && frames_at(&c->frames, a.frame)->where->map);
	c2c_stats_add(&c->all, &a.stats);
	line = line_get(c, &a);
	seen_add(c, &line->seen, &a);
	e = entry_get(c, line, &a);
	seen_add(c, &e->seen, &a);
	node = has_cpu ? c->nodes.node_of_cpu[s->cpu] : 0;
	if (node != UINT32_MAX)
		entry_add_node(e, &a.stats, node);
	entry_add_mean(e, &a);
	return REPLAY_GO;
}

int c2c_read(struct c2c *c, const struct c2c_options *opts, struct recording *rec,
	     struct world *world, struct err *err)
{
	static const struct replay_handler handlers[] = {{RECORD_SAMPLE, c2c_take_sample}, {0}};
	static const struct replay_analysis analysis = {.handlers = handlers};
	struct replay rp;
	int failed;

	memset(c, 0, sizeof(*c));
	c->opts = *opts;
	c->world = world;
	frames_init(&c->frames, world, false);
	if (rec->is_pipe) {
		err_set(err, ERR_UNSUPPORTED, "c2c reads no pipe");
		return err_hint(err, "the machine's nodes are known at a pipe's end only: record "
				     "into a file");
	}
	if (c2c_nodes_read(&c->nodes, rec, err))
		return -1;
	replay_init(&rp, rec, world, &analysis, c);
	failed = replay_run(&rp, err);
	replay_release(&rp);
	if (!failed)
		c2c_order(c);
	return failed;
}

void c2c_release(struct c2c *c)
{
	for (size_t i = 0; i < c->lines.n; i++) {
		vec_release(&c->lines.at[i]->entries);
		vec_release(&c->lines.at[i]->measured);
	}
	for (size_t i = 0; i < c->entries.n; i++)
		vec_release(&c->entries.at[i]->at_nodes);
	vec_release(&c->lines);
	vec_release(&c->shown);
	vec_release(&c->entries);
	intern_release(&c->line_keys);
	intern_release(&c->entry_keys);
	frames_release(&c->frames);
	c2c_nodes_release(&c->nodes);
	arena_release(&c->arena);
}
