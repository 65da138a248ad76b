// SPDX-License-Identifier: MIT
/* Objects of the slab allocators, and the order of rows. */
#include "analysis/kmem/kmem_parts.h"

#include "data/feature/recording_topology.h"
#include "event/print/tp_text.h"

#include <stdlib.h>

struct slab_args { /* kmem:kmalloc, kmem_cache_alloc and their _node forms; kfree */
	uint64_t caller, object, requested, allocated;
	int64_t node; /* that was asked for; -1: any */
};

static const struct replay_field alloc_fields[] = {
	{"call_site", REPLAY_U64, offsetof(struct slab_args, caller)},
	{"ptr", REPLAY_U64, offsetof(struct slab_args, object)},
	{"bytes_req", REPLAY_U64, offsetof(struct slab_args, requested)},
	{"bytes_alloc", REPLAY_U64, offsetof(struct slab_args, allocated)},
	{"node", REPLAY_S64, offsetof(struct slab_args, node), .optional = true, .missing = -1},
	{0},
};
static const struct replay_field free_fields[] = {
	{"ptr", REPLAY_U64, offsetof(struct slab_args, object)},
	{0},
};

double kmem_fragmentation(uint64_t requested, uint64_t allocated)
{
	return allocated ? 100.0 - 100.0 * (double)requested / (double)allocated : 0;
}

/* True when memory of another node than the CPU's was asked for. */
static bool is_cross(const struct kmem *k, uint32_t cpu, int64_t node)
{
	const struct topology_cpu *of = node >= 0 ? topology_find(&k->topology, (int)cpu) : NULL;

	return of && of->node >= 0 && of->node != node;
}

void kmem_leak_add(struct kmem *k, const struct record *r, uint64_t key, uint64_t caller,
		   uint64_t bytes, bool pages)
{
	const bool chain = r->sample.callchain_nr;
	const void *words = chain ? (const void *)r->sample.callchain : &caller;

	leaks_add(&k->leaks, key, pages,
		  intern_put(&k->chains, words,
			     (chain ? r->sample.callchain_nr : 1) * sizeof(caller)),
		  bytes, k->last);
}

static int slab_take_alloc(struct replay *rp, const struct record *r, const void *v)
{
	struct kmem *k = rp->ctx;
	const struct slab_args *args = v;
	struct kmem_site *site;
	uint32_t id;

	if (!k->opts->slab || !kmem_wants(k, rp->time))
		return REPLAY_GO;
	id = kmem_site_put(k, args->caller, args->allocated);
	site = kmem_site(k, id);
	site->hits++;
	site->requested += args->requested;
	kmem_object_alloc(k, args->object, id, args->requested, r->sample.cpu);
	k->requested += args->requested;
	k->allocated += args->allocated;
	k->allocations++;
	k->cross += is_cross(k, r->sample.cpu, args->node);
	if (k->opts->leaks)
		kmem_leak_add(k, r, args->object, args->caller, args->allocated, false);
	return REPLAY_GO;
}

static int slab_take_free(struct replay *rp, const struct record *r, const void *v)
{
	struct kmem *k = rp->ctx;
	const struct slab_args *args = v;

	if (!k->opts->slab || !kmem_wants(k, rp->time))
		return REPLAY_GO;
	kmem_object_free(k, args->object, r->sample.cpu);
	if (k->opts->leaks)
		leaks_free(&k->leaks, args->object, false);
	return REPLAY_GO;
}

static void kmem_lost(struct replay *rp, const struct replay_loss *loss)
{
	(void)loss;
	((struct kmem *)rp->ctx)->losses++;
}

static const struct replay_tracepoint kmem_tracepoints[] = {
#define SLAB_ARGS  sizeof(struct slab_args)
#define SLAB_ALLOC alloc_fields, SLAB_ARGS, slab_take_alloc, .brief = REPLAY_BRIEF_CHAINS
#define SLAB_FREE  free_fields, SLAB_ARGS, slab_take_free, .brief = REPLAY_BRIEF_CHAINS
	{"kmem:kmalloc", SLAB_ALLOC},
	{"kmem:kmalloc_node", SLAB_ALLOC},
	{"kmem:kmem_cache_alloc", SLAB_ALLOC},
	{"kmem:kmem_cache_alloc_node", SLAB_ALLOC},
	{"kmem:kfree", SLAB_FREE},
	{"kmem:kmem_cache_free", SLAB_FREE},
	{"kmem:mm_page_alloc", kmem_page_alloc_fields, sizeof(struct kmem_page_args),
	 kmem_take_page_alloc},
	{"kmem:mm_page_free", kmem_page_free_fields, sizeof(struct kmem_page_args),
	 kmem_take_page_free},
	{0},
};

static const struct replay_analysis kmem_analysis = {.tracepoints = kmem_tracepoints,
						     .lost = kmem_lost};

void kmem_init(struct kmem *k, const struct kmem_options *opts)
{
	*k = (struct kmem){.opts = opts};
}

void kmem_release(struct kmem *k)
{
	kmem_objects_release(k);
	vec_release(&k->page_callers);
	vec_release(&k->pages);
	vec_release(&k->live_pages);
	leaks_release(&k->leaks);
	vec_release(&k->gfps);
	intern_release(&k->chains);
	intern_release(&k->gfp_texts);
	intern_release(&k->alloc_keys);
	intern_release(&k->caller_keys);
	idmap_release(&k->page_of);
	idmap_release(&k->gfp_of);
	tp_text_free(k->text);
	topology_release(&k->topology);
}

int kmem_read(struct kmem *k, struct recording *rec, struct world *world,
	      const struct filter *filter, struct err *err)
{
	struct replay rp;
	int failed;

	world_present_only(world);
	k->filter = filter;
	recording_topology(&k->topology, rec);
	k->text = tp_text_new(&rec->m.formats, &(struct tp_text_options){0});
	replay_init(&rp, rec, world, &kmem_analysis, k);
	failed = replay_run(&rp, err);
	replay_release(&rp);
	kmem_objects_end(k);
	if (!failed && k->opts->leaks)
		leaks_sum(&k->leaks, k->first, k->last);
	return failed;
}

static const struct {
	const char *name;
	enum kmem_key key;
	bool slab, pages;
} kmem_keys[] = {
	{"ptr", KMEM_PTR, true, false},	  {"callsite", KMEM_CALLSITE, true, true},
	{"bytes", KMEM_BYTES, true, true}, {"hit", KMEM_HIT, true, true},
	{"pingpong", KMEM_PINGPONG, true, false}, {"frag", KMEM_FRAG, true, false},
	{"page", KMEM_PAGE, false, true}, {"order", KMEM_ORDER, false, true},
	{"migtype", KMEM_MIGTYPE, false, true}, {"gfp", KMEM_GFP, false, true},
};

static int kmem_sort_add(struct kmem_sort *s, const char *name, size_t n, bool pages,
			 struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(kmem_keys); i++) {
		if (strlen(kmem_keys[i].name) != n || strncmp(kmem_keys[i].name, name, n) ||
		    !(pages ? kmem_keys[i].pages : kmem_keys[i].slab))
			continue;
		vec_add(&s->keys, kmem_keys[i].key);
		return 0;
	}
	return err_set(err, ERR_USAGE, "Unknown %s --sort key: '%.*s'", pages ? "page" : "slab",
		       (int)n, name);
}

int kmem_sort_parse(struct kmem_sort *s, const char *text, bool pages, struct err *err)
{
	for (size_t n; *text; text += n) {
		text += strspn(text, ", ");
		n = strcspn(text, ", ");
		if (n && kmem_sort_add(s, text, n, pages, err))
			return -1;
	}
	return 0;
}

/* The greater one first. */
static int kmem_compare(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

/* A row of a caller has no .caller of its own, and no pointer. */
static int compare_rows_by(enum kmem_key key, const struct kmem_row *a, const struct kmem_row *b)
{
	switch (key) {
	case KMEM_BYTES:
		return kmem_compare(a->allocated, b->allocated);
	case KMEM_HIT:
		return kmem_compare(a->hits, b->hits);
	case KMEM_PINGPONG:
		return kmem_compare(a->pingpongs, b->pingpongs);
	case KMEM_FRAG:
		return (a->fragmentation < b->fragmentation) -
		       (a->fragmentation > b->fragmentation);
	case KMEM_PTR:
		return a->caller || b->caller ? kmem_compare(a->address, b->address) : 0;
	case KMEM_CALLSITE:
		return a->caller || b->caller ? kmem_compare(a->caller, b->caller)
					      : kmem_compare(a->address, b->address);
	default:
		return 0;
	}
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct kmem_sort *s = ctx;
	const struct kmem_row *one = a, *two = b;
	int got = 0;

	for (size_t i = 0; i < s->keys.n && !got; i++)
		got = compare_rows_by(s->keys.at[i], one, two);
	return got ? got : -kmem_compare(one->address, two->address);
}

void kmem_sort_rows(struct kmem_row *rows, size_t n, const struct kmem_sort *by)
{
	for (size_t i = 0; i < n; i++)
		rows[i].fragmentation =
			kmem_fragmentation(rows[i].requested, rows[i].allocated);
	if (n)
		qsort_r(rows, n, sizeof(*rows), compare_rows, (void *)by);
}

static int compare_pages_by(enum kmem_key key, const struct kmem_page *a,
			    const struct kmem_page *b)
{
	switch (key) {
	case KMEM_BYTES:
		return kmem_compare(a->bytes, b->bytes);
	case KMEM_HIT:
		return kmem_compare(a->hits, b->hits);
	case KMEM_PAGE:
		return kmem_compare(a->page, b->page);
	case KMEM_CALLSITE:
		return kmem_compare(a->caller, b->caller);
	case KMEM_ORDER:
		return kmem_compare(a->order, b->order);
	case KMEM_MIGTYPE:
		return (a->migtype < b->migtype) - (a->migtype > b->migtype);
	case KMEM_GFP:
		return kmem_compare(a->gfp, b->gfp);
	default:
		return 0;
	}
}

struct page_order {
	const struct kmem_sort *by;
	bool callers, live;
};

static int compare_pages(const void *a, const void *b, void *ctx)
{
	static const enum kmem_key rest[] = {KMEM_ORDER, KMEM_MIGTYPE, KMEM_GFP};
	const struct page_order *o = ctx;
	const enum kmem_key first = o->callers ? KMEM_CALLSITE : KMEM_PAGE;
	int got = 0;

	for (size_t i = 0; i < o->by->keys.n && !got; i++)
		got = compare_pages_by(o->by->keys.at[i], a, b);
	if (got)
		return got;
	got = compare_pages_by(first, a, b);
	if (o->live && !o->callers)
		return got; /* perf sorts live pages the other way round */
	for (size_t i = 0; i < ARRAY_SIZE(rest) && !got; i++)
		got = compare_pages_by(rest[i], a, b);
	return -got;
}

void kmem_sort_pages(struct kmem_page *rows, size_t n, const struct kmem_sort *by, bool callers,
		     bool live)
{
	struct page_order o = {by, callers, live};

	if (n)
		qsort_r(rows, n, sizeof(*rows), compare_pages, &o);
}
