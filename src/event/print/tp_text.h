/* SPDX-License-Identifier: MIT */
/*
 * A tracepoint sample as text: what `perf script` prints after the event's name, made from the
 * format's "print fmt" and the sample's raw bytes.
 *
 * A format is compiled once, at its first sample. Raw bytes may be hostile: reads stay within them.
 * Not safe for use from two threads.
 */
#ifndef EVENT_TP_TEXT_H
#define EVENT_TP_TEXT_H

#include "base/buf.h"
#include "event/format/format.h"

struct tp_text_options {
	/* The kernel function that covers the address, and where it begins; NULL when there is
	 * none. The callee owns the text. The pointer may be NULL: no functions are known. */
	const char *(*function)(void *ctx, uint64_t address, uint64_t *start);
	void *ctx;
};

struct tp_text;
/* The formats must outlive it; formats that come later (pipes) are found too. */
struct tp_text *tp_text_new(const struct tp_formats *formats, const struct tp_text_options *opts);
void tp_text_free(struct tp_text *t);
DEFINE_AUTO(tp_text, tp_text_free)

/* Appends the text of a sample of tracepoint id (attr.config) taken on cpu. False, and nothing is
 * appended, when the format isn't known. */
bool tp_text_show(struct tp_text *t, uint32_t id, const void *raw, size_t size, uint32_t cpu,
		  struct buf *out);
/* Shows a sample without the print format: " name=value" for each field that isn't a common one, as
 * --raw-trace and formats that cannot be understood are shown. */
void tp_fields_show(const struct tp_formats *formats, const struct tp_format *fmt, const void *raw,
		    size_t size, struct buf *out);
/* The value of one field, as sort keys and the like show it. */
void tp_field_show(const struct tp_formats *formats, const struct tp_field *field, const void *raw,
		   size_t size, struct buf *out);

#endif
