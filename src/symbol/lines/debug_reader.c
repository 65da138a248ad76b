// SPDX-License-Identifier: MIT
#include "symbol/lines/debug_reader.h"

#include "symbol/dso_private.h"
#include "symbol/lines/debug_image.h"

#include <fcntl.h>
#include <unistd.h>

int debug_reader_open(struct debug_reader *r, const char *path)
{
	struct elf_image image;
	int usable;

	*r = (struct debug_reader){.fd = -1};
	elf_version(EV_CURRENT);
	split_units_open(&r->split, path);
	if (elf_image_open(&image, path, true))
		return -1;
	r->identity = debug_identity(&image.elf);
	usable = r->identity ? debug_image_expand(&image.elf, true, split_units_path(&r->split),
						 &r->image) : -1;
	elf_image_release(&image);
	if (usable < 0)
		return -1;
	if (usable) {
		split_units_set_image(&r->split, &r->image);
		r->elf = elf_memory(r->image.at, r->image.n);
		r->dwarf = r->elf ? dwarf_begin_elf(r->elf, DWARF_C_READ, NULL) : NULL;
	} else {
		r->fd = open(path, O_RDONLY | O_CLOEXEC);
		r->dwarf = r->fd < 0 ? NULL : dwarf_begin(r->fd, DWARF_C_READ);
	}
	return r->dwarf ? 0 : -1;
}

void debug_reader_close(struct debug_reader *r)
{
	dwarf_end(r->dwarf);
	elf_end(r->elf);
	split_units_close(&r->split);
	buf_release(&r->image);
	if (r->fd >= 0)
		close(r->fd);
	*r = (struct debug_reader){.fd = -1};
}
