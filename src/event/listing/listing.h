/* SPDX-License-Identifier: MIT */
/*
 * Lists the events and metrics of this machine: the rows of `perf list`, in its order.
 */
#ifndef EVENT_LISTING_H
#define EVENT_LISTING_H

#include "event/parse.h"

enum listing_kind {
	LIST_HARDWARE = 1 << 0,
	LIST_SOFTWARE = 1 << 1,
	LIST_TOOL = 1 << 2,
	LIST_CACHE = 1 << 3,
	LIST_PMU = 1 << 4,
	LIST_RAW = 1 << 5,
	LIST_BREAKPOINT = 1 << 6,
	LIST_TRACEPOINT = 1 << 7,
	LIST_SENSOR = 1 << 8, /* hwmon and GPU clients; listed among the events of PMUs */
	LIST_PFM = 1 << 9,    /* libpfm4's names */
	LIST_SDT =
		1 << 10, /* SDT probes of files in the build-id store; added by listing_put() */
	LIST_METRIC = 1 << 11,
	LIST_METRIC_GROUP =
		1 << 12, /* each group, followed by its metrics when both are asked for */
};

/* Members that do not apply are NULL. */
struct listing_row {
	enum listing_kind kind;
	const char *name;
	const char *alias; /* another name */
	const char *short_name; /* the bare name, when .name says more; or NULL */
	const char *pmu;   /* the PMU's or device's name; of a tracepoint: its system */
	const char *terms; /* of a PMU's event: the terms that it stands for,
			    * "event=0x51,umask=0x1" */
	const char *unit;  /* of values: "MiB"; of a metric as in its list: "100%" */
	double scale;	   /* of values; 0: none */
	const char *topic; /* the section of events that have a description */
	const char *desc, *long_desc;
	const char *expr, *threshold, *groups; /* of a metric */
	const char *metric; /* the name of a metric that belongs to the event; .expr is its
			     * expression */
	bool core;			       /* of LIST_PMU: an event of the CPU itself */
	bool deprecated;
};

struct listing {
	struct arena arena;
	VEC(struct listing_row) rows;
	/* options; set before rows are added */
	bool at_length;	 /* also long descriptions that take time to read */
	bool deprecated; /* include deprecated events */
	struct err refused; /* why tracepoints that were asked for could not be listed */
};

/*
 * Appends the rows of these kinds (a set of enum listing_kind) whose name matches the pattern
 * (NULL: all), sorted within each kind. Tracepoints also have to be of a system that matches.
 * Hardware, software and cache events are those that the kernel opens. Tool events other than times
 * are added only when kinds is LIST_TOOL alone or a pattern is given. Events of GPU clients
 * likewise, by a pattern with "drm" in it.
 */
void listing_add(struct listing *l, const struct event_host *host, unsigned int kinds,
		 const char *system, const char *pattern);
void listing_release(struct listing *l);
/* True when the kernel can open this hardware, software or cache event, at least for user space. */
bool listing_opens(uint32_t type, uint64_t config);
/* Appends rows that the caller found. */
void listing_put(struct listing *l, const struct listing_row *row);
/* Removes the events of other PMUs than pmu and those named pmu and a number. Rows without a PMU
 * stay. */
void listing_only_pmu(struct listing *l, const char *pmu);
/* "Hardware event", "Tracepoint event", ... */
const char *listing_kind_text(enum listing_kind kind);

#endif
