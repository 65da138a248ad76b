// SPDX-License-Identifier: MIT
#include "cmd/annotate/annotate_data.h"

#include "view/annotate/types.h"

#include <stdio.h>

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
			const struct table *table, const struct event_entries *ev, struct out *out,
			struct data_shown *shown)
{
	struct data_types *data = data_types_new();
	struct annotate_types types;
	bool more = true;

	data_types_disassemble_by(data, &o->code.disasm);
	annotate_types_init(&types, data, table, ev);
	data_codes_add(&shown->codes, data_types_codes(data));
	if (o->type_stat)
		annotate_show_type_stat(&types, out);
	if (o->insn_stat)
		annotate_show_insn_stat(&types, out);
	for (size_t i = 0; i < types.types.n && more; i++) {
		if (types.types.at[i].percent < o->percent_limit ||
		    !is_wanted(o->data_type, types.types.at[i].type->name))
			continue;
		more = annotate_show_type(view, &types, &types.types.at[i], out);
		shown->types++;
	}
	annotate_types_release(&types);
	data_types_free(data);
	return more;
}

int annotate_check_data(const struct annotate_opts *o, const struct data_shown *shown,
			struct out *out, struct err *err)
{
	const struct data_codes *c = &shown->codes;

	if (c->failed && (c->failed == c->n || c->broken) && !o->skip_missing) {
		err_set(err, ERR_INPUT, "%zu of %zu functions could not be disassembled: %s",
			c->failed, c->n, c->why.text);
		return c->why.hint[0] ? err_hint(err, "%s", c->why.hint) : -1;
	}
	if (shown->types || o->quiet)
		return 0;
	out_flush(out);
	if (*o->data_type)
		fprintf(stderr, "perf: no sample is of data of type '%s'\n", o->data_type);
	else
		fprintf(stderr, "perf: no type of data is known of the samples%s\n",
			o->type_stat ? "" : " (--type-stat counts the reasons)");
	return 0;
}
