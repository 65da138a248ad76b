/* SPDX-License-Identifier: MIT */
/* The tip below a report: an option that would show more of this recording. */
#ifndef CMD_REPORT_TIP_H
#define CMD_REPORT_TIP_H

#include "cmd/report/report_opts.h"
#include "profile/table/table.h"

/* One line, without "Tip:", for a finished table; a constant text. Options that are in use are not
 * suggested. */
const char *report_tip(const struct report_opts *o, const struct table *table);

#endif
