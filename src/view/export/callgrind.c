// SPDX-License-Identifier: MIT
/* Source: https://valgrind.org/docs/manual/cl-format.html. */
#include "view/export/export.h"

#include <stdlib.h>

/* The weight of one function's calls from one caller. */
struct call {
	uint32_t caller, callee;
	uint64_t weight;
};

struct calls {
	VEC(struct call) all;
	struct idmap known; /* caller << 32 | callee -> index */
	uint64_t *self;	    /* by function */
};

static uint32_t callgrind_function_of(const struct stacks *s, uint32_t node)
{
	return s->frames.at[s->nodes.at[node].frame].function;
}

static void calls_add(struct calls *c, uint32_t caller, uint32_t callee, uint64_t weight)
{
	uint64_t key = (uint64_t)caller << 32 | callee;
	uint32_t at = idmap_find(&c->known, key);

	if (at == HASH_NONE) {
		*idmap_put(&c->known, key) = (uint32_t)c->all.n;
		vec_add(&c->all, (struct call){caller, callee, weight});
	} else {
		c->all.at[at].weight += weight;
	}
}

/* Finds the calls of samples[from..from + n). */
static void calls_find(struct calls *c, const struct stacks *s, size_t from, size_t n)
{
	uint64_t *total = mem_zero((s->nodes.n + 1) * sizeof(*total));

	c->self = mem_zero((s->functions.n + 1) * sizeof(*c->self));
	for (size_t i = from; i < from + n; i++) {
		const struct stack_sample *x = &s->samples.at[i];

		total[x->node] += x->weight;
		if (x->node)
			c->self[callgrind_function_of(s, x->node)] += x->weight;
	}
	for (uint32_t i = (uint32_t)s->nodes.n; i-- > 1;) {
		uint32_t parent = s->nodes.at[i].parent;

		total[parent] += total[i];
		if (parent && total[i])
			calls_add(c, callgrind_function_of(s, parent), callgrind_function_of(s, i),
				  total[i]);
	}
	free(total);
}

static int by_caller(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* Writes a name's number; the first time also the name itself. */
static void put_name(struct buf *b, const char *kind, uint32_t id, const char *name, bool *told)
{
	buf_printf(b, "%s=(%u)", kind, id + 1);
	if (!*told) {
		buf_char(b, ' ');
		buf_safe(b, name);
	}
	*told = true;
	buf_char(b, '\n');
}

struct names {
	bool *functions, *dsos;
	struct intern files;
	bool *file_told;
};

static void put_file(const struct stack_function *f, struct names *names, const char *kind,
		     struct buf *b)
{
	uint32_t file = intern_str(&names->files, f->file ? f->file : "???");

	put_name(b, kind, file, intern_text(&names->files, file), &names->file_told[file]);
}

static void put_function(const struct stacks *s, uint32_t id, const struct calls *c, size_t *at,
			 struct names *names, struct buf *b)
{
	const struct stack_function *f = &s->functions.at[id];

	if (!c->self[id] && (*at == c->all.n || c->all.at[*at].caller != id))
		return; /* a function of other events */
	put_name(b, "ob", f->dso, s->dsos.at[f->dso].name, &names->dsos[f->dso]);
	put_file(f, names, "fl", b);
	put_name(b, "fn", id, f->name, &names->functions[id]);
	buf_printf(b, "0 %llu\n", (unsigned long long)c->self[id]);
	for (; *at < c->all.n && c->all.at[*at].caller == id; (*at)++) {
		const struct call *call = &c->all.at[*at];
		const struct stack_function *callee = &s->functions.at[call->callee];

		put_name(b, "cob", callee->dso, s->dsos.at[callee->dso].name,
			 &names->dsos[callee->dso]);
		put_file(callee, names, "cfi", b);
		put_name(b, "cfn", call->callee, callee->name, &names->functions[call->callee]);
		/* The format wants a number of calls; a profile does not have it. */
		buf_printf(b, "calls=1 0\n0 %llu\n", (unsigned long long)call->weight);
	}
	buf_char(b, '\n');
}

int export_callgrind(const struct export_input *in, struct out *out, struct err *err)
{
	const struct stacks *s = in->stacks;
	struct calls c = {0};
	struct names names = {0};
	size_t n, from = export_busiest_event(s, &n), at = 0;
	AUTO_BUF unit = {0};

	if (!n)
		return err_set(err, ERR_INPUT, "there are no samples to write");
	stacks_unit(in->events->events.at[s->samples.at[from].event], &unit);
	calls_find(&c, s, from, n);
	if (c.all.n)
		qsort(c.all.at, c.all.n, sizeof(*c.all.at), by_caller);
	names.functions = mem_zero(s->functions.n + 1);
	names.dsos = mem_zero(s->dsos.n + 1);
	names.file_told = mem_zero(s->functions.n + 2);
	buf_str(&out->buf, "# callgrind format\nversion: 1\ncreator: perf\ncmd: ");
	buf_safe(&out->buf, in->title);
	buf_printf(&out->buf, "\npositions: line\nevents: %s\n\n", buf_text(&unit));
	for (uint32_t i = 0; i < s->functions.n; i++) {
		put_function(s, i, &c, &at, &names, &out->buf);
		out_ready(out);
	}
	free(names.functions);
	free(names.dsos);
	free(names.file_told);
	intern_release(&names.files);
	vec_release(&c.all);
	idmap_release(&c.known);
	free(c.self);
	return 0;
}
