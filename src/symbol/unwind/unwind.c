// SPDX-License-Identifier: MIT
#include "symbol/unwind/unwind.h"

#include "symbol/unwind/lookup.h"
#include "symbol/unwind/trail.h"
#include "symbol/unwind/x86_code.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD	     1024 /* bytes of the stack */
#define SIGNAL_FRAME (64u << 10) /* more than the kernel puts onto a stack for a handler */
#define FRAME_MOST   4096 /* bytes of a frame that are searched */
#define CALL_WORDS   32	  /* of a frame without a table, likewise */
#define MOST_STEPS   20000 /* of expressions in one chain; those of a frame take three or four */
#define MOST_SECTIONS 1024 /* of a file that can be run; they have a few dozens */

struct unwinder {
	struct trail *trails; /* 1 << TRAIL_BITS, by thread */
	VEC(struct trail_step) steps; /* of the walk at hand */
	struct lookup lookup;
};

/* The registers of one frame. */
struct frame {
	struct trail_regs f;
	const struct unwind_request
		*request; /* whose other registers hold, too: the innermost one's */
};

struct walk {
	struct unwinder *u;
	const struct unwind_machine *machine;
	const struct unwind_request *request;
	struct frame now;
	struct trail_step *step; /* the one at hand, when it is noted */
	uint8_t of;		 /* the register that is restored alone by what is read */
	uint64_t stack_start;
	bool no_stack; /* something was asked for that the copy doesn't hold */
	bool elsewhere; /* it is another stack that is followed now */
	uint64_t inner;	/* the address that the step before was looked up by */
	bool has_below; /* below stands for what lies below the stack pointer */
	uint64_t below;
	unsigned int steps; /* that expressions may still take */
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
		trail_release(&u->trails[i]);
	free(u->trails);
	vec_release(&u->steps);
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

static void note_read(struct walk *w, uint64_t address, unsigned int size, uint64_t v)
{
	if (!w->step)
		return;
	if (size == w->machine->word && !w->request->swap)
		trail_step_read(w->step, address, v, w->of);
	else
		w->step->n = TRAIL_READS + 1;
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
	if (!q->swap) { /* machines with registers that unwind are little-endian */
		if (size == 8)
			memcpy(v, p, 8);
		else
			memcpy(v, p, size);
	} else {
		for (unsigned int i = 0; i < size; i++)
			*v = *v << 8 | p[i];
	}
	note_read(w, address, size, *v);
	return true;
}

static bool read_register(void *ctx, unsigned int number, uint64_t *v)
{
	const struct walk *w = ctx;
	const struct unwind_machine *m = w->machine;

	if (number == m->sp)
		*v = w->now.f.sp;
	else if (number == m->fp)
		*v = w->now.f.fp;
	else if (number == m->ra && m->ra_in_register)
		*v = w->now.f.lr;
	else if (number == m->ra)
		*v = w->now.f.ip;
	else if (number == m->kept)
		*v = w->now.f.kept;
	else
		return w->now.request && number < m->registers && m->perf[number] >= 0 &&
		       sampled_register(w->now.request, (unsigned int)m->perf[number], v);
	return true;
}

static void uses(struct walk *w, uint8_t registers)
{
	if (w->step)
		w->step->uses |= registers;
}

static bool expression(struct walk *w, const struct unwind_file *file, const struct cfi_rule *rule,
		       int32_t at, uint16_t size, const uint64_t *frame, uint64_t *v)
{
	const struct cfi_context context = {read_register, read_stack, w, &w->steps};

	uses(w, TRAIL_ALL);
	return cfi_expression(&file->cfi, rule->flags & CFI_DEBUG, at, size, &context,
			      frame != NULL, frame ? *frame : 0, v);
}

/* A register of the caller. False: it cannot be had. */
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
		uses(w, TRAIL_ALL);
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

/* One that matters only to who needs it. */
static enum trail_from kept_register(struct walk *w, const struct unwind_file *file,
				     const struct cfi_rule *rule, const struct cfi_value *value,
				     uint8_t which, uint64_t frame, uint64_t *v)
{
	bool got;

	if (value->how == CFI_AT && is_popped(w, frame + (uint64_t)(int64_t)value->at))
		return TRAIL_SAME;
	w->no_stack = false;
	w->of = value->how == CFI_AT ? which : 0;
	got = caller_register(w, file, rule, value, frame, v);
	w->of = 0;
	if (!got)
		*v = 0;
	if (value->how == CFI_SAME)
		return TRAIL_SAME;
	if (value->how == CFI_AT && got)
		return TRAIL_READ;
	return w->no_stack ? TRAIL_GONE : TRAIL_FIXED;
}

/* The rule's flags (CFI_*) at an address, as far as it is a rule that has any. */
static uint8_t flags_at(struct walk *w, uint64_t ip)
{
	const uint32_t id = lookup_rule(&w->u->lookup, w->request, ip);

	if (id == RULE_NONE || id == RULE_UNCALLED)
		return CFI_EXACT;
	return id < RULE_SIMPLE ? w->u->lookup.rules.at[id].rule.flags : 0;
}

/* False: no call ends before ip, and it isn't what handlers of signals return to. */
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
 * OpenSSL's SHA-2 for AVX2 keeps its frame's address below the stack pointer, where the dump
 * doesn't reach. It has moved the stack pointer since it first stored that address, so a copy lies
 * above. Tries the words there, from the stack pointer up, for one by which the rule leads to a
 * return address.
 */
static bool frame_kept_above(struct walk *w, const struct unwind_file *file,
			     const struct cfi_rule *rule, uint64_t *frame)
{
	const uint64_t sp = w->now.f.sp;
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
	struct frame next = {.f = {.fp = w->now.f.fp, .lr = w->now.f.lr, .kept = w->now.f.kept}};
	enum trail_from fp, kept;
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
		if (rule->frame_reg != m->sp)
			uses(w, rule->frame_reg == m->fp ? TRAIL_FP : TRAIL_ALL);
		frame += (uint64_t)(int64_t)rule->frame;
	}
	next.f.sp = w->now.f.sp;
	next.f.ip = m->ra_in_register ? w->now.f.lr : w->now.f.ip;
	if (!caller_register(w, file, rule, &rule->ra, frame, &next.f.ip) ||
	    !caller_register(w, file, rule, &rule->sp, frame, &next.f.sp))
		return STEP_FAILED;
	if (m->ra_in_register && rule->ra.how == CFI_SAME)
		uses(w, TRAIL_LR);
	fp = kept_register(w, file, rule, &rule->fp, TRAIL_FP, frame, &next.f.fp);
	kept = kept_register(w, file, rule, &rule->kept, TRAIL_KEPT, frame, &next.f.kept);
	if (w->step) {
		w->step->fp = (uint8_t)fp;
		w->step->kept = (uint8_t)kept;
	}
	if (m->ra_in_register)
		next.f.lr = next.f.ip;
	next.f.ip &= m->address_mask;
	w->now = next;
	return next.f.ip ? STEP_DONE : STEP_OUTERMOST;
}

/* The frame pointer points to the caller's, and behind that lies the return address. */
static enum step by_frame_pointer(struct walk *w)
{
	const struct unwind_machine *m = w->machine;
	struct frame next = {.f = {.kept = w->now.f.kept}};
	const uint64_t fp = w->now.f.fp;

	uses(w, TRAIL_FP);
	if (!fp || fp < w->now.f.sp || fp % m->word)
		return STEP_FAILED;
	if (!read_stack(w, fp, m->word, &next.f.fp) ||
	    !read_stack(w, fp + m->word, m->word, &next.f.ip))
		return STEP_FAILED;
	if (w->step)
		w->step->fp = TRAIL_FIXED;
	next.f.sp = fp + 2u * m->word;
	next.f.lr = next.f.ip;
	next.f.ip &= m->address_mask;
	w->now = next;
	return next.f.ip ? STEP_DONE : STEP_OUTERMOST;
}

/* The code says where the caller is, if a call ends there. */
static bool by_edge(struct walk *w, const struct known_rule *known)
{
	const struct frame before = w->now;

	if (by_rule(w, known->file, &known->rule) == STEP_DONE && is_called(w, w->now.f.ip))
		return true;
	w->now = before;
	return false;
}

/* The innermost function has no table: looks for a return address behind a call of it, by which it
 * has pushed as many words as lie below. Functions without a frame pointer are found that way; so
 * is a signal's handler. */
static bool by_call(struct walk *w)
{
	const struct unwind_request *q = w->request;
	struct unwind_place place = {0};
	uint64_t ip, target, words;

	if (w->machine->elf != EM_X86_64 || !q->place(q->ctx, w->now.f.ip, &place) || !place.file)
		return false;
	for (uint64_t n = 0; n < CALL_WORDS && read_stack(w, w->now.f.sp + 8 * n, 8, &ip); n++)
		if ((!n && flags_at(w, ip - 1) & CFI_SIGNAL) ||
		    (x86_call_target(&place.file->elf, place.vaddr + (ip - w->now.f.ip), &target) &&
		     x86_words_pushed(&place.file->elf, target, place.vaddr, &words) &&
		     words == n)) {
			w->now.request = NULL;
			w->now.f.ip = ip;
			w->now.f.sp += 8 * n + 8;
			return true;
		}
	return false;
}

/* Nobody knows the frame. What the frame pointer of the innermost leads to must at least have been
 * called. */
static enum step without_table(struct walk *w, bool was_exact)
{
	const struct frame before = w->now;
	enum step got;

	if (was_exact && w->now.request && by_call(w))
		return STEP_DONE;
	w->no_stack = false;
	got = by_frame_pointer(w);
	if (got == STEP_DONE && was_exact && !is_called(w, w->now.f.ip)) {
		w->now = before;
		got = STEP_FAILED;
	}
	return got;
}

/* No call precedes the return address: whoever made a coroutine put it there, and there is no
 * caller. But a register that was taken for a frame pointer may have led here, too. */
static enum step by_nobody(struct walk *w, uint64_t inner)
{
	return flags_at(w, inner) & CFI_EXACT ? STEP_FAILED : STEP_OUTERMOST;
}

/* By a rule that isn't simple. */
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

static enum trail_from saved(struct walk *w, uint64_t frame, uint32_t words, uint8_t which,
			     uint64_t *v)
{
	bool got;

	if (!words || is_popped(w, frame - 8ull * words))
		return TRAIL_SAME;
	w->of = which;
	got = read_stack(w, frame - 8ull * words, 8, v);
	w->of = 0;
	if (!got)
		*v = 0;
	return got ? TRAIL_READ : TRAIL_GONE;
}

static enum step by_simple(struct walk *w, uint32_t rule)
{
	const uint64_t frame =
		(rule & RULE_BY_FP ? w->now.f.fp : w->now.f.sp) + 8ull * RULE_FRAME(rule);
	struct frame next = {
		.f = {.sp = frame, .fp = w->now.f.fp, .lr = w->now.f.lr, .kept = w->now.f.kept}};
	enum trail_from fp, kept;

	if (rule & RULE_BY_FP)
		uses(w, TRAIL_FP);
	if (!read_stack(w, frame - 8, 8, &next.f.ip))
		return STEP_FAILED;
	fp = saved(w, frame, RULE_FP(rule), TRAIL_FP, &next.f.fp);
	kept = saved(w, frame, RULE_KEPT(rule), TRAIL_KEPT, &next.f.kept);
	if (w->step) {
		w->step->fp = (uint8_t)fp;
		w->step->kept = (uint8_t)kept;
	}
	w->now = next;
	return next.f.ip ? STEP_DONE : STEP_OUTERMOST;
}

static bool first_frame(struct walk *w)
{
	const struct unwind_machine *m = w->machine;
	const struct unwind_request *q = w->request;

	w->now.request = q;
	if (!sampled_register(q, m->perf_ip, &w->now.f.ip) ||
	    !sampled_register(q, m->perf_sp, &w->now.f.sp))
		return false;
	sampled_register(q, m->perf_fp, &w->now.f.fp);
	sampled_register(q, (unsigned int)m->perf[m->kept], &w->now.f.kept);
	if (m->ra_in_register)
		sampled_register(q, m->perf_lr, &w->now.f.lr);
	w->stack_start = w->now.f.sp;
	/* stacks lie in memory that nobody has read before, and frames are met in its order */
	for (size_t at = 0; at < q->stack_size && at < AHEAD; at += CACHE_LINE)
		__builtin_prefetch(q->stack + at);
	return true;
}

static void look_ahead(const struct walk *w, uint64_t from)
{
	const struct unwind_request *q = w->request;
	uint64_t at = from - w->stack_start + AHEAD, n = w->now.f.sp - from;

	for (uint64_t i = 0; n < AHEAD && i < n && at + i < q->stack_size; i += CACHE_LINE)
		__builtin_prefetch(q->stack + at + i);
}

/* Up from a signal's frame: does the interrupted code's stack lie neither in the copy nor right
 * above? */
static void interrupted(struct walk *w, uint64_t before, uint64_t sp)
{
	w->elsewhere = sp - w->stack_start >= w->request->stack_size && sp - before > SIGNAL_FRAME;
}

/* One frame up. *exact: the caller was interrupted, it did not call. */
static enum step up(struct walk *w, bool *exact, enum unwind_end *end)
{
	/* A return address may already be another function's: the call lies before it. */
	const uint32_t id = lookup_rule(&w->u->lookup, w->request, w->now.f.ip - !*exact);
	const bool was_exact = *exact;
	const uint64_t sp = w->now.f.sp, inner = w->inner;
	struct known_rule known; /* a copy: looking for others may move it */
	enum step got;

	w->inner = w->now.f.ip - !*exact;
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
	/* A trail only leads up; and what begins where the copy does is taken for a leaf. */
	if (got == STEP_DONE && w->step && w->now.f.sp <= sp)
		w->step->n = TRAIL_READS + 1;
	if (got == STEP_DONE && *exact)
		interrupted(w, sp, w->now.f.sp);
	/* The stack only shrinks, but for a signal that had one of its own. */
	if (got == STEP_DONE && w->now.f.sp <= sp && !*exact && sp != w->stack_start) {
		*end = UNWIND_DAMAGED;
		got = STEP_FAILED;
	}
	return got;
}

/* The trail of the thread, which is empty when it is none of this space. */
static struct trail *trail_of(struct unwinder *u, const struct unwind_request *q)
{
	struct trail *t = &u->trails[slot_of(q->thread, 0, TRAIL_BITS)];

	if (t->thread != q->thread || t->space != q->space) {
		t->thread = q->thread;
		t->space = q->space;
		t->frames.n = t->reads.n = 0;
	}
	return t;
}

/* Does the walk stand on the trail, whose frames inside of *from are passed? The frame's place from
 * the outermost one, from 1; 0: it doesn't. */
static size_t meets(const struct walk *w, const struct trail *t, size_t *from, bool exact)
{
	const struct unwind_request *q = w->request;
	size_t differs;

	while (*from && t->frames.at[*from - 1].regs.sp < w->now.f.sp)
		(*from)--;
	if (!*from || !trail_meets(&t->frames.at[*from - 1], &w->now.f, exact))
		return 0;
	differs = trail_differs(t, t->frames.at[*from - 1].reads, q->stack, q->stack_size,
				w->stack_start, w->machine->word);
	if (!differs)
		return *from;
	/* What lies outside of that word may still be the same. */
	while (*from && t->frames.at[*from - 1].reads >= differs)
		(*from)--;
	return 0;
}

/* Along the trail from its frame number `at`, which is told already, to its outermost. */
static size_t unwind_follow(struct walk *w, const struct trail *t, size_t at,
			    struct unwind_frame *frames, size_t max, bool *exact)
{
	size_t n = 0;

	for (size_t i = at - 1; i && n < max; i--) {
		const struct trail_frame *f = &t->frames.at[i - 1];

		frames[n++] = (struct unwind_frame){f->regs.ip, f->exact};
		if (f->exact)
			interrupted(w, t->frames.at[i].regs.sp, f->regs.sp);
	}
	if (at > 1)
		w->inner = t->frames.at[1].regs.ip - !t->frames.at[1].exact;
	w->now = (struct frame){.f = t->frames.at[0].regs};
	*exact = t->frames.at[0].exact;
	return n;
}

static void begin_step(struct walk *w, bool exact)
{
	/* the innermost frame has registers that no other has */
	w->step = w->now.request ? NULL : vec_extend(&w->u->steps, 1);
	if (w->step)
		trail_step_begin(w->step, &w->now.f, exact);
}

/* Keeps the steps that were made: `inner` of them before the trail was met at its frame `joined`. A
 * frame without a way out is known by all of its registers, for with another copy of the stack it
 * may have one. */
static void keep_trail(struct walk *w, struct trail *t, size_t joined, size_t inner, bool whole)
{
	const struct trail_step *steps = w->u->steps.at;
	size_t outer = w->u->steps.n - inner;

	if (!w->u->steps.n)
		return;
	if (!whole) {
		trail_step_begin(w->step, &w->step->from, w->step->exact);
		w->step->uses = TRAIL_ALL;
		outer = outer == 1 ? 0 : outer; /* as it is in the trail */
	}
	if (joined)
		trail_put(t, joined, steps + inner, outer, steps, inner, whole);
	else
		trail_put(t, 0, NULL, 0, steps, w->u->steps.n, whole);
}

size_t unwind(struct unwinder *u, const struct unwind_request *request, struct unwind_frame *frames,
	      size_t max, enum unwind_end *end)
{
	struct walk w = {
		.u = u, .machine = u->lookup.machine, .request = request, .steps = MOST_STEPS};
	struct trail *trail = trail_of(u, request);
	size_t n = 0, left = trail->frames.n, joined = 0, inner = 0;
	enum step got = STEP_DONE;
	bool exact = true;

	*end = UNWIND_NO_CODE;
	vec_clear(&u->steps);
	if (!first_frame(&w))
		return 0;
	for (; got == STEP_DONE && n < max;) {
		frames[n++] = (struct unwind_frame){w.now.f.ip, exact};
		if (left && !w.now.request && (joined = meets(&w, trail, &left, exact))) {
			left = 0;
			inner = u->steps.n;
			n += unwind_follow(&w, trail, joined, frames + n, max - n, &exact);
			if (n == max)
				break;
			if (trail->whole) {
				*end = UNWIND_OUTERMOST;
				got = STEP_OUTERMOST;
				break;
			}
		}
		begin_step(&w, exact);
		got = up(&w, &exact, end);
	}
	if (got == STEP_DONE)
		*end = UNWIND_MAX;
	else
		keep_trail(&w, trail, joined, inner, got == STEP_OUTERMOST);
	return n;
}
