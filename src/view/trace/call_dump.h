/* SPDX-License-Identifier: MIT */
/* Hex dumps of the bytes that a call has read or written, as strace has them. */
#ifndef VIEW_TRACE_CALL_DUMP_H
#define VIEW_TRACE_CALL_DUMP_H

#include "base/buf.h"

struct trace_record;
/* Appends lines for one part (TRACE_DATA of os/bpf/state/trace_record.h): 16 bytes each, in
 * hexadecimal and as characters. The first part of a vector's element begins with a line that says
 * which, as does the first part of one of several messages. */
void call_dump_show(const struct trace_record *part, struct buf *out);

#endif
