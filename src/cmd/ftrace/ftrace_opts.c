// SPDX-License-Identifier: MIT
#include "cmd/ftrace/ftrace_opts.h"

#include <string.h>

#define AT(member)     offsetof(struct ftrace_opts, functions.member)
#define TARGET(member) offsetof(struct ftrace_opts, functions.target.member)
#define OWN(member)    offsetof(struct ftrace_opts, member)
#define NAMES(l, n, m, h)                                                                          \
	{                                                                                          \
		OPT_CALL, l, n, AT(m), "func", h, .call = add_name                                 \
	}

static int add_name(void *place, const struct opt *opt, const char *value, bool unset,
		    struct err *err)
{
	struct function_names *names = place;

	(void)opt;
	(void)err;
	if (unset)
		vec_clear(names);
	else
		vec_add(names, value);
	return 0;
}

/* The words of --func-opts and --graph-opts, with the tracer options that they set. */
static const struct {
	const char *word, *names, *value; /* names: separated by blanks */
	bool graph;
} words[] = {
	{"call-graph", "func_stack_trace", "1", false},
	{"irq-info", "irq-info", "1", false},
	{"args", "funcgraph-args", "1", true},
	{"retval", "funcgraph-retval", "1", true},
	{"retval-hex", "funcgraph-retval funcgraph-retval-hex", "1", true},
	{"retaddr", "funcgraph-retaddr", "1", true},
	{"nosleep-time", "sleep-time", "0", true},
	{"noirqs", "funcgraph-irqs", "0", true},
	{"verbose", "funcgraph-proc funcgraph-abstime latency-format", "1", true},
	{"tail", "funcgraph-tail", "1", true},
};

static bool is_word(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(p, word, n);
}

/* Adds tracer options by names. The options borrow their names from the table, because names is not
 * cut at blanks. */
static void add_options(struct functions_options *f, const char *names, const char *value)
{
	static const char *const known[] = {
		"func_stack_trace",  "irq-info",	  "funcgraph-args", "funcgraph-retval",
		"funcgraph-retaddr", "sleep-time",	  "funcgraph-irqs", "funcgraph-retval-hex",
		"funcgraph-proc",    "funcgraph-abstime", "latency-format", "funcgraph-tail"};

	for (size_t n; *names; names += n + (names[n] == ' ')) {
		n = strcspn(names, " ");
		for (size_t i = 0; i < ARRAY_SIZE(known); i++)
			if (is_word(names, n, known[i]))
				vec_add(&f->options, (struct function_option){known[i], value});
	}
}

static int take_number(const char *p, size_t n, unsigned int *v)
{
	char text[16];
	uint64_t got;

	if (!n || n >= sizeof(text))
		return -1;
	memcpy(text, p, n);
	text[n] = 0;
	if (parse_u64(text, &got) || got > 1000000000)
		return -1;
	*v = (unsigned int)got;
	return 0;
}

static int take_word(struct functions_options *f, const char *p, size_t n, bool graph,
		     struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].graph == graph && is_word(p, n, words[i].word)) {
			add_options(f, words[i].names, words[i].value);
			return 0;
		}
	if (graph && n > 7 && !memcmp(p, "thresh=", 7) && !take_number(p + 7, n - 7, &f->thresh_us))
		return 0;
	if (graph && n > 6 && !memcmp(p, "depth=", 6) && !take_number(p + 6, n - 6, &f->depth))
		return 0;
	return err_set(err, ERR_USAGE, "--%s-opts has no '%.*s'", graph ? "graph" : "func", (int)n,
		       p);
}

static int tracer_opts(void *place, const struct opt *opt, const char *value, bool unset,
		       struct err *err)
{
	struct functions_options *f = place;

	if (unset) {
		vec_clear(&f->options);
		return 0;
	}
	while (*value) {
		size_t n = strcspn(value, ",");

		if (take_word(f, value, n, opt->value, err))
			return -1;
		value += n + (value[n] == ',');
	}
	return 0;
}

static const struct opt target_opts[] = {
	{OPT_STRING, 'p', "pid", TARGET(pids), "pid", "processes that run"},
	{OPT_STRING, 0, "tid", TARGET(tids), "tid", "threads that run"},
	{OPT_BOOL, 'a', "all-cpus", TARGET(system_wide), NULL, "every task"},
	{OPT_STRING, 'C', "cpu", TARGET(cpus), "cpu", "only on these CPUs"},
	{OPT_COUNT, 'v', "verbose", OWN(verbose), NULL, "say more"},
	{OPT_END},
};

static const struct opt trace_opts[] = {
	{OPT_STRING, 't', "tracer", AT(tracer), "tracer",
	 "tracer to use:", .words = "function_graph function"},
	{OPT_STRING, 'F', "funcs", OWN(list), "FILTER", "show the functions that can be traced",
	 OPT_OPTIONAL_NEXT, "*"},
	NAMES('T', "trace-funcs", only, "trace these functions by the function tracer"),
	NAMES('N', "notrace-funcs", without, "do not trace these functions"),
	{OPT_CALL, 0, "func-opts", offsetof(struct ftrace_opts, functions), "options",
	 "of the function tracer:", .words = "call-graph irq-info", .joined = ",",
	 .call = tracer_opts},
	NAMES('G', "graph-funcs", graph, "trace what these call, by function_graph"),
	NAMES('g', "nograph-funcs", graph_without, "do not trace what these call"),
	{OPT_CALL, 0, "graph-opts", offsetof(struct ftrace_opts, functions), "options",
	 "of function_graph: args, retval, retval-hex, retaddr, nosleep-time, noirqs, verbose, "
	 "tail, thresh=<us>, depth=<n>",
	 .value = true, .call = tracer_opts},
	{OPT_U64, 'm', "buffer-size", OWN(buffer_bytes), "size", "of each CPU's buffer", OPT_SIZE},
	{OPT_BOOL, 0, "inherit", AT(inherit), NULL, "trace what is started meanwhile, too"},
	{OPT_UINT, 'D', "delay", AT(delay_ms), "ms", "begin so much after the command does"},
	{OPT_END},
};

static const struct opt latency_opts[] = {
	NAMES('T', "trace-funcs", only, "the function whose times are counted"),
	{OPT_BOOL, 'n', "use-nsec", OWN(buckets.nsec), NULL,
	 "count by nanoseconds, not microseconds"},
	{OPT_U64, 0, "bucket-range", OWN(buckets.width), "n",
	 "rows of this width in us (ns with -n), not of powers of two"},
	{OPT_U64, 0, "min-latency", OWN(buckets.least), "n",
	 "with --bucket-range: where the second row begins"},
	{OPT_U64, 0, "max-latency", OWN(buckets.most), "n",
	 "with --bucket-range: where the last row begins"},
	{OPT_BOOL, 0, "hide-empty", OWN(hide_empty), NULL, "leave out rows without a count"},
	{OPT_BOOL, 'b', "use-bpf", OWN(bpf), NULL, "count in the kernel, by BPF programs"},
	{OPT_STRING, 'e', "events", OWN(events), "event,event",
	 "with -b: times from one tracepoint to another one in the same task"},
	{OPT_END},
};

static const struct opt profile_opts[] = {
	NAMES('T', "trace-funcs", only, "only these functions"),
	NAMES('N', "notrace-funcs", without, "not these functions"),
	NAMES('G', "graph-funcs", graph, "only what these call"),
	NAMES('g', "nograph-funcs", graph_without, "not what these call"),
	{OPT_STRING, 's', "sort", OWN(sort), "key",
	 "order of the rows:", .words = "total avg max count name"},
	{OPT_CALL, 0, "graph-opts", offsetof(struct ftrace_opts, functions), "options",
	 "nosleep-time, noirqs, thresh=<us>, depth=<n>", .value = true, .call = tracer_opts},
	{OPT_U64, 'm', "buffer-size", OWN(buffer_bytes), "size", "of each CPU's buffer", OPT_SIZE},
	{OPT_BOOL, 0, "inherit", AT(inherit), NULL, "trace what is started meanwhile, too"},
	{OPT_UINT, 'D', "delay", AT(delay_ms), "ms", "begin so much after the command does"},
	{OPT_END},
};

const struct opt_group ftrace_trace_groups[] = {{trace_opts, 0}, {target_opts, 0}, {0}};
const struct opt_group ftrace_latency_groups[] = {{latency_opts, 0}, {target_opts, 0}, {0}};
const struct opt_group ftrace_profile_groups[] = {{profile_opts, 0}, {target_opts, 0}, {0}};

void ftrace_defaults(void *v, const struct env *env)
{
	struct ftrace_opts *o = v;

	o->sort = "total";
	o->verbose = env->verbose;
	o->functions.tracer = config_find(env->config, "ftrace.tracer");
}
