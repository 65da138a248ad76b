// SPDX-License-Identifier: MIT
#include "profile/order/tree_sort.h"

#include "base/mem.h"
#include "base/rbtree.h"

#include <string.h>

void tree_sort(void **at, size_t n, int (*order)(void *ctx, const void *a, const void *b),
	       void *ctx)
{
	struct rb_tree tree = {.at = mem_zero((n + 1) * sizeof(*tree.at))};
	void **sorted = mem_alloc((n + 1) * sizeof(*sorted));
	size_t to = 0;

	/* node i + 1 is at[i] */
	for (uint32_t x = 1; x <= n; x++) {
		uint32_t up = RB_NIL;
		int side = 0;

		for (uint32_t i = tree.root; i != RB_NIL; i = tree.at[i].child[side]) {
			up = i;
			side = order(ctx, at[x - 1], at[i - 1]) >= 0;
		}
		rb_insert(&tree, x, up, side);
	}
	for (uint32_t x = rb_first(&tree); x != RB_NIL; x = rb_next(&tree, x))
		sorted[to++] = at[x - 1];
	memcpy(at, sorted, n * sizeof(*at));
	free(sorted);
	free(tree.at);
}
