// SPDX-License-Identifier: MIT
#include "view/sched/sched.h"

#include "view/chain_line.h"

/* True for the functions that make every switch: they are not shown. */
static bool is_scheduler(const char *name)
{
	return !strcmp(name, "schedule") || !strcmp(name, "__schedule") ||
	       !strcmp(name, "preempt_schedule");
}

static struct chain_line timehist_chains_line_of(const struct timehist_view *v)
{
	return (struct chain_line){v->world, v->frames, v->max_stack, is_scheduler};
}

void timehist_show_chain(struct timehist_view *v, const struct record *r, struct buf *out)
{
	const struct chain_line line = timehist_chains_line_of(v);
	const size_t start = out->n;

	buf_char(out, ' ');
	chain_line_text(&line, r, out);
	if (out->n == start + 1)
		out->n = start;
}

/* Idle times that began with one call chain on one CPU. */
struct idle_chain {
	uint32_t cpu, text;
	uint64_t ns, count;
};

struct timehist_idle_chains {
	struct intern texts;
	struct idmap by_key; /* cpu << 32 | text -> chains */
	VEC(struct idle_chain) chains;
	VEC(uint32_t) begun; /* by CPU: 1 + text id of the chain with which its idle time began */
	struct buf scratch;
};

struct timehist_idle_chains *timehist_idle_chains_new(void)
{
	return NEW(struct timehist_idle_chains);
}

void timehist_idle_chains_free(struct timehist_idle_chains *c)
{
	if (!c)
		return;
	intern_release(&c->texts);
	idmap_release(&c->by_key);
	vec_release(&c->chains);
	vec_release(&c->begun);
	buf_release(&c->scratch);
	free(c);
}

static void idle_begins(struct timehist_view *v, uint32_t cpu, const struct record *r)
{
	struct timehist_idle_chains *c = v->idle_chains;
	const struct chain_line line = timehist_chains_line_of(v);

	buf_clear(&c->scratch);
	chain_line_text(&line, r, &c->scratch);
	if (cpu >= c->begun.n)
		(void)vec_extend(&c->begun, cpu + 1 - c->begun.n);
	c->begun.at[cpu] = intern_put(&c->texts, c->scratch.at, c->scratch.n) + 1;
}

void timehist_count_idle(void *view, struct timehist *t, uint32_t cpu, uint64_t ns,
			 const struct record *began)
{
	struct timehist_view *v = view;
	struct timehist_idle_chains *c = v->idle_chains;
	uint32_t *i;

	(void)t;
	if (began) {
		idle_begins(v, cpu, began);
		return;
	}
	if (cpu >= c->begun.n || !c->begun.at[cpu])
		return;
	i = idmap_put(&c->by_key, (uint64_t)cpu << 32 | c->begun.at[cpu]);
	if (*i == HASH_NONE) {
		*i = (uint32_t)c->chains.n;
		vec_add(&c->chains, (struct idle_chain){.cpu = cpu, .text = c->begun.at[cpu] - 1});
	}
	c->chains.at[*i].ns += ns;
	c->chains.at[*i].count++;
}

static int compare_chains(const void *a, const void *b)
{
	const struct idle_chain *l = a, *r = b;

	if (l->ns != r->ns)
		return l->ns > r->ns ? -1 : 1;
	return l->text < r->text ? -1 : l->text > r->text;
}

void timehist_show_idle_chains(struct timehist_view *v, const struct timehist *t)
{
	struct timehist_idle_chains *c = v->idle_chains;
	struct timehist_task *const *tasks;
	const size_t n = timehist_idle_tasks(t, &tasks);
	struct buf *b = &v->out->buf;

	if (c->chains.n)
		qsort(c->chains.at, c->chains.n, sizeof(*c->chains.at), compare_chains);
	buf_str(b, "\nIdle stats by callchain:\n");
	for (uint32_t cpu = 0; cpu < MAX(n, v->n_cpus); cpu++) {
		if (cpu >= v->n_cpus && !tasks[cpu])
			continue;
		buf_printf(b, "  CPU %2u:", cpu);
		sched_ms(b, cpu < n && tasks[cpu] ? tasks[cpu]->total_run : 0, 6);
		buf_str(b, " msec\n  Idle time (msec)     Count  Callchains\n"
			   "  ----------------  --------  "
			   "--------------------------------------------------\n");
		for (size_t i = 0; i < c->chains.n; i++) {
			if (c->chains.at[i].cpu != cpu)
				continue;
			buf_str(b, "  ");
			sched_ms(b, c->chains.at[i].ns, 12);
			buf_printf(b, " %8llu  ", (unsigned long long)c->chains.at[i].count);
			buf_str(b, intern_text(&c->texts, c->chains.at[i].text));
			buf_char(b, '\n');
		}
		buf_char(b, '\n');
	}
}
