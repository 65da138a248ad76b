/* SPDX-License-Identifier: MIT */
/* Types of data with the shares of their members, as perf annotate --data-type prints them since
 * 6.8. */
#ifndef VIEW_ANNOTATE_TYPES_H
#define VIEW_ANNOTATE_TYPES_H

#include "analysis/annotate/annotate_types.h"
#include "view/annotate/annotate.h"

/* False when the reader has gone. */
bool annotate_show_type(const struct annotate_view *v, const struct annotate_types *a,
			const struct annotated_type *t, struct out *out);
/* --type-stat: why the data of other addresses is not known. */
void annotate_show_type_stat(const struct annotate_types *a, struct out *out);
/* --insn-stat: of which instructions data was found, and of which not. */
void annotate_show_insn_stat(const struct annotate_types *a, struct out *out);

#endif
