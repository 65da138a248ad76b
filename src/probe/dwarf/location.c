// SPDX-License-Identifier: MIT
#include "probe/dwarf/location.h"

#include "probe/dwarf/die.h"

#include <dwarf.h>
#include <elf.h>
#include <inttypes.h>
#include <string.h>

#define STACK_MOST  16
#define DEREFS_MOST 8

const char *probe_register(uint16_t machine, unsigned int number)
{
	/* the kernel's names, by the numbers of the psABIs */
	static const char *const x86_64[] = {"%ax",  "%dx",  "%cx",  "%bx", "%si",  "%di",
					     "%bp",  "%sp",  "%r8",  "%r9", "%r10", "%r11",
					     "%r12", "%r13", "%r14", "%r15"};
	static const char *const i386[] = {"%ax",    "%cx", "%dx", "%bx",
					   "$stack", "%bp", "%si", "%di"};
	static const char *const arm64[] = {"%x0",  "%x1",  "%x2",  "%x3",  "%x4",  "%x5",  "%x6",
					    "%x7",  "%x8",  "%x9",  "%x10", "%x11", "%x12", "%x13",
					    "%x14", "%x15", "%x16", "%x17", "%x18", "%x19", "%x20",
					    "%x21", "%x22", "%x23", "%x24", "%x25", "%x26", "%x27",
					    "%x28", "%x29", "%lr",  "%sp"};

	switch (machine) {
	case EM_X86_64:
		return number < ARRAY_SIZE(x86_64) ? x86_64[number] : NULL;
	case EM_386:
		return number < ARRAY_SIZE(i386) ? i386[number] : NULL;
	case EM_AARCH64:
		return number < ARRAY_SIZE(arm64) ? arm64[number] : NULL;
	}
	return NULL;
}

void probe_frame_init(struct probe_frame *f)
{
	Dwarf_Attribute a;
	Dwarf_Frame *frame = NULL;
	Dwarf_CFI *debug;

	f->frame_ops = NULL;
	f->n_frame_ops = 0;
	f->cfi_frame = NULL;
	if (!dwarf_attr_integrate(&f->function, DW_AT_frame_base, &a) ||
	    dwarf_getlocation_addr(&a, f->address, &f->frame_ops, &f->n_frame_ops, 1) <= 0)
		f->frame_ops = NULL;
	if (!f->frame_ops || f->n_frame_ops != 1 || f->frame_ops[0].atom != DW_OP_call_frame_cfa)
		return;
	f->frame_ops = NULL;
	debug = dwarf_getcfi(f->debug->reader.dwarf);
	if ((f->debug->eh && !dwarf_cfi_addrframe(f->debug->eh, f->address, &frame)) ||
	    (debug && !dwarf_cfi_addrframe(debug, f->address, &frame)))
		if (dwarf_frame_cfa(frame, &f->frame_ops, &f->n_frame_ops))
			f->frame_ops = NULL;
	f->cfi_frame = frame;
}

void probe_frame_release(struct probe_frame *f)
{
	free(f->cfi_frame);
	f->cfi_frame = NULL;
	f->frame_ops = NULL;
}

/* A value in the making: base, memory that was followed, and what was added since. */
struct value {
	enum { VALUE_NUMBER, VALUE_REGISTER, VALUE_STATIC } kind;
	unsigned int number; /* of the register */
	int64_t derefs[DEREFS_MOST];
	size_t n_derefs;
	int64_t offset; /* or the number, or the address */
};

struct machine {
	const struct probe_frame *f;
	struct arena *arena;
	struct value stack[STACK_MOST];
	size_t n;
	bool in_register; /* the value is the register itself, or was computed */
	const char *why;
};

static void give_up(struct machine *m, const char *why)
{
	if (!m->why)
		m->why = why;
}

static void push(struct machine *m, struct value v)
{
	if (m->n == STACK_MOST)
		give_up(m, "its location is too complex");
	else
		m->stack[m->n++] = v;
}

static void add_number(struct machine *m, int64_t n)
{
	struct value *v = m->n ? &m->stack[m->n - 1] : NULL;

	if (v)
		v->offset = (int64_t)((uint64_t)v->offset + (uint64_t)n);
	else
		give_up(m, "its location is damaged");
}

/* The two topmost become one. */
static void combine(struct machine *m, bool minus)
{
	struct value b;

	if (m->n < 2) {
		give_up(m, "its location is damaged");
		return;
	}
	b = m->stack[--m->n];
	if (b.kind == VALUE_NUMBER && !b.n_derefs) {
		add_number(m, minus ? -b.offset : b.offset);
	} else if (!minus && m->stack[m->n - 1].kind == VALUE_NUMBER &&
		   !m->stack[m->n - 1].n_derefs) {
		b.offset += m->stack[m->n - 1].offset;
		m->stack[m->n - 1] = b;
	} else {
		give_up(m, "it is computed from several values here");
	}
}

static void location_follow(struct machine *m)
{
	struct value *v = m->n ? &m->stack[m->n - 1] : NULL;

	if (!v || v->n_derefs == DEREFS_MOST) {
		give_up(m, "its location is too complex");
		return;
	}
	v->derefs[v->n_derefs++] = v->offset;
	v->offset = 0;
}

static void evaluate(struct machine *m, const Dwarf_Op *ops, size_t n, bool of_frame);

/* A parameter's value as it was when the function was called: there only where nothing has
 * run yet. */
static void entry_value(struct machine *m, Dwarf_Attribute *attribute, const Dwarf_Op *op)
{
	Dwarf_Addr entry;
	Dwarf_Attribute a;
	Dwarf_Op *inner;
	size_t n;

	if (!die_entry((Dwarf_Die *)&m->f->function, &entry) || entry != m->f->address)
		give_up(m, "it is not kept: only the function's entry still has it");
	else if (!attribute || dwarf_getlocation_attr(attribute, op, &a) ||
		 dwarf_getlocation(&a, &inner, &n) || n != 1 || inner->atom < DW_OP_reg0 ||
		 inner->atom > DW_OP_reg31)
		give_up(m, "its location is too complex");
	else
		push(m, (struct value){VALUE_REGISTER, inner->atom - DW_OP_reg0, .n_derefs = 0});
}

static bool is_literal(const Dwarf_Op *op, int64_t *v)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		*v = op->atom - DW_OP_lit0;
		return true;
	}
	*v = (int64_t)op->number;
	return op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts;
}

/* The location of a value that lies in a register: the name of the register alone. */
static void in_register(struct machine *m, unsigned int number, bool last)
{
	if (!last)
		give_up(m, "it lies in several pieces here");
	m->in_register = true;
	push(m, (struct value){VALUE_REGISTER, number, .n_derefs = 0});
}

static void evaluate_one(struct machine *m, const Dwarf_Op *op, bool last, bool of_frame)
{
	int64_t number;

	if (is_literal(op, &number)) {
		push(m, (struct value){VALUE_NUMBER, .offset = number});
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		push(m, (struct value){VALUE_REGISTER, op->atom - DW_OP_breg0,
				       .offset = (int64_t)op->number});
	} else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		if (of_frame) /* the frame begins where the register points to */
			push(m,
			     (struct value){VALUE_REGISTER, op->atom - DW_OP_reg0, .n_derefs = 0});
		else
			in_register(m, op->atom - DW_OP_reg0, last);
	} else {
		switch (op->atom) {
		case DW_OP_bregx:
			push(m, (struct value){VALUE_REGISTER, (unsigned int)op->number,
					       .offset = (int64_t)op->number2});
			break;
		case DW_OP_regx:
			in_register(m, (unsigned int)op->number, last);
			break;
		case DW_OP_fbreg:
			if (!m->f->frame_ops || of_frame) {
				give_up(m, "its function's frame is not described here");
				break;
			}
			evaluate(m, m->f->frame_ops, m->f->n_frame_ops, true);
			add_number(m, (int64_t)op->number);
			break;
		case DW_OP_addr:
		case DW_OP_addrx:
		case DW_OP_GNU_addr_index:
			push(m, (struct value){VALUE_STATIC, .offset = (int64_t)op->number});
			break;
		case DW_OP_plus_uconst:
			add_number(m, (int64_t)op->number);
			break;
		case DW_OP_plus:
		case DW_OP_minus:
			combine(m, op->atom == DW_OP_minus);
			break;
		case DW_OP_deref:
			location_follow(m);
			break;
		case DW_OP_stack_value:
			m->in_register = true;
			break;
		case DW_OP_piece:
		case DW_OP_bit_piece:
			give_up(m, "it lies in several pieces here");
			break;
		case DW_OP_implicit_pointer:
		case DW_OP_GNU_implicit_pointer:
			give_up(m, "it points to what was optimised out");
			break;
		case DW_OP_form_tls_address:
		case DW_OP_GNU_push_tls_address:
			give_up(m, "it is a thread's own, which the kernel cannot find");
			break;
		case DW_OP_call_frame_cfa:
			give_up(m, "its function's frame is not described here");
			break;
		case DW_OP_nop:
			break;
		default:
			give_up(m, "it is computed here, not stored");
		}
	}
}

static void evaluate(struct machine *m, const Dwarf_Op *ops, size_t n, bool of_frame)
{
	for (size_t i = 0; i < n && !m->why; i++)
		evaluate_one(m, &ops[i], i + 1 == n, of_frame);
}

/* From the value on the stack to the kernel's words. */
static const char *translate(struct machine *m, struct probe_fetch *out, bool *memory)
{
	const struct value *v = m->n ? &m->stack[m->n - 1] : NULL;
	const char *name;

	if (m->why || !v)
		return m->why ? m->why : "its location is damaged";
	*memory = !m->in_register;
	if (m->in_register && v->kind == VALUE_NUMBER && !v->n_derefs) {
		out->base = arena_printf(m->arena, "\\%" PRId64, v->offset);
		return NULL;
	}
	if (v->kind == VALUE_NUMBER)
		return "its location is too complex";
	if (v->kind == VALUE_STATIC)
		return "it is computed from a static variable's address";
	name = probe_register(m->f->debug->machine, v->number);
	if (!name)
		return arena_printf(m->arena,
				    "it lies in register %u, which the kernel cannot fetch",
				    v->number);
	if (m->in_register && v->offset)
		return arena_printf(m->arena, "it is computed here (%s%+" PRId64 "), not stored",
				    v->n_derefs ? "memory" : name, v->offset);
	out->base = name;
	for (size_t i = 0; i < v->n_derefs; i++)
		vec_add(&out->derefs, (struct probe_deref){v->derefs[i]});
	if (!m->in_register)
		vec_add(&out->derefs, (struct probe_deref){v->offset});
	return NULL;
}

/* A variable with an address of its own. The kernel finds it by a symbol; a program's by its place
 * in the file, as far from the file's beginning as code would lie there. */
static const char *static_variable(const struct probe_frame *f, Dwarf_Die *variable,
				   uint64_t address, bool known, struct arena *arena,
				   struct probe_fetch *out, bool *memory)
{
	*memory = true;
	if (f->debug->is_kernel) {
		out->base = arena_printf(arena, "@%s", die_name(variable));
		vec_add(&out->derefs, (struct probe_deref){0});
		return NULL;
	}
	if (!known)
		return "it is defined elsewhere";
	out->base = "@";
	vec_add(&out->derefs, (struct probe_deref){(int64_t)(address - f->debug->text_shift)});
	return NULL;
}

static const char *constant(Dwarf_Attribute *a, struct arena *arena, struct probe_fetch *out)
{
	Dwarf_Sword number;
	const char *text;

	if (!dwarf_formsdata(a, &number)) {
		out->base = arena_printf(arena, "\\%" PRId64, (int64_t)number);
		return NULL;
	}
	text = dwarf_formstring(a);
	if (!text)
		return "it is a constant of a kind that the kernel does not know";
	out->base = arena_printf(arena, "\\\"%s\"", text);
	return NULL;
}

/* The expression that holds at the address. Compilers know of parameters only behind what a
 * profiler's call at the entry (-pg) takes: where the entry has none, the nearest one behind it
 * counts. */
static bool find_expression(const struct probe_frame *f, Dwarf_Die *variable, Dwarf_Attribute *a,
			    Dwarf_Op **ops, size_t *n)
{
	Dwarf_Addr entry, end, base, from, to, nearest = UINT64_MAX;
	Dwarf_Op *some;
	ptrdiff_t at = 0;
	size_t count;

	if (dwarf_getlocation_addr(a, f->address, ops, n, 1) > 0 && *n)
		return true;
	if (dwarf_tag(variable) != DW_TAG_formal_parameter ||
	    dwarf_entrypc((Dwarf_Die *)&f->function, &entry) || entry != f->address ||
	    dwarf_highpc((Dwarf_Die *)&f->function, &end))
		return false;
	while ((at = dwarf_getlocations(a, at, &base, &from, &to, &some, &count)) > 0)
		if (from > entry && from < MIN(end, nearest) && count) {
			nearest = from;
			*ops = some;
			*n = count;
		}
	return nearest != UINT64_MAX;
}

/* " (it is there from +4 to +20)" */
static const char *not_here(const struct probe_frame *f, Dwarf_Attribute *a, struct arena *arena)
{
	Dwarf_Addr entry = 0, base, from, to;
	AUTO_BUF text = {0};
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	die_entry((Dwarf_Die *)&f->function, &entry);
	buf_str(&text, "it was optimised out here");
	for (int found = 0;
	     found < 4 && (at = dwarf_getlocations(a, at, &base, &from, &to, &ops, &n)) > 0;)
		if (n && dwarf_haspc((Dwarf_Die *)&f->function, from) > 0 && from < to)
			buf_printf(&text, "%s+%" PRIu64 " to +%" PRIu64,
				   found++ ? ", " : ", and is there from ",
				   (uint64_t)(from - entry), (uint64_t)(to - entry));
	return arena_strdup(arena, buf_text(&text));
}

const char *probe_location_find(const struct probe_frame *f, Dwarf_Die *variable,
				struct arena *arena, struct probe_fetch *out, bool *memory)
{
	struct machine m = {.f = f, .arena = arena};
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	*memory = false;
	if (!dwarf_attr_integrate(variable, DW_AT_location, &a)) {
		if (dwarf_attr_integrate(variable, DW_AT_const_value, &a))
			return constant(&a, arena, out);
		if (dwarf_attr(variable, DW_AT_external, &a))
			return static_variable(f, variable, 0, false, arena, out, memory);
		return "it was optimised out";
	}
	if (!find_expression(f, variable, &a, &ops, &n))
		return not_here(f, &a, arena);
	if (n == 1 && (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx ||
		       ops[0].atom == DW_OP_GNU_addr_index)) {
		Dwarf_Attribute inner;
		Dwarf_Addr address = ops[0].number;

		if (ops[0].atom != DW_OP_addr &&
		    (dwarf_getlocation_attr(&a, ops, &inner) || dwarf_formaddr(&inner, &address)))
			return "its location is damaged";
		return static_variable(f, variable, address, true, arena, out, memory);
	}
	for (size_t i = 0; i < n && !m.why; i++)
		if (ops[i].atom == DW_OP_entry_value || ops[i].atom == DW_OP_GNU_entry_value)
			entry_value(&m, &a, &ops[i]);
		else
			evaluate_one(&m, &ops[i], i + 1 == n, false);
	return translate(&m, out, memory);
}
