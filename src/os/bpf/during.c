// SPDX-License-Identifier: MIT
/*
 * A program that attaches to another program must name that one when it is loaded. No skeleton can
 * know it beforehand, so these two small programs are assembled here, instruction by instruction.
 */
#include "os/bpf/during.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <unistd.h>

struct watched {
	uint32_t id;
	int fd;		 /* of the program */
	uint32_t entry;	 /* the BTF id of its function */
	int programs[2]; /* ours: fentry and fexit */
	int links[2];
};

struct bpf_during {
	struct watched *watched;
	size_t n;
	size_t counters;
	int *events; /* of each counter */
	int begun;   /* a map: [watched * counters + counter], values when it began */
	int sums;    /* a map: [counter] */
	bool loaded;
};

/* value, enabled, running */
#define READING	   24
#define AT_READING (-24) /* on the stack */
#define AT_KEY	   (-28)
#define CALL(helper)                                                                               \
	{                                                                                          \
		.code = BPF_JMP | BPF_CALL, .imm = (helper)                                        \
	}
#define COPY(to, from)                                                                             \
	{                                                                                          \
		.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (to), .src_reg = (from)            \
	}
#define SET(to, number)                                                                            \
	{                                                                                          \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (to), .imm = (number)              \
	}
/* The lower half only, the upper one becomes zero. */
#define SET_32(to, number)                                                                         \
	{                                                                                          \
		.code = BPF_ALU | BPF_MOV | BPF_K, .dst_reg = (to), .imm = (number)                \
	}
#define ADD(to, number)                                                                            \
	{                                                                                          \
		.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = (to), .imm = (number)              \
	}
#define MAP(to, fd)                                                                                \
	{.code = BPF_LD | BPF_DW | BPF_IMM,                                                        \
	 .dst_reg = (to),                                                                          \
	 .src_reg = BPF_PSEUDO_MAP_FD,                                                             \
	 .imm = (fd)},                                                                             \
	{                                                                                          \
		0                                                                                  \
	}
#define LOAD(to, from, at)                                                                         \
	{                                                                                          \
		.code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = (to), .src_reg = (from),            \
		.off = (at)                                                                        \
	}
#define STORE(to, at, from)                                                                        \
	{                                                                                          \
		.code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = (to), .src_reg = (from),            \
		.off = (at)                                                                        \
	}
#define STORE_NUMBER(to, at, number)                                                               \
	{                                                                                          \
		.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = (to), .off = (at), .imm = (number)    \
	}
#define OPERATE(op, to, from)                                                                      \
	{                                                                                          \
		.code = BPF_ALU64 | (op) | BPF_X, .dst_reg = (to), .src_reg = (from)               \
	}

struct code {
	VEC(struct bpf_insn);
	VEC(size_t) to_next; /* jumps that go to where the next counter's part begins */
};

static void put(struct code *c, const struct bpf_insn *insns, size_t n)
{
	memcpy(vec_extend(c, n), insns, n * sizeof(*insns));
}
#define PUT(c, ...)                                                                                \
	put(c, (const struct bpf_insn[]){__VA_ARGS__},                                             \
	    sizeof((const struct bpf_insn[]){__VA_ARGS__}) / sizeof(struct bpf_insn))

/* Jumps to the next counter's part when r0 is 0 (when_zero) or is not 0. */
static void skip(struct code *c, bool when_zero)
{
	vec_add(&c->to_next, c->n);
	PUT(c, {.code = BPF_JMP | (when_zero ? BPF_JEQ : BPF_JNE) | BPF_K, .dst_reg = BPF_REG_0});
}

/* r0: the value of a map, by number */
static void look_up(struct code *c, int map, size_t key)
{
	PUT(c, STORE_NUMBER(BPF_REG_10, AT_KEY, (int)key), MAP(BPF_REG_1, map),
	    COPY(BPF_REG_2, BPF_REG_10), ADD(BPF_REG_2, AT_KEY), CALL(BPF_FUNC_map_lookup_elem));
	skip(c, true);
}

static void end_part(struct code *c)
{
	for (size_t i = 0; i < c->to_next.n; i++)
		c->at[c->to_next.at[i]].off = (int16_t)(c->n - c->to_next.at[i] - 1);
	vec_clear(&c->to_next);
}

/* One counter's part. Reads the counter; at the beginning stores the value, at the end adds its
 * growth since then to the sum. */
static void count(struct code *c, const struct bpf_during *d, size_t watched, size_t counter,
		  bool at_end)
{
	PUT(c, MAP(BPF_REG_1, d->events[counter]), SET_32(BPF_REG_2, -1 /* BPF_F_CURRENT_CPU */),
	    COPY(BPF_REG_3, BPF_REG_10), ADD(BPF_REG_3, AT_READING), SET(BPF_REG_4, READING),
	    CALL(BPF_FUNC_perf_event_read_value));
	skip(c, false);
	look_up(c, d->begun, watched * d->counters + counter);
	if (!at_end) {
		for (int16_t at = 0; at < READING; at += 8)
			PUT(c, LOAD(BPF_REG_1, BPF_REG_10, AT_READING + at),
			    STORE(BPF_REG_0, at, BPF_REG_1));
		end_part(c);
		return;
	}
	PUT(c, COPY(BPF_REG_6, BPF_REG_0), LOAD(BPF_REG_0, BPF_REG_6, 8));
	skip(c, true); /* its beginning was not seen */
	look_up(c, d->sums, counter);
	for (int16_t at = 0; at < READING; at += 8)
		PUT(c, LOAD(BPF_REG_1, BPF_REG_10, AT_READING + at), LOAD(BPF_REG_2, BPF_REG_6, at),
		    OPERATE(BPF_SUB, BPF_REG_1, BPF_REG_2), LOAD(BPF_REG_2, BPF_REG_0, at),
		    OPERATE(BPF_ADD, BPF_REG_1, BPF_REG_2), STORE(BPF_REG_0, at, BPF_REG_1));
	PUT(c, SET(BPF_REG_1, 0), STORE(BPF_REG_6, 8, BPF_REG_1));
	end_part(c);
}

static int during_load(const struct bpf_during *d, size_t watched, bool at_end)
{
	static const char licence[] = "Dual MIT/GPL";
	const struct watched *w = &d->watched[watched];
	struct code c = {0};
	int fd;

	for (size_t i = 0; i < d->counters; i++)
		if (d->events[i] >= 0)
			count(&c, d, watched, i, at_end);
	PUT(&c, SET(BPF_REG_0, 0), {.code = BPF_JMP | BPF_EXIT});
	fd = bpf_program_new(&(struct bpf_program_parts){
		.type = BPF_PROG_TYPE_TRACING,
		.attach_type = at_end ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY,
		.insns = c.at,
		.n = c.n,
		.licence = licence,
		.name = "perf_during",
		.attach_to = w->fd,
		.attach_entry = w->entry,
	});
	vec_release(&c);
	vec_release(&c.to_next);
	return fd;
}

static int find(struct watched *w, struct err *err)
{
	struct bpf_func_info function = {0};
	struct bpf_prog_info info = {.nr_func_info = 1,
				     .func_info_rec_size = sizeof(function),
				     .func_info = (uintptr_t)&function};
	int got;

	w->fd = bpf_program_by_id(w->id);
	if (w->fd == -EPERM)
		return bpf_explain(err, EPERM, "counting during another");
	if (w->fd < 0)
		return err_set(err, ERR_SYSTEM, "there is no BPF program with the id %u", w->id);
	got = bpf_program_about(w->fd, &info);
	if (got)
		return err_sys(err, -got, "cannot look at the BPF program %u", w->id);
	if (!info.btf_id || !info.nr_func_info || !function.type_id)
		return err_set(err, ERR_UNSUPPORTED,
			       "the BPF program %u has no type information (BTF)", w->id);
	w->entry = function.type_id;
	return 0;
}

struct bpf_during *bpf_during_new(const uint32_t *programs, size_t n, size_t counters,
				  struct err *err)
{
	struct bpf_during *d = NEW(struct bpf_during);
	int got = 0;

	*d = (struct bpf_during){.n = n,
				 .counters = counters,
				 .begun = -1,
				 .sums = -1,
				 .watched = mem_zero(n * sizeof(*d->watched)),
				 .events = mem_alloc((counters + 1) * sizeof(*d->events))};
	for (size_t i = 0; i < counters; i++)
		d->events[i] = -1;
	for (size_t i = 0; i < n; i++)
		d->watched[i] = (struct watched){
			.id = programs[i], .fd = -1, .programs = {-1, -1}, .links = {-1, -1}};
	for (size_t i = 0; i < n && !got; i++)
		got = find(&d->watched[i], err);
	if (!got) {
		d->begun = bpf_cpu_table_new("perf_begun", READING, (uint32_t)(n * counters));
		d->sums = d->begun < 0
				  ? -1
				  : bpf_cpu_table_new("perf_sums", READING, (uint32_t)counters);
		if (d->begun < 0 || d->sums < 0)
			got = bpf_explain(err, d->begun < 0 ? -d->begun : -d->sums,
					  "counting during another");
	}
	if (!got)
		return d;
	bpf_during_free(d);
	return NULL;
}

static void close_pair(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

void bpf_during_free(struct bpf_during *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n; i++) {
		close_pair(d->watched[i].links);
		close_pair(d->watched[i].programs);
		if (d->watched[i].fd >= 0)
			close(d->watched[i].fd);
	}
	for (size_t i = 0; i < d->counters; i++)
		if (d->events[i] >= 0)
			close(d->events[i]);
	if (d->begun >= 0)
		close(d->begun);
	if (d->sums >= 0)
		close(d->sums);
	free(d->watched);
	free(d->events);
	free(d);
}

void bpf_during_counter(struct bpf_during *d, size_t counter, int events)
{
	d->events[counter] = dup(events);
}

static int refused(struct err *err, int sys, const struct watched *w)
{
	err_sys(err, sys, "cannot count while the BPF program %u runs", w->id);
	return err_hint(err,
			"The kernel must allow fentry and fexit programs on BPF programs (Linux "
			"5.5), and this one must not be such a program itself.");
}

int bpf_during_switch(struct bpf_during *d, bool on, struct err *err)
{
	for (size_t i = 0; i < d->n && !d->loaded; i++)
		for (int end = 0; end < 2; end++) {
			int fd = during_load(d, i, end);

			if (fd < 0)
				return refused(err, -fd, &d->watched[i]);
			d->watched[i].programs[end] = fd;
		}
	d->loaded = true;
	for (size_t i = 0; i < d->n; i++) {
		struct watched *w = &d->watched[i];

		if (!on) {
			close_pair(w->links);
			continue;
		}
		/* The end first: the programs skip an end without a beginning, but not a beginning
		 * without an end. */
		for (int end = 1; end >= 0; end--) {
			if (w->links[end] >= 0)
				continue;
			w->links[end] = bpf_attach(w->programs[end]);
			if (w->links[end] < 0)
				return refused(err, -w->links[end], w);
		}
	}
	return 0;
}

int bpf_during_read(const struct bpf_during *d, size_t counter, uint64_t *out)
{
	uint32_t key = (uint32_t)counter;

	return bpf_map_read(d->sums, &key, out);
}
