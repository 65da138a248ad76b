// SPDX-License-Identifier: MIT
/*
 * Unwinding against the truth: this program copies its own stack and registers, and knows who
 * called whom. A second witness is the compiler's own unwinder (backtrace).
 */
#include "unit.h"

#include "os/files/mapped.h"
#include "os/proc/proc.h"
#include "symbol/unwind/unwind.h"
#include "symbol/unwind/x86_code.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)

#define STACK_COPY (128 << 10)
#define MAX_FRAMES 256

/* One moment: registers, stack, and what backtrace() said. */
struct moment {
	uint64_t regs[24], mask;
	uint8_t stack[STACK_COPY];
	size_t n;
	void *witness[MAX_FRAMES];
	int witnesses;
};

static struct moment *taken; /* by the function under test; tests are single-threaded */

/* It reads what lies between variables, which a sanitizer forbids. */
static __attribute__((no_sanitize("address"))) void keep(struct moment *m, const ucontext_t *u)
{
	static const int places[24] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
				       REG_RBP, REG_RSP, REG_RIP, REG_EFL, -1,	    -1,
				       -1,	-1,	 -1,	  -1,	   REG_R8,  REG_R9,
				       REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
	uint8_t *top = (uint8_t *)u->uc_mcontext.gregs[REG_RSP];
	char line[64];
	uint64_t end = 0;
	size_t n = 0;

	m->mask = 0;
	for (int i = 0; i < 24; i++)
		if (places[i] >= 0) {
			m->mask |= 1ull << i;
			m->regs[n++] = (uint64_t)u->uc_mcontext.gregs[places[i]];
		}
	/* up to the end of the stack's mapping */
	for (FILE *f = fopen("/proc/self/maps", "r"); f; f = NULL) {
		unsigned long from, to;

		while (fgets(line, sizeof(line), f))
			if (sscanf(line, "%lx-%lx", &from, &to) == 2 && (uint64_t)top >= from &&
			    (uint64_t)top < to)
				end = to;
		fclose(f);
	}
	m->n = MIN((size_t)(end - (uint64_t)top), sizeof(m->stack));
	for (size_t i = 0; i < m->n; i++)
		m->stack[i] = ((volatile uint8_t *)top)[i];
}

static __attribute__((noinline)) void look(void)
{
	ucontext_t u;

	getcontext(&u);
	keep(taken, &u);
	taken->witnesses = backtrace(taken->witness, MAX_FRAMES);
}

/* A stack frame of changing size, found by a frame pointer alone. */
static __attribute__((noinline)) void in_alloca(int n)
{
	volatile char *p = __builtin_alloca((size_t)n);

	p[0] = 1;
	look();
	p[n - 1] = 2;
}

static __attribute__((noinline)) int deep(int n)
{
	volatile int local[5] = {n};

	if (!n)
		in_alloca(777);
	else
		local[1] = deep(n - 1) + 1;
	return local[0] + local[1];
}

/* Through libc and back. */
static int compare(const void *a, const void *b)
{
	if (!taken->n)
		deep(3);
	return *(const int *)a - *(const int *)b;
}

static void on_signal(int sig)
{
	(void)sig;
	look();
}

static __attribute__((noinline)) int interrupted(void)
{
	volatile int before = 1;

	raise(SIGUSR1);
	return before;
}

/* The files of this process, opened at first sight. */
struct files {
	VEC(struct file {
		char path[256];
		struct mapped bytes;
		struct unwind_file file;
	} *) at;
	struct unwind_file vdso;
	uint64_t wanted, offset;
	char name[256];
	uint64_t start;
	bool found;
};

static bool is_it(void *ctx, const struct proc_map *m)
{
	struct files *f = ctx;

	if (f->wanted < m->start || f->wanted >= m->end)
		return true;
	f->found = true;
	f->start = m->start;
	f->offset = f->wanted - m->start + m->offset;
	snprintf(f->name, sizeof(f->name), "%s", m->name);
	return false;
}

static bool place(void *ctx, uint64_t ip, struct unwind_place *out)
{
	const struct proc_maps_options opts = {.text_only = true};
	struct files *f = ctx;
	struct file *file = NULL;

	f->found = false;
	f->wanted = ip;
	proc_maps("/proc", getpid(), &opts, is_it, f);
	if (!f->found)
		return false;
	*out = (struct unwind_place){0};
	if (f->name[0] != '/')
		return true;
	for (size_t i = 0; i < f->at.n; i++)
		if (!strcmp(f->at.at[i]->path, f->name))
			file = f->at.at[i];
	if (!file) {
		file = calloc(1, sizeof(*file));
		snprintf(file->path, sizeof(file->path), "%s", f->name);
		assert_int_equal(mapped_open(&file->bytes, f->name, NULL), 0);
		assert_int_equal(unwind_file_init(&file->file, file->bytes.p, file->bytes.n), 0);
		vec_add(&f->at, file);
	}
	out->file = &file->file;
	return unwind_file_vaddr(&file->file, f->offset, &out->vaddr);
}

static void release(struct files *f)
{
	for (size_t i = 0; i < f->at.n; i++) {
		unwind_file_release(&f->at.at[i]->file);
		mapped_release(&f->at.at[i]->bytes);
		free(f->at.at[i]);
	}
	vec_release(&f->at);
}

static size_t unwind_moment(struct moment *m, struct files *files, size_t stack,
			    struct unwind_frame *frames, size_t max, enum unwind_end *end)
{
	struct unwinder *u = unwinder_new(EM_X86_64);
	struct unwind_request q = {.regs = m->regs, .mask = m->mask, .stack = m->stack,
				   .stack_size = MIN(stack, m->n), .place = place, .ctx = files};
	size_t n = unwind(u, &q, frames, max, end), again;
	struct unwind_frame *copy = calloc(max, sizeof(*copy));

	/* remembered rules lead to the same chain */
	again = unwind(u, &q, copy, max, end);
	assert_int_equal(again, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(copy[i].ip, frames[i].ip);
	free(copy);
	unwinder_free(u);
	return n;
}

/* All but the innermost frame, which has moved on between the two. */
static void same_as_witness(const struct moment *m, const struct unwind_frame *frames, size_t n)
{
#ifdef __SANITIZE_ADDRESS__ /* the witness is then called by somebody else */
	return;
#endif
	assert_int_equal(n, (size_t)m->witnesses);
	for (int i = 1; i < m->witnesses; i++)
		assert_int_equal(frames[i].ip, (uint64_t)m->witness[i]);
}

static void whole_stacks_are_found(void **state)
{
	struct unwind_frame frames[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m));
	struct files files = {0};
	enum unwind_end end;
	size_t n, in_deep = 0;

	(void)state;
	taken = m;
	deep(20);
	n = unwind_moment(m, &files, SIZE_MAX, frames, MAX_FRAMES, &end);
	assert_int_equal(end, UNWIND_OUTERMOST);
	same_as_witness(m, frames, n);
	for (size_t i = 0; i < n; i++)
		in_deep += frames[i].ip > (uint64_t)deep && frames[i].ip < (uint64_t)deep + 2000;
	assert_true(in_deep >= 2); /* the compiler unrolls some of it */
	release(&files);
	free(m);
}

static void stacks_lead_through_libraries(void **state)
{
	int numbers[] = {3, 1, 2, 5, 4};
	struct unwind_frame frames[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m));
	struct files files = {0};
	enum unwind_end end;
	size_t n;

	(void)state;
	taken = m;
	qsort(numbers, 5, sizeof(*numbers), compare);
	n = unwind_moment(m, &files, SIZE_MAX, frames, MAX_FRAMES, &end);
	assert_int_equal(end, UNWIND_OUTERMOST);
	same_as_witness(m, frames, n);
	assert_true(files.at.n >= 2);
	release(&files);
	free(m);
}

static void signals_are_passed_through(void **state)
{
	struct unwind_frame frames[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m));
	struct files files = {0};
	enum unwind_end end;
	size_t n, exact = 0;

	(void)state;
	taken = m;
	signal(SIGUSR1, on_signal);
	interrupted();
	signal(SIGUSR1, SIG_DFL);
	n = unwind_moment(m, &files, SIZE_MAX, frames, MAX_FRAMES, &end);
	assert_int_equal(end, UNWIND_OUTERMOST);
	same_as_witness(m, frames, n);
	for (size_t i = 0; i < n; i++)
		exact += frames[i].exact;
	assert_int_equal(exact, 2); /* the innermost, and what the signal interrupted */
	release(&files);
	free(m);
}

static void a_short_copy_says_so(void **state)
{
	struct unwind_frame frames[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m));
	struct files files = {0};
	enum unwind_end end;
	size_t n;

	(void)state;
	taken = m;
	deep(20);
	n = unwind_moment(m, &files, 64, frames, MAX_FRAMES, &end);
	assert_int_equal(end, UNWIND_STACK);
	assert_true(n >= 1 && n < (size_t)m->witnesses);
	n = unwind_moment(m, &files, SIZE_MAX, frames, 3, &end);
	assert_int_equal(end, UNWIND_MAX);
	assert_int_equal(n, 3);
	release(&files);
	free(m);
}

/* What was seen of a stack before holds only as far as the stack is the same. */
static void other_stacks_are_not_taken_for_known_ones(void **state)
{
	struct unwind_frame known[MAX_FRAMES], again[MAX_FRAMES], fresh[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m));
	struct unwinder *u = unwinder_new(EM_X86_64);
	struct files files = {0};
	enum unwind_end end, fresh_end;
	size_t n, changed = 0, shorter = 0;

	(void)state;
	taken = m;
	deep(20);
	n = unwind_moment(m, &files, SIZE_MAX, known, MAX_FRAMES, &end);
	for (size_t at = 0; at + 8 <= MIN(m->n, (size_t)8192); at += 8) {
		struct unwind_request q = {.regs = m->regs, .mask = m->mask, .stack = m->stack,
					   .stack_size = m->n, .place = place, .ctx = &files};
		struct unwinder *other;
		uint64_t word, bad = 0;
		bool is_frame = false, cut = at % 128 == 0;
		size_t got, want;

		memcpy(&word, m->stack + at, 8);
		for (size_t i = 1; i < n; i++)
			is_frame |= known[i].ip == word;
		if (!is_frame && !cut)
			continue;
		unwind(u, &q, again, MAX_FRAMES, &end);
		if (is_frame)
			memcpy((uint8_t *)m->stack + at, &bad, 8);
		else
			q.stack_size = at;
		got = unwind(u, &q, again, MAX_FRAMES, &end);
		other = unwinder_new(EM_X86_64);
		want = unwind(other, &q, fresh, MAX_FRAMES, &fresh_end);
		unwinder_free(other);
		memcpy((uint8_t *)m->stack + at, &word, 8);
		assert_int_equal(got, want);
		assert_int_equal(end, fresh_end);
		for (size_t i = 0; i < got; i++)
			assert_int_equal(again[i].ip, fresh[i].ip);
		changed += is_frame && got != n;
		shorter += !is_frame && end == UNWIND_STACK;
	}
	assert_true(changed >= 3 && shorter >= 1);
	unwinder_free(u);
	release(&files);
	free(m);
}

/* Any words may change between two samples of a thread, and any size of the copy: what is
 * remembered of the one never shows in the other. */
static void remembered_ways_are_never_stale(void **state)
{
	struct unwind_frame again[MAX_FRAMES], fresh[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m)), *changed = calloc(1, sizeof(*m));
	struct unwinder *u = unwinder_new(EM_X86_64);
	struct files files = {0};
	size_t kinds[UNWIND_ENDS] = {0};
	uint32_t seed = 3;

	(void)state;
	taken = m;
	deep(6);
	for (int round = 0; round < 600; round++) {
		const size_t n = MIN(m->n, (size_t)4096);
		struct unwind_request q = {.regs = changed->regs,
					   .mask = m->mask,
					   .stack = changed->stack,
					   .stack_size = m->n,
					   .place = place,
					   .thread = 7,
					   .ctx = &files};
		struct unwinder *other = unwinder_new(EM_X86_64);
		enum unwind_end end, fresh_end;
		size_t got, want;

		*changed = *m;
		for (int i = 0; i < round % 4; i++) {
			uint64_t from, to;

			seed = seed * 1103515245 + 12345;
			from = (seed >> 8) % n & ~7u;
			seed = seed * 1103515245 + 12345;
			to = (seed >> 8) % n & ~7u;
			memcpy((uint8_t *)changed->stack + to, m->stack + from, 8);
		}
		seed = seed * 1103515245 + 12345;
		if (round % 5 == 4)
			q.stack_size = (seed >> 8) % n;
		if (round % 7 == 6)
			changed->regs[6] += 16; /* where a frame pointer is */
		got = unwind(u, &q, again, round % 11 == 10 ? 5 : MAX_FRAMES, &end);
		want = unwind(other, &q, fresh, round % 11 == 10 ? 5 : MAX_FRAMES, &fresh_end);
		unwinder_free(other);
		assert_int_equal(got, want);
		assert_int_equal(end, fresh_end);
		kinds[end]++;
		for (size_t i = 0; i < got; i++) {
			assert_int_equal(again[i].ip, fresh[i].ip);
			assert_int_equal(again[i].exact, fresh[i].exact);
		}
	}
	assert_true(kinds[UNWIND_OUTERMOST] > 100 && kinds[UNWIND_STACK] > 20 &&
		    kinds[UNWIND_MAX] > 20);
	unwinder_free(u);
	release(&files);
	free(changed);
	free(m);
}

/* As GCC writes an epilogue: behind `leave` the rule still says that the frame pointer lies in its
 * slot. */
__asm__(".text\n"
	".type in_epilogue, @function\n"
	"in_epilogue:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset 6, -16\n"
	"mov %rsp, %rbp\n"
	".cfi_def_cfa_register 6\n"
	"leave\n"
	".cfi_def_cfa 7, 8\n"
	"int3\n"
	"ret\n"
	".cfi_endproc\n"
	".size in_epilogue, .-in_epilogue\n");
void in_epilogue(void);

static void on_trap(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	keep(taken, context);
}

/* Its caller is found by the frame pointer alone. */
static __attribute__((noinline)) int calls_epilogue(int n)
{
	volatile char *p = __builtin_alloca((size_t)n);

	p[0] = 1;
	taken->witnesses = backtrace(taken->witness, MAX_FRAMES);
	in_epilogue();
	return p[0];
}

static void popped_registers_hold_their_caller_s_values(void **state)
{
	const struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	struct unwind_frame frames[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m));
	struct files files = {0};
	enum unwind_end end;
	struct sigaction before;
	size_t n;

	(void)state;
	taken = m;
	sigaction(SIGTRAP, &trap, &before);
	calls_epilogue(777);
	sigaction(SIGTRAP, &before, NULL);
	n = unwind_moment(m, &files, SIZE_MAX, frames, MAX_FRAMES, &end);
	assert_int_equal(end, UNWIND_OUTERMOST);
#ifndef __SANITIZE_ADDRESS__
	assert_int_equal(n, (size_t)m->witnesses + 1);
	for (int i = 1; i < m->witnesses; i++)
		assert_int_equal(frames[i + 1].ip, (uint64_t)m->witness[i]);
#endif
	assert_true(n > 3 && frames[1].ip > (uint64_t)calls_epilogue &&
		    frames[1].ip < (uint64_t)calls_epilogue + 500);
	release(&files);
	free(m);
}

/* As OpenSSL's SHA-2 for AVX2: the frame's address is at (%rsp - 8), and was stored further up
 * before. */
__asm__(".text\n"
	".type in_red_zone, @function\n"
	"in_red_zone:\n"
	".cfi_startproc\n"
	"mov %rsp, %rax\n"
	".cfi_def_cfa_register 0\n"
	"sub $512, %rsp\n"
	"mov %rax, 440(%rsp)\n"
	"movq $0x55, 8(%rsp)\n"
	"mov %rsp, 16(%rsp)\n"
	"lea 456(%rsp), %rdx\n"
	"mov %rdx, 24(%rsp)\n" /* a pointer into the frame, but not to a return address */
	"mov %rax, -8(%rsp)\n"
	".cfi_escape 0x0f, 0x05, 0x77, 0x78, 0x06, 0x23, 0x08\n" /* breg7 -8, deref, plus_uconst 8
								  */
	"int3\n"
	"add $512, %rsp\n"
	".cfi_def_cfa 7, 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size in_red_zone, .-in_red_zone\n"
	/* ends its table early, as clone3 */
	".type ends_early, @function\n"
	"ends_early:\n"
	".cfi_startproc\n"
	"xor %eax, %eax\n"
	".cfi_endproc\n"
	"nop\n"
	"int3\n"
	"nop\n"
	"nop\n"
	"jmp 1f\n"
	"1: ret\n"
	".size ends_early, .-ends_early\n"
	".balign 16\n"
	/* has none, and no frame pointer */
	".type no_table, @function\n"
	"no_table:\n"
	"push %rbx\n"
	"sub $24, %rsp\n"
	"jmp 1f\n"
	"add $24, %rsp\n"
	"pop %rbx\n"
	"ret\n"
	"1: xor %ebx, %ebx\n"
	"int3\n"
	"test %ebx, %ebx\n"
	"jne 1b\n"
	"add $24, %rsp\n"
	"int3\n"
	"pop %rbx\n"
	"ret\n"
	".size no_table, .-no_table\n"
	".balign 16\n"
	/* has none, and a frame pointer that the stack pointer is taken from */
	".type frame_pointer, @function\n"
	"frame_pointer:\n"
	"push %rbp\n"
	"int3\n"
	"mov %rsp, %rbp\n"
	"push %rbx\n"
	"push $7\n"
	"int3\n"
	"pop %rax\n"
	"lea -8(%rbp), %rsp\n"
	"int3\n"
	"pop %rbx\n"
	"pop %rbp\n"
	"xor %eax, %eax\n"
	"int3\n"
	"ret\n"
	".size frame_pointer, .-frame_pointer\n");
void in_red_zone(void);
void ends_early(void);
void no_table(void);
void frame_pointer(void);

/* Every trap on the way of a function must show its callers. */
static struct {
	struct files files;
	int traps, right;
} trapped;

static void on_trap_unwound(int sig, siginfo_t *info, void *context)
{
	struct unwind_frame frames[MAX_FRAMES];
	enum unwind_end end;
	size_t n;

	on_trap(sig, info, context);
	n = unwind_moment(taken, &trapped.files, SIZE_MAX, frames, MAX_FRAMES, &end);
	trapped.traps++;
	if (end != UNWIND_OUTERMOST || n != (size_t)taken->witnesses + 1)
		return;
	for (int i = 1; i < taken->witnesses; i++)
		if (frames[i + 1].ip != (uint64_t)taken->witness[i])
			return;
	trapped.right++;
}

static __attribute__((noinline)) int calls(int which)
{
	volatile int kept = which;

	taken->witnesses = backtrace(taken->witness, MAX_FRAMES);
	if (which == 0)
		in_red_zone();
	else if (which == 1)
		ends_early();
	else if (which == 2)
		no_table();
	else
		frame_pointer();
	return kept;
}

static void code_tells_what_tables_do_not(void **state)
{
	const struct sigaction trap = {.sa_sigaction = on_trap_unwound, .sa_flags = SA_SIGINFO};
	static const int traps[] = {1, 1, 2, 4};
	struct moment *m = calloc(1, sizeof(*m));
	struct sigaction before;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* the witness is then called by somebody else */
#endif
	taken = m;
	sigaction(SIGTRAP, &trap, &before);
	for (int which = 0; which < 4; which++) {
		trapped.traps = trapped.right = 0;
		calls(which);
		assert_int_equal(trapped.traps, traps[which]);
		assert_int_equal(trapped.right, traps[which]);
	}
	sigaction(SIGTRAP, &before, NULL);
	release(&trapped.files);
	free(m);
}

static void calls_are_recognized(void **state)
{
	struct mapped bytes = {0};
	struct unwind_file f;
	size_t calls_seen = 0;
	uint64_t target, words;

	(void)state;
	assert_int_equal(mapped_open(&bytes, "/proc/self/exe", NULL), 0);
	assert_int_equal(unwind_file_init(&f, bytes.p, bytes.n), 0);
	/* from the program's entry on there are calls; whatever they lead to, nothing is read
	 * outside of the file */
	for (uint64_t v = f.elf.entry - 64; v < f.elf.entry + 0x4000; v++) {
		if (!x86_call_target(&f.elf, v, &target))
			continue;
		assert_true(x86_follows_call(&f.elf, v));
		x86_words_pushed(&f.elf, target, v, &words);
		calls_seen++;
	}
	assert_true(calls_seen > 20);
	assert_false(x86_follows_call(&f.elf, 0));
	assert_false(x86_follows_call(&f.elf, UINT64_MAX));
	assert_false(x86_words_pushed(&f.elf, f.elf.entry, f.elf.entry + (1u << 20), &words));
	unwind_file_release(&f);
	mapped_release(&bytes);
}

static bool nothing_there(void *ctx, uint64_t ip, struct unwind_place *out)
{
	(void)ctx;
	(void)ip;
	(void)out;
	return false;
}

/* The same stack after something else was mapped. */
static void another_space_is_another_way(void **state)
{
	struct unwind_frame frames[MAX_FRAMES];
	struct moment *m = calloc(1, sizeof(*m));
	struct unwinder *u = unwinder_new(EM_X86_64);
	struct files files = {0};
	struct unwind_request q = {
		.mask = 0, .place = place, .thread = 7, .space = 1, .ctx = &files};
	enum unwind_end end;
	size_t n;

	(void)state;
	taken = m;
	deep(6);
	q.regs = m->regs;
	q.mask = m->mask;
	q.stack = m->stack;
	q.stack_size = m->n;
	n = unwind(u, &q, frames, MAX_FRAMES, &end);
	assert_int_equal(end, UNWIND_OUTERMOST);
	q.space = 2;
	q.place = nothing_there;
	assert_int_equal(unwind(u, &q, frames, MAX_FRAMES, &end), 1);
	assert_int_equal(end, UNWIND_NO_CODE);
	q.space = 1;
	q.place = place;
	assert_int_equal(unwind(u, &q, frames, MAX_FRAMES, &end), n);
	unwinder_free(u);
	release(&files);
	free(m);
}

/* A rule is told with the addresses that it is the same for, and these end where another one
 * begins. */
static void rules_hold_for_what_they_say(void **state)
{
	struct mapped bytes = {0};
	struct unwind_file f;
	struct cfi_rule rule, other;
	uint64_t from, to, low, high;
	size_t ranges = 0, known = 0;

	(void)state;
	assert_int_equal(mapped_open(&bytes, "/proc/self/exe", NULL), 0);
	assert_int_equal(unwind_file_init(&f, bytes.p, bytes.n), 0);
	for (uint64_t v = f.elf.entry; v < f.elf.entry + 0x4000;) {
		if (!cfi_find(&f.cfi, v, &rule, &from, &to)) {
			v++;
			continue;
		}
		assert_true(from <= v && v < to && to - from < 0x10000);
		for (uint64_t at = from; at < to; at++, known++) {
			assert_true(cfi_find(&f.cfi, at, &other, &low, &high));
			assert_memory_equal(&rule, &other, sizeof(rule));
			assert_int_equal(low, from);
			assert_int_equal(high, to);
		}
		ranges++;
		v = to;
	}
	assert_true(ranges > 50 && known > 10 * ranges);
	unwind_file_release(&f);
	mapped_release(&bytes);
}

/* Bits of an image are flipped one after the other: rules may be wrong then, but nothing dies. */
static void damaged_tables_are_survived(void **state)
{
	struct mapped bytes = {0};
	struct unwind_file good;
	uint8_t *copy;
	uint32_t seed = 7;

	(void)state;
	assert_int_equal(mapped_open(&bytes, "/proc/self/exe", NULL), 0);
	assert_int_equal(unwind_file_init(&good, bytes.p, bytes.n), 0);
	assert_true(good.has_cfi);
	copy = malloc(bytes.n);
	for (int round = 0; round < 2000; round++) {
		const struct cfi_section *s = round % 3 ? &good.cfi.eh : &good.cfi.table;
		size_t at = (size_t)(s->p - bytes.p);
		struct unwind_file f;
		struct cfi_rule rule;
		uint64_t from, to;

		if (!round)
			memcpy(copy, bytes.p, bytes.n);
		seed = seed * 1103515245 + 12345;
		copy[at + (seed >> 8) % s->n] ^= (uint8_t)(1 << (seed & 7));
		if (unwind_file_init(&f, copy, bytes.n))
			continue;
		for (uint64_t v = 0x1000; v < bytes.n && f.has_cfi; v += 0x1003)
			cfi_find(&f.cfi, v, &rule, &from, &to);
		unwind_file_release(&f);
	}
	free(copy);
	unwind_file_release(&good);
	mapped_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_stacks_are_found),
		cmocka_unit_test(stacks_lead_through_libraries),
		cmocka_unit_test(signals_are_passed_through),
		cmocka_unit_test(a_short_copy_says_so),
		cmocka_unit_test(other_stacks_are_not_taken_for_known_ones),
		cmocka_unit_test(remembered_ways_are_never_stale),
		cmocka_unit_test(popped_registers_hold_their_caller_s_values),
		cmocka_unit_test(code_tells_what_tables_do_not),
		cmocka_unit_test(calls_are_recognized),
		cmocka_unit_test(another_space_is_another_way),
		cmocka_unit_test(rules_hold_for_what_they_say),
		cmocka_unit_test(damaged_tables_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	puts("1..0 # skip: the registers of this machine are not taken by this test");
	return 77;
}

#endif
