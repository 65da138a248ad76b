// SPDX-License-Identifier: MIT
#include "selftest/selftest.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}

/* The line of a text that says what the kernel refused, or NULL: hints may stand below it. */
static const char *refusal_find(struct buf *said)
{
	static const char *const words[] = {
		"may not",	     "not allowed",   "not permitted", "not supported",
		"paranoid",	     "cannot sample", "cannot count",  "no such event",
		"Permission denied", "No such file",  "CAP_",	       "cannot open",
		"has no",	     "not counted"};

	for (char *save = NULL, *line = strtok_r((char *)buf_text(said), "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (strstr(line, words[i]))
				return line;
	return NULL;
}

static enum selftest_verdict not_recorded(struct selftest_run *r, struct buf *said)
{
	AUTO_BUF copy = {0};
	const char *refusal;

	buf_add(&copy, said->at, said->n);
	refusal = refusal_find(&copy);
	return refusal ? selftest_skip(r, "%.300s", refusal)
		       : selftest_fail(r, "%.300s", selftest_last_line(said));
}

static int whole_count_of(const char *text, const char *word)
{
	int n = 0;

	for (const char *p = text; (p = strstr(p, word)); p++)
		n++;
	return n;
}

/* Records a workload of this program, with these options, and shows its samples with
 * these fields. */
static enum selftest_verdict record_workload(struct selftest_run *r, const char *workload,
					     const char *option, const char *value,
					     const char *fields, struct buf *text)
{
	AUTO_BUF said = {0};

	if (selftest_perf(r, &said,
			  WORDS("record", "-q", "-o", "data", "-F", "2000", "-e", "cpu-clock:u",
				option, value, "--", r->program, "test", "-w", workload, "0.4")))
		return not_recorded(r, &said);
	if (selftest_perf(r, text, WORDS("script", "-i", "data", "-F", fields)))
		return selftest_fail(r, "the recording cannot be read: %.300s",
				     selftest_last_line(text));
	buf_text(text);
	return SELFTEST_OK;
}

static enum selftest_verdict record_samples(struct selftest_run *r)
{
	AUTO_BUF text = {0};
	enum selftest_verdict v = record_workload(r, "noploop", "-q", "-q", "comm,ip,sym", &text);
	int n;

	if (v != SELFTEST_OK)
		return v;
	n = whole_count_of(buf_text(&text), "noploop_turn");
	return n >= 20 ? SELFTEST_OK
		       : selftest_fail(r, "%d samples are in noploop_turn, at least 20 should be",
				       n);
}

/* Chains in which the leaf's two callers follow it. */
static enum selftest_verdict check_chains(struct selftest_run *r, const char *mode)
{
	AUTO_BUF text = {0};
	enum selftest_verdict v =
		record_workload(r, "leafloop", "--call-graph", mode, "ip,sym", &text);
	int leaf, parent;

	if (v != SELFTEST_OK)
		return v;
	leaf = whole_count_of(buf_text(&text), "leafloop_leaf");
	parent = whole_count_of(buf_text(&text), "leafloop_parent");
	selftest_say(r, "leafloop_leaf in %d chains, leafloop_parent in %d", leaf, parent);
	if (leaf < 20)
		return selftest_fail(r, "leafloop_leaf is in %d chains, at least 20 should have it",
				     leaf);
	return parent >= leaf * 9 / 10
		       ? SELFTEST_OK
		       : selftest_fail(r, "leafloop_parent is in %d chains of %d", parent, leaf);
}

static enum selftest_verdict record_chains(struct selftest_run *r)
{
	return check_chains(r, "fp");
}

static enum selftest_verdict record_unwound(struct selftest_run *r)
{
	return check_chains(r, "dwarf");
}

static enum selftest_verdict record_threads(struct selftest_run *r)
{
	AUTO_BUF text = {0};
	enum selftest_verdict v = record_workload(r, "thloop", "-q", "-q", "tid", &text);
	long first = 0, other = 0;
	int n[2] = {0};

	if (v != SELFTEST_OK)
		return v;
	for (char *save = NULL, *line = strtok_r(text.at, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		long tid = atol(line);

		if (!first)
			first = tid;
		else if (tid != first)
			other = tid;
		n[tid != first]++;
	}
	selftest_say(r, "%d samples of %ld, %d of %ld", n[0], first, n[1], other);
	return n[0] >= 10 && n[1] >= 10
		       ? SELFTEST_OK
		       : selftest_fail(r, "%d and %d samples of two threads", n[0], n[1]);
}

static enum selftest_verdict record_compressed(struct selftest_run *r)
{
	AUTO_BUF text = {0};
	enum selftest_verdict v = record_workload(r, "noploop", "-z", "-q", "comm,ip,sym", &text);
	int n;

	if (v != SELFTEST_OK)
		return v;
	n = whole_count_of(buf_text(&text), "noploop_turn");
	return n >= 20 ? SELFTEST_OK : selftest_fail(r, "%d samples came back", n);
}

static enum selftest_verdict record_machine(struct selftest_run *r)
{
	AUTO_BUF said = {0};

	if (selftest_perf(r, &said,
			  WORDS("record", "-q", "-a", "-o", "data", "-e", "cpu-clock", "--",
				r->program, "test", "-w", "noploop", "0.2")))
		return not_recorded(r, &said);
	if (selftest_perf(r, &said, WORDS("report", "-i", "data", "--stdio", "-s", "comm")))
		return selftest_fail(r, "the recording cannot be read");
	return strstr(buf_text(&said), "perf")
		       ? SELFTEST_OK
		       : selftest_fail(r, "this program is not in the report");
}

static enum selftest_verdict inject_ids(struct selftest_run *r)
{
	AUTO_BUF text = {0}, said = {0};
	enum selftest_verdict v = record_workload(r, "noploop", "-q", "-q", "ip", &text);

	if (v != SELFTEST_OK)
		return v;
	if (selftest_perf(r, &said, WORDS("inject", "-b", "-i", "data", "-o", "new")))
		return selftest_fail(r, "%.300s", selftest_last_line(&said));
	if (selftest_perf(r, &said, WORDS("buildid-list", "-i", "new")))
		return selftest_fail(r, "%.300s", selftest_last_line(&said));
	return strstr(buf_text(&said), r->program)
		       ? SELFTEST_OK
		       : selftest_fail(r, "this program is not among the build-ids");
}

/* The value of an event in the lines of "stat -x,"; -1: it is not counted. */
static double whole_value_of(struct buf *text, const char *event)
{
	const char *at = buf_text(text);

	for (; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
		const char *end = strchrnul(at, '\n'), *name = strstr(at, event);

		if (name && name < end)
			return *at == '<' ? -1 : atof(at);
	}
	return -1;
}

static enum selftest_verdict count_clock(struct selftest_run *r)
{
	AUTO_BUF said = {0};
	double ms;

	if (selftest_perf(r, &said,
			  WORDS("stat", "-x,", "-e", "task-clock:u", "--", r->program, "test", "-w",
				"noploop", "0.2")))
		return not_recorded(r, &said);
	ms = whole_value_of(&said, "task-clock");
	return ms > 1 && ms < 5000 ? SELFTEST_OK : selftest_fail(r, "task-clock is %.3f ms", ms);
}

static enum selftest_verdict count_cycles(struct selftest_run *r)
{
	AUTO_BUF said = {0};
	double cycles, instructions;

	if (selftest_perf(r, &said,
			  WORDS("stat", "-x,", "-e", "cycles:u,instructions:u", "--", r->program,
				"test", "-w", "noploop", "0.2")))
		return not_recorded(r, &said);
	cycles = whole_value_of(&said, "cycles");
	instructions = whole_value_of(&said, "instructions");
	if (cycles < 0 || instructions < 0)
		return selftest_skip(
			r, "this machine does not count cycles: a virtual machine without a PMU?");
	return cycles > 1e5 && instructions > 1e5
		       ? SELFTEST_OK
		       : selftest_fail(r, "%.0f cycles, %.0f instructions", cycles, instructions);
}

static enum selftest_verdict record_branches(struct selftest_run *r)
{
	AUTO_BUF said = {0};

	if (selftest_perf(r, &said,
			  WORDS("record", "-q", "-b", "-o", "data", "-e", "cycles:u", "--",
				r->program, "test", "-w", "brstack")))
		return not_recorded(r, &said);
	buf_clear(&said);
	if (selftest_perf(r, &said, WORDS("script", "-i", "data", "-F", "brstacksym")))
		return selftest_fail(r, "the recording cannot be read");
	return strstr(buf_text(&said), "brstack_foo")
		       ? SELFTEST_OK
		       : selftest_fail(r, "no branch of brstack_foo was seen");
}

static enum selftest_verdict count_tracepoints(struct selftest_run *r)
{
	AUTO_BUF said = {0};
	double n;

	if (selftest_perf(r, &said,
			  WORDS("stat", "-x,", "-e", "raw_syscalls:sys_enter", "--", r->program,
				"test", "-w", "noploop", "0.01")))
		return not_recorded(r, &said);
	n = whole_value_of(&said, "raw_syscalls:sys_enter");
	return n >= 5 ? SELFTEST_OK
		      : selftest_fail(r, "%.0f system calls of a program that makes more", n);
}

const struct selftest selftests_whole[] = {
	{"Record samples with symbols", record_samples},
	{"Record the threads of a process", record_threads},
	{"Record call chains by frame pointers", record_chains},
	{"Record call chains by unwinding", record_unwound},
	{"Record with compression", record_compressed},
	{"Record the whole machine", record_machine},
	{"Record branches", record_branches},
	{"Inject build-ids", inject_ids},
	{"Count the time of a command", count_clock},
	{"Count cycles and instructions", count_cycles},
	{"Count a tracepoint", count_tracepoints},
	{0},
};
