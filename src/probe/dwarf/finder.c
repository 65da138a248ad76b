// SPDX-License-Identifier: MIT
#include "probe/dwarf/finder.h"

#include "probe/dwarf/die.h"
#include "probe/dwarf/variable.h"

#include <dwarf.h>
#include <string.h>

/* What stands for a variable at a place that has none of it, when other places of the same probe
 * do. */
#define NO_VALUE "\\0xdeade12d"

struct probe_finder *probe_finder_open(const char *debug_path, const char *path, bool is_kernel,
				       uint64_t cache_size, struct err *err)
{
	struct probe_finder *f = NEW(struct probe_finder);

	if (probe_debug_open(&f->debug, debug_path, path, cache_size, err)) {
		free(f);
		return NULL;
	}
	f->debug.is_kernel = is_kernel;
	return f;
}

void probe_finder_close(struct probe_finder *f)
{
	if (!f)
		return;
	probe_debug_close(&f->debug);
	arena_release(&f->arena);
	free(f);
}

const char *probe_finder_missing(struct probe_finder *f)
{
	return probe_debug_missing(&f->debug);
}

uint64_t probe_finder_file_offset(const struct probe_finder *f, uint64_t vaddr)
{
	return vaddr - f->debug.text_shift;
}

uint64_t probe_finder_vaddr(const struct probe_finder *f, uint64_t offset)
{
	return offset + f->debug.text_shift;
}

struct expansion {
	struct probe_frame *frame;
	struct arena *arena;
	bool all; /* $vars: local variables, too */
	VEC(struct probe_arg) args;
};

/* Those only that can be had here. */
static enum die_walk expand_one(Dwarf_Die *die, void *ctx)
{
	struct expansion *e = ctx;
	const int tag = dwarf_tag(die);
	struct probe_fetch fetch = {0};
	bool memory;

	if (e->args.n < PROBE_ARGS_MAX && dwarf_diename(die) &&
	    (tag == DW_TAG_formal_parameter || (tag == DW_TAG_variable && e->all)) &&
	    !probe_location_find(e->frame, die, e->arena, &fetch, &memory))
		vec_add(&e->args,
			(struct probe_arg){.value = arena_strdup(e->arena, dwarf_diename(die))});
	vec_release(&fetch.derefs);
	return dwarf_haspc(die, e->frame->address) > 0 ? DIE_INTO : DIE_PAST;
}

struct collect {
	struct probe_defs *out;
	size_t first;			  /* of the definitions of this spec */
	const char *why;		  /* why the last variable that was missed cannot be had */
	const char *missing, *missing_at; /* its name, and where it stands in the spec's text */
};

/* Appends one argument; without a base when its value cannot be had. */
static int add_arg(struct points *p, struct probe_frame *frame, Dwarf_Die *scope,
		   const struct probe_arg *arg, struct collect *c, struct probe_def *d)
{
	struct probe_fetch fetch;
	const char *why = NULL;
	int got = probe_variable_fetch(frame, scope, arg, p->spec, p->arena, &fetch, &why, p->notes,
				       p->err);

	if (!got) {
		c->why = why;
		c->missing = arg->value;
		c->missing_at = arg->at;
		fetch.base = NULL;
		vec_release(&fetch.derefs);
	}
	vec_add(&d->args, fetch);
	return got < 0 ? -1 : 0;
}

static int add_args(struct points *p, struct probe_frame *frame, Dwarf_Die *scope,
		    struct collect *c, struct probe_def *d)
{
	const struct probe_spec *s = p->spec;
	int ret = 0;

	for (size_t i = 0; i < s->args.n && !ret; i++) {
		const struct probe_arg *arg = &s->args.at[i];
		struct expansion e = {frame, p->arena, !strcmp(arg->value, "$vars")};

		if (!probe_arg_is_list(arg)) {
			ret = add_arg(p, frame, scope, arg, c, d);
			continue;
		}
		die_walk_below(scope, expand_one, &e, NULL);
		for (size_t j = 0; j < e.args.n && !ret; j++) {
			e.args.at[j].at = arg->at;
			ret = add_arg(p, frame, scope, &e.args.at[j], c, d);
		}
		vec_release(&e.args);
	}
	return ret;
}

static int add_def(struct points *p, struct probe_frame *frame, Dwarf_Die *scope, void *ctx)
{
	const struct probe_spec *s = p->spec;
	struct collect *c = ctx;
	struct probe_def *d;
	Dwarf_Addr entry = 0;

	die_entry(&frame->function, &entry);
	if (s->retprobe && entry != frame->address) {
		err_set(p->err, ERR_INPUT, "'%s' was inlined there: it does not return",
			s->function);
		return err_hint(p->err, "'perf probe -a %s' probes where it was inlined",
				s->function);
	}
	d = vec_extend(c->out, 1);
	d->retprobe = s->retprobe;
	d->address = frame->address;
	d->symbol = arena_strdup(p->arena, die_name(&frame->function));
	d->offset = frame->address - entry;
	d->function = arena_strdup(p->arena, die_name(scope));
	return add_args(p, frame, scope, c, d);
}

/* A variable that some places of a probe have gets a mark at the others; one that none has is an
 * error. */
static int fill_missing(const struct probe_spec *s, struct collect *c, struct err *err)
{
	const size_t n = c->out->n - c->first;
	struct probe_def *defs = c->out->at + c->first;
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = MAX(most, defs[i].args.n);
	for (size_t i = 0; i < s->args.n && !most; i++)
		if (probe_arg_is_list(&s->args.at[i]))
			return probe_spec_fail(
				s->text, s->args.at[i].at, err,
				"'%s' stands for nothing: no variable can be had here",
				s->args.at[i].value);
	for (size_t j = 0; j < most; j++) {
		const struct probe_fetch *have = NULL;

		for (size_t i = 0; i < n && !have; i++)
			if (j < defs[i].args.n && defs[i].args.at[j].base)
				have = &defs[i].args.at[j];
		if (!have)
			return probe_spec_fail(s->text, c->missing_at, err,
					       "'%s' cannot be had: %s", c->missing, c->why);
		for (size_t i = 0; i < n; i++) {
			struct probe_fetch *f = j < defs[i].args.n ? &defs[i].args.at[j] : NULL;

			if (!f || f->base)
				continue;
			f->base = NO_VALUE;
			f->type = have->type;
		}
	}
	return 0;
}

int probe_finder_defs(struct probe_finder *f, const struct probe_spec *s,
		      const struct probe_wishes *w, struct probe_defs *out, struct buf *notes,
		      struct err *err)
{
	struct collect c = {out, out->n};
	struct points p = {.debug = &f->debug,
			   .spec = s,
			   .wishes = w,
			   .arena = &out->arena,
			   .notes = notes,
			   .err = err,
			   .fn = add_def,
			   .ctx = &c};

	if (points_find(&p))
		return -1;
	if (out->n == c.first)
		return 0;
	return fill_missing(s, &c, err) ? -1 : 1;
}
