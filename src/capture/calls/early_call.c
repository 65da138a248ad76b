// SPDX-License-Identifier: MIT
#include "capture/calls/early_call.h"

#include "base/mem.h"
#include "base/monotonic.h"
#include "os/proc/proc.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define X32_BIT	      0x40000000
#define STRING_MOST   1024 /* as much as bpf/trace_copies.h copies */
#define BYTES_MOST    1024u
#define ELEMENTS_MOST 64u

/* The ABI of the program that the thread executes; TRACE_ABIS: none of this machine's. */
static unsigned int abi_of_program(const char *root, int tid)
{
	AUTO_CHAR *path = mem_printf("%s/%d/exe", root, tid);
	unsigned char head[20] = {0};
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, head, sizeof(head)) != sizeof(head))
		return TRACE_ABIS;
#if defined(__x86_64__)
	return head[18] == EM_386 ? TRACE_I386 : TRACE_X86_64;
#else
	return head[EI_CLASS] == ELFCLASS64 ? TRACE_GENERIC : TRACE_ABIS;
#endif
}

int early_call_find(struct early_call *c, const char *root, int tid)
{
	struct trace_record *r = &c->record;
	unsigned long long args[6];
	struct proc_status status;
	char line[256];
	unsigned int abi;
	long number;

	if (!proc_line(root, tid, "syscall", line, sizeof(line)) ||
	    sscanf(line, "%ld %llx %llx %llx %llx %llx %llx", &number, &args[0], &args[1], &args[2],
		   &args[3], &args[4], &args[5]) != 7 ||
	    number < 0 || proc_status(root, 0, tid, &status))
		return -1;
	abi = abi_of_program(root, tid);
	if (abi == TRACE_X86_64 && number & X32_BIT) {
		abi = TRACE_X32;
		number &= ~X32_BIT;
	}
	if (abi == TRACE_ABIS || number >= TRACE_NUMBERS)
		return -1;
	*r = (struct trace_record){
		.what = TRACE_EARLY_ENTER,
		.abi = (uint8_t)abi,
		.number = (int32_t)number,
		.pid = (uint32_t)status.tgid,
		.tid = (uint32_t)tid,
		.cpu = UINT32_MAX,
		.enter_ns = monotonic_ns(),
	};
	for (int i = 0; i < 6; i++)
		r->args[i] = args[i];
	memcpy(r->comm, status.comm, sizeof(r->comm) - 1);
	return 0;
}

/* Adds up to n bytes at address, or a string of at most so many, as far as they can be read. */
static void piece_add(struct early_call *c, int memory, uint64_t address, size_t n, bool string)
{
	struct trace_piece piece = {.address = address};
	const size_t at = c->record.bytes, room = sizeof(c->bytes) - at;
	uint8_t *to = c->bytes + at + sizeof(piece);
	ssize_t got;

	if (!address || !n || room < sizeof(piece) + ((n + 7) & ~(size_t)7))
		return;
	got = pread(memory, to, n, (off_t)address);
	if (got <= 0 || (!string && (size_t)got < n))
		return;
	if (string)
		got = (ssize_t)MIN(strnlen((const char *)to, (size_t)got) + 1, (size_t)got);
	piece.n = (uint16_t)got;
	memcpy(c->bytes + at, &piece, sizeof(piece));
	c->record.bytes += (uint16_t)(sizeof(piece) + (((size_t)got + 7) & ~(size_t)7));
}

static void step_copy(struct early_call *c, int memory, const struct trace_step *s,
		      uint32_t string_size)
{
	const uint64_t address = c->record.args[s->arg];
	uint64_t n = s->length < 6 ? c->record.args[s->length] : 0;

	if (s->data)
		n = MIN(n, string_size);
	switch (s->how) {
	case TRACE_STRING:
		piece_add(c, memory, address, STRING_MOST, true);
		break;
	case TRACE_BYTES:
		piece_add(c, memory, address, MIN(n, BYTES_MOST), false);
		break;
	case TRACE_FIXED:
		piece_add(c, memory, address, s->size, false);
		break;
	case TRACE_ARRAY:
		piece_add(c, memory, address, MIN(n, ELEMENTS_MOST) * s->size, false);
		break;
	default:
		break;
	}
}

void early_call_copy(struct early_call *c, const char *root, const struct trace_plan *plan,
		     uint32_t string_size)
{
	AUTO_CHAR *path = mem_printf("%s/%u/mem", root, c->record.tid);
	AUTO_FD memory = open(path, O_RDONLY | O_CLOEXEC);

	if (memory < 0)
		return;
	for (unsigned int i = 0; i < plan->n; i++)
		if (plan->steps[i].enter)
			step_copy(c, memory, &plan->steps[i], string_size);
}
