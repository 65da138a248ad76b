// SPDX-License-Identifier: MIT
/* The code of the hottest functions, for exporters that show it. */
#include "cmd/options/output/export_code.h"

/* In other modes the address of a sample is not its instruction. */
static bool samples_have_code(const struct recording *rec, enum sample_mode mode)
{
	return mode == MODE_NORMAL && !rec->is_pipe;
}

void export_code_ask(const struct recording *rec, struct samples_options *wanted)
{
	struct err err = {0};
	AUTO(table) *table = NULL;

	if (!samples_have_code(rec, wanted->mode))
		return;
	table = annotate_table_new(&rec->m.events, NULL, NULL, MODE_NORMAL, &err);
	if (table)
		table_ask(table, wanted);
}

void export_code_make(const struct recording *rec, const struct samples *samples,
		      const struct filter *filter, const struct disasm_options *how,
		      struct excerpts *code)
{
	AUTO(table) *table = NULL;
	struct annotate a;
	struct err err = {0};

	*code = (struct excerpts){0};
	if (!samples_have_code(rec, samples->opts.mode))
		return;
	table = annotate_table_new(&rec->m.events, filter, NULL, MODE_NORMAL, &err);
	if (!table || table_make(table, samples, &err))
		return;
	for (size_t i = 0; i < table->events.n; i++) {
		if (!table->events.at[i].samples || table->events.at[i].event->side_band)
			continue;
		annotate_init(&a, table, &table->events.at[i]);
		excerpts_make(code, &a, how);
		annotate_release(&a);
		return;
	}
}
