/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own tables of what lies where: /proc/kallsyms (or a copy of it) and /proc/modules.
 */
#ifndef OS_KALLSYMS_H
#define OS_KALLSYMS_H

#include "base/hash.h"
#include "os/files/mapped.h"

struct kallsym {
	uint64_t address;
	const char *name;
	uint32_t module; /* index in .modules; 0: the kernel itself */
	char type;	 /* as nm shows it */
};

struct kallsyms {
	struct mapped text;	     /* names point into it */
	VEC(struct kallsym) symbols; /* in the file's order */
	VEC(const char *) modules;   /* names without brackets; [0] is "" */
	struct idmap module_ids;     /* hash of the name -> index */
	bool hidden;		     /* all addresses are 0: kptr_restrict */
};

extern const char kallsyms_live[]; /* the path of the running kernel's */

/* Lines that cannot be understood are passed over. 0, or -1 with *err. */
int kallsyms_read(struct kallsyms *k, const char *path, struct err *err);
/* The same from text, which must be writable, is changed, and must stay; text[n] is 0. */
void kallsyms_parse(struct kallsyms *k, char *text, size_t n);
void kallsyms_release(struct kallsyms *k);
/* The first address of that name, or 0. */
uint64_t kallsyms_address(const struct kallsyms *k, const char *name);

/* What PROC_ROOT/modules says; modules whose address is hidden are left out. */
struct kernel_modules {
	VEC(struct kernel_module {
		const char *name;
		uint64_t start, size;
	});
	struct arena arena;
};
void kernel_modules_read(struct kernel_modules *m, const char *proc_root);
/* The same from a file of that form. */
void kernel_modules_read_file(struct kernel_modules *m, const char *path);
void kernel_modules_release(struct kernel_modules *m);

#endif
