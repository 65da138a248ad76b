// SPDX-License-Identifier: MIT
#include "view/html/page_parts.h"
#include "view/export/zip.h"
#include "view/html/markup.h"
#include "view/html/page_data.h"

/* -- base64 -- */

static void put_base64(const struct buf *bytes, struct buf *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *p = (const uint8_t *)bytes->at;

	for (size_t i = 0; i < bytes->n; i += 3) {
		size_t n = MIN(bytes->n - i, 3);
		uint32_t v = (uint32_t)p[i] << 16 | (n > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
			     (n > 2 ? p[i + 2] : 0);

		for (size_t k = 0; k < 4; k++)
			buf_char(out, k <= n ? digits[v >> (18 - 6 * k) & 63] : '=');
	}
}

/* -- the page -- */

static void put_part(const char *name, size_t n, const struct export_input *page,
		     const struct buf *data, size_t size, struct buf *out)
{
	if (!strncmp(name, "TITLE", n))
		put_markup(page->title, out);
	else if (!strncmp(name, "STYLE", n))
		buf_str(out, page_style);
	else if (!strncmp(name, "SCRIPT", n))
		buf_str(out, page_script);
	else if (!strncmp(name, "SIZE", n))
		buf_dec(out, size);
	else
		put_base64(data, out);
}

int export_html(const struct export_input *page, struct out *out, struct err *err)
{
	AUTO_BUF plain = {0};
	AUTO_BUF packed = {0};

	page_data(page, &plain);
	if (zip(&plain, ZIP_RAW, &packed, err))
		return -1;
	for (const char *at = page_html, *mark; at; at = mark) {
		const char *end;

		mark = strchr(at, '@');
		buf_add(&out->buf, at, mark ? (size_t)(mark - at) : strlen(at));
		if (!mark)
			break;
		end = strchr(mark + 1, '@');
		put_part(mark + 1, (size_t)(end - mark - 1), page, &packed, plain.n, &out->buf);
		mark = end + 1;
		out_ready(out);
	}
	return 0;
}
