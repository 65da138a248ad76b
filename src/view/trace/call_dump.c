// SPDX-License-Identifier: MIT
#include "view/trace/call_dump.h"

#include "base/mem.h"
#include "os/bpf/state/trace_record.h"

#define LINE_BYTES 16

static void dump_line_show(uint64_t offset, const uint8_t *p, size_t n, struct buf *out)
{
	static const char digits[] = "0123456789abcdef";

	buf_printf(out, " | %05llx ", (unsigned long long)offset);
	for (size_t i = 0; i < LINE_BYTES; i++) {
		if (i % (LINE_BYTES / 2) == 0)
			buf_char(out, ' ');
		buf_char(out, i < n ? digits[p[i] >> 4] : ' ');
		buf_char(out, i < n ? digits[p[i] & 15] : ' ');
		buf_char(out, ' ');
	}
	buf_char(out, ' ');
	for (size_t i = 0; i < LINE_BYTES; i++)
		buf_char(out, i >= n ? ' ' : p[i] >= ' ' && p[i] < 127 ? (char)p[i] : '.');
	buf_str(out, " |\n");
}

void call_dump_show(const struct trace_record *part, struct buf *out)
{
	const uint8_t *bytes = (const uint8_t *)(part + 1);
	const uint64_t offset = part->args[0];

	if (part->args[4] && !part->args[2]) { /* the beginning of a message */
		buf_printf(out, " = %llu buffers in vector %llu\n",
			   (unsigned long long)part->args[5],
			   (unsigned long long)part->args[4] - 1);
		return;
	}
	if (part->args[3] && !offset)
		buf_printf(out, " * %llu bytes in buffer %d\n", (unsigned long long)part->args[1],
			   part->number);
	if (!part->bytes)
		buf_printf(out, " | %05llx  %llu bytes could not be read\n",
			   (unsigned long long)offset, (unsigned long long)part->args[2]);
	for (size_t at = 0; at < part->bytes; at += LINE_BYTES)
		dump_line_show(offset + at, bytes + at, MIN(part->bytes - at, (size_t)LINE_BYTES),
			       out);
}
