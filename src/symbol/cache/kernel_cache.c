// SPDX-License-Identifier: MIT
#include "symbol/cache/kernel_cache.h"

#include "os/machine/host.h"
#include "os/files/private_dir.h"
#include "os/proc/proc.h"

#include <stdio.h>
#include <unistd.h>

#define MAX_ENTRY (64u << 20) /* bytes */

bool kernel_key_now(const char *proc_root, struct kernel_key *key)
{
	struct host_kernel k;

	*key = (struct kernel_key){0};
	if (build_id_of_kernel(&key->build_id) ||
	    !proc_line(proc_root, 0, "sys/kernel/random/boot_id", key->boot_id,
		       sizeof(key->boot_id)) ||
	    strlen(key->boot_id) != BOOT_ID || !host_kernel_start(proc_root, &k))
		return false;
	key->text = k.text;
	key->stext = k.stext;
	return true;
}

/* The lines of vmlinux have an entry of the same build-id: the prefix tells them apart. */
static void entry_name(const struct kernel_key *key, char name[64])
{
	char id[41];

	build_id_text(&key->build_id, id);
	snprintf(name, 64, "kernel-%s", id);
}

bool kernel_cache_load(struct symbol_table *t, const char *dir, const struct kernel_key *key)
{
	int fd = private_dir_open(dir, false);
	struct mapped bytes;
	char name[64];
	bool loaded;

	if (fd < 0)
		return false;
	entry_name(key, name);
	loaded =
		!private_dir_map(fd, name, MAX_ENTRY, &bytes) && stored_symbols_take(t, bytes, key);
	close(fd);
	return loaded;
}

void kernel_cache_store(const char *dir, const struct kernel_key *key, const struct symbol_table *t,
			uint64_t max)
{
	AUTO_BUF bytes = {0};
	char name[64];

	if (!stored_symbols_bytes(t, key, &bytes) || bytes.n > MIN(max, MAX_ENTRY))
		return;
	entry_name(key, name);
	private_dir_store(dir, name, bytes.at, bytes.n, max);
}
