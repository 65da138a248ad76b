/* SPDX-License-Identifier: MIT */
/* Makes calls as an i386 program does, by int 0x80, with structures of 32-bit longs in memory below
 * 4 GiB. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static char *memory;

static int call(int number, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	int result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory", "r8", "r9", "r10", "r11");
	return result;
}

/* A copy of n bytes below 4 GiB. */
static uint32_t low(const void *p, size_t n)
{
	char *at = memory;

	memcpy(at, p, n);
	memory += (n + 15) & ~(size_t)15;
	return (uint32_t)(uintptr_t)at;
}

int main(void)
{
	const int32_t time[2] = {0, 1000};
	const int64_t time64[2] = {0, 2000};
	const int32_t rights[5] = {20, 1, 1, 0, 1};
	int32_t pair[2];
	uint32_t pairs, vector[4], message[7] = {0}, room;

	memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
		      -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	call(162, low(time, sizeof(time)), 0, 0, 0);	 /* nanosleep */
	call(407, 1, 0, low(time64, sizeof(time64)), 0); /* clock_nanosleep_time64 */
	vector[0] = low("one", 3), vector[1] = 3, vector[2] = low("two!", 4), vector[3] = 4;
	call(146, 1, low(vector, sizeof(vector)), 2, 0); /* writev */
	room = low(time, 8);
	call(191, 7, room, 0, 0); /* ugetrlimit */
	pairs = low(pair, sizeof(pair));
	call(360, 1, 2, 0, pairs); /* socketpair */
	memcpy(pair, (void *)(uintptr_t)pairs, sizeof(pair));
	message[2] = low(vector, 8), message[3] = 1;
	message[4] = low(rights, sizeof(rights)), message[5] = sizeof(rights);
	call(370, (uint32_t)pair[0], low(message, sizeof(message)), 0, 0); /* sendmsg */
	call(5, low("/no/such", 9), 0, 0, 0);				   /* open */
	return 0;
}
