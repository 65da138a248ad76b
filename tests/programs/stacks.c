// SPDX-License-Identifier: MIT
/*
 * stacks [SECONDS [own]]: burns processor time (2) at the ends of call chains that are hard to
 * unwind, and prints the truth: one line a chain, "LEAF: CALLER CALLER ... main", functions of this
 * program only. Each leaf is reached on one way only; own: in a signal's handler with a stack of
 * its own. Compiled without frame pointers.
 */
#include "burn.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

LEAF(leaf_plain)
LEAF(leaf_alloca)
LEAF(leaf_callback)
LEAF(leaf_signal)
LEAF(leaf_recursion)
LEAF(leaf_tail)
LEAF(leaf_assembly)
LEAF(leaf_many_arguments)
LEAF(leaf_own_stack)

FAR void middle(void)
{
	leaf_plain();
	sink++;
}

FAR void plain(void)
{
	middle();
	sink++;
}

/* The frame's size is only known when it runs. */
FAR void with_alloca(int n)
{
	volatile char *p = alloca((size_t)n);

	p[n - 1] = 1;
	leaf_alloca();
	p[0] = p[n - 1];
}

static int compared;

FAR int compare(const void *a, const void *b)
{
	if (!compared++)
		leaf_callback();
	return *(const int *)a - *(const int *)b;
}

/* Through a library's code. */
FAR void callback(void)
{
	int numbers[64];

	for (int i = 0; i < 64; i++)
		numbers[i] = i * 7919 % 64;
	qsort(numbers, 64, sizeof(*numbers), compare);
	sink += (unsigned long)numbers[3];
}

FAR void on_signal(int sig)
{
	(void)sig;
	leaf_signal();
	sink++;
}

FAR void interrupted(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	sink++;
}

FAR void on_own_stack(int sig)
{
	(void)sig;
	leaf_own_stack();
	sink++;
}

/* What the handler interrupts is on another stack: of that no copy tells more than where it was. */
FAR void interrupted_elsewhere(void)
{
	static char memory[128 << 10];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction act = {.sa_handler = on_own_stack, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &act, NULL);
	raise(SIGUSR2);
	sink++;
}

FAR int recursion(int n)
{
	volatile int here[3] = {n};

	if (n)
		recursion(n - 1);
	else
		leaf_recursion();
	return here[0];
}

/* Leaves no frame behind. */
FAR void tail(void)
{
	sink++;
	leaf_tail();
}

FAR void many_arguments(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
	leaf_many_arguments();
	sink += (unsigned long)(a + b + c + d + e + f + g + h + i + j);
}

FAR void pushes_arguments(void)
{
	many_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9, (int)sink);
	sink++;
}

static jmp_buf out;

/* The call is the last instruction: the return address is the next function's. */
LEAF(leaf_last_call_burns)
FAR _Noreturn void leaf_last_call(void)
{
	leaf_last_call_burns();
	longjmp(out, 1);
}

FAR _Noreturn void last_call(void)
{
	sink++;
	leaf_last_call();
}

#if defined(__x86_64__)
/* A frame found by a register that compilers don't use for it. */
void assembly(void);
__asm__(".pushsection .text\n"
	".globl assembly\n"
	".type assembly, @function\n"
	"assembly:\n"
	"	.cfi_startproc\n"
	"	push %rbx\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset rbx, -16\n"
	"	mov %rsp, %rbx\n"
	"	.cfi_def_cfa_register rbx\n"
	"	sub $4096, %rsp\n"
	"	and $-64, %rsp\n"
	"	call leaf_assembly\n"
	"	mov %rbx, %rsp\n"
	"	.cfi_def_cfa_register rsp\n"
	"	pop %rbx\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size assembly, . - assembly\n"
	".popsection\n");
#else
FAR void assembly(void)
{
	leaf_assembly();
	sink++;
}
#endif

int main(int argc, char **argv)
{
	if (argc > 2) {
		span = atof(argv[1]);
		puts("leaf_own_stack: on_own_stack");
		interrupted_elsewhere();
		return 0;
	}
	span = (argc > 1 ? atof(argv[1]) : 2) / 9;
	puts("leaf_plain: middle plain main\n"
	     "leaf_alloca: with_alloca main\n"
	     "leaf_callback: compare callback main\n"
	     "leaf_signal: on_signal interrupted main\n"
	     "leaf_recursion: recursion recursion recursion recursion recursion recursion main\n"
	     "leaf_tail: main\n"
	     "leaf_assembly: assembly main\n"
	     "leaf_many_arguments: many_arguments pushes_arguments main\n"
	     "leaf_last_call_burns: leaf_last_call last_call main");
	plain();
	with_alloca(5000);
	callback();
	interrupted();
	recursion(5);
	tail();
	assembly();
	pushes_arguments();
	if (!setjmp(out))
		last_call();
	return 0;
}
