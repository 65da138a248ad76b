// SPDX-License-Identifier: MIT
/*
 * tasks: a runtime with tasks and markers of its own (USDT, notes of version 3).
 *
 *   toy:step__entry    a thread begins to run a task; its number
 *   toy:step__return   ... and leaves it
 *   toy:task_begin     a task is made; its number
 *   toy:task_end       it is done
 *
 * Three tasks. Two threads run each of them in turn, 5 steps in the first thread and then 5 in the
 * second one: a step of task N sleeps for N ms. All tasks are made before the first step, and each
 * is done after its last one. toy:inner_begin and toy:inner_end overlap with the steps of task 3,
 * and one end has no beginning.
 */
#include <pthread.h>
#include <time.h>

#define PROBE(name, value)                                                                         \
	__asm__ volatile("990: nop\n"                                                              \
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"                              \
			 ".balign 4\n"                                                             \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                        \
			 "991: .asciz \"stapsdt\"\n"                                               \
			 "992: .balign 4\n"                                                        \
			 "993: .8byte 990b, 0, 0\n"                                                \
			 ".asciz \"toy\"\n"                                                        \
			 ".asciz \"" name "\"\n"                                                   \
			 ".asciz \"-8@%0\"\n"                                                      \
			 "994: .balign 4\n"                                                        \
			 ".popsection\n" ::"r"((long)(value)))

#define TASKS 3
#define STEPS 5

static void run_step(int task)
{
	const struct timespec t = {0, task * 1000000L};

	PROBE("step__entry", task);
	if (task == TASKS)
		PROBE("inner_begin", task);
	nanosleep(&t, NULL);
	PROBE("step__return", task);
	if (task == TASKS)
		PROBE("inner_end", task);
}

static void *run_half(void *done)
{
	for (int task = 1; task <= TASKS; task++) {
		for (int step = 0; step < STEPS; step++)
			run_step(task);
		if (done)
			PROBE("task_end", task);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	PROBE("inner_end", 0);
	for (int task = 1; task <= TASKS; task++)
		PROBE("task_begin", task);
	for (int half = 0; half < 2; half++) {
		if (pthread_create(&thread, NULL, run_half, half ? &thread : NULL))
			return 1;
		pthread_join(thread, NULL);
	}
	return 0;
}
