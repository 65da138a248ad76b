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

/* By the calls that stand for others, socketcall and ipc. */
static void sockets_and_objects(void)
{
	static const uint8_t address[16] = {2, 0, 0, 80, 127, 0, 0, 1};
	const uint32_t socket[3] = {2, 2, 17}; /* AF_INET, SOCK_DGRAM, UDP */
	uint32_t list[6] = {0}, got;
	int fd = call(102, 1, low(socket, sizeof(socket)), 0, 0), id;

	list[0] = (uint32_t)fd, list[1] = low(address, sizeof(address)), list[2] = 16;
	call(102, 3, low(list, 12), 0, 0); /* connect */
	list[1] = low("sent", 4), list[2] = 4, list[3] = 0x40;
	call(102, 9, low(list, 16), 0, 0);  /* send */
	call(102, 99, low(list, 4), 0, 0);  /* there is no such */
	id = call(117, 23, 0, 4096, 01600); /* shmget */
	got = low(list, 4);
	call(117, 21, (uint32_t)id, 010000, got); /* shmat, which gives the address there */
	call(117, 24, (uint32_t)id, 0x100, 0);	  /* shmctl IPC_RMID */
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
	sockets_and_objects();
	return 0;
}
