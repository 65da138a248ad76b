// SPDX-License-Identifier: MIT
/* Pages, as the page allocator gives them out. */
#include "analysis/kmem/kmem_parts.h"

#include "event/print/tp_text.h"

#include <unistd.h>

const struct replay_field kmem_page_alloc_fields[] = {
	{"page", REPLAY_U64, offsetof(struct kmem_page_args, page), .optional = true},
	{"pfn", REPLAY_U64, offsetof(struct kmem_page_args, frame), .optional = true},
	{"order", REPLAY_U64, offsetof(struct kmem_page_args, order)},
	{"gfp_flags", REPLAY_U64, offsetof(struct kmem_page_args, gfp)},
	{"migratetype", REPLAY_S64, offsetof(struct kmem_page_args, migtype)},
	{0},
};
const struct replay_field kmem_page_free_fields[] = {
	{"page", REPLAY_U64, offsetof(struct kmem_page_args, page), .optional = true},
	{"pfn", REPLAY_U64, offsetof(struct kmem_page_args, frame), .optional = true},
	{"order", REPLAY_U64, offsetof(struct kmem_page_args, order)},
	{0},
};

/* Functions of the page allocator itself: not callers. Names begin with these words, which up to
 * two underscores may precede. */
static bool is_allocator(const char *name)
{
	static const char *const words[] = {"alloc_page",    "alloc_frozen_page",
					    "folio_alloc",   "vma_alloc_folio",
					    "get_free_page", "get_zeroed_page"};

	name += *name == '_';
	name += *name == '_';
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncmp(name, words[i], strlen(words[i])))
			return true;
	return false;
}

static uint64_t page_caller(struct replay *rp, const struct record *r)
{
	const struct thread *t = replay_thread(rp, r->sample.pid, r->sample.tid);
	const uint32_t epoch = world_epoch(rp->world, t, WORLD_NOW);
	struct raw_chain chain = {.words = r->sample.callchain,
				  .n = r->sample.callchain_nr,
				  .mode = r->header.misc & MISC_CPUMODE_MASK};
	uint64_t ip;

	while (raw_chain_next(&chain, &ip)) {
		const struct place p = world_place(rp->world, epoch, chain.mode, ip);
		const struct symbol *sym = place_symbol(&p);

		if (!sym || !is_allocator(sym->name))
			return ip;
	}
	return r->sample.ip;
}

/* The flags' names are made by the format's own text: "... gfp_flags=GFP_KERNEL|__GFP_COMP". */
static void gfp_note(struct kmem *k, const struct record *r, uint64_t gfp)
{
	static const char key[] = "gfp_flags=";
	uint32_t *at = idmap_put(&k->gfp_of, gfp);
	AUTO_BUF text = {0};
	const char *found;

	if (*at != HASH_NONE)
		return;
	*at = (uint32_t)k->gfps.n;
	tp_text_show(k->text, (uint32_t)r->event->attr.config, r->sample.raw, r->sample.raw_size,
		     r->sample.cpu, &text);
	found = strstr(buf_text(&text), key);
	found = found ? found + sizeof(key) - 1 : "";
	vec_add(&k->gfps,
		(struct kmem_gfp){.flags = gfp,
				  .text = intern_put(&k->gfp_texts, found, strcspn(found, " \n"))});
}

static struct kmem_page *page_row(struct kmem *k, bool callers, const struct kmem_page *like)
{
	const uint64_t key[4] = {callers ? like->caller : like->page, like->order,
				 (uint64_t)like->migtype, like->gfp};
	const uint32_t id =
		intern_put(callers ? &k->caller_keys : &k->alloc_keys, key, sizeof(key));

	if (callers) {
		if (id == k->page_callers.n)
			vec_add(&k->page_callers, *like);
		return &k->page_callers.at[id];
	}
	if (id == k->pages.n)
		vec_add(&k->pages, *like);
	return &k->pages.at[id];
}

static void page_add(struct kmem_page *row, uint64_t bytes, uint64_t caller)
{
	row->hits++;
	row->bytes += bytes;
	row->caller = caller;
}

static int64_t *order_cell(struct kmem *k, const struct kmem_page *p)
{
	return &k->orders[MIN(p->order, KMEM_ORDERS - 1u)]
			 [p->migtype >= 0 && p->migtype < KMEM_MIGTYPES ? p->migtype
									: KMEM_MIGTYPES - 1];
}

static uint64_t order_bytes(uint64_t order)
{
	return (uint64_t)sysconf(_SC_PAGESIZE) << MIN(order, 40u);
}

static bool has_frames(const struct record *r)
{
	const struct tp_format *f = r->event->format;

	return f && tp_format_field(f, "pfn");
}

int kmem_take_page_alloc(struct replay *rp, const struct record *r, const void *v)
{
	struct kmem *k = rp->ctx;
	const struct kmem_page_args *args = v;
	const uint64_t bytes = order_bytes(args->order);
	struct kmem_page like = {.order = (uint32_t)args->order,
				 .gfp = args->gfp,
				 .migtype = (int32_t)args->migtype};
	uint32_t *at;

	k->by_frame = has_frames(r);
	if (!k->opts->pages || !kmem_wants(k, rp->time))
		return REPLAY_GO;
	like.page = k->by_frame ? args->frame : args->page;
	k->page_allocs++;
	k->page_alloc_bytes += bytes;
	if (k->by_frame ? like.page == UINT64_MAX : !like.page) {
		k->page_fails++;
		k->page_fail_bytes += bytes;
		return REPLAY_GO;
	}
	gfp_note(k, r, args->gfp);
	like.caller = page_caller(rp, r);
	at = idmap_put(&k->page_of, like.page);
	if (*at == HASH_NONE || k->live_pages.at[*at].gone) {
		if (*at == HASH_NONE) {
			*at = (uint32_t)k->live_pages.n;
			vec_add(&k->live_pages, like);
		}
		k->live_pages.at[*at] = like;
	}
	page_add(&k->live_pages.at[*at], bytes, like.caller);
	page_add(page_row(k, false, &like), bytes, like.caller);
	page_add(page_row(k, true, &like), bytes, like.caller);
	++*order_cell(k, &like);
	if (k->opts->leaks)
		kmem_leak_add(k, r, like.page, like.caller, bytes, true);
	return REPLAY_GO;
}

int kmem_take_page_free(struct replay *rp, const struct record *r, const void *v)
{
	struct kmem *k = rp->ctx;
	const struct kmem_page_args *args = v;
	const uint64_t bytes = order_bytes(args->order),
		       page = has_frames(r) ? args->frame : args->page;
	struct kmem_page like, *row;
	uint32_t at;

	if (!k->opts->pages || !kmem_wants(k, rp->time))
		return REPLAY_GO;
	k->page_frees++;
	k->page_free_bytes += bytes;
	at = idmap_find(&k->page_of, page);
	if (at == HASH_NONE || k->live_pages.at[at].gone) {
		k->page_unknown++;
		k->page_unknown_bytes += bytes;
		return REPLAY_GO;
	}
	k->live_pages.at[at].gone = true;
	like = k->live_pages.at[at];
	like.order = (uint32_t)args->order;
	if (k->opts->leaks)
		leaks_free(&k->leaks, page, true);
	if (!k->opts->live)
		return REPLAY_GO;
	--*order_cell(k, &like);
	row = page_row(k, true, &like);
	if (row->hits) {
		row->hits--;
		row->bytes -= MIN(bytes, row->bytes);
	}
	return REPLAY_GO;
}
