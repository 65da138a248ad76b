/* SPDX-License-Identifier: MIT */
/* All bytes that a call has read or written, sent in parts before its own record (--buffers).
 * Included by trace.bpf.c. */
#ifndef BPF_TRACE_DUMPS_H
#define BPF_TRACE_DUMPS_H

/* Bytes of a call that are sent in parts: what is left of a buffer, of the vector behind it, and of
 * the messages behind that. */
struct dump {
	__u64 address, n, offset;
	__u64 vector, count, elements;
	__u64 left; /* of the call's bytes, or of a message's */
	__u64 messages, message;
	__u64 exit_ns;
	__u32 element, pid, tid, in_vector, number; /* number: of the message, from 1 on */
};

struct part {
	struct trace_record r;
	__u8 bytes[];
};

/* Sends a part of n bytes, at most most, which is a constant. */
static __always_inline void part_send(struct dump *d, __u32 n, const __u32 most)
{
	struct part *p = bpf_ringbuf_reserve(&ring, sizeof(*p) + most, 0);

	if (!p) {
		__sync_fetch_and_add(&lost_parts, 1);
		return;
	}
	__builtin_memset(&p->r, 0, sizeof(p->r));
	p->r.what = TRACE_DATA;
	p->r.number = d->element;
	p->r.pid = d->pid;
	p->r.tid = d->tid;
	p->r.enter_ns = p->r.exit_ns = d->exit_ns;
	p->r.args[0] = d->offset;
	p->r.args[1] = d->offset + d->n;
	p->r.args[2] = n;
	p->r.args[3] = d->in_vector;
	p->r.args[4] = d->number;
	p->r.args[5] = d->elements;
	if (n && n <= most && !bpf_probe_read_user(p->bytes, n, (void *)d->address))
		p->r.bytes = n;
	bpf_ringbuf_submit(p, wake_flags());
}

/* Turns to the next message; 1: there is none. */
static __always_inline long dump_next_message(struct dump *d)
{
	__u64 m[4];
	__u32 bytes;

	if (!d->messages || bpf_probe_read_user(m, sizeof(m), (void *)d->message) ||
	    bpf_probe_read_user(&bytes, sizeof(bytes), (void *)(d->message + MESSAGE_BYTES_AT(64))))
		return 1;
	d->messages--;
	d->message += 64;
	d->vector = m[2];
	d->count = d->elements = m[3];
	d->left = bytes;
	d->element = -1u;
	d->offset = 0;
	d->number++;
	part_send(d, 0, 128);
	return 0;
}

static long dump_next(__u32 i, struct dump *d)
{
	__u64 element[2];
	__u32 n;

	if (!d->n) {
		if (!d->count || !d->left)
			return dump_next_message(d);
		if (bpf_probe_read_user(element, sizeof(element), (void *)d->vector))
			return 1;
		d->vector += sizeof(element);
		d->count--;
		d->address = element[0];
		d->n = element[1] < d->left ? element[1] : d->left;
		d->left -= d->n;
		d->offset = 0;
		d->element++;
		return 0;
	}
	n = d->n < TRACE_PART ? d->n : TRACE_PART;
	if (n <= 128)
		part_send(d, n, 128);
	else
		part_send(d, n, TRACE_PART);
	d->address += n;
	d->offset += n;
	d->n -= n;
	return 0;
}

/* Sends all that a call has read or written. */
__noinline int dump_send(struct room *room, __u32 how, __u32 arg)
{
	__u64 m[4]; /* the beginning of a struct user_msghdr: its vector and count at the end */
	struct dump d = {.element = -1u, .in_vector = how != TRACE_BYTES};

	if (!room || arg >= 5)
		return 0;
	d.pid = room->r.pid;
	d.tid = room->r.tid;
	d.exit_ns = room->r.exit_ns;
	d.left = room->r.result;
	if (how == TRACE_BYTES) {
		d.address = room->r.args[arg];
		d.n = room->r.args[arg + 1] < d.left ? room->r.args[arg + 1] : d.left;
		d.element = 0;
	} else if (how == TRACE_IOV) {
		d.vector = room->r.args[arg];
		d.count = room->r.args[arg + 1];
	} else if (how == TRACE_MMSG) {
		d.message = room->r.args[arg];
		d.messages = room->r.result;
	} else {
		if (bpf_probe_read_user(m, sizeof(m), (void *)room->r.args[arg]))
			return 0;
		d.vector = m[2];
		d.count = m[3];
	}
	bpf_loop(1 << 23, dump_next, &d, 0);
	return 0;
}

static __always_inline bool is_dumped(__u64 fd)
{
	return (__u32)fd < TRACE_FDS ? dump_fds[(__u32)fd & (TRACE_FDS - 1)] : dump_others;
}

#endif
