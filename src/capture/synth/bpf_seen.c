// SPDX-License-Identifier: MIT
#include "capture/synth/bpf_seen.h"

#include "data/record/record.h"

#define EVENT_LOAD 1 /* PERF_BPF_EVENT_PROG_LOAD */

/* The number of entries in a payload. */
static uint32_t payload_count(const struct buf *b)
{
	uint32_t n = 0;

	if (b->n)
		memcpy(&n, b->at, sizeof(n));
	return n;
}

/* Counts one entry more. The payload begins with the first. */
static void payload_count_one(struct buf *b)
{
	const uint32_t n = payload_count(b) + 1;

	if (!b->n)
		buf_u32(b, 0);
	memcpy(b->at, &n, sizeof(n));
}

static void bpf_seen_add_types(struct bpf_seen *s, uint32_t id)
{
	uint32_t *known = id ? idmap_put(&s->types, id) : NULL;
	AUTO_BUF bytes = {0};

	if (!known || *known != HASH_NONE)
		return;
	*known = 0;
	if (!bpf_types_copy(id, &bytes))
		return;
	if (s->btfs.n + bytes.n > BPF_SEEN_BYTES_MOST) {
		s->types_left_out++;
		return;
	}
	payload_count_one(&s->btfs);
	buf_u32(&s->btfs, id);
	buf_u32(&s->btfs, (uint32_t)bytes.n);
	buf_add(&s->btfs, bytes.at, bytes.n);
}

void bpf_seen_put(struct bpf_seen *s, const struct bpf_prog_copy *copy)
{
	if (s->infos.n + copy->data.n > BPF_SEEN_BYTES_MOST) {
		s->programs_left_out++;
		return;
	}
	payload_count_one(&s->infos);
	buf_u32(&s->infos, sizeof(copy->info));
	buf_u32(&s->infos, (uint32_t)copy->data.n);
	buf_add(&s->infos, &copy->arrays, sizeof(copy->arrays));
	buf_add(&s->infos, copy->info, sizeof(copy->info));
	buf_add(&s->infos, copy->data.at, copy->data.n);
	bpf_seen_add_types(s, copy->btf_id);
}

static void bpf_seen_add(struct bpf_seen *s, uint32_t id)
{
	uint32_t *known = idmap_put(&s->programs, id);
	struct bpf_prog_copy copy;

	s->newest = MAX(s->newest, id);
	if (*known != HASH_NONE)
		return;
	*known = 0;
	if (!bpf_prog_copy(id, &copy))
		return;
	bpf_seen_put(s, &copy);
	bpf_prog_copy_release(&copy);
}

void bpf_seen_add_new(struct bpf_seen *s)
{
	for (uint32_t id = s->newest; (id = bpf_prog_next(id)) != 0;)
		bpf_seen_add(s, id);
}

void bpf_seen_see(struct bpf_seen *s, const uint8_t *p)
{
	struct record_header h;
	uint16_t type;
	uint32_t id;

	/* { header, type u16, flags u16, id u32, tag } */
	memcpy(&h, p, sizeof(h));
	if (h.type != RECORD_BPF_EVENT || h.size < 24)
		return;
	memcpy(&type, p + 8, sizeof(type));
	memcpy(&id, p + 12, sizeof(id));
	if (type == EVENT_LOAD)
		bpf_seen_add(s, id);
}

void bpf_seen_parse(const struct bpf_seen *s, struct bpf_programs *programs)
{
	bpf_programs_parse(programs, cursor_over(s->infos.at, s->infos.n, false),
			   cursor_over(s->btfs.at, s->btfs.n, false));
}

static int payload_send(const struct buf *b, struct sink *sink, enum feature f, struct err *err)
{
	const uint32_t none = 0;

	return b->n ? sink_feature(sink, f, b->at, b->n, err)
		    : sink_feature(sink, f, &none, sizeof(none), err);
}

int bpf_seen_send(struct bpf_seen *s, struct sink *sink, struct err *err)
{
	const uint32_t n = payload_count(&s->infos);

	if (s->any_told && n == s->told)
		return 0;
	s->any_told = true;
	s->told = n;
	/* types first: a reader of a pipe may name functions when it meets the programs */
	return payload_send(&s->btfs, sink, FEATURE_BPF_BTF, err) ||
			       payload_send(&s->infos, sink, FEATURE_BPF_PROG_INFO, err)
		       ? -1
		       : 0;
}

void bpf_seen_release(struct bpf_seen *s)
{
	idmap_release(&s->programs);
	idmap_release(&s->types);
	buf_release(&s->infos);
	buf_release(&s->btfs);
	*s = (struct bpf_seen){0};
}
