// SPDX-License-Identifier: MIT
#include "analysis/waits/wait_stacks.h"

#include "profile/table/key/wait_reason.h"
#include "symbol/spin_x86.h"

/* <linux/perf_event.h>: from this value on, words of a chain say what follows them */
#define CONTEXT_FIRST ((uint64_t)-4095)
#define LOOKED_AT     65536 /* bytes of a function in which loops are looked for */

void wait_stacks_init(struct wait_stacks *s, struct world *world, const struct measurement *m)
{
	*s = (struct wait_stacks){.world = world, .m = m};
	unwound_init(&s->unwound, world, m);
	s->unwound.max_stack = MAX_STACK_DEFAULT;
}

void wait_stacks_release(struct wait_stacks *s)
{
	unwound_release(&s->unwound);
	intern_release(&s->words);
	vec_release(&s->stacks);
	vec_release(&s->users);
	arena_release(&s->texts);
	idmap_release(&s->by_address);
	vec_release(&s->frames);
	code_files_release(&s->code);
}

/* Libraries whose functions everybody waits in: the caller says more. */
static bool is_library(const struct dso *dso)
{
	static const char *const begins[] = {"libc.",  "libc-",	     "libpthread", "ld-",
					     "ld.so",  "libstdc++.", "libgcc_s.",  "libm.",
					     "[vdso]", "libc++.",    "libgomp."};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (!strncmp(dso->short_name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Runtimes of OpenMP, whose threads spin for a while before they sleep. Their functions that do so
 * have no symbols, or say it in their names. */
static bool is_openmp(const struct dso *dso)
{
	return !strncmp(dso->short_name, "libgomp.", 8) ||
	       !strncmp(dso->short_name, "libomp.", 7) ||
	       !strncmp(dso->short_name, "libomp5.", 8) ||
	       !strncmp(dso->short_name, "libiomp5.", 9);
}

static bool frame_spins(const struct wait_frame *frame, bool in_the_kernel)
{
	const char *name = frame->name;

	if (in_the_kernel)
		return name && strstr(name, "spin_lock_slowpath");
	if (!name)
		return frame->openmp;
	return strstr(name, "spin") || strstr(name, "Spin") ||
	       (frame->openmp && (strstr(name, "wait") || strstr(name, "barrier")));
}

/* An index into .frames. */
static uint32_t wait_frame_at(struct wait_stacks *s, uint32_t epoch, bool in_the_kernel,
			      uint64_t ip)
{
	const struct {
		uint64_t ip;
		uint32_t epoch, kernel;
	} key = {ip, epoch, in_the_kernel};
	uint32_t *index = idmap_put(&s->by_address, hash_bytes(&key, sizeof(key), 0));

	if (!*index || *index == HASH_NONE) {
		const struct place place =
			world_place(s->world, epoch, in_the_kernel ? MISC_KERNEL : MISC_USER, ip);
		const struct symbol *sym = place_symbol(&place);

		const char *name = sym ? dso_symbol_name(place.dso, sym) : NULL;

		/* without the version of a dynamic symbol: "pthread_cond_wait@@GLIBC_2.3.2" */
		vec_add(&s->frames,
			(struct wait_frame){
				.name = name ? arena_strndup(&s->texts, name, strcspn(name, "@"))
					     : NULL,
				.file = name || !place.dso
						? NULL
						: arena_printf(&s->texts, "[%s]",
							       place.dso->short_name),
				.library = place.dso && is_library(place.dso),
				.openmp = place.dso && is_openmp(place.dso)});
		*index = (uint32_t)s->frames.n;
	}
	return *index - 1;
}

static bool is_x86_64(const struct wait_stacks *s, const struct dso *dso)
{
	const char *arch = s->m->arch;

	return dso->is_64_bit && (!arch || !strcmp(arch, "x86_64"));
}

/* False also where the code cannot be read, or is another processor's. The vdso's functions that
 * read the clock hold pause, for the moment in which the kernel sets it: they do not spin. */
static bool address_spins(struct wait_stacks *s, uint32_t epoch, uint64_t ip)
{
	const struct place place = world_place(s->world, epoch, MISC_USER, ip);
	const struct symbol *sym = place_symbol(&place);
	uint64_t at, size;
	uint8_t *code;
	bool spins;

	if (!sym || place.map->absolute || place.dso->in_kernel || !is_x86_64(s, place.dso) ||
	    !strcmp(place.dso->short_name, "[vdso]"))
		return false;
	at = place_rva(&place) - sym->start;
	size = MIN(sym->end - sym->start, LOOKED_AT);
	if (at >= size || at > place.offset)
		return false;
	code = mem_alloc(size);
	size = code_read(&s->code, place.dso, place.offset - at, code, size);
	spins = spin_x86_at(code, size, at);
	free(code);
	return spins;
}

static bool loop_spins(struct wait_stacks *s, uint32_t epoch, uint64_t ip, struct wait_frame *frame)
{
	if (frame->loop == LOOP_NOT_LOOKED_AT)
		frame->loop = address_spins(s, epoch, ip) ? LOOP_SPINS : LOOP_WORKS;
	return frame->loop == LOOP_SPINS;
}

/* True when the frame says more of where the stack waits: not for a recursion, nor for _start. */
static bool frame_is_caller(const struct wait_frame *frame, const struct wait_stack *stack)
{
	return strcmp(frame->name, stack->function) != 0 && strcmp(frame->name, "_start") != 0;
}

static struct wait_stack wait_stack_read(struct wait_stacks *s, uint32_t epoch,
					 const uint64_t *words, uint64_t n)
{
	struct wait_stack stack = {.users = (uint32_t)s->users.n};
	const char *innermost = NULL;
	bool in_the_kernel = false, more = true, known = false;
	uint32_t depth = 0, throttled = 0;

	for (uint64_t i = 0; i < n; i++) {
		struct wait_frame *frame;
		uint32_t index;

		if (words[i] >= CONTEXT_FIRST) {
			in_the_kernel = words[i] == CONTEXT_KERNEL;
			continue;
		}
		index = wait_frame_at(s, epoch, in_the_kernel, words[i]);
		frame = &s->frames.at[index];
		if (!known)
			stack.spins |= frame_spins(frame, in_the_kernel) ||
				       (!in_the_kernel && loop_spins(s, epoch, words[i], frame));
		known |= !in_the_kernel;
		throttled += in_the_kernel && wait_frame_throttled(depth++, frame->name);
		if (more)
			more = wait_reason_next(&stack.reason, in_the_kernel, frame->name);
		if (!in_the_kernel && frame->file && !frame->library && !stack.function) {
			stack.function = innermost ? innermost : frame->file;
			stack.caller = innermost ? frame->file : NULL;
		}
		if (in_the_kernel || !frame->name)
			continue;
		vec_add(&s->users, index);
		if (!innermost)
			innermost = frame->name;
		if (!frame->library && !stack.function)
			stack.function = frame->name;
		else if (!frame->library && !stack.caller && frame_is_caller(frame, &stack))
			stack.caller = frame->name;
	}
	if (throttled == WAIT_THROTTLED_FRAMES)
		stack.reason = wait_reason_throttled();
	if (!stack.function)
		stack.function = innermost;
	stack.users_n = (uint32_t)s->users.n - stack.users;
	return stack;
}

bool wait_stacks_has(const struct wait_stacks *s, uint32_t id, const char *function)
{
	const struct wait_stack *stack = id == NO_STACK ? NULL : &s->stacks.at[id];

	for (uint32_t i = 0; stack && i < stack->users_n; i++)
		if (!strcmp(s->frames.at[s->users.at[stack->users + i]].name, function))
			return true;
	return false;
}

void wait_stacks_text(const struct wait_stacks *s, uint32_t id, struct buf *out)
{
	const struct wait_stack *stack = id == NO_STACK ? NULL : &s->stacks.at[id];

	for (uint32_t i = 0; stack && i < stack->users_n; i++) {
		if (i)
			buf_str(out, " < ");
		buf_str(out, s->frames.at[s->users.at[stack->users + i]].name);
	}
}

uint32_t wait_stacks_add(struct wait_stacks *s, const struct thread *t, const struct sample *sample)
{
	const uint32_t epoch = world_epoch(s->world, t, WORLD_NOW);
	const uint64_t *words = sample->callchain;
	uint64_t n = sample->type & SAMPLE_CALLCHAIN ? sample->callchain_nr : 0;
	AUTO_BUF key = {0};
	uint32_t id;

	if (unwound_needed(sample) && !unwound_chain(&s->unwound, epoch, sample, &words, &n))
		n = 0;
	if (!n)
		return NO_STACK;
	buf_add(&key, &epoch, sizeof(epoch));
	buf_add(&key, words, n * sizeof(*words));
	id = intern_put(&s->words, key.at, key.n);
	if (id == s->stacks.n) {
		const struct wait_stack stack = wait_stack_read(s, epoch, words, n);

		vec_add(&s->stacks, stack);
	}
	return id;
}
