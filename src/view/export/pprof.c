// SPDX-License-Identifier: MIT
/*
 * pprof's profile.proto, compressed by gzip.
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto (field numbers).
 */
#include "symbol/store/store.h"
#include "view/export/export.h"
#include "view/export/protobuf.h"
#include "view/export/zip.h"

#include <stdlib.h>

/* Fields of messages, by their numbers in profile.proto. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION,
       PROFILE_STRING_TABLE, PROFILE_TIME_NANOS = 9, PROFILE_DURATION_NANOS, PROFILE_COMMENT = 13,
       PROFILE_DEFAULT_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM };
enum {
	MAPPING_ID = 1,
	MAPPING_LIMIT = 3,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS
};
enum { LOCATION_ID = 1, LOCATION_MAPPING_ID, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION_ID = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILENAME };

struct pprof {
	const struct export_input *in;
	const struct stacks *s;
	struct intern strings;
	struct intern locations; /* arrays of frames: the innermost function of an address first */
	struct intern samples;	 /* { thread, locations ... } -> sums */
	VEC(uint64_t) sums;	 /* of each sample, two for each event: samples, weight */
	VEC(uint32_t) events;	 /* events that have samples */
	uint32_t *values_of;	 /* event -> place in .events */
	struct buf out, message, inner;
};

static uint64_t pprof_text_of(struct pprof *p, const char *text)
{
	return intern_str(&p->strings, text);
}

/* A node's locations from the innermost to the outermost: numbers from 1. */
static void put_locations(struct pprof *p, uint32_t node, struct buf *out)
{
	const struct stacks *s = p->s;

	while (node) {
		uint32_t frames[64], n = 0, id;

		for (; node && n < ARRAY_SIZE(frames); node = s->nodes.at[node].parent) {
			frames[n++] = s->nodes.at[node].frame;
			if (!s->frames.at[frames[n - 1]].inlined) {
				node = s->nodes.at[node].parent;
				break;
			}
		}
		id = intern_put(&p->locations, frames, n * sizeof(*frames)) + 1;
		buf_add(out, &id, sizeof(id));
	}
}

static void gather(struct pprof *p)
{
	const struct stacks *s = p->s;
	AUTO_BUF key = {0};

	for (size_t i = 0; i < s->samples.n; i++) {
		const struct stack_sample *x = &s->samples.at[i];
		uint32_t id, place;

		if (p->values_of[x->event] == HASH_NONE) {
			p->values_of[x->event] = (uint32_t)p->events.n;
			vec_add(&p->events, x->event);
		}
		place = p->values_of[x->event];
		buf_clear(&key);
		buf_add(&key, &x->thread, sizeof(x->thread));
		buf_add(&key, &place, sizeof(place));
		put_locations(p, x->node, &key);
		id = intern_put(&p->samples, key.at, key.n);
		while (p->sums.n < 2 * ((size_t)id + 1))
			vec_add(&p->sums, 0);
		p->sums.at[2 * (size_t)id] += x->samples;
		p->sums.at[2 * (size_t)id + 1] += x->weight;
	}
}

static void put_type(struct pprof *p, const char *type, const char *unit)
{
	proto_number(&p->message, TYPE_TYPE, pprof_text_of(p, type));
	proto_number(&p->message, TYPE_UNIT, pprof_text_of(p, unit));
	proto_message(&p->out, PROFILE_SAMPLE_TYPE, &p->message);
}

static void put_types(struct pprof *p)
{
	for (size_t i = 0; i < p->events.n; i++) {
		const struct event *ev = p->in->events->events.at[p->events.at[i]];
		AUTO_BUF unit = {0};
		AUTO_BUF samples = {0};

		stacks_unit(ev, &unit);
		buf_printf(&samples, "samples of %s", ev->name);
		put_type(p, p->events.n == 1 ? "samples" : buf_text(&samples), "count");
		put_type(p, ev->name, strcmp(buf_text(&unit), "ns") ? "count" : "nanoseconds");
	}
}

static void put_label(struct pprof *p, const char *key, const char *text, uint64_t number)
{
	proto_number(&p->inner, LABEL_KEY, pprof_text_of(p, key));
	if (text)
		proto_number(&p->inner, LABEL_STR, pprof_text_of(p, text));
	proto_number(&p->inner, LABEL_NUM, number);
	proto_message(&p->message, SAMPLE_LABEL, &p->inner);
}

static void put_samples(struct pprof *p)
{
	for (uint32_t i = 0; i < p->samples.entries.n; i++) {
		const uint32_t *key = p->samples.entries.at[i].p;
		size_t n = p->samples.entries.at[i].n / sizeof(*key);
		const struct stack_thread *t = &p->s->threads.at[key[0]];

		for (size_t k = 2; k < n; k++)
			proto_varint(&p->inner, key[k]);
		proto_message(&p->message, SAMPLE_LOCATION_ID, &p->inner);
		for (size_t k = 0; k < p->events.n; k++) {
			proto_varint(&p->inner, k == key[1] ? p->sums.at[2 * (size_t)i] : 0);
			proto_varint(&p->inner, k == key[1] ? p->sums.at[2 * (size_t)i + 1] : 0);
		}
		proto_message(&p->message, SAMPLE_VALUE, &p->inner);
		put_label(p, "process", NULL, t->pid);
		put_label(p, "thread", NULL, t->tid);
		put_label(p, "comm", t->comm, 0);
		proto_message(&p->out, PROFILE_SAMPLE, &p->message);
	}
}

static void put_mapping(struct pprof *p, size_t i)
{
	const struct stack_dso *d = &p->s->dsos.at[i];
	char text[41];

	proto_number(&p->message, MAPPING_ID, i + 1);
	proto_number(&p->message, MAPPING_LIMIT, UINT64_MAX);
	proto_number(&p->message, MAPPING_FILENAME,
		     pprof_text_of(p, d->dso ? d->dso->long_name : d->name));
	if (d->dso && d->dso->build_id.size) {
		build_id_text(&d->dso->build_id, text);
		proto_number(&p->message, MAPPING_BUILD_ID, pprof_text_of(p, text));
	}
	proto_number(&p->message, MAPPING_HAS_FUNCTIONS, 1);
	proto_message(&p->out, PROFILE_MAPPING, &p->message);
}

/* The dso of the first function of kind STACK_PROGRAM; where all programs are missing, so that none
 * of their functions has a name, the first program; else 0. */
static size_t main_program(const struct stacks *s)
{
	for (size_t i = 0; i < s->functions.n; i++)
		if (s->functions.at[i].kind == STACK_PROGRAM)
			return s->functions.at[i].dso;
	for (size_t i = 0; i < s->dsos.n; i++)
		if (stack_dso_is_program(&s->dsos.at[i]))
			return i;
	return 0;
}

/* Writes the program's mapping first: pprof takes the first mapping for the program. */
static void put_mappings(struct pprof *p)
{
	size_t program = main_program(p->s);

	if (p->s->dsos.n)
		put_mapping(p, program);
	for (size_t i = 0; i < p->s->dsos.n; i++)
		if (i != program)
			put_mapping(p, i);
}

static void put_location_table(struct pprof *p)
{
	for (uint32_t i = 0; i < p->locations.entries.n; i++) {
		const uint32_t *frames = p->locations.entries.at[i].p;
		size_t n = p->locations.entries.at[i].n / sizeof(*frames);
		const struct stack_frame *last = &p->s->frames.at[frames[n - 1]];

		proto_number(&p->message, LOCATION_ID, i + 1);
		proto_number(&p->message, LOCATION_MAPPING_ID,
			   p->s->functions.at[last->function].dso + 1);
		proto_number(&p->message, LOCATION_ADDRESS, last->address);
		for (size_t k = 0; k < n; k++) {
			const struct stack_frame *f = &p->s->frames.at[frames[k]];

			proto_number(&p->inner, LINE_FUNCTION_ID, f->function + 1);
			proto_number(&p->inner, LINE_LINE, export_line(f->line));
			proto_message(&p->message, LOCATION_LINE, &p->inner);
		}
		proto_message(&p->out, PROFILE_LOCATION, &p->message);
	}
}

static void pprof_put_functions(struct pprof *p)
{
	for (size_t i = 0; i < p->s->functions.n; i++) {
		const struct stack_function *f = &p->s->functions.at[i];

		proto_number(&p->message, FUNCTION_ID, i + 1);
		proto_number(&p->message, FUNCTION_NAME, pprof_text_of(p, f->name));
		proto_number(&p->message, FUNCTION_SYSTEM_NAME, pprof_text_of(p, f->name));
		if (f->file)
			proto_number(&p->message, FUNCTION_FILENAME, pprof_text_of(p, f->file));
		proto_message(&p->out, PROFILE_FUNCTION, &p->message);
	}
}

int export_pprof(const struct export_input *in, struct out *out, struct err *err)
{
	struct pprof p = {.in = in, .s = in->stacks};
	int status;

	p.values_of = mem_alloc((in->events->events.n + 1) * sizeof(*p.values_of));
	memset(p.values_of, 0xff, (in->events->events.n + 1) * sizeof(*p.values_of));
	pprof_text_of(&p, ""); /* string 0 */
	gather(&p);
	put_types(&p);
	put_samples(&p);
	put_mappings(&p);
	put_location_table(&p);
	pprof_put_functions(&p);
	proto_number(&p.out, PROFILE_TIME_NANOS, in->start_ns);
	proto_number(&p.out, PROFILE_DURATION_NANOS, in->duration_ns);
	/* otherwise pprof shows the last event first */
	if (p.events.n > 1)
		proto_number(&p.out, PROFILE_DEFAULT_TYPE,
			     pprof_text_of(&p, in->events->events.at[p.events.at[0]]->name));
	proto_number(&p.out, PROFILE_COMMENT, pprof_text_of(&p, in->title));
	for (uint32_t i = 0; i < p.strings.entries.n; i++)
		proto_bytes(&p.out, PROFILE_STRING_TABLE, p.strings.entries.at[i].p,
			  p.strings.entries.at[i].n);
	status = zip(&p.out, ZIP_GZIP, &out->buf, err);
	intern_release(&p.strings);
	intern_release(&p.locations);
	intern_release(&p.samples);
	vec_release(&p.sums);
	vec_release(&p.events);
	buf_release(&p.out);
	buf_release(&p.message);
	buf_release(&p.inner);
	free(p.values_of);
	return status;
}
