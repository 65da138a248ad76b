// SPDX-License-Identifier: MIT
#include "event/syscalls.h"

#include "base/mem.h"
#include "event/calls/calls.h"

#include <string.h>

/* Names of other functions that aarch64 has for these calls. */
static const struct {
	const char *tracepoint, *usual;
} aarch64[] = {
	{"arm64_personality", "personality"},
	{"fadvise64_64", "fadvise64"},
};

static const char *usual_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aarch64); i++) {
		if (!strcmp(name, aarch64[i].tracepoint))
			return aarch64[i].usual;
		if (!strcmp(name, aarch64[i].usual))
			return "";
	}
	return name;
}

int syscall_of_tracepoint(const char *machine, const char *name)
{
	int abi = call_abi_of_machine(machine);
	const struct call_desc *all;
	size_t n;

	if (abi < 0)
		return -1;
	if (abi == CALL_GENERIC)
		name = usual_name(name);
	all = call_all(&n);
	for (size_t i = 0; i < n; i++)
		if (all[i].numbers[abi] >= 0 && !strcmp(all[i].tracepoint, name))
			return all[i].numbers[abi];
	return -1;
}
