// SPDX-License-Identifier: MIT
#include "view/time_text.h"

void time_text(struct buf *out, uint64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	double value = (double)ns;
	size_t unit = 0;

	while (unit < 3 && value >= 999.5) {
		value /= 1000;
		unit++;
	}
	buf_printf(out, "%.*f %s",
		   !unit || value >= 99.95 ? 0
		   : value >= 9.995	   ? 1
					   : 2,
		   value, units[unit]);
}

void time_text_right(struct buf *out, uint64_t ns, size_t width)
{
	AUTO_BUF text = {0};

	time_text(&text, ns);
	buf_right(out, buf_text(&text), width);
}

void share_text(struct buf *out, uint64_t part, uint64_t whole)
{
	buf_printf(out, "%.1f %%", whole ? (double)part * 100 / (double)whole : 0);
}

void count_text(struct buf *out, uint64_t n)
{
	if (n >= 1000) {
		count_text(out, n / 1000);
		buf_char(out, ',');
		buf_dec_zero(out, n % 1000, 3);
	} else {
		buf_dec(out, n);
	}
}
