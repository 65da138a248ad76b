// SPDX-License-Identifier: MIT
/* Runs scripts on the samples of a row of the browser. */
#include "cmd/report/report_shown.h"

/* Where the user chooses one sample of a row. */
struct script_row {
	struct hist *h;
	const struct report_shown *b;
	const struct entry *entry;
};

static const char *choose_sample(void *ctx, struct command_words *w)
{
	const struct script_row *r = ctx;

	return report_choose_sample(r->h, r->b, r->entry, w);
}

#define CHOICES_MOST 4

/* The samples that the row offers, with texts in the arena. */
static size_t list_samples(const struct script_row *r, const struct hist_row *row,
			   struct arena *arena, struct script_samples *out)
{
	const struct frame *frame = hist_row_frame(r->h, row);
	size_t n = 0;

	out[n++] = (struct script_samples){.text = "All samples"};
	if (row->entry && hist_has_key(r->h, "pid")) {
		const uint32_t tid = table_first(r->h->table, row->entry)->thread->tid;

		out[n++] = (struct script_samples){
			.text = arena_printf(arena, "Samples of thread %s(%u)",
					     hist_entry_comm(r->h, row->entry), tid),
			.option = "--tid",
			.value = arena_printf(arena, "%u", tid)};
	} else if (row->entry && hist_has_key(r->h, "comm")) {
		const char *comm = hist_entry_comm(r->h, row->entry);

		out[n++] = (struct script_samples){
			.text = arena_printf(arena, "Samples of thread %s", comm),
			.option = "--comms",
			.value = comm};
	}
	if (frame && frame->where->sym && (row->line || hist_has_key(r->h, "symbol")))
		out[n++] = (struct script_samples){
			.text = arena_printf(arena, "Samples of symbol %s", frame->where->name),
			.option = "--symbols",
			.value = frame->where->name};
	if (row->entry && r->b->reading->o->saved_samples)
		out[n++] = (struct script_samples){
			.text = "One sample of the row, with those around it",
			.choose = choose_sample,
			.ctx = (void *)(uintptr_t)r};
	return n;
}

struct output_scripts report_scripts(const struct report_shown *b)
{
	const struct report_opts *o = b->reading->o;

	return (struct output_scripts){b->config, &o->input, &o->filter, &o->files};
}

void report_run_script(struct hist *h, const struct report_shown *b)
{
	const struct output_scripts scripts = report_scripts(b);
	const struct hist_row row = hist_row(h, h->browse.at);
	const struct script_row r = {h, b, row.entry};
	struct script_samples samples[CHOICES_MOST];
	struct arena arena = {0};
	const size_t n = list_samples(&r, &row, &arena, samples);

	if (browse_leaves(output_scripts_run(&scripts, &h->browse, samples, n)))
		h->end = HIST_LEAVE;
	arena_release(&arena);
}
