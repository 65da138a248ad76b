// SPDX-License-Identifier: MIT
/*
 * Known accesses of structures, for data types: typed MILLIONS. The names of functions say how each
 * reaches its data. Built twice: typed (-O0) and typed-O2.
 */
#include <stdlib.h>

struct pair {
	int first;
	long second;
};
struct node {
	struct node *next;
	struct pair pair;
	char name[16];
	long hits;
};
typedef struct {
	long turns;
	struct node *head;
} ring_t;

struct node nodes[64];
struct node many[512]; /* .bss of several pages */
ring_t ring;
/* compilers do not know what these point to */
static struct node *volatile start = nodes;
static ring_t *volatile whole = &ring;
static long counter;

/* members through a parameter: node.pair.second */
__attribute__((noinline)) long by_parameter(struct node *n, long times)
{
	long sum = 0;

	for (long i = 0; i < times; i++) {
		sum += n->pair.second;
		n->hits += sum & 1;
	}
	return sum;
}

/* a chain of pointers: node.next */
__attribute__((noinline)) long by_chain(struct node *n, long times)
{
	long found = 0;

	for (long i = 0; i < times; i++) {
		n = n->next;
		found += n->pair.first;
	}
	return found;
}

/* a structure of the stack: pair.second */
__attribute__((noinline)) long by_stack(long times)
{
	volatile struct pair local = {1, 2};

	for (long i = 0; i < times; i++)
		local.second += i;
	return local.second;
}

/* variables of the program: ring_t.turns, and a long */
__attribute__((noinline)) long by_address(long times)
{
	for (long i = 0; i < times; i++) {
		ring.turns += i;
		counter ^= ring.turns;
		__asm__ volatile("" ::: "memory");
	}
	return counter;
}

/* a pointer in a structure: node.hits, through ring_t.head */
__attribute__((noinline)) long by_member(ring_t *r, long times)
{
	for (long i = 0; i < times; i++) {
		r->head->hits += i;
		__asm__ volatile("" ::: "memory");
	}
	return r->head->hits;
}

int main(int argc, char **argv)
{
	const long times = argc > 1 ? atol(argv[1]) * 1000000 : 1000000;

	for (int i = 0; i < 64; i++)
		nodes[i].next = &nodes[(i + 1) % 64];
	ring.head = nodes;
	return (by_parameter(start, times) + by_chain(start, times) + by_stack(times) +
		by_address(times) + by_member(whole, times)) == 12345;
}
