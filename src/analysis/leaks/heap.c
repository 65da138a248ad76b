// SPDX-License-Identifier: MIT
#include "analysis/leaks/heap.h"

#include <stdlib.h>
#include <string.h>

const char *const heap_function_names[HEAP_FUNCTIONS] = {
	[HEAP_MALLOC] = "malloc",	  [HEAP_CALLOC] = "calloc",	[HEAP_REALLOC] = "realloc",
	[HEAP_ALIGNED] = "aligned_alloc", [HEAP_MEMALIGN] = "memalign", [HEAP_FREE] = "free",
};

enum {
	NESTED = 4,	/* calls that are remembered */
	INNER_MOST = 2, /* calls that one makes of others: with more its return was not seen */
	FRAMES_KEPT = 64,
};

/* What an event of the recording is; .function is HEAP_FUNCTIONS of one that is no probe of ours.
 */
struct heap_event {
	enum heap_function function;
	bool returns;
	const struct tp_field *n, *size, *old, *ret; /* NULL: there is no such field */
};

/* The calls that a thread is in now, the outermost first. */
struct heap_thread {
	struct heap_call {
		enum heap_function function;
		unsigned int inner; /* calls of others in it */
		uint64_t bytes, old;
	} calls[NESTED];
	unsigned int n;
	uint64_t losses;
};

static struct heap_event *heap_event_read(const struct heap *h, const struct event *ev)
{
	struct heap_event *e = NEW(struct heap_event);
	const struct tp_format *format =
		ev->format ? ev->format
			   : tp_formats_find(&h->m->formats, (uint32_t)ev->attr.config);
	const char *name = strrchr(ev->name, ':');
	int i = 0;

	e->function = HEAP_FUNCTIONS;
	e->returns = !strncmp(ev->name, "uretprobe:", 10);
	if (!name || !format || (!e->returns && strncmp(ev->name, "uprobe:", 7) != 0))
		return e;
	while (i < HEAP_FUNCTIONS && strcmp(name + 1, heap_function_names[i]) != 0)
		i++;
	e->n = tp_format_field(format, "n");
	e->size = tp_format_field(format, "size");
	e->old = tp_format_field(format, "old");
	e->ret = tp_format_field(format, "ret");
	/* a probe of somebody else may fetch nothing */
	if (e->returns ? e->ret != NULL : e->size || e->old)
		e->function = (enum heap_function)i;
	return e;
}

static void heap_events_release(struct heap *h)
{
	for (size_t i = 0; i < h->events.n; i++)
		free(h->events.at[i]);
	vec_clear(&h->events);
}

static const struct heap_event *heap_event_of(struct heap *h, const struct event *ev)
{
	if (h->formats != h->m->formats.changes)
		heap_events_release(h);
	h->formats = h->m->formats.changes;
	if (ev->index >= h->events.n)
		(void)vec_extend(&h->events, ev->index + 1 - h->events.n);
	if (!h->events.at[ev->index])
		h->events.at[ev->index] = heap_event_read(h, ev);
	return h->events.at[ev->index];
}

static uint64_t heap_value(const struct heap *h, const struct tp_field *field,
			   const struct sample *s, uint64_t none)
{
	return field ? tp_field_u64(&h->m->formats, field, s->raw, s->raw_size) : none;
}

/* -- stacks -- */

static void heap_frame_text(const struct heap *h, uint32_t epoch, uint64_t ip, struct buf *out)
{
	const struct place place = world_place(h->world, epoch, MISC_USER, ip);
	const struct symbol *sym = place_symbol(&place);
	const char *name = sym ? dso_symbol_name(place.dso, sym) : NULL;

	if (name) {
		/* without the version of a dynamic symbol: "qsort@@GLIBC_2.2.5" */
		AUTO_CHAR *bare = mem_strndup(name, strcspn(name, "@"));

		buf_safe(out, bare);
		buf_printf(out, "+0x%llx", (unsigned long long)(place_rva(&place) - sym->start));
	} else {
		buf_printf(out, "0x%llx", (unsigned long long)ip);
	}
	if (place.dso) {
		buf_str(out, " (");
		buf_safe(out, place.dso->short_name);
		buf_char(out, ')');
	}
}

static uint32_t heap_stack_read(struct heap *h, uint32_t epoch, const uint64_t *words, uint64_t n)
{
	bool user = true;
	size_t frames = 0;
	AUTO_BUF text = {0};

	for (uint64_t i = 0; i < n && frames < FRAMES_KEPT; i++) {
		if (words[i] >= CONTEXT_MAX) {
			user = words[i] == CONTEXT_USER;
			continue;
		}
		if (!user)
			continue;
		heap_frame_text(h, epoch, words[i], &text);
		buf_char(&text, 0);
		frames++;
	}
	return intern_put(&h->stacks, text.at, text.n);
}

static uint32_t heap_stack_of(struct replay *rp, const struct sample *s)
{
	struct heap *h = rp->ctx;
	const uint32_t epoch = world_epoch(h->world, replay_thread(rp, s->pid, s->tid), WORLD_NOW);
	const uint64_t *words = s->callchain;
	uint64_t n = s->type & SAMPLE_CALLCHAIN ? s->callchain_nr : 0;
	AUTO_BUF key = {0};
	uint32_t id;

	if (unwound_needed(s) && !unwound_chain(&h->unwound, epoch, s, &words, &n))
		n = 0;
	buf_add(&key, &epoch, sizeof(epoch));
	buf_add(&key, words, n * sizeof(*words));
	id = intern_put(&h->words, key.at, key.n);
	if (id == h->stack_of.n) {
		const uint32_t stack = heap_stack_read(h, epoch, words, n);

		vec_add(&h->stack_of, stack);
	}
	return h->stack_of.at[id];
}

const char *heap_frame(const struct heap *h, uint32_t stack, size_t i)
{
	const struct intern_entry *e = &h->stacks.entries.at[stack];
	const char *p = e->p, *end = p + e->n;

	while (p < end && i--)
		p += strlen(p) + 1;
	return p < end ? p : NULL;
}

/* -- calls -- */

static uint64_t heap_key(uint32_t pid, uint64_t address)
{
	const struct {
		uint64_t pid, address;
	} key = {pid, address};

	return hash_bytes(&key, sizeof(key), 0);
}

static void heap_give_back(struct heap *h, uint32_t pid, uint64_t address)
{
	const uint64_t key = heap_key(pid, address);
	const bool known = leaks_has(&h->leaks, key, 0);

	h->freed += leaks_free(&h->leaks, key, 0);
	h->frees += known;
	h->frees_before += !known;
}

/* Forgets calls whose return was not seen. Then: is the thread in a call of the family? */
static bool heap_is_inner(struct heap *h, struct heap_thread *t, enum heap_function function)
{
	unsigned int n = 0;

	while (n < t->n && t->calls[n].function != function)
		n++;
	if (t->losses != h->losses || (t->n && ++t->calls[t->n - 1].inner > INNER_MOST))
		n = 0;
	h->uncertain += t->n - n;
	t->n = n;
	t->losses = h->losses;
	return n;
}

static void heap_enter(struct heap *h, struct heap_thread *t, const struct heap_event *e,
		       const struct sample *s)
{
	heap_is_inner(h, t, e->function);
	if (t->n == NESTED)
		memmove(t->calls, t->calls + 1, --t->n * sizeof(*t->calls));
	t->calls[t->n++] = (struct heap_call){.function = e->function,
					      .bytes = heap_value(h, e->n, s, 1) *
						       heap_value(h, e->size, s, 0),
					      .old = heap_value(h, e->old, s, 0)};
}

static void heap_return(struct replay *rp, struct heap_thread *t, const struct heap_event *e,
			const struct sample *s)
{
	struct heap *h = rp->ctx;
	const uint64_t ret = heap_value(h, e->ret, s, 0);
	struct heap_call call;
	unsigned int n = t->n;

	while (n && t->calls[n - 1].function != e->function)
		n--;
	if (!n || t->losses != h->losses) {
		h->uncertain++;
		t->n = n ? n - 1 : t->n;
		return;
	}
	call = t->calls[n - 1];
	t->n = n - 1;
	if (call.old && (ret || !call.bytes))
		heap_give_back(h, s->pid, call.old);
	if (!ret) {
		h->failed += !call.old || call.bytes;
		return;
	}
	/* what an inner call got is the outer one's */
	if (n > 1)
		return;
	h->allocations++;
	h->allocated += call.bytes;
	leaks_add(&h->leaks, heap_key(s->pid, ret), 0, heap_stack_of(rp, s), call.bytes, rp->time);
}

static int heap_take_sample(struct replay *rp, const struct record *r)
{
	struct heap *h = rp->ctx;
	const struct heap_event *e = r->event ? heap_event_of(h, r->event) : NULL;
	const struct sample *s = &r->sample;
	struct heap_thread *t;

	if (!e || e->function == HEAP_FUNCTIONS)
		return REPLAY_GO;
	h->hits++;
	h->first = h->first ? MIN(h->first, rp->time) : rp->time;
	h->last = MAX(h->last, rp->time);
	t = replay_thread_state(rp, replay_thread(rp, s->pid, s->tid));
	if (e->function == HEAP_FREE) {
		const uint64_t old = heap_value(h, e->old, s, 0);

		if (!heap_is_inner(h, t, HEAP_FREE) && old)
			heap_give_back(h, s->pid, old);
	} else if (e->returns) {
		heap_return(rp, t, e, s);
	} else {
		heap_enter(h, t, e, s);
	}
	return REPLAY_GO;
}

static void heap_lost(struct replay *rp, const struct replay_loss *loss)
{
	(void)loss;
	((struct heap *)rp->ctx)->losses++;
}

static const struct replay_handler heap_handlers[] = {{RECORD_SAMPLE, heap_take_sample}, {0}};

static const struct replay_analysis heap_analysis = {
	.handlers = heap_handlers,
	.lost = heap_lost,
	.thread = {.size = sizeof(struct heap_thread)}};

static bool heap_is_recorded(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const char *name = rec->m.events.events.at[i]->name;

		if (!strncmp(name, "uretprobe:", 10) && !strcmp(strrchr(name, ':'), ":malloc"))
			return true;
	}
	return false;
}

int heap_read(struct heap *h, struct recording *rec, struct world *world, struct err *err)
{
	struct replay rp;
	int failed;

	*h = (struct heap){.world = world, .m = &rec->m};
	unwound_init(&h->unwound, world, &rec->m);
	h->unwound.max_stack = MAX_STACK_DEFAULT;
	if (!rec->is_pipe && !heap_is_recorded(rec)) {
		err_set(err, ERR_INPUT, "the recording has no calls of malloc()");
		return err_hint(err, "'perf mem leaks -p PID' records them");
	}
	world_present_only(world);
	replay_init(&rp, rec, world, &heap_analysis, h);
	failed = replay_run(&rp, err);
	replay_release(&rp);
	unwound_losses(&h->unwound, &rec->m.losses);
	if (!failed)
		leaks_sum(&h->leaks, h->first, h->last);
	return failed;
}

void heap_release(struct heap *h)
{
	leaks_release(&h->leaks);
	intern_release(&h->stacks);
	intern_release(&h->words);
	vec_release(&h->stack_of);
	heap_events_release(h);
	vec_release(&h->events);
	unwound_release(&h->unwound);
}
