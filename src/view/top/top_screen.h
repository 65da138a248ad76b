/* SPDX-License-Identifier: MIT */
/* The screen of perf top --stdio, in the layout of perf 6.1: its head, its rows and its menu. */
#ifndef VIEW_TOP_SCREEN_H
#define VIEW_TOP_SCREEN_H

#include "analysis/live_profile.h"
#include "view/report/report.h"

struct top_screen {
	unsigned int columns, rows; /* of the terminal */
	unsigned int entries;	    /* rows of the table; 0: as many as there is room for */
	double seconds;		    /* since the last refresh */
	const struct target_options *target;
	size_t n_cpus; /* CPUs that are measured, or named */
	const struct event *event; /* the event shown */
	size_t n_events;	   /* without the side-band event */
	const struct report_view *view;
};

/* Settings that keys change. */
struct top_settings {
	unsigned int delay; /* seconds between refreshes */
	unsigned int least_samples; /* rows with fewer are left out */
	unsigned int min_percent;   /* places of an annotated function with less are left out */
	const char *symbol;	    /* the annotated function, or NULL */
	bool zero, hide_kernel, hide_user;
};

/* How many rows the table has on this screen. */
unsigned int top_screen_entries(const struct top_screen *s);
/* Clears the screen and shows its head. */
void top_screen_begin(const struct top_screen *s, const struct live_profile *p, struct out *out);
/* Clears the screen and shows all of it. The table must have been made. */
void top_screen_show(const struct top_screen *s, const struct live_profile *p, struct out *out);
/* Shows the keys, each with its current setting. */
void top_menu_show(const struct top_screen *s, const struct top_settings *now, struct out *out);

#endif
