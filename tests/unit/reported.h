/* SPDX-License-Identifier: MIT */
/* A recording of two threads and three functions of the kernel, and the table that is made of it.
 */
#ifndef TESTS_UNIT_REPORTED_H
#define TESTS_UNIT_REPORTED_H

#include "unit.h"

#include "data/sink.h"
#include "profile/samples/read.h"
#include "view/report/report.h"

#include <stdio.h>

#define BASE 0xffffffffc0000000ull /* where the recording's kernel symbols lie, 0x1000 each */

struct fixture {
	struct event_set set;
	struct buf bytes, text;
	struct sink *sink;
	struct recording *rec;
	struct world *world;
	struct samples *samples;
	struct table *table;
	struct report_view view;
	struct calltree_params tree;
	uint64_t time;
	unsigned int workers; /* 0: read in order, by one */
};

static inline void add_event(struct fixture *f, const char *name, uint64_t config, bool chains)
{
	struct event *ev = event_set_add(&f->set, name);

	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .size = ATTR_SIZE_6_1,
				 .config = config,
				 .sample_period = 1000,
				 .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU |
						SAMPLE_PERIOD | SAMPLE_IDENTIFIER |
						(chains ? SAMPLE_CALLCHAIN : 0),
				 .flags = ATTR_SAMPLE_ID_ALL | ATTR_COMM | ATTR_EXCLUDE_GUEST};
	event_set_add_id(&f->set, ev, 40 + ev->index);
}

static inline void put(struct fixture *f, struct record *r)
{
	struct err e = {0};

	r->id = (struct record_id){.has = SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_IDENTIFIER,
				   .time = ++f->time,
				   .id = 40};
	r->event = f->set.events.at[0];
	if (sink_put_record(f->sink, r, &e))
		fail_msg("%s", e.text);
}

static inline void put_comm(struct fixture *f, uint32_t tid, const char *comm)
{
	struct record r = {.header = {.type = RECORD_COMM},
			   .comm = {.pid = tid, .tid = tid, .comm = comm}};

	put(f, &r);
}

static inline void put_symbol(struct fixture *f, unsigned int i, const char *name)
{
	struct record r = {
		.header = {.type = RECORD_KSYMBOL},
		.ksymbol = {
			.addr = BASE + i * 0x1000, .len = 0x1000, .ksym_type = 1, .name = name}};

	put(f, &r);
}

struct taken_sample {
	struct record_header h;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, zero;
	uint64_t period;
};

static inline void put_sample(struct fixture *f, unsigned int event, uint32_t tid, uint64_t ip,
			      uint64_t period)
{
	struct taken_sample s = {{RECORD_SAMPLE, MISC_KERNEL, sizeof(s)},
				 40 + event,
				 ip,
				 tid,
				 tid,
				 ++f->time,
				 tid % 4,
				 0,
				 period};
	struct err e = {0};

	assert_int_equal(sink_put(f->sink, &s, sizeof(s), NULL, 0, &e), 0);
}

/* frames: the sampled function first; each is an index of a symbol. */
static inline void put_chain(struct fixture *f, uint32_t tid, uint64_t period, const char *frames)
{
	struct {
		struct taken_sample s;
		uint64_t nr, ips[16];
	} r = {.s = {{RECORD_SAMPLE, MISC_KERNEL, 0}, 40, 0, tid, tid, ++f->time, 0, 0, period}};
	struct err e = {0};

	r.ips[r.nr++] = CONTEXT_KERNEL;
	for (; *frames; frames++)
		r.ips[r.nr++] = BASE + (uint64_t)(*frames - '0') * 0x1000 + 0x10;
	r.s.ip = r.ips[1];
	r.s.h.size = (uint16_t)(sizeof(r.s) + 8 + r.nr * 8);
	assert_int_equal(sink_put(f->sink, &r, r.s.h.size, NULL, 0, &e), 0);
}

static inline struct fixture *begin(unsigned int events, bool chains)
{
	static const char *const names[] = {"cpu-clock", "page-faults"};
	struct fixture *f = NEW(struct fixture);
	struct err e = {0};

	for (unsigned int i = 0; i < events; i++)
		add_event(f, names[i], i ? 2 : 0, chains);
	f->sink = sink_open_memory(false, &f->bytes);
	if (sink_begin(f->sink, &f->set, &e))
		fail_msg("%s", e.text);
	put_symbol(f, 0, "alpha");
	put_symbol(f, 1, "beta");
	put_symbol(f, 2, "gamma");
	put_comm(f, 1, "one");
	put_comm(f, 2, "two");
	return f;
}

/* What the table asks of samples. Filled anew by each call. */
static inline const struct samples_options *asked(const struct table *t)
{
	static struct samples_options wanted;

	wanted = (struct samples_options){
		.filter = t->opts.filter, .max_stack = 127, .keep_outer = t->opts.caller_order};
	table_ask(t, &wanted);
	return &wanted;
}

/* Reads the recording anew and makes the table; empty keys: the default. */
static inline void make_table(struct fixture *f, struct table_options *o, const char *sort)
{
	struct symbol_options symbols = {.no_live = true};
	struct samples_reading how = {.parallel_from = f->workers ? 0 : UINT64_MAX,
				      .threads = f->workers};
	struct err e = {0};

	if (f->sink) {
		assert_int_equal(sink_end(f->sink, &e), 0);
		sink_free(f->sink);
		f->sink = NULL;
	}
	recording_free(f->rec);
	f->rec = recording_open_memory(f->bytes.at, f->bytes.n, &e);
	assert_non_null(f->rec);
	if (o->group) {
		f->rec->m.events.events.at[0]->members = 2;
		f->rec->m.events.events.at[1]->leader = 0;
	}
	o->filter.socket = -1;
	o->layout.sort = sort;
	o->layout.default_sort = "comm,dso,symbol";
	o->layout.children = o->children;
	f->world = world_of_recording(f->rec, &symbols);
	f->table = table_new(o, &e);
	if (!f->table)
		fail_msg("%s", e.text);
	f->samples = samples_new(&f->rec->m, f->world, asked(f->table));
	assert_int_equal(samples_read(f->samples, f->rec, &how, &e), 0);
	samples_settle(f->samples);
	assert_int_equal(table_make(f->table, f->samples, &e), 0);
}

static inline void forget_table(struct fixture *f)
{
	table_free(f->table);
	samples_free(f->samples);
	world_free(f->world);
}

/* What report prints with these options. */
static inline const char *shown(struct fixture *f, struct table_options *o, const char *sort)
{
	struct out out = {.fd = -1};

	make_table(f, o, sort);
	calltree_params_default(&f->tree, o->children);
	f->view.table = f->table;
	f->view.sort = sort;
	f->view.tree = o->chains ? &f->tree : NULL;
	f->view.skip_empty = true;
	assert_true(report_show(&f->view, &out));
	buf_clear(&f->text);
	buf_add(&f->text, out.buf.at, out.buf.n);
	buf_release(&out.buf);
	forget_table(f);
	return buf_text(&f->text);
}

static inline void end(struct fixture *f)
{
	recording_free(f->rec);
	sink_free(f->sink);
	event_set_release(&f->set);
	buf_release(&f->bytes);
	buf_release(&f->text);
	free(f);
}

#endif
