/* SPDX-License-Identifier: MIT */
/*
 * The browser of a report: the entries of a table as rows. Their call trees unfold below them.
 *
 * To zoom, filter or change keys, it has its owner make a new table of the same samples (struct
 * hist_source).
 */
#ifndef VIEW_BROWSER_HIST_H
#define VIEW_BROWSER_HIST_H

#include "view/browser/browse.h"
#include "view/report/report.h"

struct hist;

/* Where tables come from. */
struct hist_source {
	/* Makes a table with these options. It stays valid until the next one is made. NULL with
	 * *err: the previous table stays valid. */
	const struct table *(*make)(void *ctx, const struct table_options *opts, struct err *err);
	/* Shows the code of a function of the entry. Returns the key that left it, or 0 with *err.
	 * NULL: no code can be shown. */
	int (*annotate)(void *ctx, struct hist *h, struct dso *dso, const struct symbol *sym,
			struct err *err);
	/* Handles a key of the owner, each of which has a line of help; false: not such a key.
	 * and, when the key is a character, an item of the menu. NULL: the owner has no keys. */
	bool (*key)(void *ctx, struct hist *h, int key);
	const char *help;
	/* Appended to the title, or NULL. */
	void (*title)(void *ctx, struct buf *out);
	void *ctx;
};

/* Why the browser ended. */
enum hist_end {
	HIST_GO_ON, /* it has not ended */
	HIST_LEAVE,
	HIST_OTHER_FILE, /* another recording: its path is the answer */
	HIST_OTHER_KEYS, /* keys that need the samples collected anew: the keys are the answer */
};

/* A row of an open call tree: a branch, or a frame of it. */
struct hist_line {
	const struct calltree_node *node;
	uint32_t frame; /* index in the node's frames */
	uint16_t depth; /* 1: below the entry */
	char sign;	/* '+', '-', or ' ': it has no children */
	bool value;	/* show its share */
	uint64_t total; /* the share's whole */
	uint64_t path;	/* hash of the names from the entry's tree to the frame */
};

/* Which branches of a tree show their children. Paths, not nodes, so that it holds for the trees of
 * the same entry in later tables. Zeroed: none does. */
struct hist_folds {
	struct idmap set; /* by hist_line.path of a branch's last frame: 1 open, 0 closed */
	bool all;	  /* for branches that are not in the set */
};

/* An entry whose call tree is unfolded. */
struct hist_tree {
	size_t at;		    /* index in hist.shown */
	size_t row;		    /* of the entry */
	struct calltree_node *root; /* in the arena */
	struct arena arena;
	struct hist_folds folds;
	VEC(struct hist_line) lines;
};

/* One zoom step, with the zoom before it. */
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
	struct buf filter; /* only rows that contain it are shown */
	struct buf keys;   /* sort keys that replace the initial -s; empty: none */
	int sort_column;   /* of the layout; -1: as the table is sorted */
	bool reversed;
	bool headers, with_dsos;
	enum hist_end end;
	struct buf answer;
};

/* Makes the first table. opts and view are those of report; both, and what they borrow, must
 * outlive h. 0, or -1 with *err. */
int hist_init(struct hist *h, struct screen *screen, const struct hist_source *source,
	      const struct table_options *opts, const struct report_view *view, struct err *err);
void hist_release(struct hist *h);
/* Shows a menu of events when there are several. False: the user left the browser. */
bool hist_begin(struct hist *h);
/* Handles a key; a key that leaves the event returns to that menu. Afterwards hist.end says whether
 * the browser has ended. */
void hist_take_key(struct hist *h, int key);
/* Handles a key without the menu of events. */
void hist_take(struct hist *h, int key);
/* Makes a new table with h->opts: another zoom, other keys. Entries that still exist stay unfolded
 * as they are, and the selected row is shown. 0, or -1 with *err and nothing changed. */
int hist_remake(struct hist *h, struct err *err);
/* The same for new samples, without the user's doing: the screen does not scroll to the selected
 * row. When that is no longer on the screen, the row at its place is selected. */
int hist_refresh(struct hist *h, struct err *err);

/* -- for its parts -- */

/* hist_rows.c: rows are entries, and lines of trees below them. */
struct hist_row {
	struct entry *entry;
	size_t at;		      /* the entry's index in hist.shown */
	struct hist_tree *tree;	      /* the entry's tree; NULL: the entry is closed */
	const struct hist_line *line; /* NULL: the entry itself */
};
struct hist_row hist_row(const struct hist *h, size_t row);
/* The row of an entry by its index in hist.shown. */
size_t hist_entry_row(const struct hist *h, size_t at);
void hist_draw_row(void *ctx, size_t row, struct screen_line *out);
void hist_draw_header(void *ctx, struct screen_line *out);
/* Appends the name of the row's function, or of its source line. */
void hist_row_name(const struct hist *h, const struct hist_row *row, struct buf *out);
/* The frame of the function that the row stands for, or NULL. */
const struct frame *hist_row_frame(const struct hist *h, const struct hist_row *row);
/* The dso that the row stands for, or NULL. */
const struct dso *hist_row_dso(const struct hist *h, const struct hist_row *row);
bool hist_can_open(const struct hist *h, const struct entry *e);
/* Opens or closes the entry, or the branch, of a row by one level. */
void hist_toggle(struct hist *h, size_t row);
/* Opens an entry's tree, and takes ownership of what folds holds. The rows must be placed
 * afterwards. NULL: the entry has no tree. */
struct hist_tree *hist_open(struct hist *h, size_t at, struct hist_folds *folds);
/* Moves what is unfolded of a tree, which is then to be released, to folds. */
void hist_take_folds(struct hist_tree *t, struct hist_folds *folds);
void hist_folds_release(struct hist_folds *f);
/* Opens all of an entry's tree, or closes it. */
void hist_open_all(struct hist *h, size_t at, bool open);
void hist_trees_release(struct hist *h);
/* Recomputes the row of each tree, and the number of rows. */
void hist_place_trees(struct hist *h);

/* flame_screen.c: shows the event's call chains as a flame graph, until a key leaves it. */
void hist_flame(struct hist *h);

/* hist_table.c: which entries are shown, in which order. */
void hist_collect(struct hist *h);
/* The same for another choice or order. Entries that are still shown stay unfolded as they are. */
void hist_collect_anew(struct hist *h);
/* Shows the event at this index of the table. */
void hist_set_event(struct hist *h, size_t event);
/* Shows the next event that has rows, forwards or back. */
void hist_next_event(struct hist *h, bool back);
bool hist_event_shown(const struct hist *h, size_t event);
/* Sorts by the column to the left or right of the current sort column. */
void hist_sort_beside(struct hist *h, bool left);
/* Sorts by the column under this character of the header line, or inverts its order. */
void hist_sort_at(void *ctx, unsigned int column);
/* The next column, or the one before: where the rows begin when they are scrolled to the side. */
unsigned int hist_beside(void *ctx, unsigned int from, bool right);
const char *hist_sort_name(const struct hist *h);
/* A hash of the texts of an entry's first keys, comparable between tables; text is overwritten. */
uint64_t hist_identity(const struct table *t, size_t keys, const struct entry *e, struct buf *text);

void hist_title(void *ctx, struct buf *out);

/* hist_keys.c */
/* The comm of the entry's first sample. */
const char *hist_entry_comm(const struct hist *h, const struct entry *e);
/* Appends the current keys, as -s takes them. */
void hist_current_keys(const struct hist *h, struct buf *out);
/* True when the table is grouped by this key. */
bool hist_has_key(const struct hist *h, const char *name);
/* Shows the code of a frame's function. When that fails, shows the reason on the browser said. */
void hist_annotate(struct hist *h, const struct frame *frame, struct browse *said);
void hist_menu(struct hist *h);
void hist_zoom_out(struct hist *h);
extern const char hist_help[];

/* Creates a file in the current directory: the first PREFIX0SUFFIX, PREFIX1SUFFIX, ... that is not
 * there yet. name: its name, or the last one tried. Returns the descriptor, or -1 (errno). */
int hist_create_file(const char *prefix, const char *suffix, char *name, size_t size);

#endif
