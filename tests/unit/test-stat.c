// SPDX-License-Identifier: MIT
/*
 * Counts in, text out: each situation of tests/data/stat-texts, whose head says how it is written.
 */
#include "unit.h"

#include "analysis/stat.h"
#include "base/buf.h"
#include "os/machine/cpus.h"
#include "view/stat/stat.h"

#include <stdio.h>

/* A made machine, what is counted on it, and how that is shown. */
struct made {
	struct topology topology;
	struct event_set events;
	struct counts counts;
	struct stat_options options;
	struct stat_view view;
	struct cpu_list cpus, offline;
	struct event *leader; /* of the group that is open, once it has one */
	bool in_group, grow, colour;
	const char *shape;
	uint64_t elapsed, interval_ms;
	unsigned int rounds;
};

/* Sockets, dies in each, cores in each die, threads in each core: as make-stat numbers them. */
static void make_shape(struct made *m, const char *text)
{
	int sockets, dies, cores, threads, number = 0;

	assert_int_equal(sscanf(text, "%d:%d:%d:%d", &sockets, &dies, &cores, &threads), 4);
	for (int t = 0; t < threads; t++)
		for (int c = 0; c < sockets * dies * cores; c++) {
			struct topology_cpu *cpu = topology_add(&m->topology, number++);

			cpu->online = !cpus_has(&m->offline, cpu->cpu);
			if (!cpu->online)
				continue;
			cpu->socket = cpu->node = c / cores / dies;
			cpu->die = c / cores % dies;
			cpu->core = c % (cores * dies);
			cpu->cluster = cpu->core / 2;
			vec_add(&cpu->caches, (struct topology_cache){2, false, c / 2 * 2});
			vec_add(&cpu->caches, (struct topology_cache){3, false, c / cores * cores});
		}
}

struct flag {
	const char *word;
	int aggr;  /* -1: it is about something else */
	size_t at; /* a bool of struct made */
};

static const struct flag flags[] = {
	{"-A", STAT_CPU, 0},
	{"--per-core", STAT_CORE, 0},
	{"--per-cluster", STAT_CLUSTER, 0},
	{"--per-cache", STAT_CACHE, 0},
	{"--per-die", STAT_DIE, 0},
	{"--per-socket", STAT_SOCKET, 0},
	{"--per-node", STAT_NODE, 0},
	{"--per-thread", STAT_THREAD, 0},
	{"--no-scale", -1, offsetof(struct made, options.no_scale)},
	{"--no-merge", -1, offsetof(struct made, options.no_merge)},
	{"--hybrid-merge", -1, offsetof(struct made, options.hybrid_merge)},
	{"--percore-show-thread", -1, offsetof(struct made, options.percore_show_thread)},
	{"--skip-zero", -1, offsetof(struct made, options.skip_zero)},
	{"--metric-only", -1, offsetof(struct made, options.metric_only)},
	{"--recorded", -1, offsetof(struct made, view.recorded)},
	{"--table", -1, offsetof(struct made, view.table)},
	{"--times", -1, offsetof(struct made, view.times)},
	{"--summary", -1, offsetof(struct made, view.summary)},
	{"--no-csv-summary", -1, offsetof(struct made, view.no_csv_summary)},
	{"--interval-clear", -1, offsetof(struct made, view.interval_clear)},
	{"--watchdog", -1, offsetof(struct made, view.watchdog)},
	{"--system-wide", -1, offsetof(struct made, view.system_wide)},
	{"--null", -1, offsetof(struct made, view.nothing)},
	{"--grow", -1, offsetof(struct made, grow)},
	{"--colour", -1, offsetof(struct made, colour)},
};

static bool read_flag(struct made *m, const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (strcmp(word, flags[i].word) != 0)
			continue;
		if (flags[i].aggr >= 0)
			m->options.aggr = (enum stat_aggr)flags[i].aggr;
		else
			*((bool *)m + flags[i].at) = true;
		return true;
	}
	return false;
}

static void add_threads(struct made *m, char *text)
{
	char *save = NULL;

	for (char *p = strtok_r(text, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
		struct count_thread t = {.tid = atoi(p)};

		snprintf(t.comm, sizeof(t.comm), "%s", strchr(p, ':') + 1);
		vec_add(&m->counts.threads, t);
	}
}

/* An option with a value behind it. */
static bool read_value(struct made *m, const char *word, char *value)
{
	if (!strcmp(word, "--shape"))
		m->shape = value;
	else if (!strcmp(word, "--offline"))
		assert_int_equal(cpus_parse(value, &m->offline), 0);
	else if (!strcmp(word, "--cpus") && !strcmp(value, "any"))
		vec_add(&m->cpus, -1);
	else if (!strcmp(word, "--threads"))
		add_threads(m, value);
	else if (!strcmp(word, "--elapsed"))
		m->elapsed = strtoull(value, NULL, 10);
	else if (!strcmp(word, "--interval"))
		m->interval_ms = strtoull(value, NULL, 10);
	else if (!strcmp(word, "--rounds"))
		m->rounds = (unsigned int)atoi(value);
	else if (!strcmp(word, "--td-level"))
		m->options.topdown_level = (unsigned int)atoi(value);
	else if (!strcmp(word, "--cache-level"))
		m->options.cache_level = atoi(value);
	else if (!strcmp(word, "--pid"))
		m->view.pids = value;
	else if (!strcmp(word, "--tid"))
		m->view.tids = value;
	else if (!strcmp(word, "--cpu"))
		m->view.cpus = value;
	else if (!strcmp(word, "--bpf"))
		m->view.bpf_programs = value;
	else
		return false;
	return true;
}

static void known_event(struct event *ev)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} known[] = {
		{"cycles", TYPE_HARDWARE, 0},
		{"instructions", TYPE_HARDWARE, 1},
		{"cache-references", TYPE_HARDWARE, 2},
		{"cache-misses", TYPE_HARDWARE, 3},
		{"branches", TYPE_HARDWARE, 4},
		{"branch-misses", TYPE_HARDWARE, 5},
		{"stalled-cycles-frontend", TYPE_HARDWARE, 7},
		{"stalled-cycles-backend", TYPE_HARDWARE, 8},
		{"cpu-clock", TYPE_SOFTWARE, 0},
		{"task-clock", TYPE_SOFTWARE, 1},
		{"page-faults", TYPE_SOFTWARE, 2},
		{"cs", TYPE_SOFTWARE, 3},
		{"L1-dcache-loads", TYPE_HW_CACHE, 0},
		{"L1-dcache-load-misses", TYPE_HW_CACHE, 0x10000},
		{"L1-icache-loads", TYPE_HW_CACHE, 1},
		{"L1-icache-load-misses", TYPE_HW_CACHE, 0x10001},
		{"LLC-loads", TYPE_HW_CACHE, 2},
		{"LLC-load-misses", TYPE_HW_CACHE, 0x10002},
		{"dTLB-loads", TYPE_HW_CACHE, 3},
		{"dTLB-load-misses", TYPE_HW_CACHE, 0x10003},
		{"iTLB-loads", TYPE_HW_CACHE, 4},
		{"iTLB-load-misses", TYPE_HW_CACHE, 0x10004},
	};

	ev->attr.type = TYPE_RAW;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(ev->name, known[i].name)) {
			ev->attr.type = known[i].type;
			ev->attr.config = known[i].config;
		}
	if (ev->attr.type == TYPE_SOFTWARE && ev->attr.config < 2) {
		ev->unit = "msec";
		ev->scale = 1e-6;
	}
	if (!strcmp(ev->name, "duration_time")) {
		ev->tool = TOOL_DURATION_TIME;
		ev->unit = "ns";
	}
}

static void read_key(struct made *m, struct event *ev, const char *key, struct cpu_list *cpus)
{
	const char *value = strchr(key, '=');
	size_t n = value ? (size_t)(value - key) : strlen(key);

	value = arena_strdup(&m->events.arena, value ? value + 1 : "");
	if (!strncmp(key, "unit", n))
		ev->unit = value;
	else if (!strncmp(key, "scale", n))
		ev->scale = strtod(value, NULL);
	else if (!strncmp(key, "cpus", n))
		assert_int_equal(cpus_parse(value, cpus), 0);
	else if (!strncmp(key, "type", n))
		ev->attr.type = (uint32_t)strtoul(value, NULL, 0);
	else if (!strncmp(key, "config", n))
		ev->attr.config = strtoull(value, NULL, 0);
	else if (!strncmp(key, "pmu", n))
		ev->pmu = value;
	else if (!strncmp(key, "cgroup", n))
		ev->cgroup = value;
	else if (!strncmp(key, "name", n))
		ev->name = value;
	else if (!strncmp(key, "merged", n))
		ev->merged = true;
	else if (!strncmp(key, "asked", n))
		ev->asked = (uint32_t)strtoul(value, NULL, 10);
	else if (!strncmp(key, "percore", n))
		ev->percore = true;
	else if (!strncmp(key, "sensor", n))
		ev->readout.kind = READOUT_FILE;
	else if (!strncmp(key, "modifiers", n))
		ev->attr.flags |= !strcmp(value, "u") ? ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV
						      : ATTR_EXCLUDE_USER | ATTR_EXCLUDE_HV;
	else
		fail_msg("what is '%s'", key);
}

static void join_group(struct made *m, struct event *ev)
{
	if (!m->in_group)
		return;
	if (!m->leader)
		m->leader = ev;
	ev->leader = m->leader->index;
}

/* NAME=VALUE[:VALUE...][/ENABLED[/RUNNING]][;KEY=VALUE...][;KEY] */
static void add_event(struct made *m, char *word)
{
	uint32_t index = (uint32_t)m->events.events.n;
	char *keys = strchr(word, ';'), *values, *save = NULL, *times, *next;
	struct cpu_list cpus = {0};
	struct count count = {0};
	struct event *ev;
	double value;

	if (keys)
		*keys++ = '\0';
	values = strrchr(word, '=');
	*values++ = '\0';
	ev = event_set_add(&m->events, word);
	known_event(ev);
	join_group(m, ev);
	for (char *key = keys ? strtok_r(keys, ";", &save) : NULL; key;
	     key = strtok_r(NULL, ";", &save))
		read_key(m, ev, key, &cpus);
	counts_shape(&m->counts, index, cpus.n ? cpus.at : m->cpus.at,
		     ev->tool ? 1
		     : cpus.n ? cpus.n
			      : m->cpus.n);
	vec_release(&cpus);
	if (!strcmp(values, "none")) {
		m->counts.events.at[index].state = COUNT_NOT_SUPPORTED;
		vec_clear(&m->counts.events.at[index].at);
		return;
	}
	times = strchr(values, '/');
	count.enabled = count.running = m->elapsed;
	if (times)
		count.enabled = count.running = (uint64_t)strtod(times + 1, &next);
	if (times && *next == '/')
		count.running = (uint64_t)strtod(next + 1, NULL);
	for (size_t i = 0; i < m->counts.events.at[index].at.n; i++) {
		value = strtod(values, &next);
		count.value = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
		m->counts.events.at[index].at.at[i] = count;
		if (ev->tool)
			m->counts.events.at[index].at.at[i].enabled =
				m->counts.events.at[index].at.at[i].running = count.value;
		if (*next == ':')
			values = next + 1;
	}
}

/* The machine and the target are known: what follows are events. */
static void settle(struct made *m)
{
	bool any = m->cpus.n > 0;

	make_shape(m, m->shape ? m->shape : "1:1:2:1");
	for (size_t i = 0; !any && i < m->topology.cpus.n; i++)
		if (m->topology.cpus.at[i].online)
			vec_add(&m->cpus, m->topology.cpus.at[i].cpu);
	if (!m->counts.threads.n)
		vec_add(&m->counts.threads, (struct count_thread){-1, ""});
	if (!m->elapsed)
		m->elapsed = m->interval_ms ? m->interval_ms * 1000000 : 1000000000;
	m->view.aggr = m->options.aggr;
	m->view.metric_only = m->options.metric_only;
	m->view.interval = m->interval_ms > 0;
}

/* True: the word behind it belongs to it. */
static bool read_option(struct made *m, char *word, char *value)
{
	if (!strncmp(word, "-x", 2)) {
		m->view.form = STAT_CSV;
		m->view.separator = word + 2;
	} else if (!strcmp(word, "-j")) {
		m->view.form = STAT_JSON;
	} else if (!strncmp(word, "-r", 2)) {
		m->view.runs = strtoull(word + 2, NULL, 10);
	} else if (!read_flag(m, word)) {
		if (!value || !read_value(m, word, value))
			fail_msg("what is '%s'", word);
		return true;
	}
	return false;
}

/* First the options, wherever they stand; then the events. */
static void read_words(struct made *m, char *text)
{
	VEC(char *) words = {0};
	char *save = NULL;

	m->view.runs = 1;
	m->rounds = 1;
	for (char *p = strtok_r(text, " ", &save); p; p = strtok_r(NULL, " ", &save))
		vec_add(&words, p);
	for (size_t i = 0; i < words.n; i++) {
		char *word = words.at[i];

		if (word[0] != '-')
			continue;
		words.at[i] = NULL;
		if (read_option(m, word, i + 1 < words.n ? words.at[i + 1] : NULL))
			words.at[++i] = NULL;
	}
	settle(m);
	for (size_t i = 0; i < words.n; i++) {
		if (!words.at[i])
			continue;
		if (!strcmp(words.at[i], "{")) {
			m->in_group = true;
			m->leader = NULL;
		} else if (!strcmp(words.at[i], "}")) {
			m->in_group = false;
		} else {
			add_event(m, words.at[i]);
		}
	}
	vec_release(&words);
}

static void add_run(struct made *m, struct stat *s, uint64_t run)
{
	struct stat_times times = {.elapsed_ns = m->interval_ms ? 0 : (double)m->elapsed,
				   .user_ns = 2e8,
				   .system_ns = 1e8};
	struct counts c = {0};

	counts_copy(&c, &m->counts);
	for (size_t i = 0; m->grow && i < c.events.n; i++)
		for (size_t k = 0; k < c.events.at[i].at.n; k++)
			c.events.at[i].at.at[k].value *= run + 1;
	if (m->grow)
		times.elapsed_ns *= (double)run + 1;
	stat_add(s, &c, &times);
	counts_release(&c);
}

static void show(struct made *m, struct out *out)
{
	struct stat *s = stat_new(&m->events, &m->topology, &m->options);
	struct stat_pages pages = {0};

	m->view.counts = &m->counts;
	stat_add_cpus(s, m->cpus.at, m->cpus.n);
	for (unsigned int i = 0; m->interval_ms && i < m->rounds; i++) {
		stat_reset(s);
		add_run(m, s, 0);
		stat_show_interval(out, &m->view, s, &pages, m->elapsed * (i + 1));
	}
	if (!m->interval_ms || m->view.summary) {
		stat_reset(s);
		m->interval_ms = 0;
		for (uint64_t i = 0; i < m->view.runs; i++)
			add_run(m, s, i);
		stat_show(out, &m->view, s);
	}
	stat_free(s);
}

static void run(const char *words, struct buf *got)
{
	static char made_word[] = "made", *const command[] = {made_word, NULL};
	struct made m = {.view.command = command};
	AUTO_CHAR *text = mem_strdup(words);
	struct out out;

	out_init(&out, -1);
	read_words(&m, text);
	out.colour = m.colour;
	show(&m, &out);
	buf_add(got, out.buf.at, out.buf.n);
	buf_release(&out.buf);
	vec_release(&m.cpus);
	vec_release(&m.offline);
	counts_release(&m.counts);
	event_set_release(&m.events);
	topology_release(&m.topology);
}

/* Lines end in "$" there, for the blanks in front of it; an escape is written \e. */
static void marked(struct buf *text, struct buf *out)
{
	for (size_t i = 0; i < text->n; i++) {
		if (text->at[i] == '\n')
			buf_char(out, '$');
		if (text->at[i] == '\033')
			buf_str(out, "\\e");
		else
			buf_char(out, text->at[i]);
	}
}

static size_t check(const char *words, struct buf *want)
{
	AUTO_BUF got = {0}, shown = {0};

	run(words, &got);
	marked(&got, &shown);
	if (!strcmp(buf_text(&shown), buf_text(want)))
		return 0;
	fprintf(stderr, "%s\n--- expected\n%s--- got\n%s", words, buf_text(want), buf_text(&shown));
	return 1;
}

static void texts_are_as_expected(void **state)
{
	FILE *f = fopen(STAT_TEXTS, "r");
	AUTO_CHAR *words = NULL;
	AUTO_BUF want = {0};
	char line[4096];
	size_t n = 0, wrong = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "== ", 3) || !strncmp(line, "=! ", 3)) {
			if (words)
				wrong += check(words, &want);
			free(words);
			words = mem_strndup(line + 3, strcspn(line, "\n") - 3);
			buf_clear(&want);
			n++;
		} else if (words) {
			buf_str(&want, line);
		}
	}
	fclose(f);
	if (words)
		wrong += check(words, &want);
	assert_true(n >= 60);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_as_expected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
