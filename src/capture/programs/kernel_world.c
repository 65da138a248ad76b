// SPDX-License-Identifier: MIT
#include "capture/programs/kernel_world.h"

#include "capture/synth/synth.h"

#include <string.h>
#include <sys/utsname.h>

static void add_records(struct kernel_world *k, const struct buf *records)
{
	struct buf scratch = {0};
	const struct record_decode how = measurement_decode(&k->m, &scratch);

	for (size_t at = 0; at < records->n;) {
		struct record_header h;
		struct record r;

		memcpy(&h, records->at + at, sizeof(h));
		if (!record_decode(&how, (const uint8_t *)records->at + at, h.size, &r))
			world_add(k->world, &r, 0);
		at += h.size;
	}
	buf_release(&scratch);
}

bool kernel_world_open(struct kernel_world *k, const struct symbol_options *symbols)
{
	const struct synth_options how = {.proc_root = "/proc", .sys_root = "/sys"};
	struct buf records = {0};
	struct synth s = {.opts = &how, .writer.b = &records};
	struct utsname host;
	bool known;

	*k = (struct kernel_world){0};
	k->m.arch = uname(&host) ? NULL : arena_strdup(&k->m.events.arena, host.machine);
	k->world = world_new(&k->m, symbols);
	known = synth_kernel(&s);
	add_records(k, &records);
	synth_release(&s);
	buf_release(&records);
	return known;
}

void kernel_world_release(struct kernel_world *k)
{
	world_free(k->world);
	measurement_release(&k->m);
}
