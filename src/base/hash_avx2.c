// SPDX-License-Identifier: MIT
/* Compiled for processors with AVX2: hash_bytes() with 32 bytes to an instruction. */
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes_avx2(const void *p, size_t n, uint64_t seed)
{
	return XXH3_64bits_withSeed(p, n, seed);
}
