/* SPDX-License-Identifier: MIT */
/*
 * The browser of a report: the entries of a table as rows, whose call trees unfold below them.
 *
 * It zooms, filters, sorts and asks for other keys by having tables made anew of the same samples,
 * which its owner does (struct hist_source).
 */
#ifndef VIEW_BROWSER_HIST_H
#define VIEW_BROWSER_HIST_H

#include "view/browser/browse.h"
#include "view/report/report.h"

struct hist;

/* Where tables come from. */
struct hist_source {
	/* A table by these options, which stays until the next one is made. NULL with *err, and the
	 * table of before stays. */
	const struct table *(*make)(void *ctx, const struct table_options *opts, struct err *err);
	/* Shows the code of a function of the entry; the key that left it, or 0 with *err. NULL:
	 * there is no code to be shown. */
	int (*annotate)(void *ctx, struct hist *h, struct dso *dso, const struct symbol *sym,
			struct err *err);
	/* Keys of the owner's own, with a line of help each; false: not one of them. NULL: none. */
	bool (*key)(void *ctx, struct hist *h, int key);
	const char *help;
	/* Appended to the title, or NULL. */
	void (*title)(void *ctx, struct buf *out);
	void *ctx;
};

/* What the user wants once the browser is left. */
enum hist_end {
	HIST_GO_ON, /* it is not left */
	HIST_LEAVE,
	HIST_OTHER_FILE, /* another recording: its path is the answer */
	HIST_OTHER_KEYS, /* keys that these samples cannot tell apart: they are the answer */
};

/* A branch of an open call tree, or a frame of it: a row. */
struct hist_line {
	const struct calltree_node *node;
	uint32_t frame; /* of the node's */
	uint16_t depth; /* 1: below the entry */
	char sign;	/* '+', '-', or ' ': nothing is below it */
	bool value;	/* its share is shown */
	uint64_t total; /* that the share is of */
};

/* An entry whose call tree is unfolded. */
struct hist_tree {
	size_t at;		    /* index in hist.shown */
	size_t row;		    /* of the entry */
	struct calltree_node *root; /* in the arena */
	struct arena arena;
	struct idmap opened; /* nodes whose children are shown, by address */
	VEC(struct hist_line) lines;
};

/* One step of zooming, with what was before it. */
struct hist_zoom {
	struct zoom before;
	char *text; /* ", Thread: worker-0" */
};

struct hist {
	struct browse browse;
	struct hist_source source;
	const struct recording *rec; /* whose header can be shown, or NULL */
	struct report_view view;
	struct table_options opts; /* of the next table */
	const struct table *table;
	size_t event;		   /* index in table->events */
	struct report_table cells; /* of this event */
	uint32_t *ranks;	   /* of frames; NULL: there are no call trees */
	VEC(struct entry *) shown;
	VEC(struct hist_tree) trees; /* by .at */
	VEC(struct hist_zoom) zooms;
	struct buf filter; /* rows without it are not shown */
	struct buf keys;   /* another -s than that of the beginning; empty: none */
	int sort_column;   /* of the layout; -1: as the table is sorted */
	bool reversed;
	bool headers, with_dsos;
	enum hist_end end;
	struct buf answer;
};

/* opts and view as report's; both and what they borrow must stay. The first table is made. */
int hist_init(struct hist *h, struct screen *screen, const struct hist_source *source,
	      const struct table_options *opts, const struct report_view *view, struct err *err);
void hist_release(struct hist *h);
/* Where there are several events, shows a menu of them. False: the browser is left. */
bool hist_begin(struct hist *h);
/* A key of the browser's, or what goes back to that menu. After it, hist.end says whether the
 * browser is left. */
void hist_take_key(struct hist *h, int key);
/* The same without the menu of events. */
void hist_take(struct hist *h, int key);
/* Makes the table anew by h->opts: zoom, keys, new samples. What is open stays open, as far as it
 * is still there. -1 with *err, and nothing changed. */
int hist_remake(struct hist *h, struct err *err);

/* -- for its parts -- */

/* hist_rows.c: rows are entries, and lines of trees below them. */
struct hist_row {
	struct entry *entry;
	size_t at;		      /* the entry's index in hist.shown */
	struct hist_tree *tree;	      /* the entry's own, when it is open */
	const struct hist_line *line; /* NULL: the entry itself */
};
struct hist_row hist_row(const struct hist *h, size_t row);
/* The row of an entry by its index in hist.shown. */
size_t hist_entry_row(const struct hist *h, size_t at);
void hist_draw_row(void *ctx, size_t row, struct screen_line *out);
void hist_draw_header(void *ctx, struct screen_line *out);
/* How the row's function, or its line, is called. */
void hist_row_name(const struct hist *h, const struct hist_row *row, struct buf *out);
/* The frame that the row stands for, or NULL. */
const struct frame *hist_row_frame(const struct hist *h, const struct hist_row *row);
bool hist_can_open(const struct hist *h, const struct entry *e);
/* Opens or closes the entry, or the branch, of a row by one level. */
void hist_toggle(struct hist *h, size_t row);
/* Opens all of an entry's tree, or closes it. */
void hist_open_all(struct hist *h, size_t at, bool open);
void hist_trees_release(struct hist *h);
/* Renews which row each tree is at, and how many rows there are. */
void hist_place_trees(struct hist *h);

/* flame_screen.c: the call chains of the event as a flame graph, until a key leaves it. */
void hist_flame(struct hist *h);

/* hist_table.c: which entries are shown, in which order. */
void hist_collect(struct hist *h);
/* Shows the event at this index of the table. */
void hist_set_event(struct hist *h, size_t event);
/* The next event that has something to show, forwards or back. */
void hist_next_event(struct hist *h, bool back);
bool hist_event_shown(const struct hist *h, size_t event);
/* Sorts by the column to the left or right of the one that is sorted by. */
void hist_sort_beside(struct hist *h, bool left);
const char *hist_sort_name(const struct hist *h);
/* A hash of what the first keys of an entry say, in any table; text is overwritten. */
uint64_t hist_identity(const struct table *t, size_t keys, const struct entry *e, struct buf *text);

void hist_title(void *ctx, struct buf *out);

/* hist_keys.c */
/* The comm of the entry's first sample. */
const char *hist_entry_comm(const struct hist *h, const struct entry *e);
/* Appends the keys that rows have now, as -s takes them. */
void hist_current_keys(const struct hist *h, struct buf *out);
/* True when rows are told apart by this key. */
bool hist_has_key(const struct hist *h, const char *name);
/* Shows the code of a frame's function; why that cannot be is said on a browser. */
void hist_annotate(struct hist *h, const struct frame *frame, struct browse *said);
void hist_menu(struct hist *h);
void hist_zoom_out(struct hist *h);
extern const char hist_help[];

#endif
