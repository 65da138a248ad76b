// SPDX-License-Identifier: MIT
#include "event/branch.h"

#include "base/mem.h"
#include "base/options/options.h"

#include <string.h>

/* enum perf_branch_sample_type of <linux/perf_event.h> */
static const struct {
	const char *name;
	uint64_t bit;
} words[] = {
	{"u", 1 << 0},		{"k", 1 << 1},		{"hv", 1 << 2},
	{"any", 1 << 3},	{"any_call", 1 << 4},	{"any_ret", 1 << 5},
	{"ind_call", 1 << 6},	{"abort_tx", 1 << 7},	{"in_tx", 1 << 8},
	{"no_tx", 1 << 9},	{"cond", 1 << 10},	{"stack", 1 << 11},
	{"ind_jmp", 1 << 12},	{"call", 1 << 13},	{"no_flags", 1 << 14},
	{"no_cycles", 1 << 15}, {"save_type", 1 << 16}, {"hw_index", 1 << 17},
	{"priv", 1 << 18},	{"counter", 1 << 19},
};

#define PRIVILEGES 7

static uint64_t bit_of(const char *word, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].name) == n && !memcmp(words[i].name, word, n))
			return words[i].bit;
	return 0;
}

static int branch_unknown(const char *word, size_t n, struct err *err)
{
	const char *names[ARRAY_SIZE(words)], *near;
	char copy[64];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		names[i] = words[i].name;
	n = MIN(n, sizeof(copy) - 1);
	memcpy(copy, word, n);
	copy[n] = 0;
	near = nearest_name(copy, names, ARRAY_SIZE(words));
	err_set(err, ERR_USAGE, "unknown branch filter '%s'", copy);
	return near ? err_hint(err, "did you mean '%s'?", near) : -1;
}

int branch_parse(const char *text, uint64_t *bits, struct err *err)
{
	uint64_t all = 0;

	for (;;) {
		size_t n = strcspn(text, ",|");
		uint64_t bit = bit_of(text, n);

		if (!bit)
			return branch_unknown(text, n, err);
		all |= bit;
		if (!text[n])
			break;
		text += n + 1;
	}
	*bits = all & ~(uint64_t)PRIVILEGES ? all : all | 1 << 3;
	return 0;
}

void branch_names(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		buf_word(out, words[i].name);
}
