// SPDX-License-Identifier: MIT
#include "cmd/options/output/contain_file.h"

#include "analysis/contain/contain.h"
#include "cmd/options/opts_debuginfod.h"
#include "cmd/options/opts_input.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int contain_file_check(const char *path, struct err *err)
{
	struct stat st;

	if (path && strcmp(path, "-") &&
	    (stat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return 0;
	err_set(err, ERR_USAGE, "a pipe has no place for what '--self-contained' adds");
	return err_hint(err, "name a file with -o");
}

int contain_file(struct env *env, const char *path, const struct symbol_options *symbols,
		 struct err *err)
{
	const struct input_opts input = {path, true};
	AUTO(recording) *rec = input_open_recording(&input, NULL, err);
	struct symbol_options how = *symbols;
	struct debug_files fetched = {0};
	struct contained_totals t = {0};
	int got;

	if (!rec)
		return -1;
	how.jitdump = true;
	/* whoever reads it may want guests or not */
	how.guests.wanted = true;
	how.guests.without_host = false;
	debuginfod_get(&how, &fetched, rec, env->debug);
	how.verbose = 0; /* names would have their parameters */
	got = contain_recording(rec, &how, &t, err);
	debug_files_release(&fetched);
	if (got < 0)
		return -1;
	if (symbols->verbose > 0 && got)
		fprintf(env->debug,
			"self-contained: %llu files, %llu symbols, %llu addresses with lines, "
			"%llu bytes of code, %llu lines of source, %llu types, in %llu bytes\n",
			(unsigned long long)t.dsos, (unsigned long long)t.symbols,
			(unsigned long long)t.places, (unsigned long long)t.code,
			(unsigned long long)t.sources, (unsigned long long)t.types,
			(unsigned long long)t.bytes);
	return 0;
}
