// SPDX-License-Identifier: MIT
#include "world/unwound.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_USER_FRAMES 1024

void unwound_init(struct unwound *u, struct world *world, const struct measurement *m)
{
	*u = (struct unwound){.world = world, .m = m, .max_stack = UINT32_MAX};
}

void unwound_release(struct unwound *u)
{
	unwinder_free(u->wide);
	unwinder_free(u->narrow);
	vec_release(&u->words);
}

static struct unwinder *unwinder_make(const char *arch, bool wide)
{
	bool arm = !strncmp(arch, "aarch64", 7) || !strncmp(arch, "arm64", 5);
	bool x86 =
		!strncmp(arch, "x86", 3) || (arch[0] == 'i' && arch[1] && !strcmp(arch + 2, "86"));

	if (x86)
		return unwinder_new(wide ? EM_X86_64 : EM_386);
	return arm && wide ? unwinder_new(EM_AARCH64) : NULL;
}

/* The unwinder for a process's machine: the recording's, or the 32-bit one of its family. */
static struct unwinder *unwinder_for(struct unwound *u, uint64_t abi)
{
	struct unwinder **place = abi == 2 ? &u->wide : &u->narrow;

	if (!*place)
		*place = unwinder_make(u->m->arch ? u->m->arch : "x86", abi == 2);
	return *place;
}

static bool unwound_find_code(void *ctx, uint64_t ip, struct unwind_place *out)
{
	struct unwound *u = ctx;
	struct place p = world_place(u->world, u->epoch, MISC_USER, ip);

	if (!p.map || p.dso->outside)
		return false;
	if (u->no_waiting && !dso_unwind_ready(p.dso, false)) {
		u->cold = true;
		return false;
	}
	*out = (struct unwind_place){.file = dso_unwind_file(p.dso),
				     .below = ip - p.map->start,
				     .above = p.map->end - 1 - ip,
				     .data = !(p.map->prot & PROT_EXEC)};
	out->missing = !out->file && p.dso->kind == DSO_FILE;
	out->too_much = out->file && out->file->too_much;
	if (out->file && !unwind_file_vaddr(out->file, p.offset, &out->vaddr))
		out->file = NULL;
	return true;
}

static struct unwind_file *find_debug(void *ctx, uint64_t ip)
{
	struct unwound *u = ctx;
	struct place p = world_place(u->world, u->epoch, MISC_USER, ip);

	if (p.map && u->no_waiting && !dso_unwind_ready(p.dso, true)) {
		u->cold = u->forget = true; /* the unwinder would remember that there is no rule */
		return NULL;
	}
	return p.map ? dso_unwind_debug(p.dso) : NULL;
}

/* True when perf could read the dso's file. perf reads a vdso with a known build-id from the
 * build-id cache, and any other from its own process. */
static bool readable(struct dso *dso)
{
	const char *symfs = dso->set->options.symfs;

	if (dso->kind == DSO_VDSO)
		return dso->build_id.size ? dso_file(dso) != NULL : !symfs || !*symfs;
	return dso_unwind_file(dso);
}

/* True when any file that the process maps can be read. Only then does perf show a chain of one
 * frame whose file is missing: the frame is no more than the sample's address. A recorder does not
 * read files for that: it keeps the frame. */
static bool has_files(struct unwound *u)
{
	const struct map **maps;
	size_t n;

	if (u->no_waiting || (u->has_files && u->files_of == u->epoch))
		return true;
	n = world_epoch_maps(u->world, u->epoch, &maps);
	u->has_files = false;
	u->files_of = u->epoch;
	for (size_t i = 0; i < n && !u->has_files; i++)
		u->has_files = readable(maps[i]->dso);
	free(maps);
	return u->has_files;
}

/* False for a process of which nothing was recorded: one that a thread of the target took a CPU
 * from, or was woken up by. Its stacks are not missed. */
static bool has_maps(const struct unwound *u)
{
	const struct map **maps;
	const size_t n = world_epoch_maps(u->world, u->epoch, &maps);

	free(maps);
	return n;
}

static void add_cut(struct unwound *u, const uint64_t *words, uint64_t n)
{
	uint64_t addresses = 0, skip = 0, met = 0;

	for (uint64_t i = 0; i < n; i++)
		addresses += words[i] < CONTEXT_MAX;
	if (u->keep_outer && addresses > u->max_stack)
		skip = addresses - u->max_stack;
	for (uint64_t i = 0; i < n; i++) {
		bool address = words[i] < CONTEXT_MAX;

		if (!address || (met >= skip && met - skip < u->max_stack))
			vec_add(&u->words, words[i]);
		met += address;
	}
}

void unwound_cut(struct unwound *u, const uint64_t **words, uint64_t *n)
{
	vec_clear(&u->words);
	add_cut(u, *words, *n);
	*words = u->words.at;
	*n = u->words.n;
}

static void add_kernel_part(struct unwound *u, const struct sample *s)
{
	uint64_t n = 0;

	while (n < s->callchain_nr && s->callchain[n] != CONTEXT_USER)
		n++;
	add_cut(u, s->callchain, n);
}

bool unwound_chain(struct unwound *u, uint32_t epoch, const struct sample *s,
		   const uint64_t **words, uint64_t *n)
{
	struct unwind_request q = {
		.regs = s->user_regs.regs,
		.mask = s->user_regs.mask,
		.stack = s->user_stack,
		.stack_size = MIN(s->user_stack_size, s->user_stack_dyn),
		.thread = (uint64_t)s->pid << 32 | s->tid,
		.space = world_epoch_text(u->world, epoch),
		.place = unwound_find_code,
		.debug = find_debug,
		.ctx = u,
	};
	struct unwind_frame frames[MAX_USER_FRAMES];
	struct unwinder *unwinder;
	enum unwind_end end;
	size_t found;

	u->cold = false;
	if (!unwound_needed(s) || !(unwinder = unwinder_for(u, s->user_regs.abi)))
		return false;
	u->epoch = epoch;
	found = unwind(unwinder, &q, frames, MAX_USER_FRAMES, &end);
	if (u->forget) {
		unwinder_free(u->wide);
		unwinder_free(u->narrow);
		u->wide = u->narrow = NULL;
		u->forget = false;
	}
	if (u->cold)
		return false;
	if (end != UNWIND_NO_CODE || found > 1 || has_maps(u))
		u->ends[end]++;
	vec_clear(&u->words);
	add_kernel_part(u, s);
	if (found == 1 && (end == UNWIND_NO_CODE || (end == UNWIND_NO_FILE && !has_files(u))))
		found = 0;
	u->cut += found > u->max_stack && u->max_stack == MAX_STACK_DEFAULT;
	found = MIN(found, u->max_stack);
	if (found)
		vec_add(&u->words, CONTEXT_USER);
	vec_reserve(&u->words, found);
	/* a value among those of context markers is no address */
	for (size_t i = 0; i < found && frames[i].ip - !frames[i].exact < CONTEXT_MAX; i++)
		u->words.at[u->words.n++] = frames[i].ip - !frames[i].exact;
	*words = u->words.at;
	*n = u->words.n;
	return true;
}

void unwound_before(struct recording *rec)
{
	for (int end = UNWIND_OUTERMOST + 1; end < UNWIND_ENDS; end++)
		losses_add_stacks(&rec->m.losses, (enum unwind_end)end, rec->chain_ends[end]);
}

void unwound_losses(struct unwound *u, struct losses *losses)
{
	for (int end = 0; end < UNWIND_ENDS; end++) {
		losses_add_stacks(losses, (enum unwind_end)end, u->ends[end]);
		u->ends[end] = 0;
	}
	if (u->cut)
		losses_add(losses, LOSS_CHAIN_CUT, u->cut, 0);
	u->cut = 0;
}
