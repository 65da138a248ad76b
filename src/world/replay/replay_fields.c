// SPDX-License-Identifier: MIT
/* The fields of tracepoints: found once for each format, then read without a lookup. */
#include "world/replay/bound.h"

static void bound_free(struct replay_bound *b)
{
	if (b) {
		vec_release(&b->numbers);
		vec_release(&b->fields);
		free(b->args);
	}
	free(b);
}

void replay_bound_release(struct replay *rp)
{
	for (size_t i = 0; i < rp->bound.n; i++)
		bound_free(rp->bound.at[i]);
	vec_release(&rp->bound);
}

static const struct tp_format *format_of(const struct replay *rp, const struct event *ev)
{
	return ev->format ? ev->format
			  : tp_formats_find(&rp->m->formats, (uint32_t)ev->attr.config);
}

static bool names_event(const char *name, const char *system, const char *tracepoint)
{
	const size_t n = strlen(system);

	return !strncmp(name, system, n) && name[n] == ':' && !strcmp(name + n + 1, tracepoint);
}

/* The first row that names the event, by its format, or by the event's own name where the recording
 * has no format of it; but for rows that another event of the recording excludes. */
static const struct replay_tracepoint *replay_fields_row_of(const struct replay *rp,
							    const struct event *ev,
							    const struct tp_format *format)
{
	for (const struct replay_tracepoint *t = rp->how->tracepoints; t->name; t++)
		if ((format ? names_event(t->name, format->system, format->name)
			    : ev->name && !strcmp(t->name, ev->name)) &&
		    !(t->unless && event_set_find_name(&rp->m->events, t->unless)))
			return t;
	return NULL;
}

static bool replay_fields_is_number(const struct tp_field *f)
{
	return !f->is_dynamic && (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

/* True for a number that can be read as the end of a word: in this machine's byte order, with the
 * bytes of the word in front of it. */
static bool bound_is_word_end(const struct bound_field *f, bool swap)
{
	return f->value <= REPLAY_S64 && !swap && f->offset + f->size >= 8 &&
	       __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

static void bound_add(struct replay_bound *b, const struct bound_field *f, bool swap)
{
	const uint32_t shift = 64 - 8 * f->size;

	if (!bound_is_word_end(f, swap)) {
		vec_add(&b->fields, *f);
		return;
	}
	vec_add(&b->numbers,
		(struct bound_number){.from = f->offset + f->size - 8,
				      .to = (uint32_t)f->at,
				      .shift = shift,
				      .mask = f->is_signed ? UINT64_MAX : UINT64_MAX >> shift});
}

static int bind_field(const struct replay *rp, struct replay_bound *b, const struct replay_field *f,
		      const struct tp_format *format)
{
	const struct tp_field *field = tp_format_field(format, f->name);
	struct bound_field to = {.value = f->value, .at = f->at, .field = field};

	if (!field && f->optional) {
		if (f->missing)
			memcpy((uint8_t *)b->args + f->at, &f->missing, sizeof(f->missing));
		return 0;
	}
	if (!field)
		return err_set(rp->err, ERR_INPUT, "the recording's '%s' has no field '%s'",
			       b->row->name, f->name);
	to.offset = field->offset;
	to.size = field->size;
	to.is_signed = field->is_signed;
	to.n = 1;
	if (f->value == REPLAY_WORDS) {
		to.size = field->elements ? field->size / field->elements : 0;
		to.n = MIN(field->elements, f->words);
	}
	if ((f->value <= REPLAY_S64 && !replay_fields_is_number(field)) ||
	    (f->value == REPLAY_WORDS && (!to.size || to.size > 8)))
		return err_set(rp->err, ERR_INPUT,
			       "the recording's '%s' has a field '%s' of another type",
			       b->row->name, f->name);
	/* texts and bytes are checked when they are read */
	if (f->value != REPLAY_TEXT && f->value != REPLAY_BYTES)
		b->least = MAX(b->least, (uint64_t)field->offset + field->size);
	bound_add(b, &to, rp->m->formats.swap);
	return 0;
}

static struct replay_bound *bind_event(const struct replay *rp, const struct event *ev)
{
	const struct tp_format *format = format_of(rp, ev);
	struct replay_bound *b = NEW(struct replay_bound);

	if (ev->attr.type == TYPE_TRACEPOINT && rp->how->tracepoints)
		b->row = replay_fields_row_of(rp, ev, format);
	if (!b->row)
		return b;
	b->args = mem_zero(b->row->args_size + 1);
	if (!format) {
		err_set(rp->err, ERR_INPUT, "the recording does not say what fields '%s' has",
			b->row->name);
		bound_free(b);
		return NULL;
	}
	for (const struct replay_field *f = b->row->fields; f && f->name; f++)
		if (bind_field(rp, b, f, format)) {
			bound_free(b);
			return NULL;
		}
	b->chained = ev->attr.sample_type & SAMPLE_CALLCHAIN;
	b->plain = b->row->brief >= (b->chained ? REPLAY_BRIEF_CHAINS : REPLAY_BRIEF) &&
		   !rp->filter && !b->fields.n && ev->attr.sample_type & SAMPLE_RAW;
	return b;
}

const struct replay_bound *replay_bound_make(struct replay *rp, const struct event *ev)
{
	if (rp->formats != rp->m->formats.changes) {
		replay_bound_release(rp);
		rp->formats = rp->m->formats.changes;
	}
	if (ev->index >= rp->bound.n)
		(void)vec_extend(&rp->bound, ev->index + 1 - rp->bound.n);
	if (!rp->bound.at[ev->index])
		rp->bound.at[ev->index] = bind_event(rp, ev);
	return rp->bound.at[ev->index];
}

static struct replay_bytes bytes_at(const struct replay *rp, const struct bound_field *f,
				    const struct sample *s)
{
	struct replay_bytes b;

	b.at = tp_field_bytes(&rp->m->formats, f->field, s->raw, s->raw_size, &b.n);
	if (f->value == REPLAY_TEXT)
		b.n = strnlen(b.at ? b.at : "", b.n);
	return b;
}

static void field_read(const struct replay *rp, const struct bound_field *f, const struct sample *s,
		       void *args)
{
	uint8_t *to = (uint8_t *)args + f->at;
	struct replay_bytes bytes;
	uint64_t word;

	switch (f->value) {
	case REPLAY_U64:
	case REPLAY_S64:
		word = tp_raw_number(s->raw + f->offset, f->size, rp->m->formats.swap,
				     f->is_signed);
		memcpy(to, &word, sizeof(word));
		break;
	case REPLAY_WORDS:
		for (uint32_t i = 0; i < f->n; i++) {
			word = tp_raw_number(s->raw + f->offset + i * f->size, f->size,
					     rp->m->formats.swap, f->is_signed);
			memcpy(to + i * sizeof(word), &word, sizeof(word));
		}
		break;
	case REPLAY_TEXT:
	case REPLAY_BYTES:
		bytes = bytes_at(rp, f, s);
		memcpy(to, &bytes, sizeof(bytes));
		break;
	}
}

void replay_bound_read_fields(const struct replay *rp, const struct replay_bound *b,
			      const struct sample *s)
{
	for (size_t i = 0; i < b->fields.n; i++)
		field_read(rp, &b->fields.at[i], s, b->args);
}

void replay_bound_note_short(struct replay *rp, const struct record *r)
{
	losses_add(&rp->m->losses, LOSS_CORRUPT, 1, r->offset);
}
