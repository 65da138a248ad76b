/* SPDX-License-Identifier: MIT */
/*
 * Copies what a call's arguments point to into its record, as the call's plan says: strings, bytes,
 * vectors, messages and the rest of enum call_copy. Included by trace.bpf.c, after struct room.
 */
#ifndef BPF_TRACE_COPIES_H
#define BPF_TRACE_COPIES_H

#define STRING_MOST 1024
#define BYTES_MOST  1024
#define VECTOR_MOST 8  /* of a vector's elements */
#define WORDS_MOST  24 /* strings of an array */
#define CONTROL_MOST 256 /* bytes of control messages */
#define MESSAGES_MOST 4 /* of sendmmsg and recvmmsg */
/* Below lies no memory of programs (vm.mmap_min_addr): arguments of fcntl and ioctl that are
 * numbers are not read, which would fault. */
#define LOWEST 65536

/* Functions that are not static are checked once by the kernel when the program is loaded, not once
 * a call: that takes 20 ms, not 1.5 s. Their pointers must be checked against NULL. */

/* Begins a piece; NULL: the record is full. */
static __always_inline struct trace_piece *piece_at(struct room *room, __u32 most)
{
	__u32 at = room->r.bytes;

	if (at > TRACE_ROOM - sizeof(struct trace_piece) - most)
		return NULL;
	return (struct trace_piece *)(room->bytes + at);
}

static __always_inline void piece_end(struct room *room, struct trace_piece *p, __u64 address,
				      __u32 n)
{
	p->address = address;
	p->n = n;
	p->at_exit = room->r.exit_ns != 0;
	p->unused = 0;
	room->r.bytes += sizeof(*p) + ((n + 7) & ~7u);
}

__noinline int add_string(struct room *room, __u64 address, __u32 most)
{
	struct trace_piece *p;
	long got;

	if (!room || !address)
		return 0;
	if (most > STRING_MOST)
		most = STRING_MOST;
	p = piece_at(room, STRING_MOST);
	if (!p)
		return 0;
	got = bpf_probe_read_user_str(p + 1, most, (void *)address);
	if (got > 0)
		piece_end(room, p, address, got);
	else
		room->unread = true;
	return 0;
}

__noinline int add_bytes(struct room *room, __u64 address, __u64 n)
{
	struct trace_piece *p;
	__u32 size = n;

	if (!room || !address || !n)
		return 0;
	if (n > BYTES_MOST)
		size = BYTES_MOST;
	p = piece_at(room, BYTES_MOST);
	if (!p)
		return 0;
	if (!bpf_probe_read_user(p + 1, size, (void *)address))
		piece_end(room, p, address, size);
	else
		room->unread = true;
	return 0;
}

/* The width of a caller's longs and pointers. */
static __always_inline __u32 long_size(struct room *room)
{
	return room->r.abi == TRACE_I386 ? 4 : 8;
}

struct longs {
	__u64 at[8];
};

/* Reads n longs of the caller's width. Checked on its own: inlined into a loop it is more than
 * Linux 6.1 takes. */
__noinline int longs_read(struct room *room, struct longs *to, __u64 address, __u32 n)
{
	__u32 narrow[8] = {};

	if (!room || !to || n > 8)
		return -1;
	if (long_size(room) == 8)
		return bpf_probe_read_user(to, n * 8, (void *)address);
	if (bpf_probe_read_user(narrow, n * 4, (void *)address))
		return -1;
	for (__u32 i = 0; i < 8; i++)
		to->at[i] = narrow[i];
	return 0;
}

/* The vector, and what its elements point to; total: bytes in all. */
__noinline int add_vector(struct room *room, __u64 address, __u64 count, __u64 total)
{
	struct longs element = {};
	__u32 width;

	if (!room)
		return 0;
	width = 2 * long_size(room);
	if (count > VECTOR_MOST)
		count = VECTOR_MOST;
	add_bytes(room, address, count * width);
	for (__u32 i = 0; i < VECTOR_MOST; i++) {
		__u64 n;

		if (i >= count || longs_read(room, &element, address + i * width, 2))
			break;
		n = element.at[1] < total ? element.at[1] : total;
		total -= n;
		add_bytes(room, element.at[0], n > string_size ? string_size : n);
	}
	return 0;
}

__noinline int add_message(struct room *room, __u64 address, __u64 size, __u64 total)
{
	/* struct user_msghdr: name, its length, vector, its count, control, its length, flags */
	struct longs m = {};

	if (!room || longs_read(room, &m, address, 7))
		return 0;
	add_bytes(room, address, size);
	add_bytes(room, m.at[0], (__u32)m.at[1] > 128 ? 128 : (__u32)m.at[1]);
	add_vector(room, m.at[2], m.at[3], total);
	add_bytes(room, m.at[4], m.at[5] > CONTROL_MOST ? CONTROL_MOST : m.at[5]);
	return 0;
}

/* Of a struct mmsghdr: after the message, how many bytes of it were sent or received. */
#define MESSAGE_BYTES_AT(size) ((size) / 8 * 7)

__noinline int add_messages(struct room *room, __u64 address, __u64 count, __u32 size)
{
	__u32 bytes;

	if (!room)
		return 0;
	for (__u32 i = 0; i < MESSAGES_MOST; i++) {
		__u64 at = address + i * size;

		if (i >= count)
			break;
		if (!room->r.exit_ns)
			add_message(room, at, size, ~0ull);
		else if (!bpf_probe_read_user(&bytes, sizeof(bytes),
					      (void *)(at + MESSAGE_BYTES_AT(size))))
			add_message(room, at, size, bytes);
	}
	return 0;
}

/* What a command of the old kind, without size and direction, points to: those of terminals
 * (<asm-generic/ioctls.h>) and sockets (<linux/sockios.h>). 0: nothing that is known. */
static __always_inline __u32 old_ioctl_size(__u32 cmd)
{
	__u32 number = cmd & 255;

	if ((cmd & ~255u) == 0x5400) {
		if (number >= 0x01 && number <= 0x04) /* TCGETS, TCSETS... */
			return 36;
		if (number >= 0x05 && number <= 0x08) /* TCGETA, TCSETA... */
			return 18;
		if (number == 0x13 || number == 0x14 || number == 0x60) /* ...WINSZ, FIOQSIZE */
			return 8;
		if ((number >= 0x0f && number <= 0x11) || (number >= 0x15 && number <= 0x1b) ||
		    number == 0x20 || number == 0x21 || number == 0x23 || number == 0x24 ||
		    number == 0x29 || number == 0x52)
			return 4;
		return 0;
	}
	if ((cmd & ~255u) != 0x8900)
		return 0;
	if (number <= 0x05)
		return 4;
	if (number == 0x06 || number == 0x07 || number == 0x12) /* stamps, SIOCGIFCONF */
		return 16;
	return number >= 0x10 && number <= 0x43 ? 40 : 0; /* struct ifreq */
}

__noinline int add_ioctl(struct room *room, __u64 address, __u32 cmd)
{
	__u32 direction = cmd >> 30, size = cmd >> 16 & 0x3fff;

	if (!room)
		return 0;
	if (!direction)
		return add_bytes(room, address, old_ioctl_size(cmd));
	/* 1: the kernel reads it, 2: the kernel writes it */
	return direction & (room->r.exit_ns ? 2 : 1) ? add_bytes(room, address, size) : 0;
}

/* A structure that has its size in itself. */
__noinline int add_sized(struct room *room, __u64 address, __u32 at)
{
	__u32 size;

	if (!room || bpf_probe_read_user(&size, sizeof(size), (void *)(address + at)))
		return 0;
	return add_bytes(room, address, size ? size : 64);
}

/* A pointer and a length, and the bytes there: the mask of pselect6. */
__noinline int add_mask(struct room *room, __u64 address)
{
	struct longs mask = {};

	if (!room || longs_read(room, &mask, address, 2))
		return 0;
	add_bytes(room, address, 2 * long_size(room));
	return add_bytes(room, mask.at[0], mask.at[1] > 128 ? 128 : mask.at[1]);
}

__noinline int add_strings(struct room *room, __u64 address)
{
	struct longs pointer = {};
	__u32 width;

	if (!room)
		return 0;
	width = long_size(room);
	for (__u32 i = 0; i < WORDS_MOST; i++) {
		if (longs_read(room, &pointer, address + i * width, 1))
			break;
		add_bytes(room, address + i * width, width);
		if (!pointer.at[0])
			break;
		/* one byte more than is shown tells a word that goes on from one that ends there */
		add_string(room, pointer.at[0], string_size + 2);
	}
	return 0;
}

__noinline int copy(struct room *room, __u32 how, __u64 address, __u64 n, __u32 size)
{
	__u32 length;

	if (!room || address < LOWEST)
		return 0;
	switch (how) {
	case TRACE_STRING:
		return add_string(room, address, STRING_MOST);
	case TRACE_BYTES:
		return add_bytes(room, address, n + size);
	case TRACE_FIXED:
		return add_bytes(room, address, size);
	case TRACE_ARRAY:
		return add_bytes(room, address, n > 64 ? 64 * size : n * size);
	case TRACE_IOV:
		return add_vector(room, address, n,
				  room->r.exit_ns ? (__u64)room->r.result : ~0ull);
	case TRACE_MSG:
		return add_message(room, address, size,
				   room->r.exit_ns ? (__u64)room->r.result : ~0ull);
	case TRACE_STRINGS:
		return add_strings(room, address);
	case TRACE_SIZED:
		return add_sized(room, address, size);
	case TRACE_IOCTL:
		return add_ioctl(room, address, n);
	case TRACE_MMSG:
		return add_messages(room, address, n, size);
	case TRACE_MASK:
		return add_mask(room, address);
	case TRACE_SOCKADDR:
		add_bytes(room, n, 4);
		if (!bpf_probe_read_user(&length, sizeof(length), (void *)n))
			add_bytes(room, address, length > 128 ? 128 : length);
		return 0;
	}
	return 0;
}

__noinline int copy_all(struct room *room, struct trace_plan *plan, __u32 at_exit, __u32 failed)
{
	if (!room || !plan)
		return 0;
	for (__u32 i = 0; i < TRACE_STEPS; i++) {
		struct trace_step *s = &plan->steps[i];
		__u32 before = room->r.bytes;
		__u64 n = 0;

		if (i >= plan->n)
			break;
		if (at_exit ? !(failed ? s->failure : s->exit) && !(room->missing & 1 << i)
			    : !s->enter)
			continue;
		if (s->length < 6)
			n = room->r.args[s->length & 7];
		else if (s->length == 6)
			n = room->r.result > 0 ? room->r.result : 0;
		if (s->data && n > string_size)
			n = string_size;
		room->unread = false;
		copy(room, s->how, s->arg < 6 ? room->r.args[s->arg] : 0, n, s->size);
		if (!at_exit && (room->unread || room->r.bytes == before))
			room->missing |= 1 << i;
	}
	return 0;
}

#endif
