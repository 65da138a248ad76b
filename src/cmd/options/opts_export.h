/* SPDX-License-Identifier: MIT */
/* --html FILE and the like: profiles as files for other programs. */
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
extern const struct opt export_compare_opts[]; /* those that can show several recordings */

/* 0, or -1 with *err: no such form of a file. Fills in what the options mean. */
int export_check(struct export_opts *o, struct err *err);
bool export_wanted(const struct export_opts *o);
/* Adds what samples must keep for the files that are asked for. */
void export_ask(const struct export_opts *o, const struct recording *rec,
		struct samples_options *wanted);

/* One recording, or several that are compared. */
struct export_side {
	const char *name;
	struct recording *rec;
	const struct samples *samples; /* resolved */
	const struct filter *filter;
	const struct disasm_options *disasm; /* of its hottest functions; NULL: none are shown */
	const struct wait_lanes *lanes; /* of a wall-clock profile, else NULL */
};
/* Writes all files that are asked for, and says so on standard error. The losses are those of the
 * last side. */
int export_write(const struct export_opts *o, const struct export_side *sides, size_t n,
		 struct out *out, struct err *err);
/* Writes one file, and says so on standard error; the path "-" is out. */
int export_write_file(const struct exporter *e, const char *path, const struct export_input *in,
		      struct out *out, struct err *err);

#endif
