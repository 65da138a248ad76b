// SPDX-License-Identifier: MIT
/* Parses events by names that every machine has. */
#include "event/parse/parse_state.h"

#include "event/names.h"

#include <ctype.h>

#define SOFTWARE_DUMMY	    9
#define SOFTWARE_CPU_CLOCK  0
#define SOFTWARE_TASK_CLOCK 1
#define SOFTWARE_BPF_OUTPUT 10

static struct event *parse_base_add(struct parser *ps, const char *name, uint32_t type,
				    uint64_t config)
{
	struct event *ev = event_set_add(ps->set, name);

	ev->attr.type = type;
	ev->attr.config = config;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	return ev;
}

static const char *const kinds[] = {"cpu_core", "cpu_atom"};

bool parse_is_hybrid(const char *pmu)
{
	return !strcmp(pmu, kinds[0]) || !strcmp(pmu, kinds[1]);
}

bool parse_is_wanted(const struct parser *ps, const char *pmu)
{
	return !ps->host->cores || !parse_is_hybrid(pmu) || !strcmp(pmu, ps->host->cores);
}

/*
 * On a machine with two kinds of cores adds a core event for each kind: the upper half of the
 * config names the PMU, or the PMU's type is that of a raw event.
 */
static void add_of_cores(struct parser *ps, const char *name, uint32_t type, uint64_t config)
{
	struct pmu pmus[ARRAY_SIZE(kinds)] = {0};
	const char *root = ps->host->pmu_root;
	bool both = root && pmu_read(root, kinds[0], &ps->arena, &pmus[0]) &&
		    pmu_read(root, kinds[1], &ps->arena, &pmus[1]);

	if (!both)
		parse_base_add(ps, name, type, config);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (both && parse_is_wanted(ps, kinds[i])) {
			struct event *ev = parse_base_add(ps, name, type, config);

			if (type == TYPE_RAW)
				ev->attr.type = pmus[i].type;
			else
				ev->attr.config |= (uint64_t)pmus[i].type << 32;
			ev->pmu = kinds[i];
			if (pmus[i].cpus)
				ev->cpus = arena_strdup(&ps->set->arena, pmus[i].cpus);
		}
		pmu_release(&pmus[i]);
	}
}

void parse_numeric(struct parser *ps, const char *name, uint64_t type, uint64_t config)
{
	bool of_cores = type == TYPE_RAW || type == TYPE_HARDWARE || type == TYPE_HW_CACHE;

	/* a config whose upper half names a PMU is for that PMU only */
	if (of_cores && (type == TYPE_RAW || config <= UINT32_MAX))
		add_of_cores(ps, name, (uint32_t)type, config);
	else
		parse_base_add(ps, name, (uint32_t)type, config);
}

static int find_symbolic(const struct event_name *names, size_t n, struct span_of base)
{
	for (size_t i = 0; i < n; i++)
		if (span_is(base, names[i].name) ||
		    (names[i].alias && span_is(base, names[i].alias)))
			return (int)i;
	return -1;
}

/* Finds the row with the longest spelling that s begins with, and passes over it. A spelling ends
 * at the end of s or at a '-'. */
static int take_spelling(struct span_of *s, const char *const names[][8], int rows)
{
	size_t best = 0;
	int row = -1;

	for (int i = 0; i < rows; i++)
		for (int j = 0; j < 8 && names[i][j]; j++) {
			size_t n = strlen(names[i][j]);

			if (n > best && n <= s->n && !memcmp(names[i][j], s->p, n) &&
			    (n == s->n || s->p[n] == '-')) {
				best = n;
				row = i;
			}
		}
	s->p += best;
	s->n -= best;
	return row;
}

/* Parses cache [-op] [-result], the last two in either order. 1; 0: no cache event; -1: the
 * combination does not exist. */
static int find_cache(struct parser *ps, struct span_of base, uint64_t *config)
{
	struct span_of s = base;
	int cache = take_spelling(&s, cache_names, CACHE_KINDS), op = -1, result = -1;

	if (cache < 0)
		return 0;
	while (s.n) {
		s.p++;
		s.n--;
		if (op < 0) {
			op = take_spelling(&s, cache_op_names, CACHE_OPS);
			if (op >= 0)
				continue;
		}
		if (result >= 0)
			return 0;
		result = take_spelling(&s, cache_result_names, CACHE_RESULTS);
		if (result < 0)
			return 0;
	}
	op = MAX(op, 0);
	result = MAX(result, 0);
	if (!cache_event_valid((unsigned int)cache, (unsigned int)op))
		return parse_fail(ps, base.p, "there are no %s events of %s", cache_op_names[op][0],
				  cache_names[cache][0]);
	*config = (uint64_t)cache | (uint64_t)op << 8 | (uint64_t)result << 16;
	return 1;
}

int parse_legacy(struct parser *ps, struct span_of base, uint32_t *type, uint64_t *config)
{
	int i = find_symbolic(hardware_events, HARDWARE_EVENTS, base);

	*type = i < 0 ? TYPE_HW_CACHE : TYPE_HARDWARE;
	*config = (uint64_t)MAX(i, 0);
	return i >= 0 ? 1 : find_cache(ps, base, config);
}

/* Parses r1a8. "read" is no raw event. */
static bool find_raw(struct span_of base, uint64_t *config)
{
	return base.n > 1 && base.p[0] == 'r' && !span_is(base, "read") &&
	       span_hex((struct span_of){base.p + 1, base.n - 1}, config);
}

static void add_software(struct parser *ps, const char *name, int i)
{
	struct event *ev = parse_base_add(ps, name, TYPE_SOFTWARE, (uint64_t)i);

	if (i == SOFTWARE_CPU_CLOCK || i == SOFTWARE_TASK_CLOCK) {
		/* clocks count nanoseconds, and are shown in milliseconds */
		ev->unit = "msec";
		ev->scale = 1e-6;
	}
	if (i == SOFTWARE_BPF_OUTPUT) {
		ev->attr.sample_period = 1;
		ev->attr.sample_type = SAMPLE_RAW | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD;
	}
}

int parse_base(struct parser *ps, struct span_of base, const char *name)
{
	int i = find_symbolic(software_events, SOFTWARE_EVENTS, base), got;
	uint64_t config;
	uint32_t type;

	if (i >= 0) {
		add_software(ps, name, i);
		return 1;
	}
	got = parse_legacy(ps, base, &type, &config);
	if (got < 0)
		return -1;
	if (got)
		/* as in perf 6.1, the name of a cache event is without modifiers and terms */
		add_of_cores(ps, type == TYPE_HW_CACHE ? span_text(ps, base) : name, type, config);
	else if (find_raw(base, &config))
		add_of_cores(ps, name, TYPE_RAW, config);
	else
		return 0;
	return 1;
}

int parse_tool(struct parser *ps, struct span_of base, const char *name, bool young)
{
	int last = young ? TOOL_MAX - 1 : TOOL_SYSTEM_TIME;

	for (int i = 1; i <= last; i++)
		if (span_is(base, event_tool_name((enum event_tool)i))) {
			struct event *ev = parse_base_add(ps, name, TYPE_SOFTWARE, SOFTWARE_DUMMY);

			ev->tool = (enum event_tool)i;
			if (i <= TOOL_SYSTEM_TIME)
				ev->unit = "ns";
			return 1;
		}
	return 0;
}

static void add_symbolic_names(const struct event_name *events, size_t n, struct names *out)
{
	for (size_t i = 0; i < n; i++) {
		vec_add(out, events[i].name);
		if (events[i].alias)
			vec_add(out, events[i].alias);
	}
}

static void add_cache_names(struct parser *ps, struct names *out)
{
	struct buf b = {0};

	for (unsigned int cache = 0; cache < CACHE_KINDS; cache++)
		for (unsigned int op = 0; op < CACHE_OPS; op++)
			for (unsigned int result = 0; result < CACHE_RESULTS; result++) {
				if (!cache_event_valid(cache, op))
					continue;
				buf_clear(&b);
				cache_event_name(cache | op << 8 | result << 16, &b);
				vec_add(out, arena_strdup(&ps->arena, buf_text(&b)));
			}
	buf_release(&b);
}

/* Fails for an unknown name, and suggests the nearest of all names that are possible here. */
int parse_unknown(struct parser *ps, struct span_of base)
{
	bool terms = *ps->p == '/' || base.p[base.n] == '/';
	struct names names = {0}, pmus = {0};
	const char *word = span_text(ps, base);

	parse_fail(ps, base.p, "no event%s is called '%s'", terms ? " or PMU" : "", word);
	if (!terms && parse_suggest_tracepoint(ps, word))
		return -1;
	add_symbolic_names(hardware_events, HARDWARE_EVENTS, &names);
	add_symbolic_names(software_events, SOFTWARE_EVENTS, &names);
	add_cache_names(ps, &names);
	for (int i = 1; i < TOOL_MAX; i++)
		vec_add(&names, event_tool_name((enum event_tool)i));
	if (ps->host->pmu_root)
		pmu_names(ps->host->pmu_root, &ps->arena, &pmus, NULL);
	for (size_t i = 0; i < pmus.n; i++)
		pmu_alias_names(ps->host->pmu_root, pmus.at[i], &ps->arena, &names);
	for (size_t i = 0; i < pmus.n && terms; i++)
		vec_add(&names, pmus.at[i]);
	parse_elsewhere_names(ps, &names);
	parse_suggest(ps, word, names.at, names.n);
	vec_release(&pmus);
	vec_release(&names);
	return -1;
}
