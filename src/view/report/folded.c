// SPDX-License-Identifier: MIT
#include "view/report/folded.h"

struct folded {
	const struct table *table;
	const struct event *event; /* the event that is shown; tracepoints are shown too */
	bool samples;
	struct intern names;	  /* names of functions, as folded_name() writes them */
	uint32_t *
		name_of[2]; /* frame -> index in .names, HASH_NONE: not made yet; [java] */
	struct intern stacks;
	VEC(uint64_t) weights; /* by the stack's id */
	struct buf line;
};

/* -- names -- */

/* True for "net/http.(*Client).Do": the parentheses hold Go's receiver, not arguments. */
static bool has_receiver(const char *s, const char *end)
{
	const char *open = memmem(s, (size_t)(end - s), ".(", 2);

	return open && memmem(open + 2, (size_t)(end - open - 2), ").", 2);
}

/* The position at which a function's arguments begin. */
static const char *arguments(const char *s, const char *end)
{
	static const char unnamed[] = "(anonymous namespace)";

	for (; s < end; s++)
		if (*s == '(' && ((size_t)(end - s) < sizeof(unnamed) - 1 ||
				  memcmp(s, unnamed, sizeof(unnamed) - 1)))
			return s;
	return end;
}

static void put_function(const char *s, const char *end, bool java, struct buf *out)
{
	if (!has_receiver(s, end))
		end = arguments(s, end);
	if (java && s < end && *s == 'L' && memchr(s, '/', (size_t)(end - s)))
		s++;
	for (; s < end; s++)
		if (*s != '"' && *s != '\'')
			buf_char(out, *s == ';' ? ':' : *s);
}

/* The position of "->" in "A->B", the name that JITs give to B inlined into A. Skips C++'s
 * operator->. */
static const char *inlined_into(const char *s)
{
	const char *at = s;

	while ((at = strstr(at, "->")) && at - s >= 8 && !strncmp(at - 8, "operator", 8))
		at += 2;
	return at;
}

void folded_name(const char *name, bool java, struct buf *out)
{
	const char *next;
	bool first = true;

	for (; name; name = next) {
		const char *end = inlined_into(name);

		next = end ? end + 2 : NULL;
		if (!first)
			buf_char(out, ';');
		put_function(name, end ? end : name + strlen(name), java, out);
		if (!first)
			buf_str(out, "_[i]");
		first = false;
	}
}

/* A frame without a name is shown as its file in brackets. */
static void put_unknown(const struct folded *f, const struct frame *frame, struct buf *out)
{
	const char *name = frame->where->dso
				   ? world_dso_name(f->table->samples->world, frame->where->dso)
				   : "unknown";
	const char *slash = strrchr(name, '/');

	buf_char(out, '[');
	buf_str(out, slash ? slash + 1 : name);
	buf_char(out, ']');
}

static uint32_t folded_name_of(struct folded *f, uint32_t id, bool java)
{
	const struct frame *frame = frames_at(&f->table->samples->frames, id);
	uint32_t *known = &f->name_of[java][id];
	struct buf b = {0};

	if (*known != HASH_NONE)
		return *known;
	if (!frame->where->sym)
		put_unknown(f, frame, &b);
	else if (frame->where->name[0] != '(') /* "(..." is no name */
		folded_name(frame->where->name, java, &b);
	*known = intern_put(&f->names, b.at, b.n);
	buf_release(&b);
	return *known;
}

/* -- stacks -- */

/* Begins the line with the comm. Returns the position of the first function. */
static size_t put_comm(struct folded *f, const char *comm)
{
	vec_clear(&f->line);
	for (; *comm; comm++)
		buf_char(&f->line, *comm == ' ' || *comm == ';' ? '_' : *comm);
	return f->line.n;
}

static void add_stack(struct folded *f, uint64_t weight)
{
	uint32_t id = intern_put(&f->stacks, f->line.at, f->line.n);

	if (id == f->weights.n)
		vec_add(&f->weights, 0);
	f->weights.at[id] += weight;
}

static uint64_t weight_of(const struct folded *f, const struct event *ev, uint64_t period,
			  uint64_t samples)
{
	return f->samples || ev->attr.type == TYPE_TRACEPOINT ? samples : period;
}

/* Appends the keys beside comm (state and reason, in a wall-clock profile) as the innermost frame:
 * "[blocked: futex]". */
static void put_keys(struct folded *f, const struct entry *e)
{
	const struct layout *l = &f->table->layout;
	AUTO_BUF text = {0};

	for (size_t i = 1; i < l->keys.n; i++) {
		vec_clear(&text);
		key_text(f->table, &l->keys.at[i], e, &text);
		if (i > 1 && !strcmp(buf_text(&text), "-"))
			continue;
		buf_str(&f->line, i > 1 ? ": " : ";[");
		buf_add(&f->line, text.at, text.n);
	}
	if (l->keys.n > 1)
		buf_char(&f->line, ']');
}

static void folded_add_entry(struct folded *f, const struct event *ev, const struct entry *e)
{
	const char *comm = world_comm_text(f->table->samples->world, (uint32_t)e->values[0]);
	bool java = !strcmp(comm, "java");
	uint64_t left = weight_of(f, ev, e->self->period, e->self->samples),
		 samples = e->self->samples;
	struct hits_walk w = hits_begin(&e->hits);
	size_t start = put_comm(f, comm);

	while (hits_next(&e->hits, &w)) {
		const struct chain_group *group = &f->table->groups.at[w.group];
		const struct chain_set *chains = f->table->chains;

		f->line.n = start;
		for (uint32_t k = chain_set_length(chains, group->chain); k-- > 0;) {
			uint32_t name =
				folded_name_of(f, chain_set_frame(chains, group->chain, k), java);
			const struct intern_entry *text = &f->names.entries.at[name];

			if (text->n) {
				buf_char(&f->line, ';');
				buf_add(&f->line, text->p, text->n);
			}
		}
		put_keys(f, e);
		add_stack(f, weight_of(f, ev, group->period, group->samples));
		left -= weight_of(f, ev, group->period, group->samples);
		samples -= group->samples;
	}
	/* the samples without a chain */
	f->line.n = start;
	put_keys(f, e);
	if (samples)
		add_stack(f, left);
}

/* -- all of them -- */

/* The event of the first sample. Weights of different events cannot be added, so only this event is
 * shown; weights of tracepoints can. Sets *others when other events are left out. */
static const struct event *first_event(const struct table *table, bool *others)
{
	const struct entry *first = NULL;

	*others = false;
	for (size_t i = 0; i < table->all.n; i++) {
		const struct entry *e = table->all.at[i];
		const struct cell *cell;

		if (e->filtered || table->events.at[e->event].event->attr.type == TYPE_TRACEPOINT)
			continue;
		*others |= first && first->event != e->event;
		cell = table_first(table, e);
		if (!first || cell->order < table_first(table, first)->order ||
		    (cell->order == table_first(table, first)->order &&
		     cell->seq < table_first(table, first)->seq))
			first = e;
	}
	return first ? table->events.at[first->event].event : NULL;
}

static int folded_by_text(const void *x, const void *y, void *ctx)
{
	const struct intern *stacks = ctx;
	const struct intern_entry *a = &stacks->entries.at[*(const uint32_t *)x];
	const struct intern_entry *b = &stacks->entries.at[*(const uint32_t *)y];
	int order = memcmp(a->p, b->p, MIN(a->n, b->n));

	return order ? order : (a->n > b->n) - (a->n < b->n);
}

static void put_stacks(struct folded *f, struct out *out)
{
	size_t n = f->stacks.entries.n;
	uint32_t *order = mem_alloc(n * sizeof(*order));

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), folded_by_text, &f->stacks);
	for (size_t i = 0; i < n && out_ready(out); i++) {
		const struct intern_entry *stack = &f->stacks.entries.at[order[i]];

		buf_safe(&out->buf, stack->p);
		buf_char(&out->buf, ' ');
		buf_dec(&out->buf, f->weights.at[order[i]]);
		buf_char(&out->buf, '\n');
	}
	free(order);
}

const struct event *folded_show(const struct table *table, bool samples, struct out *out)
{
	struct folded f = {.table = table, .samples = samples};
	size_t n = table->samples->frames.frames.n;
	bool others;

	f.event = first_event(table, &others);
	for (int java = 0; java < 2; java++) {
		f.name_of[java] = mem_alloc(n * sizeof(uint32_t));
		memset(f.name_of[java], 0xff, n * sizeof(uint32_t));
	}
	for (size_t i = 0; i < table->all.n; i++) {
		const struct entry *e = table->all.at[i];
		const struct event *ev = table->events.at[e->event].event;

		if (!e->filtered && (ev == f.event || ev->attr.type == TYPE_TRACEPOINT))
			folded_add_entry(&f, ev, e);
	}
	put_stacks(&f, out);
	free(f.name_of[0]);
	free(f.name_of[1]);
	intern_release(&f.names);
	intern_release(&f.stacks);
	vec_release(&f.weights);
	buf_release(&f.line);
	return others ? f.event : NULL;
}
