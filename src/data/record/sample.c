// SPDX-License-Identifier: MIT
/*
 * Samples and counter values: the records whose fields follow from the event's attribute.
 */
#include "data/record/record_table.h"

const uint64_t *sample_words(struct cursor *c, uint64_t n, struct buf *scratch)
{
	const uint8_t *p;
	uint64_t *copy;

	if (n > cursor_left(c) / 8) {
		c->bad = true;
		return NULL;
	}
	p = cursor_bytes(c, n * 8);
	if (!c->swap && !((uintptr_t)p & 7))
		return (const uint64_t *)p;
	/* record_decode has reserved room for the whole record, so scratch does not move */
	if (n || !scratch->at) /* the result is not NULL even for no words */
		buf_reserve(scratch, n * 8 + !n);
	copy = (uint64_t *)(scratch->at + scratch->n);
	scratch->n += n * 8;
	memcpy(copy, p, n * 8);
	if (c->swap)
		for (uint64_t i = 0; i < n; i++)
			copy[i] = __builtin_bswap64(copy[i]);
	return copy;
}

int sample_read_decode(struct cursor *c, uint64_t format, struct buf *scratch,
		       struct sample_read *read)
{
	uint32_t stride = 1 + !!(format & READ_ID) + !!(format & READ_LOST);

	*read = (struct sample_read){.format = format, .nr = 1, .stride = stride};
	if (format & READ_GROUP) {
		read->nr = cursor_u64(c);
		if (format & READ_TOTAL_TIME_ENABLED)
			read->time_enabled = cursor_u64(c);
		if (format & READ_TOTAL_TIME_RUNNING)
			read->time_running = cursor_u64(c);
		if (read->nr > cursor_left(c) / (8 * stride))
			c->bad = true;
		else
			read->values = sample_words(c, read->nr * stride, scratch);
	} else {
		/* the value comes before the times, its id after them: copied next to each other */
		uint64_t *one;

		buf_reserve(scratch, 24);
		one = (uint64_t *)(scratch->at + scratch->n);
		scratch->n += 24;
		read->values = one;
		*one++ = cursor_u64(c);
		if (format & READ_TOTAL_TIME_ENABLED)
			read->time_enabled = cursor_u64(c);
		if (format & READ_TOTAL_TIME_RUNNING)
			read->time_running = cursor_u64(c);
		if (format & READ_ID)
			*one++ = cursor_u64(c);
		if (format & READ_LOST)
			*one = cursor_u64(c);
	}
	return c->bad ? -1 : 0;
}

/*
 * The flags of a branch are bit fields, which a big-endian machine lays out from the highest bit:
 * widths in order of declaration.
 */
static uint64_t branch_flags_of_other_order(uint64_t recorded)
{
	static const uint8_t widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3, 31};
	uint64_t flags = 0;
	unsigned int at = 0;

	for (size_t i = 0; i < sizeof(widths); i++) {
		uint64_t field = recorded >> (64 - at - widths[i]) & ((1ull << widths[i]) - 1);

		flags |= field << at;
		at += widths[i];
	}
	return flags;
}

static void decode_branches(struct cursor *c, const struct attr *attr, struct buf *scratch,
			    struct sample *s)
{
	uint64_t *w;

	s->branch_nr = cursor_u64(c);
	if (attr->branch_sample_type & BRANCH_HW_INDEX) {
		s->branch_hw_idx = cursor_u64(c);
		s->branch_has_hw_idx = true;
	}
	if (s->branch_nr > cursor_left(c) / sizeof(struct branch_entry)) {
		c->bad = true;
		return;
	}
	w = (uint64_t *)sample_words(c, s->branch_nr * 3, scratch);
	s->branches = (const struct branch_entry *)w;
	if (c->swap)
		for (uint64_t i = 0; i < s->branch_nr; i++)
			w[3 * i + 2] = branch_flags_of_other_order(w[3 * i + 2]);
	if (attr->branch_sample_type & BRANCH_COUNTERS)
		s->branch_counters = sample_words(c, s->branch_nr, scratch);
}

static void decode_regs(struct cursor *c, uint64_t mask, struct buf *scratch,
			struct sample_regs *regs)
{
	regs->abi = cursor_u64(c);
	regs->mask = mask;
	if (regs->abi)
		regs->regs = sample_words(c, (uint64_t)__builtin_popcountll(mask), scratch);
}

static void decode_callchain(struct cursor *c, struct buf *scratch, struct sample *s)
{
	s->callchain_nr = cursor_u64(c);
	s->callchain = sample_words(c, s->callchain_nr, scratch);
	if (!s->callchain)
		s->callchain_nr = 0;
}

static void decode_raw(struct cursor *c, struct sample *s)
{
	s->raw_size = cursor_u32(c);
	s->raw = cursor_bytes(c, s->raw_size);
	if (!s->raw)
		s->raw_size = 0;
}

static void decode_user_stack(struct cursor *c, struct sample *s)
{
	s->user_stack_size = cursor_u64(c);
	s->user_stack = cursor_bytes(c, s->user_stack_size);
	if (!s->user_stack_size)
		return;
	s->user_stack_dyn = cursor_u64(c);
	if (s->user_stack_dyn > s->user_stack_size)
		s->user_stack_dyn = s->user_stack_size;
}

static void decode_weight(struct cursor *c, uint64_t type, struct sample *s)
{
	s->weight = cursor_u64(c);
	if (type & SAMPLE_WEIGHT_STRUCT) {
		s->weight1 = (uint32_t)s->weight;
		s->weight2 = (uint16_t)(s->weight >> 32);
		s->weight3 = (uint16_t)(s->weight >> 48);
	}
}

/* The fields of fixed size that come first in every sample. */
static void decode_head(struct cursor *c, uint64_t type, struct sample *s)
{
	if (type & SAMPLE_IDENTIFIER)
		s->id = cursor_u64(c);
	if (type & SAMPLE_IP)
		s->ip = cursor_u64(c);
	if (type & SAMPLE_TID) {
		s->pid = cursor_u32(c);
		s->tid = cursor_u32(c);
	}
	if (type & SAMPLE_TIME)
		s->time = cursor_u64(c);
	if (type & SAMPLE_ADDR)
		s->addr = cursor_u64(c);
	if (type & SAMPLE_ID)
		s->id = cursor_u64(c);
	if (type & SAMPLE_STREAM_ID)
		s->stream_id = cursor_u64(c);
	if (type & SAMPLE_CPU) {
		s->cpu = cursor_u32(c);
		cursor_skip(c, 4);
	}
	if (type & SAMPLE_PERIOD)
		s->period = cursor_u64(c);
}

static void decode_tail(struct cursor *c, const struct attr *attr, struct buf *scratch,
			struct sample *s)
{
	uint64_t type = attr->sample_type;

	if (type & SAMPLE_BRANCH_STACK)
		decode_branches(c, attr, scratch, s);
	if (type & SAMPLE_REGS_USER)
		decode_regs(c, attr->sample_regs_user, scratch, &s->user_regs);
	if (type & SAMPLE_STACK_USER)
		decode_user_stack(c, s);
	if (type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT))
		decode_weight(c, type, s);
	if (type & SAMPLE_DATA_SRC)
		s->data_src = cursor_u64(c);
	if (type & SAMPLE_TRANSACTION)
		s->transaction = cursor_u64(c);
	if (type & SAMPLE_REGS_INTR)
		decode_regs(c, attr->sample_regs_intr, scratch, &s->intr_regs);
	if (type & SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor_u64(c);
	if (type & SAMPLE_CGROUP)
		s->cgroup = cursor_u64(c);
	if (type & SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cursor_u64(c);
	if (type & SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cursor_u64(c);
	if (type & SAMPLE_AUX) {
		s->aux_size = cursor_u64(c);
		s->aux = cursor_bytes(c, s->aux_size);
	}
}

int sample_decode(struct cursor *c, const struct event *ev, struct buf *scratch, struct sample *s)
{
	uint64_t type = ev->attr.sample_type;

	s->type = type;
	s->period = ev->attr.sample_period;
	decode_head(c, type, s);
	if (type & SAMPLE_READ)
		sample_read_decode(c, ev->attr.read_format, scratch, &s->read);
	if (c->bad)
		return -1;
	if (type & SAMPLE_CALLCHAIN)
		decode_callchain(c, scratch, s);
	if (type & SAMPLE_RAW)
		decode_raw(c, s);
	if (!c->bad && type >= SAMPLE_BRANCH_STACK)
		decode_tail(c, &ev->attr, scratch, s);
	return c->bad ? -1 : 0;
}

static void put_u32_pair(struct buf *out, uint32_t a, uint32_t b)
{
	buf_u32(out, a);
	buf_u32(out, b);
}

void sample_read_encode(const struct sample_read *read, struct buf *out)
{
	bool group = read->format & READ_GROUP;

	buf_u64(out, group ? read->nr : read->values[0]);
	if (read->format & READ_TOTAL_TIME_ENABLED)
		buf_u64(out, read->time_enabled);
	if (read->format & READ_TOTAL_TIME_RUNNING)
		buf_u64(out, read->time_running);
	if (group)
		buf_add(out, read->values, read->nr * read->stride * 8);
	else
		buf_add(out, read->values + 1, (read->stride - 1) * 8);
}

static void encode_regs(const struct sample_regs *regs, struct buf *out)
{
	buf_u64(out, regs->abi);
	if (regs->abi)
		buf_add(out, regs->regs, 8 * (size_t)__builtin_popcountll(regs->mask));
}

static void encode_tail(const struct sample *s, uint64_t type, struct buf *out)
{
	if (type & SAMPLE_BRANCH_STACK) {
		buf_u64(out, s->branch_nr);
		if (s->branch_has_hw_idx)
			buf_u64(out, s->branch_hw_idx);
		buf_add(out, s->branches, s->branch_nr * sizeof(*s->branches));
		if (s->branch_counters)
			buf_add(out, s->branch_counters, s->branch_nr * 8);
	}
	if (type & SAMPLE_REGS_USER)
		encode_regs(&s->user_regs, out);
	if (type & SAMPLE_STACK_USER) {
		buf_u64(out, s->user_stack_size);
		buf_add(out, s->user_stack, s->user_stack_size);
		if (s->user_stack_size)
			buf_u64(out, s->user_stack_dyn);
	}
	if (type & SAMPLE_WEIGHT_STRUCT)
		buf_u64(out, s->weight1 | (uint64_t)s->weight2 << 32 | (uint64_t)s->weight3 << 48);
	else if (type & SAMPLE_WEIGHT)
		buf_u64(out, s->weight);
	if (type & SAMPLE_DATA_SRC)
		buf_u64(out, s->data_src);
	if (type & SAMPLE_TRANSACTION)
		buf_u64(out, s->transaction);
	if (type & SAMPLE_REGS_INTR)
		encode_regs(&s->intr_regs, out);
	if (type & SAMPLE_PHYS_ADDR)
		buf_u64(out, s->phys_addr);
	if (type & SAMPLE_CGROUP)
		buf_u64(out, s->cgroup);
	if (type & SAMPLE_DATA_PAGE_SIZE)
		buf_u64(out, s->data_page_size);
	if (type & SAMPLE_CODE_PAGE_SIZE)
		buf_u64(out, s->code_page_size);
	if (type & SAMPLE_AUX) {
		buf_u64(out, s->aux_size);
		buf_add(out, s->aux, s->aux_size);
	}
}

void sample_encode(const struct sample *s, struct buf *out)
{
	uint64_t type = s->type;

	if (type & SAMPLE_IDENTIFIER)
		buf_u64(out, s->id);
	if (type & SAMPLE_IP)
		buf_u64(out, s->ip);
	if (type & SAMPLE_TID)
		put_u32_pair(out, s->pid, s->tid);
	if (type & SAMPLE_TIME)
		buf_u64(out, s->time);
	if (type & SAMPLE_ADDR)
		buf_u64(out, s->addr);
	if (type & SAMPLE_ID)
		buf_u64(out, s->id);
	if (type & SAMPLE_STREAM_ID)
		buf_u64(out, s->stream_id);
	if (type & SAMPLE_CPU)
		put_u32_pair(out, s->cpu, 0);
	if (type & SAMPLE_PERIOD)
		buf_u64(out, s->period);
	if (type & SAMPLE_READ)
		sample_read_encode(&s->read, out);
	if (type & SAMPLE_CALLCHAIN) {
		buf_u64(out, s->callchain_nr);
		buf_add(out, s->callchain, s->callchain_nr * 8);
	}
	if (type & SAMPLE_RAW) {
		buf_add(out, &s->raw_size, sizeof(s->raw_size));
		buf_add(out, s->raw, s->raw_size);
		buf_fill(out, 0, -(s->raw_size + 4) & 7);
	}
	encode_tail(s, type, out);
}

uint8_t chain_context_mode(uint64_t word)
{
	switch (word) {
	case CONTEXT_HV:
		return MISC_HYPERVISOR;
	case CONTEXT_KERNEL:
		return MISC_KERNEL;
	case CONTEXT_USER:
		return MISC_USER;
	default:
		return 0;
	}
}

bool raw_chain_next(struct raw_chain *w, uint64_t *ip)
{
	for (; w->at < w->n; w->at++) {
		*ip = w->words[w->at];
		if (*ip == CONTEXT_USER_DEFERRED)
			return false; /* a cookie follows */
		if (*ip < CONTEXT_MAX) {
			w->at++;
			return true;
		}
		w->mode = chain_context_mode(*ip);
	}
	return false;
}
