// SPDX-License-Identifier: MIT
#include "probe/types/data_types.h"

#include "base/hash.h"
#include "probe/types/data_type.h"
#include "probe/types/operand.h"
#include "probe/types/program_variables.h"
#include "symbol/contained/contained_types.h"
#include "symbol/disasm/flow.h"
#include "symbol/lines/lines.h"

#define FOLLOW_MOST    8  /* loads that lead from one to the next */
#define BACK_MOST      64 /* instructions that are gone back for each of them */
#define REGISTER_BYTES 8

/* The debug information of a dso. */
struct typed_dso {
	struct probe_debug debug;
	bool open;
	struct program_variables variables;
};
/* A function that was disassembled. */
struct typed_code {
	struct disasm disasm;
	struct disasm_flow flow;
	struct arena arena;
	const struct operand_machine *machine; /* NULL: its operands cannot be read */
	bool known; /* the entries of the function in the debug information */
	Dwarf_Die unit, function;
};
struct data_types {
	struct arena arena;
	struct disasm_options how;
	struct data_codes counted;
	struct idmap dsos; /* dso index -> index */
	VEC(struct typed_dso *) debugs;
	struct intern code_keys; /* {dso, symbol} -> index */
	VEC(struct typed_code *) codes;
	struct intern access_keys; /* {dso, rva} -> index */
	VEC(struct data_access) accesses;
	struct intern type_keys; /* {dso index, size, name} -> index */
	VEC(struct data_type *) types;
	struct idmap noted; /* type -> id of the noted one */
};

const char *data_miss_name(enum data_miss miss)
{
	static const char *const names[] = {
		[DATA_FOUND] = "ok",
		[DATA_NO_SYM] = "no_sym",
		[DATA_NO_INSN] = "no_insn",
		[DATA_NO_INSN_OPS] = "no_insn_ops",
		[DATA_NO_MEM_OPS] = "no_mem_ops",
		[DATA_NO_DBGINFO] = "no_dbginfo",
		[DATA_NO_CUINFO] = "no_cuinfo",
		[DATA_NO_VAR] = "no_var",
		[DATA_NO_TYPEINFO] = "no_typeinfo",
		[DATA_INVALID_SIZE] = "invalid_size",
		[DATA_BAD_OFFSET] = "bad_offset",
	};

	return names[miss];
}

struct data_types *data_types_new(void)
{
	struct data_types *d = NEW(struct data_types);

	d->how = (struct disasm_options){.tools = {DISASM_LLVM, DISASM_OBJDUMP}};
	return d;
}

void data_types_disassemble_by(struct data_types *d, const struct disasm_options *how)
{
	if (how->tools[0])
		memcpy(d->how.tools, how->tools, sizeof(d->how.tools));
	d->how.objdump = how->objdump;
}

void data_codes_add(struct data_codes *sum, const struct data_codes *more)
{
	if (more->failed && (!sum->failed || (more->broken && !sum->broken)))
		sum->why = more->why;
	sum->n += more->n;
	sum->failed += more->failed;
	sum->broken |= more->broken;
}

const struct data_codes *data_types_codes(const struct data_types *d)
{
	return &d->counted;
}

void data_types_free(struct data_types *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->debugs.n; i++) {
		program_variables_release(&d->debugs.at[i]->variables);
		probe_debug_close(&d->debugs.at[i]->debug);
		free(d->debugs.at[i]);
	}
	for (size_t i = 0; i < d->codes.n; i++) {
		disasm_release(&d->codes.at[i]->disasm);
		arena_release(&d->codes.at[i]->arena);
		free(d->codes.at[i]);
	}
	for (size_t i = 0; i < d->types.n; i++)
		vec_release(&d->types.at[i]->members);
	vec_release(&d->debugs);
	vec_release(&d->codes);
	vec_release(&d->accesses);
	vec_release(&d->types);
	idmap_release(&d->dsos);
	intern_release(&d->code_keys);
	intern_release(&d->access_keys);
	intern_release(&d->type_keys);
	idmap_release(&d->noted);
	arena_release(&d->arena);
	free(d);
}

static struct typed_dso *typed_dso_get(struct data_types *d, struct dso *dso)
{
	uint32_t *index = idmap_put(&d->dsos, dso->index);
	struct typed_dso *t;
	uint64_t moved; /* the addresses asked for are those of the file */
	const char *path;
	struct err why = {0};

	if (*index != HASH_NONE)
		return d->debugs.at[*index];
	*index = (uint32_t)d->debugs.n;
	t = NEW(struct typed_dso);
	t->debug.code_fd = -1;
	t->debug.reader.fd = -1;
	vec_add(&d->debugs, t);
	path = dso_debug_file(dso, &moved);
	if (!path)
		return t;
	/* for call frame information the file that runs is asked, too */
	t->open = !probe_debug_open(&t->debug, path, dso_file(dso) ? dso->source_path : path, 0,
				    &why);
	return t;
}

bool data_types_possible(struct data_types *d, struct dso *dso)
{
	return typed_dso_get(d, dso)->open;
}

static struct typed_code *typed_code_get(struct data_types *d, struct dso *dso,
					 const struct symbol *sym)
{
	const void *const key[] = {dso, sym};
	const uint32_t id = intern_put(&d->code_keys, key, sizeof(key));
	struct data_codes counted = {.n = 1};
	struct typed_code *c;

	if (id < d->codes.n)
		return d->codes.at[id];
	c = NEW(struct typed_code);
	vec_add(&d->codes, c);
	if (disasm_symbol(&c->disasm, dso, sym, &d->how, &counted.why)) {
		counted.failed = 1;
		counted.broken = counted.why.code != ERR_INPUT;
	} else if (c->disasm.machine) {
		c->machine = operand_machine_find(c->disasm.machine->elf, c->disasm.machine->bits);
	}
	data_codes_add(&d->counted, &counted);
	if (c->machine)
		disasm_flow_init(&c->flow, &c->disasm, &c->arena);
	return c;
}

/* A search in one function. */
struct data_search {
	struct typed_code *code;
	struct typed_dso *dso;
	bool no_unit;	      /* nothing is known of the function */
	unsigned int follows; /* loads that were followed */
};

/* The text of a line's instruction from the mnemonic on, which has n bytes. */
static const char *line_operands(const struct typed_code *c, size_t line, struct operands *o,
				 size_t *n)
{
	const char *name = c->disasm.lines.at[line].text + c->flow.insns[line].name;

	*n = c->flow.insns[line].name_n;
	c->machine->read(o, name, *n);
	return name;
}

/* Opens the function at a line. False, and .no_unit: nothing is known of it. */
static bool search_frame(struct data_search *s, size_t line, struct probe_frame *f)
{
	bool has_unit;

	*f = (struct probe_frame){.debug = &s->dso->debug,
				  .unit = s->code->unit,
				  .function = s->code->function,
				  .address = s->code->disasm.lines.at[line].vaddr};
	if (s->code->known && dwarf_haspc(&f->function, f->address) > 0) {
		probe_frame_init(f);
		return true;
	}
	s->code->known = variable_frame_init(f, &has_unit);
	s->code->unit = f->unit;
	s->code->function = f->function;
	s->no_unit |= !s->code->known;
	return s->code->known;
}

static bool register_changes(const struct typed_code *c, size_t line, int number)
{
	struct operands o;
	const char *name;
	size_t n;

	if (c->disasm.lines.at[line].vaddr == DISASM_NO_ADDRESS)
		return false;
	if (c->flow.insns[line].kind == INSN_CALL)
		return c->machine->call_changes >> (unsigned int)number & 1;
	if (c->flow.insns[line].kind == INSN_JUMP)
		return false;
	name = line_operands(c, line, &o, &n);
	return c->machine->writes(&o, name, n, number);
}

/* True for a jump from outside of the lines into them, apart from one line. */
static bool jumps_between(const struct typed_code *c, size_t from, size_t to, size_t but)
{
	const uint64_t low = c->disasm.lines.at[from].vaddr, high = c->disasm.lines.at[to].vaddr;

	for (size_t i = 0; i < c->disasm.lines.n; i++) {
		const struct insn *insn = &c->flow.insns[i];

		if (insn->kind == INSN_JUMP && insn->has_target && (i < from || i > to) &&
		    insn->target > low && insn->target <= high &&
		    insn->target != c->disasm.lines.at[but].vaddr)
			return true;
	}
	return false;
}

/* A line that jumps lead to: goes back to the line above which the register has the same value,
 * whichever way the code came here. False: there is none. */
static bool pass_target(const struct typed_code *c, size_t *line, int number)
{
	const uint64_t target = c->disasm.lines.at[*line].vaddr;
	size_t low = *line, high = *line;

	if (c->flow.has_unknown)
		return false;
	for (size_t i = 0; i < c->disasm.lines.n; i++)
		if (c->flow.insns[i].kind == INSN_JUMP && c->flow.insns[i].has_target &&
		    c->flow.insns[i].target == target) {
			low = MIN(low, i);
			high = MAX(high, i);
		}
	for (size_t i = low; i <= high; i++)
		if (register_changes(c, i, number))
			return false;
	if (jumps_between(c, low, high, *line))
		return false;
	*line = low;
	return true;
}

static enum place_found search_operand(struct data_search *s, size_t line,
				       const struct operand *memory, struct typed_place *out);

/* What lies offset bytes from the pointer that an instruction loads into a register. */
static enum place_found search_loaded(struct data_search *s, size_t line, struct operand from,
				      int64_t offset, struct typed_place *out)
{
	struct typed_place pointer;
	enum place_found found;

	if (s->follows++ >= FOLLOW_MOST)
		return PLACE_NONE;
	found = search_operand(s, line, &from, &pointer);
	return found == PLACE_TYPED ? typed_place_follow(&pointer, offset, out) : found;
}

/* A register's value after the instruction of a line. PLACE_NONE with *on: the instruction does not
 * change it, or adds to it; the search goes on above it. */
static enum place_found search_written(struct data_search *s, size_t line, int *number,
				       int64_t *offset, bool *on, struct typed_place *out)
{
	const struct insn *insn = &s->code->flow.insns[line];
	struct operands o;
	size_t n;

	line_operands(s->code, line, &o, &n);
	*on = !register_changes(s->code, line, *number);
	if (*on || insn->kind == INSN_CALL || (insn->kind == INSN_JUMP && insn->always)) {
		*on &= insn->kind != INSN_JUMP || !insn->always;
		return PLACE_NONE;
	}
	if (o.stepped == *number) {
		*offset += o.step;
		*on = o.to.kind != OPERAND_REGISTER || o.to.base != *number;
		return PLACE_NONE;
	}
	if (o.operation == OPERATION_MOVE && o.pair == *number) {
		o.from.offset += REGISTER_BYTES;
		return search_loaded(s, line, o.from, *offset, out);
	}
	if (o.n != 2 || o.to.kind != OPERAND_REGISTER || !o.to.whole)
		return PLACE_NONE;
	switch (o.operation) {
	case OPERATION_ADD:
	case OPERATION_SUB:
		/* what a register adds is an index */
		if (o.from.kind == OPERAND_NUMBER)
			*offset += o.operation == OPERATION_ADD ? o.from.offset : -o.from.offset;
		*on = o.from.kind == OPERAND_NUMBER || o.from.kind == OPERAND_REGISTER;
		return PLACE_NONE;
	case OPERATION_ADDRESS:
		if (o.from.kind != OPERAND_MEMORY || s->follows++ >= FOLLOW_MOST)
			return PLACE_NONE;
		o.from.offset += *offset;
		o.from.address += (uint64_t)*offset;
		return search_operand(s, line, &o.from, out);
	case OPERATION_MOVE:
		if (o.from.kind == OPERAND_MEMORY)
			return search_loaded(s, line, o.from, *offset, out);
		*on = o.from.kind == OPERAND_REGISTER && o.from.whole;
		if (*on)
			*number = o.from.base;
		return PLACE_NONE;
	default:
		return PLACE_NONE;
	}
}

/* What a register points to, offset bytes on, when the instruction of a line stores it in a
 * variable: it still has that value. */
static enum place_found search_stored(struct data_search *s, size_t line, int number,
				      int64_t offset, struct typed_place *out)
{
	struct operands o;
	size_t n;

	line_operands(s->code, line, &o, &n);
	if (o.operation != OPERATION_MOVE || o.to.kind != OPERAND_MEMORY ||
	    o.from.kind != OPERAND_REGISTER || !o.from.whole || o.from.base != number ||
	    search_loaded(s, line, o.to, offset, out) != PLACE_TYPED)
		return PLACE_NONE;
	return PLACE_TYPED;
}

/* What lies offset bytes from the value that a register has before the instruction of a line. */
static enum place_found search_register(struct data_search *s, size_t line, int number,
					int64_t offset, struct typed_place *out)
{
	const struct disasm *d = &s->code->disasm;

	for (unsigned int i = 0; i < BACK_MOST; i++) {
		enum place_found found = PLACE_NONE;
		struct probe_frame f;
		bool on;

		if (search_frame(s, line, &f)) {
			found = variable_at_register(&f, number, offset, out);
			probe_frame_release(&f);
		}
		if (found != PLACE_NONE || s->no_unit)
			return found;
		if (s->code->flow.jumps[line] && !pass_target(s->code, &line, number))
			return PLACE_NONE;
		do {
			if (!line)
				return PLACE_NONE;
		} while (d->lines.at[--line].vaddr == DISASM_NO_ADDRESS);
		found = search_stored(s, line, number, offset, out);
		if (found == PLACE_TYPED)
			return found;
		found = search_written(s, line, &number, &offset, &on, out);
		if (!on)
			return found;
	}
	return PLACE_NONE;
}

static enum place_found search_operand(struct data_search *s, size_t line,
				       const struct operand *memory, struct typed_place *out)
{
	enum place_found found = PLACE_NONE;

	if (memory->segment)
		return PLACE_NONE;
	if (memory->has_address) {
		struct probe_frame f;

		if (!search_frame(s, line, &f))
			return PLACE_NONE;
		found = variable_at_address(&f, memory->address, out);
		probe_frame_release(&f);
		return found != PLACE_NONE
			       ? found
			       : program_variables_find(&s->dso->variables, &s->dso->debug,
							memory->address, out);
	}
	if (memory->base != NO_REGISTER)
		found = search_register(s, line, memory->base, memory->offset, out);
	/* the pointer may be in the other register */
	if (found == PLACE_NONE && memory->index != NO_REGISTER)
		found = search_register(s, line, memory->index, memory->offset, out);
	return found;
}

/* The type of that name and size of a dso; *made: it is new, and has no members yet. */
static uint32_t data_type_put(struct data_types *d, const struct dso *dso, const char *name,
			      uint64_t size, bool *made)
{
	AUTO_BUF key = {0};
	uint32_t id;

	buf_printf(&key, "%u %llu %s", dso->index, (unsigned long long)size, name);
	id = intern_str(&d->type_keys, buf_text(&key));
	*made = id == d->types.n;
	if (*made) {
		struct data_type *t = arena_alloc(&d->arena, sizeof(*t));

		t->name = arena_strdup(&d->arena, name);
		t->size = size;
		vec_add(&d->types, t);
	}
	return id;
}

static uint32_t data_type_of(struct data_types *d, const struct dso *dso, Dwarf_Die *type,
			     uint64_t size)
{
	AUTO_BUF name = {0};
	uint32_t id;
	bool made;

	data_type_name(type, &name);
	id = data_type_put(d, dso, buf_text(&name), size, &made);
	if (made)
		data_type_fill(d->types.at[id], type, &d->arena);
	return id;
}

/* Takes a place for the access where it lies inside of a type with a size. */
static enum data_miss access_take(struct data_types *d, const struct dso *dso,
				  struct typed_place *place, struct data_access *a)
{
	int64_t size;

	typed_place_into_array(place);
	size = type_size(&place->type);
	if (size <= 0)
		return DATA_INVALID_SIZE;
	if (place->offset < 0 || place->offset >= size)
		return DATA_BAD_OFFSET;
	a->type = data_type_of(d, dso, &place->type, (uint64_t)size);
	a->offset = (uint64_t)place->offset;
	a->dso = dso;
	return DATA_FOUND;
}

static enum data_miss data_access_search(struct data_types *d, struct dso *dso,
					 const struct symbol *sym, uint64_t rva,
					 struct data_access *a)
{
	struct typed_code *code = typed_code_get(d, dso, sym);
	const uint64_t vaddr = code->disasm.start + (rva - sym->start);
	const struct operand *memory;
	struct data_search s = {.code = code};
	struct typed_place place;
	enum place_found found;
	struct typed_dso *debug;
	struct operands o;
	const char *name;
	size_t line = 0, n;

	while (code->machine && line < code->disasm.lines.n &&
	       code->disasm.lines.at[line].vaddr != vaddr)
		line++;
	if (!code->machine || line == code->disasm.lines.n)
		return DATA_NO_INSN;
	name = line_operands(code, line, &o, &n);
	if (!o.n && !o.stack)
		return DATA_NO_INSN_OPS;
	a->mnemonic = arena_strndup(&d->arena, name, n);
	a->stack = o.stack;
	memory = operands_memory(&o);
	if (!memory)
		return DATA_NO_MEM_OPS;
	debug = typed_dso_get(d, dso);
	if (!debug->open)
		return DATA_NO_DBGINFO;
	s.dso = debug;
	found = search_operand(&s, line, memory, &place);
	if (found == PLACE_TYPED)
		return access_take(d, dso, &place, a);
	return found == PLACE_UNTYPED ? DATA_NO_TYPEINFO : s.no_unit ? DATA_NO_CUINFO : DATA_NO_VAR;
}

/* A text of a recording: it may hold anything. */
static const char *safe_text(struct data_types *d, const char *text)
{
	AUTO_BUF safe = {0};

	buf_safe(&safe, text);
	return arena_strdup(&d->arena, buf_text(&safe));
}

/* The type that a recording carries along. */
static uint32_t data_type_contained(struct data_types *d, const struct dso *dso, uint32_t type)
{
	const struct contained_type *from = contained_type_at(dso->set, type);
	AUTO_BUF name = {0};
	struct data_type *t;
	uint32_t id;
	bool made;

	buf_safe(&name, from->name);
	id = data_type_put(d, dso, buf_text(&name), from->size, &made);
	t = d->types.at[id];
	for (uint32_t i = 0; i < from->n_members && made; i++) {
		const struct contained_member *m = &from->members[i];

		vec_add(&t->members, ((struct data_member){.type = safe_text(d, m->type),
							   .name = safe_text(d, m->name),
							   .offset = m->offset,
							   .size = m->size,
							   .depth = m->depth,
							   .has_members = i + 1 < from->n_members &&
									  m[1].depth > m->depth}));
	}
	return id;
}

/* The access as a recording carries it along; false: it does not. */
static bool access_contained(struct data_types *d, struct dso *dso, uint64_t rva, bool variable,
			     struct data_access *a)
{
	struct contained_access c;

	if (!contained_access_find(dso, rva, variable, &c) || c.miss >= DATA_MISSES ||
	    (c.miss == DATA_FOUND) != (c.type != CONTAINED_NO_TYPE))
		return false;
	*a = (struct data_access){.miss = c.miss,
				  .stack = c.flags & CONTAINED_STACK,
				  .mnemonic = c.mnemonic ? safe_text(d, c.mnemonic) : NULL};
	if (c.miss != DATA_FOUND)
		return true;
	a->type = data_type_contained(d, dso, c.type);
	a->dso = dso;
	a->offset = c.offset;
	return true;
}

static uint32_t note_type(struct data_types *d, struct dso_set *set, uint32_t type)
{
	const struct data_type *t = d->types.at[type];
	uint32_t *noted = idmap_put(&d->noted, type);
	struct contained_member *m;

	if (*noted != HASH_NONE)
		return *noted;
	m = mem_alloc(t->members.n * sizeof(*m));
	for (size_t i = 0; i < t->members.n; i++)
		m[i] = (struct contained_member){t->members.at[i].type, t->members.at[i].name,
						 t->members.at[i].offset, t->members.at[i].size,
						 t->members.at[i].depth};
	*noted = contained_note_type(
		set, &(struct contained_type){t->name, t->size, m, (uint32_t)t->members.n});
	free(m);
	return *noted;
}

static void access_note(struct data_types *d, struct dso *dso, uint64_t rva, bool variable,
			const struct data_access *a)
{
	struct contained_access c = {.rva = rva,
				     .offset = a->offset,
				     .type = CONTAINED_NO_TYPE,
				     .miss = (uint8_t)a->miss,
				     .flags = (a->stack ? CONTAINED_STACK : 0) |
					      (variable ? CONTAINED_VARIABLE : 0),
				     .mnemonic = a->mnemonic};

	if (a->miss == DATA_FOUND)
		c.type = note_type(d, dso->set, a->type);
	contained_note_access(dso, &c);
}

static enum data_miss variable_search(struct data_types *d, struct dso *dso, uint64_t rva,
				      struct data_access *a)
{
	struct typed_dso *debug = typed_dso_get(d, dso);
	const uint64_t vaddr = dso_vaddr(dso, rva);
	struct typed_place place;

	if (dso_rva_of_vaddr(dso, vaddr) != rva)
		return DATA_NO_VAR; /* in no segment of the file */
	if (!debug->open)
		return DATA_NO_DBGINFO;
	switch (program_variables_find(&debug->variables, &debug->debug, vaddr, &place)) {
	case PLACE_TYPED:
		return access_take(d, dso, &place, a);
	case PLACE_UNTYPED:
		return DATA_NO_TYPEINFO;
	default:
		return DATA_NO_VAR;
	}
}

/* The access at an address: of the instruction of a symbol, or of a variable. */
static const struct data_access *access_at(struct data_types *d, struct dso *dso,
					   const struct symbol *sym, uint64_t rva, bool variable)
{
	const uint64_t key[] = {(uintptr_t)dso, rva, variable};
	const uint32_t id = intern_put(&d->access_keys, key, sizeof(key));
	struct data_access a = {.miss = DATA_NO_SYM};

	if (id < d->accesses.n)
		return &d->accesses.at[id];
	if (!access_contained(d, dso, rva, variable, &a)) {
		a.miss = variable ? variable_search(d, dso, rva, &a)
				  : data_access_search(d, dso, sym, rva, &a);
		if (contained_types_noted(dso->set))
			access_note(d, dso, rva, variable, &a);
	}
	vec_add(&d->accesses, a);
	return &d->accesses.at[id];
}

const struct data_access *data_types_find(struct data_types *d, struct dso *dso,
					  const struct symbol *sym, uint64_t rva)
{
	static const struct data_access none = {.miss = DATA_NO_SYM};

	return sym ? access_at(d, dso, sym, rva, false) : &none;
}

const struct data_access *data_types_find_variable(struct data_types *d, struct dso *dso,
						   uint64_t rva)
{
	return access_at(d, dso, NULL, rva, true);
}

const struct data_type *data_types_at(const struct data_types *d, uint32_t type)
{
	return d->types.at[type];
}
