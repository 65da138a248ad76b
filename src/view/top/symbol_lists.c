// SPDX-License-Identifier: MIT
#include "view/top/symbol_lists.h"

#include "symbol/dso.h"
#include "symbol/table/symbol_table.h"

#include <elf.h>
#include <string.h>

static char binding_letter(const struct symbol *s)
{
	switch (s->binding) {
	case STB_LOCAL:
		return 'l';
	case STB_WEAK:
		return 'w';
	case STB_GNU_UNIQUE:
		return 'u';
	default:
		return 'g';
	}
}

static void symbol_list_show(struct dso *dso, FILE *out)
{
	char id[41];

	build_id_text(&dso->build_id, id);
	fprintf(out, "dso: %s (", dso->short_name);
	if (strcmp(dso->short_name, dso->long_name))
		fprintf(out, "%s, ", dso->long_name);
	fprintf(out, "%sloaded, %s)\n", dso->source == SYMBOLS_NOT_LOADED ? "NOT " : "", id);
	for (size_t i = 0; i < dso->symbols.n; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i);

		fprintf(out, " %llx-%llx %c %s\n", (unsigned long long)s->start,
			(unsigned long long)s->end, binding_letter(s), dso_symbol_name(dso, s));
	}
}

void symbol_lists_show(const struct dso_set *set, FILE *out)
{
	for (size_t i = 0; i < set->dsos.n; i++)
		symbol_list_show(set->dsos.at[i], out);
}
