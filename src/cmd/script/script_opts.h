/* SPDX-License-Identifier: MIT */
/* script's options as typed. */
#ifndef CMD_SCRIPT_OPTS_H
#define CMD_SCRIPT_OPTS_H

#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "view/script/script.h"

struct script_opts {
	struct input_opts input;
	int verbose;
	struct symbol_options symbols;
	struct opt_strings fields;
	struct filter_opts filter;
	const char *stop_bt;
	const char *html; /* page instead of a text */
	const char *switch_on, *switch_off;
	const char *script, *generate; /* refused: not supported */
	unsigned int max_stack, max_blocks, address_range;
	bool all_cpus, debug, dump, dump_unsorted, hide_chains, info, latency, list, list_filters;
	bool header, header_only, no_inline, full_source_path;
	bool deltatime, reltime, ns, per_event_dump, kernel_path, strict, show_on_off;
	bool show_task, show_mmap, show_switch, show_namespaces, show_lost, show_round, show_bpf,
		show_cgroup, show_text_poke;
	bool tui;
};

extern const struct opt_group script_opt_groups[];
void script_defaults(void *opts, const struct env *env);
/* Sets up the view by the options. 0, or -1 with *err, also for events that are not recorded. */
int script_configure(const struct script_opts *opts, struct script *s, struct err *err);
/* --tui: shows the text in the browser. Returns 1 in the process that has to write the text to
 * standard output; 0 when the browser was left, with the exit status in *status; -1 with *err. */
int script_tui(const struct script_opts *o, struct env *env, int *status, struct err *err);
/* --html: runs report for the page. Returns the exit status, or -1 with *err for options that do
 * not apply. */
int script_html(const struct script_opts *o, struct env *env, struct err *err);

#endif
