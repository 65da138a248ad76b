// SPDX-License-Identifier: MIT
#include "analysis/calls/call.h"

#include "base/mem.h"
#include "os/bpf/state/trace_record.h"

void call_of_record(const struct trace_record *r, struct call *out)
{
	*out = (struct call){
		.desc = call_find((enum call_abi)r->abi, r->number),
		.abi = (enum call_abi)r->abi,
		.number = r->number,
		.pid = r->pid,
		.tid = r->tid,
		.cpu = r->cpu,
		.comm = r->comm,
		.entered = r->what != TRACE_EXIT,
		.returned = r->what != TRACE_ENTER && r->what != TRACE_EARLY_ENTER &&
			    r->what != TRACE_TRAPPED,
		.early = r->what == TRACE_EARLY_ENTER || r->what == TRACE_EARLY_CALL,
		.refused = r->what == TRACE_REFUSED || r->what == TRACE_TRAPPED,
		.enter_ns = r->enter_ns,
		.exit_ns = r->exit_ns,
		.result = r->result,
		.copies = true,
		.memory = {(const uint8_t *)(r + 1), r->bytes},
	};
	memcpy(out->args, r->args, sizeof(out->args));
}

void call_name(const struct call *c, struct buf *out)
{
	if (c->desc)
		buf_str(out, c->desc->name);
	else
		buf_printf(out, "syscall_%#x", (unsigned int)c->number);
}

const uint8_t *call_bytes(const struct call *c, uint64_t address, size_t *n)
{
	const uint8_t *found = NULL;
	struct trace_piece p;
	bool at_exit = false;

	for (size_t at = 0; c->memory.n - at >= sizeof(p); at += sizeof(p) + ((p.n + 7u) & ~7u)) {
		memcpy(&p, c->memory.at + at, sizeof(p));
		if (c->memory.n - at - sizeof(p) < p.n)
			break;
		/* what is later is newer; of one moment, what is longer: a path may be a word, too,
		 * and words are cut */
		if (address - p.address < p.n &&
		    (!found || p.at_exit != at_exit || p.n - (address - p.address) > *n)) {
			at_exit = p.at_exit;
			found = c->memory.at + at + sizeof(p) + (address - p.address);
			*n = p.n - (size_t)(address - p.address);
		}
		if (c->memory.n - at - sizeof(p) < ((p.n + 7u) & ~7u))
			break;
	}
	return found;
}

bool call_read(const struct call *c, uint64_t address, void *to, size_t n)
{
	size_t got = 0;
	const uint8_t *p = call_bytes(c, address, &got);

	if (!p || got < n)
		return false;
	memcpy(to, p, n);
	return true;
}

unsigned int call_long_size(const struct call *c, enum call_kind_id kind)
{
	return c->desc && call_is_narrow(c->desc, c->abi, kind) ? 4 : 8;
}

bool call_read_longs(const struct call *c, enum call_kind_id kind, uint64_t address, uint64_t *to,
		     size_t n, bool is_signed)
{
	int32_t narrow[8];

	if (call_long_size(c, kind) == 8)
		return call_read(c, address, to, n * 8);
	if (n > ARRAY_SIZE(narrow) || !call_read(c, address, narrow, n * 4))
		return false;
	for (size_t i = 0; i < n; i++)
		to[i] = is_signed ? (uint64_t)(int64_t)narrow[i] : (uint32_t)narrow[i];
	return true;
}
