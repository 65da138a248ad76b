// SPDX-License-Identifier: MIT
#include "view/html/rows_page.h"

#include "view/html/markup.h"
#include "view/html/rows_parts.h"

#include <string.h>

/* Appends the template from *at up to the mark of the rows, or to its end. */
static void rows_page_put(const char **at, const char *title, struct buf *out)
{
	const char *mark, *end;

	while ((mark = strchr(*at, '@'))) {
		buf_add(out, *at, (size_t)(mark - *at));
		end = strchr(mark + 1, '@') + 1;
		*at = end;
		if (!strncmp(mark, "@TITLE@", 7))
			put_markup(title, out);
		else if (!strncmp(mark, "@STYLE@", 7))
			buf_str(out, page_style);
		else if (!strncmp(mark, "@SCRIPT@", 8))
			buf_str(out, page_script);
		else
			return;
	}
	buf_str(out, *at);
}

void rows_page_begin(struct out *out, const char *title)
{
	const char *at = page_html;

	rows_page_put(&at, title, &out->buf);
}

void rows_page_end(struct out *out)
{
	const char *at = strstr(page_html, "@ROWS@") + strlen("@ROWS@");

	rows_page_put(&at, "", &out->buf);
}

void rows_page_begin_table(struct out *out, const char *name, const char *const *columns, size_t n)
{
	struct buf *b = &out->buf;

	buf_str(b, "<h2>");
	put_markup(name, b);
	buf_str(b, "</h2>\n<table><thead><tr>");
	for (size_t i = 0; i < n; i++) {
		buf_str(b, "<th>");
		put_markup(columns[i], b);
	}
	buf_str(b, "</thead><tbody>\n");
}

void rows_page_end_table(struct out *out)
{
	buf_str(&out->buf, "</tbody></table>\n");
}

void rows_page_text(struct out *out, const char *text, bool first)
{
	buf_str(&out->buf, first ? "<tr><td>" : "<td>");
	put_markup(text ? text : "-", &out->buf);
}

void rows_page_number(struct out *out, uint64_t value, bool first)
{
	buf_str(&out->buf, first ? "<tr><td class=n>" : "<td class=n>");
	buf_dec(&out->buf, value);
}
