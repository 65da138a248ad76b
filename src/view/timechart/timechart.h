/* SPDX-License-Identifier: MIT */
/*
 * A time chart as a picture (SVG): a strip for each CPU, a row for each task that ran long enough,
 * lines from wakers to woken tasks; or a row for each task that read and wrote much. The text is
 * that of perf (tools/perf/util/svghelper.c, facts only).
 */
#ifndef VIEW_TIMECHART_TIMECHART_H
#define VIEW_TIMECHART_TIMECHART_H

#include "analysis/timechart/timechart.h"
#include "os/machine/topology.h"
#include "view/out/out.h"
#include "view/script/script_frames.h"

struct timechart_view {
	int width;	  /* units, at least; long recordings get 200 units a second */
	int tasks_wanted; /* rows: show so many tasks, even if they ran shortly */
	bool power_only, tasks_only;
	VEC(const char *) shown;	 /* tids and names of the tasks to show; empty: all */
	uint64_t highlight;		 /* ns: highlight spans that run longer; 0: none */
	const char *highlight_name;	 /* or those of tasks whose names contain this; NULL */
	bool io_skip_again;		 /* leave out calls that failed with EAGAIN */
	const char *cpu_name;		 /* of the CPUs; NULL: not known */
	const struct topology *topology; /* the order of the CPUs; NULL: by number */
};

/* Appends the picture to out; marks the shown comms in t. */
void timechart_show(const struct timechart_view *v, struct timechart *t, struct out *out);

/* timechart_options.chain, with ctx a struct script_frames: a line for each frame. */
void timechart_chain_text(void *ctx, const struct record *r, struct buf *out);

/* private: timechart_svg.c. Pieces of the picture; rows count slots of 30 units from the top. */
struct timechart_svg {
	const struct timechart_view *view;
	struct out *out;
	uint64_t first, span; /* ns: the left edge's time, and what the width stands for */
	int width;
	uint64_t height;
	uint64_t max_frequency, turbo_frequency; /* kHz */
	VEC(int) cpu_place;			 /* by CPU, -1: none; empty: by number */
};
#define SVG_SLOT   30.0
#define SVG_HEIGHT 25.0
double svg_x(const struct timechart_svg *s, uint64_t time);
double svg_cpu_y(const struct timechart_svg *s, uint32_t cpu);
/* As %.*f, as ' name="%.*f"', and the beginning of a group whose origin is there. */
void svg_number(struct buf *b, double v, size_t decimals);
void svg_attribute(struct buf *b, const char *name, double v, size_t decimals);
void svg_translated(struct buf *b, double x, double y);
void svg_begin(const struct timechart_svg *s);
/* Leaves out lines that are thinner. */
void svg_grid(const struct timechart_svg *s, double thinnest);
void svg_legend(const struct timechart_svg *s);
void svg_io_legend(const struct timechart_svg *s);
void svg_cpu(const struct timechart_svg *s, uint32_t cpu);
void svg_cpu_span(const struct timechart_svg *s, const struct timechart_span *span, uint32_t tid,
		  const char *name, const char *chain);
void svg_box(const struct timechart_svg *s, uint32_t row, uint64_t start, uint64_t end,
	     const char *style);
/* most: the bytes of the largest call in that row. */
void svg_io(const struct timechart_svg *s, uint32_t row, const struct timechart_io *io,
	    uint64_t most);
void svg_span(const struct timechart_svg *s, uint32_t row, const struct timechart_span *span,
	      const char *chain);
void svg_power(const struct timechart_svg *s, const struct timechart_power *p);
/* Rows are 0 where the task is not shown. */
void svg_wake(const struct timechart_svg *s, uint64_t time, uint32_t from, const char *waker,
	      uint32_t to, const char *wakee, const char *chain);
void svg_interrupt(const struct timechart_svg *s, uint64_t time, uint32_t row, const char *chain);

#endif
