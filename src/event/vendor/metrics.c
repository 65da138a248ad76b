// SPDX-License-Identifier: MIT
/*
 * Metrics of vendor files. The kernel's have their expression in perf's language (MetricExpr) and
 * are taken as they are. Intel's have a Formula over letters, each of which stands for an event
 * ("Events"), a constant ("Constants") or, in thresholds, another metric: the letters are replaced
 * by what they stand for.
 */
#include "event/vendor/json.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Names of machine facts in formulas, and their expression in perf's language. */
static const struct {
	const char *name, *expr;
} constants[] = {
	{"SYSTEM_TSC_FREQ", "#system_tsc_freq"},
	{"SOCKET_COUNT", "#num_packages"},
	{"CORES_PER_SOCKET", "(#num_cores / #num_packages)"},
	{"THREADS_PER_CORE", "(#num_cpus_online / #num_cores)"},
	{"HYPERTHREADING_ON", "#smt_on"},
	{"CHAS_PER_SOCKET", "(source_count(UNC_CHA_CLOCKTICKS) / #num_packages)"},
	{"IMCS_PER_SOCKET", "(source_count(UNC_M_CLOCKTICKS) / #num_packages)"},
	{"DURATIONTIMEINSECONDS", "duration_time"},
	{"DURATIONTIMEINMILLISECONDS", "(duration_time * 1000)"},
	{"TSC", "msr@tsc@"},
};

/* Fields of a register of the cores: the kernel has them as events in sysfs, under other names. */
static const struct {
	const char *name, *sysfs;
} register_events[] = {
	{"PERF_METRICS.RETIRING", "topdown\\-retiring"},
	{"PERF_METRICS.BAD_SPECULATION", "topdown\\-bad\\-spec"},
	{"PERF_METRICS.FRONTEND_BOUND", "topdown\\-fe\\-bound"},
	{"PERF_METRICS.BACKEND_BOUND", "topdown\\-be\\-bound"},
	{"PERF_METRICS.HEAVY_OPERATIONS", "topdown\\-heavy\\-ops"},
	{"PERF_METRICS.BRANCH_MISPREDICTS", "topdown\\-br\\-mispredict"},
	{"PERF_METRICS.FETCH_LATENCY", "topdown\\-fetch\\-lat"},
	{"PERF_METRICS.MEMORY_BOUND", "topdown\\-mem\\-bound"},
	{"TOPDOWN.SLOTS:perf_metrics", "slots"},
};

/* Suffixes of an event's name after a colon: a letter and a number, or a word. */
static const struct {
	const char *prefix, *term;
} qualifiers[] = {
	{"filter1=", "config1"},
	{"filter0=", "config1"},
	{"ocr_msr_val=", "offcore_rsp"},
	{"request=", "offcore_rsp"},
	{"umask=", "umask"},
	{"cmask=", "cmask"},
	{"edge=", "edge"},
	{"inv=", "inv"},
	{"c", "cmask"},
	{"e", "edge"},
	{"i", "inv"},
	{"u", "umask"},
};

/* Appends a term. In expressions '@' stands for '/', and characters that separate terms are
 * escaped. */
static void add_term(struct buf *terms, const char *term, const char *value)
{
	buf_printf(terms, "\\,%s\\=%s", term, value);
}

/* "UNC_CHA_X" is an event of the PMU cha; all others are of the cores. */
static const char *pmu_of_event(struct arena *a, const char *name, const char *core)
{
	char *pmu;

	if (strncasecmp(name, "UNC_", 4))
		return core ? core : "cpu";
	name += 4;
	if (!strncasecmp(name, "M_", 2))
		return "imc";
	pmu = arena_strndup(a, name, strcspn(name, "_"));
	for (char *p = pmu; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return pmu;
}

/* "NAME:c1:e1", "NAME:filter1=0x10", "NAME:sup"; NULL for suffixes that perf has no term for. */
static const char *event_expr(struct arena *a, const char *text, const char *pmu)
{
	size_t n = strcspn(text, ":");
	const char *name = arena_strndup(a, text, n), *mods = "";
	AUTO_BUF terms = {0};

	for (size_t i = 0; i < ARRAY_SIZE(register_events); i++)
		if (!strcasecmp(text, register_events[i].name))
			return pmu ? arena_printf(a, "%s@%s@", pmu, register_events[i].sysfs)
				   : register_events[i].sysfs;

	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		if (!strcasecmp(name, constants[i].name))
			return constants[i].expr;
	while (text[n] == ':') {
		const char *q = text + n + 1;
		size_t len = strcspn(q, ":");
		const char *word = arena_strndup(a, q, len);
		bool known = !strcasecmp(word, "perf_metrics") || !strcasecmp(word, "percore");

		n += len + 1;
		if (!strcasecmp(word, "sup"))
			mods = "k";
		else if (!strcasecmp(word, "user"))
			mods = "u";
		else if (!strcasecmp(word, "retire_latency"))
			mods = "R";
		known |= !strcasecmp(word, "sup") || !strcasecmp(word, "user") ||
			 !strcasecmp(word, "retire_latency");
		for (size_t i = 0; i < ARRAY_SIZE(qualifiers) && !known; i++) {
			size_t skip = strlen(qualifiers[i].prefix);

			if (strncasecmp(word, qualifiers[i].prefix, skip) ||
			    !isxdigit((unsigned char)word[skip]))
				continue;
			add_term(&terms, qualifiers[i].term, word + skip);
			known = true;
		}
		if (!known)
			return NULL;
	}
	/* a file about one kind of cores means events of that kind */
	if (terms.n || (pmu && strncasecmp(name, "UNC_", 4)))
		return arena_printf(a, "%s@%s%s@%s", pmu_of_event(a, name, pmu), name,
				    buf_text(&terms), mods);
	return *mods ? arena_printf(a, "%s:%s", name, mods) : name;
}

/* A letter or name of a formula, and the expression that it stands for. */
struct alias {
	const char *alias, *expr;
};
struct aliases {
	VEC(struct alias);
};

static bool metrics_is_number(const char *s)
{
	char *end;

	strtod(s, &end);
	return *s && !*end;
}

static const char *constant_expr(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		if (!strcasecmp(name, constants[i].name))
			return constants[i].expr;
	return metrics_is_number(name) ? name : NULL;
}

#define ALIASES_MOST 1000

/* False when perf has no expression for one of them. */
static bool read_aliases(const json_t *row, const char *pmu, struct arena *a, struct aliases *out)
{
	const json_t *events = json_object_get(row, "Events");
	const json_t *values = json_object_get(row, "Constants");
	json_t *one;
	size_t i;

	if (json_array_size(events) + json_array_size(values) > ALIASES_MOST)
		return false;
	json_array_foreach(events, i, one)
	{
		struct alias x = {json_text(one, "Alias", a),
				  event_expr(a, json_text(one, "Name", a), pmu)};

		if (!x.expr)
			return false;
		vec_add(out, x);
	}
	json_array_foreach(values, i, one)
	{
		struct alias x = {json_text(one, "Alias", a),
				  constant_expr(json_text(one, "Name", a))};

		if (!x.expr)
			return false;
		vec_add(out, x);
	}
	return true;
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static const char *meaning(const struct aliases *aliases, const char *word)
{
	static const char *const own[] = {"if", "else", "min", "max", "d_ratio"};

	for (size_t i = 0; i < aliases->n; i++)
		if (!strcmp(aliases->at[i].alias, word))
			return aliases->at[i].expr;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (!strcasecmp(own[i], word))
			return own[i];
	return constant_expr(word);
}

#define EXPR_MOST (1u << 20)

/* Replaces the names of a formula; NULL when one is unknown. */
static const char *metrics_expand(const char *formula, const struct aliases *aliases,
				  struct arena *a)
{
	AUTO_BUF out = {0};
	const char *p = formula;

	while (*p && out.n < EXPR_MOST) {
		size_t n = 0;
		const char *expr;

		if (isdigit((unsigned char)*p) || *p == '.') {
			/* 1e9 and 0x10 are numbers, no names */
			while (in_name(p[n]))
				n++;
			buf_add(&out, p, n);
		} else if (begins_name(*p)) {
			while (in_name(p[n]))
				n++;
			expr = meaning(aliases, arena_strndup(a, p, n));
			if (!expr)
				return NULL;
			buf_str(&out, expr);
		} else {
			n = 1;
			/* the vendor writes "a && b" where perf has one character */
			if ((*p == '&' || *p == '|') && p[1] == *p)
				p++;
			buf_char(&out, *p);
		}
		p += n;
	}
	return *p ? NULL : arena_strdup(a, buf_text(&out));
}

/* Lists are separated by ';', or by ',' in categories. */
static const char *groups_of(const json_t *row, struct arena *a)
{
	const char *text = json_text(row, "MetricGroup", a);
	AUTO_BUF out = {0};

	if (!*text)
		text = json_text(row, "Category", a);
	while (*text) {
		size_t n = strcspn(text, ";,");
		size_t skip = strspn(text, " ");

		if (n > skip)
			buf_printf(&out, "%s%.*s", out.n ? ";" : "", (int)(n - skip), text + skip);
		text += n + (text[n] != 0);
	}
	return arena_strdup(a, buf_text(&out));
}

static const char *unit_of(const json_t *row, struct arena *a)
{
	const char *unit = json_text(row, "UnitOfMeasure", a);

	if (!strcasecmp(unit, "percent"))
		return "1%";
	if (!*unit)
		return NULL;
	return arena_printf(a, "1%s", unit);
}

static void metrics_put_name(json_t *names, const json_t *row, const char *member)
{
	const char *text = json_string_value(json_object_get(row, member));
	char *key = text ? mem_strdup(text) : NULL;

	for (char *p = key; p && *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (key && !json_object_get(names, key))
		json_object_set(names, key, json_object_get(row, "MetricName"));
	free(key);
}

/* Maps the current and the former name of each metric, in lower case, to its name. */
static json_t *names_of(const json_t *rows)
{
	json_t *names = json_object(), *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		metrics_put_name(names, row, "MetricName");
		metrics_put_name(names, row, "LegacyName");
	}
	return names;
}

static const char *metric_called(const json_t *names, const char *name, struct arena *a)
{
	char *key = arena_strdup(a, name);
	const char *found;

	for (char *p = key; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	found = json_string_value(json_object_get(names, key));
	return found ? arena_strdup(a, found) : NULL;
}

#define THRESHOLD_METRICS_MOST 32

static const char *threshold_of(const json_t *names, const json_t *row, struct arena *a)
{
	const json_t *threshold = json_object_get(row, "Threshold");
	const json_t *metrics = json_object_get(threshold, "ThresholdMetrics");
	const char *formula = json_text(threshold, "Formula", a), *expr = NULL;
	struct aliases aliases = {0};
	bool all = true;
	json_t *one;
	size_t i;

	if (json_array_size(metrics) > THRESHOLD_METRICS_MOST)
		return NULL;
	json_array_foreach(metrics, i, one)
	{
		struct alias x = {json_text(one, "Alias", a),
				  metric_called(names, json_text(one, "Value", a), a)};

		all &= x.expr != NULL;
		vec_add(&aliases, x);
	}
	if (all && *formula)
		expr = metrics_expand(formula, &aliases, a);
	vec_release(&aliases);
	return expr;
}

static bool from_formula(const json_t *names, const json_t *row, const char *pmu, struct arena *a,
			 struct vendor_metric *m)
{
	const char *formula = json_text(row, "Formula", a);
	struct aliases aliases = {0};

	if (*formula && read_aliases(row, pmu, a, &aliases))
		m->expr = metrics_expand(formula, &aliases, a);
	vec_release(&aliases);
	if (!m->expr)
		return false;
	m->scale_unit = unit_of(row, a);
	m->threshold = threshold_of(names, row, a);
	return true;
}

void vendor_add_metrics(struct vendor *v, const json_t *rows, const char *pmu)
{
	struct arena *a = &v->arena;
	json_t *names = names_of(rows), *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		struct vendor_metric m = {.pmu = pmu};

		m.name = json_text(row, "MetricName", a);
		if (!*m.name)
			continue;
		m.expr = json_text_or_null(row, "MetricExpr", a);
		if (m.expr) {
			m.scale_unit = json_text_or_null(row, "ScaleUnit", a);
			m.threshold = json_text_or_null(row, "MetricThreshold", a);
		} else if (!from_formula(names, row, pmu, a, &m)) {
			continue;
		}
		m.groups = groups_of(row, a);
		m.desc = json_text_or_null(row, "BriefDescription", a);
		m.long_desc = json_text_or_null(row, "PublicDescription", a);
		m.constraint = json_text_or_null(row, "MetricConstraint", a);
		m.default_group = json_text_or_null(row, "DefaultMetricgroupName", a);
		m.no_group_in = json_text_or_null(row, "MetricgroupNoGroup", a);
		if (!m.no_group_in) /* Intel's spelling */
			m.no_group_in = json_text_or_null(row, "MetricGroupnoGroup", a);
		if (!pmu && json_object_get(row, "Unit"))
			m.pmu = json_text_or_null(row, "Unit", a);
		vec_add(&v->metrics, m);
	}
	json_decref(names);
}
