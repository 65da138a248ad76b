// SPDX-License-Identifier: MIT
/* Pages of a live profile: at the end (--html), and at a key of the browser. */
#include "cmd/options/output/export_live.h"
#include "cmd/top/top_opts.h"

#include <errno.h>
#include <string.h>

int top_write_page(struct top *t, const char *path, struct err *err)
{
	return export_live_page(path, "perf top", &t->source->m, t->profile->samples,
				&t->profile->opts.table.filter, t->out, err);
}

void top_keep_page(struct top *t, struct hist *h)
{
	struct err err = {0};
	char name[48];
	AUTO_FD fd = hist_create_file("perf.top.", ".html", name, sizeof(name));

	if (fd < 0)
		browse_say(&h->browse, "cannot write '%s': %s", name, strerror(errno));
	else if (top_write_page(t, name, &err))
		browse_say_error(&h->browse, &err);
	else
		browse_say(&h->browse, "wrote the page '%s'", name);
}
