// SPDX-License-Identifier: MIT
/* What stands below the lines of calls: dumps of what they have read and written. */
#include "cmd/trace/trace_opts.h"

#include <string.h>

struct buf *trace_below_of(struct trace_below *b, uint32_t tid)
{
	uint32_t *id = idmap_put(&b->by_tid, tid);

	if (*id == HASH_NONE) {
		*id = (uint32_t)b->texts.n;
		(void)vec_extend(&b->texts, 1);
	}
	return &b->texts.at[*id];
}

void trace_below_take(struct trace_below *b, uint32_t tid, struct buf *out)
{
	uint32_t id = b->texts.n ? idmap_find(&b->by_tid, tid) : HASH_NONE;
	struct buf *text;

	if (id == HASH_NONE)
		return;
	text = &b->texts.at[id];
	if (out)
		buf_add(out, text->at, text->n);
	buf_clear(text);
}

void trace_below_release(struct trace_below *b)
{
	for (size_t i = 0; i < b->texts.n; i++)
		buf_release(&b->texts.at[i]);
	vec_release(&b->texts);
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
