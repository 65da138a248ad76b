/* SPDX-License-Identifier: MIT */
/* Demangles linker names to source names: C++, Rust, D, OCaml, Java. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include <stdbool.h>

/* The demangled name, which the caller frees, or NULL when the name isn't mangled. with_params:
 * show the parameters. */
char *demangle(const char *name, bool with_params);

#endif
