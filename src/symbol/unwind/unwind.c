// SPDX-License-Identifier: MIT
#include "symbol/unwind/unwind.h"

#include "symbol/unwind/guess.h"
#include "symbol/unwind/trail.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SET_BITS	 12
#define WAYS		 4 /* what fits into one line of a processor's cache */
#define LINE		 64
#define BY_FILE_BITS 14
#define AHEAD	     1024 /* bytes of the stack */
#define SIGNAL_FRAME (64u << 10) /* more than the kernel puts onto a stack for a handler */

/* What is known of an address: its rule's number, or that there is none. Kept small: what is remembered
 * of many addresses is to stay in the processor's cache. */
struct cached {
	uint64_t ip;
	uint32_t space;
	uint32_t rule;
};

/* The same of n addresses of a file, which many spaces have. A place in the table for those of each BLOCK, and one
 * for an address alone. */
struct cached_file {
	const struct unwind_file *in;
	uint64_t from;
	uint32_t n, rule;
};
#define BLOCK 64

/* Equal rules of a file are one. */
struct known_rule {
	struct cfi_rule rule;
	const struct unwind_file *file; /* whose sections hold its expressions */
};

/* Nearly all rules of x86-64 are told by their number: the frame's address is that of a register (RULE_BY_FP: fp, else
 * sp) and some words, the return address is right below it, and the other two registers are somewhere below that, or
 * what they are. */
#define RULE_SIMPLE	(1u << 30)
#define RULE_BY_FP	1u
#define RULE_FRAME(rule) ((rule) >> 1 & 0xfff) /* words above the register */
#define RULE_FP(rule)	((rule) >> 13 & 63)    /* words below the frame; 0: it is what it is */
#define RULE_KEPT(rule) ((rule) >> 19 & 63)

enum { RULE_NONE = UINT32_MAX, RULE_NO_CODE = UINT32_MAX - 1, RULE_ENTRY = UINT32_MAX - 2,
       RULE_NO_FILE = UINT32_MAX - 3 };

/* Where programs begin, code often says nothing of its frame: there is none. */
#define ENTRY_BYTES 64

_Static_assert(sizeof(struct cached) * WAYS == LINE, "a set is a line");

struct unwinder {
	const struct unwind_machine *machine;
	struct intern rule_ids;
	VEC(struct known_rule) rules;
	void *memory;
	struct cached *cache; /* in it: sets of WAYS, the one that came last first */
	struct trail *trails; /* 1 << TRAIL_BITS, by thread */
	VEC(struct trail_step) steps; /* of the walk at hand */
	struct cached_file by_file[1 << BY_FILE_BITS];
};

/* The registers of one frame. */
struct frame {
	struct trail_regs f;
	const struct unwind_request *request; /* whose other registers hold, too: the innermost one's */
};

struct walk {
	struct unwinder *u;
	const struct unwind_request *request;
	struct frame now;
	struct trail_step *step; /* the one at hand, when it is noted */
	uint8_t of;		 /* the register that is restored alone by what is read */
	uint64_t stack_start;
	bool no_stack; /* something was asked for that the copy doesn't hold */
	bool elsewhere; /* it is another stack that is followed now */
};

int unwind_file_init(struct unwind_file *f, const void *p, size_t n)
{
	*f = (struct unwind_file){0};
	if (elf_file_init(&f->elf, p, n))
		return -1;
	f->has_cfi = cfi_open(&f->cfi, &f->elf);
	f->has_go = go_table_open(&f->go, &f->elf);
	return 0;
}

int unwind_file_init_debug(struct unwind_file *f, const void *p, size_t n, const uint8_t *frames,
			   size_t frames_n)
{
	*f = (struct unwind_file){0};
	if (elf_file_init(&f->elf, p, n))
		return -1;
	f->has_cfi = cfi_open_debug(&f->cfi, &f->elf, frames, frames_n);
	return 0;
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
	u->machine = machine;
	u->memory = mem_zero_table(((sizeof(struct cached) * WAYS) << SET_BITS) + LINE);
	u->cache = (struct cached *)(((uintptr_t)u->memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
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
	free(u->memory);
	intern_release(&u->rule_ids);
	vec_release(&u->rules);
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
	if (size == w->u->machine->word && !w->request->swap)
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
	const struct unwind_machine *m = w->u->machine;

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
	const struct cfi_context context = {read_register, read_stack, w};

	uses(w, TRAIL_ALL);
	return cfi_expression(&file->cfi, rule->flags & CFI_DEBUG, at, size, &context, frame != NULL,
			      frame ? *frame : 0, v);
}

/* A register of the caller. False: it cannot be had. */
static bool caller_register(struct walk *w, const struct unwind_file *file,
			    const struct cfi_rule *rule, const struct cfi_value *value,
			    uint64_t frame, uint64_t *v)
{
	const unsigned int word = w->u->machine->word;
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

/* True for the slot of a saved register that the innermost frame has popped: it lies below the stack pointer, so the
 * register itself holds the caller's value again. GCC's rules name the slot up to the return. */
static bool is_popped(const struct walk *w, uint64_t slot)
{
	return w->now.request && slot < w->stack_start;
}

/* One that matters only to who needs it. */
static enum trail_from kept_register(struct walk *w, const struct unwind_file *file, const struct cfi_rule *rule,
				     const struct cfi_value *value, uint8_t which, uint64_t frame, uint64_t *v)
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

enum step { STEP_DONE, STEP_OUTERMOST, STEP_FAILED };

static enum step by_rule(struct walk *w, const struct unwind_file *file, const struct cfi_rule *rule)
{
	const struct unwind_machine *m = w->u->machine;
	struct frame next = {.f = {.fp = w->now.f.fp, .lr = w->now.f.lr, .kept = w->now.f.kept}};
	enum trail_from fp, kept;
	uint64_t frame;

	if (rule->ra.how == CFI_UNDEFINED)
		return STEP_OUTERMOST;
	if (rule->frame_size) {
		if (!expression(w, file, rule, rule->frame, rule->frame_size, NULL, &frame))
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
	const struct unwind_machine *m = w->u->machine;
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

/* The word that a register was saved in; 0 when it is what it is, 64: neither. */
static uint32_t words_below(const struct cfi_value *v)
{
	if (v->how == CFI_SAME)
		return 0;
	return v->how == CFI_AT && v->at < -8 && v->at > -64 * 8 && v->at % 8 == 0 ? (uint32_t)(-v->at / 8) : 64;
}

static bool simple(const struct unwind_machine *m, const struct cfi_rule *r, uint32_t *rule)
{
	const uint32_t fp = words_below(&r->fp), kept = words_below(&r->kept);

	if (m->elf != EM_X86_64 || r->flags || r->frame_size || (r->frame_reg != m->sp && r->frame_reg != m->fp) ||
	    r->frame <= 0 || r->frame % 8 || r->frame > 0xfff * 8 || r->ra.how != CFI_AT || r->ra.at != -8 ||
	    r->sp.how != CFI_IS || r->sp.at || fp == 64 || kept == 64)
		return false;
	*rule = RULE_SIMPLE | kept << 19 | fp << 13 | (uint32_t)r->frame / 8 << 1 |
		(r->frame_reg == m->fp ? RULE_BY_FP : 0);
	return true;
}

static enum trail_from saved(struct walk *w, uint64_t frame, uint32_t words, uint8_t which, uint64_t *v)
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
	const uint64_t frame = (rule & RULE_BY_FP ? w->now.f.fp : w->now.f.sp) + 8ull * RULE_FRAME(rule);
	struct frame next = {.f = {.sp = frame, .fp = w->now.f.fp, .lr = w->now.f.lr, .kept = w->now.f.kept}};
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

static uint64_t slot_of(uint64_t a, uint64_t b, unsigned int bits)
{
	return ((a ^ b * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull) >> (64 - bits);
}

static uint32_t rule_id(struct unwinder *u, const struct known_rule *known)
{
	uint32_t id;

	if (simple(u->machine, &known->rule, &id))
		return id;
	id = intern_put(&u->rule_ids, known, sizeof(*known));
	if (id == u->rules.n)
		vec_add(&u->rules, *known);
	return id;
}

/* The rule at an address of a file, from whoever knows one; *from and *to are set where it holds for more. */
static uint32_t find_rule(struct walk *w, uint64_t ip, const struct unwind_file *in, uint64_t vaddr, uint64_t *from,
			  uint64_t *to)
{
	const struct unwind_request *q = w->request;
	const struct unwind_machine *m = w->u->machine;
	struct known_rule known = {.file = in};
	uint64_t debug_from, debug_to; /* the file itself may say something in there */

	if (in->has_cfi && cfi_find(&in->cfi, vaddr, &known.rule, from, to))
		return rule_id(w->u, &known);
	*from = vaddr;
	*to = vaddr + 1;
	if (in->has_go && go_rule(&in->go, m, vaddr, &known.rule))
		return rule_id(w->u, &known);
	if (q->debug && (known.file = q->debug(q->ctx, ip)) && known.file->has_cfi &&
	    cfi_find(&known.file->cfi, vaddr, &known.rule, &debug_from, &debug_to))
		return rule_id(w->u, &known);
	if (plt_rule(&in->elf, m, vaddr, &known.rule))
		return rule_id(w->u, &known);
	return in->elf.entry && vaddr - in->elf.entry < ENTRY_BYTES ? RULE_ENTRY : RULE_NONE;
}

static struct cached_file *file_slot(struct unwinder *u, const struct unwind_file *in, uint64_t what)
{
	return &u->by_file[slot_of(what, (uintptr_t)in, BY_FILE_BITS)];
}

static bool holds(const struct cached_file *c, const struct unwind_file *in, uint64_t vaddr)
{
	return c->in == in && vaddr - c->from < c->n;
}

static uint32_t look_up_file(struct walk *w, uint64_t ip, const struct unwind_place *place)
{
	const uint64_t vaddr = place->vaddr;
	struct cached_file *all = file_slot(w->u, place->file, vaddr / BLOCK);
	struct cached_file *one = file_slot(w->u, place->file, ~vaddr);
	uint64_t from, to;
	uint32_t rule;

	if (holds(all, place->file, vaddr))
		return all->rule;
	if (holds(one, place->file, vaddr))
		return one->rule;
	rule = find_rule(w, ip, place->file, vaddr, &from, &to);
	*(to - from > 1 ? all : one) = (struct cached_file){place->file, from, (uint32_t)MIN(to - from, UINT32_MAX), rule};
	return rule;
}

/* What is known of the code at an address; looked for at its first sight in this space. */
static uint32_t look_up(struct walk *w, uint64_t ip)
{
	const struct unwind_request *q = w->request;
	struct cached *set = &w->u->cache[slot_of(ip, q->space, SET_BITS) * WAYS];
	struct unwind_place place = {0};
	uint32_t rule = RULE_NO_CODE;

	for (int i = 0; i < WAYS; i++)
		if (set[i].ip == ip && set[i].space == q->space && ip)
			return set[i].rule;
	if (q->place(q->ctx, ip, &place)) {
		rule = place.missing ? RULE_NO_FILE : RULE_NONE;
		if (place.file)
			rule = look_up_file(w, ip, &place);
	} else if (place.later) {
		return rule;
	}
	memmove(set + 1, set, (WAYS - 1) * sizeof(*set));
	set[0] = (struct cached){ip, q->space, rule};
	return rule;
}

static bool first_frame(struct walk *w)
{
	const struct unwind_machine *m = w->u->machine;
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
	for (size_t at = 0; at < q->stack_size && at < AHEAD; at += LINE)
		__builtin_prefetch(q->stack + at);
	return true;
}

static void look_ahead(const struct walk *w, uint64_t from)
{
	const struct unwind_request *q = w->request;
	uint64_t at = from - w->stack_start + AHEAD, n = w->now.f.sp - from;

	for (uint64_t i = 0; n < AHEAD && i < n && at + i < q->stack_size; i += LINE)
		__builtin_prefetch(q->stack + at + i);
}

/* Up from a signal's frame: does the interrupted code's stack lie neither in the copy nor right above? */
static void interrupted(struct walk *w, uint64_t before, uint64_t sp)
{
	w->elsewhere = sp - w->stack_start >= w->request->stack_size && sp - before > SIGNAL_FRAME;
}

/* One frame up. *exact: the caller was interrupted, it did not call. */
static enum step up(struct walk *w, bool *exact, enum unwind_end *end)
{
	/* A return address may already be another function's: the call lies before it. */
	const uint32_t id = look_up(w, w->now.f.ip - !*exact);
	const struct known_rule *known;
	const bool was_exact = *exact;
	const uint64_t sp = w->now.f.sp;
	enum step got;

	*exact = false;
	if (id == RULE_NO_CODE) {
		*end = UNWIND_NO_CODE;
		return STEP_FAILED;
	}
	if (id == RULE_NO_FILE) {
		*end = UNWIND_NO_FILE;
		return STEP_FAILED;
	}
	if (id == RULE_ENTRY) {
		*end = UNWIND_OUTERMOST;
		return STEP_OUTERMOST;
	}
	w->no_stack = false;
	if (id == RULE_NONE) {
		*end = UNWIND_NO_RULE;
		got = by_frame_pointer(w);
	} else if (id >= RULE_SIMPLE) {
		*end = UNWIND_DAMAGED;
		got = by_simple(w, id);
	} else {
		*end = UNWIND_DAMAGED;
		known = &w->u->rules.at[id];
		got = known->rule.flags & CFI_OUTER && !was_exact
			      ? STEP_OUTERMOST
			      : by_rule(w, known->file, &known->rule);
		*exact = known->rule.flags & CFI_SIGNAL;
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

/* Does the walk stand on the trail, whose frames inside of *from are passed? The frame's place from the outermost
 * one, from 1; 0: it doesn't. */
static size_t meets(const struct walk *w, const struct trail *t, size_t *from, bool exact)
{
	const struct unwind_request *q = w->request;
	size_t differs;

	while (*from && t->frames.at[*from - 1].regs.sp < w->now.f.sp)
		(*from)--;
	if (!*from || !trail_meets(&t->frames.at[*from - 1], &w->now.f, exact))
		return 0;
	differs = trail_differs(t, t->frames.at[*from - 1].reads, q->stack, q->stack_size, w->stack_start,
				w->u->machine->word);
	if (!differs)
		return *from;
	/* What lies outside of that word may still be the same. */
	while (*from && t->frames.at[*from - 1].reads >= differs)
		(*from)--;
	return 0;
}

/* Along the trail from its frame number `at`, which is told already, to its outermost. */
static size_t follow(struct walk *w, const struct trail *t, size_t at, struct unwind_frame *frames, size_t max,
		     bool *exact)
{
	size_t n = 0;

	for (size_t i = at - 1; i && n < max; i--) {
		const struct trail_frame *f = &t->frames.at[i - 1];

		frames[n++] = (struct unwind_frame){f->regs.ip, f->exact};
		if (f->exact)
			interrupted(w, t->frames.at[i].regs.sp, f->regs.sp);
	}
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

/* Keeps the steps that were made: `inner` of them before the trail was met at its frame `joined`. A frame without a
 * way out is known by all of its registers, for with another copy of the stack it may have one. */
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
	struct walk w = {.u = u, .request = request};
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
			n += follow(&w, trail, joined, frames + n, max - n, &exact);
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

const char *unwind_end_text(enum unwind_end end)
{
	static const char *const texts[] = {
		[UNWIND_OUTERMOST] = "complete",
		[UNWIND_MAX] = "deeper than asked for",
		[UNWIND_STACK] = "the copy of the stack was too short",
		[UNWIND_ELSEWHERE] = "a signal handler's stack was copied, not the one it interrupted",
		[UNWIND_NO_CODE] = "an address without code",
		[UNWIND_NO_RULE] = "code without call frame information or frame pointers",
		[UNWIND_NO_FILE] = "a program or library that cannot be read",
		[UNWIND_DAMAGED] = "damaged frames",
	};

	return texts[end];
}

uint64_t unwind_ends_sum(const uint64_t ends[UNWIND_ENDS])
{
	uint64_t sum = 0;

	for (int end = 0; end < UNWIND_ENDS; end++)
		sum += ends[end];
	return sum;
}
