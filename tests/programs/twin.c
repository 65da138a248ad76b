// SPDX-License-Identifier: MIT
/*
 * libtwin1 and libtwin2, which twins.c loads in turn to the same addresses: the same functions,
 * whose frames are of other sizes in each, so that the rules of one lead astray in the other.
 */
#define NAME_(a, b) a##b
#define NAME(a, b)  NAME_(a, b)

#ifdef __clang__
#define FAR __attribute__((noinline))
#else
#define FAR __attribute__((noinline, noclone))
#endif

void twin_run(long n);

static volatile unsigned long sink;

FAR static void NAME(leaf_, TWIN)(long n, volatile char *space)
{
	volatile char own[16 + 64 * TWIN];

	own[0] = *space;
	for (long i = 0; i < n; i++)
		sink = sink * 2862933555777941757UL + 1;
	own[sizeof(own) - 1] = own[0];
}

FAR static void NAME(middle_, TWIN)(long n)
{
	volatile char space[400 - 96 * TWIN];

	space[0] = 1;
	NAME(leaf_, TWIN)(n, space);
	sink = sink + (unsigned long)space[0];
}

void twin_run(long n)
{
	volatile char space[32 * TWIN];

	space[0] = 1;
	NAME(middle_, TWIN)(n);
	sink = sink + (unsigned long)space[0];
}
