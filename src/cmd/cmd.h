/* SPDX-License-Identifier: MIT */
/*
 * A command's descriptor, and what a running command may touch.
 *
 * A command is one small file that ends in a const struct cmd; commands.c lists them; main.c finds
 * one, parses its options into a zeroed struct of opts_size bytes, calls run, prints the error.
 * See doc/how-to-add-a-command.md.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/config/config.h"
#include "base/err.h"
#include "base/options/options.h"
#include "symbol/dso.h"
#include "view/out/out.h"

#include <stdio.h>

struct env {
	struct out *out;	     /* standard output */
	const struct config *config; /* perfconfig */
	const char *exec_path;	     /* folder of the perf-CMD programs */
	const char *buildid_dir;     /* --buildid-dir, config buildid.dir, or NULL: ~/.debug */
	const char *pager;	     /* the pager's command, or NULL: none */
	bool page_all;		     /* -p: page also commands that do not page by themselves */
	const struct cmd *cmd;
	/* what perf kvm says of guests to the command that it runs; else NULL */
	const struct guest_options *guests;
	int verbose; /* --debug verbose=N */
	bool show_opens; /* --debug perf-event-open: print each perf_event_open() */
	FILE *debug;	 /* --debug-file, or standard error */
	/* The command line as typed, for the CMDLINE feature. */
	int argc;
	char **argv;
};

#define EXIT_FAILED 255 /* the command failed */
#define EXIT_USAGE  129 /* wrong command line, or -h */
#define EXIT_DAMAGE 3   /* the input was damaged or (--strict) incomplete; output was still made */

/* A configuration variable that sets the default of an option (given by its long name). */
struct cmd_variable {
	const char *key, *option;
};

struct cmd {
	const char *name;
	const char *summary;	   /* one line, as `perf` lists it; NULL: not listed */
	const char *const *usage;  /* lines after "perf ", ends with NULL */
	const struct opt_group *groups; /* ends with .opts == NULL */
	size_t opts_size;
	bool stop_at_word; /* the first word ends the options (record, stat) */
	/* Options that .groups lack belong to this command, and so do all words. run gets them in
	 * their order, to hand them on. NULL: no options are handed on. */
	const struct cmd *hands_on_to;
	bool pager;	   /* pages its standard output on a terminal */
	void (*defaults)(void *opts, const struct env *env); /* before parsing; may be NULL */
	const struct cmd_variable *variables; /* ends with .key == NULL; may be NULL */
	/* Commands that the first word may select (by at least three letters of its name, as in
	 * perf). Their options go into the same struct, after the options that stood before the
	 * word. Ends with NULL; may be NULL. Names and usages are as the user types them: name
	 * "report", usage "stat report ...". */
	const struct cmd *const *subcommands;
	/* For completion: the possible words beside options, separated by blanks, or a function
	 * that appends them. Both NULL: file names are offered, or with .stop_at_word a command
	 * line. */
	const char *words;
	void (*list_words)(const struct opt_typed *typed, struct buf *out);
	/* argv[0] ... argv[argc-1] are the words that aren't options, without the command's name;
	 * argv[argc] is NULL. Returns the exit status, or -1 with *err set. The caller then prints
	 * the error's text and hint; the status is 255, or 129 for ERR_USAGE. Output that is in
	 * env->out is sent before the error; for ERR_USAGE it is dropped. */
	int (*run)(struct env *env, void *opts, int argc, char **argv, struct err *err);
};

extern const struct cmd *const commands[]; /* ends with NULL; in the order `perf` lists them */

#endif
