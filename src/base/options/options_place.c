// SPDX-License-Identifier: MIT
/* Finds the role of the last word of an unfinished command line, for completion. */
#include "base/options/options_find.h"

#include <string.h>

/* The option whose value follows the word, or is joined to it: then *joined points to
 * that value. */
static const struct opt *option_of(const struct opt_parse *p, const char *word, const char **joined)
{
	struct opt_use u;

	*joined = NULL;
	if (word[1] == '-') {
		const char *name = word + 2, *equals = strchr(name, '=');
		size_t n = equals ? (size_t)(equals - name) : strlen(name);

		if (!n || opt_find_long(p, name, n, &u, NULL) || u.unset || !opt_takes_value(u.opt))
			return NULL;
		*joined = equals ? equals + 1 : NULL;
		return u.opt;
	}
	for (const char *c = word + 1; *c && opt_find_letter(p, *c, &u); c++) {
		if (!opt_takes_value(u.opt))
			continue;
		*joined = c[1] ? c + 1 : NULL;
		return u.opt;
	}
	return NULL;
}

static void place_value(struct opt_place *at, const struct opt *o, const char *value)
{
	at->kind = OPT_PLACE_VALUE;
	at->opt = o;
	at->value = value;
}

void opt_find_place(const struct opt_group *groups, bool stop_at_word, int argc, char **argv,
		    struct opt_place *at)
{
	const struct opt_parse p = {.groups = groups};
	const int last = argc - 1;

	*at = (struct opt_place){.kind = OPT_PLACE_WORD, .word = argc};
	for (int i = 1; i <= last; i++) {
		const char *joined, *value;
		const struct opt *o;

		if (argv[i][0] != '-' || (!argv[i][1] && i < last)) {
			at->word = MIN(at->word, i);
			if (stop_at_word)
				return;
			continue;
		}
		if (!strcmp(argv[i], "--") && i < last) {
			at->word = MIN(at->word, i + 1);
			return;
		}
		o = option_of(&p, argv[i], &joined);
		if (i == last) {
			at->kind = OPT_PLACE_NAME;
			if (o && joined)
				place_value(at, o, joined);
		} else if (o && !joined && opt_next_value(o, argv, &i, &value) && i == last) {
			place_value(at, o, argv[last]);
		}
	}
}
