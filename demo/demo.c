// SPDX-License-Identifier: MIT
/*
 * The program that `make demo` profiles: threads render strips of the Mandelbrot set, sort each
 * strip's points by depth, and fold them into a checksum. Most of the time goes to escape_time(),
 * a good part to sorting, a little to the checksum; the profile should say so.
 *
 *   demo [THREADS [SECONDS]]
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { WIDTH = 512, STRIP = 32, STRIPS = 16, MAX_DEPTH = 300 };

static double deadline;
static atomic_uint next_strip;
static atomic_ullong checksum;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int escape_time(double re, double im)
{
	double x = 0, y = 0;
	int depth = 0;

	for (; depth < MAX_DEPTH && x * x + y * y < 4; depth++) {
		double next = x * x - y * y + re;

		y = 2 * x * y + im;
		x = next;
	}
	return depth;
}

static void render_strip(unsigned int strip, int *depths)
{
	for (int row = 0; row < STRIP; row++) {
		double im =
			(double)(strip * STRIP + (unsigned int)row) / (STRIP * STRIPS) * 2.4 - 1.2;

		for (int column = 0; column < WIDTH; column++)
			depths[row * WIDTH + column] =
				escape_time((double)column / WIDTH * 3 - 2.1, im);
	}
}

static void sift_down(int *v, int root, int n)
{
	for (int child; (child = 2 * root + 1) < n; root = child) {
		int moved = v[root];

		if (child + 1 < n && v[child + 1] > v[child])
			child++;
		if (v[child] <= moved)
			return;
		v[root] = v[child];
		v[child] = moved;
	}
}

static void sort_depths(int *v, int n)
{
	for (int i = n / 2 - 1; i >= 0; i--)
		sift_down(v, i, n);
	for (int i = n - 1; i > 0; i--) {
		int top = v[0];

		v[0] = v[i];
		v[i] = top;
		sift_down(v, 0, i);
	}
}

static uint64_t fold_checksum(const int *v, int n)
{
	uint64_t sum = 14695981039346656037ULL;

	for (int round = 0; round < 4; round++)
		for (int i = 0; i < n; i++)
			sum = (sum ^ (uint64_t)v[i]) * 1099511628211ULL;
	return sum;
}

static void *render(void *arg)
{
	int *depths = malloc(sizeof(*depths) * WIDTH * STRIP);
	char name[16];

	snprintf(name, sizeof(name), "render-%ld", (long)arg % 1000);
	prctl(PR_SET_NAME, name);
	while (depths && now() < deadline) {
		render_strip(next_strip++ % STRIPS, depths);
		sort_depths(depths, WIDTH * STRIP);
		checksum += fold_checksum(depths, WIDTH * STRIP);
	}
	free(depths);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t threads[64];

	if (n < 1 || n > 64) {
		fprintf(stderr, "usage: demo [THREADS [SECONDS]]\n");
		return 2;
	}
	deadline = now() + (argc > 2 ? atof(argv[2]) : 2);
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, render, (void *)i))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("rendered %u strips, checksum %llx\n", next_strip, checksum);
	return 0;
}
