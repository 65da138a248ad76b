/* SPDX-License-Identifier: MIT */
/* System calls made for tests, with the caller's memory, and what they are shown as. */
#ifndef TESTS_UNIT_MADE_CALLS_H
#define TESTS_UNIT_MADE_CALLS_H

#include "unit.h"

#include "os/bpf/state/trace_record.h"
#include "view/trace/call_text.h"

#include <string.h>

#define AT 0x7f0000001000ull /* where the caller's memory of these tests lies */

/* A call with the memory that its arguments point to: pieces are added to .bytes. */
struct made {
	struct call call;
	struct buf bytes;
};

static inline void make(struct made *m, const char *name, const uint64_t *args, int64_t result)
{
	*m = (struct made){.call = {.desc = call_find_name(name),
				    .abi = CALL_X86_64,
				    .pid = 7,
				    .tid = 7,
				    .comm = "prog",
				    .entered = true,
				    .returned = true,
				    .copies = true,
				    .enter_ns = 1000000,
				    .exit_ns = 1500000,
				    .result = result}};
	assert_non_null(m->call.desc);
	m->call.number = m->call.desc->numbers[CALL_X86_64];
	memcpy(m->call.args, args, sizeof(m->call.args));
}

static inline void add(struct made *m, uint64_t address, const void *p, size_t n)
{
	struct trace_piece piece = {.address = address, .n = (uint16_t)n};

	buf_add(&m->bytes, &piece, sizeof(piece));
	buf_add(&m->bytes, p, n);
	buf_fill(&m->bytes, 0, (8 - n % 8) % 8);
	m->call.memory.at = (const uint8_t *)m->bytes.at;
	m->call.memory.n = m->bytes.n;
}

static inline void expect(struct made *m, const char *text)
{
	static const struct call_style style = {.strings = 32};
	AUTO_BUF b = {0};

	call_name(&m->call, &b);
	buf_char(&b, '(');
	call_args_show(&m->call, &style, false, &b);
	buf_str(&b, ") = ");
	call_result_show(&m->call, &style, &b);
	assert_string_equal(buf_text(&b), text);
	buf_release(&m->bytes);
}

#define ARGS(...) ((const uint64_t[CALL_ARGS]){__VA_ARGS__})

#endif
