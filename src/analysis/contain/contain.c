// SPDX-License-Identifier: MIT
#include "analysis/contain/contain.h"

#include "data/extension/append.h"
#include "probe/types/data_types.h"
#include "symbol/code.h"
#include "symbol/disasm/disasm.h"
#include "symbol/disasm/function_code.h"
#include "symbol/insn_x86.h"
#include "symbol/lines/lines.h"
#include "world/replay/replay.h"

#define INSN_AT	      (INSN_X86_MAX + 1) /* bytes that script reads at an address */
#define BLOCK_MAX     16384		 /* bytes between two branches that script reads */
#define FUNCTION_MOST (1u << 20)	 /* bytes of a function whose code is stored */
#define KERNEL_HALF   (1ull << 63)

enum contain_use {
	USE_NAME = 1, /* symbol and lines */
	USE_CODE = 2, /* the code of its function, too */
	USE_DATA = 4, /* an address of data or of a branch: its mode is not known */
};

struct contain_hit {
	uint64_t ip;
	uint32_t epoch;
	uint8_t mode, use;
	uint16_t unused;
};

struct contain_block {
	uint64_t start, end;
	uint32_t epoch, unused;
};

struct contain_function {
	struct dso *dso;
	struct symbol sym;
};

struct contain {
	struct world *world;
	struct intern hits;   /* of struct contain_hit */
	struct intern blocks; /* of struct contain_block */
	struct idmap by_start;
	VEC(struct contain_function) functions;
	VEC(struct line_question) asked;
	struct code_files code;
};

static struct place contain_place(const struct contain *c, const struct contain_hit *h)
{
	if (h->use & USE_DATA)
		return world_place_data(c->world, h->epoch, h->mode, h->ip);
	if (h->mode == MISC_CPUMODE_UNKNOWN)
		return world_place_any(c->world, h->epoch, h->ip);
	return world_place(c->world, h->epoch, h->mode, h->ip);
}

static void contain_function_add(struct contain *c, struct dso *dso, const struct symbol *sym)
{
	const uint64_t key[2] = {dso->index, sym->start};
	uint32_t *known = idmap_put(&c->by_start, hash_bytes(key, sizeof(key), 0));

	if (*known != HASH_NONE)
		return;
	*known = (uint32_t)c->functions.n;
	vec_add(&c->functions, (struct contain_function){dso, *sym});
}

static void contain_look_up(struct contain *c, const struct contain_hit *h)
{
	struct place p = contain_place(c, h);
	const struct symbol *sym;
	uint8_t bytes[INSN_AT];

	if (!p.map)
		return;
	sym = place_symbol(&p);
	if (dso_has_lines(p.dso))
		vec_add(&c->asked, (struct line_question){p.dso, place_rva(&p)});
	if (sym && h->use & USE_CODE)
		contain_function_add(c, p.dso, sym);
	if (h->use & USE_CODE && !p.map->absolute && !p.dso->in_kernel)
		code_read(&c->code, p.dso, p.offset, bytes, sizeof(bytes));
}

/* Notes an address. It is looked up at once, as script does, and again when all records have been
 * read, as report does: maps may have come later. */
static void contain_hit(struct contain *c, uint32_t epoch, uint8_t mode, uint64_t ip, uint8_t use)
{
	const struct contain_hit h = {.ip = ip, .epoch = epoch, .mode = mode, .use = use};
	const size_t before = c->hits.entries.n;

	if (intern_put(&c->hits, &h, sizeof(h)) == before)
		contain_look_up(c, &h);
}

static void contain_chain(struct contain *c, uint32_t epoch, const uint64_t *words, uint64_t n)
{
	struct raw_chain walk = {.words = words, .n = n, .mode = MISC_CPUMODE_UNKNOWN};
	uint64_t ip;

	while (raw_chain_next(&walk, &ip))
		contain_hit(c, epoch, walk.mode, ip, USE_NAME);
}

/* Reads the code from one branch's target to the next branch, as script's brstackinsn does. */
static void contain_block(struct contain *c, uint32_t epoch, uint64_t start, uint64_t end)
{
	const struct contain_block b = {.start = start, .end = end, .epoch = epoch};
	const size_t before = c->blocks.entries.n;
	uint8_t code[BLOCK_MAX + INSN_X86_MAX];
	struct place p;

	if (!start || end < start || end - start > BLOCK_MAX - INSN_X86_MAX ||
	    intern_put(&c->blocks, &b, sizeof(b)) < before)
		return;
	p = world_place(c->world, epoch, start >= KERNEL_HALF ? MISC_KERNEL : MISC_USER, start);
	if (p.map && !p.map->absolute && !p.dso->in_kernel)
		code_read(&c->code, p.dso, p.offset, code, end - start + INSN_X86_MAX);
}

static void contain_branches(struct contain *c, uint32_t epoch, uint8_t mode,
			     const struct sample *s)
{
	uint64_t end = s->ip;

	for (uint64_t i = 0; i < s->branch_nr; i++) {
		struct branch_entry b;

		memcpy(&b, &s->branches[i], sizeof(b));
		contain_hit(c, epoch, mode, b.from, USE_DATA | USE_NAME | USE_CODE);
		contain_hit(c, epoch, mode, b.to, USE_DATA | USE_NAME | USE_CODE);
		contain_block(c, epoch, b.to, end);
		end = b.from;
	}
}

static int contain_sample(struct replay *rp, const struct record *r)
{
	struct contain *c = rp->ctx;
	const struct sample *s = &r->sample;
	const uint8_t mode = r->header.misc & MISC_CPUMODE_MASK;
	/* the time tells which code of a JIT was loaded */
	const uint32_t epoch = world_epoch(c->world, replay_thread(rp, s->pid, s->tid), rp->time);

	contain_hit(c, epoch, mode, s->ip, USE_NAME | USE_CODE);
	if (s->type & SAMPLE_ADDR)
		contain_hit(c, epoch, mode, s->addr, USE_DATA | USE_NAME);
	contain_chain(c, epoch, s->callchain, s->callchain_nr);
	contain_branches(c, epoch, mode, s);
	return REPLAY_GO;
}

/* True when instructions between those that were hit may have lines. */
static bool contain_has_lines(struct dso *dso)
{
	uint64_t moved;

	return dso->kind == DSO_JITDUMP ? dso_has_lines(dso) : dso_debug_file(dso, &moved) != NULL;
}

/* Asks for the lines of each instruction of a function. */
static void contain_instructions(struct contain *c, const struct contain_function *f)
{
	const bool lines = contain_has_lines(f->dso);
	struct function_code code;
	size_t length;

	if (f->sym.end - f->sym.start > FUNCTION_MOST ||
	    function_code_open(&code, f->dso, &f->sym, NULL))
		return;
	for (size_t at = 0; at < code.n && lines; at += length) {
		const bool x86 = !code.machine || code.machine->elf == EM_X86_64 ||
				 code.machine->elf == EM_386;

		vec_add(&c->asked, (struct line_question){f->dso, f->sym.start + at});
		length = x86 ? insn_x86_length(code.p + at, code.n - at, f->dso->is_64_bit)
			     : code.machine->step;
		length = MAX(length, (size_t)1);
	}
	function_code_release(&code);
}

/* Disassembles the function as annotate does, for the names of what it jumps to, calls and refers
 * to, and for its source. */
static void contain_disassemble(const struct contain_function *f)
{
	const struct disasm_options how = {.tools = {DISASM_LLVM}, .source = true};
	struct disasm d = {0};

	if (f->sym.end - f->sym.start <= FUNCTION_MOST)
		disasm_symbol(&d, f->dso, &f->sym, &how, NULL);
	disasm_release(&d);
}

/* Finds the type of data that the hit instruction accesses, or that lies at the hit address. Files
 * without debug information are left out: a reader finds by their code alone that there is none. */
static void contain_type(struct contain *c, struct data_types *types, const struct contain_hit *h)
{
	const struct place p = contain_place(c, h);
	const struct symbol *sym;
	struct dso *dso;
	uint64_t rva;

	if (!p.map)
		return;
	if (!(h->use & USE_DATA)) {
		sym = place_symbol(&p);
		if (sym && data_types_possible(types, p.dso))
			data_types_find(types, p.dso, sym, place_rva(&p));
	} else if (!(h->use & USE_CODE)) {
		dso = world_dso_of_data(c->world, h->epoch, p.map, p.ip, &rva);
		if (dso && data_types_possible(types, dso))
			data_types_find_variable(types, dso, rva);
	}
}

static void contain_types(struct contain *c)
{
	struct data_types *types = data_types_new();

	for (size_t i = 0; i < c->hits.entries.n; i++) {
		const struct contain_hit *h = c->hits.entries.at[i].p;

		if (h->use & (USE_CODE | USE_DATA))
			contain_type(c, types, h);
	}
	data_types_free(types);
}

static void contain_ask_lines(struct contain *c)
{
	AUTO(pool) *pool = pool_new(0);

	dso_sources(pool, c->asked.at, c->asked.n);
	vec_clear(&c->asked);
}

/* Looks everything up when all records were read. */
static void contain_finish(struct contain *c)
{
	for (size_t i = 0; i < c->hits.entries.n; i++)
		contain_look_up(c, c->hits.entries.at[i].p);
	for (size_t i = 0; i < c->functions.n; i++)
		contain_instructions(c, &c->functions.at[i]);
	contain_ask_lines(c);
	for (size_t i = 0; i < c->functions.n; i++)
		contain_disassemble(&c->functions.at[i]);
	contain_types(c);
}

static void contain_release(struct contain *c)
{
	intern_release(&c->hits);
	intern_release(&c->blocks);
	idmap_release(&c->by_start);
	vec_release(&c->functions);
	vec_release(&c->asked);
	code_files_release(&c->code);
}

static int contain_append(const struct recording *rec, const struct buf *payload, struct err *err)
{
	AUTO_CHAR *inside = mem_printf("%s/data", rec->path);

	return extension_append(rec->is_directory ? inside : rec->path, FEATURE_CONTAINED,
				payload->at, payload->n, err);
}

int contain_recording(struct recording *rec, const struct symbol_options *symbols,
		      struct contained_totals *totals, struct err *err)
{
	static const struct replay_handler handlers[] = {{RECORD_SAMPLE, contain_sample}, {0}};
	static const struct replay_analysis analysis = {.handlers = handlers};
	AUTO(world) *world = NULL;
	struct contained_totals own;
	AUTO_BUF payload = {0};
	struct contain c = {0};
	struct replay rp;
	int got;

	if (recording_has(rec, FEATURE_CONTAINED))
		return 0;
	c.world = world = world_of_recording(rec, symbols);
	contained_note_begin(world_dsos(world));
	replay_init(&rp, rec, world, &analysis, &c);
	rp.reading.join_chains = true;
	got = replay_run(&rp, err);
	replay_release(&rp);
	if (!got)
		contain_finish(&c);
	contain_release(&c);
	if (got || !contained_write(world_dsos(world), &payload, totals ? totals : &own))
		return got;
	return contain_append(rec, &payload, err) ? -1 : 1;
}
