/* SPDX-License-Identifier: MIT */
/* Recordings of tracepoints made in memory: formats, samples with raw data, and their world. */
#ifndef TESTS_UNIT_TRACEPOINTS_H
#define TESTS_UNIT_TRACEPOINTS_H

#include "recordings.h"

#include "world/world.h"

#define TRACED (BASIC | SAMPLE_RAW | SAMPLE_IDENTIFIER)

struct traced {
	struct buf data, bytes;
	struct recording *rec;
	struct world *world;
	uint32_t pid; /* of all threads; 0: each is a process */
};

/* kind: 1 for the first format. The file's first event has id 100. */
static inline void traced_put(struct traced *m, int kind, uint64_t time, uint32_t cpu, uint32_t tid,
			      const void *raw, size_t n)
{
	struct record r = {.header.type = RECORD_SAMPLE, .header.misc = MISC_KERNEL};

	r.sample = (struct sample){.type = TRACED,
				   .id = (uint64_t)kind + 99,
				   .pid = m->pid ? m->pid : tid,
				   .tid = tid,
				   .time = time,
				   .cpu = cpu,
				   .period = 1,
				   .raw = raw,
				   .raw_size = (uint32_t)n};
	assert_int_equal(record_encode(&r, TRACED, true, &m->data), 0);
}

static inline void traced_put_lost(struct traced *m, uint64_t time)
{
	struct record r = {.header.type = RECORD_LOST, .id = {.time = time, .id = 100}};

	r.lost = (struct rec_lost){.id = 100, .lost = 7};
	assert_int_equal(record_encode(&r, TRACED, true, &m->data), 0);
}

/* formats: their texts, of one system. */
static inline void traced_open(struct traced *m, const char *system, const char *const *formats,
			       size_t n)
{
	static const struct symbol_options none;
	struct attr attrs[16];

	assert_true(n <= ARRAY_SIZE(attrs));
	for (size_t i = 0; i < n; i++) {
		attrs[i] = attr_of(TRACED);
		attrs[i].type = TYPE_TRACEPOINT;
		attrs[i].config = i + 1;
	}
	m->bytes = make_file(attrs, n, &m->data);
	m->rec = open_bytes(&m->bytes);
	for (size_t i = 0; i < n; i++) {
		struct tp_format *f = tp_formats_add(&m->rec->m.formats, system, formats[i],
						     strlen(formats[i]), NULL);

		assert_non_null(f);
		m->rec->m.events.events.at[i]->format = f;
		m->rec->m.events.events.at[i]->name =
			arena_printf(&m->rec->m.events.arena, "%s:%s", system, f->name);
	}
	m->world = world_of_recording(m->rec, &none);
}

static inline void traced_close(struct traced *m)
{
	world_free(m->world);
	recording_free(m->rec);
	buf_release(&m->bytes);
	buf_release(&m->data);
}

#endif
