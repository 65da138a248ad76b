// SPDX-License-Identifier: MIT
#include "view/script/script_frames.h"

#include "symbol/lines/lines.h"
#include "view/script/script_fields.h"

#include <limits.h>

#define MEMORY_MAX (32u << 20)

#define FRAMES_BITS 10 /* log2 of the first size of the slot table */
#define CAME_BITS   18
#define AHEAD	    12 /* words of a chain that are prefetched before they are looked up */
#define COVERED_MAX 1024 /* contexts that have a struct covered: 512 KiB */

/* flags in .fields, beside FIELD_* */
#define FRAME_IN_CHAIN (1ull << 63)
#define FRAME_INLINES  (1ull << 62)
_Static_assert(SCRIPT_FRAME_SYMBOL == 1ull << 61, "beside these");

void script_frames_init(struct script_frames *f, struct world *world, const struct recording *rec)
{
	script_frames_init_of(f, world, &rec->m, recording_has(rec, FEATURE_CHAINS));
}

void script_frames_init_of(struct script_frames *f, struct world *world,
			   const struct measurement *m, bool chains_made)
{
	*f = (struct script_frames){.world = world, .symbols = true, .memory_max = MEMORY_MAX};
	f->chains_made = chains_made;
	unwound_init(&f->unwound, world, m);
	script_frames_max_stack(f, MAX_STACK_DEFAULT);
}

void script_frames_max_stack(struct script_frames *f, unsigned int most)
{
	f->max_stack = f->unwound.max_stack = most;
}

void script_frames_copy(struct script_frames *copy, const struct script_frames *f)
{
	*copy = (struct script_frames){.world = f->world,
				       .symbols = f->symbols,
				       .kernel_path = f->kernel_path,
				       .no_inlines = f->no_inlines,
				       .chains_made = f->chains_made,
				       .full_paths = f->full_paths,
				       .max_stack = f->max_stack,
				       .memory_max = f->memory_max,
				       .stop_at = f->stop_at};
	unwound_init(&copy->unwound, f->world, f->unwound.m);
	copy->unwound.max_stack = f->unwound.max_stack;
}

static void forget(struct script_frames *f)
{
	free(f->frames);
	f->frames = NULL;
	f->n_frames = f->frames_bits = 0;
	free(f->chains);
	f->chains = NULL;
	f->n_chains = f->chains_mask = 0;
	vec_clear(&f->kinds); /* their texts were in the arena */
	idmap_release(&f->contexts);
	vec_release(&f->covered);
	vec_release(&f->made);
	arena_release(&f->texts);
}

void script_frames_release(struct script_frames *f)
{
	forget(f);
	unwound_release(&f->unwound);
	vec_release(&f->kinds);
	free(f->came);
	buf_release(&f->scratch);
	buf_release(&f->key);
}

void script_symbol_text(const struct script_frame *frame, bool offset, struct buf *out)
{
	if (!frame->sym) {
		buf_str(out, "[unknown]");
		return;
	}
	buf_safe(out, frame->name);
	if (offset) {
		buf_str(out, "+0x");
		buf_hex(out, frame->offset);
	}
}

void script_dso_text(const struct script_frames *f, const struct place *p, struct buf *out)
{
	if (!p->map)
		buf_str(out, "[unknown]");
	else if (!f->kernel_path)
		buf_safe(out, world_dso_name(f->world, p->dso));
	else if (p->dso->source == SYMBOLS_VMLINUX && p->dso->source_path)
		buf_safe(out, p->dso->source_path);
	else
		buf_safe(out, p->dso->long_name);
}

/* When a file has symbols but no line for the address, perf shows "??:0" among inlined functions,
 * and nothing elsewhere. */
static void srcline_text(const struct script_frames *f, const struct script_frame *frame,
			 uint64_t fields, const struct source_place *source,
			 const struct line_level *level, struct buf *out)
{
	const struct place *p = &frame->place;
	AUTO_BUF line = {0};

	if (level && source_line_text(level, f->full_paths, &line)) {
		buf_str(out, "\n  ");
		buf_safe(out, buf_text(&line));
	} else if (source->asked && frame->sym && !frame->sym->plt) {
		buf_str(out, fields & FRAME_INLINES ? "\n  ??:0" : "");
	} else {
		buf_str(out, "\n  ");
		buf_safe(out, p->dso->short_name);
		buf_char(out, '[');
		buf_hex(out, place_rva(p));
		buf_char(out, ']');
	}
}

static void frame_text(const struct script_frames *f, const struct script_frame *frame,
		       uint64_t fields, const struct source_place *source,
		       const struct line_level *level, bool inlined, struct buf *out)
{
	const struct place *p = &frame->place;
	bool in_chain = fields & FRAME_IN_CHAIN;

	/* chains show the file offset of user code; samples without a chain show the mapped
	 * address */
	if (fields & FIELD_IP)
		buf_hex_right(out, in_chain && p->map && !p->dso->in_kernel ? p->offset : p->ip,
			      16);
	if (fields & FIELD_SYM) {
		buf_char(out, ' ');
		script_symbol_text(frame, fields & FIELD_SYMOFF, out);
	}
	if ((fields & (FIELD_DSO | FIELD_DSOFF)) && !inlined) {
		buf_str(out, " (");
		script_dso_text(f, p, out);
		if ((fields & FIELD_DSOFF) && p->map) {
			buf_str(out, "+0x");
			buf_hex(out, p->offset);
		}
		buf_char(out, ')');
	}
	if ((fields & FIELD_SRCLINE) && p->map)
		srcline_text(f, frame, fields, source, level, out);
	if (inlined)
		buf_str(out, " (inlined)");
}

/* Appends one line for each function inlined at the address, with FRAME_INLINES; else one line. */
static void frame_lines(struct script_frames *f, struct script_frame *frame, uint64_t fields,
			struct buf *out)
{
	const char *name = frame->name;
	struct source_place source = {0};

	if (frame->place.map && fields & (FRAME_INLINES | FIELD_SRCLINE))
		source = dso_source(frame->place.dso, place_rva(&frame->place));
	if (!(fields & FRAME_INLINES) || !frame->sym || !source.n) {
		frame_text(f, frame, fields, &source, source.n ? &source.at[0] : NULL, false, out);
		return;
	}
	for (uint32_t i = 0; i < source.n; i++) {
		const struct line_level *level = &source.at[i];
		bool inlined = level->function &&
			       !(i + 1 == source.n && !strcmp(level->function, name));

		if (i)
			buf_str(out, "\n\t");
		frame->name = inlined ? level->function : name;
		frame_text(f, frame, fields, &source, level, inlined, out);
	}
	frame->name = name;
}

/* True when one of the fields needs the symbol. Loading symbols takes time, and lines of addresses
 * do not need them. */
static bool wants_symbol(const struct script_frames *f, uint64_t fields)
{
	const uint64_t by_symbol =
		FIELD_SYM | FIELD_SYMOFF | FIELD_SRCLINE | FRAME_INLINES | SCRIPT_FRAME_SYMBOL;

	return f->symbols &&
	       (fields & by_symbol || f->kernel_path || (f->stop_at && f->stop_at->given));
}

static const struct script_frame *keep_frame(struct script_frames *f, struct script_frame *frame,
					     uint64_t fields)
{
	struct script_frame *kept;

	buf_clear(&f->scratch);
	frame_lines(f, frame, fields, &f->scratch);
	frame->len = (uint32_t)f->scratch.n;
	kept = arena_alloc_large(&f->texts, sizeof(*frame) + f->scratch.n);
	*kept = *frame;
	if (f->scratch.n)
		memcpy(kept->text, f->scratch.at, f->scratch.n);
	return kept;
}

static const struct script_frame *frame_new(struct script_frames *f, uint32_t epoch,
					    uint8_t cpumode, uint64_t ip,
					    const struct script_kind *kind)
{
	const uint64_t fields = kind->fields;
	struct script_frame frame = {.place = world_place(f->world, epoch, cpumode, ip)};

	if (fields & FRAME_IN_CHAIN && !frame.place.map)
		return kind->nowhere;
	if (wants_symbol(f, fields))
		frame.sym = place_symbol(&frame.place);
	if (frame.sym) {
		frame.name = dso_symbol_name(frame.place.dso, frame.sym);
		frame.offset = place_rva(&frame.place) - frame.sym->start;
		frame.stop =
			f->stop_at && f->stop_at->given && name_list_has(f->stop_at, frame.name);
	}
	return keep_frame(f, &frame, fields);
}

/* The index of these fields in f->kinds. */
static uint16_t kind_of(struct script_frames *f, uint64_t fields)
{
	struct script_frame nowhere = {.stop = false};
	struct script_kind kind = {.fields = fields};

	for (size_t i = 0; i < f->kinds.n; i++)
		if (f->kinds.at[i].fields == fields)
			return (uint16_t)i;
	if (fields & FRAME_IN_CHAIN)
		kind.nowhere = keep_frame(f, &nowhere, fields & ~(uint64_t)FIELD_IP);
	vec_add(&f->kinds, kind);
	return (uint16_t)(f->kinds.n - 1);
}

void script_frames_bound(struct script_frames *f)
{
	if (f->texts.total > f->memory_max)
		forget(f);
}

static uint32_t context_of(struct script_frames *f, uint32_t epoch, uint8_t cpumode, uint16_t kind)
{
	uint32_t *context =
		idmap_put(&f->contexts, (uint64_t)epoch << 32 | (uint32_t)cpumode << 16 | kind);

	if (*context == HASH_NONE)
		*context = f->contexts.n - 1;
	return *context;
}

static uint32_t frame_slot(uint64_t ip, uint32_t context, uint32_t bits)
{
	return (uint32_t)((ip ^ (uint64_t)context << 40) * 0x9e3779b97f4a7c15ull >> (64 - bits));
}

static void frames_make_room(struct script_frames *f)
{
	const uint32_t old_size = f->frames ? 1u << f->frames_bits : 0;
	struct script_frame_slot *old = f->frames;
	uint32_t mask;

	if (f->n_frames * 2 < old_size)
		return;
	f->frames_bits = old_size ? f->frames_bits + 1 : FRAMES_BITS;
	mask = (1u << f->frames_bits) - 1;
	f->frames = mem_zero_table(sizeof(*f->frames) << f->frames_bits);
	for (uint32_t i = 0; i < old_size; i++) {
		uint32_t to = frame_slot(old[i].ip, old[i].context, f->frames_bits);

		while (old[i].frame && f->frames[to].frame)
			to = (to + 1) & mask;
		if (old[i].frame)
			f->frames[to] = old[i];
	}
	free(old);
}

/* Returns the slot of an address in a context, or the free slot (.frame 0) that the caller fills in
 * for it. */
static struct script_frame_slot *find_slot(struct script_frames *f, uint32_t context, uint64_t ip)
{
	uint32_t i, mask;

	frames_make_room(f);
	mask = (1u << f->frames_bits) - 1;
	i = frame_slot(ip, context, f->frames_bits);
	while (f->frames[i].frame && (f->frames[i].ip != ip || f->frames[i].context != context))
		i = (i + 1) & mask;
	return &f->frames[i];
}

static const struct script_frame *script_frame_of(struct script_frames *f, uint32_t context,
						  uint32_t epoch, uint8_t cpumode, uint64_t ip,
						  uint16_t kind)
{
	struct script_frame_slot *slot = find_slot(f, context, ip);
	const struct script_frame *frame;

	if (slot->frame)
		return slot->frame == 1 ? f->kinds.at[kind].nowhere : f->made.at[slot->frame - 2];
	frame = frame_new(f, epoch, cpumode, ip, &f->kinds.at[kind]);
	*slot = (struct script_frame_slot){ip, context, 1};
	f->n_frames++;
	if (frame != f->kinds.at[kind].nowhere) {
		vec_add(&f->made, frame);
		slot->frame = (uint32_t)f->made.n + 1;
	}
	return frame;
}

const struct script_frame *script_frame(struct script_frames *f, uint32_t epoch, uint8_t cpumode,
					uint64_t ip, uint64_t fields)
{
	const uint16_t kind = kind_of(f, fields);

	return script_frame_of(f, context_of(f, epoch, cpumode, kind), epoch, cpumode, ip, kind);
}

/* -- chains -- */

/* State shared by the lines of one chain. */
struct chain_lines {
	struct script_frames *f;
	struct buf *out;
	const struct script_frame *nowhere;
	const struct covered *covered; /* by user maps; NULL: not known, not user mode */
	uint32_t epoch, context;
	uint16_t kind;
	uint8_t cpumode; /* of the next words */
	bool ip;	 /* shown */
};

/* Returns NULL when there are too many contexts. */
static const struct covered *covered_of(struct script_frames *f, uint32_t epoch, uint32_t context)
{
	if (context >= COVERED_MAX)
		return NULL;
	while (f->covered.n <= context)
		vec_add(&f->covered, NULL);
	if (!f->covered.at[context]) {
		struct covered *c = arena_alloc(&f->texts, sizeof(*c));

		world_epoch_covered(f->world, epoch, c);
		f->covered.at[context] = c;
	}
	return f->covered.at[context];
}

static void lines_set_mode(struct chain_lines *l, uint8_t cpumode)
{
	l->cpumode = cpumode;
	l->context = context_of(l->f, l->epoch, cpumode, l->kind);
	l->covered = cpumode == MISC_USER ? covered_of(l->f, l->epoch, l->context) : NULL;
}

static bool lines_nowhere(const struct chain_lines *l, uint64_t ip)
{
	return l->covered && !covered_may_hold(l->covered, ip);
}

static void lines_init(struct chain_lines *l, struct script_frames *f, uint32_t epoch,
		       uint64_t fields, struct buf *out)
{
	*l = (struct chain_lines){.f = f,
				  .out = out,
				  .epoch = epoch,
				  .kind = kind_of(f, fields | FRAME_IN_CHAIN),
				  .ip = fields & FIELD_IP};
	l->nowhere = f->kinds.at[l->kind].nowhere;
	lines_set_mode(l, MISC_USER);
}

/* Prefetches the slot that chain_frame() will look up. */
static void ask_frame(const struct chain_lines *l, uint64_t ip)
{
	if (l->f->frames && !lines_nowhere(l, ip))
		__builtin_prefetch(&l->f->frames[frame_slot(ip, l->context, l->f->frames_bits)]);
}

/* Appends one line; false when the chain ends with it. */
static bool chain_frame(const struct chain_lines *l, uint64_t ip)
{
	const struct script_frame *frame =
		lines_nowhere(l, ip)
			? l->nowhere
			: script_frame_of(l->f, l->context, l->epoch, l->cpumode, ip, l->kind);
	struct buf *out = l->out;

	buf_char(out, '\t');
	if (frame == l->nowhere && l->ip)
		buf_hex_right(out, ip, 16);
	buf_add(out, frame->text, frame->len);
	buf_char(out, '\n');
	return !frame->stop;
}

/* The user part of the chain from branch records: the target of the latest call, then the source of
 * each call. */
static void branch_chain(struct chain_lines *l, const struct sample *s)
{
	struct branch_entry entry;

	lines_set_mode(l, MISC_USER);
	for (uint64_t i = 0; i < s->branch_nr; i++) {
		memcpy(&entry, &s->branches[i], sizeof(entry));
		if (!i && !chain_frame(l, entry.to))
			return;
		if (!chain_frame(l, entry.from))
			return;
	}
}

/* Appends a line for each frame, at most `most` of them. */
static void chain_text(struct chain_lines *l, const struct sample *s, bool branches,
		       unsigned int most)
{
	const size_t start = l->out->n;
	unsigned int shown = 0;

	for (uint64_t i = 0; i < s->callchain_nr && i < AHEAD; i++)
		ask_frame(l, s->callchain[i]);
	for (uint64_t i = 0; i < s->callchain_nr && shown < most; i++) {
		uint64_t word = s->callchain[i];

		if (i + AHEAD < s->callchain_nr)
			ask_frame(l, s->callchain[i + AHEAD]);
		if (word < CONTEXT_MAX) {
			shown++;
			if (!chain_frame(l, word))
				return;
			continue;
		}
		if (word == CONTEXT_USER_DEFERRED) {
			i++; /* a cookie follows */
			continue;
		}
		if (!chain_context_mode(word)) {
			/* show nothing of a damaged chain */
			l->out->n = start;
			return;
		}
		lines_set_mode(l, chain_context_mode(word));
		if (l->cpumode == MISC_USER && branches) {
			branch_chain(l, s);
			return;
		}
	}
}

/* True when branch records replace the user part of the chain. CONTEXT_USER must be among the first
 * max_stack words. */
static bool has_branch_chain(const struct script_frames *f, const struct event *ev,
			     const struct sample *s)
{
	if (!(ev->attr.branch_sample_type & BRANCH_CALL_STACK) || !s->branch_nr)
		return false;
	for (uint64_t i = 0; i < s->callchain_nr && i < f->max_stack; i++)
		if (s->callchain[i] == CONTEXT_USER)
			return true;
	return false;
}

static struct script_chain_slot *chain_slot(const struct script_frames *f, uint64_t hash)
{
	uint32_t i = (uint32_t)hash & f->chains_mask;

	for (; f->chains[i].key; i = (i + 1) & f->chains_mask) {
		const struct script_chain_slot *slot = &f->chains[i];

		if (slot->hash == hash && slot->key_len == f->key.n &&
		    !memcmp(slot->key, f->key.at, f->key.n))
			break;
	}
	return &f->chains[i];
}

static void chains_make_room(struct script_frames *f)
{
	const uint32_t old_size = f->chains ? f->chains_mask + 1 : 0;
	const uint32_t size = old_size ? old_size * 2 : 1024;
	struct script_chain_slot *old = f->chains;

	if (f->n_chains * 2 < old_size)
		return;
	f->chains = mem_zero_table(size * sizeof(*f->chains));
	f->chains_mask = size - 1;
	for (uint32_t i = 0; i < old_size; i++) {
		uint32_t to = (uint32_t)old[i].hash & f->chains_mask;

		while (old[i].key && f->chains[to].key)
			to = (to + 1) & f->chains_mask;
		if (old[i].key)
			f->chains[to] = old[i];
	}
	free(old);
}

/* Stores the text, out[start..), right behind its key: a later hit touches the slot and these bytes
 * only. */
static void keep_chain(struct script_frames *f, struct script_chain_slot *slot, uint64_t hash,
		       const struct buf *out, size_t start)
{
	const size_t len = out->n - start;
	char *kept = arena_alloc_large(&f->texts, f->key.n + len);

	memcpy(kept, f->key.at, f->key.n);
	if (len)
		memcpy(kept + f->key.n, out->at + start, len);
	*slot = (struct script_chain_slot){hash, kept, (uint32_t)f->key.n, (uint32_t)len};
	f->n_chains++;
}

/* True when a chain of that hash came before. One byte for each of 1 << CAME_BITS places remembers
 * the last hash there, so a few answers are wrong. */
static bool came_before(struct script_frames *f, uint64_t hash)
{
	const uint8_t tag = (uint8_t)(hash >> 56) | 1;
	uint8_t *at;

	if (!f->came)
		f->came = mem_zero(sizeof(*f->came) << CAME_BITS);
	at = &f->came[hash & ((1u << CAME_BITS) - 1)];
	if (*at == tag)
		return true;
	*at = tag;
	return false;
}

static void add_chain(struct script_frames *f, uint32_t epoch, const struct event *ev,
		      const struct sample *s, uint64_t fields, struct buf *out)
{
	const size_t start = out->n;
	bool branches = has_branch_chain(f, ev, s);
	const uint64_t head[] = {epoch, fields, branches ? s->branch_nr : 0};
	struct script_chain_slot *slot = NULL;
	struct chain_lines lines;
	uint64_t hash;

	buf_clear(&f->key);
	buf_add(&f->key, head, sizeof(head));
	buf_add(&f->key, s->callchain, s->callchain_nr * sizeof(*s->callchain));
	if (branches)
		buf_add(&f->key, s->branches, s->branch_nr * sizeof(*s->branches));
	hash = hash_bytes(f->key.at, f->key.n, 0);
	if (came_before(f, hash)) {
		chains_make_room(f);
		slot = chain_slot(f, hash);
	}
	if (slot && slot->key) {
		buf_add(out, slot->key + slot->key_len, slot->text_len);
		return;
	}
	lines_init(&lines, f, epoch, fields, out);
	chain_text(&lines, s, branches, f->max_stack);
	if (slot)
		keep_chain(f, slot, hash, out, start);
}

uint64_t script_chain_fields(const struct script_frames *f, const struct sample *s, uint64_t fields)
{
	return (f->chains_made || unwound_needed(s)) && !f->no_inlines ? fields | FRAME_INLINES
								       : fields;
}

bool script_fields_have_lines(uint64_t fields)
{
	return fields & (FRAME_INLINES | FIELD_SRCLINE);
}

void script_chain(struct script_frames *f, uint32_t epoch, const struct event *ev,
		  const struct sample *s, uint64_t fields, struct buf *out)
{
	unsigned int most = UINT_MAX; /* frames to show: an unwound chain is cut already */
	struct chain_lines lines;
	struct sample whole;

	fields = script_chain_fields(f, s, fields);
	if (!unwound_needed(s)) {
		f->unwound.cut +=
			s->callchain_nr > f->max_stack && f->max_stack == MAX_STACK_DEFAULT;
		add_chain(f, epoch, ev, s, fields, out);
		return;
	}
	whole = *s;
	if (f->has_ahead) {
		whole.callchain = f->ahead;
		whole.callchain_nr = f->n_ahead;
		f->has_ahead = false;
	} else if (!unwound_chain(&f->unwound, epoch, s, &whole.callchain, &whole.callchain_nr)) {
		most = f->max_stack;
	}
	/* unwound chains hardly ever repeat: their texts are not kept */
	lines_init(&lines, f, epoch, fields, out);
	chain_text(&lines, &whole, has_branch_chain(f, ev, s), most);
}
