// SPDX-License-Identifier: MIT
/*
 * Runs a fuzz target without libFuzzer: over files, or over mutations of them. The rounds run in a
 * child that says in shared memory which one it is at, so that a round that crashes or takes more
 * than ten seconds of CPU time has a number: "-s NUMBER -n 1" runs it again.
 */
#include "driver.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct input {
	uint8_t *p;
	size_t n;
};

static struct input load(const char *path)
{
	struct input in = {0};
	FILE *f = fopen(path, "rb");
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET)) {
		perror(path);
		exit(2);
	}
	in.p = malloc((size_t)size + 1);
	in.n = fread(in.p, 1, (size_t)size, f);
	fclose(f);
	return in;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A copy in memory of its exact size, so that the sanitizer sees a read behind the end. */
static struct input mutate(const struct input *inputs, size_t n_inputs, unsigned long round)
{
	static const uint32_t odd[] = {0,    1,	     7,		 8,	     0x7f,
				       0xff, 0xffff, 0x7fffffff, 0x80000000, UINT32_MAX};
	uint64_t state = (round + 1) * 0x9e3779b97f4a7c15ULL;
	const struct input *from = &inputs[next(&state) % n_inputs];
	const struct input *other = &inputs[next(&state) % n_inputs];
	struct input in = {.p = malloc(from->n + 1), .n = from->n};

	memcpy(in.p, from->p, from->n);
	for (unsigned int i = 1 + (unsigned int)(next(&state) % 6); i && in.n > 8; i--) {
		size_t at = next(&state) % (in.n - 4), len = 1 + next(&state) % 32;

		switch (next(&state) % 6) {
		case 0:
			in.p[at] ^= (uint8_t)(1U << (next(&state) % 8));
			break;
		case 1:
			in.p[at] = (uint8_t)next(&state);
			break;
		case 2:
			memcpy(in.p + at, &odd[next(&state) % 10], 1U << (next(&state) % 3));
			break;
		case 3: /* a piece goes */
			len = len < in.n - at ? len : in.n - at;
			memmove(in.p + at, in.p + at + len, in.n - at - len);
			in.n -= len;
			break;
		case 4: /* a piece of another */
			if (other->n > len && in.n - at > len)
				memcpy(in.p + at, other->p + next(&state) % (other->n - len), len);
			break;
		default: /* the end goes, now and then */
			if (next(&state) % 4 == 0)
				in.n = at;
		}
	}
	in.p = realloc(in.p, in.n ? in.n : 1);
	return in;
}

int main(int argc, char **argv)
{
	unsigned long rounds = 0, first = 0, *at, end;
	struct input *inputs;
	size_t n_inputs;
	time_t until = 0;
	const struct itimerval limit = {.it_value.tv_sec = 10};
	int opt, failed = 0;

	while ((opt = getopt(argc, argv, "n:s:t:")) != -1) {
		if (opt == 'n')
			rounds = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			first = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			until = time(NULL) + atol(optarg);
		else
			return 2;
	}
	if (until)
		rounds = ULONG_MAX - first;
	n_inputs = (size_t)(argc - optind);
	if (!n_inputs)
		return 2;
	inputs = calloc(n_inputs, sizeof(*inputs));
	for (size_t i = 0; i < n_inputs; i++) {
		inputs[i] = load(argv[optind + (int)i]);
		LLVMFuzzerTestOneInput(inputs[i].p, inputs[i].n);
	}
	at = mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return 2;
	end = first + rounds;
	for (*at = first; *at < end && failed < 10 && !(until && time(NULL) >= until); ++*at) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			for (; *at < end && !(until && time(NULL) >= until); ++*at) {
				struct input in = mutate(inputs, n_inputs, *at);

				setitimer(ITIMER_PROF, &limit, NULL);
				alarm(100);
				LLVMFuzzerTestOneInput(in.p, in.n);
				free(in.p);
			}
			_exit(0);
		}
		if (child < 0 || waitpid(child, &status, 0) < 0)
			return 2;
		if (status) {
			fprintf(stderr, "round %lu: %s %d\n", *at,
				WIFSIGNALED(status) ? "signal" : "exit",
				WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
			failed++;
		}
	}
	if (until)
		printf("%lu rounds\n", *at - first);
	return failed != 0;
}
