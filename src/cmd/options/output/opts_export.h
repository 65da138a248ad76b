/* SPDX-License-Identifier: MIT */
/* --html FILE and similar options: profiles as files for other programs. */
#ifndef CMD_OPTS_EXPORT_H
#define CMD_OPTS_EXPORT_H

#include "cmd/cmd.h"
#include "symbol/disasm/disasm.h"
#include "view/export/export.h"

struct export_opts {
	const char *path[EXPORTERS]; /* "-": standard output */
	const char *json;	     /* "full", "summary"; on standard output */
};

extern const struct opt export_opts[];
extern const struct opt export_compare_opts[]; /* the formats that can show several recordings */

/* Checks and completes the options. 0, or -1 with *err for an unknown format. */
int export_check(struct export_opts *o, struct err *err);
bool export_wanted(const struct export_opts *o);
/* Adds the columns that samples need for the wanted files. */
void export_ask(const struct export_opts *o, const struct recording *rec,
		struct samples_options *wanted);

/* One recording: the only one, or one of several that are compared. */
struct export_side {
	const char *name;
	struct recording *rec;
	const struct samples *samples; /* resolved */
	const struct filter *filter;
	const struct disasm_options *disasm; /* for code excerpts; NULL: none */
	const struct wait_lanes *lanes; /* of a wall-clock profile, else NULL */
};
/* Writes all wanted files, and names each on standard error. The losses shown are those of the last
 * side. 0, or -1 with *err. */
int export_write(const struct export_opts *o, const struct export_side *sides, size_t n,
		 struct out *out, struct err *err);
/* Writes one file. The path "-" writes to out. 0, or -1 with *err. */
int export_write_file(const struct exporter *e, const char *path, const struct export_input *in,
		      struct out *out, struct err *err);
/* Names a file that was written, and its size, on standard error; not "-". */
void export_tell(const char *path);

#endif
