// SPDX-License-Identifier: MIT
#include "base/reasons.h"

const char *nameless_text(enum nameless why)
{
	static const char *const texts[NAMELESS_KINDS] = {
		[NAMELESS_NOT] = "named",
		[NAMELESS_NOWHERE] = "nothing is known to be mapped there",
		[NAMELESS_NO_CODE] =
			"no code there, frame pointers are missing (try --call-graph dwarf)",
		[NAMELESS_HIDDEN] = "the recorder could not see where the kernel lies",
		[NAMELESS_OUTSIDE] = "processes outside of the recorder's pid namespace",
		[NAMELESS_MEMORY] = "memory of no file, of which no JIT tells",
		[NAMELESS_FOREIGN] = "a JIT's map of another user, which only -f uses",
		[NAMELESS_STALE] = "a JIT's map that is older than its process",
		[NAMELESS_KERNEL] = "the kernel's symbols were not found",
		[NAMELESS_GONE] = "files that were not found",
		[NAMELESS_REPLACED] = "files that were rebuilt or replaced since",
		[NAMELESS_STRIPPED] = "stripped files",
		[NAMELESS_BETWEEN] = "between the symbols of their files",
	};

	return texts[why];
}

const char *unwind_end_text(enum unwind_end end)
{
	static const char *const texts[] = {
		[UNWIND_OUTERMOST] = "complete",
		[UNWIND_MAX] = "deeper than asked for",
		[UNWIND_STACK] = "the copy of the stack was too short",
		[UNWIND_ELSEWHERE] =
			"a signal handler's stack was copied, not the one it interrupted",
		[UNWIND_NO_CODE] = "an address without code",
		[UNWIND_NO_RULE] = "code without call frame information or frame pointers",
		[UNWIND_NO_FILE] = "a program or library that cannot be read",
		[UNWIND_DAMAGED] = "damaged frames",
		[UNWIND_SWITCHED] = "Go had switched stacks, and one is copied",
		[UNWIND_WORK] = "a program or library that takes too much work to read",
	};

	return texts[end];
}

uint64_t unwind_ends_sum(const uint64_t ends[UNWIND_ENDS])
{
	uint64_t sum = 0;

	for (int end = 0; end < UNWIND_ENDS; end++)
		sum += ends[end];
	return sum;
}
