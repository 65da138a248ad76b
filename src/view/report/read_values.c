// SPDX-License-Identifier: MIT
#include "view/report/read_values.h"

struct thread_id {
	uint32_t pid, tid;
};

void read_values_add(struct read_values *v, const struct record *r)
{
	struct thread_id id = {r->read.pid, r->read.tid};
	uint32_t thread, counter, *at;

	if (r->header.type != RECORD_READ || !r->event || !r->read.read.nr)
		return;
	thread = intern_put(&v->threads, &id, sizeof(id));
	counter = intern_str(&v->counters, r->event->name);
	at = idmap_put(&v->at, (uint64_t)thread << 32 | counter);
	if (*at == HASH_NONE) {
		*at = (uint32_t)v->values.n;
		vec_add(&v->values, 0);
	}
	v->values.at[*at] += r->read.read.values[0];
}

static uint64_t read_values_value_of(const struct read_values *v, uint32_t thread, uint32_t counter)
{
	uint32_t at = idmap_find(&v->at, (uint64_t)thread << 32 | counter);

	return at == HASH_NONE ? 0 : v->values.at[at];
}

static size_t digits(uint64_t n)
{
	size_t d = 1;

	while (n /= 10)
		d++;
	return d;
}

struct widths {
	size_t pid, tid, name, value;
	VEC(size_t) counters;
};

static void measure(const struct read_values *v, struct widths *w)
{
	w->pid = w->tid = 3;
	w->name = 4;
	w->value = 3;
	for (uint32_t t = 0; t < v->threads.entries.n; t++) {
		const struct thread_id *id = v->threads.entries.at[t].p;

		w->pid = MAX(w->pid, digits(id->pid));
		w->tid = MAX(w->tid, digits(id->tid));
	}
	for (uint32_t c = 0; c < v->counters.entries.n; c++) {
		size_t width = strlen(intern_text(&v->counters, c));

		w->name = MAX(w->name, width);
		for (uint32_t t = 0; t < v->threads.entries.n; t++) {
			size_t wide = digits(read_values_value_of(v, t, c));

			width = MAX(width, wide);
			w->value = MAX(w->value, wide);
		}
		vec_add(&w->counters, width);
	}
}

static void read_values_show_table(const struct read_values *v, const struct widths *w,
				   struct buf *b)
{
	buf_str(b, "# ");
	buf_right(b, "PID", w->pid);
	buf_str(b, "  ");
	buf_right(b, "TID", w->tid);
	for (uint32_t c = 0; c < v->counters.entries.n; c++) {
		buf_str(b, "  ");
		buf_right(b, intern_text(&v->counters, c), w->counters.at[c]);
	}
	buf_char(b, '\n');
	for (uint32_t t = 0; t < v->threads.entries.n; t++) {
		const struct thread_id *id = v->threads.entries.at[t].p;

		buf_str(b, "  ");
		buf_dec_right(b, id->pid, w->pid);
		buf_str(b, "  ");
		buf_dec_right(b, id->tid, w->tid);
		for (uint32_t c = 0; c < v->counters.entries.n; c++) {
			buf_str(b, "  ");
			buf_dec_right(b, read_values_value_of(v, t, c), w->counters.at[c]);
		}
		buf_char(b, '\n');
	}
}

static void show_raw(const struct read_values *v, const struct widths *w, struct buf *b)
{
	buf_str(b, "# ");
	buf_right(b, "PID", w->pid);
	buf_str(b, "  ");
	buf_right(b, "TID", w->tid);
	buf_str(b, "  ");
	buf_right(b, "Name", w->name);
	buf_str(b, "  ");
	buf_right(b, "Raw", 3);
	buf_str(b, "  ");
	buf_right(b, "Count", w->value);
	buf_char(b, '\n');
	for (uint32_t t = 0; t < v->threads.entries.n; t++)
		for (uint32_t c = 0; c < v->counters.entries.n; c++) {
			const struct thread_id *id = v->threads.entries.at[t].p;

			buf_str(b, "  ");
			buf_dec_right(b, id->pid, w->pid);
			buf_str(b, "  ");
			buf_dec_right(b, id->tid, w->tid);
			buf_str(b, "  ");
			buf_right(b, intern_text(&v->counters, c), w->name);
			buf_str(b, "  ");
			buf_dec_right(b, c, 3);
			buf_str(b, "  ");
			buf_dec_right(b, read_values_value_of(v, t, c), w->value);
			buf_char(b, '\n');
		}
}

void read_values_show(const struct read_values *v, bool raw, struct out *out)
{
	struct widths w = {0};

	measure(v, &w);
	if (raw)
		show_raw(v, &w, &out->buf);
	else
		read_values_show_table(v, &w, &out->buf);
	vec_release(&w.counters);
}

void read_values_release(struct read_values *v)
{
	intern_release(&v->threads);
	intern_release(&v->counters);
	idmap_release(&v->at);
	vec_release(&v->values);
}
