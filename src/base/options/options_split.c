// SPDX-License-Identifier: MIT
/* Splits a command line that has options of two commands. */
#include "base/options/options_find.h"

#include <string.h>

/* How the word names an option of the table: 0 not at all, 1 by a prefix, 2 in full. */
static int option_named(const struct opt_parse *p, const char *word, struct opt_use *u)
{
	const char *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
	struct err err = {0};

	if (word[1] != '-')
		return opt_find_letter(p, word[1], u) ? 2 : 0;
	if (!n || opt_find_long(p, word + 2, n, u, &err))
		return 0;
	return strlen(u->opt->name) + 3 * (size_t)u->unset == n ? 2 : 1;
}

/* True when the option's value is the next word. */
static bool value_follows(const char *word, const struct opt_use *u)
{
	if (u->unset || !opt_takes_value(u->opt))
		return false;
	return word[1] == '-' ? !strchr(word, '=') : !word[2];
}

static bool asks_for_help(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "--list-opts");
}

void opt_split(const struct opt_group *own, const struct opt_group *other, char **argv,
	       struct opt_words *mine, struct opt_words *rest)
{
	const struct opt_parse first = {.groups = own}, second = {.groups = other};
	int i = 0;

	for (; argv[i] && argv[i][0] == '-' && argv[i][1] && strcmp(argv[i], "--"); i++) {
		struct opt_use u = {0}, v = {0};
		int a = option_named(&first, argv[i], &u), b = option_named(&second, argv[i], &v);
		bool is_own = a >= b && a;
		struct opt_words *to = is_own || asks_for_help(argv[i]) ? mine : rest;
		const char *value;
		int at = i;

		vec_add(to, argv[i]);
		if (!is_own)
			u = v;
		if (u.opt && value_follows(argv[at], &u) &&
		    opt_next_value(u.opt, argv, &i, &value) && i > at)
			vec_add(to, argv[i]);
	}
	while (argv[i])
		vec_add(rest, argv[i++]);
}
