// SPDX-License-Identifier: MIT
#include "cmd/options/opts_chains.h"

#include <string.h>

static bool begins(const char *word, size_t n, const char *full)
{
	return n && n <= strlen(full) && !strncmp(word, full, n);
}

static const struct {
	const char *name;
	int what, value;
} tree_words[] = {
	{"graph", 0, CALLTREE_GRAPH},	    {"flat", 0, CALLTREE_FLAT},
	{"fractal", 0, CALLTREE_FRACTAL},   {"folded", 0, CALLTREE_FOLDED},
	{"caller", 1, ORDER_CALLER},	    {"callee", 1, ORDER_CALLEE},
	{"function", 2, CALLTREE_BY_FUNCTION}, {"address", 2, CALLTREE_BY_ADDRESS},
	{"srcline", 2, CALLTREE_BY_SRCLINE}, {"branch", 3, 0},
	{"percent", 4, CALLTREE_PERCENT},   {"period", 4, CALLTREE_PERIOD},
	{"count", 4, CALLTREE_COUNT},
};

/* Parses one word of -g: type, number, order, key, branch or value. */
static bool tree_word(struct calltree_params *t, const char *word, size_t n, bool *percent_given)
{
	char *end;
	double number = strtod(word, &end);

	if (end == word + n && n) {
		if (*percent_given)
			t->print_limit = (uint32_t)MAX(number, 0.0);
		else
			t->min_percent = number;
		*percent_given = true;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(tree_words); i++) {
		if (!begins(word, n, tree_words[i].name))
			continue;
		switch (tree_words[i].what) {
		case 0:
			t->mode = (enum calltree_mode)tree_words[i].value;
			break;
		case 1:
			t->order = (enum calltree_order)tree_words[i].value;
			t->order_given = true;
			break;
		case 2:
			t->key = (enum calltree_key)tree_words[i].value;
			break;
		case 3:
			t->branch_info = true;
			break;
		case 4:
			t->value = (enum calltree_value)tree_words[i].value;
			break;
		}
		return true;
	}
	return false;
}

void chains_words(struct buf *out)
{
	buf_word(out, "none");
	for (size_t i = 0; i < ARRAY_SIZE(tree_words); i++)
		buf_word(out, tree_words[i].name);
}

int chains_parse(struct calltree_params *t, const char *words, struct err *err)
{
	bool percent_given = false;

	while (*words) {
		size_t n = strcspn(words, ",");

		if (!tree_word(t, words, n, &percent_given))
			return err_set(err, ERR_USAGE, "unknown word in --call-graph: '%.*s'",
				       (int)n, words);
		words += n + (words[n] == ',');
	}
	return 0;
}

void chains_from_config(struct calltree_params *t, const struct config *config)
{
	static const char *const keys[] = {"call-graph.print-type", "call-graph.order",
					   "call-graph.sort-key", "call-graph.threshold",
					   "call-graph.print-limit"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *value = config_find(config, keys[i]);
		bool limit = i == ARRAY_SIZE(keys) - 1;

		if (value)
			tree_word(t, value, strlen(value), &limit);
	}
}
