// SPDX-License-Identifier: MIT
/*
 * dumps [DIR]: runs code it has made itself, in anonymous memory, and tells of it in
 * DIR/jit-PID.dump, as a just-in-time compiler does. A third of the time each: jit::first; then, at
 * the same address, jit::second; then jit::first again, which was moved. The dump ends within a
 * record. Each has lines: NAME.src:10 where it begins, NAME.src:11 where it counts and NAME.inc:12
 * where it returns (20 to 22 of the second).
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE 62
/* mov ecx, 200000000; 1: dec ecx; jnz 1b; ret */
static const unsigned char loop[] = {0xb9, 0x00, 0xc2, 0xeb, 0x0b, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
#else
#define MACHINE 0
static const unsigned char loop[1];
#endif

struct head {
	uint32_t id, total_size;
	uint64_t time;
};

struct load {
	struct head head;
	uint32_t pid, tid;
	uint64_t vma, code_addr, code_size, code_index;
	char name[12];
	unsigned char code[sizeof(loop)];
} __attribute__((packed));

struct move {
	struct head head;
	uint32_t pid, tid;
	uint64_t vma, old_code_addr, new_code_addr, code_size, code_index;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void put_line(FILE *dump, char *address, uint32_t line, const char *file)
{
	uint64_t a = (uintptr_t)address;
	uint32_t numbers[2] = {line, 0};

	fwrite(&a, sizeof(a), 1, dump);
	fwrite(numbers, sizeof(numbers), 1, dump);
	fwrite(file, strlen(file) + 1, 1, dump);
}

static void tell_lines(FILE *dump, char *at, uint32_t line, const char *name)
{
	char source[32], included[32];
	uint64_t head[2] = {(uintptr_t)at, 3};
	struct head h = {2, sizeof(h) + sizeof(head) + 3 * 16, now()};

	snprintf(source, sizeof(source), "/src/%s.src", name);
	snprintf(included, sizeof(included), "/src/%s.inc", name);
	h.total_size += (uint32_t)(strlen(source) + strlen(included)) + 2 + 2;
	fwrite(&h, sizeof(h), 1, dump);
	fwrite(head, sizeof(head), 1, dump);
	put_line(dump, at, line, source);
	put_line(dump, at + 5, line + 1, "\xff"); /* the same file */
	put_line(dump, at + sizeof(loop) - 1, line + 2, included);
}

static void tell_load(FILE *dump, char *at, uint64_t number, const char *name)
{
	struct load l = {.head = {0, sizeof(l), now()},
			 .pid = (uint32_t)getpid(),
			 .tid = (uint32_t)getpid(),
			 .vma = (uintptr_t)at,
			 .code_addr = (uintptr_t)at,
			 .code_size = sizeof(loop),
			 .code_index = number};

	snprintf(l.name, sizeof(l.name), "%s", name);
	memcpy(l.code, loop, sizeof(loop));
	fwrite(&l, sizeof(l), 1, dump);
	fflush(dump);
}

static void tell_move(FILE *dump, char *from, char *to, uint64_t number)
{
	struct move m = {.head = {1, sizeof(m), now()},
			 .pid = (uint32_t)getpid(),
			 .tid = (uint32_t)getpid(),
			 .vma = (uintptr_t)to,
			 .old_code_addr = (uintptr_t)from,
			 .new_code_addr = (uintptr_t)to,
			 .code_size = sizeof(loop),
			 .code_index = number};

	fwrite(&m, sizeof(m), 1, dump);
	fflush(dump);
}

static void run(char *at)
{
	memcpy(at, loop, sizeof(loop));
	((void (*)(void))at)();
}

int main(int argc, char **argv)
{
	uint32_t header[10] = {0x4a695444, 1, 40, MACHINE, 0, (uint32_t)getpid()};
	struct head half = {0, 1000, 0};
	char path[4096], *memory;
	FILE *dump;

	if (!MACHINE)
		return 77;
	snprintf(path, sizeof(path), "%s/jit-%d.dump", argc > 1 ? argv[1] : "/tmp", getpid());
	dump = fopen(path, "w+");
	memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (!dump || memory == MAP_FAILED)
		return 1;
	fwrite(header, sizeof(header), 1, dump);
	fflush(dump);
	/* the mark in the recording */
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		return 1;
	tell_lines(dump, memory, 10, "first");
	tell_load(dump, memory, 1, "jit::first");
	run(memory);
	tell_lines(dump, memory, 20, "second");
	tell_load(dump, memory, 2, "jit::second");
	run(memory);
	tell_move(dump, memory, memory + 4096, 1);
	run(memory + 4096);
	fwrite(&half, sizeof(half), 1, dump);
	fclose(dump);
	return 0;
}
