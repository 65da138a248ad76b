/* SPDX-License-Identifier: MIT */
/* Small recordings made in memory, each with its table, whose names come from kernel symbols that
 * they bring along: side_begin -> side_add ... -> side_finish -> side_end. */
#ifndef TESTS_UNIT_SIDES_H
#define TESTS_UNIT_SIDES_H

#include "recordings.h"

#include "profile/samples/read.h"
#include "profile/table/table.h"

#define SIDE_BASE 0xffffffffc0000000ull /* where symbols lie, 0x1000 each */
#define SIDE_TYPE (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD)

struct side {
	struct buf data, file;
	struct attr attr;
	uint64_t time;
	struct recording *rec;
	struct world *world;
	struct samples *samples;
	struct table *table;
};

/* Symbols lie in the order of their names' letters: the same function has another address in each
 * recording. */
static inline void side_begin(struct side *s, const char *names)
{
	memset(s, 0, sizeof(*s));
	s->attr = attr_of(SIDE_TYPE);
	put_comm(&s->data, &s->attr, 0, "prog");
	for (uint64_t i = 0; names[i]; i++) {
		const char name[] = {names[i], 0};
		struct record r = {.header.type = RECORD_KSYMBOL};

		r.ksymbol = (struct rec_ksymbol){.addr = SIDE_BASE + i * 0x1000,
						 .len = 0x1000,
						 .ksym_type = 1,
						 .name = name};
		put_record(&s->data, &s->attr, r);
	}
}

static inline void side_add(struct side *s, unsigned int symbol, uint64_t period,
			    unsigned int times)
{
	while (times--) {
		struct record r = {.header = {.type = RECORD_SAMPLE, .misc = MISC_KERNEL}};

		r.sample = (struct sample){.type = SIDE_TYPE,
					   .ip = SIDE_BASE + symbol * 0x1000 + 0x10,
					   .pid = 10,
					   .tid = 11,
					   .time = ++s->time,
					   .period = period};
		put_record(&s->data, &s->attr, r);
	}
}

static inline const struct table *side_finish(struct side *s, const char *sort, uint64_t quantum)
{
	struct symbol_options symbols = {.no_live = true};
	struct table_options o = {.filter.socket = -1, .layout.default_sort = sort};
	struct samples_options wanted = {.time_quantum = quantum};
	struct samples_reading how = {.parallel_from = UINT64_MAX};
	struct err e = {0};

	s->file = make_file(&s->attr, 1, &s->data);
	s->rec = open_bytes(&s->file);
	s->world = world_of_recording(s->rec, &symbols);
	s->table = table_new(&o, &e);
	if (!s->table)
		fail_msg("%s", e.text);
	table_ask(s->table, &wanted);
	s->samples = samples_new(&s->rec->m, s->world, &wanted);
	assert_int_equal(samples_read(s->samples, s->rec, &how, &e), 0);
	samples_settle(s->samples);
	assert_int_equal(table_make(s->table, s->samples, &e), 0);
	return s->table;
}

static inline void side_end(struct side *s)
{
	table_free(s->table);
	samples_free(s->samples);
	world_free(s->world);
	recording_free(s->rec);
	buf_release(&s->data);
	buf_release(&s->file);
}

#endif
