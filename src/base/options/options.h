/* SPDX-License-Identifier: MIT */
/*
 * Command line options as const tables, bound by offset to the command's own struct.
 *
 * A command's options are a list of groups; a group is a table of options and the offset of the
 * struct it fills inside the command's struct, so that shared groups (input, target, symbols,
 * filters, view) mean the same everywhere. Help (-h), shell completion (opt_find_place) and the man
 * page check are made from the same tables.
 *
 * Conventions, those of perf: --no-X and the negation of --no-X for every boolean and every option
 * that can be unset; unique prefixes of long names; a value in the next word or after '='; a
 * value that is optional only after '=' (long) or joined (short); -vv counts; clustered short
 * options; "--" ends options; "-h", "-h WORD", "--help".
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

struct config;

enum opt_kind {
	OPT_END = 0,
	OPT_HEADING, /* .help is a heading in the help text */
	OPT_BOOL,    /* bool */
	OPT_COUNT,   /* int: raised by one each time, 0 by --no-X */
	OPT_INT,     /* int */
	OPT_UINT,    /* unsigned int */
	OPT_U64,     /* uint64_t; k/m/g suffixes when OPT_SIZE is set */
	OPT_DOUBLE,  /* double */
	OPT_STRING,  /* const char *, borrowed from argv */
	OPT_STRINGS, /* struct opt_strings: every use adds one */
	OPT_CALL,    /* .call decides; .offset is passed on as the place */
	OPT_ABSENT,  /* perf has it, this program does not: refused, with .why. It takes a value
		      * when it has an .arg */
};

enum opt_flags {
	OPT_OPTIONAL = 1 << 0,	/* the value may be missing: .missing is then used */
	OPT_NO_NEGATE = 1 << 1, /* there is no --no-X */
	OPT_HIDDEN = 1 << 2,	/* works, but isn't in the help */
	OPT_SIZE = 1 << 3,	/* numbers take B/K/M/G suffixes */
	OPT_NO_VALUE = 1 << 4,	/* an OPT_CALL that takes no value */
	OPT_OPTIONAL_NEXT = 1 << 5, /* as OPT_OPTIONAL, but the next word is the value when there is
				     * one that doesn't begin with '-' */
};

struct opt_strings {
	VEC(const char *);
};

/* A value that is being typed. */
struct opt_typed {
	const char *value; /* all of it so far, terminated */
	const char *word;  /* in value: the last word of it, the one to complete */
	const struct config *config;
};

struct opt {
	enum opt_kind kind;
	char letter;	  /* 0: none */
	const char *name; /* without "--"; NULL: none. A name that starts with "no-" is unset by
			   * the rest of the name: "no-inherit" by --inherit */
	size_t offset;	  /* of the value in the group's struct */
	const char *arg;  /* how the value is called in the help; NULL for booleans */
	const char *help;
	unsigned int flags;
	const char *missing; /* the value of an OPT_OPTIONAL without one */
	const char *why;     /* of an OPT_ABSENT: the reason, or the way out. Not NULL */
	long value;	     /* for .call */
	size_t given_offset; /* 0, or the offset of a bool that is set when the option is given */
	/* The words that a value consists of, separated by blanks: a text, or appended by list from
	 * another table. Neither: any text. */
	const char *words;
	void (*list)(struct buf *out);
	/* For completion only: appends words that depend on the machine or on what was typed
	 * before. */
	void (*offer)(const struct opt_typed *typed, struct buf *out);
	const char *joined; /* characters that can stand between words of a value; NULL: it is one
			       word */
	/* value is NULL when there is none; unset is true for --no-X. 0, or -1 with *err set. */
	int (*call)(void *place, const struct opt *opt, const char *value, bool unset,
		    struct err *err);
};

struct opt_group {
	const struct opt *opts; /* ends with OPT_END */
	size_t offset;		/* of the group's struct in the command's struct */
};

enum opt_result {
	OPT_OK = 0,
	OPT_FAILED = -1, /* *err says why; unless .wrong is absent, the caller prints the usage and
			  * exits 129 */
	OPT_HELP = 1,	 /* -h or --help was given: print the help, exit 129 */
	OPT_LIST = 2,	 /* --list-opts was given: print the long names, exit 0 */
};

struct opt_parse {
	const struct opt_group *groups; /* ends with .opts == NULL */
	void *base;			/* the command's struct */
	bool stop_at_word;		/* the first word that isn't an option ends parsing */
	/* out */
	char **words; /* what isn't an option, in order; borrowed from argv */
	int n_words;
	const char *help_word; /* the WORD of -h WORD, or NULL */
	const struct opt *wrong; /* after OPT_FAILED: the option whose use was wrong, or NULL */
};

/* Parses argv[1..argc-1]; moves the words to argv[1...], followed by NULL. An option's letter or
 * name in a table takes precedence over the built-in -h, --help and --list-opts. */
enum opt_result opt_parse(struct opt_parse *p, int argc, char **argv, struct err *err);
/* As if --NAME=VALUE had been typed (a boolean's value says yes or no), without saying that the
 * option was given: how variables of the configuration become defaults. */
int opt_set(const struct opt_group *groups, void *base, const char *name, const char *value,
	    struct err *err);
/* Appends the option part of the help: one entry an option, sorted (letters first) between two
 * headings; with a word only the option of that letter or name, or what has word in its name or
 * help text. The words of an option's value follow a help text that ends with ':'. */
void opt_help(const struct opt_group *groups, const char *word, struct buf *out);
/* Appends the long names, each with "--", separated by blanks, for shell completion. */
void opt_list(const struct opt_group *groups, struct buf *out);

/* True when the option takes a value, be it optional. */
bool opt_takes_value(const struct opt *o);
/* Appends the words that the value can have (.words and those of .list), separated by blanks. */
void opt_words(const struct opt *o, struct buf *out);

/* Words of a command line, borrowed from argv. */
struct opt_words {
	VEC(char *);
};
/* Sorts the words of argv (without the command's name, ends with NULL) for a command that hands
 * options on to another one: options of own with their values go to mine. Options of other, unknown
 * options, and everything from the first word or "--" on go to rest. A letter or full name that is
 * in both tables is own's. */
void opt_split(const struct opt_group *own, const struct opt_group *other, char **argv,
	       struct opt_words *mine, struct opt_words *rest);

/* The role of the last word of an unfinished command line. */
enum opt_place_kind {
	OPT_PLACE_NAME,	 /* the beginning of an option */
	OPT_PLACE_VALUE, /* the value of an option, or holds it: --NAME=VALUE, -xVALUE */
	OPT_PLACE_WORD,	 /* a word that is no option */
};
struct opt_place {
	enum opt_place_kind kind;
	const struct opt *opt; /* of OPT_PLACE_VALUE */
	const char *value;     /* of OPT_PLACE_VALUE: inside the last word */
	int word; /* index of the first word that isn't an option; argc: there is none */
};
/* argc >= 2. With stop_at_word all after the first word that isn't an option are OPT_PLACE_WORD.
 * Options that are wrong are passed over. */
void opt_find_place(const struct opt_group *groups, bool stop_at_word, int argc, char **argv,
		    struct opt_place *at);

/* Numbers as options, events and config files write them. All return 0, or -1 and leave *v. */
int parse_u64(const char *s, uint64_t *v);     /* decimal, 0x hex, 0 octal; nothing may follow */
int parse_size(const char *s, uint64_t *v);    /* with B, K, M, G (and KB..., any case), 1024s */
int parse_time_ns(const char *s, uint64_t *v); /* "12.345678": seconds -> nanoseconds */
/* "10us", "10ms", "10" (ns), as ns: without a fraction. 0, or -1. */
int parse_short_time(const char *s, uint64_t *v);
int parse_bool(const char *s, bool *v);	       /* true yes on 1 / false no off 0 */
/* The name among names[0..n) that is nearest to word by edits, or NULL when none is near. */
const char *nearest_name(const char *word, const char *const *names, size_t n);
/* "*" and "?" and "[...]" patterns, as tracepoint and PMU names use them. */
bool glob_match(const char *pattern, const char *s);

#endif
