// SPDX-License-Identifier: MIT
#include "cmd/options/output/export_text.h"

#include <string.h>

/* The recorded command line without perf's folder; the file's path when there is none. */
static const char *export_command(const struct recording *rec, struct arena *arena)
{
	AUTO_BUF b = {0};

	for (size_t i = 0; i < rec->cmdline.n; i++) {
		const char *word = rec->cmdline.at[i], *slash = strrchr(word, '/');

		buf_word(&b, !i && slash ? slash + 1 : word);
	}
	return b.n ? arena_strdup(arena, buf_text(&b)) : rec->path;
}

const char *export_title(const struct export_side *sides, size_t n, struct arena *arena)
{
	AUTO_BUF b = {0};

	if (n == 1)
		return export_command(sides[0].rec, arena);
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? " \xe2\x86\x92 " : "", sides[i].name);
	return arena_strdup(arena, buf_text(&b));
}

void export_losses(const struct export_side *sides, size_t n, struct buf *out)
{
	AUTO_BUF one = {0};

	for (size_t i = 0; i < n; i++) {
		buf_clear(&one);
		losses_show(&sides[i].rec->m.losses, &one);
		if (!one.n)
			continue;
		if (n > 1)
			buf_printf(out, "%s%s: ", out->n ? "; " : "", sides[i].name);
		buf_str(out, buf_text(&one));
	}
}
