/* SPDX-License-Identifier: MIT */
/* Names of functions in little room: boxes of flame graphs. */
#ifndef VIEW_SHORT_NAME_H
#define VIEW_SHORT_NAME_H

#include "base/buf.h"

/*
 * Appends the longest of a function's names that has room for its characters: the whole one, the
 * one without template arguments and parameters, the last two of its parts, the last one. The last
 * one, when none has room: the caller cuts it.
 *
 *   a::list<int, b>::add(int const&), a::list::add, list::add, add
 *   <alloc::Vec<T> as core::Extend<T>>::extend, alloc::Vec::extend, Vec::extend, extend
 */
void short_name(const char *name, size_t room, struct buf *out);
/* The number of characters of a text in UTF-8. */
size_t name_length(const char *text);

#endif
