/* SPDX-License-Identifier: MIT */
/* Names as people wrote them, from names as linkers see them: C++, Rust, D, OCaml, Java. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include <stdbool.h>

/* The demangled name, to be freed, or NULL when the name isn't mangled. Parameters are shown when
 * with_params is set. */
char *demangle(const char *name, bool with_params);

#endif
