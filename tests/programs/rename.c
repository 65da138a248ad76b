// SPDX-License-Identifier: MIT
/* rename NAME: works for a quarter of a second under that name (16 bytes at most, any but 0). */
#include <sys/prctl.h>
#include <time.h>

static volatile unsigned long sink;

int main(int argc, char **argv)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 4;

	if (argc != 2 || prctl(PR_SET_NAME, argv[1]))
		return 1;
	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			sink = sink * 2862933555777941757UL + 1;
	return 0;
}
