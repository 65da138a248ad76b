// SPDX-License-Identifier: MIT
/* Folds the parts of an expression that are constant on a machine. */
#include "event/metric/expr_node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	size_t at; /* offset of a bool in struct metric_facts */
} others[METRIC_LITERALS - FACT_COUNT] = {
	{"core_wide", offsetof(struct metric_facts, core_wide)},
	{"target_cpu", offsetof(struct metric_facts, target_cpu)},
};

void metric_literal_names(const char *names[METRIC_LITERALS])
{
	for (unsigned int f = 0; f < FACT_COUNT; f++)
		names[f] = fact_name(f);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		names[FACT_COUNT + i] = others[i].name;
}

bool metric_literal(const char *name, const struct metric_facts *facts, double *value)
{
	enum fact f = fact_find(name, strlen(name));
	uint64_t v;

	*value = NAN;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcasecmp(name, others[i].name)) {
			*value = *(const bool *)((const char *)facts + others[i].at);
			return true;
		}
	if (f == FACT_COUNT)
		return false;
	if (facts->known && facts->known->read[f]) {
		*value = facts->known->value[f];
		return true;
	}
	if (facts->sys_root && facts->proc_root &&
	    fact_read(facts->sys_root, facts->proc_root, f, &v))
		*value = (double)v;
	if (facts->known) {
		facts->known->read[f] = true;
		facts->known->value[f] = *value;
	}
	return true;
}

/* Arm's MIDR: the bits that tell parts apart, and those of the variant. */
#define MIDR_PART    0xff0ffff0ull
#define MIDR_VARIANT 0x00f00000ull
#define MIDR_VERSION 0x00f0000full

static bool midr_is(const char *cpuid, const char *pattern)
{
	uint64_t have = strtoull(cpuid, NULL, 16), want = strtoull(pattern, NULL, 16);

	if ((have & MIDR_PART) != (want & MIDR_PART))
		return false;
	if ((have & MIDR_VARIANT) != (want & MIDR_VARIANT))
		return (have & MIDR_VARIANT) > (want & MIDR_VARIANT);
	return (have & MIDR_VERSION) >= (want & MIDR_VERSION);
}

/*
 * True when the pattern matches the CPU. On Arm a part number matches all variants from the given
 * one on. Elsewhere a point matches any character, and a pattern without a stepping matches all
 * steppings.
 */
static bool cpu_is(const char *cpuid, const char *pattern)
{
	if (!cpuid)
		return false;
	if (!strncmp(cpuid, "0x", 2) && !strncmp(pattern, "0x", 2))
		return midr_is(cpuid, pattern);
	while (*cpuid && (*pattern == '.' || *pattern == *cpuid)) {
		cpuid++;
		pattern++;
	}
	return !*pattern && (!*cpuid || *cpuid == '-');
}

struct folder {
	const struct metric_facts *facts;
	bool (*has_event)(void *ctx, const char *event);
	void *ctx;
	struct arena *arena;
};

static bool known(const struct metric_node *n)
{
	return n->op == OP_NUMBER;
}

static bool is_zero(const struct metric_node *n)
{
	return known(n) && n->number == 0;
}

/* The result of an operator that its known operands decide; NULL when they do not. */
static const struct metric_node *decided(enum metric_op op, const struct metric_node *a,
					 const struct metric_node *b, struct arena *arena)
{
	const struct metric_node *side = known(a) ? a : b;

	if (known(a) && known(b))
		return metric_node_number(arena, metric_apply(op, a->number, b->number));
	if (op == OP_RATIO && is_zero(b))
		return b;
	if (op == OP_DIVIDE && is_zero(b))
		return metric_node_number(arena, NAN);
	if (!known(side) || isnan(side->number))
		return NULL;
	/* between -1 and 1 it is 0 as a whole number */
	if (op == OP_AND && fabs(side->number) < 1)
		return metric_node_number(arena, 0);
	if (op == OP_OR && fabs(side->number) >= 1)
		return metric_node_number(arena, trunc(side->number));
	return NULL;
}

static const struct metric_node *fold(const struct metric_node *n, const struct folder *f)
{
	const struct metric_node *a, *b, *done;
	struct metric_node *same;
	double v;

	switch (n->op) {
	case OP_NUMBER:
	case OP_ID:
	case OP_SOURCES:
		return n;
	case OP_LITERAL:
		metric_literal(n->text, f->facts, &v);
		return metric_node_number(f->arena, v);
	case OP_HAS_EVENT:
		return metric_node_number(f->arena, f->has_event(f->ctx, n->text));
	case OP_CPUID:
		return metric_node_number(f->arena, cpu_is(f->facts->cpuid, n->text));
	case OP_IF:
		b = fold(n->b, f);
		if (known(b))
			return fold(is_zero(b) ? n->c : n->a, f);
		break;
	default:
		b = n->b ? fold(n->b, f) : NULL;
		break;
	}
	a = fold(n->a, f);
	if (n->op == OP_MINUS && known(a))
		return metric_node_number(f->arena, -a->number);
	if (n->op != OP_IF && b) {
		done = decided(n->op, a, b, f->arena);
		if (done)
			return done;
	}
	same = arena_copy(f->arena, n, sizeof(*n));
	same->a = a;
	same->b = b;
	same->c = n->c ? fold(n->c, f) : NULL;
	return same;
}

const struct metric_expr *metric_fold(const struct metric_expr *e, const struct metric_facts *facts,
				      bool (*has_event)(void *ctx, const char *event), void *ctx,
				      struct arena *arena)
{
	struct folder f = {facts, has_event, ctx, arena};

	return metric_expr_of(fold(e->root, &f), arena);
}
