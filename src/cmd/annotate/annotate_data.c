// SPDX-License-Identifier: MIT
#include "cmd/annotate/annotate_data.h"

#include "view/annotate/types.h"

/* The name without the word before it, unless it is asked for with that word. */
static bool is_wanted(const char *wanted, const char *name)
{
	static const char *const kinds[] = {"struct ", "union ", "class ", "enum "};

	if (!*wanted || !strcmp(wanted, name))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i])))
			return !strcmp(wanted, name + strlen(kinds[i]));
	return false;
}

bool annotate_show_data(const struct annotate_opts *o, const struct annotate_view *view,
			const struct table *table, const struct event_entries *ev, struct out *out)
{
	struct data_types *data = data_types_new();
	struct annotate_types types;
	bool more = true;

	annotate_types_init(&types, data, table, ev);
	if (o->type_stat)
		annotate_show_type_stat(&types, out);
	if (o->insn_stat)
		annotate_show_insn_stat(&types, out);
	for (size_t i = 0; i < types.types.n && more; i++)
		if (types.types.at[i].percent >= o->percent_limit &&
		    is_wanted(o->data_type, types.types.at[i].type->name))
			more = annotate_show_type(view, &types, &types.types.at[i], out);
	annotate_types_release(&types);
	data_types_free(data);
	return more;
}
