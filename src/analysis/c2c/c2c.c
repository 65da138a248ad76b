// SPDX-License-Identifier: MIT
#include "analysis/c2c/c2c_fold.h"

#include "world/replay/replay.h"

#include <string.h>

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

/* The call chain of the sample, in c2c.frames.chains; HASH_NONE: none. */
static uint32_t c2c_chain_of(struct c2c *c, uint32_t epoch, const struct record *r)
{
	if (!c->opts.chains)
		return HASH_NONE;
	chain_words_of(&c->words, epoch, r->event, &r->sample);
	return frames_chain(&c->frames, epoch, c->words.at, c->words.n, MAX_STACK_DEFAULT,
			    c->opts.caller_order);
}

static int c2c_take_sample(struct replay *rp, const struct record *r)
{
	struct c2c *c = rp->ctx;
	const struct sample *s = &r->sample;
	struct c2c_access a = {.s = s, .cpumode = r->header.misc & MISC_CPUMODE_MASK};
	bool has_cpu = s->type & SAMPLE_CPU && s->cpu < c->nodes.n_cpus;

	a.thread = replay_thread(rp, s->pid, s->tid);
	a.epoch = world_epoch(rp->world, a.thread, WORLD_NOW);
	a.frame = frames_get(&c->frames, a.epoch, a.cpumode, s->ip, false);
	a.chain = c2c_chain_of(c, a.epoch, r);
	a.data = world_place(rp->world, a.epoch, a.cpumode, s->addr);
	a.data_address = place_rva(&a.data);
	a.node = s->phys_addr ? c2c_nodes_of_memory(&c->nodes, s->phys_addr) : -1;
	a.cpu_node = has_cpu ? c->nodes.node_of_cpu[s->cpu] : 0;
	c->no_node += s->phys_addr && a.node < 0;
	c->no_cpu += !has_cpu;
	c2c_stats_add_access(&a.stats, s->data_src, s->addr,
			     a.data.map && frames_at(&c->frames, a.frame)->where->map);
	c2c_stats_add(&c->all, &a.stats);
	c2c_fold_add(c, &a);
	return REPLAY_GO;
}

static void c2c_take_loss(struct replay *rp, const struct replay_loss *loss)
{
	struct c2c *c = rp->ctx;

	(void)loss;
	c->losses++;
}

int c2c_read(struct c2c *c, const struct c2c_options *opts, struct recording *rec,
	     struct world *world, struct err *err)
{
	static const struct replay_handler handlers[] = {{RECORD_SAMPLE, c2c_take_sample}, {0}};
	static const struct replay_analysis analysis = {.handlers = handlers,
							.lost = c2c_take_loss};
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
	c->frames.inlines = rec->m.chains_made;
	c->frames.lines = opts->chain_lines;
	chain_words_init(&c->words, world, &rec->m, MAX_STACK_DEFAULT, opts->caller_order);
	replay_init(&rp, rec, world, &analysis, c);
	rp.filter = opts->filter;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	if (!failed)
		c2c_order(c);
	return failed;
}

static void c2c_line_release(struct c2c_line *line)
{
	for (size_t i = 0; i < line->measured.n; i++) {
		vec_release(&line->measured.at[i]->at_nodes);
		vec_release(&line->measured.at[i]->hits);
	}
	vec_release(&line->entries);
	vec_release(&line->measured);
}

void c2c_release(struct c2c *c)
{
	for (size_t i = 0; i < c->shown.n; i++)
		c2c_line_release(c->shown.at[i]);
	vec_release(&c->shown);
	data_types_free(c->types);
	c2c_fold_release(&c->fold);
	chain_words_release(&c->words);
	frames_release(&c->frames);
	c2c_nodes_release(&c->nodes);
	arena_release(&c->arena);
}
