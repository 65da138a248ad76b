/* SPDX-License-Identifier: MIT */
/* top's options as typed, and their translation for the live profile and its screen. */
#ifndef CMD_TOP_OPTS_H
#define CMD_TOP_OPTS_H

#include "analysis/live_profile.h"
#include "cmd/options/opts_code.h"
#include "cmd/options/opts_filter.h"
#include "cmd/record/record_opts.h"
#include "os/terminal.h"
#include "view/browser/hist.h"
#include "view/report/report.h"
#include "view/top/top_code.h"

struct top_opts {
	struct record_opts record; /* what to measure: options shared with record */
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
	struct code_opts code; /* for the annotated function */
	const char *annotated; /* the annotated function's name */
	bool dump_symbols;     /* refused */
	const char *html;      /* file for a page of the last table */
};

extern const struct opt_group top_opt_groups[];
extern const struct cmd_variable top_variables[];
void top_defaults(void *opts, const struct env *env);

/* The options' translation. Its texts are borrowed from the options. */
struct top_plan {
	struct recorder_options recorder; /* top uses only .session */
	struct live_profile_options profile;
	struct calltree_params tree;
	struct report_view view;
	const char *elided[4]; /* filter_elided() */
};
/* Plans the session and fills the event set; call it before the events are opened. 0, or -1 with
 * *err. */
int top_plan_session(struct top_plan *plan, struct top_opts *o, const struct env *env,
		     struct event_set *events, struct err *err);
/* Plans the profile; call it after the events are opened, whose attributes decide what can be
 * shown. 0, or -1 with *err. */
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
	bool reads_keys; /* the session polls standard input */
	bool quit;
	struct out *out;
	const char *page; /* of --html, or NULL */
};
/* Writes a page of the samples that the last table was made of. 0, or -1 with *err. */
int top_write_page(struct top *t, const char *path, struct err *err);
/* Writes such a page to perf.top.N.html, so that one can be kept of each moment, and says so in the
 * browser. */
void top_keep_page(struct top *t, struct hist *h);
/* Applies the settings that keys changed, from the next refresh on. */
void top_apply_settings(struct top *t);
/* True when the terminal can show the browser, and no option asks for text. */
bool top_browses(const struct top_opts *o, const struct env *env);
/* Adds what the profile must keep for the browser. */
void top_browse_ask(struct live_profile_options *o);
/* Runs the browser until it is left. 0, or -1 with *err. */
int top_browse(struct top *t, const struct top_plan *plan, struct err *err);
/* Handles the typed keys, if there are any. 0, or -1 with *err. */
int top_handle_keys(struct top *t, struct err *err);

#endif
