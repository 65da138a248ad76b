// SPDX-License-Identifier: MIT
/* The text below a call's line: dumps of the bytes that it read or wrote, and its call chain. */
#include "cmd/trace/trace_opts.h"

#include <string.h>

struct trace_below_text *trace_below_of(struct trace_below *b, uint32_t tid)
{
	uint32_t *id = idmap_put(&b->by_tid, tid);

	if (*id == HASH_NONE) {
		*id = (uint32_t)b->threads.n;
		(void)vec_extend(&b->threads, 1);
	}
	return &b->threads.at[*id];
}

const struct trace_below_text *trace_below_find(const struct trace_below *b, uint32_t tid)
{
	uint32_t id = b->threads.n ? idmap_find(&b->by_tid, tid) : HASH_NONE;

	return id == HASH_NONE ? NULL : &b->threads.at[id];
}

void trace_below_take(struct trace_below *b, uint32_t tid, struct buf *out)
{
	struct trace_below_text *t = trace_below_find(b, tid) ? trace_below_of(b, tid) : NULL;

	if (!t)
		return;
	if (out) {
		buf_add(out, t->dumps.at, t->dumps.n);
		buf_add(out, t->chain.at, t->chain.n);
	}
	buf_clear(&t->dumps);
	buf_clear(&t->chain);
	t->has_chain = false;
	t->frames = 0;
}

void trace_below_release(struct trace_below *b)
{
	for (size_t i = 0; i < b->threads.n; i++) {
		buf_release(&b->threads.at[i].dumps);
		buf_release(&b->threads.at[i].chain);
	}
	vec_release(&b->threads);
	idmap_release(&b->by_tid);
}

int trace_parse_fds(const char *list, uint8_t fds[static TRACE_FDS], struct err *err)
{
	AUTO_CHAR *copy = mem_strdup(list);
	char *rest = copy, *word;

	if (!strcmp(list, "all")) {
		memset(fds, 1, TRACE_FDS);
		return 0;
	}
	while ((word = strsep(&rest, ",")) != NULL) {
		uint64_t fd;

		if (parse_u64(word, &fd))
			return err_set(err, ERR_USAGE, "'%s' is not a descriptor: 3, 0,4 or all",
				       word);
		if (fd >= TRACE_FDS)
			return err_set(err, ERR_USAGE, "--buffers names descriptors below %u: '%s'",
				       TRACE_FDS, word);
		fds[fd] = 1;
	}
	return 0;
}
