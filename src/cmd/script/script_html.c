// SPDX-License-Identifier: MIT
/* script --html: writes the page of report --html. */
#include "cmd/options/words/input_words.h"
#include "cmd/script/script_opts.h"

#include <stdio.h>

/* Refuses options that apply to the text only. */
static int script_html_check(const struct script_opts *o, struct err *err)
{
	const struct {
		bool given;
		const char *option;
	} table[] = {
		{o->fields.n, "--fields"},
		{o->hide_chains, "--hide-call-graph"},
		{o->stop_bt, "--stop-bt"},
		{o->dump || o->dump_unsorted, "--dump-raw-trace"},
		{o->header || o->header_only, "--header"},
		{o->info, "--show-info"},
		{o->latency, "--Latency"},
		{o->debug, "--debug-mode"},
		{o->ns, "--ns"},
		{o->reltime, "--reltime"},
		{o->deltatime, "--deltatime"},
		{o->per_event_dump, "--per-event-dump"},
		{o->kernel_path, "--show-kernel-path"},
		{o->max_blocks, "--max-blocks"},
		{o->address_range, "--addr-range"},
		{o->show_on_off, "--show-on-off-events"},
		{o->show_task || o->show_mmap || o->show_switch || o->show_namespaces ||
			 o->show_lost || o->show_round || o->show_bpf || o->show_cgroup ||
			 o->show_text_poke,
		 "--show-...-events"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].given)
			return err_set(
				err, ERR_USAGE,
				"'%s' is about the text of samples, and '--html' writes none",
				table[i].option);
	return 0;
}

int script_html(const struct script_opts *o, struct env *env, struct err *err)
{
	struct command_words w = {0};
	char depth[16];

	if (script_html_check(o, err))
		return -1;
	command_words_add(&w, "report");
	command_words_add_option(&w, "--html", o->html);
	input_words_add(&w, &o->input, &o->filter, &o->symbols);
	snprintf(depth, sizeof(depth), "%u", o->max_stack);
	command_words_add_option(&w, "--max-stack", depth);
	command_words_add_option(&w, "--switch-on", o->switch_on);
	command_words_add_option(&w, "--switch-off", o->switch_off);
	if (o->no_inline)
		command_words_add(&w, "--no-inline");
	if (o->full_source_path)
		command_words_add(&w, "--full-source-path");
	if (o->strict)
		command_words_add(&w, "--strict");
	for (int i = 0; i < o->verbose; i++)
		command_words_add(&w, "-v");
	return command_words_run(&w, env, 0, NULL);
}
