// SPDX-License-Identifier: MIT
#include "symbol/store/store_probes.h"

#include "base/mem.h"
#include "os/files/beneath.h"
#include "os/files/files.h"
#include "os/files/text.h"
#include "symbol/store/store_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PROBES_FILE_MAX (16u << 20) /* bytes */

bool store_probes_read(const char *dir, const char *id, struct buf *out)
{
	AUTO_CHAR *folder = mem_printf("%s/.build-id/%.2s/%s", dir, id, id + 2);

	return store_may_read(dir, id, "/probes") &&
	       !text_read(folder, "probes", PROBES_FILE_MAX, out);
}

int store_probes_write(const char *dir, const char *path, const char *id, const struct buf *text,
		       struct err *err)
{
	AUTO_CHAR *below = mem_printf("%s/%s", *path == '/' ? path + 1 : path, id);
	AUTO_FD store = store_open(dir);
	AUTO_FD entry = store < 0 ? -1 : beneath_open(store, below, O_PATH | O_DIRECTORY);
	char fresh[32];

	/* whoever reads meanwhile has the whole old file or the whole new one */
	snprintf(fresh, sizeof(fresh), "probes.%d", (int)getpid());
	if (entry >= 0 && !unlinkat(entry, fresh, 0))
		errno = 0;
	if (entry < 0 || files_write_at(text->at, text->n, entry, fresh))
		return err_sys(err, errno, "cannot write '%s/%s/probes'", dir, below);
	if (renameat(entry, fresh, entry, "probes")) {
		err_sys(err, errno, "cannot write '%s/%s/probes'", dir, below);
		unlinkat(entry, fresh, 0);
		return -1;
	}
	return 0;
}
