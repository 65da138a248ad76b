/* SPDX-License-Identifier: MIT */
/* The kernel's loaded modules: where each lies in memory, and where its file is. */
#ifndef OS_MODULES_H
#define OS_MODULES_H

#include "base/mem.h"

#include <stdint.h>

struct module {
	const char *name;
	uint64_t start, size;
	const char *path; /* of its file; "[NAME]" when that isn't known */
};
struct modules {
	VEC(struct module) all;
	struct arena arena;
};

/* From PROC_ROOT/modules, and LIB_ROOT/RELEASE/modules.dep for the files, in order of address.
 * Modules whose address is hidden are left out. None reaches into the next one: since Linux 6.4 the
 * size there includes memory that lies elsewhere. */
void modules_read(struct modules *m, const char *proc_root, const char *lib_root,
		  const char *release);
void modules_release(struct modules *m);
/* The file of the module of that name below a folder such as /lib/modules/RELEASE, wherever it lies
 * there: to be freed, or NULL. */
char *modules_find(const char *folder, const char *name);

#endif
