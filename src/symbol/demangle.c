// SPDX-License-Identifier: MIT
#include "symbol/demangle.h"

#include <libiberty/demangle.h>
#include <stddef.h>

char *demangle(const char *name, bool with_params)
{
	return cplus_demangle(name, with_params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);
}
