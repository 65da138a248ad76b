// SPDX-License-Identifier: MIT
#include "event/tp_text.h"

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

struct tp_text {
	const struct tp_formats *formats;
	struct tp_text_options opts;
	struct tep_handle *tep;
	struct trace_seq seq;
	size_t printks;	     /* how many of the formats' the library knows */
	struct idmap events; /* id -> 1: parsed, 0: not to be understood */
	struct buf function; /* the name last given to the library */
};

static char *resolve(void *ctx, unsigned long long *address, char **module)
{
	struct tp_text *t = ctx;
	uint64_t start = *address;
	const char *name = t->opts.function(t->opts.ctx, *address, &start);

	(void)module;
	if (!name)
		return NULL;
	*address = start;
	buf_clear(&t->function);
	buf_str(&t->function, name);
	buf_text(&t->function);
	return t->function.at;
}

struct tp_text *tp_text_new(const struct tp_formats *formats, const struct tp_text_options *opts)
{
	struct tp_text *t = NEW(struct tp_text);

	t->formats = formats;
	t->opts = *opts;
	t->tep = tep_alloc();
	trace_seq_init(&t->seq);
	if (t->opts.function)
		tep_set_function_resolver(t->tep, resolve, t);
	return t;
}

void tp_text_free(struct tp_text *t)
{
	if (!t)
		return;
	tep_free(t->tep);
	trace_seq_destroy(&t->seq);
	idmap_release(&t->events);
	buf_release(&t->function);
	free(t);
}

/* All that a field claims must be there: the library does not look. */
static bool fields_fit(const struct tp_formats *fs, const struct tp_format *fmt, const void *raw,
		       size_t size)
{
	size_t n;

	for (size_t i = 0; i < fmt->fields.n; i++)
		if (!tp_field_bytes(fs, &fmt->fields.at[i], raw, size, &n))
			return false;
	return true;
}

static bool parse_once(struct tp_text *t, const struct tp_format *fmt)
{
	uint32_t *known = idmap_put(&t->events, fmt->id);
	bool big = t->formats->swap ^ (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	if (*known != HASH_NONE)
		return *known;
	tep_set_file_bigendian(t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, t->formats->long_size ? (int)t->formats->long_size : 8);
	for (; t->printks < t->formats->printks.n; t->printks++)
		tep_register_print_string(t->tep, t->formats->printks.at[t->printks].text,
					  t->formats->printks.at[t->printks].address);
	*known = tep_parse_event(t->tep, fmt->text, fmt->text_len, fmt->system) == 0;
	return *known;
}

bool tp_text_show(struct tp_text *t, uint32_t id, const void *raw, size_t size, uint32_t cpu,
		  struct buf *out)
{
	const struct tp_format *fmt = tp_formats_find(t->formats, id);
	struct tep_record record = {.cpu = (int)cpu, .data = (void *)(uintptr_t)raw,
				    .size = (int)size};

	if (!fmt)
		return false;
	if (!fields_fit(t->formats, fmt, raw, size) || !parse_once(t, fmt)) {
		buf_str(out, "[FAILED TO PARSE]");
		tp_fields_show(t->formats, fmt, raw, size, out);
		return true;
	}
	trace_seq_reset(&t->seq);
	tep_print_event(t->tep, &t->seq, &record, "%s", TEP_PRINT_INFO);
	buf_add(out, t->seq.buffer, t->seq.len);
	return true;
}
