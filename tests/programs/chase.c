// SPDX-License-Identifier: MIT
/*
 * chase N: follows N pointers, each to another page of 64 MB. Nearly all of its time goes to one
 * instruction, the load; the one after it is where interrupts come through.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTERS (8u << 20)
#define STRIDE	 5555555u /* odd: every pointer is met before one comes again */

static uint64_t follow(void **p, uint64_t n)
{
	uint64_t sum = 0;

#if defined(__x86_64__)
	__asm__ volatile("1:\n\t"
			 "mov (%0), %0\n\t"
			 "add $1, %1\n\t"
			 "xor $3, %1\n\t"
			 "dec %2\n\t"
			 "jnz 1b"
			 : "+r"(p), "+r"(sum), "+r"(n)
			 :
			 : "cc", "memory");
#elif defined(__aarch64__)
	__asm__ volatile("1:\n\t"
			 "ldr %0, [%0]\n\t"
			 "add %1, %1, #1\n\t"
			 "eor %1, %1, #3\n\t"
			 "subs %2, %2, #1\n\t"
			 "b.ne 1b"
			 : "+r"(p), "+r"(sum), "+r"(n)
			 :
			 : "cc", "memory");
#else
	while (n--)
		p = *p;
#endif
	return sum + (uintptr_t)p;
}

int main(int argc, char **argv)
{
	const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	void **ring = malloc(POINTERS * sizeof(*ring));
	size_t at = 0;

	if (!ring)
		return 1;
	for (size_t i = 0; i < POINTERS; i++) {
		const size_t next = (at + STRIDE) & (POINTERS - 1);

		ring[at] = &ring[next];
		at = next;
	}
	printf("%d\n", (int)(follow(ring, n) & 1));
	free(ring);
	return 0;
}
