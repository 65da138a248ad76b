// SPDX-License-Identifier: MIT
#include "view/out/csv.h"

#include <string.h>

void csv_cell(struct buf *out, const char *text, const char *separator)
{
	AUTO_BUF safe = {0};

	buf_safe(&safe, text ? text : "-");
	text = buf_text(&safe);
	if (!strstr(text, separator) && !strchr(text, '"')) {
		buf_str(out, text);
		return;
	}
	buf_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			buf_char(out, '"');
		buf_char(out, *text);
	}
	buf_char(out, '"');
}

void csv_head(struct buf *out, const char *const *names, size_t n, const char *separator)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(out, separator);
		csv_cell(out, names[i], separator);
	}
	buf_char(out, '\n');
}
