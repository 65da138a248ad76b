// SPDX-License-Identifier: MIT
/* Source: https://valgrind.org/docs/manual/cl-format.html. */
#include "view/export/export.h"

#include <stdlib.h>

/* A weight of one line of a function: its own, or that of what the line calls. */
struct cost {
	uint32_t function, callee; /* .callee: the function's index + 1; 0: its own weight */
	uint32_t line;		   /* 0: not known */
	uint64_t weight;
};

struct costs {
	VEC(struct cost) all; /* by function, then callee, then line */
};

static const struct stack_frame *callgrind_frame_of(const struct stacks *s, uint32_t node)
{
	return &s->frames.at[s->nodes.at[node].frame];
}

static void cost_add(struct costs *c, const struct stack_frame *of, uint32_t callee,
		     uint64_t weight)
{
	vec_add(&c->all, (struct cost){of->function, callee, export_line(of->line), weight});
}

static int cost_compare(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->callee != y->callee)
		return x->callee < y->callee ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Sorts the costs, and adds up those of one line and callee. */
static void costs_merge(struct costs *c)
{
	size_t n = 0;

	if (c->all.n)
		qsort(c->all.at, c->all.n, sizeof(*c->all.at), cost_compare);
	for (size_t i = 0; i < c->all.n; i++) {
		if (n && !cost_compare(&c->all.at[n - 1], &c->all.at[i]))
			c->all.at[n - 1].weight += c->all.at[i].weight;
		else
			c->all.at[n++] = c->all.at[i];
	}
	c->all.n = n;
}

/* Finds the costs of samples[from..from + n). */
static void costs_find(struct costs *c, const struct stacks *s, size_t from, size_t n)
{
	uint64_t *total = mem_zero((s->nodes.n + 1) * sizeof(*total));

	for (size_t i = from; i < from + n; i++)
		total[s->samples.at[i].node] += s->samples.at[i].weight;
	for (uint32_t i = 1; i < s->nodes.n; i++)
		if (total[i])
			cost_add(c, callgrind_frame_of(s, i), 0, total[i]);
	for (uint32_t i = (uint32_t)s->nodes.n; i-- > 1;) {
		const uint32_t parent = s->nodes.at[i].parent;

		total[parent] += total[i];
		if (parent && total[i])
			cost_add(c, callgrind_frame_of(s, parent),
				 callgrind_frame_of(s, i)->function + 1, total[i]);
	}
	free(total);
	costs_merge(c);
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

/* Writes the costs from *at on that are of one function. */
static void put_function(const struct stacks *s, const struct costs *c, size_t *at,
			 struct names *names, struct buf *b)
{
	const uint32_t id = c->all.at[*at].function;
	const struct stack_function *f = &s->functions.at[id];

	put_name(b, "ob", f->dso, s->dsos.at[f->dso].name, &names->dsos[f->dso]);
	put_file(f, names, "fl", b);
	put_name(b, "fn", id, f->name, &names->functions[id]);
	for (; *at < c->all.n && c->all.at[*at].function == id; (*at)++) {
		const struct cost *cost = &c->all.at[*at];
		const struct stack_function *callee;

		if (cost->callee) {
			callee = &s->functions.at[cost->callee - 1];
			put_name(b, "cob", callee->dso, s->dsos.at[callee->dso].name,
				 &names->dsos[callee->dso]);
			put_file(callee, names, "cfi", b);
			put_name(b, "cfn", cost->callee - 1, callee->name,
				 &names->functions[cost->callee - 1]);
			/* The format wants a number of calls; a profile does not have it. */
			buf_str(b, "calls=1 0\n");
		}
		buf_printf(b, "%u %llu\n", cost->line, (unsigned long long)cost->weight);
	}
	buf_char(b, '\n');
}

int export_callgrind(const struct export_input *in, struct out *out, struct err *err)
{
	const struct stacks *s = in->stacks;
	struct costs c = {0};
	struct names names = {0};
	size_t n, from = export_busiest_event(s, &n), at = 0;
	AUTO_BUF unit = {0};

	if (!n)
		return err_set(err, ERR_INPUT, "there are no samples to write");
	stacks_unit(in->events->events.at[s->samples.at[from].event], &unit);
	costs_find(&c, s, from, n);
	names.functions = mem_zero(s->functions.n + 1);
	names.dsos = mem_zero(s->dsos.n + 1);
	names.file_told = mem_zero(s->functions.n + 2);
	buf_str(&out->buf, "# callgrind format\nversion: 1\ncreator: perf\ncmd: ");
	buf_safe(&out->buf, in->title);
	buf_printf(&out->buf, "\npositions: line\nevents: %s\n\n", buf_text(&unit));
	while (at < c.all.n) {
		put_function(s, &c, &at, &names, &out->buf);
		out_ready(out);
	}
	free(names.functions);
	free(names.dsos);
	free(names.file_told);
	intern_release(&names.files);
	vec_release(&c.all);
	return 0;
}
