// SPDX-License-Identifier: MIT
/* Call chains of lock events: which frame is the caller, and the key that stands for the chain. */
#include "analysis/lock/locks.h"

#include "symbol/dso.h"

#include <stdio.h>
#include <stdlib.h>

static struct place kernel_place(struct world *world, uint64_t address)
{
	const struct thread *idle = world_thread(world, 0, 0, WORLD_NOW);

	return world_place(world, world_epoch(world, idle, WORLD_NOW), MISC_KERNEL, address);
}

/* The kernel has mutexes and semaphores in the scheduler's text section, spin locks in one of their
 * own. */
static void locks_find_texts(struct locks *l, struct dso *dso)
{
	static const char *const names[] = {"__sched_text_start", "__sched_text_end",
					    "__lock_text_start", "__lock_text_end"};
	const struct symbol *found[4];

	dso_find_names(dso, names, ARRAY_SIZE(names), found);
	for (int i = 0; i < 2; i++) {
		if (found[0] && found[1])
			l->sched_text[i] = found[i]->start;
		if (found[2] && found[3])
			l->lock_text[i] = found[2 + i]->start;
	}
}

/* True for a lock function. */
static bool is_lock_function(struct locks *l, const struct place *p)
{
	uint64_t rva;

	if (!p->dso || !p->map->absolute)
		return false; /* of a module, or a program */
	rva = place_rva(p);
	if (!l->texts_known) {
		l->texts_known = true;
		locks_find_texts(l, p->dso);
	}
	return l->sched_text[1] && ((rva >= l->sched_text[0] && rva < l->sched_text[1]) ||
				    (rva >= l->lock_text[0] && rva < l->lock_text[1]));
}

static void symbol_text(const struct place *p, const struct symbol *sym, char *text, size_t size)
{
	const char *name = dso_symbol_name(p->dso, sym);
	const uint64_t offset = place_rva(p) - sym->start;

	if (offset)
		snprintf(text, size, "%s+%#llx", name, (unsigned long long)offset);
	else
		snprintf(text, size, "%s", name);
}

void locks_kernel_symbol(struct world *world, uint64_t address, char *text, size_t size)
{
	const struct place p = kernel_place(world, address);
	const struct symbol *sym = place_symbol(&p);

	*text = 0;
	if (sym)
		symbol_text(&p, sym, text, size);
}

/* Kernels without CONFIG_KALLSYMS_ALL list no variables but the linker's bounds of sections, which
 * seem to reach up to the next one. */
static bool lock_is_section_bound(const char *name)
{
	return !strncmp(name, "__start_", 8) || !strncmp(name, "__stop_", 7);
}

const char *locks_symbol_of_lock(struct world *world, uint64_t address)
{
	const struct place p = kernel_place(world, address);
	const struct symbol *sym = place_symbol(&p);
	const char *name = sym ? dso_symbol_name(p.dso, sym) : "";

	return lock_is_section_bound(name) ? "" : name;
}

static bool has_word(const struct locks *l, const char *name)
{
	const struct lock_filter *f = &l->opts->filter;

	for (size_t i = 0; i < f->callers.n; i++)
		if (strstr(name, f->callers.at[i]))
			return true;
	return false;
}

/* A word that cannot stand in a chain: a damaged chain says nothing, as in perf. */
static bool chain_is_damaged(const uint64_t *words, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (words[i] >= CONTEXT_MAX && !chain_context_mode(words[i]))
			return true;
	return false;
}

/* Resolves the frames of the kernel only, since a lock of the kernel is taken by the kernel. */
static void chain_resolve(struct locks *l, struct world *world, struct locks_chain *c,
			  uint8_t cpumode, const uint64_t *words, uint64_t n)
{
	const struct locks_options *o = l->opts;
	struct raw_chain chain = {.words = words, .n = n, .mode = cpumode};
	uint32_t frames = 0;
	char text[256] = "";
	uint64_t ip;

	while (frames < o->max_stack && raw_chain_next(&chain, &ip)) {
		const struct place p =
			chain.mode == MISC_KERNEL ? kernel_place(world, ip) : (struct place){0};
		const struct symbol *sym = place_symbol(&p);

		frames++;
		if (sym && o->filter.callers.n && has_word(l, dso_symbol_name(p.dso, sym)))
			c->wanted = true;
		if (frames <= o->skip || is_lock_function(l, &p))
			continue;
		c->key ^= (uint32_t)(ip * 0x61c8864680b583ebu); /* perf's key */
		if (sym && !*text)
			symbol_text(&p, sym, text, sizeof(text));
	}
	c->name = intern_str(&l->names, *text ? text : "Unknown");
}

uint32_t locks_chain(struct locks *l, struct world *world, uint8_t cpumode, const uint64_t *words,
		     uint64_t n)
{
	const uint32_t id = intern_put(&l->chains, words, n * sizeof(*words));

	if (id < l->of_chain.n)
		return id;
	vec_add(&l->of_chain, (struct locks_chain){.row = HASH_NONE});
	chain_resolve(l, world, vec_last(&l->of_chain), cpumode, words,
		      chain_is_damaged(words, n) ? 0 : n);
	return id;
}

static bool has_address(const struct lock_filter *f, uint64_t address)
{
	for (size_t i = 0; i < f->addresses.n; i++)
		if (f->addresses.at[i] == address)
			return true;
	return false;
}

bool locks_wants_address(struct locks *l, struct world *world, uint64_t address,
			 const char *part_of)
{
	const struct lock_filter *f = &l->opts->filter;
	const char *name;

	if ((!f->addresses.n && !f->symbols.n) || has_address(f, address))
		return true;
	if (!f->symbols.n)
		return false;
	name = part_of ? part_of : locks_symbol_of_lock(world, address);
	for (size_t i = 0; i < f->symbols.n; i++)
		if (!strcmp(f->symbols.at[i], name))
			return true;
	return false;
}
