/* SPDX-License-Identifier: MIT */
/*
 * What every in-memory fuzzer is: one function over bytes. The same file is a libFuzzer target
 * (meson -Dfuzzer=true, with clang) and, with driver.c, a plain program:
 *
 *   fuzz-X FILE...                   each file as it is
 *   fuzz-X -n ROUNDS [-s FIRST] FILE...   deterministic mutations of the files
 *   fuzz-X -t SECONDS [-s FIRST] FILE...  the same, for so long
 */
#ifndef TESTS_FUZZ_DRIVER_H
#define TESTS_FUZZ_DRIVER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
