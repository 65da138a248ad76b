// SPDX-License-Identifier: MIT
/* Is probed: functions whose lines, variables and values are known. */
#include <stdio.h>
#include <stdlib.h>

struct part {
	int a;
	unsigned int five : 5;
	int seven : 7;
};
struct whole {
	struct part *part;
	struct part inner;
	char name[16];
	char *text;
	double real;
	long numbers[4];
	enum { RED, GREEN } colour;
	void *any;
	union {
		int number;
		char letter;
	} both;
	struct whole *next;
};

static int counter = 40;
int total = 3;

__attribute__((noinline)) int parse(const char *line, size_t len, struct whole *w)
{
	int sum = atoi(line);
	int i;

	for (i = 0; i < (int)len; i++) {
		sum += line[i] * w->inner.a;
		if (sum > 1000)
			counter++;
	}
	w->part->a = sum;
	return sum + (int)w->numbers[2];
}

static inline int tripled(int v)
{
	int w = v * 3;

	if (w > 10)
		puts("big");
	return w;
}

__attribute__((noinline)) int mixed(signed char c, unsigned char u, short s, _Bool b,
				    char *const *list, char *text)
{
	return c + u + s + b + list[0][0] + text[1];
}

__attribute__((noinline)) int work(int argc, char **argv)
{
	struct part part = {7, 21, -33};
	struct whole w = {&part,	 {2, 9, 5}, "hello",  argv[0], 1.5,
			  {1, 2, 30, 4}, GREEN,	    &counter, {77},    NULL};
	int result = tripled(argc);

	w.next = &w;
	result += parse("123 apples", 10, &w);
	result += mixed(-3, 200, -300, 1, argv, w.name);
	printf("%d\n", result);
	return tripled(result) + total;
}

int main(int argc, char **argv)
{
	return work(argc, argv) == 1;
}
