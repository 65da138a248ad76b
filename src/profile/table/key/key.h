/* SPDX-License-Identifier: MIT */
/*
 * Keys (-s): samples with different values of a key are in different entries. A row for each key
 * has its name, header and width, and functions that take its value from a sample, compare two
 * values, and make a value's text. A value is one u64: a number, or an id in one of the profile's
 * dictionaries. See doc/how-to-add-a-sort-key.md.
 */
#ifndef PROFILE_KEY_H
#define PROFILE_KEY_H

#include "profile/samples/samples.h"
#include "profile/table/entry.h"

struct table;
struct key_use;

/* The source of key values: the columns of one cell, with its frames. */
struct taken {
	uint64_t v[COLUMNS];
	const struct cell *cell; /* its order, seq and thread are those of its first sample */
	uint32_t cell_index;
	const struct event *event;
	uint32_t frame;	    /* id, or HASH_NONE when no key needs it */
	char level;
	bool in_chain;	    /* the frame was found in a chain, it is not the sampled one */
	uint32_t from, to;  /* frames of the branch; HASH_NONE without */
	uint32_t data;	    /* frame of the data address */
	uint32_t parent;    /* frame that matched the parent's pattern, or HASH_NONE */
};

enum key_flags {
	KEY_FRAME = 1 << 0,	 /* needs the frame: address, map and symbol */
	KEY_BRANCH = 1 << 1,	 /* needs the branch's frames; only in branch mode */
	KEY_DATA = 1 << 2,	 /* needs the data address's frame; only in memory mode */
	KEY_MEMORY = 1 << 3,	 /* only in memory mode */
	KEY_DESCENDING = 1 << 4, /* without .cmp: greater values come first */
	KEY_SYMBOL = 1 << 5,	 /* names symbols: see layout.has_symbol */
	KEY_DSO = 1 << 6,
	KEY_PARENT = 1 << 7,
	KEY_COLLAPSES = 1 << 8,	 /* perf merges entries again by it; the symbol filter needs that */
	KEY_POWERPC = 1 << 9,	 /* without effect, but no error, on other machines */
	KEY_TP_FIELD = 1 << 10,	 /* only in reports of its own event */
	KEY_LINES = 1 << 11,	 /* needs the source line of the frame, or of the branch's */
	KEY_ORDERED = 1 << 12,	 /* .cmp is consistent (transitive), and there is no .sort */
};

/* How a key's text fits into its column, as in the reference. */
enum key_fit {
	KEY_BARE,  /* as it is */
	KEY_LEFT,  /* filled to the width */
	KEY_CUT,   /* cut and filled */
	KEY_SHORT, /* cut, not filled */
	/* the text begins at the left for those above */
	KEY_RIGHT,	 /* on the right */
	KEY_RIGHT_CUT,	 /* cut, on the right */
	KEY_ZEROS,	 /* a number with zeros to the width */
	KEY_ZEROS_RIGHT, /* a number with zeros to three less than the width, on the right */
	KEY_COLON, /* a number of seven characters before a colon, what follows cut and filled */
};

/* A symbol, or an address without one. */
struct key_symbol {
	const struct frame *frame;
	uint64_t address; /* shown when the frame has no symbol */
	char level;	  /* 'k' '.' ... */
	bool with_offset; /* in the symbol, where that isn't 0 */
};

struct key {
	const char *name, *header;
	unsigned int flags;
	uint32_t columns;   /* COL_BIT mask of the columns that .take reads */
	unsigned int width; /* least width of the column, apart from the header's */
	uint64_t (*take)(struct table *table, const struct key_use *use, const struct taken *t);
	/* < 0: a comes before b. NULL: as numbers, by their difference as a signed one. The report
	 * is sorted by .sort (NULL: .cmp), and where .sort is equal, by .cmp. */
	int (*cmp)(const struct table *table, const struct key_use *use, uint64_t a, uint64_t b);
	int (*sort)(const struct table *table, const struct key_use *use, uint64_t a, uint64_t b);
	/* The width that this entry needs; NULL: the column's width is fixed. */
	unsigned int (*measure)(const struct table *table, const struct key_use *use,
				const struct entry *e, uint64_t value);
	/* Appends bytes that identify the value in any recording: a name; nothing for a value
	 * without one (an address without a symbol). NULL: the value is a number with one meaning
	 * everywhere. */
	void (*identity)(const struct table *table, const struct key_use *use,
			 const struct entry *e, uint64_t value, struct buf *out);
	/* The text to show: .text appends plain text, which the view fits into its column by .fit;
	 * .symbol gives a symbol instead. One of the two is NULL. */
	void (*text)(const struct table *table, const struct key_use *use, const struct entry *e,
		     uint64_t value, struct buf *out);
	void (*symbol)(const struct table *table, const struct key_use *use, const struct entry *e,
		       uint64_t value, struct key_symbol *out);
	enum key_fit fit; /* of .text */
};

/* A key of a layout. */
struct key_use {
	const struct key *key;
	uint32_t index; /* of its value in entry.values */
	const char *header;
	/* tracepoint fields: */
	const struct event *event;
	const struct tp_field *field;
	bool raw;
};

/* The key whose name begins with word[0..n), in any case, among those of the mode, in the order in
 * which the reference looks; or NULL. *wrong_mode: such a key exists in another mode. */
const struct key *key_find(const char *word, size_t n, enum sample_mode mode, bool *wrong_mode);

/* The tables: each ends with a NULL name. */
extern const struct key keys_common[], keys_branch[], keys_memory[], keys_wall[], keys_data[];
extern const struct key key_tp_field;

/* The parameters of a key's functions: most need only some. */
#define KEY_ARG(...) __VA_ARGS__ __attribute__((unused))
#define KEY_TAKE_ARGS                                                                              \
	KEY_ARG(struct table *table), KEY_ARG(const struct key_use *use), const struct taken *t
#define KEY_COMPARE_ARGS                                                                           \
	KEY_ARG(const struct table *table), KEY_ARG(const struct key_use *use), uint64_t a,        \
		uint64_t b
#define KEY_MEASURE_ARGS                                                                           \
	KEY_ARG(const struct table *table), KEY_ARG(const struct key_use *use),                    \
		KEY_ARG(const struct entry *e), KEY_ARG(uint64_t value)
#define KEY_TEXT_ARGS KEY_MEASURE_ARGS, struct buf *out
#define KEY_SYMBOL_ARGS KEY_MEASURE_ARGS, struct key_symbol *out

/* Shared by the key files. */
int key_compare(const struct table *table, const struct key_use *use, uint64_t a, uint64_t b);
int key_sort(const struct table *table, const struct key_use *use, uint64_t a, uint64_t b);
/* Appends bytes that are equal for entries of different tables with the same value of this key. */
void key_identity(const struct table *table, const struct key_use *use, const struct entry *e,
		  struct buf *out);
/* The id in table->texts of a tracepoint sample's text, as the trace key shows it; HASH_NONE: no
 * tracepoint. */
uint64_t table_trace_text(struct table *table, const struct taken *t);
/* Appends the key's value of an entry as plain text. */
void key_text(const struct table *table, const struct key_use *use, const struct entry *e,
	      struct buf *out);
/* Appends the symbol's name, or its address. */
void key_symbol_text(const struct key_symbol *s, struct buf *out);
int key_compare_symbols(const struct table *table, uint64_t a, uint64_t b);
int key_sort_symbols(const struct table *table, uint64_t a, uint64_t b);
int key_compare_dsos(const struct table *table, uint64_t a, uint64_t b);
void key_identity_dso(KEY_TEXT_ARGS);
void key_identity_symbol(KEY_TEXT_ARGS);
void key_text_page_size(KEY_TEXT_ARGS);
unsigned int key_symbol_width(const struct table *table, uint64_t symbol_id);
unsigned int key_dso_width(const struct table *table, uint64_t dso_name, bool resolved);

#endif
