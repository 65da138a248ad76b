/* SPDX-License-Identifier: MIT */
/* Recordings made in memory, record by record, and what is read of them. */
#ifndef TESTS_UNIT_RECORDINGS_H
#define TESTS_UNIT_RECORDINGS_H

#include "unit.h"

#include "data/recording.h"

#define BASIC (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD)

static inline struct attr attr_of(uint64_t sample_type)
{
	return (struct attr){.type = TYPE_SOFTWARE, .size = ATTR_SIZE_6_1, .sample_period = 7,
			     .sample_type = sample_type, .flags = ATTR_SAMPLE_ID_ALL};
}

static inline void put(struct buf *b, const void *p, size_t n)
{
	buf_add(b, p, n);
}
static inline void put32(struct buf *b, uint32_t v)
{
	put(b, &v, 4);
}
static inline void put64(struct buf *b, uint64_t v)
{
	put(b, &v, 8);
}

/* Records are gathered in a buf of their own, then made into a file or a pipe. */
static inline void put_record(struct buf *b, const struct attr *a, struct record r)
{
	assert_int_equal(record_encode(&r, a->sample_type, a->flags & ATTR_SAMPLE_ID_ALL, b), 0);
}

static inline void put_sample(struct buf *b, const struct attr *a, uint64_t time, uint64_t ip)
{
	struct record r = {.header.type = RECORD_SAMPLE, .header.misc = MISC_USER};

	r.sample = (struct sample){.type = a->sample_type, .ip = ip, .pid = 10, .tid = 11,
				   .time = time, .cpu = 3, .period = 5};
	put_record(b, a, r);
}

static inline void put_comm(struct buf *b, const struct attr *a, uint64_t time, const char *comm)
{
	struct record r = {.header.type = RECORD_COMM, .id = {.time = time, .pid = 10, .tid = 11}};

	r.comm = (struct rec_comm){.pid = 10, .tid = 11, .comm = comm};
	put_record(b, a, r);
}

static inline void put_empty(struct buf *b, uint32_t type)
{
	struct record r = {.header.type = type};

	put_record(b, &(struct attr){0}, r);
}

static inline struct buf make_file(const struct attr *attrs, size_t n, const struct buf *data)
{
	struct buf b = {0};
	uint64_t at = 104 + n * (ATTR_SIZE_6_1 + 16);

	put(&b, "PERFILE2", 8);
	put64(&b, 104);
	put64(&b, ATTR_SIZE_6_1 + 16);
	put64(&b, 104);
	put64(&b, n * (ATTR_SIZE_6_1 + 16));
	put64(&b, at + 8 * n);
	put64(&b, data->n);
	for (int i = 0; i < 6; i++)
		put64(&b, 0);
	for (size_t i = 0; i < n; i++) {
		put(&b, &attrs[i], ATTR_SIZE_6_1);
		put64(&b, at + 8 * i);
		put64(&b, 8);
	}
	for (size_t i = 0; i < n; i++)
		put64(&b, 100 + i);
	put(&b, data->at, data->n);
	return b;
}

static inline struct buf make_pipe(const struct attr *a, const struct buf *data)
{
	struct buf b = {0};

	put(&b, "PERFILE2", 8);
	put64(&b, 16);
	put32(&b, RECORD_HEADER_ATTR);
	put32(&b, (8 + ATTR_SIZE_6_1 + 8) << 16);
	put(&b, a, ATTR_SIZE_6_1);
	put64(&b, 100);
	put(&b, data->at, data->n);
	return b;
}

/* The ips of samples and first letters of comms, as they are delivered. */
static inline void read_order(struct recording *rec, enum source_mode mode, struct buf *out)
{
	struct err e = {0};
	AUTO(source) *src = source_open(rec, &(struct source_options){.mode = mode}, &e);
	struct record r;

	assert_non_null(src);
	buf_clear(out);
	while (source_next(src, &r, &e) > 0)
		if (r.header.type == RECORD_SAMPLE)
			buf_printf(out, "%llu ", (unsigned long long)r.sample.ip);
		else if (r.header.type == RECORD_COMM)
			buf_printf(out, "%c ", r.comm.comm[0]);
}

static inline struct recording *open_bytes(const struct buf *b)
{
	struct err e = {0};
	struct recording *rec = recording_open_memory(b->at, b->n, &e);

	if (!rec)
		fail_msg("%s", e.text);
	return rec;
}

#endif
