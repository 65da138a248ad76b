// SPDX-License-Identifier: MIT
/*
 * Counts in, text out. A situation is written as tests/data/make-stat writes it (its words are
 * explained there), so that what is expected can be had from any perf:
 *
 *   make-stat --shape 2:1:2:1 -o x.data cycles=5 ...; perf stat -x, report --per-core -i x.data
 */
#include "unit.h"

#include "analysis/stat.h"
#include "base/buf.h"
#include "view/stat/stat.h"

#include <stdio.h>

struct words {
	VEC(char *) at;
	char *text;
};

static void split(struct words *w, const char *text)
{
	char *save = NULL;

	w->text = mem_strdup(text);
	for (char *p = strtok_r(w->text, " ", &save); p; p = strtok_r(NULL, " ", &save))
		vec_add(&w->at, p);
}

static void words_release(struct words *w)
{
	vec_release(&w->at);
	free(w->text);
}

/* A made machine, what is counted on it, and how that is shown. */
struct made {
	struct topology topology;
	struct event_set events;
	struct counts counts;
	struct stat_options options;
	struct stat_view view;
	VEC(int) cpus;
	char separator[8];
	uint64_t elapsed, interval_ms;
	unsigned int rounds;
	bool report; /* as read from a recording: intervals don't know how long they are */
};

static bool option(const char *word, const char *name, const char **value)
{
	size_t n = strlen(name);

	*value = word + n;
	return !strncmp(word, name, n);
}

static void make_shape(struct made *m, const char *text)
{
	int sockets = 1, dies = 1, cores = 2, threads = 1, number = 0;

	assert_int_equal(sscanf(text, "%d:%d:%d:%d", &sockets, &dies, &cores, &threads), 4);
	for (int t = 0; t < threads; t++)
		for (int c = 0; c < sockets * dies * cores; c++) {
			struct topology_cpu *cpu = topology_add(&m->topology, number++);

			cpu->online = true;
			cpu->socket = cpu->node = c / cores / dies;
			cpu->die = c / cores % dies;
			cpu->core = c % (cores * dies);
			cpu->cluster = cpu->core / 2;
			vec_add(&cpu->caches, (struct topology_cache){2, false, c / 2 * 2});
			vec_add(&cpu->caches, (struct topology_cache){3, false, c / cores * cores});
			vec_add(&m->cpus, cpu->cpu);
		}
}

static void read_options(struct made *m, const char *text)
{
	static const struct {
		const char *word;
		enum stat_aggr aggr;
	} aggrs[] = {
		{"-A", STAT_CPU},	   {"--per-core", STAT_CORE},
		{"--per-die", STAT_DIE},   {"--per-cluster", STAT_CLUSTER},
		{"--per-node", STAT_NODE}, {"--per-cache", STAT_CACHE},
		{"--per-socket", STAT_SOCKET}, {"--per-thread", STAT_THREAD},
	};
	struct words w = {0};
	const char *value;

	m->view.runs = 1;
	m->elapsed = 1000000000;
	m->rounds = 1;
	split(&w, text);
	for (size_t i = 0; i < w.at.n; i++) {
		const char *word = w.at.at[i];

		if (option(word, "-x", &value)) {
			m->view.form = STAT_CSV;
			snprintf(m->separator, sizeof(m->separator), "%s", value);
		} else if (!strcmp(word, "-j")) {
			m->view.form = STAT_JSON;
		} else if (!strcmp(word, "--metric-only")) {
			m->options.metric_only = m->view.metric_only = true;
		} else if (option(word, "-r", &value)) {
			m->view.runs = strtoull(value, NULL, 10);
		} else if (option(word, "--shape=", &value)) {
			make_shape(m, value);
		} else if (option(word, "--elapsed=", &value)) {
			m->elapsed = strtoull(value, NULL, 10);
		}
		for (size_t k = 0; k < ARRAY_SIZE(aggrs); k++)
			if (!strcmp(word, aggrs[k].word))
				m->options.aggr = aggrs[k].aggr;
	}
	words_release(&w);
	m->view.separator = m->separator;
	m->view.aggr = m->options.aggr;
	if (!m->topology.cpus.n)
		make_shape(m, "1:1:2:1");
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
		{"branches", TYPE_HARDWARE, 4},
		{"branch-misses", TYPE_HARDWARE, 5},
		{"stalled-cycles-frontend", TYPE_HARDWARE, 7},
		{"stalled-cycles-backend", TYPE_HARDWARE, 8},
		{"cpu-clock", TYPE_SOFTWARE, 0},
		{"task-clock", TYPE_SOFTWARE, 1},
		{"cs", TYPE_SOFTWARE, 3},
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
}

/* NAME=VALUE[:VALUE...][/ENABLED[/RUNNING]][;KEY=VALUE...][;sensor] */
static void add_event(struct made *m, char *word)
{
	char *values = strchr(word, '='), *save = NULL, *times, *next;
	uint32_t index = (uint32_t)m->events.events.n;
	struct event *ev;
	struct count count = {0};
	double value;

	*values++ = '\0';
	ev = event_set_add(&m->events, word);
	known_event(ev);
	values = strtok_r(values, ";", &save);
	for (char *key; (key = strtok_r(NULL, ";", &save));) {
		if (!strncmp(key, "unit=", 5))
			ev->unit = arena_strdup(&m->events.arena, key + 5);
		else if (!strncmp(key, "scale=", 6))
			ev->scale = strtod(key + 6, NULL);
		else if (!strcmp(key, "sensor"))
			ev->readout.kind = READOUT_FILE;
	}
	counts_shape(&m->counts, index, m->cpus.at, m->cpus.n);
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
		if (*next == ':')
			values = next + 1;
	}
}

static void check(const char *options, const char *events, const char *expected)
{
	static char made_word[] = "made", *const command[] = {made_word, NULL};
	struct made m = {.view.command = command};
	struct out out;
	struct words w = {0};
	struct stat *s;

	read_options(&m, options);
	vec_add(&m.counts.threads, (struct count_thread){-1, ""});
	split(&w, events);
	for (size_t i = 0; i < w.at.n; i++)
		add_event(&m, w.at.at[i]);
	s = stat_new(&m.events, &m.topology, &m.options);
	for (uint64_t i = 0; i < m.view.runs; i++)
		stat_add(s, &m.counts, &(struct stat_times){.elapsed_ns = (double)m.elapsed});
	out_init(&out, -1);
	m.view.counts = &m.counts;
	stat_show(&out, &m.view, s);
	assert_string_equal(buf_text(&out.buf), expected);
	buf_release(&out.buf);
	stat_free(s);
	words_release(&w);
	vec_release(&m.cpus);
	counts_release(&m.counts);
	event_set_release(&m.events);
	topology_release(&m.topology);
}

static const char default_set[] =
	"task-clock=5000000 cycles=3000000/1000/500 instructions=4500000 "
	"stalled-cycles-frontend=2000000 stalled-cycles-backend=1000000 branches=100000 "
	"branch-misses=2500 LLC-loads=none foo=0/0/0 uncore=7;unit=MiB;scale=0.001";

static void text_of_all_together(void **state)
{
	(void)state;
	check("", default_set,
	      "\n Performance counter stats for 'made':\n\n"
	      "             10.00 msec task-clock                       #    0.010 CPUs utilized          \n"
	      "          12000000      cycles                           #    1.200 GHz                      (50.00%)\n"
	      "           9000000      instructions                     #    0.75  insn per cycle         \n"
	      "                                                  #    0.44  stalled cycles per insn\n"
	      "           4000000      stalled-cycles-frontend          #   33.33% frontend cycles idle   \n"
	      "           2000000      stalled-cycles-backend           #   16.67% backend cycles idle    \n"
	      "            200000      branches                         #   20.000 M/sec                  \n"
	      "              5000      branch-misses                    #    2.50% of all branches        \n"
	      "   <not supported>      LLC-loads                                                   \n"
	      "     <not counted>      foo                                                         \n"
	      "              0.01 MiB  uncore                           #    1.400 /sec                   \n"
	      "\n       1.000000000 seconds time elapsed\n\n");
	check("--per-socket -x,", default_set,
	      "S0,2,10.00,msec,task-clock,2000000000,100.00,0.010,CPUs utilized\n"
	      "S0,2,12000000,,cycles,1000,50.00,1.200,GHz\n"
	      "S0,2,9000000,,instructions,2000000000,100.00,0.75,insn per cycle\n"
	      "S0,2,,,,,,,0.44,stalled cycles per insn\n"
	      "S0,2,4000000,,stalled-cycles-frontend,2000000000,100.00,33.33,frontend cycles idle\n"
	      "S0,2,2000000,,stalled-cycles-backend,2000000000,100.00,16.67,backend cycles idle\n"
	      "S0,2,200000,,branches,2000000000,100.00,20.000,M/sec\n"
	      "S0,2,5000,,branch-misses,2000000000,100.00,2.50,of all branches\n"
	      "S0,1,<not supported>,,LLC-loads,0,100.00,,\n"
	      "S0,1,<not counted>,,foo,0,100.00,,\n"
	      "S0,2,0.01,MiB,uncore,2000000000,100.00,1.400,/sec\n");
	check("-j", "instructions=4500000 cycles=3000000 stalled-cycles-backend=1000000",
	      "{\"counter-value\" : \"9000000.000000\", \"unit\" : \"\", \"event\" : \"instructions\", "
	      "\"event-runtime\" : 2000000000, \"pcnt-running\" : 100.00, \"metric-value\" : 1.500000, "
	      "\"metric-unit\" : \"insn per cycle\"}\n"
	      "{\"metric-value\" : 0.222222, \"metric-unit\" : \"stalled cycles per insn\"}\n"
	      "{\"counter-value\" : \"6000000.000000\", \"unit\" : \"\", \"event\" : \"cycles\", "
	      "\"event-runtime\" : 2000000000, \"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, "
	      "\"metric-unit\" : \"Ghz\"}\n"
	      "{\"counter-value\" : \"2000000.000000\", \"unit\" : \"\", \"event\" : "
	      "\"stalled-cycles-backend\", \"event-runtime\" : 2000000000, \"pcnt-running\" : 100.00, "
	      "\"metric-value\" : 33.333333, \"metric-unit\" : \"backend cycles idle\"}\n");
}

static void sensors_go_below_zero(void **state)
{
	(void)state;
	check("-x,", "temp1=-4500:1000;unit='C;scale=0.001;sensor", "-3.50,'C,temp1,2000000000,100.00,,\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_of_all_together),
		cmocka_unit_test(sensors_go_below_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
