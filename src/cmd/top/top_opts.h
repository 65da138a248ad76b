/* SPDX-License-Identifier: MIT */
/* top's options: as typed, and what they mean for the live profile and its screen. */
#ifndef CMD_TOP_OPTS_H
#define CMD_TOP_OPTS_H

#include "analysis/live_profile.h"
#include "cmd/options/opts_code.h"
#include "cmd/options/opts_filter.h"
#include "cmd/record/record_opts.h"
#include "os/terminal.h"
#include "view/report/report.h"
#include "view/top/top_code.h"

struct top_opts {
	struct record_opts record; /* what is measured: the options that record has, too */
	struct filter_opts filter;
	struct symbol_options files;
	struct calltree_params tree;
	/* layout */
	const char *sort, *fields, *widths, *percentage, *parent, *ignore_callees;
	bool samples, period, hierarchy, children, raw_trace;
	int group_index, max_stack;
	double percent_limit;
	const char *switch_on, *switch_off;
	bool show_switches;
	/* the screen */
	unsigned int delay, entries, least_samples;
	bool zero, hide_kernel, hide_user, stdio, tui, force;
	struct code_opts code; /* of the annotated function */
	const char *annotated; /* its name */
	bool dump_symbols;     /* refused */
	const char *html;      /* the file for a page of what was shown last */
};

extern const struct opt_group top_opt_groups[];
extern const struct cmd_variable top_variables[];
void top_defaults(void *opts, const struct env *env);

/* What the options mean. Texts are borrowed from them. */
struct top_plan {
	struct recorder_options recorder; /* .session is what top uses of it */
	struct live_profile_options profile;
	struct calltree_params tree;
	struct report_view view;
	const char *elided[4]; /* filter_elided() */
};
/* Before the events are opened, which go into the set. 0, or -1 with *err. */
int top_plan_session(struct top_plan *plan, struct top_opts *o, const struct env *env,
		     struct event_set *events, struct err *err);
/* Once they are open: their attributes decide what can be shown. */
int top_plan_profile(struct top_plan *plan, const struct top_opts *o, const struct measurement *m,
		     struct err *err);
void top_plan_release(struct top_plan *plan);

/* A running top. */
struct top {
	struct live_source *source;
	struct live_profile *profile;
	struct top_screen screen;
	struct report_view *view;
	struct top_settings settings;
	struct top_code code;
	struct terminal_keys keys;
	bool reads_keys; /* standard input can be waited for */
	bool quit;
	struct out *out;
};
/* What the keys set holds from the next refresh on. */
void top_apply_settings(struct top *t);
/* True when top is shown in the browser: on a terminal that it can be on, unless text is asked
 * for. */
bool top_browses(const struct top_opts *o, const struct env *env);
/* What the profile must keep for the browser. */
void top_browse_ask(struct live_profile_options *o);
/* The browser, until it is left. 0, or -1 with *err. */
int top_browse(struct top *t, const struct top_plan *plan, struct err *err);
/* Handles the keys that were typed. Without any, nothing. 0, or -1 with *err. */
int top_handle_keys(struct top *t, struct err *err);

#endif
