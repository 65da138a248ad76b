// SPDX-License-Identifier: MIT
#include "symbol/unwind/unwind.h"

#include "symbol/unwind/lookup.h"
#include "symbol/unwind/trail.h"
#include "symbol/unwind/x86_code.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD	     1024 /* bytes of the stack dump that are prefetched ahead of the walk */
#define SIGNAL_FRAME (64u << 10) /* bytes; more than the kernel puts onto a stack for a handler */
#define FRAME_MOST   4096 /* bytes of a frame that are searched for a copy of its address */
#define CALL_WORDS   32 /* words of a frame without a rule that are searched for a return address */
#define MOST_STEPS   20000 /* of all expressions in one chain; one frame takes three or four */
#define MOST_SECTIONS 1024 /* of an executable file; ordinary files have a few dozen */

/* Where values of registers lie in unwind_request.regs, for samples with this mask. A register that
 * is not sampled is at UNSAMPLED. */
struct register_places {
	uint64_t mask;
	uint8_t ip, sp, fp, kept, lr;
};

#define UNSAMPLED 64

struct unwinder {
	struct register_places places; /* of the last request's mask */
	struct trail *trails; /* 1 << TRAIL_BITS, by thread */
	struct trail_walk beside; /* the current walk beside its thread's trail */
	struct lookup lookup;
};

/* The registers of one frame. */
struct frame {
	uint64_t ip, sp, fp, lr, kept;
	const struct unwind_request
		*request; /* innermost frame: its other registers are valid, too; else NULL */
};

struct walk {
	struct unwinder *u;
	const struct unwind_machine *machine;
	const struct unwind_request *request;
	struct frame now;
	uint64_t stack_start;
	uint64_t plain; /* 8-byte words at offsets below this need no bounds check */
	bool no_stack; /* a read failed: the dump does not hold that address */
	bool elsewhere; /* the walk has moved to another stack than the dump's */
	uint64_t inner;	/* the address by which the last step was looked up */
	bool has_below; /* reads below the stack pointer return .below */
	uint64_t below;
	unsigned int steps; /* left for expressions */
};

static bool open_elf(struct unwind_file *f, const void *p, size_t n)
{
	*f = (struct unwind_file){0};
	if (elf_file_init(&f->elf, p, n))
		return false;
	f->too_much = f->elf.too_many || f->elf.sections.n > MOST_SECTIONS;
	return true;
}

static void note_cost(struct unwind_file *f)
{
	f->cfi.effort = &f->effort;
	f->too_much |= f->cfi.too_much;
	f->cost = f->elf.sections.n * sizeof(*f->elf.sections.at) +
		  f->elf.segments.n * sizeof(*f->elf.segments.at) +
		  f->cfi.entries * sizeof(*f->cfi.index.at) + f->elf.n / 1024;
	if (f->too_much)
		vec_release(&f->elf.sections);
}

int unwind_file_init(struct unwind_file *f, const void *p, size_t n)
{
	if (!open_elf(f, p, n))
		return -1;
	if (!f->too_much) {
		f->has_cfi = cfi_open(&f->cfi, &f->elf);
		f->has_go = go_table_open(&f->go, &f->elf);
	}
	note_cost(f);
	return 0;
}

int unwind_file_init_debug(struct unwind_file *f, const void *p, size_t n, const uint8_t *frames,
			   size_t frames_n)
{
	if (!open_elf(f, p, n))
		return -1;
	if (!f->too_much)
		f->has_cfi = cfi_open_debug(&f->cfi, &f->elf, frames, frames_n);
	note_cost(f);
	return 0;
}

bool unwind_file_given_up(const struct unwind_file *f)
{
	return f->too_much || cfi_exhausted(&f->cfi);
}

void unwind_file_release(struct unwind_file *f)
{
	cfi_release(&f->cfi);
	elf_file_release(&f->elf);
}

bool unwind_file_vaddr(const struct unwind_file *f, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 0; i < f->elf.segments.n; i++) {
		const struct elf_segment *s = &f->elf.segments.at[i];

		if (s->type == PT_LOAD && offset >= s->offset && offset - s->offset < s->filesz) {
			*vaddr = offset - s->offset + s->vaddr;
			return true;
		}
	}
	return false;
}

struct unwinder *unwinder_new(uint16_t elf_machine)
{
	const struct unwind_machine *machine = unwind_machine_find(elf_machine);
	struct unwinder *u;

	if (!machine)
		return NULL;
	u = mem_zero_table(sizeof(*u));
	lookup_init(&u->lookup, machine);
	u->trails = mem_zero_table(sizeof(*u->trails) << TRAIL_BITS);
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < (size_t)1 << TRAIL_BITS; i++)
		vec_release(&u->trails[i].frames);
	free(u->trails);
	vec_release(&u->beside.inner);
	lookup_release(&u->lookup);
	free(u);
}

static bool sampled_register(const struct unwind_request *q, unsigned int perf_number, uint64_t *v)
{
	if (perf_number >= 64 || !(q->mask >> perf_number & 1))
		return false;
	*v = q->regs[__builtin_popcountll(q->mask & ((1ull << perf_number) - 1))];
	return true;
}

static bool read_stack(void *ctx, uint64_t address, unsigned int size, uint64_t *v)
{
	struct walk *w = ctx;
	const struct unwind_request *q = w->request;
	uint64_t at = address - w->stack_start;
	const uint8_t *p;

	if (w->has_below && address < w->stack_start) {
		*v = w->below;
		return true;
	}
	if (address < w->stack_start || at >= q->stack_size || size > q->stack_size - at) {
		w->no_stack = true;
		return false;
	}
	p = q->stack + at;
	*v = 0;
	if (!q->swap) { /* all supported machines are little-endian */
		if (size == 8)
			memcpy(v, p, 8);
		else
			memcpy(v, p, size);
	} else {
		for (unsigned int i = 0; i < size; i++)
			*v = *v << 8 | p[i];
	}
	return true;
}

static bool read_register(void *ctx, unsigned int number, uint64_t *v)
{
	const struct walk *w = ctx;
	const struct unwind_machine *m = w->machine;

	if (number == m->sp)
		*v = w->now.sp;
	else if (number == m->fp)
		*v = w->now.fp;
	else if (number == m->ra && m->ra_in_register)
		*v = w->now.lr;
	else if (number == m->ra)
		*v = w->now.ip;
	else if (number == m->kept)
		*v = w->now.kept;
	else
		return w->now.request && number < m->registers && m->perf[number] >= 0 &&
		       sampled_register(w->now.request, (unsigned int)m->perf[number], v);
	return true;
}

static bool expression(struct walk *w, const struct unwind_file *file, const struct cfi_rule *rule,
		       int32_t at, uint16_t size, const uint64_t *frame, uint64_t *v)
{
	const struct cfi_context context = {read_register, read_stack, w, &w->steps};

	return cfi_expression(&file->cfi, rule->flags & CFI_DEBUG, at, size, &context,
			      frame != NULL, frame ? *frame : 0, v);
}

/* Finds a register of the caller. False: its value is not known. */
static bool caller_register(struct walk *w, const struct unwind_file *file,
			    const struct cfi_rule *rule, const struct cfi_value *value,
			    uint64_t frame, uint64_t *v)
{
	const unsigned int word = w->machine->word;
	uint64_t at;

	switch (value->how) {
	case CFI_SAME:
		return true;
	case CFI_AT:
		return read_stack(w, frame + (uint64_t)(int64_t)value->at, word, v);
	case CFI_IS:
		*v = frame + (uint64_t)(int64_t)value->at;
		return true;
	case CFI_AT_EXPR:
		return expression(w, file, rule, value->at, value->size, &frame, &at) &&
		       read_stack(w, at, word, v);
	case CFI_IS_EXPR:
		return expression(w, file, rule, value->at, value->size, &frame, v);
	case CFI_REGISTER:
		return read_register(w, (unsigned int)value->at, v);
	default:
		return false;
	}
}

/* True for the slot of a saved register that the innermost frame has popped: it lies below the
 * stack pointer, so the register itself holds the caller's value again. GCC's rules name the slot
 * up to the return. */
static bool is_popped(const struct walk *w, uint64_t slot)
{
	return w->now.request && slot < w->stack_start;
}

/* Finds a register that not every caller needs: 0 when its value is not known. */
static void kept_register(struct walk *w, const struct unwind_file *file,
			  const struct cfi_rule *rule, const struct cfi_value *value,
			  uint64_t frame, uint64_t *v)
{
	if (value->how == CFI_AT && is_popped(w, frame + (uint64_t)(int64_t)value->at))
		return;
	if (!caller_register(w, file, rule, value, frame, v))
		*v = 0;
}

/* The flags (CFI_*) of the rule at an address; CFI_EXACT where there is no rule. */
static uint8_t flags_at(struct walk *w, uint64_t ip)
{
	const uint32_t id = lookup_rule(&w->u->lookup, w->request, ip);

	if (id == RULE_NONE || id == RULE_UNCALLED)
		return CFI_EXACT;
	return id < RULE_SIMPLE ? w->u->lookup.rules.at[id].rule.flags : 0;
}

/* False: no call ends right before ip, and ip is not in a signal trampoline either. */
static bool is_called(struct walk *w, uint64_t ip)
{
	const struct unwind_request *q = w->request;
	struct unwind_place place = {0};

	if (w->machine->elf != EM_X86_64)
		return true;
	return q->place(q->ctx, ip, &place) &&
	       (!place.file || x86_follows_call(&place.file->elf, place.vaddr) ||
		flags_at(w, ip - 1) & CFI_SIGNAL);
}

/*
 * OpenSSL's SHA-2 for AVX2 stores its frame's address below the stack pointer, where the dump
 * doesn't reach. The function has moved the stack pointer since it first stored that address, so an
 * older copy lies above. Tries the words from the stack pointer up, for one with which the rule
 * leads to a return address.
 */
static bool frame_kept_above(struct walk *w, const struct unwind_file *file,
			     const struct cfi_rule *rule, uint64_t *frame)
{
	const uint64_t sp = w->now.sp;
	bool found = false;
	uint64_t ip;

	if (!w->now.request || w->machine->elf != EM_X86_64 || rule->ra.how != CFI_AT)
		return false;
	for (uint64_t at = sp; !found && at - sp < FRAME_MOST && read_stack(w, at, 8, &w->below);
	     at += 8) {
		if (w->below <= at || w->below - at > FRAME_MOST || w->below % 8)
			continue;
		w->has_below = true;
		found = expression(w, file, rule, rule->frame, rule->frame_size, NULL, frame);
		w->has_below = false;
		found = found && *frame > at &&
			read_stack(w, *frame + (uint64_t)(int64_t)rule->ra.at, 8, &ip) &&
			is_called(w, ip);
	}
	return found;
}

enum step { STEP_DONE, STEP_OUTERMOST, STEP_FAILED };

static enum step by_rule(struct walk *w, const struct unwind_file *file,
			 const struct cfi_rule *rule)
{
	const struct unwind_machine *m = w->machine;
	struct frame next = {.fp = w->now.fp, .lr = w->now.lr, .kept = w->now.kept};
	uint64_t frame;

	if (rule->ra.how == CFI_UNDEFINED)
		return STEP_OUTERMOST;
	if (rule->frame_size) {
		if (!expression(w, file, rule, rule->frame, rule->frame_size, NULL, &frame) &&
		    !frame_kept_above(w, file, rule, &frame))
			return STEP_FAILED;
	} else {
		if (!read_register(w, rule->frame_reg, &frame))
			return STEP_FAILED;
		frame += (uint64_t)(int64_t)rule->frame;
	}
	next.sp = w->now.sp;
	next.ip = m->ra_in_register ? w->now.lr : w->now.ip;
	if (!caller_register(w, file, rule, &rule->ra, frame, &next.ip) ||
	    !caller_register(w, file, rule, &rule->sp, frame, &next.sp))
		return STEP_FAILED;
	kept_register(w, file, rule, &rule->fp, frame, &next.fp);
	kept_register(w, file, rule, &rule->kept, frame, &next.kept);
	if (m->ra_in_register)
		next.lr = next.ip;
	next.ip &= m->address_mask;
	w->now = next;
	return next.ip ? STEP_DONE : STEP_OUTERMOST;
}

/* Steps by the frame pointer: it points to the saved one of the caller, followed by the return
 * address. */
static enum step by_frame_pointer(struct walk *w)
{
	const struct unwind_machine *m = w->machine;
	struct frame next = {.kept = w->now.kept};
	const uint64_t fp = w->now.fp;

	if (!fp || fp < w->now.sp || fp % m->word)
		return STEP_FAILED;
	if (!read_stack(w, fp, m->word, &next.fp) ||
	    !read_stack(w, fp + m->word, m->word, &next.ip))
		return STEP_FAILED;
	next.sp = fp + 2u * m->word;
	next.lr = next.ip;
	next.ip &= m->address_mask;
	w->now = next;
	return next.ip ? STEP_DONE : STEP_OUTERMOST;
}

/* Steps by a rule that was guessed from the code. False: no call ends where it leads. */
static bool by_edge(struct walk *w, const struct known_rule *known)
{
	const struct frame before = w->now;

	if (by_rule(w, known->file, &known->rule) == STEP_DONE && is_called(w, w->now.ip))
		return true;
	w->now = before;
	return false;
}

/* For an innermost function without a rule. Looks for a return address behind a call of this
 * function, at a depth that equals the number of words that the function has pushed. This finds
 * callers of functions without a frame pointer, and of signal handlers. */
static bool by_call(struct walk *w)
{
	const struct unwind_request *q = w->request;
	struct unwind_place place = {0};
	uint64_t ip, target, words;

	if (w->machine->elf != EM_X86_64 || !q->place(q->ctx, w->now.ip, &place) || !place.file)
		return false;
	for (uint64_t n = 0; n < CALL_WORDS && read_stack(w, w->now.sp + 8 * n, 8, &ip); n++)
		if ((!n && flags_at(w, ip - 1) & CFI_SIGNAL) ||
		    (x86_call_target(&place.file->elf, place.vaddr + (ip - w->now.ip), &target) &&
		     x86_words_pushed(&place.file->elf, target, place.vaddr, &words) &&
		     words == n)) {
			w->now.request = NULL;
			w->now.ip = ip;
			w->now.sp += 8 * n + 8;
			return true;
		}
	return false;
}

/* For a frame without any rule. The return address that the innermost frame's frame pointer leads
 * to must follow a call. */
static enum step without_table(struct walk *w, bool was_exact)
{
	const struct frame before = w->now;
	enum step got;

	if (was_exact && w->now.request && by_call(w))
		return STEP_DONE;
	w->no_stack = false;
	got = by_frame_pointer(w);
	if (got == STEP_DONE && was_exact && !is_called(w, w->now.ip)) {
		w->now = before;
		got = STEP_FAILED;
	}
	return got;
}

/* No call precedes the return address. Either a coroutine library put it there, and there is no
 * caller; or a register that was mistaken for a frame pointer led here. */
static enum step by_nobody(struct walk *w, uint64_t inner)
{
	return flags_at(w, inner) & CFI_EXACT ? STEP_FAILED : STEP_OUTERMOST;
}

/* Steps by a rule that isn't simple. */
static enum step by_known(struct walk *w, const struct known_rule *known, bool was_exact,
			  uint64_t inner, enum unwind_end *end)
{
	const uint8_t flags = known->rule.flags;

	*end = UNWIND_DAMAGED;
	if (flags & CFI_OUTER && !was_exact) {
		*end = UNWIND_SWITCHED;
		return STEP_FAILED;
	}
	if (!(flags & CFI_EXACT))
		return by_rule(w, known->file, &known->rule);
	*end = UNWIND_NO_RULE;
	if (!was_exact && flags & CFI_UNCALLED)
		return by_nobody(w, inner);
	return was_exact && by_edge(w, known) ? STEP_DONE : without_table(w, was_exact);
}

/* A word of the stack, as read_stack() reads it. */
static inline bool stack_word(struct walk *w, uint64_t address, uint64_t *v)
{
	const uint64_t at = address - w->stack_start;

	if (at >= w->plain)
		return read_stack(w, address, 8, v);
	memcpy(v, w->request->stack + at, 8);
	return true;
}

static void saved_register(struct walk *w, uint64_t slot, uint64_t *v)
{
	if (!is_popped(w, slot) && !stack_word(w, slot, v))
		*v = 0;
}

static enum step by_simple(struct walk *w, uint32_t rule)
{
	const uint64_t frame =
		(rule & RULE_BY_FP ? w->now.fp : w->now.sp) + 8ull * RULE_FRAME(rule);
	uint64_t ip;

	if (!stack_word(w, frame - 8, &ip))
		return STEP_FAILED;
	if (RULE_FP(rule))
		saved_register(w, frame - 8ull * RULE_FP(rule), &w->now.fp);
	if (RULE_KEPT(rule))
		saved_register(w, frame - 8ull * RULE_KEPT(rule), &w->now.kept);
	w->now.request = NULL;
	w->now.sp = frame;
	w->now.ip = ip;
	return ip ? STEP_DONE : STEP_OUTERMOST;
}

static uint8_t register_place(uint64_t mask, unsigned int perf_number)
{
	if (perf_number >= 64 || !(mask >> perf_number & 1))
		return UNSAMPLED;
	return (uint8_t)__builtin_popcountll(mask & ((1ull << perf_number) - 1));
}

static const struct register_places *register_places(struct unwinder *u, uint64_t mask)
{
	const struct unwind_machine *m = u->lookup.machine;

	if (u->places.mask != mask)
		u->places = (struct register_places){
			.mask = mask,
			.ip = register_place(mask, m->perf_ip),
			.sp = register_place(mask, m->perf_sp),
			.fp = register_place(mask, m->perf_fp),
			.kept = register_place(mask, (unsigned int)m->perf[m->kept]),
			.lr = m->ra_in_register ? register_place(mask, m->perf_lr) : UNSAMPLED,
		};
	return &u->places;
}

/* Dumps lie in memory that was not read before, and frames follow each other in it. */
static void prefetch_stack(const struct unwind_request *q)
{
	if (q->stack_size < AHEAD)
		return;
#pragma GCC unroll 16
	for (size_t at = 0; at < AHEAD; at += CACHE_LINE)
		__builtin_prefetch(q->stack + at);
}

static bool first_frame(struct walk *w)
{
	const struct unwind_request *q = w->request;
	const struct register_places *at = register_places(w->u, q->mask);

	prefetch_stack(q);
	if (!q->mask || at->ip == UNSAMPLED || at->sp == UNSAMPLED)
		return false;
	w->now = (struct frame){.request = q, .ip = q->regs[at->ip], .sp = q->regs[at->sp]};
	if (at->fp != UNSAMPLED)
		w->now.fp = q->regs[at->fp];
	if (at->kept != UNSAMPLED)
		w->now.kept = q->regs[at->kept];
	if (at->lr != UNSAMPLED)
		w->now.lr = q->regs[at->lr];
	w->stack_start = w->now.sp;
	w->plain = q->swap || q->stack_size < 8 ? 0 : q->stack_size - 7;
	return true;
}

static void look_ahead(const struct walk *w, uint64_t from)
{
	const struct unwind_request *q = w->request;
	uint64_t at = from - w->stack_start + AHEAD, n = w->now.sp - from;

	for (uint64_t i = 0; n < AHEAD && i < n && at + i < q->stack_size; i += CACHE_LINE)
		__builtin_prefetch(q->stack + at + i);
}

/* After a step out of a signal frame: notes whether the interrupted code's stack is neither in the
 * dump nor right above it. */
static void interrupted(struct walk *w, uint64_t before, uint64_t sp)
{
	w->elsewhere = sp - w->stack_start >= w->request->stack_size && sp - before > SIGNAL_FRAME;
}

/* Steps one frame up, by the rule with that number. *exact: the caller was interrupted, it made no
 * call. */
static enum step up(struct walk *w, uint32_t id, bool *exact, enum unwind_end *end)
{
	const bool was_exact = *exact;
	const uint64_t sp = w->now.sp, inner = w->inner;
	struct known_rule known; /* a copy: other lookups may move the original */
	enum step got;

	w->inner = w->now.ip - !*exact;
	*exact = false;
	if (id == RULE_NO_CODE) {
		*end = UNWIND_NO_CODE;
		return STEP_FAILED;
	}
	if (id == RULE_NO_FILE) {
		*end = UNWIND_NO_FILE;
		return STEP_FAILED;
	}
	if (id == RULE_TOO_MUCH) {
		*end = UNWIND_WORK;
		return STEP_FAILED;
	}
	if (id == RULE_ENTRY) {
		*end = UNWIND_OUTERMOST;
		return STEP_OUTERMOST;
	}
	w->no_stack = false;
	if (id == RULE_NONE || id == RULE_UNCALLED) {
		*end = UNWIND_NO_RULE;
		got = !was_exact && id == RULE_UNCALLED ? by_nobody(w, inner)
							: without_table(w, was_exact);
	} else if (id >= RULE_SIMPLE) {
		*end = UNWIND_DAMAGED;
		got = by_simple(w, id);
	} else {
		known = w->u->lookup.rules.at[id];
		got = by_known(w, &known, was_exact, inner, end);
		*exact = known.rule.flags & CFI_SIGNAL;
	}
	look_ahead(w, sp);
	if (got == STEP_OUTERMOST)
		*end = UNWIND_OUTERMOST;
	if (got == STEP_FAILED && w->no_stack)
		*end = w->elsewhere ? UNWIND_ELSEWHERE : UNWIND_STACK;
	if (got == STEP_DONE && *exact)
		interrupted(w, sp, w->now.sp);
	/* Stack pointers ascend towards callers, except when a signal had a stack of its own. */
	if (got == STEP_DONE && w->now.sp <= sp && !*exact && sp != w->stack_start) {
		*end = UNWIND_DAMAGED;
		got = STEP_FAILED;
	}
	return got;
}

/* The number of the rule at an address, from the thread's last walk or by a lookup. */
static inline uint32_t frame_rule(struct walk *w, uint64_t at, uint64_t sp)
{
	struct lookup *k = &w->u->lookup;
	struct trail_walk *beside = &w->u->beside;
	const struct trail_frame *f =
		beside->trail->forgotten == k->forgotten ? trail_walk_find(beside, at, sp) : NULL;
	struct trail_frame new;

	if (f)
		return f->rule;
	k->fleeting = false;
	new = (struct trail_frame){at, sp, lookup_rule(k, w->request, at)};
	if (!k->fleeting)
		trail_walk_add(beside, &new);
	return new.rule;
}

/*
 * Walks along the frames of the thread's last walk for as long as the dump holds their return
 * addresses. *now is the frame that frame_rule() was asked for last. Writes up to max callers and
 * returns how many; frame_rule() was not asked for them.
 */
static inline size_t follow_trail(struct walk *w, struct frame *now, struct unwind_frame *frames,
				  size_t max)
{
	struct trail_walk *beside = &w->u->beside;
	const struct trail_frame *f = beside->trail->frames.at + beside->next;
	const uint8_t *stack = w->request->stack;
	const uint64_t start = w->stack_start, plain = w->plain;
	const size_t most = beside->joined ? MIN(beside->next, max) : 0;
	uint64_t saved_fp = now->fp, saved_kept = now->kept;
	size_t n;

	for (n = 0; n < most; n++, f--) {
		const uint32_t r = f->rule;
		const uint64_t frame = f[-1].sp, ra = frame - 8 - start;
		uint64_t ip, slot, fp = saved_fp;

		if (r >> 30 != RULE_SIMPLE >> 30 || ra >= plain || frame <= f->sp ||
		    (r & RULE_BY_FP ? saved_fp : f->sp) + 8ull * RULE_FRAME(r) != frame)
			break;
		memcpy(&ip, stack + ra, 8);
		if (ip - 1 != f[-1].at)
			break;
		__builtin_prefetch(stack + ra + AHEAD);
		if (RULE_FP(r)) {
			if ((slot = ra + 8 - 8ull * RULE_FP(r)) >= plain)
				break;
			memcpy(&fp, stack + slot, 8);
		}
		if (RULE_KEPT(r)) {
			if ((slot = ra + 8 - 8ull * RULE_KEPT(r)) >= plain)
				break;
			memcpy(&saved_kept, stack + slot, 8);
		}
		saved_fp = fp;
		frames[n] = (struct unwind_frame){ip, false};
	}
	if (n) {
		*now = (struct frame){
			.ip = f->at + 1, .sp = f->sp, .fp = saved_fp, .kept = saved_kept};
		w->inner = f[1].at;
		beside->next -= n;
	}
	return n;
}

/*
 * Walks the frames that are left by simple rules whose words are all in the dump: most frames of
 * most chains. The caller has stored the first frame. Writes up to max others and returns how many.
 * *rule: the rule at the last one.
 */
static size_t unwind_simple(struct walk *w, bool exact, struct unwind_frame *frames, size_t max,
			    uint32_t *rule)
{
	const struct trail_walk *beside = &w->u->beside;
	const uint8_t *stack = w->request->stack;
	struct frame now = w->now;
	size_t n = 0, followed;

	for (;; exact = false) {
		/* A return address may be the first of the next function: look up the call before
		 * it. */
		uint64_t at = now.ip - !exact, frame, ra, fp, kept, ip;
		uint32_t r = frame_rule(w, at, now.sp);

		if (beside->joined && !now.request &&
		    (followed = follow_trail(w, &now, frames + n, max - n))) {
			n += followed;
			at = now.ip - 1;
			r = beside->trail->frames.at[beside->next].rule;
		}
		frame = (r & RULE_BY_FP ? now.fp : now.sp) + 8ull * RULE_FRAME(r);
		ra = frame - 8 - w->stack_start;
		fp = ra + 8 - 8ull * RULE_FP(r);
		kept = ra + 8 - 8ull * RULE_KEPT(r);
		*rule = r;
		if (r >> 30 != RULE_SIMPLE >> 30 || now.request || n == max || ra >= w->plain ||
		    (RULE_FP(r) && fp >= w->plain) || (RULE_KEPT(r) && kept >= w->plain) ||
		    frame <= now.sp)
			break;
		memcpy(&ip, stack + ra, 8);
		if (!ip)
			break;
		__builtin_prefetch(stack + ra + AHEAD);
		if (RULE_FP(r))
			memcpy(&now.fp, stack + fp, 8);
		if (RULE_KEPT(r))
			memcpy(&now.kept, stack + kept, 8);
		now.sp = frame;
		now.ip = ip;
		w->inner = at;
		frames[n++] = (struct unwind_frame){ip, false};
	}
	w->now = now;
	return n;
}

size_t unwind(struct unwinder *u, const struct unwind_request *request, struct unwind_frame *frames,
	      size_t max, enum unwind_end *end)
{
	struct walk w = {
		.u = u, .machine = u->lookup.machine, .request = request, .steps = MOST_STEPS};
	struct trail *last = &u->trails[slot_of(request->thread, 0, TRAIL_BITS)];
	enum step got = STEP_DONE;
	size_t n = 0, steps;
	bool exact = true;
	uint32_t rule;

	*end = UNWIND_NO_CODE;
	if (!first_frame(&w))
		return 0;
	trail_walk_begin(&u->beside, last, request->thread, request->space, u->lookup.forgotten);
	while (got == STEP_DONE && n < max) {
		frames[n] = (struct unwind_frame){w.now.ip, exact};
		n += 1 + (steps = unwind_simple(&w, exact, frames + n + 1, max - n - 1, &rule));
		exact &= !steps;
		got = up(&w, rule, &exact, end);
	}
	if (got == STEP_DONE)
		*end = UNWIND_MAX;
	trail_walk_end(&u->beside, u->lookup.forgotten);
	return n;
}
